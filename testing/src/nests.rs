//! Random nested lists, and simple functions on them. Only for tests.

use samhw_streams::{Beat, Leaf, Nest, encode};
use samhw_values::Rng;

/// The absent leaf.
pub const N: Leaf = Leaf { present: false, p: [0, 0] };

/// Creates a leaf with one payload.
pub fn leaf(p: u64) -> Leaf {
    Leaf { present: true, p: [p, 0] }
}

/// Returns a random nested list of depth `d`, with many empty or short lists.
pub fn nest(rng: &mut Rng, d: u8, leaf: &mut dyn FnMut(&mut Rng) -> Leaf) -> Nest<Leaf> {
    if d == 0 {
        return Nest::Leaf(leaf(rng));
    }
    let n = [0, 0, 1, 1, 2, 3, 5][rng.below(7) as usize];
    Nest::List((0..n).map(|_| nest(rng, d - 1, leaf)).collect())
}

/// Returns `x` with each leaf mapped by `f`.
pub fn map(x: &Nest<Leaf>, f: &mut dyn FnMut(Leaf) -> Leaf) -> Nest<Leaf> {
    extend(x, &mut |l| Nest::Leaf(f(l)))
}

/// Returns `x` with each leaf replaced by a list.
pub fn extend(x: &Nest<Leaf>, f: &mut dyn FnMut(Leaf) -> Nest<Leaf>) -> Nest<Leaf> {
    match x {
        Nest::Leaf(l) => f(*l),
        Nest::List(v) => Nest::List(v.iter().map(|c| extend(c, f)).collect()),
    }
}

/// Returns the items of height `h` of `x`, which has depth `d`.
pub fn items(x: &Nest<Leaf>, d: u8, h: u8) -> Vec<&Nest<Leaf>> {
    match x {
        Nest::List(v) if d > h => v.iter().flat_map(|c| items(c, d - 1, h)).collect(),
        _ => vec![x],
    }
}

/// Returns the leaves of `x` in order.
pub fn leaves(x: &Nest<Leaf>) -> Vec<Leaf> {
    match x {
        Nest::Leaf(l) => vec![*l],
        Nest::List(v) => v.iter().flat_map(leaves).collect(),
    }
}

/// Encodes height-1 lists of the given lengths in one stream of depth 2, where leaf `k` carries `k`.
pub fn fibers(lengths: &[usize]) -> Vec<Beat> {
    let mut k = 0;
    let mut fiber = |n: usize| {
        let list = (k..k + n as u64).map(|x| Nest::Leaf(leaf(x))).collect();
        k += n as u64;
        Nest::List(list)
    };
    encode(&Nest::List(lengths.iter().map(|&n| fiber(n)).collect()), 2)
}

/// Returns lengths of fibers for throughput tests: each kind alone, then all mixed.
pub fn usual_lengths(rng: &mut Rng) -> Vec<Vec<usize>> {
    let kinds = [0, 1, 2, 5, 64];
    let mixed = (0..60).map(|_| kinds[rng.below(5) as usize]).collect();
    kinds.iter().map(|&n| vec![n; 20]).chain([mixed]).collect()
}

/// Returns write beats that store `words` from address 0 on.
pub fn words(words: &[u64]) -> Vec<Beat> {
    words.iter().enumerate().map(|(a, &w)| Beat::pair(0, a as u64, w)).collect()
}
