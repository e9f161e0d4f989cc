//! Collapse against its meaning, the spec's vectors and its Verilog.

use super::Collapse;
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::reduce::reducer_vector::tests::nests::{Pair, at, fibers, label, leaf, list, pairs, singles};
use samhw_streams::{Beat, Nest};
use samhw_testing::bench::Stall;
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_testing::vectors::{Vector, VectorCase, bundle, check_cases, vectors};
use samhw_values::Rng;
use std::collections::BTreeSet;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, _, x_w, stop_w] in WIDTHS {
        // Keys concatenated, multiplied, and of inner coordinates alone.
        let (crd1_w, crd0_w, stop_w) = (crd_w.clamp(2, 16), crd_w.clamp(2, 16), stop_w.max(2));
        for size0 in [1 << crd0_w, (1 << crd0_w) - 1, 0] {
            all.push(item(Collapse { crd1_w, crd0_w, x_w, key_w: crd1_w + crd0_w, size0, stop_w }));
        }
    }
    all
}

const CONCATENATED: Collapse = Collapse { crd1_w: 5, crd0_w: 4, x_w: 8, key_w: 9, size0: 16, stop_w: 3 };
const MULTIPLIED: Collapse = Collapse { crd1_w: 5, crd0_w: 4, x_w: 8, key_w: 10, size0: 11, stop_w: 3 };
const INNER: Collapse = Collapse { crd1_w: 5, crd0_w: 4, x_w: 8, key_w: 5, size0: 0, stop_w: 3 };

/// Every list of lists as one list, with its keys.
fn collapsed(p: &Collapse, crd1: &Nest<u64>, x: &Nest<Pair>, d: u8) -> Nest<Pair> {
    if d > 2 {
        return Nest::List(list(crd1).iter().zip(list(x)).map(|(c, y)| collapsed(p, c, y, d - 1)).collect());
    }
    let items = list(crd1).iter().zip(list(x)).flat_map(|(a, f)| list(f).iter().map(move |b| (leaf(a), leaf(b))));
    Nest::List(items.map(|(a, (b, v))| Nest::Leaf((a * u64::from(p.size0) + b, v))).collect())
}

fn random(p: &Collapse) {
    let mut rng = Rng::new(p.size0.into());
    for seed in 0..40 {
        let (mut outer, mut inner, mut want) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..1 + rng.below(6) {
            let d = 2 + rng.below(3) as u8;
            let x = fibers(&mut rng, d, if p.size0 == 0 { 1 << p.crd0_w } else { p.size0.into() });
            let crd1 = label(&mut rng, &x, d, 32);
            outer.extend(singles(&crd1, d - 1, Some));
            inner.extend(pairs(&x, d, p.x_w));
            want.extend(pairs(&collapsed(p, &crd1, &x, d), d - 1, p.x_w));
        }
        for got in check_rtl(p, &[], &[outer.clone(), inner.clone()], &Vec::new, &usual_stalls(seed)) {
            assert_eq!(got.unwrap().beats(0), want);
        }
    }
}

#[test]
fn keys_are_concatenated() {
    random(&CONCATENATED);
}

#[test]
fn keys_are_multiplied() {
    random(&MULTIPLIED);
}

#[test]
fn keys_are_inner_coordinates() {
    random(&INNER);
}

#[test]
fn agrees_with_the_shared_vectors() {
    let vectors = vectors("collapse");
    let sizes: BTreeSet<i64> = vectors.iter().map(|v| v.param("size0")).collect();
    for size0 in sizes {
        let of_size = vectors.iter().filter(|v| v.param("size0") == size0);
        // The second payload goes through as it is.
        let case = |v: &Vector| {
            let crd0 = v.input("crd0", 8);
            let keys = bundle(&v.output("crd", 10), &through(&v.output("crd", 10), &crd0));
            VectorCase { line: v.line, feeds: vec![v.input("crd1", 8), bundle(&crd0, &crd0)], wants: vec![keys] }
        };
        let p = Collapse { size0: size0 as u32, ..MULTIPLIED };
        check_cases(&p, &[], &of_size.map(case).collect::<Vec<_>>());
    }
}

/// `shape` with the payloads of the leaves of `from` one after another.
fn through(shape: &[Beat], from: &[Beat]) -> Vec<Beat> {
    let mut leaves = from.iter().filter(|b| b.is_leaf());
    let leaf = |b: &Beat| if b.is_leaf() { Beat { p: leaves.next().expect("a leaf for each").p, ..*b } } else { *b };
    shape.iter().map(leaf).collect()
}

#[test]
fn one_beat_a_cycle() {
    for lengths in [vec![1], vec![0], vec![2], vec![5], vec![15], vec![0, 1, 0, 0, 2, 15]] {
        let items = |n: u64| Nest::List((0..n).map(|c| Nest::Leaf((c, Some(c)))).collect());
        let group = |k: usize| Nest::List((0..4).map(|j| items(lengths[(k + j) % lengths.len()])).collect());
        let x = Nest::List((0..100).map(group).collect());
        let crd1 = at(&x, 3, 2, &mut |_| Nest::List((0..4).map(Nest::Leaf).collect()));
        let feeds = [singles(&crd1, 2, Some), pairs(&x, 3, 8)];
        let n = feeds[1].len() as u64;
        for got in check_rtl(&CONCATENATED, &[], &feeds, &Vec::new, &[Stall::NONE]) {
            let got = got.unwrap();
            assert_eq!(got.outputs[0].last().unwrap().0 - got.inputs[1][0], n - 1 + 3, "{lengths:?}");
        }
    }
}

#[test]
fn misaligned_streams_are_refused() {
    let feeds = [vec![Beat::DONE], vec![Beat::pair(2, 1, 1), Beat::DONE]];
    assert!(check_rtl(&CONCATENATED, &[], &feeds, &Vec::new, &[Stall::NONE])[0].is_err());
}
