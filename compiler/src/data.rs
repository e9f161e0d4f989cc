//! Sources of a tensor's data, from a kernel file or the command line: a file or a generator. Only the description
//! lives here; reading and generating are the simulator's.
//!
//! In a kernel file the variant's name in `snake_case` is the key and the fields are a table:
//!
//! ```toml
//! [data]
//! A = "data/A.mtx"
//! B = { file = "data/B.mtx", convert = "ones" }
//! C = { random = { density = 0.05, seed = 1, values = [-4, 4] } }
//! D = { poisson2d = { n = 64 } }
//! E = "identity"
//! F = { random = { density = 0.05, values = [-1.0, 1.0] } }
//! ```

use crate::types::Type;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// The source of one tensor's data.
#[derive(Debug, Clone, PartialEq)]
pub enum DataSource {
    /// A file; the extension of its name determines the format.
    File {
        /// Path as written, relative to the kernel file, or to the working directory if it comes from the command line;
        /// the reader resolves it.
        path: PathBuf,
        /// Policy for values that the tensor's type cannot hold.
        policy: ValuePolicy,
    },
    /// Generated data, the same in every run.
    Generated(Generator),
    /// The given raw bits at every coordinate.
    Everywhere(u64),
    /// Data in memory, from a program that uses samhw as a library.
    Held(Arc<HeldEntries>),
}

impl DataSource {
    /// A source without entries.
    pub const NOTHING: Self =
        Self::Generated(Generator { pattern: Pattern::Random { density: 0.0 }, seed: 0, values: None });
}

/// Numbers in memory: an owned list, or a borrowed array that is read in place.
pub trait Words: fmt::Debug + Send + Sync {
    /// Returns the number of values.
    fn count(&self) -> usize;
    /// Returns the raw bits of value number `n`, below `count`.
    fn word(&self, n: usize) -> u64;
}

impl Words for Vec<u64> {
    fn count(&self) -> usize {
        self.len()
    }
    fn word(&self, n: usize) -> u64 {
        self[n]
    }
}

/// Coordinates of the entries of a tensor in memory, in any order, each at most once.
#[derive(Debug, Clone)]
pub enum Coordinates {
    /// Every coordinate, row by row.
    All,
    /// A list of coordinates for each mode.
    Lists(Vec<Arc<dyn Words>>),
    /// Coordinates of a matrix in CSR or CSC form.
    Lines {
        /// The mode of the lines: 0 for rows, 1 for columns.
        mode: usize,
        /// Index of the first entry of each line, followed by the number of entries.
        starts: Arc<dyn Words>,
        /// The coordinate of each entry within its line.
        others: Arc<dyn Words>,
    },
}

/// Entries of a tensor in memory.
#[derive(Debug, Clone)]
pub struct HeldEntries {
    /// Size of each mode of the tensor.
    pub shape: Vec<u64>,
    /// Element type of the values.
    pub ty: Type,
    /// Coordinates of the entries. Of those that are everywhere one that equals the fill need not be stored.
    pub places: Coordinates,
    /// Raw bits of each value.
    pub values: Arc<dyn Words>,
    /// Policy for values that the tensor's type cannot hold.
    pub policy: ValuePolicy,
}

/// Entries equal themselves only: somebody else may own what they are read from.
impl PartialEq for HeldEntries {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// A policy for converting a file's values to the tensor's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ValuePolicy {
    /// `exact`: every value must be representable; otherwise there is an error.
    #[default]
    Exact,
    /// `ones`: only the file's pattern is used, and every stored entry becomes 1, explicit zeros included.
    Ones,
    /// `round`: to the nearest integer, halves away from zero; a value out of range or not finite is an error.
    Round,
}

impl ValuePolicy {
    /// The names of all policies, in the order in which help lists them.
    pub const NAMES: [&'static str; 3] = ["exact", "ones", "round"];

    /// Finds a policy by its name in a kernel file.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "exact" => Some(Self::Exact),
            "ones" => Some(Self::Ones),
            "round" => Some(Self::Round),
            _ => None,
        }
    }
}

/// A generator of a tensor: a pattern of entries and their values. The same description with the same shape and type
/// gives the same tensor on every machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Generator {
    /// The pattern of the entries.
    pub pattern: Pattern,
    /// Seed of positions and values; the default is 0.
    pub seed: u64,
    /// The range of values, `values = [lo, hi]`. `None`: the pattern's own values (identity: 1, Poisson: the
    /// stencil's), else small integers (-8..=8 for signed integers, 1..=8 for unsigned ones), 1 for bool, and numbers
    /// from -1 to 1 (0 to 1 if unsigned) for floats and fixed point.
    pub values: Option<Range>,
}

/// A range from which values are drawn uniformly, excluding 0 (`[0, 0]` gives explicit zeros).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Range {
    /// Integers, such as `[-4, 4]`.
    Whole([i64; 2]),
    /// Real numbers, rounded to the type, such as `[-1.0, 1.0]`.
    Real([f64; 2]),
}

/// A pattern of entries of a generated tensor. Shapes come from the kernel file.
#[derive(Debug, Clone, PartialEq)]
pub enum Pattern {
    /// `random`: every coordinate is stored with probability `density`, independently. Any order.
    Random {
        /// Probability, from 0 to 1.
        density: f64,
    },
    /// `banded`: row i holds columns i - `lower` ..= i + `upper`. Order 2.
    Banded {
        /// Diagonals below the main one.
        lower: u64,
        /// Diagonals above the main one.
        upper: u64,
    },
    /// `block`: the tensor is divided into cubes of side `size` (cut off at the edges), each full with probability
    /// `density` and otherwise empty. Any order above 0.
    Block {
        /// Side of a tile in every mode, at least 1.
        size: u64,
        /// Probability that a tile is full, from 0 to 1.
        density: f64,
    },
    /// `rmat`: a power-law graph (Chakrabarti et al., "R-MAT", SDM 2004). Order 2. `edges` draws;
    /// draws of the same coordinate count once, so slightly fewer entries are stored.
    Rmat {
        /// Number of draws.
        edges: u64,
        /// Probabilities of the quadrants (top left, top right, bottom left); the rest is bottom right.
        /// Graph500 uses `[0.57, 0.19, 0.19]`, the default.
        quadrants: [f64; 3],
    },
    /// `poisson2d`: the 5-point stencil on an `n` x `n` grid, of shape n^2 x n^2, with 4 on the diagonal and -1 for
    /// neighbours.
    Poisson2d {
        /// Points along one side.
        n: u64,
    },
    /// `poisson3d`: the 7-point stencil on an `n` x `n` x `n` grid, of shape n^3 x n^3: 6 and -1.
    Poisson3d {
        /// Points along one side.
        n: u64,
    },
    /// `identity`: 1 at every coordinate whose indices are all equal. Order 1 and up.
    Identity,
}

impl Pattern {
    /// The names of all patterns, in the order in which help lists them.
    pub const NAMES: [&'static str; 7] = ["random", "banded", "block", "rmat", "poisson2d", "poisson3d", "identity"];

    /// Returns the pattern's name in a kernel file.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Random { .. } => "random",
            Self::Banded { .. } => "banded",
            Self::Block { .. } => "block",
            Self::Rmat { .. } => "rmat",
            Self::Poisson2d { .. } => "poisson2d",
            Self::Poisson3d { .. } => "poisson3d",
            Self::Identity => "identity",
        }
    }
}
