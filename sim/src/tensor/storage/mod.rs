//! Tensors as hardware memories store them: one set of arrays per level, and the values.

mod bank;
mod pack;
mod runs;
mod table;
mod unpack;

use samhw_compiler::diag::Diagnostic;

use super::codes;

pub use bank::bank;
pub use pack::pack;
pub use runs::{Run, Runs};
pub use table::Table;
use unpack::bad;
pub use unpack::unpack;

/// The arrays of one level. A level has positions, numbered from 0 and grouped by the positions of the level above (the
/// outermost level hangs below one position, the root). The reference that streams carry is the position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LevelData {
    /// A dense level: coordinate c below position p is position p * dim + c.
    Dense {
        /// Size of the mode.
        dim: u64,
    },
    /// A compressed level: the coordinates below position p are `crd[seg[p]..seg[p + 1]]`, strictly increasing; their
    /// index is the position. A level of bit vectors holds the same, in words.
    Compressed {
        /// Start of each fiber, followed by the end of the last one.
        seg: Vec<u64>,
        /// Coordinates.
        crd: Vec<u64>,
    },
    /// Like `Compressed`, but a coordinate repeats for each entry of the singleton levels that follow (COO).
    CompressedNu {
        /// Start of each fiber, followed by the end of the last one.
        seg: Vec<u64>,
        /// Coordinates, not decreasing within a fiber.
        crd: Vec<u64>,
    },
    /// Like `Compressed`, with ranges of consecutive coordinates.
    Runs(Runs),
    /// One coordinate per position of the level above; the position is the same in both levels.
    Singleton {
        /// Coordinates.
        crd: Vec<u64>,
    },
}

/// A packed tensor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Storage {
    /// Size of each mode in storage order: `shape[l]` belongs to `levels[l]`.
    pub shape: Vec<u64>,
    /// The levels, outermost first.
    pub levels: Vec<LevelData>,
    /// Raw bits, one per position of the last level (one in all for a scalar); the fill where nothing is stored. Coordinates of a run share a
    /// position.
    pub values: Vec<u64>,
}

impl LevelData {
    /// Returns the number of positions for `above` positions in the level above; `None` if it overflows.
    pub fn positions(&self, above: u64) -> Option<u64> {
        match self {
            Self::Dense { dim } => above.checked_mul(*dim),
            Self::Runs(runs) => Some(runs.positions()),
            Self::Compressed { crd, .. } | Self::CompressedNu { crd, .. } | Self::Singleton { crd } => {
                u64::try_from(crd.len()).ok()
            }
        }
    }

    /// Returns the number of ranges of consecutive coordinates, for levels that store these.
    pub fn runs(&self) -> u64 {
        if let Self::Runs(runs) = self { runs.runs.len() as u64 } else { 0 }
    }

    /// Position of the first one below a position of the level above, or below all that follow it.
    fn first(&self, position: u64) -> u64 {
        match self {
            Self::Dense { dim } => position * dim,
            Self::Runs(runs) => runs.first(position),
            Self::Compressed { seg, .. } | Self::CompressedNu { seg, .. } => seg[position as usize],
            Self::Singleton { .. } => position,
        }
    }

    /// Coordinate of a position, and the position of the level above that it is below.
    fn up(&self, position: usize) -> (u64, usize) {
        match self {
            Self::Dense { dim } => (position as u64 % dim, (position as u64 / dim) as usize),
            Self::Compressed { seg, crd } | Self::CompressedNu { seg, crd } => {
                (crd[position], seg.partition_point(|&begin| begin <= position as u64) - 1)
            }
            Self::Runs(runs) => runs.up(position as u64),
            Self::Singleton { crd } => (crd[position], position),
        }
    }
}

impl Storage {
    /// Returns the first position of level `level` below each position of level `tile`, followed by the end of the last
    /// one.
    pub fn starts(&self, tile: usize, level: usize) -> Vec<u64> {
        let positions = self.levels[..=tile].iter().try_fold(1, |above, l| l.positions(above)).unwrap_or(0);
        let below = &self.levels[tile + 1..=level];
        (0..=positions).map(|p| below.iter().fold(p, |p, l| l.first(p))).collect()
    }

    /// Returns the number of words, of at most 64 bits, in all arrays together.
    pub fn words(&self) -> usize {
        let of = |level: &LevelData| match level {
            LevelData::Dense { .. } => 0,
            LevelData::Runs(runs) => runs.words(),
            LevelData::Compressed { seg, crd } | LevelData::CompressedNu { seg, crd } => seg.len() + crd.len(),
            LevelData::Singleton { crd } => crd.len(),
        };
        self.values.len() + self.levels.iter().map(of).sum::<usize>()
    }
}

/// The mode order or the number of levels does not suit the order of the tensor.
fn wrong_order(levels: usize, mode_order: &[usize], order: usize) -> Diagnostic {
    let message = format!("{levels} levels and mode order {mode_order:?} for a tensor of order {order}");
    Diagnostic::new(codes::LEVELS, message).help("give one level per mode, and each mode once in `mode_order`")
}
