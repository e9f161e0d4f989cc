//! Lengths against their meaning and their Verilog.

use super::IntervalLength;
use crate::every::forms::{Hosted, WIDTHS, item};
use samhw_streams::{Primitive, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::nests::{fibers, leaf, map, nest, usual_lengths};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::{Rng, mask};

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, _, ref_w, stop_w] in WIDTHS {
        for (val_w, first) in [(1, false), (crd_w, false), (ref_w, false), (crd_w.min(32), true)] {
            all.push(item(IntervalLength { crd_w: crd_w.min(32), val_w, first, stop_w }));
        }
    }
    all
}

#[test]
fn an_interval_has_as_many_coordinates_as_it_has() {
    for (crd_w, val_w, first) in
        [(8, 9, false), (8, 1, false), (8, 4, false), (5, 32, false), (32, 33, false), (8, 8, true)]
    {
        let p = IntervalLength { crd_w, val_w, first, stop_w: 3 };
        let mut rng = Rng::new(u64::from(val_w));
        let (mut feed, mut want) = (Vec::new(), Vec::new());
        for run in 0..80 {
            let mut lengths = Vec::new();
            let x = nest(&mut rng, run % 4, &mut |r| {
                let (a, b) = (r.bits() & mask(crd_w), r.bits() & mask(crd_w));
                let (from, last) = if r.happens(0.3) { (a, a) } else { (a.min(b), a.max(b)) };
                lengths.push(if first { from } else { last - from + 1 });
                leaf(last << crd_w | from)
            });
            let mut lengths = lengths.into_iter();
            let y = map(&x, &mut |_| leaf(lengths.next().unwrap() & mask(val_w)));
            feed.extend(encode(&x, run % 4));
            want.extend(encode(&y, run % 4));
        }
        for out in check_rtl(&p, &[], &[feed], &Vec::new, &usual_stalls(9)) {
            assert_eq!(out.unwrap().beats(0), want, "{p:?}");
        }
    }
}

#[test]
fn takes_a_beat_per_cycle_with_the_latency_it_states() {
    let p = IntervalLength { crd_w: 16, val_w: 17, first: false, stop_w: 3 };
    for lengths in usual_lengths(&mut Rng::new(41)) {
        // Leaves are intervals from 0 on.
        let feed: Vec<_> = fibers(&lengths).repeat(2).into_iter().map(from_0).collect();
        let out = run_model(&p, &[], std::slice::from_ref(&feed), &mut [], Stall::NONE).unwrap();
        let first = u64::from(p.latency());
        assert!(out.outputs[0].iter().map(|x| x.0).eq(first..first + feed.len() as u64), "{lengths:?}");
    }
}

/// A leaf as the interval that ends there.
fn from_0(mut b: samhw_streams::Beat) -> samhw_streams::Beat {
    if b.is_leaf() {
        b.p[0] <<= 16;
    }
    b
}
