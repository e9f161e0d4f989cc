//! What the passes work on: a kernel on its way from statements to a graph, and a graph on its way
//! to a netlist.

use crate::facts::Density;
use crate::frontend::Memory;
use crate::lower::Lowered;
use crate::netlist::{Netlist, Sizes};
use crate::passes::fifo::Depths;
use crate::passes::order::Choice;
use crate::passes::split::Split;
use crate::stmt::{Kernel, VarId};
use std::collections::BTreeMap;
use std::ops::Range;

/// A loop order, given what became of split indices.
pub type Given<'a> = &'a dyn Fn(&Split) -> Vec<VarId>;

/// What a kernel is compiled for.
#[derive(Clone, Default)]
pub struct Options<'a> {
    /// Where tensors live while it runs.
    pub memory: Memory,
    /// What is known of the data, in the kernel's own tensors and variables.
    pub density: Density,
    /// The loop order; `None` leaves it to the kernel file or the estimate.
    pub order: Option<Given<'a>>,
    /// Bytes of the kernel file that give the loop order, for errors.
    pub order_at: Option<Range<usize>>,
    /// Names of optional passes that are left out.
    pub without: &'a [&'a str],
}

/// A kernel with its order and graph, before any data.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// What became of split indices.
    pub split: Split,
    /// Loop order and why.
    pub choice: Choice,
    /// What the hardware is made from.
    pub lowered: Lowered,
}

impl Compiled {
    /// A kernel of which nothing is done yet.
    pub(crate) fn begin(kernel: &Kernel) -> Self {
        Self {
            split: Split { kernel: kernel.clone(), pairs: vec![], parts: BTreeMap::new(), ordered: None },
            choice: Choice { order: vec![], reasons: vec![] },
            lowered: Lowered::begin(kernel.clone()),
        }
    }
}

/// A graph on its way to a netlist.
pub struct Realizing<'a> {
    /// What the hardware is made from.
    pub lowered: &'a Lowered,
    /// How large everything can get.
    pub sizes: &'a Sizes,
    /// How FIFOs are sized.
    pub depths: Depths,
    /// What there is of the netlist.
    pub net: Netlist,
}
