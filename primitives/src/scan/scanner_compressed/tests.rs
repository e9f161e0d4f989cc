//! The compressed scanner against its meaning, its Verilog against its model.

use super::{Exit, ScannerCompressed};
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::memories::memory::cases::{self, OnChip, leaf};
use crate::memories::memory::{Memory, ON_CHIP_QUEUE_LOG2, Read};
use samhw_streams::{Beat, Leaf, Nest, Primitive};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let form = |[crd_w, ref_in_w, ref_w, stop_w]: [u32; 4], back| {
        item(ScannerCompressed { ref_in_w, ref_w, crd_w, stop_w, queue_log2: stop_w, back, exit: None })
    };
    let told = |[crd_w, ref_in_w, ref_w, stop_w]: [u32; 4], part_log2| {
        let exit = Some(Exit { tag_w: 12, hint_w: crd_w, part_log2 });
        item(ScannerCompressed { ref_in_w, ref_w, crd_w, stop_w, queue_log2: stop_w, back: false, exit })
    };
    let whole = WIDTHS.into_iter().flat_map(|widths| [false, true].map(|back| form(widths, back)));
    whole.chain(WIDTHS.into_iter().flat_map(|widths| [0, 1].map(|part_log2| told(widths, part_log2)))).collect()
}

const SCANNER: ScannerCompressed = ScannerCompressed {
    ref_in_w: 16,
    ref_w: 16,
    crd_w: 16,
    stop_w: 3,
    queue_log2: ON_CHIP_QUEUE_LOG2,
    back: false,
    exit: None,
};

/// A compressed level.
#[derive(Default)]
struct Level {
    seg: Vec<u64>,
    crd: Vec<u64>,
}

impl Level {
    /// Fibers of these lengths, coordinates below 2**crd_w.
    fn new(rng: &mut Rng, lens: &[u64], crd_w: u32) -> Self {
        let mut level = Self { seg: vec![0], crd: Vec::new() };
        for &n in lens {
            let step = (1 << crd_w) / n.max(1);
            level.crd.extend((0..n).map(|k| k * step + rng.below(step)));
            level.seg.push(level.crd.len() as u64);
        }
        level
    }
    /// `level_scanner` of the spec; `back`: from the end of each fiber.
    fn scan(&self, x: &Nest<Leaf>, back: bool) -> Nest<Leaf> {
        cases::map(x, &|l| {
            let r = l.p[0] as usize;
            let fiber = if l.present { self.seg[r]..self.seg[r + 1] } else { 0..0 };
            let leaves = fiber.map(|p| leaf(self.crd[p as usize], p));
            Nest::List(if back { leaves.rev().collect() } else { leaves.collect() })
        })
    }
    /// All runs scanned.
    fn scan_all(&self, inputs: &[(Nest<Leaf>, u8)], back: bool) -> Vec<Beat> {
        let outputs: Vec<_> = inputs.iter().map(|(x, d)| (self.scan(x, back), d + 1)).collect();
        cases::runs(&outputs)
    }
    fn memories(&self, latency: u64) -> Vec<samhw_testing::bench::Memory<'_>> {
        vec![cases::pair_memory(0, 1, latency, &self.seg), cases::burst_memory(1, 2, latency, &self.crd)]
    }
    fn on_chip(&self, ref_in_w: u32, p: &ScannerCompressed) -> Vec<OnChip> {
        let memory = |addr_w, data_w, words: &[u64], read| {
            let memory = Memory { addr_w, data_w, words: words.len() as u32, read, write: false };
            (memory, words.to_vec())
        };
        let (seg, seg_words) = memory(ref_in_w, p.ref_w, &self.seg, Read::Pair);
        let (crd, crd_words) = memory(p.ref_w, p.crd_w, &self.crd, Read::Burst);
        vec![
            OnChip { request: 0, response: 1, memory: Box::new(seg), words: seg_words },
            OnChip { request: 1, response: 2, memory: Box::new(crd), words: crd_words },
        ]
    }
}

fn lens(rng: &mut Rng, n: usize, of: &[u64]) -> Vec<u64> {
    (0..n).map(|_| of[rng.below(of.len() as u64) as usize]).collect()
}

fn inputs(rng: &mut Rng, n: u8, refs: u64) -> Vec<(Nest<Leaf>, u8)> {
    (0..n).map(|k| (cases::random(rng, k % 4, refs), k % 4)).collect()
}

fn check(p: &ScannerCompressed, level: &Level, inputs: &[(Nest<Leaf>, u8)], latency: u64) {
    let feeds = [cases::runs(inputs), vec![], vec![]];
    for got in check_rtl(p, &[], &feeds, &|| level.memories(latency), &usual_stalls(latency)) {
        assert_eq!(got.unwrap().beats(2), level.scan_all(inputs, p.back));
    }
}

