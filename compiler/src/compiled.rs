//! The data that compiler passes work on: a kernel between statements and graph, and a graph between graph and netlist.

use crate::facts::Density;
use crate::frontend::Memory;
use crate::lower::Lowered;
use crate::netlist::{Netlist, Sizes};
use crate::passes::fifo::Depths;
use crate::passes::order::Choice;
use crate::passes::split::Split;
use crate::stmt::{Kernel, VarId};
use std::ops::Range;

/// A function that returns a loop order for the result of splitting indices.
pub type Given<'a> = &'a dyn Fn(&Split) -> Vec<VarId>;

/// Options of a compilation.
#[derive(Clone, Default)]
pub struct Options<'a> {
    /// The memory that holds tensors during a run.
    pub memory: Memory,
    /// Known sizes of the data, in the kernel's own tensors and variables.
    pub density: Density,
    /// The loop order; `None` uses the kernel file's order or the estimate's.
    pub order: Option<Given<'a>>,
    /// Bytes of the kernel file that give the loop order, for error messages.
    pub order_at: Option<Range<usize>>,
    /// Names of optional passes to skip.
    pub without: &'a [&'a str],
    /// Whether every order is lowered before it is chosen, also one that nothing is compared with.
    pub careful: bool,
}

/// A compiled kernel: its loop order and graph, independent of data.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// The result of splitting indices.
    pub split: Split,
    /// The loop order and the reason for it.
    pub choice: Choice,
    /// The graph from which hardware is generated.
    pub lowered: Lowered,
}

impl Compiled {
    /// A kernel of which nothing is done yet.
    pub(crate) fn begin(kernel: &Kernel) -> Self {
        Self {
            split: Split::of_nothing(kernel),
            choice: Choice { order: vec![], reasons: vec![], untried: false },
            lowered: Lowered::begin(kernel.clone()),
        }
    }
}

/// A graph during the translation to a netlist.
pub struct Realizing<'a> {
    /// The graph from which hardware is generated.
    pub lowered: &'a Lowered,
    /// The largest size of every level and array.
    pub sizes: &'a Sizes,
    /// The method that sizes FIFOs.
    pub depths: Depths,
    /// The netlist as far as it exists.
    pub net: Netlist,
}
