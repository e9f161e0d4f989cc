//! Payloads of more than 64 bits, for words of bit vectors.
//!
//! Beats are copied several times a cycle, so they stay small: the payload of a field of more than 64 bits is the number itself as
//! long as it is below 2^63, else the number of a line in a table of the process, with the top bit set. Equal words have equal payloads, so
//! beats compare as they are, and who only passes a payload on need not know.

use samhw_values::mask;
use std::collections::HashMap;
use std::sync::{OnceLock, PoisonError, RwLock};

/// Width of the widest payload in bits.
pub const WIDEST: u32 = 256;

/// Words of 64 bits in the widest payload.
const WORDS: usize = WIDEST as usize / 64;

/// Marks a payload that is a line's number.
const LINE: u64 = 1 << 63;

/// The table: words that have been seen, and their lines.
#[derive(Default)]
struct Table {
    words: Vec<[u64; WORDS]>,
    lines: HashMap<[u64; WORDS], u64>,
}

fn table() -> &'static RwLock<Table> {
    static TABLE: OnceLock<RwLock<Table>> = OnceLock::new();
    TABLE.get_or_init(RwLock::default)
}

/// A number of 256 bits, least significant word first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Word(pub [u64; WORDS]);

impl From<u64> for Word {
    fn from(low: u64) -> Self {
        Self::from_parts(&[low])
    }
}

impl Word {
    /// Creates a word from 64-bit parts, least significant first; missing parts are 0.
    pub fn from_parts(parts: &[u64]) -> Self {
        let mut out = [0; WORDS];
        out.iter_mut().zip(parts).for_each(|(o, &p)| *o = p);
        Self(out)
    }
    /// Returns the word that `payload` of a field of `width` bits refers to.
    #[inline]
    pub fn held(payload: u64, width: u32) -> Self {
        if width <= 64 || payload < LINE {
            return Self::from(payload);
        }
        Self(table().read().unwrap_or_else(PoisonError::into_inner).words[(payload ^ LINE) as usize])
    }
    /// Returns the payload for this word in a field of `width` bits.
    #[inline]
    pub fn payload(&self, width: u32) -> u64 {
        if width <= 64 || self.0[1..] == [0; WORDS - 1] && self.0[0] < LINE {
            return self.0[0];
        }
        if let Some(&line) = table().read().unwrap_or_else(PoisonError::into_inner).lines.get(&self.0) {
            return line | LINE;
        }
        let table = &mut *table().write().unwrap_or_else(PoisonError::into_inner);
        let line = *table.lines.entry(self.0).or_insert_with(|| {
            table.words.push(self.0);
            table.words.len() as u64 - 1
        });
        line | LINE
    }
    /// Returns bit `b`.
    #[inline]
    pub fn bit(&self, b: u64) -> bool {
        self.0[b as usize / 64] >> (b % 64) & 1 == 1
    }
    /// Sets bit `b`.
    #[inline]
    pub fn set(&mut self, b: u64) {
        self.0[b as usize / 64] |= 1 << (b % 64);
    }
    /// Returns the position of the lowest bit that is 1.
    #[inline]
    pub fn lowest(&self) -> Option<u64> {
        let at = self.0.iter().position(|&w| w != 0)?;
        Some(at as u64 * 64 + u64::from(self.0[at].trailing_zeros()))
    }
    /// Returns `width` bits, at most 64, from bit `at` on.
    #[inline]
    pub fn field(&self, at: u32, width: u32) -> u64 {
        let (w, low) = ((at / 64) as usize, at % 64);
        let high = if low == 0 { 0 } else { self.0.get(w + 1).map_or(0, |h| h << (64 - low)) };
        (self.0[w] >> low | high) & mask(width)
    }
    /// Writes `value` into `width` bits from bit `at` on, which must be 0.
    #[inline]
    pub fn put(&mut self, at: u32, width: u32, value: u64) {
        let (w, low, value) = ((at / 64) as usize, at % 64, value & mask(width));
        self.0[w] |= value << low;
        if low + width > 64 {
            self.0[w + 1] |= value >> (64 - low);
        }
    }
    /// Returns the number of bits that are 1.
    #[inline]
    pub fn ones(&self) -> u64 {
        self.0.iter().map(|w| u64::from(w.count_ones())).sum()
    }
    /// Returns the number of bits below `b` that are 1.
    #[inline]
    pub fn ones_below(&self, b: u64) -> u64 {
        let below = |(k, w): (usize, &u64)| match b.saturating_sub(k as u64 * 64) {
            0 => 0,
            n if n < 64 => u64::from((w & ((1 << n) - 1)).count_ones()),
            _ => u64::from(w.count_ones()),
        };
        self.0.iter().enumerate().map(below).sum()
    }
    /// Returns the bits that are not set in `other`.
    #[inline]
    pub fn without(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k] & !other.0[k]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use samhw_values::Rng;

    #[test]
    fn counts_and_finds_ones_as_a_list_of_bits_does() {
        let mut rng = Rng::new(5);
        for _ in 0..200 {
            let mut word = Word::default();
            let mut list: Vec<u64> = (0..rng.below(20)).map(|_| rng.below(256)).collect();
            list.iter().for_each(|&b| word.set(b));
            list.sort_unstable();
            list.dedup();
            let at = rng.below(257);
            assert_eq!(word.lowest(), list.first().copied());
            assert_eq!(word.ones(), list.len() as u64);
            assert_eq!(word.ones_below(at), list.iter().filter(|&&b| b < at).count() as u64);
            assert!((0..256).all(|b| word.bit(b) == list.contains(&b)));
            assert_eq!(Word::held(word.payload(256), 256), word);
            let (at, width) = (rng.below(190) as u32, 1 + rng.below(64) as u32);
            let mut part = Word::default();
            part.put(at, width, rng.bits());
            let inside = u64::from(at)..u64::from(at + width);
            assert!((0..256).all(|b| !part.bit(b) || inside.contains(&b)));
            let bits = (0..u64::from(width)).filter(|b| word.bit(u64::from(at) + b)).fold(0, |x, b| x | 1 << b);
            assert_eq!(word.field(at, width), bits);
            let value = part.field(at, width);
            assert!((0..u64::from(width)).all(|b| part.bit(u64::from(at) + b) == (value >> b & 1 == 1)));
        }
    }

    #[test]
    fn equal_words_have_equal_payloads() {
        let word = Word([1, 2, 0, 3]);
        assert_eq!(word.payload(256), Word([1, 2, 0, 3]).payload(256));
        assert_ne!(word.payload(256), Word([1, 2, 3, 0]).payload(256));
        assert_eq!(Word::from(7).payload(128), 7);
        for low in [7, LINE, u64::MAX] {
            for width in [64, 128] {
                assert_eq!(Word::held(Word::from(low).payload(width), width), Word::from(low));
            }
            assert_eq!(Word::from(low).payload(64), low);
        }
    }
}
