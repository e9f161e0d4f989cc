//! Models of `samhw_exit_parts` and `samhw_exit_reader`, which read fibers that an early exit ends.

use super::fetch::Part;
use crate::blocks::{FiberOver, Queue, Skid};
use crate::join::joiner::hint_fields;
use samhw_streams::{Beat, Dir, Fault, Io, Param, Port, Role};

/// The early exit that ends the fibers of a scanner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit {
    /// Width of a fiber's number in the hints, in bits.
    pub tag_w: u32,
    /// Width of a coordinate in the hints, in bits.
    pub hint_w: u32,
    /// log2 of the number of words that are asked for at once.
    pub part_log2: u32,
}

impl Exit {
    /// Parameters of a scanner's module.
    pub(crate) fn params(&self) -> [(&'static str, Param); 2] {
        [("PART_LOG2", Param::Int(self.part_log2)), ("TAG_W", Param::Int(self.tag_w))]
    }
    /// The port that takes the hints.
    pub(crate) fn port(&self) -> Port {
        Port::plain("skip", Dir::In, &hint_fields(self.tag_w, self.hint_w)).with_role(Role::Hint)
    }
    /// The parts of fibers in flight, up to `2**queue_log2`.
    pub(crate) fn parts(&self, queue_log2: u32) -> ExitParts {
        ExitParts::new(queue_log2, self.part_log2, self.tag_w)
    }
}

/// A part of a fiber that was asked for, or a beat that is not a fiber.
#[derive(Debug, Clone, Copy)]
enum AskedPart {
    Words { stop: u8, begin: u64, len: u64, last: bool },
    Beat(Beat),
}

/// The parts of fibers in flight. Use within a tick: [`Self::ask`], [`Self::emit`], [`Self::clock`].
#[derive(Debug)]
pub struct ExitParts {
    /// Words of a part.
    part: u64,
    /// The fiber whose parts are asked for, from the next one on, or a beat that is not a fiber.
    at: Option<Part>,
    parts: Queue<AskedPart>,
    /// Words of the part at hand that are through.
    place: u64,
    /// The fiber at hand has ended, and not all of its words have come.
    dropping: bool,
    /// Ends of fibers that were asked for, and have not come.
    ends: u32,
    told: FiberOver,
    /// In this tick a fiber was taken.
    moved: bool,
}

/// What becomes of a word, or of a beat that is not a fiber.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exited {
    /// Nothing leaves.
    Nothing,
    /// A word is dropped.
    Dropped,
    /// A word leaves, with its stop and position.
    Word(u8, u64),
    /// A beat leaves that is not of a fiber.
    Beat(Beat),
}

