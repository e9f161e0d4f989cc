//! Coordinates of intervals against their meaning, and the Verilog as its model.

use super::IntervalExpand;
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::memories::memory::cases::map;
use samhw_streams::{Beat, Leaf, Nest, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::nests::{extend, nest};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, _, ref_w, stop_w] in WIDTHS {
        let crd_w = crd_w.min(16);
        all.extend([false, true].map(|follows| item(IntervalExpand { crd_w, ref_w, follows, stop_w })));
    }
    all
}

const EXPAND: IntervalExpand = IntervalExpand { crd_w: 8, ref_w: 12, follows: true, stop_w: 3 };

/// Beats of pairs: where the second of a leaf is not there the first is.
fn pairs(x: &Nest<Leaf>, d: u8) -> Vec<Beat> {
    let there = map(x, &|l| Nest::Leaf(Leaf { present: true, p: l.p }));
    let (beats, kinds) = (encode(&there, d), encode(x, d));
    beats.into_iter().zip(kinds).map(|(b, k)| Beat { kind: k.kind, ..b }).collect()
}

#[test]
fn gives_every_coordinate_with_its_position() {
    for (ref_w, follows) in [(12, true), (12, false), (8, true), (5, true)] {
        let p = IntervalExpand { ref_w, follows, ..EXPAND };
        let mut rng = Rng::new(8);
        let (mut feed, mut want) = (Vec::new(), Vec::new());
        for d in (0..3).cycle().take(60) {
            let counts = nest(&mut rng, d, &mut |_| Leaf { present: true, p: [0, 0] });
            let mut all = Vec::new();
            let intervals = extend(&counts, &mut |_| {
                let (mut next, mut parts, mut crds) = (0, Vec::new(), Vec::new());
                for _ in 0..rng.below(4) {
                    let (first, present) = (rng.below(3) + next, rng.below(4) > 0);
                    let origin = if present { rng.below(1 << ref_w) } else { 0 };
                    next = first + rng.below(4) + 1;
                    let at = |c| if present && follows { (origin + c) % (1 << ref_w) } else { origin };
                    parts.push(Nest::Leaf(Leaf { present, p: [(next - 1) << 8 | first, origin] }));
                    crds.extend((first..next).map(|c| Nest::Leaf(Leaf { present, p: [c, at(c)] })));
                }
                all.push(crds);
                Nest::List(parts)
            });
            let mut all = all.into_iter();
            let crds = extend(&counts, &mut |_| Nest::List(all.next().unwrap()));
            feed.extend(pairs(&intervals, d + 1));
            want.extend(pairs(&crds, d + 1));
        }
        let outcomes = match ref_w {
            12 => check_rtl(&p, &[], &[feed], &Vec::new, &usual_stalls(6)),
            _ => vec![run_model(&p, &[], &[feed], &mut [], Stall::NONE)],
        };
        for out in outcomes {
            assert_eq!(out.unwrap().beats(0), want, "{p:?}");
        }
    }
}

#[test]
fn a_coordinate_per_cycle() {
    let leaf = |first: u64, last: u64| Nest::Leaf(Leaf { present: true, p: [last << 8 | first, 0] });
    let feed = encode(&Nest::List(vec![leaf(0, 0), leaf(2, 5), leaf(7, 100)]), 1);
    let out = run_model(&EXPAND, &[], &[feed], &mut [], Stall::NONE).unwrap();
    assert!(out.outputs[0].iter().map(|x| x.0).eq(1..=1 + 1 + 4 + 94));
}

#[test]
fn an_interval_that_ends_before_it_begins_is_a_fault() {
    let feed = encode(&Nest::List(vec![Nest::Leaf(Leaf { present: true, p: [1 << 8 | 2, 0] })]), 1);
    let fault = run_model(&EXPAND, &[], &[feed], &mut [], Stall::NONE).unwrap_err();
    assert!(fault.to_string().contains("ends before it begins"), "{fault}");
}