#[test]
fn scans_as_the_spec_says() {
    let mut rng = Rng::new(1);
    let lens = lens(&mut rng, 30, &[0, 0, 1, 1, 2, 5, 20]);
    let level = Level::new(&mut rng, &lens, 16);
    let inputs = inputs(&mut rng, 200, 30);
    for latency in [1, 2, 5, 30] {
        for back in [false, true] {
            check(&ScannerCompressed { back, ..SCANNER }, &level, &inputs, latency);
        }
    }
}

#[test]
fn small_and_wide_configurations_agree_too() {
    let mut rng = Rng::new(2);
    for p in [
        ScannerCompressed { ref_in_w: 3, ref_w: 5, crd_w: 3, stop_w: 3, queue_log2: 1, back: false, exit: None },
        ScannerCompressed { ref_in_w: 9, ref_w: 20, crd_w: 32, stop_w: 4, queue_log2: 4, back: false, exit: None },
    ] {
        let lens = lens(&mut rng, 8, &[0, 1, 2, 4]);
        let level = Level::new(&mut rng, &lens, p.crd_w);
        let inputs = inputs(&mut rng, 60, 8);
        check(&p, &level, &inputs, 2);
    }
}

#[test]
fn passes_the_vectors() {
    let Some(vectors) = cases::vectors("level_scanner", &["crd", "ref"]) else { return };
    // The levels of all cases lie one after the other, and so do the runs.
    let (mut all, mut inputs, mut expected) = (Level::default(), Vec::new(), Vec::new());
    for c in vectors.iter().filter(|c| {
        let level = &c.params["level"];
        level["kind"] == "compressed" && level.get("slice").is_none()
    }) {
        let base = all.crd.len() as u64;
        inputs.push((cases::shift(&c.input, all.seg.len() as u64), c.depth));
        all.seg.extend(cases::numbers(&c.params["level"]["seg"]).iter().map(|&s| s as u64 + base));
        all.crd.extend(cases::numbers(&c.params["level"]["crd"]).iter().map(|&x| x as u64));
        let moved = |b: Beat| if b.is_leaf() { Beat { p: [b.p[0], b.p[1] + base], ..b } } else { b };
        expected.extend(cases::bundle(&c.outputs[0], &c.outputs[1]).into_iter().map(moved));
    }
    assert!(inputs.len() > 10);
    let feeds = [cases::runs(&inputs), vec![], vec![]];
    for got in check_rtl(&SCANNER, &[], &feeds, &|| all.memories(2), &usual_stalls(1)) {
        assert_eq!(got.unwrap().beats(2), expected);
    }
}

#[test]
fn a_fiber_of_n_takes_max_1_n_cycles_from_on_chip_memories() {
    let mut rng = Rng::new(3);
    for of in [&[0][..], &[1], &[2], &[5], &[64], &[0, 1], &[0, 64], &[0, 0, 0, 1, 2, 5, 64]] {
        let mut lens = lens(&mut rng, 200, of);
        // What comes first fills the pipeline; an empty fiber would be out sooner than others.
        lens[0] = of[of.len() - 1];
        let level = Level::new(&mut rng, &lens, 16);
        let row = |k: u64| Nest::List((10 * k..10 * k + 10).map(|r| leaf(r, 0)).collect());
        let x = Nest::List((0..20).map(row).collect());
        // Three runs back to back.
        let inputs = vec![(x.clone(), 2), (x.clone(), 2), (x, 2)];
        for back in [false, true] {
            let scanner = ScannerCompressed { back, ..SCANNER };
            let out = cases::run_on_chip(&scanner, &cases::runs(&inputs), &level.on_chip(16, &SCANNER)).unwrap();
            let cycles: u64 = lens.iter().map(|&n| n.max(1)).sum();
            assert_eq!(out.len() as u64, 3 * (cycles + 1), "lengths {of:?}");
            let empty_only = if of == [0] { 2 } else { 0 };
            cases::assert_no_bubble(&out, SCANNER.latency() - empty_only);
            assert_eq!(out.iter().map(|o| o.1).collect::<Vec<_>>(), level.scan_all(&inputs, back));
        }
    }
}

#[test]
fn random_nests_pass_without_bubbles() {
    let mut rng = Rng::new(4);
    let mut lens = lens(&mut rng, 30, &[0, 0, 1, 1, 2, 5, 20]);
    lens[0] = 1;
    let level = Level::new(&mut rng, &lens, 16);
    let mut inputs = inputs(&mut rng, 200, 30);
    inputs[0] = (leaf(0, 0), 0);
    for back in [false, true] {
        let scanner = ScannerCompressed { back, ..SCANNER };
        let out = cases::run_on_chip(&scanner, &cases::runs(&inputs), &level.on_chip(16, &SCANNER)).unwrap();
        assert_eq!(out.len(), level.scan_all(&inputs, back).len());
        cases::assert_no_bubble(&out, SCANNER.latency());
    }
}

