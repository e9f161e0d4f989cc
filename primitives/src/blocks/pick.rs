//! Model of `samhw_pick`, a round-robin arbiter.

/// A round-robin arbiter.
#[derive(Debug, Clone)]
pub struct Pick {
    count: usize,
    /// From this one on they come first.
    behind: usize,
    anew: bool,
}

impl Pick {
    /// Creates the arbiter for `count` requesters.
    pub fn new(count: usize) -> Self {
        Self { count, behind: count, anew: false }
    }
    /// Creates the arbiter for `count` requesters whose turns restart in a cycle without requests.
    pub fn anew(count: usize) -> Self {
        Self { anew: true, ..Self::new(count) }
    }
    /// Returns the chosen one of the requesters for which `wants` is true. Call it once each tick.
    #[inline]
    pub fn pick(&mut self, wants: impl Fn(usize) -> bool) -> Option<usize> {
        let pick = (self.behind..self.count).find(|&k| wants(k)).or_else(|| (0..self.count).find(|&k| wants(k)));
        let none = if self.anew { self.count } else { self.behind };
        self.behind = pick.map_or(none, |k| k + 1);
        pick
    }
}
