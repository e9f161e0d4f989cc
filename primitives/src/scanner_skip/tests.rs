//! The skipping scanner: without hints a compressed scanner, with them a part of it; its Verilog as its model.

use super::ScannerSkip;
use crate::bench::{Rng, Stall};
use crate::bench_rtl::{check_rtl, usual_stalls};
use crate::contract::Primitive;
use crate::joiner::TAG_W;
use crate::memory::cases::{self, OnChip, leaf};
use crate::memory::{Memory, ON_CHIP_QUEUE_LOG2, Read};
use crate::stream::{Beat, Kind, Leaf, Nest};

const SCANNER: ScannerSkip =
    ScannerSkip { ref_in_w: 16, ref_w: 16, crd_w: 16, stop_w: 3, queue_log2: ON_CHIP_QUEUE_LOG2, tag_w: TAG_W };
const OVER: u64 = 1 << TAG_W;

struct Level {
    seg: Vec<u64>,
    /// One word longer: what follows the last coordinate is read with it.
    crd: Vec<u64>,
}

impl Level {
    fn new(rng: &mut Rng, lens: &[u64], crd_w: u32) -> Self {
        let mut level = Self { seg: vec![0], crd: Vec::new() };
        for &n in lens {
            let step = (1 << crd_w) / n.max(1);
            level.crd.extend((0..n).map(|k| k * step + rng.below(step)));
            level.seg.push(level.crd.len() as u64);
        }
        level.crd.push(0);
        level
    }
    fn fiber(&self, r: u64) -> Vec<(u64, u64)> {
        (self.seg[r as usize]..self.seg[r as usize + 1]).map(|p| (self.crd[p as usize], p)).collect()
    }
    fn scan_all(&self, inputs: &[(Nest<Leaf>, u8)]) -> Vec<Beat> {
        let list = |l: &Leaf| {
            let fiber = if l.present { self.fiber(l.p[0]) } else { vec![] };
            Nest::List(fiber.into_iter().map(|(c, p)| leaf(c, p)).collect())
        };
        let outputs: Vec<_> = inputs.iter().map(|(x, d)| (cases::map(x, &list), d + 1)).collect();
        cases::runs(&outputs)
    }
    fn memories(&self, latency: u64) -> Vec<crate::bench::Memory<'_>> {
        vec![cases::pair_memory(0, 1, latency, &self.seg), cases::pair_memory(1, 2, latency, &self.crd)]
    }
    fn on_chip(&self) -> Vec<OnChip> {
        let memory = |words: &[u64]| {
            let memory = Memory { addr_w: 16, data_w: 16, words: words.len() as u32, read: Read::Pair, write: false };
            (memory, words.to_vec())
        };
        let ((seg, seg_words), (crd, crd_words)) = (memory(&self.seg), memory(&self.crd));
        vec![
            OnChip { request: 0, response: 1, memory: Box::new(seg), words: seg_words },
            OnChip { request: 1, response: 2, memory: Box::new(crd), words: crd_words },
        ]
    }
}

fn lens(rng: &mut Rng, n: usize, of: &[u64]) -> Vec<u64> {
    (0..n).map(|_| of[rng.below(of.len() as u64) as usize]).collect()
}

#[test]
fn scans_as_the_spec_says_where_nothing_is_skipped() {
    let mut rng = Rng::new(1);
    let lens = lens(&mut rng, 30, &[0, 0, 1, 1, 2, 3, 4, 5, 6, 20, 70]);
    let level = Level::new(&mut rng, &lens, 16);
    let inputs: Vec<_> = (0..120u8).map(|k| (cases::random(&mut rng, k % 4, 30), k % 4)).collect();
    for latency in [1, 2, 30] {
        let feeds = [cases::runs(&inputs), vec![], vec![], vec![], vec![]];
        for got in check_rtl(&SCANNER, &[], &feeds, &|| level.memories(latency), &usual_stalls(latency)) {
            assert_eq!(got.unwrap().beats(3), level.scan_all(&inputs));
        }
    }
}

