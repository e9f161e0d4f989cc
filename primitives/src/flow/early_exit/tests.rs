//! The stream passes unchanged, and the hints are for the right fibers; the Verilog as its model.

use super::EarlyExit;
use samhw_streams::{Beat, Kind, encode};
use samhw_testing::nests::{N, leaf, nest};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;

const EXIT: EarlyExit = EarlyExit { value: 1, val_w: 16, stop_w: 3, tag_w: 4, crd_w: 8 };

/// Fibers of a stream that have the value before their last leaf, by number modulo 16.
fn early(beats: &[Beat]) -> Vec<u64> {
    let (mut fiber, mut told, mut all) = (0, false, Vec::new());
    for b in beats {
        let ends = !b.is_leaf() || b.stop > 0;
        if b.kind == Kind::Data && b.p[0] == 1 && !ends && !told {
            all.push(fiber % 16);
            told = true;
        }
        if ends {
            fiber += 1;
            told = false;
        }
    }
    all
}

#[test]
fn lists_that_are_decided_are_told_of_once() {
    let mut rng = Rng::new(9);
    let mut feed = Vec::new();
    for depth in (0..4).cycle().take(400) {
        let x = nest(&mut rng, depth, &mut |r| if r.happens(0.2) { N } else { leaf(r.below(3)) });
        feed.extend(encode(&x, depth));
    }
    let want = early(&feed);
    assert!(want.len() > 40);
    let runs = check_rtl(&EXIT, &[], std::slice::from_ref(&feed), &Vec::new, &usual_stalls(4));
    for (n, out) in runs.into_iter().enumerate() {
        let out = out.unwrap();
        assert_eq!(out.beats(0), feed);
        let hints: Vec<u64> = out.beats(1).iter().map(|b| b.p[0]).collect();
        assert!(hints.iter().all(|h| h >> 4 == 1));
        let told: Vec<u64> = hints.iter().map(|h| h % 16).collect();
        // The first run has no stalls.
        if n == 0 {
            assert_eq!(told, want);
        } else {
            // Hints that found the register full are lost; the others come in order.
            let mut rest = want.iter();
            assert!(told.iter().all(|t| rest.any(|w| w == t)), "{told:?} of {want:?}");
        }
    }
}
