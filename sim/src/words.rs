//! Bit-vector levels in memories: words, and the position of the lowest set bit of each.

use crate::tensor::{LevelData, Storage, codes};
use samhw_compiler::diag::Diagnostic;
use samhw_streams::Word;

/// The arrays of a bit-vector level.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PackedWords {
    /// Words as the host sees them; a word of more than 64 bits counts as several of 64, the lowest bits first.
    pub words: Vec<u64>,
    /// Position of the lowest set bit of each word.
    pub ranks: Vec<u64>,
}

/// Returns the number of host words in one word of `width` bits.
pub fn parts(width: u32) -> u64 {
    u64::from(width.div_ceil(64))
}

/// Packs a compressed level into words of `width` bits.
pub fn packed(storage: &Storage, l: usize, width: u32) -> Option<PackedWords> {
    let LevelData::Compressed { seg, crd } = &storage.levels[l] else { return None };
    let (dim, bits) = (storage.shape[l], u64::from(width));
    let all = seg.len().saturating_sub(1) * dim.div_ceil(bits) as usize;
    let words = Vec::with_capacity(all * parts(width) as usize);
    let mut out = PackedWords { words, ranks: Vec::with_capacity(all) };
    for fiber in seg.windows(2) {
        let mut at = fiber[0];
        for w in 0..dim.div_ceil(bits) {
            out.ranks.push(at);
            let mut word = Word::default();
            while at < fiber[1] && crd[at as usize] / bits == w {
                word.set(crd[at as usize] % bits);
                at += 1;
            }
            out.words.extend_from_slice(&word.0[..parts(width) as usize]);
        }
    }
    Some(out)
}

/// Unpacks a level of this many fibers, which the hardware wrote, for a mode of size `dim`.
///
/// # Errors
///
/// Words beyond the size, and ranks that do not count what is before.
pub fn unpacked(fibers: u64, packed: &PackedWords, dim: u64, width: u32) -> Result<LevelData, Diagnostic> {
    let (mut seg, mut crd) = (vec![0], Vec::new());
    let mut all = packed.words.chunks_exact(parts(width) as usize).map(Word::from_parts).zip(&packed.ranks);
    for fiber in 0..fibers {
        for first in (0..dim).step_by(width as usize) {
            let Some((word, &rank)) = all.next() else { return Err(bad(format!("no words of fiber {fiber}"))) };
            if word.lowest().is_some() && rank != crd.len() as u64 {
                return Err(bad(format!("a word has rank {rank}, {} coordinates are before it", crd.len())));
            }
            crd.extend((0..u64::from(width)).filter(|&b| word.bit(b)).map(|b| first + b));
        }
        seg.push(crd.len() as u64);
    }
    if crd.iter().any(|&c| c >= dim) {
        return Err(bad(format!("a one beyond coordinate {dim}")));
    }
    Ok(LevelData::Compressed { seg, crd })
}

fn bad(what: String) -> Diagnostic {
    Diagnostic::new(codes::ARRAYS, format!("the stored words are inconsistent: {what}"))
        .help("a kernel wrote them: this is a bug in the hardware or its model, please report it with the kernel file")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(seg: &[u64], crd: &[u64]) -> LevelData {
        LevelData::Compressed { seg: seg.to_vec(), crd: crd.to_vec() }
    }

    #[test]
    fn words_come_back_as_the_level_they_hold() {
        let fibers = level(&[0, 3, 3, 4], &[0, 7, 19, 8]);
        let storage =
            Storage { shape: vec![3, 20], levels: vec![LevelData::Dense { dim: 3 }, fibers.clone()], values: vec![] };
        let mut words = packed(&storage, 1, 8).unwrap();
        assert_eq!((&words.words[..3], &words.ranks[..3]), (&[0b1000_0001, 0, 0b1000][..], &[0, 2, 2][..]));
        assert_eq!(unpacked(3, &words, 20, 8).ok(), Some(fibers));
        words.ranks[1] = 9;
        assert!(unpacked(3, &words, 20, 8).is_ok(), "the rank of no coordinate means nothing");
        words.ranks[2] = 9;
        assert!(unpacked(3, &words, 20, 8).is_err());
        let one = |word| PackedWords { words: vec![word], ranks: vec![0] };
        assert!(unpacked(1, &one(0b1000), 3, 8).is_err());
        assert!(unpacked(2, &one(0b100), 3, 8).is_err());
    }

    #[test]
    fn wide_words_lie_in_parts_of_64_bits() {
        let level = level(&[0, 3], &[1, 65, 140]);
        let storage = Storage { shape: vec![150], levels: vec![level.clone()], values: vec![] };
        let words = packed(&storage, 0, 128).unwrap();
        assert_eq!(words, PackedWords { words: vec![2, 2, 1 << 12, 0], ranks: vec![0, 2] });
        assert_eq!(unpacked(1, &words, 150, 128).ok(), Some(level));
    }
}
