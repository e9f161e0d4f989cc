//! The bitvector scanner against its meaning, its Verilog against its model.

use super::ScannerBits;
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::memories::memory::ON_CHIP_QUEUE_LOG2;
use crate::memories::memory::cases::{self, leaf};
use crate::scan::scanner_compressed::Exit;
use samhw_streams::{Beat, Kind, Nest, Word};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_testing::words::random_word;
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, ref_in_w, ref_w, stop_w] in WIDTHS {
        let queue_log2 = stop_w;
        for width in [8, 64, 256] {
            for exit in [None, Some(Exit { tag_w: 12, hint_w: crd_w, part_log2: 1 })] {
                all.push(item(ScannerBits { ref_in_w, addr_w: ref_w, ref_w, crd_w, stop_w, width, queue_log2, exit }));
            }
        }
    }
    all
}

fn scanner(width: u32) -> ScannerBits {
    let queue_log2 = ON_CHIP_QUEUE_LOG2;
    ScannerBits { ref_in_w: 8, addr_w: 12, ref_w: 16, crd_w: 10, stop_w: 3, width, queue_log2, exit: None }
}

#[test]
fn gives_the_words_of_each_fiber() {
    let mut rng = Rng::new(1);
    for (width, dim) in [(8, 100), (64, 1000), (32, 32), (16, 1), (64, 0), (128, 1000), (256, 700), (256, 1)] {
        let count = u64::from(dim as u32).div_ceil(u64::from(width));
        let fibers = 20;
        let words: Vec<Word> = (0..fibers * count).map(|_| random_word(&mut rng, width)).collect();
        let ranks: Vec<u64> = (0..fibers * count).map(|_| rng.below(1 << 16)).collect();
        let inputs: Vec<_> = (0..60u8).map(|k| (cases::random(&mut rng, k % 3, fibers), k % 3)).collect();
        let scan = |x: &Nest<_>| {
            cases::map(x, &|l: &samhw_streams::Leaf| {
                // Numbers of words; beyond the last one for words of zeros.
                let word = |w: u64| {
                    let at = (l.p[0] * count + w) as usize;
                    if l.present { leaf(at as u64, ranks[at]) } else { leaf(words.len() as u64, 0) }
                };
                Nest::List((0..count).map(word).collect())
            })
        };
        let mut expected: Vec<Beat> = cases::runs(&inputs.iter().map(|(x, d)| (scan(x), d + 1)).collect::<Vec<_>>());
        for b in expected.iter_mut().filter(|b| b.is_leaf()) {
            b.p[0] = words.get(b.p[0] as usize).copied().unwrap_or_default().payload(width);
        }
        let feeds = [cases::runs(&inputs), vec![], vec![]];
        for latency in [2, 9] {
            let memories =
                || vec![cases::word_memory(0, 1, latency, (&words, width)), cases::burst_memory(1, 2, latency, &ranks)];
            // The product in one step, and in several.
            let wide = ScannerBits { ref_in_w: 20, addr_w: 24, ..scanner(width) };
            for p in [scanner(width), wide] {
                for got in check_rtl(&p, &[dim], &feeds, &memories, &usual_stalls(latency)) {
                    assert_eq!(got.unwrap().beats(2), expected);
                }
            }
        }
    }
}

#[test]
fn refuses_a_stop_that_does_not_fit() {
    let feeds = [vec![Beat::data(7, 1)], vec![], vec![]];
    let got = check_rtl(&scanner(8), &[8], &feeds, &Vec::new, &usual_stalls(1));
    assert!(got.iter().all(Result::is_err));
}

#[test]
fn hints_end_the_fiber_at_hand() {
    let (mut rng, width, dim, fibers) = (Rng::new(2), 16, 300u64, 20u64);
    let count = dim.div_ceil(u64::from(width));
    let words: Vec<Word> = (0..fibers * count).map(|_| random_word(&mut rng, width)).collect();
    let ranks: Vec<u64> = (0..fibers * count).map(|_| rng.below(1 << 16)).collect();
    let mut refs: Vec<Beat> = (0..60).map(|k| Beat::data(u8::from(k % 7 == 6), rng.below(fibers))).collect();
    refs.extend([Beat::empty(0), Beat::nil(1, 1), Beat::DONE]);
    // Of some fibers nothing is said, and much is said of fibers that are not at hand.
    let hints = (0..2_000).map(|k| Beat::pair(0, (u64::from(k / 8 % 5 == 0) << 3) | (k % 8), 0)).collect();
    let feeds = [refs.clone(), vec![], vec![], hints];
    for (part_log2, latency) in [(0, 2), (2, 9)] {
        let memories =
            || vec![cases::word_memory(0, 1, latency, (&words, width)), cases::burst_memory(1, 2, latency, &ranks)];
        let p = ScannerBits { exit: Some(Exit { tag_w: 3, hint_w: 10, part_log2 }), ..scanner(width) };
        for got in check_rtl(&p, &[dim], &feeds, &memories, &usual_stalls(latency)) {
            let got = got.unwrap().beats(2);
            let lists: Vec<&[Beat]> = got.split_inclusive(|b| b.stop > 0).collect();
            assert_eq!(lists.len(), refs.len());
            for (r, list) in refs.iter().zip(&lists).filter(|(r, _)| r.kind == Kind::Data) {
                let first = (r.p[0] * count) as usize;
                let right = |(k, b): (usize, &Beat)| {
                    let stop = if k + 1 == list.len() { r.stop + 1 } else { 0 };
                    *b == Beat::new(Kind::Data, stop, [words[first + k].payload(width), ranks[first + k]])
                };
                assert!(list.len() as u64 <= count && list.iter().enumerate().all(right), "{r:?} {list:?}");
            }
            assert_eq!(got[got.len() - 3..], [Beat::nil(1, 1), Beat::nil(2, 2), Beat::DONE]);
            assert!(got.len() < 50 * count as usize, "few fibers were cut: {} words", got.len());
        }
    }
}
