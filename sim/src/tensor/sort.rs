//! Row-major sorting of coordinates: one linear pass if they are already sorted, otherwise packed into integer keys.

/// Positions of two entries with equal coordinates, the earlier first.
type Twins = (usize, usize);

/// Returns the order that sorts the entries: the first entry, the second ... in row-major order; `None` if
/// they are in that order already. Every coordinate must be inside `shape`, and there must be `len` of them.
pub(super) fn sorting(shape: &[u64], coords: &[u64], len: usize) -> Result<Option<Vec<usize>>, Twins> {
    let order = shape.len();
    let at = |n: usize| &coords[n * order..][..order];
    if (1..len).all(|n| at(n - 1) < at(n)) {
        return Ok(None);
    }
    let bits: Vec<u32> = shape.iter().map(|size| 64 - size.saturating_sub(1).leading_zeros()).collect();
    match bits.iter().sum::<u32>() {
        0..=63 => by_key(len, |n| at(n).iter().zip(&bits).fold(0u64, |key, (c, b)| key << b | c)),
        64..=127 => by_key(len, |n| at(n).iter().zip(&bits).fold(0u128, |key, (c, b)| key << b | u128::from(*c))),
        _ => by_key(len, at),
    }
    .map(Some)
}

/// Sorts by key, then position; equal keys are the error.
fn by_key<K: Ord>(len: usize, key: impl Fn(usize) -> K) -> Result<Vec<usize>, Twins> {
    let mut pairs: Vec<(K, usize)> = (0..len).map(|n| (key(n), n)).collect();
    pairs.sort_unstable();
    match pairs.windows(2).filter(|w| w[0].0 == w[1].0).map(|w| (w[0].1, w[1].1)).min_by_key(|&(_, second)| second) {
        Some(twins) => Err(twins),
        None => Ok(pairs.into_iter().map(|(_, n)| n).collect()),
    }
}