#[test]
fn a_fiber_of_n_takes_max_1_n_cycles_from_on_chip_memories() {
    let mut rng = Rng::new(3);
    for of in [&[0][..], &[1], &[2], &[3], &[4], &[5], &[6], &[64], &[0, 1], &[0, 64], &[0, 0, 0, 1, 2, 5, 64]] {
        let mut lens = lens(&mut rng, 200, of);
        lens[0] = of[of.len() - 1];
        let level = Level::new(&mut rng, &lens, 16);
        let row = |k: u64| Nest::List((10 * k..10 * k + 10).map(|r| leaf(r, 0)).collect());
        let x = Nest::List((0..20).map(row).collect());
        let inputs = vec![(x.clone(), 2), (x.clone(), 2), (x, 2)];
        let out = cases::run_on_chip(&SCANNER, &cases::runs(&inputs), &level.on_chip()).unwrap();
        let empty_only = if of == [0] { 2 } else { 0 };
        cases::assert_no_bubble(&out, SCANNER.latency() - empty_only);
        assert_eq!(out.iter().map(|o| o.1).collect::<Vec<_>>(), level.scan_all(&inputs));
    }
}

/// Hints for fibers 0.., as they come: number, lowest needed or over, bound.
struct Hints {
    skip: Vec<Beat>,
    bound: Vec<Beat>,
}

fn hints(rng: &mut Rng, fibers: u64, crd_w: u32) -> Hints {
    let (mut skip, mut bound) = (Vec::new(), Vec::new());
    for f in 0..fibers {
        let mut low = 0;
        for _ in 0..rng.below(4) {
            low += rng.below(1 << (crd_w - 1));
            let over = u64::from(rng.chance(0.2));
            skip.push(Beat::pair(0, over * OVER + f % OVER, low % (1 << crd_w)));
        }
        if rng.chance(0.5) {
            bound.push(Beat::pair(0, f % OVER, rng.below(1 << crd_w)));
        }
    }
    Hints { skip, bound }
}

/// Whatever the hints and whenever they come: of every fiber all that no hint for it declared useless is there.
#[test]
fn gives_of_every_fiber_what_is_needed() {
    let mut rng = Rng::new(5);
    let lens = lens(&mut rng, 200, &[0, 1, 1, 2, 3, 4, 5, 6, 20, 70, 300]);
    let level = Level::new(&mut rng, &lens, 16);
    let refs: Vec<u64> = (0..250).map(|_| rng.below(200)).collect();
    let feed: Vec<Beat> = refs.iter().map(|&r| Beat::data(0, r)).collect();
    let h = hints(&mut rng, 250, 16);
    let feeds = [feed, vec![], vec![], h.skip.clone(), h.bound.clone()];
    let mut left_out = 0;
    for stall in [Stall::NONE, Stall { seed: 1, source: 0.7, sink: 0.1 }, Stall { seed: 2, source: 0.8, sink: 0.6 }] {
        for got in check_rtl(&SCANNER, &[], &feeds, &|| level.memories(1), &[stall]) {
            let beats = got.unwrap().beats(3);
            let mut out = beats.split_inclusive(|b| b.stop > 0);
            for (f, &r) in refs.iter().enumerate() {
                let part = out.next().unwrap();
                let fiber = level.fiber(r);
                if fiber.is_empty() {
                    assert_eq!(part, [Beat::nil(1, 1)]);
                    continue;
                }
                let about = |b: &&Beat| b.p[0] % OVER == f as u64 % OVER;
                let low = h.skip.iter().filter(about).map(|b| b.p[1]).max().unwrap_or(0);
                let over = h.skip.iter().filter(about).any(|b| b.p[0] >= OVER);
                let high = h.bound.iter().filter(about).map(|b| b.p[1]).min().unwrap_or(u64::MAX);
                let given: Vec<(u64, u64)> = part.iter().map(|b| (b.p[0], b.p[1])).collect();
                assert!(!given.is_empty() && given.iter().all(|x| fiber.contains(x)) && given.is_sorted());
                let needed = fiber.iter().filter(|x| x.0 >= low && x.0 <= high && !over);
                needed.for_each(|x| assert!(given.contains(x), "fiber {f}: {x:?} is missing"));
                left_out += fiber.len() - given.len();
                assert_eq!(part.last().map(|b| (b.kind, b.stop)), Some((Kind::Data, 1)));
            }
        }
    }
    assert!(left_out > 300, "hints had hardly any effect: {left_out}");
}

