//! The scanner up to a bound against its meaning and its Verilog.

use super::ScannerUntil;
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::memories::memory::ON_CHIP_QUEUE_LOG2;
use crate::memories::memory::cases::{self, leaf};
use crate::scan::scanner_span::SpanEnd;
use samhw_streams::{Beat, Leaf, Nest, encode};
use samhw_testing::bench::{Memory, Stall, run_model};
use samhw_testing::nests::{N, extend, leaves, nest};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::{Rng, mask};

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, ref_in_w, ref_w, stop_w] in WIDTHS {
        let queue_log2 = stop_w;
        for (bound_w, signed) in [(ref_w, true), (crd_w.max(2), false)] {
            for hi in [SpanEnd::Closed, SpanEnd::Open] {
                all.push(item(ScannerUntil { ref_in_w, ref_w, crd_w, stop_w, queue_log2, hi, bound_w, signed }));
            }
        }
    }
    all
}

const UNTIL: ScannerUntil = ScannerUntil {
    ref_in_w: 8,
    ref_w: 12,
    crd_w: 6,
    stop_w: 3,
    queue_log2: ON_CHIP_QUEUE_LOG2,
    hi: SpanEnd::Open,
    bound_w: 8,
    signed: true,
};

/// A compressed level whose coordinates are below 64, with a word behind the last that is read with it.
struct Level {
    seg: Vec<u64>,
    crd: Vec<u64>,
}

impl Level {
    fn new(rng: &mut Rng, fibers: u64) -> Self {
        let mut level = Self { seg: vec![0], crd: Vec::new() };
        for _ in 0..fibers {
            let full = [0, 2, 8, 20, 64][rng.below(5) as usize];
            level.crd.extend((0..64).filter(|_| rng.below(64) < full));
            level.seg.push(level.crd.len() as u64);
        }
        level.crd.push(rng.below(64));
        level
    }
    /// Fibers of as many coordinates as each of these says, which count from 0.
    fn of(lens: &[u64]) -> Self {
        let mut level = Self { seg: vec![0], crd: Vec::new() };
        for &n in lens {
            level.crd.extend(0..n);
            level.seg.push(level.crd.len() as u64);
        }
        level.crd.push(0);
        level
    }
    fn memories(&self, latency: u64) -> Vec<Memory<'_>> {
        vec![cases::pair_memory(0, 1, latency, &self.seg), cases::pair_memory(1, 2, latency, &self.crd)]
    }
    /// What is needed of fiber `f` up to `most`.
    fn fiber(&self, f: u64, most: i128) -> Nest<Leaf> {
        let at = self.seg[f as usize]..self.seg[f as usize + 1];
        let needed = at.filter(|&p| i128::from(self.crd[p as usize]) <= most);
        Nest::List(needed.map(|p| leaf(self.crd[p as usize], p)).collect())
    }
}

/// The last coordinate that a bound leaves.
fn most(p: &ScannerUntil, raw: u64) -> i128 {
    let negative = p.signed && raw >> (p.bound_w - 1) & 1 == 1;
    i128::from(raw) - if negative { 1 << p.bound_w } else { 0 } - i128::from(p.hi == SpanEnd::Open)
}

#[test]
fn what_lies_up_to_the_bound_comes() {
    let mut rng = Rng::new(31);
    let forms = [
        UNTIL,
        ScannerUntil { hi: SpanEnd::Closed, bound_w: 4, signed: false, ..UNTIL },
        ScannerUntil { bound_w: 6, signed: false, ..UNTIL },
        ScannerUntil { hi: SpanEnd::Closed, bound_w: 33, ..UNTIL },
    ];
    for (seed, p) in (0..).zip(forms) {
        let level = Level::new(&mut rng, 40);
        let (mut feed, mut want) = (vec![vec![], vec![], vec![], vec![]], vec![]);
        for d in (0..3).cycle().take(60) {
            let refs = nest(&mut rng, d, &mut |rng| {
                if rng.happens(0.1) { N } else { Leaf { present: true, p: [rng.below(40), 0] } }
            });
            let bounds = cases::map(&refs, &|_| leaf(0, 0));
            let bounds = cases::map(&bounds, &{
                let rng = std::cell::RefCell::new(Rng::new(rng.bits()));
                move |_| {
                    let mut rng = rng.borrow_mut();
                    let near = rng.below(70).wrapping_sub(4);
                    let far = rng.bits();
                    let raw = (if rng.happens(0.9) { near } else { far }) & mask(p.bound_w);
                    if rng.happens(0.1) { cases::absent() } else { leaf(raw, 0) }
                }
            });
            let mut all = leaves(&bounds).into_iter();
            let lists = extend(&refs, &mut |r| match all.next() {
                Some(b) if b.present && r.present => level.fiber(r.p[0], most(&p, b.p[0])),
                _ => Nest::List(vec![]),
            });
            feed[0].extend(encode(&refs, d));
            feed[3].extend(encode(&bounds, d));
            want.extend(encode(&lists, d + 1));
        }
        for latency in [1, 6] {
            let outcomes = match seed {
                0 => check_rtl(&p, &[], &feed, &|| level.memories(latency), &usual_stalls(latency)),
                _ => vec![run_model(&p, &[], &feed, &mut level.memories(latency), Stall::NONE)],
            };
            for got in outcomes {
                assert_eq!(got.unwrap().beats(2), want, "{p:?}");
            }
        }
    }
}

/// Cycles from the first reference to the last beat of fibers of `lens` coordinates, all up to `bound`.
fn cycles(lens: &[u64], bound: u64) -> u64 {
    let level = Level::of(lens);
    let all = |x: &dyn Fn(u64) -> Nest<Leaf>| encode(&Nest::List((0..lens.len() as u64).map(x).collect()), 1);
    let feed: [Vec<Beat>; 4] = [all(&|f| leaf(f, 0)), vec![], vec![], all(&|_| leaf(bound, 0))];
    let out = run_model(&UNTIL, &[], &feed, &mut level.memories(1), Stall::NONE).unwrap();
    out.outputs[2].last().unwrap().0 - out.inputs[0][0]
}

#[test]
fn a_fiber_costs_what_is_needed_of_it() {
    for (bound, most) in [(0, 112), (1, 112), (2, 212), (6, 820), (12, 1220)] {
        let took = cycles(&[12; 100], bound);
        assert!(took <= most, "{took} cycles for fibers to {bound}");
    }
    assert!(cycles(&[0; 100], 5) <= 112);
    assert!(cycles(&[64; 20], 60) <= 20 * 60 + 30);
}
