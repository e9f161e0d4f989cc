//! The packer against its meaning and its Verilog, against the unpacker, and its cycles.

use super::RunsPack;
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::scan::runs_unpack::RunsUnpack;
use samhw_streams::{Beat, Leaf, Nest, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::nests::{extend, map, nest};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, _, ref_w, stop_w] in WIDTHS {
        let crd_w = crd_w.min(16);
        all.push(item(RunsPack { crd_w, ref_w, shared: None, intervals: false, stop_w }));
        let shared = Some(ref_w);
        all.extend([true, false].map(|intervals| item(RunsPack { crd_w, ref_w, shared, intervals, stop_w })));
    }
    all
}

const CRD_W: u32 = 6;

fn pack(shared: bool) -> RunsPack {
    RunsPack { crd_w: CRD_W, ref_w: 12, shared: shared.then_some(4), intervals: false, stop_w: 3 }
}

fn leaf(a: u64, b: u64) -> Nest<Leaf> {
    Nest::Leaf(Leaf { present: true, p: [a, b] })
}

/// A list of coordinates with values: dense enough for runs, of few values.
fn list(rng: &mut Rng) -> Vec<[u64; 2]> {
    let density = if rng.happens(0.5) { 0.8 } else { 0.2 };
    let value = if rng.happens(0.5) { 1 } else { 3 };
    let count = rng.below(12);
    let kept: Vec<u64> = (0..count).filter(|_| rng.happens(density)).collect();
    kept.into_iter().map(|c| [c, rng.below(value)]).collect()
}

/// Lists of depth `d + 1`, and their runs as [word, value].
fn lists(rng: &mut Rng, d: u8, shared: bool) -> (Nest<Leaf>, Nest<Leaf>) {
    let frame = nest(rng, d, &mut |_| Leaf { present: true, p: [0, 0] });
    let mut all = Vec::new();
    let plain = extend(&frame, &mut |_| {
        let entries = list(rng);
        all.push(entries.clone());
        Nest::List(entries.iter().map(|e| leaf(e[0], e[1])).collect())
    });
    let (mut all, mut count) = (all.into_iter(), 0);
    let runs = extend(&frame, &mut |_| {
        let mut runs: Vec<([u64; 3], u64)> = Vec::new();
        for [crd, value] in all.next().unwrap() {
            match runs.last_mut() {
                Some(([_, last, _], v)) if *last + 1 == crd && (!shared || *v == value) => *last = crd,
                _ => runs.push(([crd, crd, count], value)),
            }
            count += 1;
        }
        let word = |[first, last, base]: [u64; 3]| if shared { 0 } else { base << (2 * CRD_W) } | last << CRD_W | first;
        Nest::List(runs.into_iter().map(|(run, value)| leaf(word(run), value)).collect())
    });
    (plain, runs)
}

/// One payload of a nest of pairs, as beats.
fn part(x: &Nest<Leaf>, k: usize, depth: u8) -> Vec<Beat> {
    encode(&map(x, &mut |l: Leaf| Leaf { p: [l.p[k], 0], ..l }), depth)
}

#[test]
fn gives_the_longest_runs() {
    for shared in [false, true] {
        let mut rng = Rng::new(91);
        let (mut crd, mut val, mut runs, mut values) = (vec![], vec![], vec![], vec![]);
        for run in 0..120 {
            let d = run % 3;
            let (plain, packed) = lists(&mut rng, d, shared);
            crd.extend(part(&plain, 0, d + 1));
            val.extend(part(&plain, 1, d + 1));
            runs.extend(part(&packed, 0, d + 1));
            values.extend(part(&packed, 1, d + 1));
        }
        let feeds = if shared { vec![crd, val] } else { vec![crd] };
        for out in check_rtl(&pack(shared), &[], &feeds, &Vec::new, &usual_stalls(92)) {
            let out = out.unwrap();
            assert_eq!(out.beats(0), runs, "{shared}");
            if shared {
                assert_eq!(out.beats(1), values);
            }
        }
    }
}

#[test]
fn comes_back_as_it_was() {
    let mut rng = Rng::new(93);
    let (plain, _) = lists(&mut rng, 2, false);
    let crd = part(&plain, 0, 3);
    let words = run_model(&pack(false), &[], std::slice::from_ref(&crd), &mut [], Stall::NONE).unwrap().beats(0);
    let unpack = RunsUnpack { crd_w: CRD_W, ref_w: 12, at_w: 12, shared: false, stop_w: 3, tag_w: 0 };
    let back = run_model(&unpack, &[], &[words], &mut [], Stall::NONE).unwrap().beats(0);
    let mut position = 0..;
    let with = |b: Beat| if b.is_leaf() { Beat { p: [b.p[0], position.next().unwrap()], ..b } } else { b };
    assert_eq!(back, crd.into_iter().map(with).collect::<Vec<_>>());
}

#[test]
fn a_coordinate_per_cycle() {
    for shared in [false, true] {
        let crds: Vec<u64> = (0..60).filter(|c| c % 7 != 3).collect();
        let feed = encode(&Nest::List(crds.iter().map(|&c| leaf(c, 0)).collect()), 1);
        let n = feed.len() as u64;
        let feeds = if shared { vec![feed.clone(), feed] } else { vec![feed] };
        let out = run_model(&pack(shared), &[], &feeds, &mut [], Stall::NONE).unwrap();
        assert_eq!(out.outputs[0].last().unwrap().0, n - 1 + 3);
    }
}

#[test]
fn coordinates_that_do_not_rise_are_a_fault() {
    let feed = encode(&Nest::List(vec![leaf(4, 0), leaf(4, 0)]), 1);
    let fault = run_model(&pack(false), &[], &[feed], &mut [], Stall::NONE).unwrap_err();
    assert!(fault.to_string().contains("do not rise"), "{fault}");
}
