//! The parallelizer against its meaning, its Verilog, and its promise of one beat a cycle.

use super::{Deal, Parallelizer};
use crate::every::forms::{Hosted, WIDTHS, item};
use samhw_streams::{Beat, Field, Leaf, Nest, decode, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::nests::{fibers, leaf, map, nest};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_testing::vectors::{Vector, VectorCase, check_cases, vectors};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for (n, [crd_w, ref_in_w, ref_w, stop_w]) in WIDTHS.into_iter().enumerate() {
        for (copies, deal, split) in [
            (4, Deal::NextFree, false),
            (3, Deal::RoundRobin, true),
            (2, Deal::Coordinate, true),
            (3, Deal::InTurn, false),
        ] {
            let fields = [crd_w, ref_w, ref_in_w].map(|w| Field::new("crd", w));
            let (fields, height) = (fields[..1 + n % 3].to_vec(), u8::from(stop_w > 2));
            all.push(item(Parallelizer { fields, copies, stop_w, height, deal, split, turn: n != 0 }));
        }
    }
    all
}

pub(crate) fn parallelizer(streams: usize, copies: u32, height: u8, deal: Deal, split: bool) -> Parallelizer {
    let fields = [Field::new("crd", 8), Field::new("ref", 6), Field::new("ref", 9)][..streams].to_vec();
    Parallelizer { fields, copies, stop_w: 3, height, deal, split, turn: true }
}

pub(crate) fn list(x: &Nest<Leaf>) -> &[Nest<Leaf>] {
    match x {
        Nest::List(v) => v,
        Nest::Leaf(_) => panic!("a list was expected"),
    }
}

/// Copy `c`'s part of `x` of depth `d`, dealt as `turn` (a leaf per item of height `h`) says.
fn part(x: &Nest<Leaf>, turn: &Nest<Leaf>, d: u8, h: u8, c: u64, split: bool) -> Nest<Leaf> {
    let pairs = list(x).iter().zip(list(turn));
    if d > h + 1 {
        return Nest::List(pairs.map(|(y, t)| part(y, t, d - 1, h, c, split)).collect());
    }
    let mine = pairs.filter(|(_, t)| matches!(t, Nest::Leaf(l) if l.p[0] == c)).map(|(y, _)| y.clone());
    if !split {
        return Nest::List(mine.collect());
    }
    // Each item alone; the list ends with its last item, or with a list of none.
    let mut items: Vec<Nest<Leaf>> = mine.map(|y| Nest::List(vec![y])).collect();
    let last = list(turn).last().is_some_and(|t| matches!(t, Nest::Leaf(l) if l.p[0] == c));
    if !last && !list(turn).is_empty() {
        items.push(Nest::List(vec![]));
    }
    Nest::List(items)
}

/// Streams of several runs with the turn that `deal` must take; of next free the turn is free.
fn check(p: &Parallelizer, rng: &mut Rng, stalls: &[Stall], rtl: bool) {
    let (d, h, n) = (p.height + 1 + rng.below(2) as u8, p.height, p.fields.len());
    let x = Nest::List((0..1 + rng.below(4)).map(|_| nest(rng, d - 1, &mut |rng| leaf(rng.below(64)))).collect());
    let other = map(&x, &mut |l| Leaf { present: l.p[0] & 3 != 0, p: [if l.p[0] & 3 != 0 { l.p[0] } else { 0 }, 0] });
    let shapes = [x.clone(), other, map(&x, &mut |l| leaf(l.p[0] + 100))];
    let feeds: Vec<Vec<Beat>> = shapes[..n].iter().map(|s| encode(s, d).repeat(2)).collect();
    let outcomes = match rtl {
        true => check_rtl(p, &[], &feeds, &Vec::new, stalls),
        false => stalls.iter().map(|&s| run_model(p, &[], &feeds, &mut [], s)).collect(),
    };
    for out in outcomes {
        let out = out.unwrap();
        let turns = out.beats(p.copies as usize * n);
        let runs: Vec<&[Beat]> = turns.split_inclusive(|b| *b == Beat::DONE).collect();
        assert_eq!(runs.len(), 2);
        let turn: Vec<Nest<Leaf>> = runs.iter().map(|r| decode(r, d - h).unwrap()).collect();
        for c in 0..p.copies as usize {
            for (k, x) in shapes[..n].iter().enumerate() {
                let lane = |t| encode(&part(x, t, d, h, c as u64, p.split), d + u8::from(p.split));
                let expected: Vec<Beat> = turn.iter().flat_map(lane).collect();
                assert_eq!(out.beats(c * n + k), expected, "{p:?} copy {c} stream {k} of {x:?}, turns {turn:?}");
            }
        }
        match p.deal {
            Deal::RoundRobin => in_turn(&turn[0], u64::from(p.copies)),
            Deal::InTurn => turn.iter().for_each(|run| _ = onward(run, u64::from(p.copies), 0)),
            Deal::Coordinate if h == 0 => {
                let want = map(&x, &mut |l| leaf(Parallelizer::copy_of(u64::from(p.copies), l.p[0])));
                assert_eq!(turn, [want.clone(), want]);
            }
            _ => {}
        }
    }
}

