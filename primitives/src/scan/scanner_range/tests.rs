//! The scanner of COO levels against its meaning, its Verilog, and its promise of an entry a cycle.

use super::{Input, ScannerRange};
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::memories::memory::cases::{self, OnChip, leaf};
use crate::memories::memory::{Memory, ON_CHIP_QUEUE_LOG2, Read};
use samhw_streams::{Beat, Leaf, Nest, Primitive};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, ref_in_w, ref_w, stop_w] in WIDTHS {
        let queue_log2 = stop_w;
        for input in [Input::Segment, Input::Range, Input::Unit] {
            let ref_in_w = if input == Input::Range { 2 * ref_w } else { ref_in_w };
            for group in [true, false] {
                all.push(item(ScannerRange { input, group, ref_in_w, ref_w, crd_w, stop_w, queue_log2 }));
            }
        }
    }
    all
}

const KINDS: [(Input, bool); 6] = [
    (Input::Segment, false),
    (Input::Segment, true),
    (Input::Range, false),
    (Input::Range, true),
    (Input::Unit, false),
    (Input::Unit, true),
];

fn scanner(input: Input, group: bool) -> ScannerRange {
    let ref_in_w = if input == Input::Range { 32 } else { 16 };
    ScannerRange { input, group, ref_in_w, ref_w: 16, crd_w: 16, stop_w: 3, queue_log2: ON_CHIP_QUEUE_LOG2 }
}

/// A level of COO whose fibers lie one after the other.
struct Level {
    seg: Vec<u64>,
    crd: Vec<u64>,
}

impl Level {
    /// A fiber per list: the lengths of its groups of equal coordinates.
    fn new(rng: &mut Rng, fibers: &[Vec<u64>], crd_w: u32) -> Self {
        let mut level = Self { seg: vec![0], crd: Vec::new() };
        for groups in fibers {
            let step = (1 << crd_w) / (groups.len() as u64).max(1);
            for (k, &n) in (0..).zip(groups) {
                let c = k * step + rng.below(step);
                level.crd.extend((0..n).map(|_| c));
            }
            level.seg.push(level.crd.len() as u64);
        }
        level
    }
    /// Where the fiber of reference `r` lies.
    fn bounds(&self, p: &ScannerRange, r: u64) -> (u64, u64) {
        match p.input {
            Input::Segment => (self.seg[r as usize], self.seg[r as usize + 1]),
            Input::Range => (r & ((1 << (p.ref_in_w / 2)) - 1), r >> (p.ref_in_w / 2)),
            Input::Unit => (r, r + 1),
        }
    }
    /// The meaning: `level_scanner` of the spec, and its leaves grouped.
    fn scan(&self, p: &ScannerRange, x: &Nest<Leaf>) -> Nest<Leaf> {
        cases::map(x, &|l| {
            let (begin, end) = if l.present { self.bounds(p, l.p[0]) } else { (0, 0) };
            let mut out: Vec<(u64, u64, u64)> = Vec::new();
            for k in begin..end {
                let c = self.crd[k as usize];
                match out.last_mut() {
                    Some((last, _, to)) if p.group && *last == c => *to = k + 1,
                    _ => out.push((c, k, k + 1)),
                }
            }
            let payload = |from: u64, to: u64| if p.group { to << p.ref_w | from } else { from };
            Nest::List(out.into_iter().map(|(c, from, to)| leaf(c, payload(from, to))).collect())
        })
    }
    fn scan_all(&self, p: &ScannerRange, inputs: &[(Nest<Leaf>, u8)]) -> Vec<Beat> {
        let outputs: Vec<_> = inputs.iter().map(|(x, d)| (self.scan(p, x), d + 1)).collect();
        cases::runs(&outputs)
    }
    /// `x`, whose leaves number fibers, with what `p` takes for them; a range of no entries is absent.
    fn refs(&self, p: &ScannerRange, x: &Nest<Leaf>) -> Nest<Leaf> {
        cases::map(x, &|l| {
            let r = l.p[0] as usize;
            let (begin, end) = (self.seg[r], self.seg[r + 1]);
            match p.input {
                _ if !l.present => cases::absent(),
                Input::Segment => leaf(l.p[0], 0),
                _ if begin == end => cases::absent(),
                Input::Range => leaf(end << (p.ref_in_w / 2) | begin, 0),
                Input::Unit => leaf(begin, 0),
            }
        })
    }
    fn memories(&self, p: &ScannerRange, latency: u64) -> Vec<samhw_testing::bench::Memory<'_>> {
        match p.input {
            Input::Segment => {
                vec![cases::pair_memory(0, 1, latency, &self.seg), cases::burst_memory(1, 2, latency, &self.crd)]
            }
            _ => vec![cases::burst_memory(0, 1, latency, &self.crd)],
        }
    }
    fn on_chip(&self, p: &ScannerRange) -> Vec<OnChip> {
        let memory = |k, addr_w, data_w, words: &[u64], read| {
            let memory = Memory { addr_w, data_w, words: words.len() as u32, read, write: false };
            OnChip { request: k, response: k + 1, memory: Box::new(memory), words: words.to_vec() }
        };
        match p.input {
            Input::Segment => vec![
                memory(0, p.ref_in_w, p.ref_w, &self.seg, Read::Pair),
                memory(1, p.ref_w, p.crd_w, &self.crd, Read::Burst),
            ],
            _ => vec![memory(0, p.ref_w, p.crd_w, &self.crd, Read::Burst)],
        }
    }
}

