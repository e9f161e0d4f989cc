//! Banks against their meaning and their Verilog.

use super::{BANKS, Banks, READ_RSP, REQ, RSP, TURNED};
use crate::every::forms::{Hosted, item};
use samhw_streams::{Beat, Primitive};
use samhw_testing::bench::{self, Memory, Stall};
use samhw_testing::rtl::{check_rtl, usual_stalls};

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for (burst, pair) in [(false, false), (true, false), (false, true)] {
        all.extend([(8, 16), (2, 1), (20, 64)].map(|(addr_w, data_w)| item(Banks { addr_w, data_w, burst, pair })));
    }
    all
}

fn samples() -> [Banks; 3] {
    let of = |burst, pair| Banks { addr_w: 8, data_w: 16, burst, pair };
    [of(false, false), of(true, false), of(false, true)]
}

/// The memories: word `a` of bank k is `1000 k + a`, after different times.
fn memories(p: &Banks) -> Vec<Memory<'static>> {
    let (burst, pair) = (p.burst, p.pair);
    let of = |k: usize| Memory {
        request: REQ + k,
        response: RSP + k,
        latency: 1 + 3 * k as u64,
        answer: Box::new(move |r: Beat| {
            let word = |a: u64| 1000 * k as u64 + a;
            let first = r.p[0];
            match (burst, pair) {
                (true, _) => (0..r.p[1]).map(|n| Beat::data(0, word(first + n))).collect(),
                (_, true) => vec![Beat::pair(0, word(first), word(first + 1))],
                _ => vec![Beat::data(0, word(first))],
            }
        }),
    };
    (0..BANKS).map(of).collect()
}

fn requests(p: &Banks) -> Vec<Beat> {
    (0..40).map(|n| if p.burst { Beat::pair(0, n, 1 + n % 5) } else { Beat::data(0, n) }).collect()
}

#[test]
fn a_round_reads_its_bank_and_writes_another() {
    for p in samples() {
        let mut model = p.model(&[]);
        for (bank, written) in [(0u64, 0usize), (1, 1), (2, 0), (1, 1), (0, 0)] {
            let mut run = |feeds: [Vec<Beat>; 3]| {
                let feeds: Vec<Vec<Beat>> = feeds.into_iter().chain(vec![vec![]; BANKS]).collect();
                bench::run(&p.ports(), &mut *model, &feeds, &mut memories(&p), Stall::NONE, 64).unwrap()
            };
            assert_eq!(run([vec![], vec![Beat::data(0, bank)], vec![]]).beats(TURNED).len(), 1);
            let out = run([requests(&p), vec![], vec![Beat::pair(0, 7, 9); 5]]);
            assert_eq!(out.beats(REQ + bank as usize), requests(&p));
            assert_eq!(out.beats(super::PUT + written), vec![Beat::pair(0, 7, 9); 5]);
            assert!(out.beats(READ_RSP).iter().all(|b| b.p[0] / 1000 == bank));
            let last = out.outputs[READ_RSP].last().unwrap().0;
            assert!(last < 40 * if p.burst { 3 } else { 1 } + 14, "one word a cycle: {last}");
        }
    }
}

#[test]
fn a_turn_waits_for_answers_and_verilog_does_the_same() {
    for p in samples() {
        let turns: Vec<Beat> = [0, 1, 2, 1].map(|bank| Beat::data(0, bank)).to_vec();
        let writes: Vec<Beat> = (0..30).map(|n| Beat::pair(0, n, n * 7)).collect();
        let feeds = [vec![requests(&p), turns, writes], vec![vec![]; BANKS]].concat();
        for outcome in check_rtl(&p, &[], &feeds, &|| memories(&p), &usual_stalls(4)) {
            let outcome = outcome.unwrap();
            let asked: usize = requests(&p).iter().map(|r| if p.burst { r.p[1] as usize } else { 1 }).sum();
            assert_eq!(outcome.outputs[READ_RSP].len(), asked);
            assert_eq!(outcome.outputs[TURNED].len(), 4);
        }
    }
}
