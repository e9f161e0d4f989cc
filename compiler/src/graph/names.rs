//! Names of nodes, counted by prefix so that unique names are found quickly.

use std::collections::HashMap;

/// Number of names with each prefix that ends at a `_` or at the end of the name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NodeNames(HashMap<String, usize>);

impl NodeNames {
    /// Another node is called so.
    pub(super) fn count(&mut self, name: &str) {
        for begin in beginnings(name) {
            match self.0.get_mut(begin) {
                Some(n) => *n += 1,
                None => _ = self.0.insert(begin.to_owned(), 1),
            }
        }
    }
    /// A node that was called so is gone.
    pub(super) fn forget(&mut self, name: &str) {
        for begin in beginnings(name) {
            if let Some(n) = self.0.get_mut(begin) {
                *n = n.saturating_sub(1);
            }
        }
    }
    /// Returns the number of names that are `name`, or begin with it and a `_`.
    pub(super) fn begun(&self, name: &str) -> usize {
        self.0.get(name).copied().unwrap_or(0)
    }
}

/// The words that `name` begins with.
fn beginnings(name: &str) -> impl Iterator<Item = &str> {
    name.match_indices('_').map(|(at, _)| at).chain([name.len()]).map(|end| &name[..end])
}
