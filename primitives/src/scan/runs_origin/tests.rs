//! What blocks become, and the Verilog as its model.

use super::RunsOrigin;
use crate::every::forms::{Hosted, WIDTHS, item};
use samhw_streams::{Beat, Leaf, Nest, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::nests::nest;
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::{Rng, mask};

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    WIDTHS.map(|[crd_w, at_w, ref_w, stop_w]| item(RunsOrigin { crd_w: crd_w.min(16), ref_w, at_w, stop_w })).into()
}

#[test]
fn a_block_becomes_its_interval_and_where_coordinate_0_would_stand() {
    for (seed, (crd_w, ref_w)) in (0..).zip([(8, 12), (8, 8), (9, 5)]) {
        let p = RunsOrigin { crd_w, ref_w, at_w: 12, stop_w: 3 };
        let mut rng = Rng::new(7);
        let (mut feed, mut want) = (Vec::new(), Vec::new());
        for d in (1..4).cycle().take(60) {
            let words = nest(&mut rng, d, &mut |rng| {
                let first = rng.below(1 << crd_w);
                let last = first + rng.below((1 << crd_w) - first);
                let base = rng.below(1 << ref_w);
                Leaf { present: true, p: [base << (2 * crd_w) | last << crd_w | first, rng.below(100)] }
            });
            let beats = encode(&words, d);
            want.extend(beats.iter().map(|b| match b.is_leaf() {
                true => {
                    let origin = (b.p[0] >> (2 * crd_w)).wrapping_sub(b.p[0] & mask(crd_w)) & mask(ref_w);
                    Beat::pair(b.stop, b.p[0] & mask(2 * crd_w), origin)
                }
                false => *b,
            }));
            feed.extend(beats);
        }
        match seed {
            0 => {
                for out in check_rtl(&p, &[], &[feed], &Vec::new, &usual_stalls(6)) {
                    assert_eq!(out.unwrap().beats(0), want);
                }
            }
            _ => assert_eq!(run_model(&p, &[], &[feed], &mut [], Stall::NONE).unwrap().beats(0), want),
        }
    }
}

#[test]
fn a_beat_per_cycle() {
    let p = RunsOrigin { crd_w: 8, ref_w: 12, at_w: 12, stop_w: 3 };
    for n in [1u64, 2, 5, 64] {
        let words = (0..n).map(|k| Nest::Leaf(Leaf { present: true, p: [k << 8 | k, 0] })).collect();
        let feed = encode(&Nest::List(words), 1);
        let out = run_model(&p, &[], &[feed], &mut [], Stall::NONE).unwrap();
        assert!(out.outputs[0].iter().map(|x| x.0).eq(1..=n + 1));
    }
}

#[test]
fn a_block_that_ends_before_it_begins_is_a_fault() {
    let p = RunsOrigin { crd_w: 8, ref_w: 12, at_w: 12, stop_w: 3 };
    let feed = encode(&Nest::List(vec![Nest::Leaf(Leaf { present: true, p: [1 << 8 | 2, 0] })]), 1);
    let fault = run_model(&p, &[], &[feed], &mut [], Stall::NONE).unwrap_err();
    assert!(fault.to_string().contains("ends before it begins"), "{fault}");
}
