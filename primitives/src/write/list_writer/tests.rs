//! The list writer against its meaning and its Verilog.

use super::ListWriter;
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::write::value_writer::FINISHED;
use samhw_streams::{Beat, Leaf, Nest, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::nests::{leaf, leaves, map, nest};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    WIDTHS.map(|[crd_w, ref_in_w, ref_w, stop_w]| item(ListWriter { crd_w, ref_in_w, ref_w, stop_w, words: 16 })).into()
}

const WRITER: ListWriter = ListWriter { crd_w: 16, ref_in_w: 8, ref_w: 12, stop_w: 3, words: 20 };

/// What a run writes: ends of lists, coordinates, links; and coordinates of both kinds.
#[derive(Default)]
struct Writes {
    seg: Vec<Beat>,
    crd: Vec<Beat>,
    next: Vec<Beat>,
    count: u64,
}

fn written(crd: &Nest<Leaf>, pos: &Nest<Leaf>, [capacity, chunk]: [u64; 2]) -> Writes {
    let mut out = Writes { seg: (0..chunk).map(|k| Beat::pair(0, k, 0)).collect(), ..Writes::default() };
    let mut lists: Vec<Vec<u64>> = vec![vec![]; chunk as usize];
    for (c, p) in leaves(crd).into_iter().zip(leaves(pos)) {
        let place = out.count;
        out.count += 1;
        if place >= capacity {
            continue;
        }
        let list = &mut lists[p.p[0] as usize];
        out.crd.push(Beat::pair(0, place, c.p[0]));
        out.next.extend(list.last().map(|&last| Beat::pair(0, last, place)));
        list.push(place);
        out.seg.push(Beat::pair(0, p.p[0], (place + 1) << WRITER.ref_w | list[0]));
    }
    out
}

fn check(config: [u64; 2], runs: &[(Nest<Leaf>, Nest<Leaf>, u8)]) {
    let (mut crd, mut pos, mut want) = (vec![], vec![], Writes::default());
    let mut last = (0, false);
    for (c, p, d) in runs {
        crd.extend(encode(c, *d));
        pos.extend(encode(p, *d));
        let run = written(c, p, config);
        last = (run.count, run.count > config[0]);
        want.seg.extend(run.seg);
        want.crd.extend(run.crd);
        want.next.extend(run.next);
    }
    for out in check_rtl(&WRITER, &config, &[crd, pos], &Vec::new, &usual_stalls(51)) {
        let out = out.unwrap();
        assert_eq!([out.beats(0), out.beats(1), out.beats(2)], [want.seg.clone(), want.crd.clone(), want.next.clone()]);
        assert_eq!(out.beats(3), vec![FINISHED; runs.len()]);
        assert_eq!(out.status, [last.0, u64::from(last.1)]);
    }
}

/// Coordinates with positions below `chunk`, of few of which there are many.
fn run(rng: &mut Rng, d: u8, chunk: u64) -> (Nest<Leaf>, Nest<Leaf>, u8) {
    let crd = nest(rng, d, &mut |r| leaf(r.bits() & 0xFFFF));
    let few = 1 + rng.below(chunk);
    let pos = map(&crd, &mut |_| leaf(rng.below(few)));
    (crd, pos, d)
}

#[test]
fn appends_each_coordinate_to_its_list() {
    let mut rng = Rng::new(52);
    for chunk in [1, 2, 7, 20] {
        let runs: Vec<_> = (0..40).map(|k| run(&mut rng, 1 + k % 3, chunk)).collect();
        check([4095, chunk], &runs);
    }
}

#[test]
fn a_run_without_positions_has_no_lists() {
    let empty = || Nest::List(vec![]);
    check([10, 0], &[(empty(), empty(), 2), (empty(), empty(), 1)]);
}

/// A list of coordinates, and their positions.
fn list(pos: &[u64]) -> (Nest<Leaf>, Nest<Leaf>, u8) {
    let nest = |of: &[u64]| Nest::List(of.iter().map(|&p| Nest::Leaf(leaf(p))).collect());
    (nest(&(0..pos.len() as u64).collect::<Vec<_>>()), nest(pos), 1)
}

#[test]
fn what_does_not_fit_is_in_no_list_and_said() {
    check([3, 4], &[list(&[1, 1, 0, 1, 2, 0])]);
    check([3, 4], &[list(&[1, 1, 0, 1, 2, 0]), list(&[2, 2, 2])]);
    check([0, 4], &[list(&[1])]);
}

#[test]
fn takes_a_coordinate_a_cycle_whatever_its_list_is() {
    for pos in [vec![3; 50], (0..50).map(|k| k % 2).collect(), (0..50).map(|k| k % 5).collect::<Vec<u64>>()] {
        let (crd, pos, d) = list(&pos);
        let feeds = [encode(&crd, d), encode(&pos, d)];
        let out = run_model(&WRITER, &[4095, 5], &feeds, &mut [], Stall::NONE).unwrap();
        // Five lists are cleared first; the token follows the last write.
        assert_eq!(out.outputs[1].iter().map(|o| o.0).collect::<Vec<_>>(), (9..59).collect::<Vec<u64>>());
        assert_eq!(out.outputs[3][0].0, 59);
    }
}

#[test]
fn both_refuse_positions_that_do_not_fit() {
    let (crd, _, _) = list(&[0, 0]);
    for pos in [list(&[1]).1, list(&[1, 9]).1, list(&[1, 1, 1]).1] {
        let feeds = [encode(&crd, 1), encode(&pos, 1)];
        let got = check_rtl(&WRITER, &[9, 5], &feeds, &Vec::new, &usual_stalls(4));
        assert!(got.iter().all(Result::is_err), "{feeds:?}");
    }
}
