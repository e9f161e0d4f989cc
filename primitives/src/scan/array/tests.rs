//! The array against its meaning, its Verilog against its model.

use super::Array;
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::memories::memory::cases::{self, OnChip, absent, leaf};
use crate::memories::memory::{Memory, ON_CHIP_QUEUE_LOG2, Read};
use samhw_streams::{Beat, Leaf, Nest, Primitive};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::rtl::{check_rtl, field, usual_stalls};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [_, ref_in_w, ref_w, stop_w] in WIDTHS {
        for val_w in [stop_w, ref_w] {
            all.push(item(Array { ref_w: ref_in_w, val_w, stop_w, queue_log2: stop_w }));
        }
    }
    all
}

const ARRAY: Array = Array { ref_w: 16, val_w: 16, stop_w: 3, queue_log2: ON_CHIP_QUEUE_LOG2 };

/// `array_load` of the spec.
fn load(x: &Nest<Leaf>, words: &[u64]) -> Nest<Leaf> {
    cases::map(x, &|l| if l.present { leaf(words[l.p[0] as usize], 0) } else { absent() })
}

fn words(rng: &mut Rng, n: usize) -> Vec<u64> {
    (0..n).map(|_| rng.below(1 << 16)).collect()
}

#[test]
fn loads_as_the_spec_says() {
    let mut rng = Rng::new(1);
    let words = words(&mut rng, 20);
    let inputs: Vec<_> = (0..200).map(|k| (cases::random(&mut rng, k % 4, 20), k % 4)).collect();
    let outputs: Vec<_> = inputs.iter().map(|(x, d)| (load(x, &words), *d)).collect();
    for latency in [1, 2, 5, 30] {
        let memories = || vec![cases::burst_memory(0, 1, latency, &words)];
        for got in check_rtl(&ARRAY, &[], &[cases::runs(&inputs), vec![]], &memories, &usual_stalls(latency)) {
            assert_eq!(got.unwrap().beats(1), cases::runs(&outputs));
        }
    }
}

#[test]
fn passes_the_vectors() {
    let Some(vectors) = cases::vectors("array_load", &["val"]) else { return };
    assert!(vectors.len() > 50);
    // The arrays of all cases lie one after the other, and so do the runs.
    let (mut words, mut inputs, mut expected) = (Vec::new(), Vec::new(), Vec::new());
    for c in &vectors {
        inputs.push((cases::shift(&c.input, words.len() as u64), c.depth));
        words.extend(cases::numbers(&c.params["memory"]).iter().map(|&w| field(w, 16)));
        expected.extend(c.outputs[0].clone());
    }
    let memories = || vec![cases::burst_memory(0, 1, 1, &words)];
    for got in check_rtl(&ARRAY, &[], &[cases::runs(&inputs), vec![]], &memories, &usual_stalls(1)) {
        assert_eq!(got.unwrap().beats(1), expected);
    }
}

#[test]
fn one_beat_per_cycle_from_an_on_chip_memory() {
    let mut rng = Rng::new(2);
    let words = words(&mut rng, 64);
    let mut inputs: Vec<_> = (0..100).map(|k| (cases::random(&mut rng, k % 4, 64), k % 4)).collect();
    // What comes first fills the pipeline; an EMPTY would be out sooner than a load.
    inputs[0] = (leaf(0, 0), 0);
    let memory = Memory { addr_w: 16, data_w: 16, words: 64, read: Read::Single, write: false };
    let feed = cases::runs(&inputs);
    let memory = OnChip { request: 0, response: 1, memory: Box::new(memory), words };
    let out = cases::run_on_chip(&ARRAY, &feed, &[memory]).unwrap();
    assert_eq!(out.len(), feed.len());
    cases::assert_no_bubble(&out, ARRAY.latency());
}

/// Cycles from the first to the last value of 100 loads.
fn span(queue_log2: u32, latency: u64) -> u64 {
    let words: Vec<u64> = (0..100).collect();
    let feed: Vec<Beat> = words.iter().map(|&w| Beat::data(0, w)).collect();
    let p = Array { queue_log2, ..ARRAY };
    let mut memories = [cases::burst_memory(0, 1, latency, &words)];
    let out = run_model(&p, &[], &[feed, vec![]], &mut memories, Stall::NONE).unwrap();
    assert_eq!(out.outputs[1].len(), 100);
    out.outputs[1][99].0 - out.outputs[1][0].0
}

#[test]
fn the_queue_covers_the_latency_it_claims() {
    for log2 in [3, 4, 5] {
        assert_eq!(span(log2, (1 << log2) - 2), 99);
        assert!(span(log2, (1 << log2) - 1) > 99);
    }
}

#[test]
fn small_and_wide_configurations_agree_too() {
    let mut rng = Rng::new(3);
    let inputs: Vec<_> = (0..60).map(|k| (cases::random(&mut rng, k % 3, 8), k % 3)).collect();
    for p in [
        Array { ref_w: 3, val_w: 2, stop_w: 2, queue_log2: 1 },
        Array { ref_w: 20, val_w: 64, stop_w: 3, queue_log2: 4 },
    ] {
        let words: Vec<u64> = (0..8).map(|_| rng.bits() >> (64 - p.val_w)).collect();
        let outputs: Vec<_> = inputs.iter().map(|(x, d)| (load(x, &words), *d)).collect();
        let memories = || vec![cases::burst_memory(0, 1, 1, &words)];
        for got in check_rtl(&p, &[], &[cases::runs(&inputs), vec![]], &memories, &usual_stalls(4)) {
            assert_eq!(got.unwrap().beats(1), cases::runs(&outputs));
        }
    }
}
