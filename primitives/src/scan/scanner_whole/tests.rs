//! The scanner against its meaning and its Verilog.

use super::ScannerWhole;
use crate::every::forms::{Hosted, WIDTHS, item};
use samhw_streams::{Leaf, Nest, Primitive, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::nests::{N, extend, fibers, leaf, nest, usual_lengths};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    WIDTHS.map(|[crd_w, ref_in_w, _, stop_w]| item(ScannerWhole { ref_w: ref_in_w, crd_w, stop_w })).into()
}

#[test]
fn every_reference_is_a_list_of_one_interval() {
    for (ref_w, crd_w, dim) in [(3, 3, 8), (8, 5, 17), (8, 5, 0), (32, 32, 1)] {
        let p = ScannerWhole { ref_w, crd_w, stop_w: 3 };
        let mut rng = Rng::new(u64::from(ref_w));
        let (mut feed, mut want) = (Vec::new(), Vec::new());
        for run in 0..200 {
            let d = run % 4;
            let x = nest(&mut rng, d, &mut |r| if r.happens(0.3) { N } else { leaf(r.bits() >> (64 - ref_w)) });
            let whole = |l: Leaf| Nest::Leaf(Leaf { present: true, p: [(dim - 1) << crd_w, l.p[0]] });
            let y = extend(&x, &mut |l| Nest::List(if l.present && dim > 0 { vec![whole(l)] } else { vec![] }));
            feed.extend(encode(&x, d));
            want.extend(encode(&y, d + 1));
        }
        for out in check_rtl(&p, &[dim], &[feed], &Vec::new, &usual_stalls(7)) {
            assert_eq!(out.unwrap().beats(0), want, "{p:?}");
        }
    }
}

#[test]
fn a_stop_that_does_not_fit_is_a_fault() {
    let p = ScannerWhole { ref_w: 8, crd_w: 8, stop_w: 2 };
    let x = Nest::List(vec![Nest::List(vec![Nest::List(vec![Nest::Leaf(leaf(1))])])]);
    let fault = run_model(&p, &[4], &[encode(&x, 3)], &mut [], Stall::NONE).unwrap_err();
    assert!(fault.to_string().contains("the stop does not fit"), "{fault}");
}

#[test]
fn takes_a_beat_per_cycle_with_the_latency_it_states() {
    let p = ScannerWhole { ref_w: 8, crd_w: 8, stop_w: 3 };
    for lengths in usual_lengths(&mut Rng::new(43)) {
        let feed = fibers(&lengths).repeat(2);
        let out = run_model(&p, &[200], std::slice::from_ref(&feed), &mut [], Stall::NONE).unwrap();
        let first = u64::from(p.latency());
        assert!(out.outputs[0].iter().map(|x| x.0).eq(first..first + feed.len() as u64), "{lengths:?}");
    }
}
