//! The unpacker against its meaning and its Verilog, and its cycles.

use super::RunsUnpack;
use crate::every::forms::{Hosted, WIDTHS, item};
use samhw_streams::{Beat, Leaf, Nest, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::nests::{extend, nest};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, ref_in_w, ref_w, stop_w] in WIDTHS {
        // A word has at most 64 bits.
        let crd_w = crd_w.min(16);
        for (shared, at_w) in [(false, ref_in_w), (true, ref_w)] {
            all.extend([0, 12].map(|tag_w| item(RunsUnpack { crd_w, ref_w, at_w, shared, stop_w, tag_w })));
        }
    }
    all
}

fn leaf(a: u64, b: u64) -> Nest<Leaf> {
    Nest::Leaf(Leaf { present: true, p: [a, b] })
}

/// Runs [first, last, position], by fiber: random, positions as the level has them.
fn fiber(rng: &mut Rng, shared: bool, next: &mut u64) -> Vec<[u64; 3]> {
    let mut crd = 0;
    let all = (0..rng.below(4)).map(|_| {
        let first = crd + rng.below(3);
        let last = first + rng.below(4);
        crd = last + 1;
        let at = *next;
        *next += if shared { 1 } else { last - first + 1 };
        [first, last, at]
    });
    all.collect()
}

#[test]
fn gives_every_coordinate_of_every_run() {
    for shared in [false, true] {
        let p = RunsUnpack { crd_w: 8, ref_w: 12, at_w: 12, shared, stop_w: 3, tag_w: 0 };
        let mut rng = Rng::new(5);
        let (mut feed, mut want) = (Vec::new(), Vec::new());
        for run in 0..100 {
            let d = run % 3;
            let (mut next, mut fibers) = (0, Vec::new());
            let counts = nest(&mut rng, d, &mut |_| Leaf { present: true, p: [0, 0] });
            let words = extend(&counts, &mut |_| {
                let runs = fiber(&mut rng, shared, &mut next);
                fibers.push(runs.clone());
                let word = |(k, [first, last, at]): (u64, [u64; 3])| {
                    let base = if shared { 0 } else { at << 16 };
                    leaf(base | last << 8 | first, if shared { at } else { k })
                };
                Nest::List((0..).zip(runs).map(word).collect())
            });
            let mut fibers = fibers.into_iter();
            let plain = extend(&counts, &mut |_| {
                let crds = |[first, last, at]: [u64; 3]| {
                    (first..=last).map(move |c| leaf(c, if shared { at } else { at + c - first }))
                };
                Nest::List(fibers.next().unwrap().into_iter().flat_map(crds).collect())
            });
            feed.extend(encode(&words, d + 1));
            want.extend(encode(&plain, d + 1));
        }
        for out in check_rtl(&p, &[], &[feed], &Vec::new, &usual_stalls(6)) {
            assert_eq!(out.unwrap().beats(0), want, "{shared}");
        }
    }
}

#[test]
fn a_coordinate_per_cycle() {
    let p = RunsUnpack { crd_w: 8, ref_w: 12, at_w: 12, shared: false, stop_w: 3, tag_w: 0 };
    let words = [[0, 0], [2, 5], [7, 100]].map(|[first, last]| leaf(last << 8 | first, 0));
    let feed = encode(&Nest::List(words.to_vec()), 1);
    let out = run_model(&p, &[], &[feed], &mut [], Stall::NONE).unwrap();
    assert!(out.outputs[0].iter().map(|x| x.0).eq(1..=1 + 1 + 4 + 94));
}

#[test]
fn a_run_that_ends_before_it_begins_is_a_fault() {
    let p = RunsUnpack { crd_w: 8, ref_w: 12, at_w: 12, shared: true, stop_w: 3, tag_w: 0 };
    let feed = encode(&Nest::List(vec![leaf(1 << 8 | 2, 0)]), 1);
    let fault = run_model(&p, &[], &[feed], &mut [], Stall::NONE).unwrap_err();
    assert!(fault.to_string().contains("ends before it begins"), "{fault}");
}

/// Three fibers of two blocks of 50 coordinates each; of the second one it is told that it is over.
#[test]
fn a_fiber_that_is_told_of_has_a_coordinate_of_each_run_that_follows() {
    let p = RunsUnpack { crd_w: 8, ref_w: 12, at_w: 12, shared: false, stop_w: 3, tag_w: 3 };
    let word = |fiber: u64, k: u64| leaf((100 * fiber + 50 * k) << 16 | (60 * k + 49) << 8 | (60 * k), k);
    let fiber = |f: u64| Nest::List(vec![word(f, 0), word(f, 1)]);
    let feed = encode(&Nest::List((0..3).map(fiber).collect()), 2);
    // A hint of the last fiber comes too early, and one that does not say over means nothing.
    let hints = [(1, 0), (1, 1), (0, 0), (1, 2)].map(|(over, f)| Beat::pair(0, over << 3 | f, 0)).to_vec();
    for got in check_rtl(&p, &[], &[feed, hints], &Vec::new, &usual_stalls(7)) {
        let got = got.unwrap().beats(0);
        let fibers: Vec<&[Beat]> = got.split_inclusive(|b| b.stop > 0).take(3).collect();
        assert_eq!(fibers.len(), 3);
        for (f, fiber) in (0..).zip(fibers) {
            // Each block's beginning, at least one coordinate of each.
            let second = fiber.iter().position(|b| b.p[0] >= 60).unwrap();
            for (k, part) in [&fiber[..second], &fiber[second..]].into_iter().enumerate() {
                let k = k as u64;
                assert!(!part.is_empty());
                assert!(part.iter().enumerate().all(|(n, b)| b.p == [60 * k + n as u64, 100 * f + 50 * k + n as u64]));
            }
            assert_eq!(fiber.last().unwrap().stop, if f == 2 { 2 } else { 1 });
        }
        assert!(got.len() < 300 + 1, "no fiber was cut");
    }
}
