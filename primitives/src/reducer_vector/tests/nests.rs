//! Nested lists for the tests of reducers and shape operators: random ones, the spec's
//! vectors, and how a tree of pairs travels as streams.

use crate::bench::Rng;
use crate::stream::{Beat, Kind, Leaf, Nest, encode};

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
    Nest::List(crds.into_iter().map(|c| Nest::Leaf((c, (!rng.chance(0.15)).then(|| rng.bits())))).collect())
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

/// Beats of a stream of pairs from those of its two parts.
pub(crate) fn zip(crd: &[Beat], x: &[Beat]) -> Vec<Beat> {
    assert_eq!(crd.len(), x.len());
    let pair = |(c, v): (&Beat, &Beat)| if c.is_leaf() { Beat { p: [c.p[0], v.p[0]], ..*v } } else { *c };
    crd.iter().zip(x).map(pair).collect()
}

/// A stream of a vector of the spec: `{"depth": d, "beats": [[kind, stop, payload], ...]}`.
pub(crate) fn beats(stream: &serde_json::Value, width: u32) -> Vec<Beat> {
    let one = |b: &serde_json::Value| {
        let kind = match b[0].as_str().unwrap() {
            "DATA" => Kind::Data,
            "EMPTY" => Kind::Empty,
            "NIL" => Kind::Nil,
            _ => Kind::Done,
        };
        let p = b[2].as_i64().unwrap() as u64 & (u64::MAX >> (64 - width));
        Beat { kind, stop: b[1].as_u64().unwrap() as u8, p: [p, 0] }
    };
    stream["beats"].as_array().unwrap().iter().map(one).collect()
}

/// The spec's vectors for `primitive`; none where the shared folder is absent.
pub(crate) fn vectors(primitive: &str) -> Vec<serde_json::Value> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let shared = std::env::var("SAMHW_SHARED").unwrap_or(format!("{root}/../shared"));
    let path = format!("{shared}/spec/vectors/{primitive}.jsonl");
    match std::fs::read_to_string(&path) {
        Ok(text) => text.lines().map(|l| serde_json::from_str(l).unwrap()).collect(),
        Err(_) => {
            println!("skipped: no {path}; set SAMHW_SHARED to the shared folder");
            Vec::new()
        }
    }
}
