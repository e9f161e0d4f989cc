//! Divide against its meaning, the spec's vectors and its Verilog.

use super::Divide;
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::reduce::reducer_vector::tests::nests::{Pair, fibers, leaf, list, pairs, singles};
use samhw_streams::{Beat, Nest};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_testing::vectors::{Vector, VectorCase, bundle, check_cases, vectors};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, _, x_w, stop_w] in WIDTHS {
        // Coordinates as wide as their part of the key, and wider.
        let (crd_w, stop_w) = (crd_w.max(2), stop_w.max(2));
        let (key_w, shift) = (2 * crd_w + 1, crd_w);
        for wider in [0, 3] {
            let (crd1_w, crd0_w) = (crd_w + 1 + wider, crd_w.max(stop_w) + wider);
            all.push(item(Divide { key_w, shift, crd1_w, crd0_w, x_w, stop_w }));
        }
    }
    all
}

fn divide(shift: u32) -> Divide {
    Divide { key_w: shift + 4, shift, crd1_w: 4, crd0_w: shift.max(3), x_w: 8, stop_w: 3 }
}

/// Outer coordinates, and the groups of pairs below them.
fn divided(x: &Nest<Pair>, d: u8, shift: u32) -> (Nest<u64>, Nest<Pair>) {
    if d > 1 {
        let (a, b) = list(x).iter().map(|y| divided(y, d - 1, shift)).unzip();
        return (Nest::List(a), Nest::List(b));
    }
    let leaves: Vec<Pair> = list(x).iter().map(leaf).collect();
    let groups = leaves.chunk_by(|a, b| a.0 >> shift == b.0 >> shift);
    let low = |&(c, v): &Pair| Nest::Leaf((c & ((1 << shift) - 1), v));
    groups.map(|g| (Nest::Leaf(g[0].0 >> shift), Nest::List(g.iter().map(low).collect()))).unzip_lists()
}

/// Two lists from pairs of items.
trait UnzipLists<A, B> {
    fn unzip_lists(self) -> (Nest<A>, Nest<B>);
}

impl<A, B, I: Iterator<Item = (Nest<A>, Nest<B>)>> UnzipLists<A, B> for I {
    fn unzip_lists(self) -> (Nest<A>, Nest<B>) {
        let (a, b) = self.unzip();
        (Nest::List(a), Nest::List(b))
    }
}

#[test]
fn neighbours_of_equal_crd1_form_a_list() {
    let p = divide(3);
    let mut rng = Rng::new(4);
    for seed in 0..40 {
        let (mut feed, mut outer, mut inner) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..1 + rng.below(6) {
            let d = 1 + rng.below(3) as u8;
            let x = fibers(&mut rng, d, if seed % 2 == 0 { 128 } else { 16 });
            let (a, b) = divided(&x, d, p.shift);
            feed.extend(pairs(&x, d, p.x_w));
            outer.extend(singles(&a, d, Some));
            inner.extend(pairs(&b, d + 1, p.x_w));
        }
        for got in check_rtl(&p, &[], std::slice::from_ref(&feed), &Vec::new, &usual_stalls(seed)) {
            let got = got.unwrap();
            assert_eq!((got.beats(0), got.beats(1)), (outer.clone(), inner.clone()));
        }
    }
}

/// Verilog has no groups of size 1, whose inner coordinate would have no bits: those vectors go
/// through the model only.
#[test]
fn agrees_with_the_shared_vectors() {
    let vectors = vectors("divide");
    for shift in 0..3 {
        let case = |v: &Vector| {
            let [crd1, crd0, x] = ["crd1", "crd0", "ref"].map(|n| v.output(n, 8));
            let feeds = vec![bundle(&v.input("crd", 8), &v.input("ref", 8))];
            VectorCase { line: v.line, feeds, wants: vec![crd1, bundle(&crd0, &x)] }
        };
        let cases: Vec<VectorCase> = vectors.iter().filter(|v| v.param("size0") == 1 << shift).map(case).collect();
        for c in &cases {
            let out = run_model(&divide(shift), &[], &c.feeds, &mut [], Stall::NONE).unwrap();
            (0..2).for_each(|k| assert_eq!(out.beats(k), c.wants[k], "line {}", c.line));
        }
        if shift > 0 {
            check_cases(&divide(shift), &[], &cases);
        }
    }
}

#[test]
fn one_beat_a_cycle() {
    for step in [1, 2, 5, 8, 64] {
        let keys: Vec<u64> = (0..128).step_by(step).collect();
        let fiber: Vec<Beat> = keys.iter().map(|&k| Beat::pair(u8::from(k + step as u64 >= 128), k, 1)).collect();
        let mut feed = [fiber, vec![Beat::nil(1, 1)]].concat().repeat(20);
        feed.push(Beat::nil(2, 1));
        feed.push(Beat::DONE);
        let n = feed.len() as u64;
        for got in check_rtl(&divide(3), &[], &[feed], &Vec::new, &[Stall::NONE]) {
            let got = got.unwrap();
            assert_eq!(got.outputs[1].last().unwrap().0 - got.inputs[0][0], n - 1 + 3, "{step}");
        }
    }
}
