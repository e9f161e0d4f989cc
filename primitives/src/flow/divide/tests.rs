//! Divide against its meaning, the spec's vectors and its Verilog.

use super::{Divide, digit_bits, digit_stages};
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::reduce::reducer_vector::tests::nests::{Pair, fibers, leaf, list, pairs, singles};
use samhw_streams::{Beat, Nest};
use samhw_testing::bench::Stall;
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_testing::vectors::{Vector, VectorCase, bundle, check_cases, vectors};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, _, x_w, stop_w] in WIDTHS {
        // Coordinates as wide as their part of the key, and wider.
        let (crd_w, stop_w) = (crd_w.max(2), stop_w.max(2));
        for wider in [0, 3] {
            let (crd1_w, crd0_w) = ((crd_w + 1).max(stop_w) + wider, crd_w.max(stop_w) + wider);
            let key_w = (2 * crd_w + 1).max(stop_w);
            all.push(item(Divide { key_w, size0: 1 << crd_w, crd1_w, crd0_w, x_w, stop_w }));
            // One coordinate below each outer one, and sizes that have to be divided by.
            for size0 in [1, (1 << crd_w) - 1] {
                let key_w = key_w.min(32);
                all.push(item(Divide { key_w, size0, crd1_w, crd0_w, x_w, stop_w }));
            }
        }
    }
    all
}

fn divide(size0: u32) -> Divide {
    let shift = digit_bits(size0);
    Divide { key_w: shift + 4, size0, crd1_w: 5, crd0_w: shift.max(3), x_w: 8, stop_w: 3 }
}

/// Outer coordinates, and the groups of pairs below them.
fn divided(x: &Nest<Pair>, d: u8, size0: u64) -> (Nest<u64>, Nest<Pair>) {
    if d > 1 {
        let (a, b) = list(x).iter().map(|y| divided(y, d - 1, size0)).unzip();
        return (Nest::List(a), Nest::List(b));
    }
    let leaves: Vec<Pair> = list(x).iter().map(leaf).collect();
    let groups = leaves.chunk_by(|a, b| a.0 / size0 == b.0 / size0);
    let low = |&(c, v): &Pair| Nest::Leaf((c % size0, v));
    groups.map(|g| (Nest::Leaf(g[0].0 / size0), Nest::List(g.iter().map(low).collect()))).unzip_lists()
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
    let mut rng = Rng::new(4);
    for seed in 0..60 {
        let p = divide([8, 5, 1, 13, 8, 7][seed as usize % 6]);
        let (mut feed, mut outer, mut inner) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..1 + rng.below(6) {
            let d = 1 + rng.below(3) as u8;
            let x = fibers(&mut rng, d, if seed % 2 == 0 { 16 * u64::from(p.size0) } else { 16 });
            let (a, b) = divided(&x, d, p.size0.into());
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

#[test]
fn agrees_with_the_shared_vectors() {
    let vectors = vectors("divide");
    for size0 in 1..8 {
        let case = |v: &Vector| {
            let [crd1, crd0, x] = ["crd1", "crd0", "ref"].map(|n| v.output(n, 8));
            let feeds = vec![bundle(&v.input("crd", 8), &v.input("ref", 8))];
            VectorCase { line: v.line, feeds, wants: vec![crd1, bundle(&crd0, &x)] }
        };
        let cases: Vec<VectorCase> =
            vectors.iter().filter(|v| v.param("size0") == i64::from(size0)).map(case).collect();
        if !cases.is_empty() {
            check_cases(&divide(size0), &[], &cases);
        }
    }
}

/// Every quotient and rest of some sizes, and those next to the largest keys of wide ones.
#[test]
fn divides_every_key() {
    for (key_w, size0) in [(9, 3), (9, 100), (10, 1023), (17, 641), (24, 100_003), (32, 3), (32, 1_000_003), (32, 7)] {
        let crd1_w = key_w + 1 - digit_bits(size0).min(key_w);
        let p = Divide { key_w, size0, crd1_w: crd1_w.max(3), crd0_w: digit_bits(size0).max(3), x_w: 8, stop_w: 3 };
        let end = 1u64 << key_w;
        let keys: Vec<u64> = match key_w {
            9..=10 => (0..end).collect(),
            _ => {
                let near = (0..end).step_by((end / 97) as usize).flat_map(|k| {
                    let multiple = k / u64::from(size0) * u64::from(size0);
                    [multiple.saturating_sub(1), multiple, multiple + 1]
                });
                let mut keys: Vec<u64> = near.chain([end - 1]).filter(|k| *k < end).collect();
                keys.sort_unstable();
                keys.dedup();
                keys
            }
        };
        let last = keys.len() - 1;
        let mut feed: Vec<Beat> =
            keys.iter().enumerate().map(|(n, &k)| Beat::pair(u8::from(n == last), k, k % 251)).collect();
        feed.push(Beat::DONE);
        for got in check_rtl(&p, &[], &[feed], &Vec::new, &[Stall::NONE]) {
            let got = got.unwrap();
            let outer: Vec<u64> = got.beats(0).iter().filter(|b| b.is_leaf()).map(|b| b.p[0]).collect();
            let inner: Vec<u64> = got.beats(1).iter().filter(|b| b.is_leaf()).map(|b| b.p[0]).collect();
            let mut quotients: Vec<u64> = keys.iter().map(|k| k / u64::from(size0)).collect();
            quotients.dedup();
            assert_eq!(outer, quotients, "{key_w} {size0}");
            assert_eq!(inner, keys.iter().map(|k| k % u64::from(size0)).collect::<Vec<_>>(), "{key_w} {size0}");
        }
    }
}

#[test]
fn one_beat_a_cycle() {
    for (size0, step) in [1, 2, 5, 8, 64].into_iter().flat_map(|step| [(8, step), (7, step)]) {
        let p = divide(size0);
        let keys: Vec<u64> = (0..112).step_by(step).collect();
        let fiber: Vec<Beat> = keys.iter().map(|&k| Beat::pair(u8::from(k + step as u64 >= 112), k, 1)).collect();
        let mut feed = [fiber, vec![Beat::nil(1, 1)]].concat().repeat(20);
        feed.push(Beat::nil(2, 1));
        feed.push(Beat::DONE);
        let n = feed.len() as u64;
        for got in check_rtl(&p, &[], &[feed], &Vec::new, &[Stall::NONE]) {
            let got = got.unwrap();
            assert_eq!(
                got.outputs[1].last().unwrap().0 - got.inputs[0][0],
                n - 1 + 3 + u64::from(digit_stages(p.key_w, size0)),
                "{step}"
            );
        }
    }
}
