//! The wide scanner against its meaning, its Verilog against its model, and its cycles.

use super::{Group, ScannerWide};
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::memories::memory::cases::{self, OnChip, leaf};
use crate::memories::memory::{Memory, ON_CHIP_QUEUE_LOG2, Read};
use crate::memories::memory_wide::MemoryWide;
use samhw_streams::{Beat, Leaf, Nest, Primitive};
use samhw_testing::bench::Memory as BenchMemory;
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, ref_in_w, ref_w, stop_w] in WIDTHS {
        for wide_log2 in [1, 2] {
            let group = Group { crd_w: crd_w.min(16), wide_log2 };
            all.push(item(ScannerWide { ref_in_w, ref_w, stop_w, queue_log2: stop_w, group }));
        }
    }
    all
}

fn scanner(crd_w: u32, wide_log2: u32) -> ScannerWide {
    let group = Group { crd_w, wide_log2 };
    ScannerWide { ref_in_w: 16, ref_w: 16, stop_w: 3, queue_log2: ON_CHIP_QUEUE_LOG2, group }
}

/// A compressed level.
struct Level {
    seg: Vec<u64>,
    crd: Vec<u64>,
}

impl Level {
    /// Fibers of these lengths.
    fn new(rng: &mut Rng, lens: &[u64], crd_w: u32) -> Self {
        let mut level = Self { seg: vec![0], crd: Vec::new() };
        for &n in lens {
            let step = (1 << crd_w) / n.max(1);
            level.crd.extend((0..n).map(|k| k * step + rng.below(step)));
            level.seg.push(level.crd.len() as u64);
        }
        level
    }
    fn scan(&self, group: Group, x: &Nest<Leaf>) -> Nest<Leaf> {
        cases::map(x, &|l| {
            let r = l.p[0] as usize;
            let fiber = if l.present { self.seg[r] as usize..self.seg[r + 1] as usize } else { 0..0 };
            let chunks = self.crd[fiber.clone()].chunks(group.wide());
            let first = |n: usize| (fiber.start + n * group.wide()) as u64;
            let leaves = chunks.enumerate().map(|(n, c)| leaf(first(n), group.pack(0, c, first(n)).p[1]));
            Nest::List(leaves.collect())
        })
    }
    fn scan_all(&self, group: Group, inputs: &[(Nest<Leaf>, u8)]) -> Vec<Beat> {
        let outputs: Vec<_> = inputs.iter().map(|(x, d)| (self.scan(group, x), d + 1)).collect();
        let mut beats = cases::runs(&outputs);
        for b in beats.iter_mut().filter(|b| b.is_leaf()) {
            let (at, count) = (b.p[0] as usize, b.p[1] as usize % group.wide() + 1);
            b.p[0] = group.pack(0, &self.crd[at..at + count], 0).p[0];
        }
        beats
    }
    /// The words with those that may be read beyond the last.
    fn words(&self, group: Group) -> Vec<u64> {
        self.crd.iter().copied().chain(vec![0; group.wide() - 1]).collect()
    }
    fn memories<'a>(&'a self, p: &ScannerWide, words: &'a [u64], latency: u64) -> Vec<BenchMemory<'a>> {
        let (half, crd_w) = (p.group.wide() / 2, p.group.crd_w);
        let pack = move |w: &[u64]| w.iter().rev().fold(0, |all, x| all << crd_w | x);
        let answer = Box::new(move |r: Beat| {
            let at = r.p[0] as usize;
            vec![Beat::pair(0, pack(&words[at..at + half]), pack(&words[at + half..at + 2 * half]))]
        });
        vec![cases::pair_memory(0, 1, latency, &self.seg), BenchMemory { request: 1, response: 2, latency, answer }]
    }
}

fn lens(rng: &mut Rng, n: usize, of: &[u64]) -> Vec<u64> {
    (0..n).map(|_| of[rng.below(of.len() as u64) as usize]).collect()
}

fn inputs(rng: &mut Rng, n: u8, refs: u64) -> Vec<(Nest<Leaf>, u8)> {
    (0..n).map(|k| (cases::random(rng, k % 4, refs), k % 4)).collect()
}

#[test]
fn gives_each_fiber_in_groups() {
    let mut rng = Rng::new(1);
    for p in [
        scanner(16, 1),
        scanner(16, 2),
        scanner(32, 1),
        scanner(32, 2),
        ScannerWide { ref_in_w: 5, ref_w: 8, ..scanner(6, 2) },
    ] {
        let lens = lens(&mut rng, 30, &[0, 0, 1, 1, 2, 3, 4, 5, 20]);
        let level = Level::new(&mut rng, &lens, p.group.crd_w);
        let inputs = inputs(&mut rng, 200, 30);
        let (feeds, words) = ([cases::runs(&inputs), vec![], vec![]], level.words(p.group));
        for latency in [1, 2, 30] {
            let memories = || level.memories(&p, &words, latency);
            for got in check_rtl(&p, &[], &feeds, &memories, &usual_stalls(latency)) {
                assert_eq!(got.unwrap().beats(2), level.scan_all(p.group, &inputs), "{p:?}");
            }
        }
    }
}

#[test]
fn a_group_a_cycle_from_on_chip_memories_wherever_fibers_begin() {
    let mut rng = Rng::new(3);
    for of in [&[0][..], &[1], &[2], &[5], &[64], &[0, 1], &[0, 64], &[0, 0, 0, 1, 2, 5, 64]] {
        for p in [scanner(16, 1), scanner(16, 2)] {
            let mut lens = lens(&mut rng, 200, of);
            // What comes first fills the pipeline; an empty fiber would be out sooner than others.
            lens[0] = of[of.len() - 1];
            let level = Level::new(&mut rng, &lens, 16);
            let row = |k: u64| Nest::List((10 * k..10 * k + 10).map(|r| leaf(r, 0)).collect());
            let x = Nest::List((0..20).map(row).collect());
            let inputs = vec![(x.clone(), 2), (x, 2)];
            let seg = Memory { addr_w: 16, data_w: 16, words: level.seg.len() as u32, read: Read::Pair, write: false };
            let seg = OnChip { request: 0, response: 1, memory: Box::new(seg), words: level.seg.clone() };
            let words = level.words(p.group);
            let crd = MemoryWide { addr_w: 17, data_w: 16, words: words.len() as u32, wide_log2: p.group.wide_log2 };
            let crd = OnChip { request: 1, response: 2, memory: Box::new(crd), words };
            let out = cases::run_on_chip(&p, &cases::runs(&inputs), &[seg, crd]).unwrap();
            let cycles: u64 = lens.iter().map(|n| n.div_ceil(p.group.wide() as u64).max(1)).sum();
            assert_eq!(out.len() as u64, 2 * (cycles + 1), "lengths {of:?}");
            let empty_only = if of == [0] { 2 } else { 0 };
            cases::assert_no_bubble(&out, p.latency() - empty_only);
            assert_eq!(out.iter().map(|o| o.1).collect::<Vec<_>>(), level.scan_all(p.group, &inputs));
        }
    }
}

#[test]
fn both_refuse_malformed_input() {
    let (p, level) = (scanner(16, 1), Level { seg: vec![5, 3, 4], crd: vec![0; 8] });
    let backwards = [vec![Beat::data(0, 0)], vec![], vec![]];
    let too_deep = [vec![Beat::data(7, 1)], vec![], vec![]];
    let words = level.words(p.group);
    for feeds in [backwards, too_deep] {
        let got = check_rtl(&p, &[], &feeds, &|| level.memories(&p, &words, 2), &usual_stalls(1));
        assert!(got.iter().all(Result::is_err));
    }
}
