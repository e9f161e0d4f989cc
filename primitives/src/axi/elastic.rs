//! `samhw_skid` between registers that are no channels: two entries, ready is a register.

/// An elastic buffer.
#[derive(Debug, Clone)]
pub struct Elastic<T> {
    head: Option<T>,
    tail: Option<T>,
}

impl<T> Default for Elastic<T> {
    fn default() -> Self {
        Self { head: None, tail: None }
    }
}

impl<T: Copy> Elastic<T> {
    /// What it offers.
    pub fn head(&self) -> Option<T> {
        self.head
    }
    /// True if it takes something.
    pub fn room(&self) -> bool {
        self.tail.is_none()
    }
    /// True if it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.head.is_none()
    }
    /// The edge: what is offered to it, taken if there was room; whether its head leaves.
    pub fn clock(&mut self, offered: Option<T>, leaves: bool) {
        let taken = offered.filter(|_| self.room());
        if leaves {
            self.head = self.tail.take();
        }
        if self.head.is_none() {
            self.head = taken;
        } else if taken.is_some() {
            self.tail = taken;
        }
    }
}
