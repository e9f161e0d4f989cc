//! What stays is what lies between the bounds, and hints are of the right fibers; the Verilog as its model.

use super::Between;
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::scan::scanner_span::SpanEnd;
use samhw_streams::{Beat, Leaf, Nest, Primitive, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::nests::{N, extend, leaves, nest};
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
                all.push(item(Between { lo, hi, bound_w, signed, crd_w, x_w: ref_w, stop_w, tag_w: 12 }));
            }
        }
    }
    all
}

const ENDS: [SpanEnd; 3] = [SpanEnd::Level, SpanEnd::Closed, SpanEnd::Open];

/// All pairs of ends of which one is a bound, in bits that hold less, as much and more than a coordinate.
fn samples() -> Vec<Between> {
    let ends = ENDS.iter().flat_map(|&lo| ENDS.iter().map(move |&hi| (lo, hi)));
    let bounds = [(8, true), (4, true), (6, false), (33, true)];
    let pairs = ends.filter(|(lo, hi)| lo.is_bound() || hi.is_bound());
    pairs
        .zip(bounds.into_iter().cycle())
        .map(|((lo, hi), (bound_w, signed))| Between { lo, hi, bound_w, signed, crd_w: 5, x_w: 7, stop_w: 3, tag_w: 5 })
        .collect()
}

/// A bound as a number.
fn number(p: &Between, raw: u64) -> i128 {
    let negative = p.signed && raw >> (p.bound_w - 1) & 1 == 1;
    i128::from(raw) - if negative { 1 << p.bound_w } else { 0 }
}

/// The bounds of a leaf as they are meant: the least and the largest coordinate, if any is left.
fn ends(p: &Between, l: &Leaf) -> Limits {
    let (lo, hi) = (number(p, l.p[0]), number(p, if p.lo.is_bound() { l.p[1] } else { l.p[0] }));
    let least = match p.lo {
        SpanEnd::Level => 0,
        SpanEnd::Closed => lo,
        SpanEnd::Open => lo + 1,
    };
    let most = match p.hi {
        SpanEnd::Level => i128::MAX,
        SpanEnd::Closed => hi,
        SpanEnd::Open => hi - 1,
    };
    l.present.then_some((least, most))
}

fn bounds(p: &Between, rng: &mut Rng) -> Leaf {
    if rng.happens(0.1) {
        return N;
    }
    let mut raw = || {
        let near = rng.below(40).wrapping_sub(4);
        let far = rng.bits();
        (if rng.happens(0.9) { near } else { far }) & mask(p.bound_w)
    };
    let both = p.lo.is_bound() && p.hi.is_bound();
    Leaf { present: true, p: [raw(), if both { raw() } else { 0 }] }
}

/// What a fiber's bounds leave: the least and the largest coordinate.
type Limits = Option<(i128, i128)>;

/// Streams and what is wanted of them.
struct Driven {
    /// Bounds, and the lists below them.
    feed: [Vec<Beat>; 2],
    /// What stays of the lists.
    want: Vec<Beat>,
    /// The limits of every fiber, as a scanner counts them.
    fibers: Vec<Limits>,
}

/// `n` random nests.
fn drive(p: &Between, rng: &mut Rng, n: usize) -> Driven {
    let (mut feed, mut want, mut fibers) = ([vec![], vec![]], vec![], vec![]);
    for d in (0..3).cycle().take(n) {
        let x = nest(rng, d, &mut |rng| bounds(p, rng));
        let full = rng.below(4);
        let lists = extend(&x, &mut |_| {
            let some = (0..32).filter(|_| rng.below(4) < full).collect::<Vec<u64>>();
            Nest::List(some.into_iter().map(|c| Nest::Leaf(Leaf { present: true, p: [c, rng.below(128)] })).collect())
        });
        let mut all = leaves(&x).into_iter();
        let mut of_list = lists.clone();
        keep(p, &mut of_list, d, &mut || all.next().unwrap_or(N));
        let beats = encode(&x, d);
        fibers.extend(beats.iter().map(|b| match b.is_leaf() {
            true => ends(p, &Leaf { present: b.kind == samhw_streams::Kind::Data, p: b.p }),
            false => None,
        }));
        feed[0].extend(beats);
        feed[1].extend(encode(&lists, d + 1));
        want.extend(encode(&of_list, d + 1));
    }
    Driven { feed, want, fibers }
}