/// A long run that is not needed: what is buffered goes at once, the rest 16 every other cycle; and no more is left out
/// than may be.
#[test]
fn leaps_over_what_is_not_needed() {
    let mut rng = Rng::new(7);
    let level = Level::new(&mut rng, &[2000], 16);
    let feed = vec![Beat::data(0, 0)];
    for first in [40, 43, 1000, 1023, 1950, 1996, 1999] {
        let low = level.crd[first];
        for latency in [1, 7, 30] {
            let skip = vec![Beat::pair(0, 0, low); 60];
            let feeds = [feed.clone(), vec![], vec![], skip, vec![]];
            for got in check_rtl(&SCANNER, &[], &feeds, &|| level.memories(latency), &usual_stalls(latency)) {
                let beats = got.unwrap().beats(3);
                let given = beats.iter().filter(|b| b.p[0] >= low).count();
                assert_eq!(given, 2000 - first);
                assert!(beats.len() < given + 60 + latency as usize, "{} of {first} are given", beats.len() - given);
            }
        }
        let feeds = [feed.clone(), vec![], vec![], vec![Beat::pair(0, 0, low)], vec![]];
        let mut memories = level.memories(1);
        let out = crate::bench::run_model(&SCANNER, &[], &feeds, &mut memories, Stall::NONE).unwrap();
        let (cycles, needed) = (out.outputs[3].last().unwrap().0, 2000 - first as u64);
        assert!(cycles < first as u64 / 6 + needed + 60, "{cycles} cycles for {needed} behind {first}");
    }
}

#[test]
fn small_and_wide_configurations_agree_too() {
    let mut rng = Rng::new(2);
    for p in [
        ScannerSkip { ref_in_w: 3, ref_w: 5, crd_w: 3, stop_w: 3, queue_log2: 1, tag_w: TAG_W },
        ScannerSkip { ref_in_w: 9, ref_w: 20, crd_w: 32, stop_w: 4, queue_log2: 4, tag_w: TAG_W },
    ] {
        let lens = lens(&mut rng, 7, &[0, 1, 2, 4]);
        let level = Level::new(&mut rng, &lens, p.crd_w);
        let inputs: Vec<_> = (0..40).map(|_| (cases::random(&mut rng, 2, 7), 2)).collect();
        let h = hints(&mut rng, 100, p.crd_w);
        let feeds = [cases::runs(&inputs), vec![], vec![], h.skip, h.bound];
        check_rtl(&p, &[], &feeds, &|| level.memories(1), &usual_stalls(2)).into_iter().for_each(|o| drop(o.unwrap()));
    }
}

#[test]
fn both_refuse_malformed_input() {
    let level = Level { seg: vec![5, 3, 4], crd: vec![0; 8] };
    let too_deep = vec![Beat::data(7, 1)];
    let feeds = [too_deep, vec![], vec![], vec![], vec![]];
    let got = check_rtl(&SCANNER, &[], &feeds, &|| level.memories(1), &usual_stalls(1));
    assert!(got.iter().all(Result::is_err));
    let backwards = [vec![Beat::data(0, 0)], vec![], vec![], vec![], vec![]];
    let got = check_rtl(&SCANNER, &[], &backwards, &|| level.memories(1), &usual_stalls(1));
    assert!(got.iter().all(Result::is_err));
}