fn in_turn(turn: &Nest<Leaf>, copies: u64) {
    for (k, t) in list(turn).iter().enumerate() {
        match t {
            Nest::List(_) => in_turn(t, copies),
            Nest::Leaf(l) => assert_eq!(l.p[0], k as u64 % copies),
        }
    }
}

/// Checks that items are dealt one after the other whatever lists they are in; the copy after the last one.
fn onward(turn: &Nest<Leaf>, copies: u64, first: u64) -> u64 {
    list(turn).iter().fold(first, |next, t| match t {
        Nest::List(_) => onward(t, copies, next),
        Nest::Leaf(l) => {
            assert_eq!(l.p[0], next);
            (next + 1) % copies
        }
    })
}

fn samples() -> Vec<Parallelizer> {
    let mut all = Vec::new();
    for (streams, copies, height) in [(1, 4, 0), (2, 3, 0), (3, 2, 1), (1, 5, 2)] {
        for split in [false, true] {
            all.extend(
                [Deal::RoundRobin, Deal::InTurn, Deal::NextFree, Deal::Coordinate]
                    .map(|d| parallelizer(streams, copies, height, d, split)),
            );
        }
    }
    all
}

#[test]
fn model_means_what_it_says() {
    let mut rng = Rng::new(3);
    for round in 0..400 {
        let all = samples();
        check(&all[round % all.len()], &mut rng, &usual_stalls(round as u64), false);
    }
}

#[test]
fn verilog_moves_as_the_model() {
    let mut rng = Rng::new(4);
    for p in [
        parallelizer(2, 4, 0, Deal::NextFree, false),
        parallelizer(2, 3, 0, Deal::NextFree, true),
        parallelizer(3, 2, 1, Deal::Coordinate, false),
        parallelizer(2, 3, 0, Deal::Coordinate, true),
        parallelizer(1, 5, 0, Deal::Coordinate, false),
        parallelizer(2, 3, 0, Deal::InTurn, false),
        parallelizer(1, 3, 1, Deal::InTurn, true),
    ] {
        for seed in 0..12 {
            check(&p, &mut rng, &usual_stalls(seed), true);
        }
    }
}

#[test]
fn one_beat_a_cycle() {
    for p in samples().into_iter().filter(|p| p.height == 0) {
        let lists = [5, 64, 0, 1, 2, 1, 1, 0, 64];
        let feed: Vec<Beat> = fibers(&lists);
        let feeds = vec![feed.clone(); p.fields.len()];
        let out = run_model(&p, &[], &feeds, &mut [], Stall::NONE).unwrap();
        let taken = &out.inputs[0];
        assert_eq!(taken[taken.len() - 1] - taken[0] + 1, feed.len() as u64, "{p:?}");
        assert_eq!(out.outputs[0].last().unwrap().0 - taken[taken.len() - 1], 3, "{p:?}");
    }
}

#[test]
fn a_busy_copy_is_passed_over() {
    let p = parallelizer(1, 2, 0, Deal::NextFree, true);
    let feed = encode(&Nest::List((0..100).map(|k| Nest::Leaf(leaf(k))).collect()), 1);
    let out = run_model(&p, &[], &[feed], &mut [], Stall::new(1, 0.0, 0.5)).unwrap();
    let turns = out.beats(2);
    assert!(turns.windows(2).any(|w| w[0] == w[1]), "no copy was passed over: {turns:?}");
}

#[test]
fn both_refuse_misaligned_streams() {
    let p = parallelizer(2, 4, 0, Deal::NextFree, false);
    let feeds = [vec![Beat::data(1, 3), Beat::DONE], vec![Beat::data(0, 3), Beat::DONE]];
    let got = check_rtl(&p, &[], &feeds, &Vec::new, &usual_stalls(1));
    assert!(got.iter().all(Result::is_err));
}

#[test]
fn agrees_with_the_shared_vectors() {
    for height in 0..3u8 {
        for copies in 2..6u32 {
            let here = |v: &&Vector| v.param("height") == i64::from(height) && v.param("lanes") == i64::from(copies);
            let all = vectors("parallelizer");
            let case = |v: &Vector| {
                let wants = (0..copies).map(|k| v.output(&format!("lane{k}"), 8)).collect();
                VectorCase { line: v.line, feeds: vec![v.input("in", 8)], wants }
            };
            let cases: Vec<VectorCase> = all.iter().filter(here).map(case).collect();
            let p = Parallelizer { turn: false, ..parallelizer(1, copies, height, Deal::RoundRobin, false) };
            check_cases(&p, &[], &cases);
        }
    }
}
