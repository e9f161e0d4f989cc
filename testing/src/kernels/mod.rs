//! Random kernels with data for tests, determined by a seed; failing cases are shrunk.
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

/// A test case: a kernel of one statement with its data. Displays as a kernel file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The kernel, with a given loop order. Every node has one user, names are unique.
    pub kernel: Kernel,
    /// Run-time size of each variable's dimension, at most its `max`.
    pub dims: Vec<u64>,
    /// Loop order, with every variable once.
    pub order: Vec<VarId>,
    /// Data of every operand.
    pub data: BTreeMap<TensorId, Coo>,
}

/// The functions and types that occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Functions {
    /// Integers with +, -, *, negation, min and max.
    Arithmetic,
    /// Every type, with all functions that have hardware for it.
    Hardware,
    /// All functions and types.
    All,
}

/// Limits of a random test case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Largest number of accesses; 0 gives literals only.
    pub accesses: usize,
    /// Functions and types.
    pub functions: Functions,
    /// Largest number of variables.
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
    /// Whether comparisons have types of their own, and coordinates have any type.
    pub types: bool,
    /// Whether scans occur that fit the case's own loop order.
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
