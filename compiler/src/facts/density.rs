//! Sizes of the data, as far as they are known before a run.

use crate::stmt::{TensorId, VarId};
use std::collections::HashMap;

/// Known sizes of the data.
#[derive(Debug, Clone, Default)]
pub struct Density {
    /// Number of stored values per tensor, where measured.
    pub stored: HashMap<TensorId, u64>,
    /// Run-time sizes of variables' dimensions; where unknown, the largest that the kernel file allows.
    pub sizes: HashMap<VarId, u64>,
}