/// `n` fibers of at most `most` groups.
fn fibers(rng: &mut Rng, n: usize, most: u64) -> Vec<Vec<u64>> {
    let groups = |rng: &mut Rng| [0, 1, 1, 2, most][rng.below(5) as usize];
    let length = |rng: &mut Rng| [1, 1, 2, 5][rng.below(4) as usize];
    (0..n)
        .map(|_| {
            let groups = groups(rng);
            (0..groups).map(|_| length(rng)).collect()
        })
        .collect()
}

fn random_inputs(rng: &mut Rng, p: &ScannerRange, level: &Level, n: u8, refs: u64) -> Vec<(Nest<Leaf>, u8)> {
    (0..n).map(|k| (level.refs(p, &cases::random(rng, k % 4, refs)), k % 4)).collect()
}

fn check(p: &ScannerRange, level: &Level, inputs: &[(Nest<Leaf>, u8)], latency: u64) {
    let mut feeds = vec![Vec::new(); if p.input == Input::Segment { 3 } else { 2 }];
    feeds[0] = cases::runs(inputs);
    let out = feeds.len() - 1;
    for got in check_rtl(p, &[], &feeds, &|| level.memories(p, latency), &usual_stalls(latency)) {
        assert_eq!(got.unwrap().beats(out), level.scan_all(p, inputs), "{p:?}");
    }
}

#[test]
fn scans_as_it_means() {
    let mut rng = Rng::new(1);
    let lists = fibers(&mut rng, 30, 9);
    let level = Level::new(&mut rng, &lists, 16);
    for (input, group) in KINDS {
        let p = scanner(input, group);
        let inputs = random_inputs(&mut rng, &p, &level, 100, 30);
        for latency in [1, 2, 5, 30] {
            check(&p, &level, &inputs, latency);
        }
    }
}

#[test]
fn small_and_wide_configurations_agree_too() {
    let mut rng = Rng::new(2);
    let range = |ref_in_w, ref_w, crd_w, stop_w, queue_log2| ScannerRange {
        input: Input::Range,
        group: true,
        ref_in_w,
        ref_w,
        crd_w,
        stop_w,
        queue_log2,
    };
    let unit = ScannerRange { input: Input::Unit, group: false, ..range(7, 12, 5, 3, 2) };
    // The last two have positions of another width in the level above.
    for p in [range(64, 32, 32, 4, 4), range(12, 6, 3, 3, 1), range(14, 6, 3, 3, 3), unit] {
        let lists = fibers(&mut rng, 6, 4);
        let level = Level::new(&mut rng, &lists, p.crd_w);
        let inputs = random_inputs(&mut rng, &p, &level, 60, 6);
        check(&p, &level, &inputs, 2);
    }
}

