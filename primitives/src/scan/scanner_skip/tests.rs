//! The skipping scanner: without hints a compressed scanner, with them a part of it; its Verilog as its model.

use super::ScannerSkip;
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::join::joiner::TAG_W;
use crate::memories::memory::cases::{self, OnChip, leaf};
use crate::memories::memory::{Memory, ON_CHIP_QUEUE_LOG2, Read};
use crate::memories::memory_wide::MemoryWide;
use crate::scan::scanner_wide::Group;
use samhw_streams::{Beat, Kind, Leaf, Nest, Primitive};
use samhw_testing::bench::{Memory as BenchMemory, Stall};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::{Rng, mask};

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let of = |[crd_w, ref_in_w, ref_w, stop_w]: [u32; 4]| {
        let group = Group { crd_w, wide_log2: 0 };
        item(ScannerSkip { ref_in_w, ref_w, group, stop_w, queue_log2: stop_w, tag_w: 6 })
    };
    WIDTHS.map(of).into()
}

/// Scanners of coordinates and of groups of two and four.
const WIDE: [u32; 3] = [0, 1, 2];

fn scanner(wide_log2: u32) -> ScannerSkip {
    let group = Group { crd_w: 16, wide_log2 };
    ScannerSkip { ref_in_w: 16, ref_w: 16, group, stop_w: 3, queue_log2: ON_CHIP_QUEUE_LOG2, tag_w: TAG_W }
}

const OVER: u64 = 1 << TAG_W;

struct Level {
    seg: Vec<u64>,
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
        level
    }
    fn fiber(&self, r: u64) -> Vec<(u64, u64)> {
        (self.seg[r as usize]..self.seg[r as usize + 1]).map(|p| (self.crd[p as usize], p)).collect()
    }
    /// The coordinates of a group, with their positions; that it is one.
    #[track_caller]
    fn entries(&self, group: Group, beat: &Beat) -> Vec<(u64, u64)> {
        let (crds, first) = group.unpack(beat);
        assert_eq!(*beat, group.pack(beat.stop, &crds, first));
        assert_eq!(crds, self.crd[first as usize..first as usize + crds.len()]);
        crds.into_iter().zip(first..).collect()
    }
    fn scan_all(&self, group: Group, inputs: &[(Nest<Leaf>, u8)]) -> Vec<Beat> {
        let list = |l: &Leaf| {
            let fiber = if l.present { self.fiber(l.p[0]) } else { vec![] };
            let groups = fiber.chunks(group.wide()).map(|entries| {
                let crds: Vec<u64> = entries.iter().map(|e| e.0).collect();
                let [crds, first] = group.pack(0, &crds, entries[0].1).p;
                leaf(crds, first)
            });
            Nest::List(groups.collect())
        };
        let outputs: Vec<_> = inputs.iter().map(|(x, d)| (cases::map(x, &list), d + 1)).collect();
        cases::runs(&outputs)
    }
    /// The words, with some that may be read beyond the last.
    fn words(&self, group: Group) -> Vec<u64> {
        self.crd.iter().copied().chain((1..2 * group.wide() as u64).map(|k| (k * 0x5555) & mask(group.crd_w))).collect()
    }
    fn memories<'a>(&'a self, group: Group, words: &'a [u64], latency: u64) -> Vec<BenchMemory<'a>> {
        let wide = group.wide();
        let answer = Box::new(move |r: Beat| {
            let of = |at: usize| group.pack(0, &words[at..at + wide], 0).p[0];
            vec![Beat::pair(0, of(r.p[0] as usize), of(r.p[0] as usize + wide))]
        });
        vec![cases::pair_memory(0, 1, latency, &self.seg), BenchMemory { request: 1, response: 2, latency, answer }]
    }
    fn on_chip(&self, group: Group) -> Vec<OnChip> {
        let seg = Memory { addr_w: 16, data_w: 16, words: self.seg.len() as u32, read: Read::Pair, write: false };
        let words = self.words(group);
        let (count, wide_log2) = (words.len() as u32, group.wide_log2 + 1);
        let crd = MemoryWide { addr_w: 17, data_w: group.crd_w, words: count, wide_log2 };
        vec![
            OnChip { request: 0, response: 1, memory: Box::new(seg), words: self.seg.clone() },
            OnChip { request: 1, response: 2, memory: Box::new(crd), words },
        ]
    }
}

fn lens(rng: &mut Rng, n: usize, of: &[u64]) -> Vec<u64> {
    (0..n).map(|_| of[rng.below(of.len() as u64) as usize]).collect()
}

