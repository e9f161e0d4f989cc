//! The elastic buffer `samhw_skid` between registers that are not channels: two entries, registered ready.

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
    /// Returns the beat that the buffer offers.
    pub fn head(&self) -> Option<T> {
        self.head
    }
    /// Returns true if the buffer can take a beat.
    pub fn room(&self) -> bool {
        self.tail.is_none()
    }
    /// Returns true if the buffer is empty.
    pub fn is_empty(&self) -> bool {
        self.head.is_none()
    }
    /// Simulates a clock edge: takes `offered` if there was room, and removes the head if it leaves.
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