/// Cycles from the first to the last of 100 fibers of one coordinate.
fn span(queue_log2: u32, latency: u64) -> u64 {
    let level = Level::new(&mut Rng::new(5), &[1; 100], 16);
    let feed = (0..100).map(|r| Beat::data(0, r)).collect();
    let p = ScannerCompressed { queue_log2, ..SCANNER };
    let out = run_model(&p, &[], &[feed, vec![], vec![]], &mut level.memories(latency), Stall::NONE).unwrap();
    assert_eq!(out.outputs[2].len(), 100);
    out.outputs[2][99].0 - out.outputs[2][0].0
}

#[test]
fn the_queues_cover_the_latency_they_claim() {
    for log2 in [3, 4, 5] {
        assert_eq!(span(log2, (1 << log2) - 3), 99);
        assert!(span(log2, (1 << log2) - 2) > 99);
    }
}

#[test]
fn both_refuse_malformed_input() {
    let level = Level { seg: vec![5, 3, 4], crd: vec![0; 8] };
    let backwards = [vec![Beat::data(0, 0)], vec![], vec![]];
    let too_deep = [vec![Beat::data(7, 1)], vec![], vec![]];
    for feeds in [backwards, too_deep] {
        let got = check_rtl(&SCANNER, &[], &feeds, &|| level.memories(2), &usual_stalls(1));
        assert!(got.iter().all(Result::is_err));
    }
}

/// A scanner that early exits tell, whose fibers have numbers of three bits.
fn told(part_log2: u32) -> ScannerCompressed {
    ScannerCompressed { exit: Some(Exit { tag_w: 3, hint_w: 5, part_log2 }), ..SCANNER }
}

/// Hints, one per cycle, that say of one fiber after the other that it is over, `each` of them.
fn hints(n: u64, over: impl Fn(u64) -> bool) -> Vec<Beat> {
    (0..n).map(|k| Beat::pair(0, (u64::from(over(k)) << 3) | (k % 8), 0)).collect()
}

/// Fibers as they leave: each ends with a stop.
fn fibers(of: &[Beat]) -> Vec<&[Beat]> {
    of.split_inclusive(|b| b.stop > 0).collect()
}

#[test]
fn hints_end_the_fiber_at_hand() {
    let mut rng = Rng::new(6);
    let lens = lens(&mut rng, 30, &[0, 1, 2, 5, 20, 60]);
    let level = Level::new(&mut rng, &lens, 16);
    let inputs: Vec<_> = (0..80u8).map(|k| (cases::random(&mut rng, 1 + k % 3, 30), 1 + k % 3)).collect();
    let whole = level.scan_all(&inputs, false);
    for (part_log2, latency) in [(0, 1), (0, 7), (2, 1), (4, 30)] {
        // Of some fibers nothing is said, and much is said of fibers that are not at hand.
        let feeds = [cases::runs(&inputs), vec![], vec![], hints(4_000, |k| k / 8 % 5 == 0)];
        for got in check_rtl(&told(part_log2), &[], &feeds, &|| level.memories(latency), &usual_stalls(latency)) {
            let got = got.unwrap().beats(2);
            let (all, some) = (fibers(&whole), fibers(&got));
            assert_eq!(all.len(), some.len());
            let mut cut = 0;
            for (all, some) in all.into_iter().zip(some) {
                assert!(all.len() >= some.len() && all.last().unwrap().stop == some.last().unwrap().stop);
                assert!(all.iter().zip(some).all(|(a, b)| (a.kind, a.p) == (b.kind, b.p)), "{all:?} {some:?}");
                cut += u32::from(all.len() > some.len());
            }
            assert!(cut > 5, "{cut} fibers were cut");
        }
    }
}

#[test]
fn without_hints_it_gives_everything_at_the_same_pace() {
    let mut rng = Rng::new(7);
    let mut lens = lens(&mut rng, 200, &[0, 0, 1, 2, 5, 64]);
    lens[0] = 64;
    let level = Level::new(&mut rng, &lens, 16);
    let inputs = [(Nest::List((0..200).map(|r| leaf(r, 0)).collect()), 1)];
    for part_log2 in [0, 2] {
        let out = cases::run_on_chip(&told(part_log2), &cases::runs(&inputs), &level.on_chip(16, &SCANNER)).unwrap();
        cases::assert_no_bubble(&out, told(part_log2).latency());
        assert_eq!(out.iter().map(|o| o.1).collect::<Vec<_>>(), level.scan_all(&inputs, false));
    }
}

#[test]
fn the_next_fiber_follows_soon() {
    let level = Level::new(&mut Rng::new(8), &[1000; 50], 16);
    let feed = (0..50).map(|r| Beat::data(0, r)).chain([Beat::DONE]).collect();
    let feeds = [feed, vec![], vec![], hints(3_000, |_| true)];
    let out = run_model(&told(0), &[], &feeds, &mut level.memories(1), Stall::NONE).unwrap();
    let last = out.outputs[2].last().unwrap().0;
    // Each is told of within eight cycles.
    assert!(last < 50 * (8 + 8), "{last} cycles");
}