/// Leaves in every list what its bounds, which come one after another, let stay.
fn keep(p: &Between, x: &mut Nest<Leaf>, d: u8, next: &mut dyn FnMut() -> Leaf) {
    let Nest::List(items) = x else { panic!("lists stand below leaves") };
    if d > 0 {
        return items.iter_mut().for_each(|item| keep(p, item, d - 1, next));
    }
    let ends = ends(p, &next());
    items.retain(|item| {
        let Nest::Leaf(l) = item else { panic!("leaves stand in lists") };
        ends.is_some_and(|(lo, hi)| (lo..=hi).contains(&i128::from(l.p[0])))
    });
}

/// Every hint says of a fiber what its bounds are: at least the first, at most the last coordinate needed.
fn check_hints(p: &Between, port: usize, hints: &[Beat], fibers: &[Limits]) {
    let mut next = 0;
    for hint in hints {
        let (fiber, crd) = (hint.p[0], i128::from(hint.p[1]));
        assert_eq!(fiber >> p.tag_w, 0, "none says that a fiber is over");
        // They come in order; those that found no room are left out.
        let same = |f: &usize| *f as u64 & mask(p.tag_w) == fiber;
        let fits = |f: &usize| match (port, fibers[*f]) {
            (1, Some((lo, _))) => crd == lo,
            (2, Some((lo, hi))) => crd == hi || (crd == 0 && (hi < 0 || lo > 31)),
            (_, of) => port == 2 && of.is_none() && crd == 0,
        };
        let found = (next..fibers.len()).filter(same).find(fits);
        next = 1 + found.unwrap_or_else(|| panic!("{p:?}: {hint:?} at {port} is of no fiber from {next} on"));
    }
}

#[test]
fn what_lies_between_the_bounds_stays() {
    let mut rng = Rng::new(23);
    for (seed, p) in (0..).zip(samples()) {
        let Driven { feed, want, fibers } = drive(&p, &mut rng, 60);
        let model = run_model(&p, &[], &feed, &mut [], Stall::NONE).unwrap();
        assert_eq!(model.beats(0), want, "{p:?}");
        if p.hi.is_bound() {
            assert!(model.beats(2).len() > 20, "{p:?}");
        }
        if seed % 3 == 0 {
            for got in check_rtl(&p, &[], &feed, &Vec::new, &usual_stalls(seed)) {
                let got = got.unwrap();
                assert_eq!(got.beats(0), want, "{p:?}");
                check_hints(&p, 1, &got.beats(1), &fibers);
                check_hints(&p, 2, &got.beats(2), &fibers);
            }
        }
    }
}

#[test]
fn one_beat_a_cycle() {
    let p = Between {
        lo: SpanEnd::Closed,
        hi: SpanEnd::Open,
        bound_w: 8,
        signed: false,
        crd_w: 8,
        x_w: 7,
        stop_w: 3,
        tag_w: 12,
    };
    for length in [1, 2, 5, 64] {
        let fiber: Vec<Beat> = (0..length).map(|c| Beat::pair(u8::from(c + 1 == length), c, 1)).collect();
        let mut feed = fiber.repeat(20);
        feed.extend([Beat::nil(2, 1), Beat::DONE]);
        let bounds = [vec![Beat::pair(0, 0, 3); 20], vec![Beat::pair(1, 0, 3), Beat::DONE]].concat();
        let n = feed.len() as u64;
        for got in check_rtl(&p, &[], &[bounds, feed], &Vec::new, &[Stall::NONE]) {
            let got = got.unwrap();
            let last = got.outputs[0].last().unwrap().0 - got.inputs[1][0];
            assert!(last <= n + u64::from(p.latency()), "{last} cycles for {n} beats");
        }
    }
}
