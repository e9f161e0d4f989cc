//! Model of `samhw_skip_give`: what is given of the front, and what is left out.

use super::buffer::Front;
use super::look::Seen;
use crate::scan::scanner_compressed::Part;
use crate::scan::scanner_wide::Group;
use samhw_streams::Io;

const OUT: usize = 3;

/// The change of the current fiber at this edge.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FiberStep {
    pub moved: bool,
    /// The current item is done with.
    pub leave: bool,
    /// It is a list.
    list: bool,
    /// The front is through.
    pub through: bool,
    second: bool,
}

impl FiberStep {
    /// A list is done with.
    pub(super) fn drops(&self) -> bool {
        self.leave && self.list
    }
}

#[derive(Debug)]
pub(super) struct Give {
    group: Group,
    /// The lower group of the front is through.
    second: bool,
}

impl Give {
    pub(super) fn new(group: Group) -> Self {
        Self { group, second: false }
    }

    /// Puts out, or leaves out, the next group.
    pub(super) fn give(&self, io: &mut Io, item: Option<&Part>, over: bool, front: Option<&Front>) -> FiberStep {
        let free = io.free(OUT);
        let still = FiberStep { second: self.second, ..FiberStep::default() };
        let stop = match item {
            None => return still,
            Some(&Part::Beat(beat)) => {
                if free {
                    io.put(OUT, beat);
                }
                return FiberStep { moved: free, leave: free, second: self.second && !free, ..still };
            }
            Some(&Part::List { stop, .. }) => stop,
        };
        let Some(&Front { pair, place, left, low, high, .. }) = front else { return still };
        let (k, wide) = (usize::from(self.second), self.group.wide() as u64);
        let last = over || left <= (1 + k as u64) * wide || high[k];
        let both = !self.second && low == [true; 2] && left > 2 * wide && !last;
        // The second of two, and one alone, is given where there is room: that takes no longer, and other operands of
        // the joiner may go on meanwhile.
        let upper = u64::from(self.second || both);
        if free {
            let count = wide.min(left - upper * wide);
            let stop = if last { stop } else { 0 };
            io.put(OUT, self.group.part(stop, pair[upper as usize], count, place + upper * wide));
        }
        let moved = free || low[k] && !last;
        let leave = free && last;
        let through = moved && (leave || upper == 1);
        let second = if moved { !self.second && !both && !leave } else { self.second };
        FiberStep { moved, leave, list: true, through, second }
    }

    /// The edge. Returns whether anything changed.
    pub(super) fn clock(&mut self, step: &FiberStep, seen: &Seen) -> bool {
        let before = self.second;
        self.second = step.second && seen.leap.is_none() && !seen.sweep;
        before != self.second
    }
}
