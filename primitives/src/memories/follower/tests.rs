//! The follower against its meaning and its Verilog.

use super::Follower;
use crate::every::forms::{Hosted, item};
use samhw_streams::{Beat, Primitive};
use samhw_testing::bench::{self, Stall};
use samhw_testing::rtl::{check_rtl, usual_stalls};

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for (burst, pair) in [(false, false), (true, false), (false, true)] {
        all.extend([(8, 16), (2, 1), (20, 64)].map(|(addr_w, data_w)| item(Follower { addr_w, data_w, burst, pair })));
    }
    all
}

fn samples() -> [Follower; 3] {
    let of = |burst, pair| Follower { addr_w: 6, data_w: 4, burst, pair };
    [of(false, false), of(true, false), of(false, true)]
}

fn requests(p: &Follower) -> Vec<Beat> {
    let request = |n: u64| if p.burst { Beat::pair(0, n, 1 + n % 3) } else { Beat::data(0, n) };
    [0, 3, 1, 9, 9, 2, 20].map(request).to_vec()
}

fn writes(n: u64) -> Vec<Beat> {
    (0..n).map(|a| Beat::pair(0, a, a % 16)).collect()
}

#[test]
fn a_request_waits_for_its_last_word() {
    for p in samples() {
        let mut model = p.model(&[]);
        let mut run =
            |feeds: [Vec<Beat>; 4]| bench::run(&p.ports(), &mut *model, &feeds, &mut [], Stall::NONE, 64).unwrap();
        let token = || vec![Beat::default()];
        // Two runs on end.
        for _ in 0..2 {
            assert_eq!(run([vec![], token(), vec![], vec![]]).beats(1).len(), 1);
            assert!(run([requests(&p), vec![], vec![], vec![]]).beats(0).is_empty(), "nothing is there yet");
            // One request is inside; the others come with the words.
            let some = run([requests(&p)[1..].to_vec(), vec![], writes(14), vec![]]);
            assert_eq!(some.beats(0), requests(&p)[..6], "words up to 13 are there");
            let after = |n: usize, word: usize| some.outputs[0][n].0 > some.inputs[2][word];
            assert!(after(0, 0) && after(1, 3) && after(3, 9));
            let rest = run([vec![], vec![], vec![], token()]);
            assert_eq!((rest.beats(0), rest.beats(2).len()), (requests(&p)[6..].to_vec(), 1));
        }
    }
}

#[test]
fn verilog_does_the_same() {
    for p in samples() {
        let tokens = |n| vec![Beat::default(); n];
        let feeds = [[requests(&p), requests(&p)].concat(), tokens(2), writes(40), tokens(3)];
        for outcome in check_rtl(&p, &[], &feeds, &Vec::new, &usual_stalls(6)) {
            assert!(outcome.unwrap().outputs[1].len() == 2);
        }
    }
}
