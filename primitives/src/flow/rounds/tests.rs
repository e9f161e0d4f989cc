//! Rounds against their Verilog and their promises.

use super::Rounds;
use crate::every::forms::{Hosted, item};
use samhw_streams::{Beat, Primitive};
use samhw_testing::bench::Stall;
use samhw_testing::rtl::{check_rtl, usual_stalls};

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let words = [(2, 1), (3, 16), (1, 64)];
    words.map(|(addr_w, data_w)| item(Rounds { addr_w, data_w, mask: u64::MAX >> (64 - data_w), at_most: 100 })).into()
}

fn rounds(data_w: u32, at_most: u32) -> Rounds {
    Rounds { addr_w: 2, data_w, mask: u64::MAX >> (64 - data_w) >> 1, at_most }
}

/// What came in, and what has come out when it was over.
fn turns(p: &Rounds, scalars: &[u64]) -> (Vec<u64>, usize, u64) {
    let mut model = p.model(&[]);
    let feed = |n: usize, beat: Beat| vec![beat; n];
    let writes: Vec<Beat> = scalars.iter().map(|&v| Beat::pair(0, 0, v)).collect();
    // Every round's scalar comes before its token: one after the other.
    let mut out = Vec::new();
    let mut done = 0;
    for k in 0..=scalars.len() {
        let feeds = match k {
            0 => [feed(1, Beat::default()), vec![], vec![]],
            k => [vec![], vec![], writes[k - 1..k].to_vec()],
        };
        let first = samhw_testing::bench::run(&p.ports(), &mut *model, &feeds, &mut [], Stall::NONE, 64).unwrap();
        out.extend(first.beats(0).iter().map(|b| b.p[0]));
        let feeds = [vec![], feed(usize::from(k > 0), Beat::default()), vec![]];
        let then = samhw_testing::bench::run(&p.ports(), &mut *model, &feeds, &mut [], Stall::NONE, 64).unwrap();
        out.extend(then.beats(0).iter().map(|b| b.p[0]));
        done += then.beats(1).len();
    }
    (out, done, model.status(1))
}

#[test]
fn goes_on_until_the_scalar_is_zero() {
    assert_eq!(turns(&rounds(4, 10), &[1, 3, 2, 0]), (vec![0, 1, 2, 1], 1, 0));
    // The topmost bit, a float's sign, says nothing.
    assert_eq!(turns(&rounds(4, 10), &[8]), (vec![0], 1, 0));
}

#[test]
fn ends_after_the_most_rounds() {
    assert_eq!(turns(&rounds(4, 2), &[1, 1]), (vec![0, 1], 1, 1));
    assert_eq!(turns(&rounds(4, 1), &[1]), (vec![0], 1, 1));
}

#[test]
fn verilog_does_the_same() {
    for (p, scalars) in [(rounds(4, 3), [1, 0, 1, 1, 8, 2]), (rounds(16, 1000), [5; 6])] {
        let tokens = |n| vec![Beat::default(); n];
        let writes = scalars.iter().map(|&v| Beat::pair(0, 1, v)).collect();
        for outcome in check_rtl(&p, &[], &[tokens(5), tokens(12), writes], &Vec::new, &usual_stalls(3)) {
            assert!(outcome.is_ok());
        }
    }
}
