//! Random kernels with data, for tests: deterministic by seed, with shrinking of what fails.
//!
//! ```
//! use samhw_testing::kernels::{Limits, generate, shrink};
//! let case = generate(1, &Limits::default());
//! let smallest = shrink(case, |c| c.kernel.statements[0].indices.len() < 9);
//! println!("{smallest}"); // a kernel file, its data as comments
//! ```

mod choose;
mod edit;
mod generate;
mod scans;
mod shrink;
#[cfg(test)]
mod tests;
mod text;
mod types;

pub use choose::value;
pub use generate::generate;
pub use shrink::shrink;

use samhw_compiler::stmt::{Kernel, TensorId, VarId};
use samhw_sim::tensor::Coo;
use std::collections::BTreeMap;

/// A kernel of one statement and what it runs on. Displays as a kernel file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The kernel; its loop order is given. Every node has one user, names are unique.
    pub kernel: Kernel,
    /// Run-time size of each variable's dimension, at most its `max`.
    pub dims: Vec<u64>,
    /// Loop order: every variable once.
    pub order: Vec<VarId>,
    /// Every operand's data.
    pub data: BTreeMap<TensorId, Coo>,
}

/// Which functions and types occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Functions {
    /// Integers; +, -, *, negation, min and max.
    Arithmetic,
    /// Every type, and the functions of it that have hardware.
    Hardware,
    /// Everything.
    All,
}

/// What a random case may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most accesses; 0 gives literals alone.
    pub accesses: usize,
    /// Which functions and types.
    pub functions: Functions,
    /// Most variables.
    pub vars: usize,
    /// Largest size of a dimension.
    pub dim: u64,
    /// Deepest nesting of functions and reductions.
    pub depth: u32,
    /// Whether levels may be dense.
    pub dense: bool,
    /// Whether tensors may be stored as coordinate lists (non-unique levels and singletons).
    pub coordinate_lists: bool,
    /// Whether levels may be bit vectors, blocks and runs.
    pub bit_vectors: bool,
    /// Whether operands may have fills other than 0.
    pub fills: bool,
    /// Whether literals occur.
    pub literals: bool,
    /// Whether storage orders may differ from index orders.
    pub mode_orders: bool,
    /// Whether run-time sizes may be 0.
    pub empty: bool,
    /// Whether comparisons have types of their own, and coordinates all types.
    pub types: bool,
    /// Whether there are scans, which fit the case's own loop order.
    pub scans: bool,
}

impl Default for Limits {
    /// Everything the language has.
    fn default() -> Self {
        Self {
            accesses: 7,
            functions: Functions::All,
            vars: 5,
            dim: 5,
            depth: 5,
            dense: true,
            coordinate_lists: true,
            bit_vectors: true,
            fills: true,
            literals: true,
            mode_orders: true,
            empty: true,
            types: true,
            scans: false,
        }
    }
}
