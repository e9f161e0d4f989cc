//! Model of `samhw_queue`, the small FIFO for beats that wait for memory.

/// A FIFO that reports its room according to its registers. Use within a tick: look at [`Self::head`] and
/// [`Self::room`], [`Self::pop`] and [`Self::push`] at most once each, then [`Self::clock`] it once, last.
#[derive(Debug, Clone)]
pub struct Queue<T> {
    /// A ring; places that were never used are missing.
    words: Vec<T>,
    /// Places of the ring, a power of two, less one.
    mask: usize,
    /// Place of the oldest word.
    first: usize,
    len: usize,
    popped: bool,
    pushed: bool,
}

impl<T> Queue<T> {
    /// Creates an empty queue for `2**log2` words.
    pub fn new(log2: u32) -> Self {
        let places = 1 << log2;
        Self { words: Vec::with_capacity(places), mask: places - 1, first: 0, len: 0, popped: false, pushed: false }
    }
    /// Returns the oldest word.
    #[inline]
    pub fn head(&self) -> Option<&T> {
        if self.len > 0 { self.words.get(self.first) } else { None }
    }
    /// Returns true if a word can be pushed at this edge.
    #[inline]
    pub fn room(&self) -> bool {
        self.len <= self.mask
    }
    /// Removes the head at this edge.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.len > 0 && !self.popped);
        self.popped = true;
    }
    /// Adds a word at this edge.
    #[inline]
    pub fn push(&mut self, word: T) {
        debug_assert!(self.room() && !self.pushed);
        let at = (self.first + self.len) & self.mask;
        match self.words.get_mut(at) {
            Some(place) => *place = word,
            None => self.words.push(word),
        }
        self.pushed = true;
    }
    /// Simulates a clock edge. Returns whether anything changed.
    #[inline]
    pub fn clock(&mut self) -> bool {
        if !(self.popped | self.pushed) {
            return false;
        }
        self.first = (self.first + usize::from(self.popped)) & self.mask;
        self.len = self.len + usize::from(self.pushed) - usize::from(self.popped);
        (self.popped, self.pushed) = (false, false);
        true
    }
}