#[test]
fn scans_as_the_spec_says_where_nothing_is_skipped() {
    let mut rng = Rng::new(1);
    for wide_log2 in WIDE {
        let p = scanner(wide_log2);
        let lens = lens(&mut rng, 30, &[0, 0, 1, 1, 2, 3, 4, 5, 6, 8, 9, 16, 17, 20, 70]);
        let level = Level::new(&mut rng, &lens, 16);
        let words = level.words(p.group);
        let inputs: Vec<_> = (0..120u8).map(|k| (cases::random(&mut rng, k % 4, 30), k % 4)).collect();
        for latency in [1, 2, 30] {
            let feeds = [cases::runs(&inputs), vec![], vec![], vec![], vec![]];
            let memories = || level.memories(p.group, &words, latency);
            for got in check_rtl(&p, &[], &feeds, &memories, &usual_stalls(latency)) {
                assert_eq!(got.unwrap().beats(3), level.scan_all(p.group, &inputs));
            }
        }
    }
}

/// As many cycles as without skipping.
#[test]
fn a_fiber_of_n_groups_takes_max_1_n_cycles_from_on_chip_memories() {
    let mut rng = Rng::new(3);
    for of in
        [&[0][..], &[1], &[2], &[3], &[4], &[5], &[6], &[9], &[17], &[64], &[0, 1], &[0, 64], &[0, 0, 0, 1, 2, 5, 64]]
    {
        for wide_log2 in WIDE {
            let p = scanner(wide_log2);
            let mut lens = lens(&mut rng, 200, of);
            lens[0] = of[of.len() - 1];
            let level = Level::new(&mut rng, &lens, 16);
            let row = |k: u64| Nest::List((10 * k..10 * k + 10).map(|r| leaf(r, 0)).collect());
            let x = Nest::List((0..20).map(row).collect());
            let inputs = vec![(x.clone(), 2), (x.clone(), 2), (x, 2)];
            let out = cases::run_on_chip(&p, &cases::runs(&inputs), &level.on_chip(p.group)).unwrap();
            let cycles: u64 = lens.iter().map(|n| n.div_ceil(p.group.wide() as u64).max(1)).sum();
            assert_eq!(out.len() as u64, 3 * (cycles + 1), "lengths {of:?}");
            let empty_only = if of == [0] { 2 } else { 0 };
            cases::assert_no_bubble(&out, p.latency() - empty_only);
            assert_eq!(out.iter().map(|o| o.1).collect::<Vec<_>>(), level.scan_all(p.group, &inputs));
        }
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
            let over = u64::from(rng.happens(0.2));
            skip.push(Beat::pair(0, over * OVER + f % OVER, low % (1 << crd_w)));
        }
        if rng.happens(0.5) {
            bound.push(Beat::pair(0, f % OVER, rng.below(1 << crd_w)));
        }
    }
    Hints { skip, bound }
}

/// Whatever the hints and whenever they come: of every fiber all that no hint for it declared useless is there.
#[test]
fn gives_of_every_fiber_what_is_needed() {
    let mut rng = Rng::new(5);
    for wide_log2 in WIDE {
        let p = scanner(wide_log2);
        let lens = lens(&mut rng, 200, &[0, 1, 1, 2, 3, 4, 5, 6, 20, 70, 300]);
        let level = Level::new(&mut rng, &lens, 16);
        let words = level.words(p.group);
        let refs: Vec<u64> = (0..250).map(|_| rng.below(200)).collect();
        let feed: Vec<Beat> = refs.iter().map(|&r| Beat::data(0, r)).collect();
        let h = hints(&mut rng, 250, 16);
        let feeds = [feed, vec![], vec![], h.skip.clone(), h.bound.clone()];
        let stalls = [Stall::NONE, Stall::new(1, 0.7, 0.1), Stall::new(2, 0.8, 0.6)];
        let mut left_out = 0;
        for (latency, stall) in [1, 3, 20].into_iter().flat_map(|latency| stalls.map(|stall| (latency, stall))) {
            for got in check_rtl(&p, &[], &feeds, &|| level.memories(p.group, &words, latency), &[stall]) {
                let beats = got.unwrap().beats(3);
                let mut out = beats.split_inclusive(|b| b.stop > 0);
                for (f, &r) in refs.iter().enumerate() {
                    left_out += left_out_of(&level, p.group, out.next().unwrap(), f, r, &h);
                }
                assert_eq!(out.next(), None);
            }
        }
        assert!(left_out > 300, "hints had hardly any effect: {left_out}");
    }
}

