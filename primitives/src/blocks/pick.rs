//! Model of `samhw_pick`: one of those that want something, in turn.

/// Whose turn it is.
#[derive(Debug, Clone)]
pub struct Pick {
    count: usize,
    /// From this one on they come first.
    behind: usize,
    anew: bool,
}

impl Pick {
    /// Among `count`.
    pub fn new(count: usize) -> Self {
        Self { count, behind: count, anew: false }
    }
    /// Among `count`; where none wants anything turns begin anew.
    pub fn anew(count: usize) -> Self {
        Self { anew: true, ..Self::new(count) }
    }
    /// Who is picked of those that want something. Call it once each tick.
    #[inline]
    pub fn pick(&mut self, wants: impl Fn(usize) -> bool) -> Option<usize> {
        let pick = (self.behind..self.count).find(|&k| wants(k)).or_else(|| (0..self.count).find(|&k| wants(k)));
        let none = if self.anew { self.count } else { self.behind };
        self.behind = pick.map_or(none, |k| k + 1);
        pick
    }
}
