//! Model of `samhw_skip_need`: what is needed of the current fiber.

use super::super::BUFFER_LOG2;
use samhw_streams::Io;

const SKIP: usize = 3;
const BOUND: usize = 4;

/// For this number of fibers bounds are kept.
const AHEAD: usize = 1 << BUFFER_LOG2;

/// The coordinates that are needed of a fiber.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Need {
    /// Whether none is needed.
    pub over: bool,
    /// The lowest coordinate that is needed.
    pub lowest: u64,
    /// The greatest coordinate that is needed.
    pub cap: Option<u64>,
}

#[derive(Debug)]
pub(super) struct Needs {
    /// How many fibers have different numbers.
    tags: u64,
    /// The current fiber.
    at: u64,
    need: Need,
    bounds: [Option<u64>; AHEAD],
}

impl Needs {
    pub(super) fn new(tag_w: u32) -> Self {
        Self { tags: 1 << tag_w, at: 0, need: Need::default(), bounds: [None; AHEAD] }
    }
    /// Returns the coordinates that are needed of the current fiber.
    pub(super) fn need(&self) -> Need {
        self.need
    }
    /// The edge: hints that arrive; `leave`: the current fiber does. Returns whether anything changed.
    pub(super) fn clock(&mut self, io: &Io, leave: bool) -> bool {
        let (skip, bound) = (io.taken(SKIP), io.taken(BOUND));
        let (at, next) = (self.at, (self.at + 1) % self.tags);
        if leave {
            self.need = Need { cap: self.bounds[next as usize % AHEAD], ..Need::default() };
        } else if let Some(h) = skip.filter(|h| h.p[0] % self.tags == at) {
            self.need.over = h.p[0] >= self.tags;
            self.need.lowest = if self.need.over { 0 } else { h.p[1] };
        }
        if let Some(h) = bound {
            let tag = h.p[0] % self.tags;
            if (tag + self.tags - at) % self.tags < AHEAD as u64 {
                self.bounds[tag as usize % AHEAD] = Some(h.p[1]);
                if tag == if leave { next } else { at } {
                    self.need.cap = Some(h.p[1]);
                }
            }
        }
        if leave {
            self.bounds[at as usize % AHEAD] = None;
            self.at = next;
        }
        skip.is_some() || bound.is_some()
    }
}
