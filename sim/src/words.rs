//! Levels of bit vectors as the memories hold them: words, and beside each the position of its lowest one.

use crate::tensor::{LevelData, Storage, codes};
use samhw_compiler::diag::Diagnostic;

/// A compressed level as words of `width` bits, each with the position of its lowest one.
pub fn packed(storage: &Storage, l: usize, width: u32) -> Option<Vec<(u64, u64)>> {
    let LevelData::Compressed { seg, crd } = &storage.levels[l] else { return None };
    let (dim, width) = (storage.shape[l], u64::from(width));
    let mut out = Vec::new();
    for fiber in seg.windows(2) {
        let mut at = fiber[0];
        for w in 0..dim.div_ceil(width) {
            let (rank, mut word) = (at, 0);
            while at < fiber[1] && crd[at as usize] / width == w {
                word |= 1 << (crd[at as usize] % width);
                at += 1;
            }
            out.push((word, rank));
        }
    }
    Some(out)
}

/// The level of this many fibers that hardware wrote as these words, for a mode of size `dim`.
///
/// # Errors
///
/// Words beyond the size, and ranks that do not count what is before.
pub fn unpacked(fibers: u64, words: &[u64], ranks: &[u64], dim: u64, width: u32) -> Result<LevelData, Diagnostic> {
    let (mut seg, mut crd) = (vec![0], Vec::new());
    let mut all = words.iter().zip(ranks);
    for fiber in 0..fibers {
        for first in (0..dim).step_by(width as usize) {
            let Some((&word, &rank)) = all.next() else { return Err(bad(format!("no words of fiber {fiber}"))) };
            if word != 0 && rank != crd.len() as u64 {
                return Err(bad(format!("a word has rank {rank}, {} coordinates are before it", crd.len())));
            }
            crd.extend((0..u64::from(width)).filter(|b| word >> b & 1 == 1).map(|b| first + b));
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
        let words = packed(&storage, 1, 8).unwrap();
        assert_eq!(words[..3], [(0b1000_0001, 0), (0, 2), (0b1000, 2)]);
        let (bits, mut ranks): (Vec<u64>, Vec<u64>) = words.into_iter().unzip();
        assert_eq!(unpacked(3, &bits, &ranks, 20, 8).ok(), Some(fibers));
        ranks[1] = 9;
        assert!(unpacked(3, &bits, &ranks, 20, 8).is_ok(), "the rank of no coordinate means nothing");
        ranks[2] = 9;
        assert!(unpacked(3, &bits, &ranks, 20, 8).is_err());
        assert!(unpacked(1, &[0b1000], &[0], 3, 8).is_err());
        assert!(unpacked(2, &[0b100], &[0], 3, 8).is_err());
    }
}
