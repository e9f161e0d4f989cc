//! Random words of bit vectors.

use samhw_streams::{Beat, Word};
use samhw_values::{Rng, mask};

/// Returns a word of `width` bits with none, all, half or an eighth of them set.
pub fn random_word(rng: &mut Rng, width: u32) -> Word {
    let how = rng.below(4);
    let part = |rng: &mut Rng| match how {
        0 => 0,
        1 => u64::MAX,
        2 => rng.bits(),
        _ => rng.bits() & rng.bits() & rng.bits(),
    };
    Word(std::array::from_fn(|k| part(rng) & mask(width.saturating_sub(64 * k as u32))))
}

/// Writes `words` of `width` bits, in order, into payload 0 of all leaves of `beats`.
pub fn put_words(beats: &mut [Beat], width: u32, words: impl IntoIterator<Item = Word>) {
    let leaves = beats.iter_mut().filter(|b| b.is_leaf());
    leaves.zip(words).for_each(|(b, w)| b.p[0] = w.payload(width));
}
