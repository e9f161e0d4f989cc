//! Levels of blocks and runs: words of consecutive coordinates.

use super::bad;
use samhw_compiler::diag::Diagnostic;
use samhw_values::mask;

/// A range of consecutive coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// First coordinate.
    pub first: u64,
    /// Last coordinate.
    pub last: u64,
    /// Position of the first coordinate, or of all.
    pub at: u64,
}

/// A level of blocks or runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runs {
    /// Start of the ranges below each position of the level above, followed by the total number.
    pub seg: Vec<u64>,
    /// The ranges of coordinates.
    pub runs: Vec<Run>,
    /// Whether all coordinates of a range share its position (a run), or have their own (a block).
    pub shared: bool,
}

impl Runs {
    /// Divides fibers of coordinates into ranges of maximal length. Coordinates with values that are not the same share
    /// no run where those of one share a position.
    pub fn new(seg: &[u64], crd: &[u64], values: Option<&[u64]>) -> Self {
        let mut out = Self { seg: vec![0], runs: Vec::new(), shared: values.is_some() };
        for fiber in seg.windows(2) {
            let begin = out.runs.len();
            for p in fiber[0]..fiber[1] {
                let c = crd[p as usize];
                let same = |a: u64, b: u64| values.is_none_or(|v| v[a as usize] == v[b as usize]);
                match out.runs[begin..].last_mut() {
                    Some(run) if run.last + 1 == c && same(p - 1, p) => run.last = c,
                    _ => {
                        let at = if out.shared { out.runs.len() as u64 } else { p };
                        out.runs.push(Run { first: c, last: c, at });
                    }
                }
            }
            out.seg.push(out.runs.len() as u64);
        }
        out
    }

    /// Returns the number of positions.
    pub fn positions(&self) -> u64 {
        self.runs.last().map_or(0, |run| self.after(run))
    }

    /// The position after those of a run.
    fn after(&self, run: &Run) -> u64 {
        run.at + if self.shared { 1 } else { run.last - run.first + 1 }
    }

    /// Position of the first coordinate below a position of the level above.
    pub(super) fn first(&self, above: u64) -> u64 {
        self.runs.get(self.seg[above as usize] as usize).map_or_else(|| self.positions(), |run| run.at)
    }

    /// Coordinate of a position, the first where there are several, and the position of the level above that it is below.
    pub(super) fn up(&self, position: u64) -> (u64, usize) {
        let n = self.runs.partition_point(|run| run.at <= position) - 1;
        let run = &self.runs[n];
        (run.first + position - run.at, self.seg.partition_point(|&begin| begin <= n as u64) - 1)
    }

    /// Numbers stored.
    pub(super) fn words(&self) -> usize {
        self.seg.len() + self.runs.len() * if self.shared { 2 } else { 3 }
    }

    /// Coordinates and positions below a position of the level above.
    pub fn below(&self, above: usize) -> impl Iterator<Item = (u64, u64)> + '_ {
        let fiber = &self.runs[self.seg[above] as usize..self.seg[above + 1] as usize];
        fiber.iter().flat_map(|run| {
            (run.first..=run.last).map(|c| (c, if self.shared { run.at } else { run.at + c - run.first }))
        })
    }

    /// Returns the part below some positions of the level above, and the positions that are left; a fiber
    /// without a position is empty.
    pub(super) fn of(&self, above: &[Option<u64>]) -> (Self, Vec<u64>) {
        let (mut out, mut kept) = (Self { seg: vec![0], runs: Vec::new(), shared: self.shared }, Vec::new());
        for p in above {
            let fiber = p.map_or(0..0, |p| self.seg[p as usize] as usize..self.seg[p as usize + 1] as usize);
            for run in &self.runs[fiber] {
                out.runs.push(Run { at: kept.len() as u64, ..*run });
                kept.extend(run.at..self.after(run));
            }
            out.seg.push(out.runs.len() as u64);
        }
        (out, kept)
    }

    /// Packs the ranges into words with coordinates of `crd_w` bits.
    pub fn packed(&self, crd_w: u32) -> Vec<u64> {
        let base = |run: &Run| if self.shared { 0 } else { run.at << (2 * crd_w) };
        self.runs.iter().map(|run| base(run) | run.last << crd_w | run.first).collect()
    }

    /// Unpacks words that the hardware wrote.
    ///
    /// # Errors
    ///
    /// Segments that are none, runs that end before they begin or overlap, positions that do not count coordinates.
    pub fn unpacked(seg: Vec<u64>, words: &[u64], crd_w: u32, shared: bool) -> Result<Self, Diagnostic> {
        let mut at = 0;
        let mut out = Self { seg, runs: Vec::new(), shared };
        for word in words {
            let (first, last) = (word & mask(crd_w), word >> crd_w & mask(crd_w));
            if last < first {
                return Err(bad(&format!("a run from coordinate {first} to {last}")));
            }
            let run = Run { first, last, at };
            if !shared && word >> (2 * crd_w) != at {
                return Err(bad(&format!(
                    "a block has position {}, {at} coordinates are before it",
                    word >> (2 * crd_w)
                )));
            }
            at = out.after(&run);
            out.runs.push(run);
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_as_the_level_they_hold() {
        let (seg, crd) = ([0, 4, 4, 6], [1, 2, 3, 7, 0, 1]);
        let blocks = Runs::new(&seg, &crd, None);
        assert_eq!(blocks.packed(4), [0x31, 3 << 8 | 0x77, 4 << 8 | 0x10]);
        assert_eq!((blocks.positions(), blocks.first(1), blocks.up(5)), (6, 4, (1, 2)));
        assert_eq!(Runs::unpacked(blocks.seg.clone(), &blocks.packed(4), 4, false).ok(), Some(blocks.clone()));
        assert!(Runs::unpacked(vec![0, 1], &[1 << 8], 4, false).is_err(), "a position that counts nothing");
        assert!(Runs::unpacked(vec![0, 1], &[0x12], 4, true).is_err(), "a run that ends before it begins");
        let runs = Runs::new(&seg, &crd, Some(&[5, 5, 6, 6, 6, 6]));
        assert_eq!(runs.packed(4), [0x21, 0x33, 0x77, 0x10]);
        assert_eq!((runs.positions(), runs.below(0).collect::<Vec<_>>()), (4, vec![(1, 0), (2, 0), (3, 1), (7, 2)]));
        let (part, kept) = blocks.of(&[Some(2), None, Some(0)]);
        assert_eq!(part.seg, [0, 1, 1, 3]);
        assert_eq!((part.packed(4), kept), (vec![0x10, 2 << 8 | 0x31, 5 << 8 | 0x77], vec![4, 5, 0, 1, 2, 3]));
    }
}
