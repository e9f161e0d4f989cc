//! The slice of intervals against its meaning, its Verilog, and its promise of a beat a cycle.

use super::IntervalSlice;
use crate::every::forms::{Hosted, WIDTHS, item};
use samhw_streams::{Beat, Leaf, Nest, Primitive, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::{Rng, mask};

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, _, ref_w, stop_w] in WIDTHS {
        let crd_w = crd_w.min(16);
        for (first, to_first) in [(0, 1), (1, 0)] {
            let count = mask(crd_w);
            all.push(item(IntervalSlice { crd_in_w: crd_w, crd_w, x_w: ref_w, stop_w, first, count, to_first }));
        }
    }
    all
}

const CRD_IN_W: u32 = 6;
const CRD_W: u32 = 7;

fn slice(first: u64, count: u64, to_first: u64) -> IntervalSlice {
    IntervalSlice { crd_in_w: CRD_IN_W, crd_w: CRD_W, x_w: 7, stop_w: 3, first, count, to_first }
}

/// All, both ends, one coordinate, one that is moved up.
fn samples() -> Vec<IntervalSlice> {
    vec![slice(0, 64, 0), slice(10, 20, 0), slice(0, 30, 1), slice(1, 63, 0), slice(63, 1, 5), slice(7, 12, 100)]
}

/// What stays, coordinate by coordinate.
fn meaning(p: &IntervalSlice, x: &Nest<Leaf>) -> Nest<Leaf> {
    let Nest::List(items) = x else { panic!("a list was expected") };
    let kept = |item: &Nest<Leaf>| match item {
        Nest::Leaf(l) => {
            let inside = |c: &u64| (p.first..p.first + p.count).contains(c);
            let all: Vec<u64> = (l.p[0] & 63..=l.p[0] >> CRD_IN_W).filter(inside).collect();
            let [first, last] = [all.first()?, all.last()?].map(|c| c - p.first + p.to_first);
            Some(Nest::Leaf(Leaf { p: [last << CRD_W | first, l.p[1]], ..*l }))
        }
        list @ Nest::List(_) => Some(meaning(p, list)),
    };
    Nest::List(items.iter().filter_map(kept).collect())
}

fn random(rng: &mut Rng, d: u8) -> Nest<Leaf> {
    if d > 1 {
        return Nest::List((0..rng.below(5)).map(|_| random(rng, d - 1)).collect());
    }
    let (mut out, mut first, long) = (Vec::new(), rng.below(20), 1 + rng.below(30));
    while first < 64 && rng.happens(0.9) {
        let last = (first + rng.below(long)).min(63);
        let present = rng.happens(0.8);
        let p = [last << CRD_IN_W | first, if present { rng.below(128) } else { 0 }];
        out.push(Nest::Leaf(Leaf { present, p }));
        first = last + 1 + rng.below(5);
    }
    Nest::List(out)
}

#[test]
fn what_lies_within_stays_and_is_moved() {
    let mut rng = Rng::new(23);
    for (seed, p) in (0..).zip(samples()) {
        let (mut feed, mut want) = (Vec::new(), Vec::new());
        for _ in 0..30 {
            let d = 1 + rng.below(3) as u8;
            let x = random(&mut rng, d);
            feed.extend(encode(&x, d));
            want.extend(encode(&meaning(&p, &x), d));
        }
        let got = run_model(&p, &[], std::slice::from_ref(&feed), &mut [], Stall::NONE).unwrap();
        assert_eq!(got.beats(0), want, "{p:?}");
        if p.to_first > 0 {
            for got in check_rtl(&p, &[], std::slice::from_ref(&feed), &Vec::new, &usual_stalls(seed)) {
                assert_eq!(got.unwrap().beats(0), want, "{p:?}");
            }
        }
    }
}

#[test]
fn one_beat_a_cycle() {
    let p = slice(7, 12, 100);
    for length in [1, 2, 5, 64] {
        let leaf = |c: u64| Beat::pair(u8::from(c + 1 == length), c << CRD_IN_W | c, 1);
        let mut feed = [(0..length).map(leaf).collect(), vec![Beat::nil(1, 1)]].concat().repeat(20);
        feed.extend([Beat::nil(2, 1), Beat::DONE]);
        let n = feed.len() as u64;
        for got in check_rtl(&p, &[], &[feed], &Vec::new, &[Stall::NONE]) {
            let got = got.unwrap();
            let last = got.outputs[0].last().unwrap().0 - got.inputs[0][0];
            assert_eq!(last, n - 1 + u64::from(p.latency()), "{length}");
        }
    }
}

#[test]
fn what_ends_before_it_begins_is_no_interval() {
    let feed = vec![Beat::pair(1, 3 << CRD_IN_W | 4, 1), Beat::DONE];
    assert!(run_model(&slice(0, 64, 0), &[], &[feed], &mut [], Stall::NONE).is_err());
}
