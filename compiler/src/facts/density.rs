//! What is known of the data before a run.

use crate::stmt::{TensorId, VarId};
use std::collections::HashMap;

/// What is known of the data.
#[derive(Debug, Clone, Default)]
pub struct Density {
    /// Stored values, where measured.
    pub stored: HashMap<TensorId, u64>,
    /// Run-time sizes of variables' dimensions, where known; else the largest that the kernel file
    /// allows.
    pub sizes: HashMap<VarId, u64>,
}
