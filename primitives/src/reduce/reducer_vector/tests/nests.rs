//! Nested lists for the tests of reducers and shape operators: random ones, and how a tree of
//! pairs travels as streams.

use samhw_streams::{Beat, Leaf, Nest, encode};
use samhw_values::Rng;

/// A leaf (crd, x); `None` is an absent x.
pub(crate) type Pair = (u64, Option<u64>);

/// A list without its depth.
pub(crate) fn list<T>(n: &Nest<T>) -> &[Nest<T>] {
    match n {
        Nest::List(v) => v,
        Nest::Leaf(_) => panic!("a list belongs here"),
    }
}

/// The leaf itself.
pub(crate) fn leaf<T: Copy>(n: &Nest<T>) -> T {
    match n {
        Nest::Leaf(l) => *l,
        Nest::List(_) => panic!("a leaf belongs here"),
    }
}

/// `f` on every item of height `h` of a stream of depth `d`.
pub(crate) fn at<T, U>(x: &Nest<T>, d: u8, h: u8, f: &mut impl FnMut(&Nest<T>) -> Nest<U>) -> Nest<U> {
    if d == h { f(x) } else { Nest::List(list(x).iter().map(|y| at(y, d - 1, h, f)).collect()) }
}

/// A list length: often nothing, seldom much.
pub(crate) fn size(rng: &mut Rng) -> u64 {
    [0, 0, 1, 1, 2, 3, 5][rng.below(7) as usize]
}

/// Fibers of depth `d` with coordinates below `top`; an x is absent now and then.
pub(crate) fn fibers(rng: &mut Rng, d: u8, top: u64) -> Nest<Pair> {
    if d > 1 {
        return Nest::List((0..size(rng)).map(|_| fibers(rng, d - 1, top)).collect());
    }
    let crds = coordinates(rng, top);
    Nest::List(crds.into_iter().map(|c| Nest::Leaf((c, (!rng.happens(0.15)).then(|| rng.bits())))).collect())
}

/// A few increasing coordinates below `top`.
pub(crate) fn coordinates(rng: &mut Rng, top: u64) -> Vec<u64> {
    let crds: std::collections::BTreeSet<u64> = (0..size(rng)).map(|_| rng.below(top)).collect();
    crds.into_iter().collect()
}

/// Coordinates for the items of height 1 of `x`, increasing within every list of height 2.
pub(crate) fn label(rng: &mut Rng, x: &Nest<Pair>, d: u8, top: u64) -> Nest<u64> {
    at(x, d, 2, &mut |items| {
        let n = list(items).len() as u64;
        let spread = (top / n.max(1)).max(1);
        Nest::List((0..n).map(|k| Nest::Leaf(k * spread + rng.below(spread))).collect())
    })
}

/// The beats of one payload per leaf.
pub(crate) fn singles<T: Copy>(x: &Nest<T>, d: u8, f: impl Fn(T) -> Option<u64>) -> Vec<Beat> {
    encode(&at(x, d, 0, &mut |l| single(f(leaf(l)))), d)
}

fn single(v: Option<u64>) -> Nest<Leaf> {
    Nest::Leaf(Leaf { present: v.is_some(), p: [v.unwrap_or(0), 0] })
}

/// The beats of pairs, with x in `width` bits.
pub(crate) fn pairs(x: &Nest<Pair>, d: u8, width: u32) -> Vec<Beat> {
    let mut one = |l: &Nest<Pair>| {
        let (c, v) = leaf(l);
        Nest::Leaf(Leaf { present: v.is_some(), p: [c, v.unwrap_or(0) & (u64::MAX >> (64 - width))] })
    };
    encode(&at(x, d, 0, &mut one), d)
}

/// Streams crd and val of pairs, with val in `width` bits.
pub(crate) fn streams(x: &Nest<Pair>, d: u8, width: u32) -> [Vec<Beat>; 2] {
    [singles(x, d, |l| Some(l.0)), singles(x, d, |l| l.1.map(|v| v & (u64::MAX >> (64 - width))))]
}
