//! Model of `samhw_queue`: the small FIFO that holds what waits for memory.

use std::collections::VecDeque;

/// A FIFO whose fullness is judged on its registers. Use within a tick: look at
/// [`Self::head`] and [`Self::room`], [`Self::pop`] and [`Self::push`] at most once each, then
/// [`Self::clock`] it once, last.
#[derive(Debug, Clone)]
pub struct Queue<T> {
    words: VecDeque<T>,
    capacity: usize,
    popped: bool,
    pushed: Option<T>,
}

impl<T> Queue<T> {
    /// An empty queue for `2**log2` words.
    pub fn new(log2: u32) -> Self {
        let capacity = 1 << log2;
        Self { words: VecDeque::with_capacity(capacity), capacity, popped: false, pushed: None }
    }
    /// The oldest word held.
    #[inline]
    pub fn head(&self) -> Option<&T> {
        self.words.front()
    }
    /// True if a word can be pushed at this edge.
    #[inline]
    pub fn room(&self) -> bool {
        self.words.len() < self.capacity
    }
    /// Removes the head at this edge.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(!self.words.is_empty() && !self.popped);
        self.popped = true;
    }
    /// Adds a word at this edge.
    #[inline]
    pub fn push(&mut self, word: T) {
        debug_assert!(self.room() && self.pushed.is_none());
        self.pushed = Some(word);
    }
    /// The edge. Returns whether anything changed.
    #[inline]
    pub fn clock(&mut self) -> bool {
        let changed = self.popped | self.pushed.is_some();
        if std::mem::take(&mut self.popped) {
            self.words.pop_front();
        }
        if let Some(word) = self.pushed.take() {
            self.words.push_back(word);
        }
        changed
    }
}
