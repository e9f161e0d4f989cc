//! Model of `samhw_fiber_over`, which notes that nothing more of a fiber is needed.

use samhw_streams::Beat;

/// Tracks whether hints of an early exit have ended the current fiber.
#[derive(Debug, Clone, Default)]
pub struct FiberOver {
    /// Width of a fiber's number in bits; 0 if there are no hints.
    tag_w: u32,
    number: u64,
    over: bool,
}

impl FiberOver {
    /// Creates one for hints with this width of a fiber's number in bits; 0 for no hints.
    pub fn new(tag_w: u32) -> Self {
        Self { tag_w, ..Self::default() }
    }
    /// Returns whether there are hints.
    #[inline]
    pub fn hints(&self) -> bool {
        self.tag_w > 0
    }
    /// Returns whether nothing more of the current fiber is needed.
    #[inline]
    pub fn over(&self) -> bool {
        self.over
    }
    /// Takes the hint of this cycle, and whether the fiber leaves in it.
    #[inline]
    pub fn clock(&mut self, hint: Option<Beat>, leaves: bool) {
        if !self.hints() {
            return;
        }
        let told = hint.is_some_and(|h| h.p[0] == 1 << self.tag_w | self.number);
        self.over = !leaves && (self.over || told);
        if leaves {
            self.number = (self.number + 1) % (1 << self.tag_w);
        }
    }
}
