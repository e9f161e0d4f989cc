//! Model of `samhw_hold_back`, which delays a leaf until its stop is known.

use samhw_streams::Beat;

#[derive(Debug, Clone, Copy)]
struct Held<T> {
    item: T,
    stop: u8,
    settled: bool,
}

/// A register for one beat (without its stop) in front of an output register. Each tick:
/// decide by [`Self::room`] and [`Self::waiting`], then exactly one of [`Self::push`],
/// [`Self::close`] and [`Self::idle`]; what it returns goes to the output register.
#[derive(Debug, Clone)]
pub struct HoldBack<T> {
    held: Option<Held<T>>,
}

impl<T> Default for HoldBack<T> {
    fn default() -> Self {
        Self { held: None }
    }
}

impl<T> HoldBack<T> {
    /// Returns true if a beat can be pushed, given whether the output register is free.
    #[inline]
    pub fn room(&self, free: bool) -> bool {
        self.held.is_none() || free
    }
    /// Returns true while the stop of the held beat is unknown.
    #[inline]
    pub fn waiting(&self) -> bool {
        self.held.as_ref().is_some_and(|h| !h.settled)
    }
    /// Pushes a new beat; `settled` says whether its stop is final. Returns the one before it and its stop.
    #[inline]
    pub fn push(&mut self, item: T, stop: u8, settled: bool) -> Option<(T, u8)> {
        self.held.replace(Held { item, stop, settled }).map(|h| (h.item, h.stop))
    }
    /// Pushes as [`Self::push`] does; `gives` receives the previous beat and its stop. Returns whether there was one.
    #[inline]
    pub fn push_through(&mut self, item: T, stop: u8, settled: bool, gives: impl FnOnce(&T, u8)) -> bool {
        let left = self.held.as_ref().map(|h| gives(&h.item, h.stop)).is_some();
        self.held = Some(Held { item, stop, settled });
        left
    }
    /// Sets the stop of the waiting beat, which ends its list.
    #[inline]
    pub fn close(&mut self, stop: u8) {
        debug_assert!(self.waiting());
        if let Some(h) = &mut self.held {
            (h.stop, h.settled) = (stop, true);
        }
    }
    /// Returns the held beat if it can leave, in a cycle without a new one.
    #[inline]
    pub fn idle(&mut self, free: bool) -> Option<(T, u8)> {
        if free && !self.waiting() { self.held.take().map(|h| (h.item, h.stop)) } else { None }
    }
    /// Sends as [`Self::idle`] does; `gives` receives the leaving beat and its stop. Returns whether one does.
    #[inline]
    pub fn idle_through(&mut self, free: bool, gives: impl FnOnce(&T, u8)) -> bool {
        match &self.held {
            Some(h) if free && h.settled => gives(&h.item, h.stop),
            _ => return false,
        }
        self.held = None;
        true
    }
}

impl HoldBack<Beat> {
    /// Applies a filter to the next beat: keeps it, or, where a list ends with a removed beat, ends the list with the
    /// waiting beat or leaves it empty.
    #[inline]
    pub fn filter(&mut self, b: Beat, stays: bool, free: bool) -> Option<(Beat, u8)> {
        let ends = b.stop > 0 || !b.is_leaf();
        if stays {
            self.push(b, b.stop, ends)
        } else if ends && self.waiting() {
            self.close(b.stop);
            None
        } else if ends {
            self.push(Beat::nil(b.stop, 1), b.stop, true)
        } else {
            self.idle(free)
        }
    }
}
