//! The stream passes unchanged, and the hints are for the right fibers; the Verilog as its model.

use super::{EarlyExit, Watched};
use crate::every::forms::{Hosted, WIDTHS, item};
use samhw_streams::{Beat, Kind, encode};
use samhw_testing::nests::{N, leaf, nest};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, _, ref_w, stop_w] in WIDTHS {
        for watched in [Watched::Alone, Watched::Or, Watched::And, Watched::Sum] {
            all.push(item(EarlyExit { value: 1, watched, val_w: ref_w, stop_w, tag_w: 12, crd_w }));
        }
    }
    all
}

/// What is watched, and the value that decides.
const CASES: [(Watched, u64); 4] = [(Watched::Alone, 1), (Watched::Or, 3), (Watched::And, 0), (Watched::Sum, 3)];

/// Fibers of a stream that are decided before their last leaf, by number modulo 16.
fn early(beats: &[Beat], watched: Watched) -> Vec<u64> {
    let (mut fiber, mut told, mut all, mut values) = (0, false, Vec::new(), Vec::new());
    for b in beats {
        let ends = !b.is_leaf() || b.stop > 0;
        values.extend((b.kind == Kind::Data).then_some(b.p[0]));
        let decided = match watched {
            Watched::Alone => values.last() == Some(&1),
            Watched::Or => values.iter().fold(0, |a, v| a | v) == 3,
            Watched::And => values.iter().fold(7, |a, v| a & v) == 0,
            Watched::Sum => values.iter().sum::<u64>() >= 3,
        };
        if b.kind == Kind::Data && decided && !ends && !told {
            all.push(fiber % 16);
            told = true;
        }
        if ends {
            fiber += 1;
            told = false;
            values.clear();
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
    for (watched, value) in CASES {
        told_of_once(&feed, watched, value);
    }
}

fn told_of_once(feed: &[Beat], watched: Watched, value: u64) {
    let want = early(feed, watched);
    assert!(want.len() > 10, "{watched:?}");
    let exit = EarlyExit { value, watched, val_w: 16, stop_w: 3, tag_w: 4, crd_w: 8 };
    let runs = check_rtl(&exit, &[], &[feed.to_vec()], &Vec::new, &usual_stalls(4));
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
