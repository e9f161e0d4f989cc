//! Where a tensor's data come from, as a kernel file or the command line says it: a file or a
//! generator. Only the description lives here; reading and generating are the simulator's.
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

/// Where the data of one tensor come from.
#[derive(Debug, Clone, PartialEq)]
pub enum DataSource {
    /// A file; its format follows from the name's extension.
    File {
        /// Path as written, relative to the kernel file (or to the working directory if it stood on
        /// the command line): whoever reads it resolves it.
        path: PathBuf,
        /// What happens to values that the tensor's type cannot hold.
        policy: ValuePolicy,
    },
    /// Made up, deterministically.
    Generated(Generator),
    /// These raw bits at every coordinate.
    Everywhere(u64),
    /// Held in memory by the program that samhw is a library of.
    Held(Arc<HeldEntries>),
}

impl DataSource {
    /// No entries.
    pub const NOTHING: Self =
        Self::Generated(Generator { pattern: Pattern::Random { density: 0.0 }, seed: 0, values: None });
}

/// Numbers in memory: a list, or an array that somebody else owns and that is read where it is.
pub trait Words: fmt::Debug + Send + Sync {
    /// How many there are.
    fn count(&self) -> usize;
    /// The raw bits of number `n`, which is below `count`.
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

/// Where the entries of a tensor in memory are, in any order, each coordinate at most once.
#[derive(Debug, Clone)]
pub enum Coordinates {
    /// Everywhere, row by row.
    All,
    /// A list for each mode, with a number for each entry.
    Lists(Vec<Arc<dyn Words>>),
    /// Those of a matrix, line by line.
    Lines {
        /// The mode that counts lines: 0 of rows, 1 of columns.
        mode: usize,
        /// The first entry of each line, and the end of the last line.
        starts: Arc<dyn Words>,
        /// The other coordinate of each entry.
        others: Arc<dyn Words>,
    },
}

/// Entries of a tensor in memory.
#[derive(Debug, Clone)]
pub struct HeldEntries {
    /// Size of each mode.
    pub shape: Vec<u64>,
    /// Type of the values.
    pub ty: Type,
    /// Where they are. Of those that are everywhere one that equals the fill need not be stored.
    pub places: Coordinates,
    /// Raw bits of each value.
    pub values: Arc<dyn Words>,
    /// What happens to values that the tensor's type cannot hold.
    pub policy: ValuePolicy,
}

/// Entries equal themselves only: somebody else may own what they are read from.
impl PartialEq for HeldEntries {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// What happens to values of a file on their way to the tensor's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ValuePolicy {
    /// `exact`: every value must be representable; one that is not is an error.
    #[default]
    Exact,
    /// `ones`: only the pattern of the file counts, every stored entry becomes 1 (explicit zeros too).
    Ones,
    /// `round`: to the nearest integer, halves away from zero; out of range or not finite is an error.
    Round,
}

impl ValuePolicy {
    /// Every policy's name, in the order in which help lists them.
    pub const NAMES: [&'static str; 3] = ["exact", "ones", "round"];

    /// From its name in a kernel file.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "exact" => Some(Self::Exact),
            "ones" => Some(Self::Ones),
            "round" => Some(Self::Round),
            _ => None,
        }
    }
}

/// A generated tensor: where entries stand, and their values. The same description with the same shape
/// and type gives the same tensor on every machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Generator {
    /// Where entries stand.
    pub pattern: Pattern,
    /// Seed of positions and values; 0 when nothing is said.
    pub seed: u64,
    /// What `values = [lo, hi]` says. `None`: the pattern's own values (identity: 1, Poisson: the stencil's), else
    /// small integers (-8..=8 for signed integers, 1..=8 for unsigned ones), 1 for bool, and numbers from -1 to 1
    /// (0 to 1 if unsigned) for floats and fixed point.
    pub values: Option<Range>,
}

/// Smallest and largest of the values that are drawn, uniformly, without 0 (`[0, 0]` gives explicit zeros).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Range {
    /// Whole numbers: `[-4, 4]`.
    Whole([i64; 2]),
    /// Real numbers, rounded to the type: `[-1.0, 1.0]`.
    Real([f64; 2]),
}

/// Where the entries of a generated tensor stand. Shapes come from the kernel file.
#[derive(Debug, Clone, PartialEq)]
pub enum Pattern {
    /// `random`: every coordinate is stored with probability `density`, independently. Any order.
    Random {
        /// Between 0 and 1.
        density: f64,
    },
    /// `banded`: row i holds columns i - `lower` ..= i + `upper`. Order 2.
    Banded {
        /// Diagonals below the main one.
        lower: u64,
        /// Diagonals above the main one.
        upper: u64,
    },
    /// `block`: the tensor is tiled with cubes of side `size` (cut off at the edges); every tile is full with
    /// probability `density`, else empty. Any order above 0.
    Block {
        /// Side of a tile in every mode, at least 1.
        size: u64,
        /// Between 0 and 1.
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
    /// `poisson2d`: the 5-point stencil on an `n` x `n` grid, of shape n^2 x n^2: 4 on the diagonal, -1 beside.
    Poisson2d {
        /// Points along one side.
        n: u64,
    },
    /// `poisson3d`: the 7-point stencil on an `n` x `n` x `n` grid, of shape n^3 x n^3: 6 and -1.
    Poisson3d {
        /// Points along one side.
        n: u64,
    },
    /// `identity`: 1 wherever all coordinates are equal. Order 1 and up.
    Identity,
}

impl Pattern {
    /// Every pattern's name, in the order in which help lists them.
    pub const NAMES: [&'static str; 7] = ["random", "banded", "block", "rmat", "poisson2d", "poisson3d", "identity"];

    /// Its name in a kernel file.
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