/// How many coordinates are not in `part`, what is given of fiber number `f`, at reference `r`.
fn left_out_of(level: &Level, group: Group, part: &[Beat], f: usize, r: u64, h: &Hints) -> usize {
    let fiber = level.fiber(r);
    if fiber.is_empty() {
        assert_eq!(part, [Beat::nil(1, 1)]);
        return 0;
    }
    let about = |b: &&Beat| b.p[0] % OVER == f as u64 % OVER;
    let low = h.skip.iter().filter(about).map(|b| b.p[1]).max().unwrap_or(0);
    let over = h.skip.iter().filter(about).any(|b| b.p[0] >= OVER);
    let high = h.bound.iter().filter(about).map(|b| b.p[1]).min().unwrap_or(u64::MAX);
    let groups: Vec<_> = fiber.chunks(group.wide()).collect();
    let given: Vec<_> = part.iter().map(|b| level.entries(group, b)).collect();
    assert!(!given.is_empty() && given.iter().all(|g| groups.contains(&&g[..])) && given.is_sorted());
    let given = given.concat();
    let needed = fiber.iter().filter(|x| x.0 >= low && x.0 <= high && !over);
    needed.for_each(|x| assert!(given.contains(x), "fiber {f}: {x:?} is missing"));
    assert_eq!(part.last().map(|b| (b.kind, b.stop)), Some((Kind::Data, 1)));
    fiber.len() - given.len()
}

/// A long run that is not needed: what is buffered goes at once, the rest 16 groups every other cycle; and no more is left out
/// than may be.
#[test]
fn leaps_over_what_is_not_needed() {
    let mut rng = Rng::new(7);
    for wide_log2 in WIDE {
        let p = scanner(wide_log2);
        let (wide, group) = (p.group.wide(), p.group);
        let level = Level::new(&mut rng, &[2000], 16);
        let words = level.words(group);
        let feed = vec![Beat::data(0, 0)];
        for first in [40, 43, 1000, 1023, 1950, 1996, 1999] {
            let low = level.crd[first];
            let (needed, useless) = (2000usize.div_ceil(wide) - first / wide, first / wide);
            for latency in [1, 7, 30] {
                let skip = vec![Beat::pair(0, 0, low); 60];
                let feeds = [feed.clone(), vec![], vec![], skip, vec![]];
                let memories = || level.memories(group, &words, latency);
                for got in check_rtl(&p, &[], &feeds, &memories, &usual_stalls(latency)) {
                    let beats = got.unwrap().beats(3);
                    let given = beats.iter().flat_map(|b| level.entries(group, b)).filter(|e| e.0 >= low).count();
                    assert_eq!(given, 2000 - first);
                    let more = beats.len() - needed;
                    assert!(more < 60 + latency as usize, "{more} of {useless} groups are given");
                }
            }
            let feeds = [feed.clone(), vec![], vec![], vec![Beat::pair(0, 0, low)], vec![]];
            let mut memories = level.memories(group, &words, 1);
            let out = samhw_testing::bench::run_model(&p, &[], &feeds, &mut memories, Stall::NONE).unwrap();
            let cycles = out.outputs[3].last().unwrap().0 as usize;
            assert!(cycles < useless / 6 + needed + 60, "{cycles} cycles for {needed} behind {useless}");
        }
    }
}

#[test]
fn small_and_wide_configurations_agree_too() {
    let mut rng = Rng::new(2);
    for wide_log2 in WIDE {
        let group = |crd_w| Group { crd_w, wide_log2 };
        for p in [
            ScannerSkip { ref_in_w: 3, ref_w: 5, group: group(3), queue_log2: 1, ..scanner(0) },
            ScannerSkip { ref_in_w: 9, ref_w: 20, group: group(32), stop_w: 4, queue_log2: 4, ..scanner(0) },
        ] {
            let lens = lens(&mut rng, 7, &[0, 1, 2, 4]);
            let level = Level::new(&mut rng, &lens, p.group.crd_w);
            let words = level.words(p.group);
            let inputs: Vec<_> = (0..40).map(|_| (cases::random(&mut rng, 2, 7), 2)).collect();
            let h = hints(&mut rng, 100, p.group.crd_w);
            let feeds = [cases::runs(&inputs), vec![], vec![], h.skip, h.bound];
            let got = check_rtl(&p, &[], &feeds, &|| level.memories(p.group, &words, 1), &usual_stalls(2));
            got.into_iter().for_each(|o| drop(o.unwrap()));
        }
    }
}

#[test]
fn both_refuse_malformed_input() {
    let level = Level { seg: vec![5, 3, 4], crd: vec![0; 8] };
    let p = scanner(0);
    let words = level.words(p.group);
    let too_deep = vec![Beat::data(7, 1)];
    for feed in [too_deep, vec![Beat::data(0, 0)]] {
        let feeds = [feed, vec![], vec![], vec![], vec![]];
        let got = check_rtl(&p, &[], &feeds, &|| level.memories(p.group, &words, 1), &usual_stalls(1));
        assert!(got.iter().all(Result::is_err));
    }
}