#[test]
fn passes_the_vectors() {
    let Some(vectors) = cases::vectors("level_scanner", &["crd", "ref"]) else { return };
    for (kind, input) in [("compressed", Input::Segment), ("singleton", Input::Unit)] {
        let p = scanner(input, false);
        let (mut seen, mut all) = (0, Level { seg: Vec::new(), crd: Vec::new() });
        let (mut inputs, mut expected) = (Vec::new(), Vec::new());
        for c in vectors.iter().filter(|c| {
            let level = &c.params["level"];
            level["kind"] == kind && level.get("slice").is_none()
        }) {
            // The levels of all cases lie one after the other.
            let base = all.crd.len() as u64;
            let first = if input == Input::Segment { all.seg.len() as u64 } else { base };
            inputs.push((cases::shift(&c.input, first), c.depth));
            all.seg.extend(cases::numbers(&c.params["level"]["seg"]).iter().map(|&s| s as u64 + base));
            all.crd.extend(cases::numbers(&c.params["level"]["crd"]).iter().map(|&x| x as u64));
            let moved = |b: Beat| if b.is_leaf() { Beat { p: [b.p[0], b.p[1] + base], ..b } } else { b };
            expected.extend(cases::bundle(&c.outputs[0], &c.outputs[1]).into_iter().map(moved));
            seen += 1;
        }
        assert!(seen > 3, "{kind}: {seen} vectors");
        assert_eq!(all.scan_all(&p, &inputs), expected);
        check(&p, &all, &inputs, 2);
    }
}

#[test]
fn an_entry_takes_a_cycle_whatever_groups_and_fibers_it_is_in() {
    let mut rng = Rng::new(3);
    for (input, group) in KINDS {
        let p = scanner(input, group);
        for of in [vec![], vec![1], vec![2], vec![5], vec![50], vec![1, 1], vec![1, 2, 5, 50, 1], vec![0]] {
            let lists: Vec<Vec<u64>> = (0..100)
                .map(|_| match (input, of.as_slice()) {
                    (Input::Unit, _) => vec![1],
                    // A mixture.
                    (_, [0]) => fibers(&mut rng, 1, 5).remove(0),
                    _ => of.clone(),
                })
                .collect();
            let level = Level::new(&mut rng, &lists, 16);
            let row = |k: u64| Nest::List((10 * k..10 * k + 10).map(|r| leaf(r, 0)).collect());
            let x = level.refs(&p, &Nest::List((0..10).map(row).collect()));
            // Three runs back to back.
            let inputs = vec![(x.clone(), 2), (x.clone(), 2), (x, 2)];
            let out = cases::run_on_chip(&p, &cases::runs(&inputs), &level.on_chip(&p)).unwrap();
            assert!(out.iter().map(|o| o.1).eq(level.scan_all(&p, &inputs)), "{p:?}, groups of {of:?}");
            // Where every fiber has an entry, the last DONE leaves when all of them have passed.
            if lists.iter().all(|l| !l.is_empty()) {
                let entries = 3 * (lists.iter().flatten().sum::<u64>() + 1);
                let last = out.last().unwrap().0;
                assert_eq!(last, entries - 1 + u64::from(p.latency()), "{p:?}, groups of {of:?}");
            }
            if !group && of != [0] && !of.is_empty() {
                cases::assert_no_bubble(&out, p.latency());
            }
        }
    }
}

#[test]
fn empty_fibers_take_a_cycle_each() {
    for (input, group) in KINDS {
        let p = scanner(input, group);
        // A fiber of 3 groups, then absent ones.
        let level = Level { seg: vec![0, 4], crd: vec![3, 3, 8, 9] };
        let x = level.refs(&p, &leaf(0, 0));
        let list = Nest::List([x].into_iter().chain((0..20).map(|_| cases::absent())).collect());
        let out = cases::run_on_chip(&p, &cases::runs(&[(list, 1)]), &level.on_chip(&p)).unwrap();
        let entries = if input == Input::Unit { 1 } else { 4 };
        assert_eq!(out.last().unwrap().0, entries + 20 + u64::from(p.latency()), "{p:?}");
    }
}

#[test]
fn both_refuse_malformed_input() {
    let level = Level { seg: vec![5, 3, 4], crd: vec![4, 4, 2, 0, 0, 0] };
    let segment = [(Beat::data(0, 0), true), (Beat::data(0, 0), false), (Beat::data(7, 1), true)];
    let range = |begin: u64, end: u64| Beat::data(0, end << 16 | begin);
    let ranges = [(range(3, 2), true), (range(2, 2), false), (range(0, 4), true), (Beat::data(7, 1 << 16), false)];
    let cases = segment.map(|(b, g)| (Input::Segment, b, g)).into_iter();
    for (input, beat, group) in cases.chain(ranges.map(|(b, g)| (Input::Range, b, g))) {
        let p = scanner(input, group);
        let mut feeds = vec![Vec::new(); if input == Input::Segment { 3 } else { 2 }];
        feeds[0] = vec![beat];
        let got = check_rtl(&p, &[], &feeds, &|| level.memories(&p, 2), &usual_stalls(1));
        assert!(got.iter().all(Result::is_err), "{beat:?}");
    }
}
