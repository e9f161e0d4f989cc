//! The level writer against its meaning, the shared vectors and its Verilog.

use super::{LevelWriter, Parts};
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::write::value_writer::FINISHED;
use crate::write::value_writer::tests::chained;
use crate::write::value_writer::tests::{chunks, positions};
use samhw_streams::{Beat, Leaf, Nest, encode};
use samhw_testing::bench::{Outcome, Stall, run_model};
use samhw_testing::nests::{extend, fibers, items, leaf, leaves, nest, usual_lengths, words};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_testing::vectors::{Vector, vectors};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, ref_in_w, ref_w, stop_w] in WIDTHS {
        for (chain, skip_empty) in chained(stop_w) {
            let seg_height = if skip_empty { stop_w.min(2) as u8 } else { 1 };
            for parts in [Parts::Both, Parts::Crd] {
                all.push(item(LevelWriter { crd_w, ref_in_w, ref_w, stop_w, parts, chain, seg_height, skip_empty }));
            }
        }
    }
    all
}

const CAP: u64 = 4095;

fn writer(parts: Parts, chain: u32) -> LevelWriter {
    LevelWriter { crd_w: 16, ref_in_w: 12, ref_w: 12, stop_w: 3, parts, chain, seg_height: 1, skip_empty: false }
}

/// Heights of lists that have an entry, with and without entries for empty ones.
const VARIANTS: [(u8, bool); 5] = [(1, false), (1, true), (2, false), (2, true), (3, true)];

fn config(w: &LevelWriter, chunk: u64) -> Vec<u64> {
    let n = 1 + usize::from(w.parts == Parts::Both);
    [vec![CAP; n], vec![chunk; usize::from(w.has_positions())]].concat()
}

/// A fiber of coordinates.
fn fiber(rng: &mut Rng) -> Nest<Leaf> {
    let mut c = 0;
    let n = [0, 1, 1, 2, 6][rng.below(5) as usize];
    let mut crd = || {
        c += 1 + rng.below(9);
        Nest::Leaf(leaf(c))
    };
    Nest::List((0..n).map(|_| crd()).collect())
}

/// A list of `h` levels of coordinates.
fn list(rng: &mut Rng, h: u8) -> Nest<Leaf> {
    let outer = nest(rng, h - 1, &mut |_| leaf(0));
    extend(&outer, &mut |_| fiber(rng))
}

/// The arrays of one run.
#[derive(Default)]
struct Arrays {
    seg: Vec<u64>,
    crd: Vec<u64>,
}

fn appended(x: &Nest<Leaf>, d: u8, w: &LevelWriter) -> Arrays {
    let mut a = Arrays { seg: vec![0], ..Arrays::default() };
    for list in items(x, d, w.seg_height) {
        a.crd.extend(leaves(list).iter().map(|l| l.p[0]));
        if !w.skip_empty || !leaves(list).is_empty() {
            a.seg.push(a.crd.len() as u64);
        }
    }
    a
}

fn check_outcome(w: &LevelWriter, out: &Outcome, want: &[Arrays]) {
    let arrays: [(bool, Vec<&Vec<u64>>); 2] =
        [(w.parts.seg(), want.iter().map(|a| &a.seg).collect()), (true, want.iter().map(|a| &a.crd).collect())];
    let finished = out.outputs.len() - 1;
    assert_eq!(out.beats(finished), vec![FINISHED; want.len()]);
    for (k, (_, runs)) in arrays.iter().filter(|(there, _)| *there).enumerate() {
        let all: Vec<Beat> = runs.iter().flat_map(|run| words(run)).collect();
        assert_eq!(out.beats(k), all, "{w:?} output {k}");
        let mut end = 0;
        for (run, f) in runs.iter().zip(&out.outputs[finished]) {
            end += run.len();
            assert!(end == 0 || out.outputs[k][end - 1].0 < f.0, "finished before the last write had left");
        }
    }
    assert_eq!(out.status, [want.last().map_or(0, |a| a.crd.len() as u64), 0]);
}

#[test]
fn appends_random_streams_as_its_meaning_says() {
    for (seg_height, skip_empty) in VARIANTS {
        check_appending(&LevelWriter { seg_height, skip_empty, ..writer(Parts::Both, 0) });
    }
    check_appending(&writer(Parts::Crd, 0));
}

