//! The arguments of a function.

use super::program::NodeId;

/// One item per argument, on the stack for up to three.
pub(super) struct Few<T> {
    few: [T; 3],
    many: Vec<T>,
    len: usize,
}

impl<T: Copy + Default> Few<T> {
    pub(super) fn new(args: &[NodeId], mut item: impl FnMut(NodeId) -> T) -> Self {
        let empty = Self { few: [T::default(); 3], many: Vec::new(), len: args.len() };
        empty.with(args.iter().map(|&a| item(a)))
    }
    /// Replaces the items.
    pub(super) fn with(mut self, items: impl Iterator<Item = T>) -> Self {
        if self.len > self.few.len() {
            self.many = items.collect();
        } else {
            self.few.iter_mut().zip(items).for_each(|(place, item)| *place = item);
        }
        self
    }
}

impl<T> std::ops::Deref for Few<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        if self.len > self.few.len() { &self.many } else { &self.few[..self.len] }
    }
}
