//! Cycle model of `samhw_scanner_skip`: its parts, and what they tell each other.

mod answers;
mod ask;
mod buffer;
mod give;
mod look;
mod need;

use super::ScannerSkip;
use crate::blocks::Queue;
use crate::scan::scanner_compressed::{Part, SegmentFetch};
use answers::Answers;
use ask::Ask;
use buffer::Buffer;
use give::Give;
use look::Look;
use need::Needs;
use samhw_streams::{Fault, Io, Model};

#[derive(Debug)]
pub(super) struct SkipModel {
    fetch: SegmentFetch,
    /// What was begun and has not left; the current fiber first.
    items: Queue<Part>,
    needs: Needs,
    ask: Ask,
    answers: Answers,
    buffer: Buffer,
    give: Give,
    look: Look,
}

impl SkipModel {
    pub(super) fn new(p: &ScannerSkip) -> Self {
        Self {
            fetch: SegmentFetch::new(p.stop_w, p.queue_log2),
            items: Queue::new(p.queue_log2),
            needs: Needs::new(p.tag_w),
            ask: Ask::new(p.group, p.tag_w),
            answers: Answers::new(p.group),
            buffer: Buffer::new(p.group),
            give: Give::new(p.group),
            look: Look::new(p.group, p.ref_w),
        }
    }
}

impl Model for SkipModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.fetch.fetch(io)?;
        let need = self.needs.need();
        let current = self.ask.current();
        let step = self.give.give(io, self.items.head(), need.over, self.buffer.front());
        let seen = self.look.see(current, self.buffer.some());
        let asking = self.ask.asking();
        let wish = self.look.wish(asking);
        let room = self.answers.room();
        let part = self.fetch.head().filter(|_| self.items.room());
        let asked = self.ask.ask(io, room, self.buffer.credit(), part, &wish)?;
        if let Some(part) = asked.begun {
            self.items.push(part);
            self.fetch.pop();
        }
        if step.leave {
            self.items.pop();
        }
        let came = self.answers.clock(io, asked.note);
        let mut moved = self.ask.clock(asking, &step, &seen, &asked);
        moved |= self.buffer.clock(&need, &step, &seen, current, asked.reserved, came.stored());
        moved |= self.look.clock(&need, step.leave, &seen, asking, &asked, &came);
        moved |= self.give.clock(&step, &seen);
        moved |= self.needs.clock(io, step.leave);
        for k in 2..5 {
            io.set_ready(k, true);
        }
        Ok(moved | step.moved | came.any() | self.items.clock() | self.fetch.clock(io))
    }
}