fn check_appending(w: &LevelWriter) {
    let mut rng = Rng::new(21);
    let (mut feed, mut want) = (Vec::new(), Vec::new());
    for run in 0..100 {
        let d = w.seg_height + run % 3;
        let x = nest(&mut rng, d - w.seg_height, &mut |_| leaf(0));
        let x = extend(&x, &mut |_| list(&mut rng, w.seg_height));
        feed.extend(encode(&x, d));
        want.push(appended(&x, d, w));
    }
    for out in check_rtl(w, &config(w, 0), &[feed], &Vec::new, &usual_stalls(22)) {
        check_outcome(w, &out.unwrap(), &want);
    }
}

#[test]
fn agrees_with_the_shared_vectors() {
    let w = writer(Parts::Both, 0);
    let vectors = vectors("level_writer");
    let feed = vectors.iter().flat_map(|v| v.input("crd", 16)).collect();
    let arrays = |v: &Vector| {
        let [seg, crd] = ["seg", "crd"].map(|name| v.array(name).iter().map(|&x| x as u64).collect());
        Arrays { seg, crd }
    };
    let want: Vec<Arrays> = vectors.iter().map(arrays).collect();
    for out in check_rtl(&w, &config(&w, 0), &[feed], &Vec::new, &usual_stalls(23)) {
        check_outcome(&w, &out.unwrap(), &want);
    }
}

/// `pos` of depth `d`, and a list per position.
fn placed(pos: &Nest<Leaf>, crd: &Nest<Leaf>, d: u8, chunk: u64, w: &LevelWriter) -> Arrays {
    let (chain, h) = (w.chain as u8, w.seg_height);
    let mut a = Arrays { seg: vec![0], ..Arrays::default() };
    for (p, c) in items(pos, d, chain).into_iter().zip(items(crd, d + h, chain + h)) {
        if w.skip_empty && leaves(c).is_empty() {
            continue;
        }
        let lists = items(c, chain + h, h);
        let at: Vec<u64> = leaves(p).iter().map(|l| l.p[0]).collect();
        for k in 0..chunk {
            if let Some(n) = at.iter().position(|&p| p == k) {
                a.crd.extend(leaves(lists[n]).iter().map(|l| l.p[0]));
            }
            a.seg.push(a.crd.len() as u64);
        }
    }
    a
}

#[test]
fn every_position_of_every_chunk_gets_its_segment() {
    for (chain, chunk) in [(1, 7), (2, 9), (2, 1), (1, 0), (1, 20)] {
        check_placing(&writer(Parts::Both, chain), chunk);
    }
}

#[test]
fn positions_of_higher_lists_and_skipped_chunks() {
    for (seg_height, skip_empty) in &VARIANTS[1..] {
        for (chain, chunk) in [(1, 7), (2, 3), (2, 1), (1, 2)] {
            let w = LevelWriter { seg_height: *seg_height, skip_empty: *skip_empty, ..writer(Parts::Both, chain) };
            check_placing(&w, chunk);
        }
    }
}

fn check_placing(w: &LevelWriter, chunk: u64) {
    let chain = w.chain as u8;
    let mut rng = Rng::new(23 + chunk);
    let (mut crd, mut pos, mut want) = (Vec::new(), Vec::new(), Vec::new());
    for run in 0..60 {
        let d = chain + run % 3;
        let x = chunks(&mut rng, d, chain, chunk);
        let p = positions(&mut rng, &x, d, chain, chunk);
        // In some runs most lists have no leaf.
        let c = extend(&p, &mut |_| match run % 4 == 3 && rng.happens(0.7) {
            true => Nest::List(Vec::new()),
            false => list(&mut rng, w.seg_height),
        });
        crd.extend(encode(&c, d + w.seg_height));
        pos.extend(encode(&p, d));
        want.push(placed(&p, &c, d, chunk, w));
    }
    for out in check_rtl(w, &config(w, chunk), &[crd, pos], &Vec::new, &usual_stalls(24)) {
        check_outcome(w, &out.unwrap(), &want);
    }
}

#[test]
fn appends_a_beat_per_cycle_and_pauses_for_one_between_runs() {
    for (seg_height, skip_empty) in VARIANTS {
        check_throughput(&LevelWriter { seg_height, skip_empty, ..writer(Parts::Both, 0) });
    }
}

fn check_throughput(w: &LevelWriter) {
    for lengths in usual_lengths(&mut Rng::new(25)) {
        let feed = fibers(&lengths).repeat(3);
        let out = run_model(w, &config(w, 0), std::slice::from_ref(&feed), &mut [], Stall::NONE).unwrap();
        let (all, run) = (feed.len() as u64, feed.len() as u64 / 3);
        assert!(out.inputs[0].iter().copied().take(run as usize).eq(0..run), "{w:?}, {lengths:?}");
        let ends: Vec<u64> = out.outputs[2].iter().map(|o| o.0).collect();
        assert_eq!(ends, [run + 1, 2 * run + 2, all + 3], "{w:?}, {lengths:?}");
    }
}

