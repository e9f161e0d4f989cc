//! The growing scanner against its meaning and its Verilog.

use super::ScannerGrowing;
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::memories::memory::ON_CHIP_QUEUE_LOG2;
use crate::memories::memory::cases::{self, leaf};
use samhw_streams::{Beat, Leaf, Nest, Primitive};
use samhw_testing::bench::{self, Memory, Stall};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    WIDTHS
        .map(|[crd_w, ref_in_w, ref_w, stop_w]| {
            item(ScannerGrowing { ref_in_w, ref_w, crd_w, stop_w, queue_log2: stop_w })
        })
        .into()
}

const SCANNER: ScannerGrowing =
    ScannerGrowing { ref_in_w: 8, ref_w: 8, crd_w: 16, stop_w: 3, queue_log2: ON_CHIP_QUEUE_LOG2 };

fn token() -> Vec<Beat> {
    vec![Beat::default()]
}

fn writes(crd: &[u64]) -> Vec<Beat> {
    crd.iter().enumerate().map(|(place, &c)| Beat::pair(0, place as u64, c)).collect()
}

/// The list of each reference.
fn scan(crd: &[u64], inputs: &[(Nest<Leaf>, u8)]) -> Vec<Beat> {
    let list = |l: &Leaf| {
        let all: &[u64] = if l.present { crd } else { &[] };
        Nest::List(all.iter().enumerate().map(|(place, &c)| leaf(c, place as u64)).collect())
    };
    cases::runs(&inputs.iter().map(|(x, d)| (cases::map(x, &list), d + 1)).collect::<Vec<_>>())
}

#[test]
fn gives_what_is_written_at_each_reference() {
    let mut rng = Rng::new(71);
    for p in [SCANNER, ScannerGrowing { ref_in_w: 5, ref_w: 5, crd_w: 4, stop_w: 3, queue_log2: 1 }] {
        for (n, latency) in [(0, 1), (1, 2), (2, 1), (3, 9), (9, 1), (9, 2)] {
            let crd: Vec<u64> = (0..n).map(|_| rng.below(1 << p.crd_w)).collect();
            let words = if crd.is_empty() { vec![0] } else { crd.clone() };
            let inputs: Vec<_> = (0..12).map(|k| (cases::random(&mut rng, k % 4, 1), k % 4)).collect();
            // The writer begins with the token, and has finished some time later.
            let writer = |response, latency, gives: Vec<Beat>| Memory {
                request: 2,
                response,
                latency,
                answer: Box::new(move |_| gives.clone()),
            };
            let around = || {
                let array = cases::burst_memory(0, 4, latency, &words);
                vec![array, writer(2, 3, writes(&crd)), writer(3, 60, token())]
            };
            let feeds = [cases::runs(&inputs), token(), vec![], vec![], vec![]];
            for got in check_rtl(&p, &[], &feeds, &around, &usual_stalls(n)) {
                assert_eq!(got.unwrap().beats(1), scan(&crd, &inputs), "{n} of {p:?}");
            }
        }
    }
}

#[test]
fn a_coordinate_leaves_when_the_next_one_is_written() {
    let (crd, mut model) = (vec![3, 4, 9], SCANNER.model(&[]));
    let mut run = |feeds: [Vec<Beat>; 4], cycles| {
        let [a, b, c, d] = feeds;
        let mut memory = [cases::burst_memory(0, 4, 1, &crd)];
        bench::run(&SCANNER.ports(), &mut *model, &[a, b, c, d, vec![]], &mut memory, Stall::NONE, cycles).unwrap()
    };
    let whole = writes(&crd);
    // Two runs on end.
    for _ in 0..2 {
        assert_eq!(run([vec![], token(), vec![], vec![]], 64).beats(2).len(), 1);
        let one = run([vec![Beat::data(0, 0)], vec![], whole[..1].to_vec(), vec![]], 64);
        assert!(one.beats(1).is_empty(), "nothing is known of the first");
        let two = run([vec![], vec![], whole[1..2].to_vec(), vec![]], 64);
        assert_eq!(two.beats(1), [Beat::pair(0, 3, 0)]);
        assert_eq!(two.outputs[1][0].0 - two.inputs[2][0], 3 + 1);
        assert_eq!(run([vec![], vec![], whole[2..].to_vec(), vec![]], 64).beats(1), [Beat::pair(0, 4, 1)]);
        let rest = run([vec![Beat::DONE], vec![], vec![], token()], 64);
        assert_eq!((rest.beats(1), rest.beats(3).len()), (vec![Beat::pair(1, 9, 2), Beat::DONE], 1));
    }
}

#[test]
fn a_coordinate_a_cycle() {
    let crd: Vec<u64> = (0..100).collect();
    let inputs = vec![(Nest::List(vec![cases::leaf(0, 0); 3]), 1)];
    let mut model = SCANNER.model(&[]);
    let ports = SCANNER.ports();
    let mut memory = [cases::burst_memory(0, 4, 1, &crd)];
    let feeds = [vec![], vec![], writes(&crd), token(), vec![]];
    bench::run(&ports, &mut *model, &feeds, &mut memory, Stall::NONE, 300).unwrap();
    let feeds = [cases::runs(&inputs), vec![], vec![], vec![], vec![]];
    let out = bench::run(&ports, &mut *model, &feeds, &mut memory, Stall::NONE, 600).unwrap();
    assert_eq!(out.beats(1), scan(&crd, &inputs));
    let beats = &out.outputs[1];
    assert_eq!(beats[beats.len() - 1].0 - beats[0].0, 300);
}

#[test]
fn both_refuse_a_stop_that_does_not_fit() {
    let feeds = [vec![Beat::data(7, 0)], vec![], writes(&[5]), token(), vec![]];
    let got = check_rtl(&SCANNER, &[], &feeds, &|| vec![cases::burst_memory(0, 4, 2, &[0])], &usual_stalls(1));
    assert!(got.iter().all(Result::is_err));
}
