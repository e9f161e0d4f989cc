//! The matrix reducer against its meaning, the spec's vectors and its Verilog.

use super::ReducerMatrix;
use crate::blocks::Fold;
use crate::every::forms::{Hosted, item};
use crate::reduce::reducer_vector::tests::nests::{Pair, fibers, label, leaf, list, pairs, singles, streams};
use crate::reduce::reducer_vector::tests::{meaning, program};
use samhw_streams::{Beat, Nest, Primitive};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_testing::vectors::{Vector, VectorCase, bundle, check_cases, vectors};
use samhw_values::{Fun, Rng, Type};
use std::collections::BTreeMap;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for (op, crd1_w, crd0_w, dim1, banks) in [(Fold::Add, 3, 3, 6, 2), (Fold::Max, 6, 6, 64, 4)] {
        all.push(item(ReducerMatrix { op, crd1_w, crd0_w, val_w: 16, signed: true, stop_w: 3, dim1, banks }));
    }
    all
}

fn reducer(op: Fold, crd1_w: u32, crd0_w: u32, dim1: u32, banks: u32) -> ReducerMatrix {
    ReducerMatrix { op, crd1_w, crd0_w, val_w: 16, signed: true, stop_w: 3, dim1, banks }
}

/// Every list of two-level fibers as one: outer coordinates, and the fibers below them.
fn reduced(op: Fold, crd1: &Nest<u64>, x: &Nest<Pair>, d: u8) -> (Nest<u64>, Nest<Pair>) {
    if d > 3 {
        let parts = list(crd1).iter().zip(list(x)).map(|(c, y)| reduced(op, c, y, d - 1));
        let (a, b) = parts.unzip();
        return (Nest::List(a), Nest::List(b));
    }
    let mut sum: BTreeMap<u64, BTreeMap<u64, u64>> = BTreeMap::new();
    let rows = list(crd1).iter().zip(list(x)).flat_map(|(c, y)| list(c).iter().zip(list(y)));
    for (a, (b, v)) in rows.flat_map(|(a, f)| list(f).iter().map(move |l| (leaf(a), leaf(l)))) {
        if let Some(v) = v {
            let (row, v) = (sum.entry(a).or_default(), v & 0xffff);
            row.entry(b).and_modify(|s| *s = meaning(op, true, *s, v)).or_insert(v);
        }
    }
    let fiber = |r: &BTreeMap<u64, u64>| Nest::List(r.iter().map(|(&b, &v)| Nest::Leaf((b, Some(v)))).collect());
    (Nest::List(sum.keys().map(|&a| Nest::Leaf(a)).collect()), Nest::List(sum.values().map(fiber).collect()))
}

fn random(p: &ReducerMatrix, seeds: u64) {
    let mut rng = Rng::new(p.dim1.into());
    for seed in 0..seeds {
        let mut feeds = [Vec::new(), Vec::new(), Vec::new()];
        let (mut outer, mut inner) = (Vec::new(), Vec::new());
        for _ in 0..1 + rng.below(6) {
            let d = 3 + rng.below(2) as u8;
            let x = fibers(&mut rng, d, 1 << p.crd0_w);
            let crd1 = label(&mut rng, &x, d, p.dim1.into());
            let (a, b) = reduced(p.op, &crd1, &x, d);
            let [crd0, val] = streams(&x, d, p.val_w);
            for (f, s) in feeds.iter_mut().zip([singles(&crd1, d - 1, Some), crd0, val]) {
                f.extend(s);
            }
            outer.extend(singles(&a, d - 2, Some));
            inner.extend(pairs(&b, d - 1, p.val_w));
        }
        for got in check_rtl(p, &[], &feeds, &Vec::new, &usual_stalls(seed)) {
            let got = got.unwrap();
            assert_eq!((got.beats(0), got.beats(1)), (outer.clone(), inner.clone()));
        }
    }
}

#[test]
fn small_workspace() {
    random(&reducer(Fold::Add, 3, 3, 6, 2), 40);
}

#[test]
fn folds_with_a_program() {
    random(&reducer(program(Fun::Gcd, Type::int(16, false)), 3, 3, 6, 2), 8);
}

#[test]
fn workspace_of_many_words() {
    random(&reducer(Fold::Max, 6, 6, 64, 4), 40);
}

#[test]
fn agrees_with_the_shared_vectors() {
    let vectors = vectors("reducer2");
    for (op, name) in [(Fold::Add, "add"), (Fold::Min, "min"), (Fold::Max, "max")] {
        let of_op = vectors.iter().filter(|v| v.params["op"] == name);
        let case = |v: &Vector| {
            let feeds = ["crd1", "crd0", "val"].map(|n| v.input(n, 16)).to_vec();
            let [crd1, crd0, val] = ["crd1", "crd0", "val"].map(|n| v.output(n, 16));
            VectorCase { line: v.line, feeds, wants: vec![crd1, bundle(&crd0, &val)] }
        };
        check_cases(&reducer(op, 3, 3, 8, 2), &[], &of_op.map(case).collect::<Vec<_>>());
    }
}

#[test]
fn one_beat_a_cycle() {
    let p = reducer(Fold::Add, 4, 4, 16, 2);
    for (rows, columns) in [(1, 1), (1, 3), (4, 1), (3, 16), (16, 5)] {
        let fiber = |last: u8| {
            (0..columns).map(move |c| Beat::data(if c + 1 == columns { last } else { 0 }, c * (16 / columns)))
        };
        let height = |k: u64, l: u64| {
            if k + 1 < rows {
                1
            } else if l + 1 < 100 {
                3
            } else {
                4
            }
        };
        let crd1: Vec<Beat> = (0..100)
            .flat_map(|l| (0..rows).map(move |k| Beat::data(height(k, l) - 1, k)))
            .chain([Beat::DONE])
            .collect();
        let crd0: Vec<Beat> =
            (0..100).flat_map(|l| (0..rows).flat_map(move |k| fiber(height(k, l)))).chain([Beat::DONE]).collect();
        let feeds = [crd1, crd0.clone(), crd0];
        let got = run_model(&p, &[], &feeds, &mut [], Stall::NONE).unwrap();
        let took = got.outputs[1].last().unwrap().0 - got.inputs[1][0];
        let n = feeds[1].len() as u64;
        assert!(took <= n - 1 + rows * columns + u64::from(p.latency()), "{rows} x {columns}: {took} cycles");
    }
}