#[test]
fn missing_positions_cost_nothing_while_leaves_arrive() {
    // Six fibers of ten leaves at every fifth of thirty positions.
    let x = |ps: Vec<u64>| Nest::List(ps.into_iter().map(|p| Nest::Leaf(leaf(p))).collect());
    let pos = x((0..6).map(|k| 5 * k + 4).collect());
    let crd = extend(&pos, &mut |_| x((0..10).collect()));
    let feeds = [encode(&crd, 2), encode(&pos, 1)];
    let w = writer(Parts::Both, 1);
    let out = run_model(&w, &config(&w, 30), &feeds, &mut [], Stall::NONE).unwrap();
    assert!(out.inputs[0].iter().copied().eq(0..61));
    assert_eq!(out.outputs[2][0].0, 60 + 2);
}

#[test]
fn skipped_chunks_cost_no_words_and_others_one_a_cycle() {
    let w = LevelWriter { skip_empty: true, ..writer(Parts::Both, 1) };
    let x = |ps: Vec<u64>| Nest::List(ps.into_iter().map(|p| Nest::Leaf(leaf(p))).collect());
    // Chunks of five positions: nine with empty lists at two of them, then three full ones.
    let pos = Nest::List((0..12).map(|k| if k < 9 { x(vec![1, 3]) } else { x((0..5).collect()) }).collect());
    let mut n = 0;
    let crd = extend(&pos, &mut |_| {
        n += 1;
        x(if n <= 18 { vec![] } else { vec![7] })
    });
    let feeds = [encode(&crd, 3), encode(&pos, 2)];
    let out = run_model(&w, &config(&w, 5), &feeds, &mut [], Stall::NONE).unwrap();
    // A beat a cycle all along: 18 empty lists, 15 leaves, DONE.
    assert!(out.inputs[0].iter().copied().eq(0..34));
    assert_eq!(out.beats(0), words(&(0..16).collect::<Vec<_>>()));
    assert_eq!(out.outputs[2][0].0, 33 + 2);
}

#[test]
fn drops_words_beyond_either_capacity_and_says_so() {
    let w = writer(Parts::Both, 0);
    let feed = fibers(&[3, 0, 4]);
    for (seg, crd, overflow) in [(4, 7, 0), (3, 7, 1), (4, 6, 1), (0, 0, 1)] {
        for out in check_rtl(&w, &[seg, crd], std::slice::from_ref(&feed), &Vec::new, &usual_stalls(2)) {
            let out = out.unwrap();
            assert_eq!((out.beats(0), out.beats(1).len()), (words(&[0, 3, 3, 7][..seg as usize]), crd as usize));
            assert_eq!((out.beats(2), out.status), (vec![FINISHED], vec![7, overflow]));
        }
    }
    let feeds = [[fibers(&[9]), fibers(&[2])].concat()];
    for out in check_rtl(&w, &[4, 5], &feeds, &Vec::new, &usual_stalls(3)) {
        assert_eq!(out.unwrap().status, [2, 0]);
    }
}

#[test]
fn a_count_that_does_not_fit_is_an_overflow() {
    let w = LevelWriter { crd_w: 8, ref_in_w: 4, ref_w: 4, stop_w: 2, ..writer(Parts::Both, 0) };
    for out in check_rtl(&w, &[15, 15], &[fibers(&[9, 9])], &Vec::new, &[Stall::NONE]) {
        assert_eq!(out.unwrap().status, [15, 1]);
    }
}

#[test]
fn both_refuse_positions_that_do_not_fit() {
    let x = |ps: &[u64]| Nest::List(ps.iter().map(|&p| Nest::Leaf(leaf(p))).collect());
    let crd = extend(&x(&[0, 0]), &mut |_| x(&[4, 5]));
    let w = writer(Parts::Both, 1);
    let bad = [x(&[1, 1]), x(&[2, 1]), x(&[1, 3]), x(&[0, 1, 2]), x(&[1]), x(&[])];
    for w in [w.clone(), LevelWriter { skip_empty: true, ..w }] {
        for pos in bad.clone().map(|p| encode(&p, 1)) {
            let feeds = [encode(&crd, 2), pos];
            let got = check_rtl(&w, &config(&w, 3), &feeds, &Vec::new, &usual_stalls(4));
            assert!(got.iter().all(Result::is_err), "{feeds:?}");
        }
    }
}
