//! The vector reducer against its meaning, its Verilog and its cycle counts.

mod cycles;
pub(crate) mod nests;

use super::ReducerVector;
use crate::arith::alu::Alu;
use crate::blocks::{Fold, Kept};
use crate::every::forms::{Hosted, item};
use crate::reduce::reducer_iterative::tests::PROGRAMS;
use crate::reduce::reducer_pipelined::tests::PIPELINED;
use nests::{Pair, at, fibers, leaf, list, pairs, streams};
use samhw_streams::{Beat, Nest};
use samhw_testing::bench::Stall;
use samhw_testing::drawn::drawn;
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_testing::vectors::{Vector, VectorCase, bundle, check_cases, vectors};
use samhw_values::{Fun, Rng, Routine, Type};
use std::collections::BTreeMap;

/// Operators of one cycle, on types of each kind.
pub(crate) const UNITS: [(Fun, &str); 6] = [
    (Fun::Min, "f32"),
    (Fun::Or, "f16"),
    (Fun::Xor, "bool"),
    (Fun::And, "i32"),
    (Fun::BitAnd, "u8"),
    (Fun::First, "i16"),
];

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let typed = |fun, ty: &str| (fun, Type::from_name(ty).unwrap());
    let pipelined = PIPELINED.map(|(fun, ty)| typed(fun, ty)).map(|(fun, ty)| (Fold::of(fun, ty).unwrap(), ty));
    let programs = PROGRAMS.map(|(fun, ty)| typed(fun, ty)).map(|(fun, ty)| (program(fun, ty), ty));
    let units = UNITS.map(|(fun, ty)| typed(fun, ty)).map(|(fun, ty)| (Fold::of(fun, ty).unwrap(), ty));
    let mut all = Vec::new();
    for (op, ty) in pipelined.into_iter().chain(programs).chain(units) {
        let val_w = Alu::width(ty, 3);
        all.push(item(ReducerVector { op, crd_w: 4, val_w, signed: true, stop_w: 3, words: 16, banks: 2 }));
    }
    for (op, crd_w, words, banks) in
        [(Fold::Add, 4, 16, 2), (Fold::Min, 8, 256, 2), (Fold::Max, 12, 1500, 4), (Fold::Add, 17, 1 << 17, 2)]
    {
        all.push(item(ReducerVector { op, crd_w, val_w: 16, signed: op == Fold::Min, stop_w: 3, words, banks }));
    }
    all
}

/// With `words` = 2^crd_w.
fn reducer(op: Fold, crd_w: u32, signed: bool, banks: u32) -> ReducerVector {
    ReducerVector { op, crd_w, val_w: 16, signed, stop_w: 3, words: 1 << crd_w, banks }
}

/// The operator again, on values.
pub(crate) fn meaning(op: Fold, signed: bool, a: u64, b: u64) -> u64 {
    let less = if signed { (b as i16) < (a as i16) } else { (b as u16) < (a as u16) };
    match op {
        Fold::Add => (a as u16).wrapping_add(b as u16).into(),
        Fold::Min => {
            if less {
                b
            } else {
                a
            }
        }
        Fold::Max => {
            if less {
                a
            } else {
                b
            }
        }
        Fold::Of(fun, ty) | Fold::Pipelined(fun, ty) => fun.apply(&[a, b], ty),
        Fold::Program(routine) => program_meaning(routine, a, b),
    }
}

/// The same of what programs fold here.
fn program_meaning(routine: Kept, a: u64, b: u64) -> u64 {
    let fun = Fun::ALL.iter().find(|f| f.name() == routine.get().name).expect("a function of the library");
    fun.apply(&[a, b], routine.get().ty)
}

/// The operator `fun` of `ty` as a program.
pub(crate) fn program(fun: Fun, ty: Type) -> Fold {
    Fold::Program(Kept::new(Routine::library(fun, ty).unwrap()).unwrap())
}

/// Every list of fibers as one fiber.
fn reduced(p: &ReducerVector, x: &Nest<Pair>, d: u8) -> Nest<Pair> {
    at(x, d, 2, &mut |lists| {
        let mut sum = BTreeMap::new();
        for (c, v) in list(lists).iter().flat_map(|f| list(f).iter().map(leaf)) {
            if let Some(v) = v {
                sum.entry(c)
                    .and_modify(|a| *a = meaning(p.op, p.signed, *a, v & 0xffff))
                    .or_insert(p.op.first(v & 0xffff));
            }
        }
        Nest::List(sum.into_iter().map(|(c, v)| Nest::Leaf((c, Some(v)))).collect())
    })
}

/// Runs model and Verilog on several runs back to back.
fn check(p: &ReducerVector, runs: &[(Nest<Pair>, u8)], seed: u64) {
    let (mut feeds, mut want) = ([Vec::new(), Vec::new()], Vec::new());
    for (x, d) in runs {
        for (f, s) in feeds.iter_mut().zip(streams(x, *d, p.val_w)) {
            f.extend(s);
        }
        want.extend(pairs(&reduced(p, x, *d), d - 1, p.val_w));
    }
    for got in check_rtl(p, &[], &feeds, &Vec::new, &usual_stalls(seed)) {
        assert_eq!(got.unwrap().beats(0), want, "{runs:?}");
    }
}

