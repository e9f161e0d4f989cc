//! The bitvector scanner against its meaning, its Verilog against its model.

use super::ScannerBits;
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::memories::memory::ON_CHIP_QUEUE_LOG2;
use crate::memories::memory::cases::{self, leaf};
use samhw_streams::{Beat, Nest, Word};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_testing::words::random_word;
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, ref_in_w, ref_w, stop_w] in WIDTHS {
        let queue_log2 = stop_w;
        for width in [8, 64, 256] {
            all.push(item(ScannerBits { ref_in_w, addr_w: ref_w, ref_w, crd_w, stop_w, width, queue_log2 }));
        }
    }
    all
}

fn scanner(width: u32) -> ScannerBits {
    ScannerBits { ref_in_w: 8, addr_w: 12, ref_w: 16, crd_w: 10, stop_w: 3, width, queue_log2: ON_CHIP_QUEUE_LOG2 }
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
