//! What the vector reducer takes in cycles.

use super::{ReducerVector, reducer};
use crate::blocks::Fold;
use samhw_streams::Beat;
use samhw_testing::bench::{Stall, run_model};
use samhw_values::{Fun, Rng, Type};

/// Lists, each a list of fibers, as feeds of depth 3; `fiber(list, fiber)` gives coordinates.
fn feeds(lists: &[Vec<Vec<u64>>]) -> [Vec<Beat>; 2] {
    let mut crd = Vec::new();
    for (l, fibers) in lists.iter().enumerate() {
        for (f, crds) in fibers.iter().enumerate() {
            let height = u8::from(f + 1 == fibers.len()) * (1 + u8::from(l + 1 == lists.len())) + 1;
            let end = crds.len().saturating_sub(1);
            crd.extend(crds.iter().enumerate().map(|(k, &c)| Beat::data(if k == end { height } else { 0 }, c)));
            if crds.is_empty() {
                crd.push(Beat::nil(height, 1));
            }
        }
    }
    crd.push(Beat::DONE);
    [crd.clone(), crd]
}

/// Cycles from the first beat in to DONE out, and beats in.
fn cycles(p: &ReducerVector, lists: &[Vec<Vec<u64>>]) -> (u64, u64) {
    let feeds = feeds(lists);
    let got = run_model(p, &[], &feeds, &mut [], Stall::NONE).unwrap();
    let (first, last) = (got.inputs[0][0], got.outputs[0].last().unwrap().0);
    (last - first, feeds[0].len() as u64)
}

/// Asserts that beats go in one per cycle, and the last is out after the pipeline's latency
/// and the drain of a last list of `tail` coordinates.
fn full_rate(p: &ReducerVector, lists: &[Vec<Vec<u64>>], what: &str) {
    use samhw_streams::Primitive;
    let (took, beats) = cycles(p, lists);
    let tail = lists.last().map_or(0, |l| l.iter().flatten().collect::<std::collections::BTreeSet<_>>().len()) as u64;
    assert!(took <= beats - 1 + tail.max(1) + u64::from(p.latency()), "{what}: {beats} beats took {took} cycles");
}

#[test]
fn short_lists_pass_one_beat_a_cycle() {
    for crd_w in [4, 8, 12, 14, 17] {
        let p = reducer(Fold::Add, crd_w, false, 2);
        for n in [1, 2, 3, 5, 16] {
            let one_fiber: Vec<Vec<Vec<u64>>> = vec![vec![(0..n).collect()]; 200];
            full_rate(&p, &one_fiber, "lists of one fiber");
            let singles: Vec<Vec<Vec<u64>>> = vec![(0..n).rev().map(|c| vec![c]).collect(); 200];
            full_rate(&p, &singles, "lists of fibers of one");
            let same: Vec<Vec<Vec<u64>>> = vec![vec![vec![3]; n as usize]; 200];
            full_rate(&p, &same, "lists of one coordinate");
        }
        full_rate(&p, &vec![vec![vec![]]; 200], "empty lists");
        full_rate(&p, &vec![vec![vec![], vec![2], vec![]]; 200], "nearly empty lists");
    }
}

#[test]
fn any_pattern_of_bits_passes_one_beat_a_cycle() {
    for (crd_w, step) in
        [(8, 16), (8, 1), (8, 7), (12, 16), (12, 256), (12, 37), (14, 32), (14, 1023), (17, 32), (17, 1024), (17, 8191)]
    {
        let p = reducer(Fold::Add, crd_w, false, 2);
        let fiber: Vec<u64> = (0..1 << crd_w).step_by(step).collect();
        let lists = vec![vec![fiber]; if crd_w > 12 { 3 } else { 20 }];
        full_rate(&p, &lists, "one bit in so many");
    }
}

#[test]
fn overlapping_fibers_hide_the_drain() {
    let p = reducer(Fold::Add, 8, false, 2);
    let mut rng = Rng::new(3);
    let fiber = |rng: &mut Rng| (0..256).filter(|_| rng.happens(0.1)).collect::<Vec<u64>>();
    let lists: Vec<Vec<Vec<u64>>> = (0..50).map(|_| (0..8).map(|_| fiber(&mut rng)).collect()).collect();
    full_rate(&p, &lists, "eight fibers a list");
}

/// Lists of very different length, each coordinate in `fibers` fibers: cycles per beat. With
/// two banks the third list waits for the first to leave.
fn mixed(fibers: usize, banks: u32) -> f64 {
    let mut rng = Rng::new(9);
    let lengths: Vec<u64> = (0..400).map(|_| [1, 2, 5, 64][rng.below(4) as usize]).collect();
    let lists: Vec<Vec<Vec<u64>>> = lengths.into_iter().map(|n| vec![(0..n).collect(); fibers]).collect();
    let (took, beats) = cycles(&reducer(Fold::Add, 8, false, banks), &lists);
    println!("{fibers} fibers a list, {banks} banks: {took} cycles for {beats} beats");
    took as f64 / beats as f64
}

#[test]
fn more_banks_absorb_mixed_lengths() {
    assert!(mixed(1, 2) < 1.7);
    assert!(mixed(1, 4) < 1.4);
    assert!(mixed(1, 8) < 1.15);
    assert!(mixed(2, 2) < 1.35);
    assert!(mixed(2, 4) < 1.2);
}

/// A row of the square of a five-point stencil: most coordinates return after four beats, before the sum of floats
/// that they meet is done.
#[test]
fn values_that_return_too_early_let_others_pass() {
    let stencil = |x: u64| [x - 16, x - 1, x, x + 1, x + 16];
    let lists: Vec<Vec<Vec<u64>>> = (40..90).map(|row| stencil(row).map(|k| stencil(k).to_vec()).to_vec()).collect();
    let sum = Fold::of(Fun::Add, Type::Float { exp: 8, man: 23 }).unwrap();
    assert!(sum.interval().1 > 4, "the sum is done too soon");
    let (took, beats) = cycles(&ReducerVector { val_w: 32, ..reducer(sum, 8, false, 4) }, &lists);
    println!("{took} cycles for {beats} beats");
    assert!(took as f64 / (beats as f64) < 1.15);
}
