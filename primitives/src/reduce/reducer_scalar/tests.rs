//! The scalar reducer against its meaning, the shared vectors and its Verilog.

use super::ReducerScalar;
use crate::arith::alu::Alu;
use crate::blocks::Fold;
use crate::every::forms::{Hosted, item};
use crate::reduce::reducer_vector::tests::UNITS;
use samhw_streams::{Beat, Leaf, Nest, Primitive, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::nests::{N, fibers, leaf, nest, usual_lengths};
use samhw_testing::rtl::{check_rtl, field, usual_stalls, yosys_cells};
use samhw_testing::vectors::{Vector, VectorCase, check_cases, vectors};
use samhw_values::{Fun, Rng, Type, signed};

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for (op, signed, val_w, stop_w) in [(Fold::Add, true, 16, 3), (Fold::Min, false, 8, 1), (Fold::Max, true, 64, 4)] {
        all.push(item(ReducerScalar { op, val_w, signed, stop_w }));
    }
    for (fun, ty) in UNITS {
        let ty = Type::from_name(ty).unwrap();
        let (op, val_w) = (Fold::of(fun, ty).unwrap(), Alu::width(ty, 3));
        all.push(item(ReducerScalar { op, val_w, signed: true, stop_w: 3 }));
    }
    all
}

const W: u32 = 16;

/// Functions of 16 bits that fold within a cycle.
const OTHERS: [(Fun, Type); 4] = [
    (Fun::Min, Type::F16),
    (Fun::And, Type::BF16),
    (Fun::BitOr, Type::int(16, true)),
    (Fun::Xor, Type::int(16, false)),
];

fn reducer(op: Fold, signed: bool) -> ReducerScalar {
    ReducerScalar { op, val_w: W, signed, stop_w: 3 }
}

/// The meaning: each list of height 1 becomes a leaf.
fn meaning(x: &Nest<Leaf>, d: u8, p: &ReducerScalar) -> Nest<Leaf> {
    let Nest::List(v) = x else { panic!("a leaf has no lists") };
    if d > 1 {
        return Nest::List(v.iter().map(|c| meaning(c, d - 1, p)).collect());
    }
    let values = v.iter().filter_map(|c| match c {
        Nest::Leaf(l) => l.present.then_some(l.p[0]),
        Nest::List(_) => None,
    });
    let key = |x: &u64| if p.signed { signed(*x, W) } else { *x as i64 };
    let folded = match p.op {
        Fold::Add => values.reduce(|a, b| (a + b) % (1 << W)),
        Fold::Min => values.min_by_key(key),
        Fold::Max => values.max_by_key(key),
        Fold::Of(fun, ty) | Fold::Pipelined(fun, ty) => values.reduce(|a, b| fun.apply(&[a, b], ty)),
        Fold::Program(routine) => values.reduce(|a, b| routine.get().run(&[a, b]).0),
    };
    Nest::Leaf(folded.map_or(N, leaf))
}

#[test]
fn folds_random_lists_as_its_meaning_says() {
    for (op, signed) in
        [(Fold::Add, true), (Fold::Min, true), (Fold::Max, true), (Fold::Min, false), (Fold::Max, false)]
            .into_iter()
            .chain(OTHERS.map(|(fun, ty)| (Fold::of(fun, ty).unwrap(), false)))
    {
        let p = reducer(op, signed);
        let (mut feed, mut want) = (Vec::new(), Vec::new());
        let mut rng = Rng::new(u64::from(op.code()) + 1);
        for run in 0..120 {
            let d = 1 + run % 4;
            let x = nest(&mut rng, d, &mut |r| if r.happens(0.2) { N } else { leaf(r.bits() & 0xFFFF) });
            feed.extend(encode(&x, d));
            want.extend(encode(&meaning(&x, d, &p), d - 1));
        }
        for out in check_rtl(&p, &[], &[feed], &Vec::new, &usual_stalls(3)) {
            assert_eq!(out.unwrap().beats(0), want, "{p:?}");
        }
    }
}

#[test]
fn agrees_with_the_shared_vectors() {
    let vectors = vectors("reducer0");
    for (op, name) in [(Fold::Add, "add"), (Fold::Min, "min"), (Fold::Max, "max")] {
        let of_op = vectors.iter().filter(|v| v.params["op"] == name);
        let case =
            |v: &Vector| VectorCase { line: v.line, feeds: vec![v.input("val", W)], wants: vec![v.output("val", W)] };
        check_cases(&reducer(op, true), &[], &of_op.map(case).collect::<Vec<_>>());
    }
}

#[test]
fn takes_a_beat_per_cycle_and_gives_each_result_two_cycles_after_its_list() {
    let p = reducer(Fold::Add, true);
    for lengths in usual_lengths(&mut Rng::new(4)) {
        let feed = fibers(&lengths).repeat(2);
        let out = run_model(&p, &[], std::slice::from_ref(&feed), &mut [], Stall::NONE).unwrap();
        assert!(out.inputs[0].iter().copied().eq(0..feed.len() as u64));
        let results = (0..).zip(&feed).filter(|(_, b)| !b.is_leaf() || b.stop > 0).map(|(n, _)| n);
        let due: Vec<u64> = results.map(|n: u64| n + u64::from(p.latency())).collect();
        let got: Vec<u64> = out.outputs[0].iter().map(|x| x.0).collect();
        assert_eq!(got, due, "{lengths:?}");
    }
}

#[test]
fn both_refuse_a_payload_on_an_empty_leaf() {
    let bad = Beat { p: [field(-1, W), 0], ..Beat::empty(1) };
    let got = check_rtl(&reducer(Fold::Add, true), &[], &[vec![bad, Beat::DONE]], &Vec::new, &[Stall::NONE]);
    assert!(got[0].is_err());
}

#[test]
fn verilog_is_small() {
    let p = reducer(Fold::Add, true).instance();
    if let Some(c) = yosys_cells(p.module, &p.params) {
        assert!(c.lut4() + 2 * c.ccu2c() <= 200, "{c:?}");
    }
}
