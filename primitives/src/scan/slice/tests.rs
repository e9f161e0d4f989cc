//! The slice against its meaning and its Verilog.

use super::{MAX_SET, Select, Slice};
use crate::every::forms::{Hosted, WIDTHS, item};
use samhw_streams::{Beat, Leaf, Nest, Primitive, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_in_w, _, ref_w, stop_w] in WIDTHS {
        let most = |n: u64| if crd_in_w == 1 { n.min(1) } else { n };
        let selected = [steps(1, 1, 1), steps(0, most(2), most(3)), steps(0, most(3), 2), steps(0, 1, 0)];
        for select in selected.into_iter().chain([Select::Set(vec![1]), Select::Set(vec![0, 1])]) {
            let slice = |crd_w, to_step| {
                let select = select.clone();
                item(Slice { crd_in_w, crd_w, x_w: ref_w, stop_w, select, to_first: 0, to_step })
            };
            all.extend([slice(9, 3), slice(stop_w, 1)]);
        }
    }
    all
}

fn slice(crd_in_w: u32, select: Select, to: [u64; 2]) -> Slice {
    Slice { crd_in_w, crd_w: 9, x_w: 7, stop_w: 3, select, to_first: to[0], to_step: to[1] }
}

fn steps(first: u64, step: u64, count: u64) -> Select {
    Select::Steps { first, step, count }
}

/// Shifts and odd factors, windows at both ends, none, one, all; sets of one and of most.
fn samples() -> Vec<Slice> {
    let most: Vec<u64> = (0..MAX_SET as u64).map(|k| 2 * k).collect();
    vec![
        slice(6, steps(0, 1, 64), [0, 1]),
        slice(6, steps(10, 1, 20), [0, 1]),
        slice(6, steps(3, 4, 9), [0, 1]),
        slice(6, steps(5, 3, 20), [7, 5]),
        slice(6, steps(1, 12, 5), [0, 1]),
        slice(6, steps(63, 1, 1), [0, 1]),
        slice(6, steps(0, 1, 0), [0, 1]),
        slice(6, steps(2, 61, 2), [100, 200]),
        slice(6, Select::Set(vec![0, 1, 9, 33]), [0, 1]),
        slice(6, Select::Set(vec![63]), [4, 2]),
        slice(6, Select::Set(most), [0, 1]),
    ]
}

/// One with a shift, one with an odd factor, one that does more than select, one set.
fn in_verilog(p: &Slice) -> bool {
    match &p.select {
        Select::Steps { first, .. } => [3, 5, 1].contains(first),
        Select::Set(set) => set.len() == 4,
    }
}

/// The k-th of the selected coordinates, by counting them.
fn selected(p: &Slice) -> Vec<u64> {
    match &p.select {
        Select::Steps { first, step, count } => (0..*count).map(|k| first + k * step).collect(),
        Select::Set(set) => set.clone(),
    }
}

fn meaning(p: &Slice, x: &Nest<Leaf>) -> Nest<Leaf> {
    let Nest::List(items) = x else { panic!("a list was expected") };
    let wanted = selected(p);
    Nest::List(
        items
            .iter()
            .filter_map(|item| match item {
                Nest::Leaf(l) => wanted
                    .iter()
                    .position(|&c| c == l.p[0])
                    .map(|k| Nest::Leaf(Leaf { p: [p.to_first + k as u64 * p.to_step, l.p[1]], ..*l })),
                list => Some(meaning(p, list)),
            })
            .collect(),
    )
}

fn random(rng: &mut Rng, d: u8) -> Nest<Leaf> {
    if d > 1 {
        return Nest::List((0..rng.below(5)).map(|_| random(rng, d - 1)).collect());
    }
    let density = rng.below(4);
    let leaf = |rng: &mut Rng, c| {
        let present = rng.happens(0.8);
        Nest::Leaf(Leaf { present, p: [c, if present { rng.below(128) } else { 0 }] })
    };
    Nest::List(
        (0..64).filter(|_| rng.below(4) < density).collect::<Vec<_>>().into_iter().map(|c| leaf(rng, c)).collect(),
    )
}

#[test]
fn what_is_selected_stays_and_is_numbered_anew() {
    let mut rng = Rng::new(11);
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
        if in_verilog(&p) {
            for got in check_rtl(&p, &[], std::slice::from_ref(&feed), &Vec::new, &usual_stalls(seed)) {
                assert_eq!(got.unwrap().beats(0), want, "{p:?}");
            }
        }
    }
}

#[test]
fn every_step_divides() {
    for crd_in_w in [3, 8, 16] {
        let size = 1u64 << crd_in_w;
        let mut rng = Rng::new(u64::from(crd_in_w));
        for n in 0..300 {
            let step = if n < 40 { n + 1 } else { 1 + rng.below(size) };
            let first = rng.below(size);
            let count = rng.below((size - 1 - first) / step + 2);
            let p = slice(crd_in_w, steps(first, step, count), [0, 1]);
            for crd in (0..size).step_by(if crd_in_w == 16 { 7 } else { 1 }) {
                let far = crd.checked_sub(first).filter(|f| f % step == 0).map(|f| f / step);
                assert_eq!(p.place(crd), far.filter(|&k| k < count), "{p:?} {crd}");
            }
        }
    }
}

#[test]
fn one_beat_a_cycle() {
    for length in [1, 2, 5, 64] {
        for p in samples().into_iter().filter(in_verilog) {
            let fiber: Vec<Beat> = (0..length).map(|c| Beat::pair(u8::from(c + 1 == length), c, 1)).collect();
            let mut feed = [fiber, vec![Beat::nil(1, 1)]].concat().repeat(20);
            feed.push(Beat::nil(2, 1));
            feed.push(Beat::DONE);
            let n = feed.len() as u64;
            for got in check_rtl(&p, &[], &[feed], &Vec::new, &[Stall::NONE]) {
                let got = got.unwrap();
                let last = got.outputs[0].last().unwrap().0 - got.inputs[0][0];
                assert_eq!(last, n - 1 + u64::from(p.latency()), "{p:?}");
            }
        }
    }
}
