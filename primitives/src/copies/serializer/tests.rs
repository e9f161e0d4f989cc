//! The serializer as the inverse of the parallelizer, its Verilog, and its promise of one beat a cycle.

use super::Serializer;
use crate::copies::parallelizer::tests::{list, parallelizer};
use crate::copies::parallelizer::{Deal, turn_width};
use crate::every::forms::{Hosted, WIDTHS, item};
use samhw_streams::{Beat, Field, Leaf, Nest, decode, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::nests::{leaf, nest};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_testing::vectors::{Vector, VectorCase, check_cases, vectors};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [_, _, ref_w, stop_w] in WIDTHS {
        let height = u8::from(stop_w > 2);
        all.extend(
            [4, 3, 2, 3].map(|copies| item(Serializer { field: Field::new("val", ref_w), copies, stop_w, height })),
        );
    }
    all
}

fn serializer(copies: u32, height: u8) -> Serializer {
    Serializer { field: Field::new("val", 8), copies, stop_w: 3, height }
}

/// What a parallelizer makes of `x`: the turn, then each copy's beats.
fn dealt(x: &Nest<Leaf>, d: u8, height: u8, copies: u32, deal: Deal, split: bool) -> Vec<Vec<Beat>> {
    let p = parallelizer(1, copies, height, deal, split);
    let out = run_model(&p, &[], &[encode(x, d)], &mut [], Stall::new(7, 0.1, 0.6)).unwrap();
    let copies = copies as usize;
    std::iter::once(out.beats(copies)).chain((0..copies).map(|c| out.beats(c))).collect()
}

fn check(p: &Serializer, rng: &mut Rng, seed: u64, rtl: bool) {
    let (mut feeds, mut expected) = (vec![Vec::new(); 1 + p.copies as usize], Vec::new());
    for run in 0..4 {
        let d = p.height + 1 + rng.below(2) as u8;
        let x = Nest::List((0..rng.below(5)).map(|_| nest(rng, d - 1, &mut |rng| leaf(rng.below(200)))).collect());
        let deal = [Deal::NextFree, Deal::RoundRobin, Deal::InTurn][run % 3];
        for (feed, more) in feeds.iter_mut().zip(dealt(&x, d, p.height, p.copies, deal, run < 3)) {
            feed.extend(more);
        }
        expected.extend(encode(&x, d));
    }
    let outcomes = match rtl {
        true => check_rtl(p, &[], &feeds, &Vec::new, &usual_stalls(seed)),
        false => usual_stalls(seed).iter().map(|&s| run_model(p, &[], &feeds, &mut [], s)).collect(),
    };
    for out in outcomes {
        assert_eq!(out.unwrap().beats(0), expected, "{p:?} {feeds:?}");
    }
}

#[test]
fn undoes_what_the_parallelizer_did() {
    let mut rng = Rng::new(5);
    for round in 0..300 {
        let p = serializer([2, 3, 4, 5][round as usize % 4], (round / 4 % 3) as u8);
        check(&p, &mut rng, round, false);
    }
}

#[test]
fn verilog_moves_as_the_model() {
    let mut rng = Rng::new(6);
    for p in [serializer(4, 0), serializer(3, 1)] {
        for seed in 0..15 {
            check(&p, &mut rng, seed, true);
        }
    }
}

#[test]
fn one_beat_a_cycle() {
    for n in [1, 2, 5, 64] {
        let lists = |k: u64| Nest::List((0..n).map(|c| Nest::Leaf(leaf(k + c))).collect());
        let x = Nest::List((0..40).map(lists).collect());
        let feeds = dealt(&x, 2, 1, 4, Deal::RoundRobin, true);
        let out = run_model(&serializer(4, 1), &[], &feeds, &mut [], Stall::NONE).unwrap();
        let at: Vec<u64> = out.outputs[0].iter().map(|o| o.0).collect();
        assert_eq!(at[at.len() - 1] - at[0] + 1, 40 * n + 1);
    }
}

#[test]
fn both_refuse_a_copy_that_ends_too_soon() {
    let p = serializer(2, 0);
    let feeds = [vec![Beat::data(1, 0), Beat::DONE], vec![Beat::DONE], vec![Beat::data(1, 3), Beat::DONE]];
    let got = check_rtl(&p, &[], &feeds, &Vec::new, &usual_stalls(1));
    assert!(got.iter().all(Result::is_err));
}

/// The turn of lists of items at `height`, dealt round robin.
fn round_robin(x: &Nest<Leaf>, d: u8, height: u8, copies: u64) -> Nest<Leaf> {
    let of = |(k, y)| {
        if d == height + 1 { Nest::Leaf(leaf(k as u64 % copies)) } else { round_robin(y, d - 1, height, copies) }
    };
    Nest::List(list(x).iter().enumerate().map(of).collect())
}

#[test]
fn agrees_with_the_shared_vectors() {
    for height in 0..3u8 {
        for copies in 2..6u32 {
            let here = |v: &&Vector| v.param("height") == i64::from(height) && v.param("lanes") == i64::from(copies);
            let all = vectors("serializer");
            let case = |v: &Vector| {
                let (want, d) = (v.output("out", 8), v.depth("out"));
                let turn = round_robin(&decode(&want, d).unwrap(), d, height, copies.into());
                let lanes = (0..copies).map(|k| v.input(&format!("lane{k}"), 8));
                let feeds = std::iter::once(encode(&turn, d - height)).chain(lanes).collect();
                VectorCase { line: v.line, feeds, wants: vec![want] }
            };
            let cases: Vec<VectorCase> = all.iter().filter(here).map(case).collect();
            check_cases(&serializer(copies, height), &[], &cases);
        }
    }
}

#[test]
fn a_turn_holds_the_number_of_a_copy() {
    assert_eq!([2, 3, 4, 5, 8, 9].map(|n| turn_width(n, 1)), [1, 2, 2, 3, 3, 4]);
    assert_eq!(turn_width(2, 3), 3);
}