fn random(p: &ReducerVector, top: u64, seeds: u64) {
    let mut rng = Rng::new(top);
    for seed in 0..seeds {
        let runs: Vec<_> = (0..1 + rng.below(8)).map(|_| 2 + rng.below(3) as u8).collect();
        let runs: Vec<_> = runs.into_iter().map(|d| (fibers(&mut rng, d, top), d)).collect();
        check(p, &runs, seed);
    }
}

#[test]
fn without_bitmap_in_ram() {
    random(&reducer(Fold::Add, 4, false, 2), 16, 40);
}

#[test]
fn with_one_level_in_ram() {
    random(&reducer(Fold::Min, 8, true, 2), 256, 40);
    random(&reducer(Fold::Min, 8, true, 2), 6, 40);
}

#[test]
fn folds_with_other_functions_and_with_pipelined_ones() {
    let all = [
        (Fun::Max, Type::F16),
        (Fun::BitXor, Type::int(16, false)),
        (Fun::Add, Type::BF16),
        (Fun::Mul, Type::int(16, true)),
        (Fun::Mul, Type::Fixed { bits: 16, frac: 5, signed: false }),
    ];
    for (fun, ty) in drawn(all, 2) {
        random(&reducer(Fold::of(fun, ty).unwrap(), 4, false, 2), 16, 40);
    }
}

#[test]
fn folds_with_programs() {
    let saturating = Type::Int { bits: 16, signed: true, saturating: true };
    let all = [(Fun::Gcd, Type::int(16, false)), (Fun::Lcm, Type::int(16, false)), (Fun::Mul, saturating)];
    for (fun, ty) in drawn(all, 1) {
        random(&reducer(program(fun, ty), 4, false, 2), 16, 8);
    }
    let p = ReducerVector { words: 1500, ..reducer(program(Fun::Gcd, Type::int(16, true)), 12, false, 4) };
    random(&p, 1500, 8);
    random(&p, 9, 8);
}

#[test]
fn with_two_levels_and_four_banks() {
    let p = ReducerVector { words: 1500, ..reducer(Fold::Max, 12, false, 4) };
    random(&p, 1500, 40);
    random(&p, 9, 40);
}

#[test]
fn with_three_levels_in_ram() {
    let p = reducer(Fold::Max, 17, true, 2);
    random(&p, 1 << 17, 30);
}

#[test]
fn one_coordinate_in_consecutive_cycles() {
    for crd_w in [8, 12, 14] {
        let p = reducer(Fold::Add, crd_w, false, 2);
        for (fibers, crds) in [(20, vec![7]), (10, vec![7, 9]), (10, vec![7, 39]), (7, vec![7, 8, 200])] {
            let fiber = |k: u64| Nest::List(crds.iter().map(|&c| Nest::Leaf((c, Some(c + k)))).collect());
            let x = Nest::List((0..5).map(|_| Nest::List((0..fibers).map(fiber).collect())).collect());
            check(&p, &[(x.clone(), 3), (x, 3)], fibers);
        }
    }
}

/// Each coordinate a bit of one of three words of the lowest level: what the arrivals before wrote is mostly on its way.
#[test]
fn words_that_are_on_their_way_to_block_ram() {
    for (words, banks) in drawn([(1100, 2), (1500, 4), (4096, 2), (16384, 2)], 2) {
        let p = ReducerVector { words, ..reducer(Fold::Add, 14, false, banks) };
        let mut rng = Rng::new(words.into());
        for seed in 0..20 {
            let mut fiber = |n: u64| {
                let crds: std::collections::BTreeSet<u64> =
                    (0..n).map(|_| rng.below(3) * 32 + rng.below(4) * 9).collect();
                Nest::List(crds.into_iter().map(|c| Nest::Leaf((c, Some(c + n)))).collect())
            };
            let lists = (0..30).map(|k| Nest::List((0..1 + k % 4).map(|n| fiber(1 + (n + k + seed) % 5)).collect()));
            check(&p, &[(Nest::List(lists.collect()), 3)], seed);
        }
    }
}

#[test]
fn agrees_with_the_shared_vectors() {
    let vectors = vectors("reducer1");
    for (op, name) in [(Fold::Add, "add"), (Fold::Min, "min"), (Fold::Max, "max")] {
        let of_op = vectors.iter().filter(|v| v.params["op"] == name);
        let case = |v: &Vector| {
            let feeds = ["crd", "val"].map(|n| v.input(n, 16)).to_vec();
            VectorCase { line: v.line, feeds, wants: vec![bundle(&v.output("crd", 16), &v.output("val", 16))] }
        };
        check_cases(&reducer(op, 3, true, 2), &[], &of_op.map(case).collect::<Vec<_>>());
    }
}

#[test]
fn malformed_streams_are_refused() {
    let p = ReducerVector { words: 200, ..reducer(Fold::Add, 8, false, 2) };
    let misaligned = [vec![Beat::data(2, 1), Beat::DONE], vec![Beat::data(1, 1), Beat::DONE]];
    let beyond = [vec![Beat::data(2, 200), Beat::DONE], vec![Beat::data(2, 1), Beat::DONE]];
    for feeds in [misaligned, beyond] {
        assert!(check_rtl(&p, &[], &feeds, &Vec::new, &[Stall::NONE])[0].is_err());
    }
}
