//! Names of nodes: how many there are that a new one could be mistaken for, without a look at all of them.

use std::collections::HashMap;

/// How many names begin with each word that ends before a `_` or where the name ends.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names(HashMap<String, usize>);

impl Names {
    /// Another node is called so.
    pub(super) fn count(&mut self, name: &str) {
        for end in name.match_indices('_').map(|(at, _)| at).chain([name.len()]) {
            *self.0.entry(name[..end].to_owned()).or_default() += 1;
        }
    }
    /// How many are `name`, or begin with it and go on with a `_`.
    pub(super) fn begun(&self, name: &str) -> usize {
        self.0.get(name).copied().unwrap_or(0)
    }
}