impl ExitParts {
    /// Creates them with up to `2**queue_log2` parts in flight, of `2**part_log2` words each, and hints with fiber numbers
    /// of `tag_w` bits.
    pub fn new(queue_log2: u32, part_log2: u32, tag_w: u32) -> Self {
        Self {
            part: 1 << part_log2,
            at: None,
            parts: Queue::new(queue_log2),
            place: 0,
            dropping: false,
            ends: 0,
            told: FiberOver::new(tag_w),
            moved: false,
        }
    }
    /// Asks for the next part, where there may be a request if `free`; `next` is the fiber that follows. Returns address
    /// and number of words if it asks for some, and whether it takes `next`.
    #[inline]
    pub fn ask(&mut self, free: bool, next: Option<Part>) -> Result<(Option<(u64, u64)>, bool), Fault> {
        let mut asked = None;
        if free
            && self.parts.room()
            && let Some(at) = self.at.take()
        {
            let enough = self.ends == 0 && (self.told.over() || self.dropping);
            match at {
                Part::Beat(beat) => {
                    self.parts.push(AskedPart::Beat(beat));
                    self.ends += 1;
                }
                Part::List { stop, p: [begin, end] } => {
                    let len = if enough { 1 } else { (end - begin).min(self.part) };
                    let last = enough || begin + len == end;
                    self.parts.push(AskedPart::Words { stop, begin, len, last });
                    self.at = (!last).then_some(Part::List { stop, p: [begin + len, end] });
                    self.ends += u32::from(last);
                    asked = Some((begin, len));
                }
            }
        }
        let takes = self.at.is_none() && next.is_some();
        if takes {
            self.at = next.map(Self::checked).transpose()?;
        }
        self.moved = takes;
        Ok((asked, takes))
    }
    /// A fiber with its bounds; an empty one is a beat.
    fn checked(next: Part) -> Result<Part, Fault> {
        match next {
            Part::List { p: [begin, end], .. } if end < begin => {
                let beat = Beat::pair(0, begin, end);
                Err(Fault { what: "a fiber ends before it begins", port: "seg_rsp".into(), beat })
            }
            Part::List { stop, p: [begin, end] } if begin == end => Ok(Part::Beat(Beat::nil(stop, 1))),
            next => Ok(next),
        }
    }
    /// Makes the next item, if a word is `here` or none is needed, and the output is `free`.
    #[inline]
    pub fn emit(&mut self, here: bool, free: bool) -> Exited {
        let (out, whole, part_ends) = match self.parts.head() {
            Some(&AskedPart::Beat(beat)) if free => (Exited::Beat(beat), true, true),
            Some(&AskedPart::Words { stop, begin, len, last }) if here && (self.dropping || free) => {
                let part_ends = self.place + 1 == len;
                let whole = last && part_ends;
                let stop = if whole || self.told.over() { stop } else { 0 };
                (Exited::Word(stop, begin + self.place), whole, part_ends)
            }
            _ => return Exited::Nothing,
        };
        self.place = if part_ends { 0 } else { self.place + 1 };
        if part_ends {
            self.parts.pop();
            self.ends -= u32::from(whole);
        }
        let out = if self.dropping { Exited::Dropped } else { out };
        self.dropping = !whole && (self.dropping || self.told.over());
        out
    }
    /// Simulates a clock edge with the hint of this cycle, after `out` was emitted. Returns whether anything changed.
    #[inline]
    pub fn clock(&mut self, hint: Option<Beat>, out: Exited) -> bool {
        let leaves = match out {
            Exited::Word(stop, _) => stop > 0,
            Exited::Beat(_) => true,
            Exited::Nothing | Exited::Dropped => false,
        };
        self.told.clock(hint, leaves);
        self.parts.clock() | hint.is_some() | (out != Exited::Nothing) | std::mem::take(&mut self.moved)
    }
}

/// The stages of a scanner that read words of fibers from one memory.
#[derive(Debug)]
pub struct ExitReader {
    /// Numbers of output `crd_req`, inputs `crd_rsp` and `skip`, and output `out`.
    ports: [usize; 4],
    parts: ExitParts,
    word: Skid,
}

impl ExitReader {
    /// Creates the stages with these numbers of output `crd_req`, inputs `crd_rsp` and `skip`, and output `out`.
    pub fn new(ports: [usize; 4], parts: ExitParts) -> Self {
        Self { ports, parts, word: Skid::default() }
    }
    /// Asks for the next words; `next` is the fiber that follows. Returns whether it is taken.
    #[inline]
    pub fn ask(&mut self, io: &mut Io, next: Option<Part>) -> Result<bool, Fault> {
        let (asked, taken) = self.parts.ask(io.free(self.ports[0]), next)?;
        if let Some((at, many)) = asked {
            io.put(self.ports[0], Beat::pair(0, at, many));
        }
        Ok(taken)
    }
    /// Emits the next word and simulates the clock edge; call this last. Returns whether anything changed.
    #[inline]
    pub fn clock(&mut self, io: &mut Io) -> bool {
        let [_, rsp, skip, out] = self.ports;
        let made = self.parts.emit(self.word.head().is_some(), io.free(out));
        match (made, self.word.head().map(|word| word.p[0])) {
            (Exited::Word(stop, at), Some(word)) => io.put(out, Beat::pair(stop, word, at)),
            (Exited::Beat(beat), _) => io.put(out, beat),
            _ => {}
        }
        if matches!(made, Exited::Word(..) | Exited::Dropped) {
            self.word.pop();
        }
        let hint = io.taken(skip);
        self.parts.clock(hint, made) | self.word.clock(io, rsp)
    }
}
