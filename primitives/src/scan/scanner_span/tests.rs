//! The scanner of spans against its meaning, its Verilog against its model.

use super::{ScannerSpan, SpanEnd};
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::memories::memory::cases::{self, absent, leaf};
use samhw_streams::{Beat, Leaf, Nest, Primitive};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::{Rng, mask};

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, _, ref_w, stop_w] in WIDTHS {
        for (bound_w, signed) in [(ref_w, true), (crd_w.max(2), false)] {
            for (lo, hi) in
                [(SpanEnd::Closed, SpanEnd::Open), (SpanEnd::Level, SpanEnd::Closed), (SpanEnd::Open, SpanEnd::Level)]
            {
                all.push(item(ScannerSpan { lo, hi, bound_w, signed, crd_w, stop_w }));
            }
        }
    }
    all
}

const ENDS: [SpanEnd; 3] = [SpanEnd::Level, SpanEnd::Closed, SpanEnd::Open];

fn scanner(lo: SpanEnd, hi: SpanEnd, signed: bool) -> ScannerSpan {
    ScannerSpan { lo, hi, bound_w: 16, signed, crd_w: 16, stop_w: 3 }
}

/// All forms with a bound.
fn samples() -> impl Iterator<Item = ScannerSpan> {
    let all = ENDS.into_iter().flat_map(|lo| ENDS.map(|hi| (lo, hi)));
    let bounded = all.filter(|(lo, hi)| lo.is_bound() || hi.is_bound());
    bounded.flat_map(|(lo, hi)| [true, false].map(|signed| scanner(lo, hi, signed)))
}

fn number(p: &ScannerSpan, bits: u64) -> i128 {
    let negative = p.signed && bits >> (p.bound_w - 1) & 1 == 1;
    i128::from(bits) - if negative { 1i128 << p.bound_w } else { 0 }
}

/// The coordinates between the bounds, by comparing each with both.
fn spans(p: &ScannerSpan, x: &Nest<Leaf>, dim: u64) -> Nest<Leaf> {
    let holds = |end: SpanEnd, gap: i128| match end {
        SpanEnd::Level => true,
        SpanEnd::Closed => gap >= 0,
        SpanEnd::Open => gap > 0,
    };
    cases::map(x, &|l| {
        let hi = number(p, if p.lo.is_bound() { l.p[1] } else { l.p[0] });
        let lo = number(p, l.p[0]);
        let within = |c: &u64| holds(p.lo, i128::from(*c) - lo) && holds(p.hi, hi - i128::from(*c));
        let crds: Vec<u64> = if l.present { (0..dim).filter(within).collect() } else { vec![] };
        Nest::List(crds.into_iter().map(|c| leaf(c, 0)).collect())
    })
}

/// Bounds near the ends of the level and of the numbers.
fn bounds(rng: &mut Rng, p: &ScannerSpan, x: &Nest<Leaf>, dim: u64) -> Nest<Leaf> {
    let near = |rng: &mut Rng, c: u64| c.wrapping_add(rng.below(5)).wrapping_sub(2);
    let bound = |rng: &mut Rng| {
        let bits = match rng.below(6) {
            0 => near(rng, 0),
            1 => near(rng, dim),
            2 => near(rng, 1 << (p.bound_w - 1)),
            3 => rng.bits(),
            _ => rng.below(dim.max(1)),
        };
        bits & mask(p.bound_w)
    };
    match x {
        Nest::List(items) => Nest::List(items.iter().map(|i| bounds(rng, p, i, dim)).collect()),
        Nest::Leaf(l) if !l.present => absent(),
        Nest::Leaf(_) => {
            let first = bound(rng);
            leaf(first, if p.lo.is_bound() && p.hi.is_bound() { bound(rng) } else { 0 })
        }
    }
}

fn check(p: &ScannerSpan, dim: u64, seed: u64) {
    let mut rng = Rng::new(seed);
    let inputs: Vec<(Nest<Leaf>, u8)> = (0..60)
        .map(|k| {
            let x = cases::random(&mut rng, k % 4, 2);
            (bounds(&mut rng, p, &x, dim), k % 4)
        })
        .collect();
    let outputs: Vec<_> = inputs.iter().map(|(x, d)| (spans(p, x, dim), d + 1)).collect();
    let (feed, want) = (cases::runs(&inputs), cases::runs(&outputs));
    let got = check_rtl(p, &[dim], &[feed], &Vec::new, &usual_stalls(dim));
    cases::assert_no_bubble(&got[0].as_ref().unwrap().outputs[0], p.latency());
    for got in got {
        assert_eq!(got.unwrap().beats(0), want, "{p:?} dim {dim}");
    }
}

#[test]
fn gives_the_coordinates_between_the_bounds() {
    for (k, p) in samples().enumerate() {
        for dim in [[0, 7], [1, 2]][k % 2] {
            check(&p, dim, k as u64);
        }
    }
}

#[test]
fn narrow_bounds_and_the_largest_dimension_work_too() {
    for (bound_w, crd_w, dim) in [(8, 4, 16), (8, 10, 300), (33, 4, 9), (64, 5, 31)] {
        for p in samples().skip(bound_w as usize % 3).step_by(3) {
            check(&ScannerSpan { bound_w, crd_w, ..p }, dim, 3);
        }
    }
}

#[test]
fn a_span_takes_max_1_length_cycles() {
    for length in [0, 1, 2, 5, 64] {
        let p = scanner(SpanEnd::Closed, SpanEnd::Open, true);
        let x = Nest::List((0..50).map(|r| leaf(r, r + length)).collect());
        let feed = cases::runs(&[(x.clone(), 1), (x, 1)]);
        let out = run_model(&p, &[200], &[feed], &mut [], Stall::NONE).unwrap();
        assert_eq!(out.outputs[0].len() as u64, 2 * (50 * length.max(1) + 1));
        cases::assert_no_bubble(&out.outputs[0], p.latency());
    }
}

#[test]
fn both_refuse_a_stop_that_does_not_fit() {
    let p = scanner(SpanEnd::Level, SpanEnd::Closed, false);
    let got = check_rtl(&p, &[2], &[vec![Beat::data(7, 0)]], &Vec::new, &usual_stalls(1));
    assert!(got.iter().all(Result::is_err));
}
