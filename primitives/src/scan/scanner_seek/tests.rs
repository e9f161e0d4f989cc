//! The scanner that seeks against its meaning and its Verilog.

use super::ScannerSeek;
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::memories::memory::ON_CHIP_QUEUE_LOG2;
use crate::memories::memory::cases::{self, leaf};
use crate::scan::scanner_compressed::ScannerCompressed;
use samhw_streams::{Beat, Kind, Leaf, Nest, Primitive};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, ref_in_w, ref_w, stop_w] in WIDTHS {
        for (lo, hi) in [(0, 1), (1, 1u64 << crd_w), (1, 1)] {
            let (queue_log2, long, near) = (stop_w, 2, 1);
            all.push(item(ScannerSeek { ref_in_w, ref_w, crd_w, stop_w, queue_log2, lo, hi, long, near }));
        }
    }
    all
}

const SEEK: ScannerSeek = ScannerSeek {
    ref_in_w: 8,
    ref_w: 14,
    crd_w: 10,
    stop_w: 3,
    queue_log2: ON_CHIP_QUEUE_LOG2,
    lo: 300,
    hi: 420,
    long: 16,
    near: 4,
};

/// A compressed level whose coordinates are below 1000.
struct Level {
    seg: Vec<u64>,
    crd: Vec<u64>,
}

impl Level {
    fn new(rng: &mut Rng, lens: &[u64]) -> Self {
        let mut level = Self { seg: vec![0], crd: Vec::new() };
        for &n in lens {
            let step = 1000 / n.max(1);
            level.crd.extend((0..n).map(|k| k * step + rng.below(step)));
            level.seg.push(level.crd.len() as u64);
        }
        level
    }
    fn memories(&self, latency: u64) -> Vec<samhw_testing::bench::Memory<'_>> {
        vec![cases::pair_memory(0, 1, latency, &self.seg), cases::burst_memory(1, 2, latency, &self.crd)]
    }
}

/// What a scanner gave: per list its entries inside of the part, and how many others.
fn lists(p: &ScannerSeek, out: &[Beat]) -> Vec<(Vec<[u64; 2]>, u64)> {
    let mut all = vec![(Vec::new(), 0)];
    for b in out {
        let list = all.last_mut().unwrap();
        match b.kind {
            Kind::Data if (p.lo..p.hi).contains(&b.p[0]) => list.0.push(b.p),
            Kind::Data => list.1 += 1,
            _ => {}
        }
        if b.stop > 0 || !b.is_leaf() {
            all.push((Vec::new(), 0));
        }
    }
    all
}

fn lens(rng: &mut Rng, n: usize, of: &[u64]) -> Vec<u64> {
    (0..n).map(|_| of[rng.below(of.len() as u64) as usize]).collect()
}

#[test]
fn what_is_inside_comes_and_hardly_anything_else() {
    let mut rng = Rng::new(5);
    let lens = lens(&mut rng, 40, &[0, 1, 5, 16, 17, 18, 40, 300, 900]);
    let level = Level::new(&mut rng, &lens);
    let inputs: Vec<(Nest<Leaf>, u8)> = (0..60).map(|k| (cases::random(&mut rng, k % 4, 40), k % 4)).collect();
    for p in [SEEK, ScannerSeek { lo: 0, hi: 100, ..SEEK }, ScannerSeek { lo: 900, hi: 1024, ..SEEK }] {
        let feeds = [cases::runs(&inputs), vec![], vec![]];
        let ScannerSeek { ref_in_w, ref_w, crd_w, stop_w, queue_log2, .. } = p;
        let whole = ScannerCompressed { ref_in_w, ref_w, crd_w, stop_w, queue_log2, back: false, exit: None };
        let all = run_model(&whole, &[], &feeds, &mut level.memories(1), Stall::NONE).unwrap();
        let want = lists(&p, &all.beats(2));
        for latency in [2, 7] {
            let stalls = usual_stalls(latency);
            let outcomes = if p == SEEK {
                check_rtl(&p, &[], &feeds, &|| level.memories(latency), &stalls)
            } else {
                vec![run_model(&p, &[], &feeds, &mut level.memories(latency), Stall::NONE)]
            };
            for got in outcomes {
                let got = lists(&p, &got.unwrap().beats(2));
                assert_eq!(got.len(), want.len());
                for (g, w) in got.iter().zip(&want) {
                    assert_eq!(g.0, w.0);
                    let most = if w.0.len() as u64 + w.1 > u64::from(p.long) { 2 * u64::from(p.near) } else { w.1 };
                    assert!(g.1 <= most, "{g:?} {w:?}");
                }
            }
        }
    }
}

#[test]
fn short_fibers_cost_what_they_cost_without() {
    let mut rng = Rng::new(6);
    let lens = lens(&mut rng, 100, &[0, 1, 2, 5, 16]);
    let level = Level::new(&mut rng, &lens);
    let feed = cases::runs([&(Nest::List((0..100).map(|r| leaf(r, 0)).collect()), 1)]);
    let out = run_model(&SEEK, &[], &[feed, vec![], vec![]], &mut level.memories(1), Stall::NONE).unwrap();
    cases::assert_no_bubble(&out.outputs[2], out.outputs[2][0].0 as u32);
    let beats: u64 = lens.iter().map(|n| (*n).max(1)).sum();
    assert_eq!(out.outputs[2].len() as u64, beats + 1);
    assert!(SEEK.latency() == 7);
}

#[test]
fn a_long_fiber_costs_its_part_and_two_searches() {
    let level = Level { seg: vec![0, 1000], crd: (0..1000).collect() };
    let feed = cases::runs([&(leaf(0, 0), 0)]);
    let out = run_model(&SEEK, &[], &[feed, vec![], vec![]], &mut level.memories(1), Stall::NONE).unwrap();
    let cycles = out.outputs[2].last().unwrap().0 - out.inputs[0][0];
    assert!((120..120 + 8 + 2 * 8 * 6 + 20).contains(&cycles), "{cycles}");
}
