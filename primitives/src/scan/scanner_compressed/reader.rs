//! Models of `samhw_fiber_reader` and `samhw_run_group`, which turn bounds of fibers into entries.

use super::fetch::Part;
use crate::blocks::{Queue, Skid};
use samhw_streams::{Beat, Fault, Io, Kind, Relayed};

/// The stages that request coordinates and emit them.
#[derive(Debug)]
pub struct FiberReader {
    /// Numbers of output `crd_req`, input `crd_rsp` and output `out`.
    ports: [usize; 3],
    bound: Queue<Part>,
    crd: Skid,
    /// Coordinates of the current fiber that are through already.
    place: u64,
    group: Option<RunGroup>,
    /// Of fibers that are read backwards: addresses that are still asked for, the last first.
    back: Option<std::ops::Range<u64>>,
}

impl FiberReader {
    /// Creates the stages with these numbers of output `crd_req`, input `crd_rsp` and output `out`, and up to
    /// `2**queue_log2` bursts in flight. `group`: the width of positions, where entries with equal coordinates are one
    /// leaf.
    pub fn new(ports: [usize; 3], queue_log2: u32, group: Option<u32>) -> Self {
        let group = group.map(|ref_w| RunGroup { ref_w, held: None });
        Self { ports, bound: Queue::new(queue_log2), crd: Skid::default(), place: 0, group, back: None }
    }
    /// Reads each fiber from its last coordinate to its first.
    pub fn backwards(self) -> Self {
        Self { back: Some(0..0), ..self }
    }
    /// Asks for the next coordinate of a fiber that is read backwards; call this before [`Self::room`].
    #[inline]
    pub fn ask(&mut self, io: &mut Io) {
        if let Some(left) = self.back.as_mut().filter(|_| io.free(self.ports[0]))
            && let Some(at) = left.next_back()
        {
            io.put(self.ports[0], Beat::pair(0, at, 1));
        }
    }
    /// Returns true if a fiber can be taken.
    #[inline]
    pub fn room(&self, io: &Io) -> bool {
        io.free(self.ports[0]) && self.bound.room()
    }
    /// Takes a fiber with its bounds, or a beat that is not a fiber; call this only if [`Self::room`] is true.
    #[inline]
    pub fn push(&mut self, io: &mut Io, part: Part) -> Result<(), Fault> {
        let mut part = part;
        if let Part::List { stop, p: [begin, end] } = part {
            let Some(len) = end.checked_sub(begin) else {
                let beat = Beat::pair(0, begin, end);
                return Err(Fault { what: "a fiber ends before it begins", port: "seg_rsp".into(), beat });
            };
            if len > 0 {
                let (first, many) = if self.back.is_some() { (end - 1, 1) } else { (begin, len) };
                io.put(self.ports[0], Beat::pair(0, first, many));
                self.back = self.back.as_ref().map(|_| begin..end - 1);
            } else {
                part = Part::Beat(Beat::nil(stop, 1));
            }
        }
        self.bound.push(part);
        Ok(())
    }
    /// Emits the next entry; call this after [`Self::push`]. Returns whether there was one.
    #[inline]
    pub fn emit(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let out = self.ports[2];
        let (beat, settled) = match self.bound.head() {
            Some(&Part::Beat(b)) => (Some(b), true),
            Some(&Part::List { stop, p: [begin, end] }) => {
                let last = begin + self.place + 1 == end;
                let at = if self.back.is_some() { end - 1 - self.place } else { begin + self.place };
                let entry = |c: &Beat| Beat::pair(if last { stop } else { 0 }, c.p[0], at);
                (self.crd.head().map(entry), last)
            }
            None => (None, false),
        };
        let taken = match &mut self.group {
            Some(g) => g.step(io, out, beat, settled)?,
            None => match beat {
                Some(b) if io.free(out) => {
                    io.put(out, b);
                    EntryTaken { taken: true, moved: true }
                }
                _ => EntryTaken::default(),
            },
        };
        if let (true, Some(b)) = (taken.taken, beat) {
            if b.kind == Kind::Data {
                self.crd.pop();
                self.place += 1;
            }
            if settled {
                self.place = 0;
                self.bound.pop();
            }
        }
        Ok(taken.moved)
    }
    /// Returns the entries that are emitted cycle by cycle, inside a fiber.
    pub fn relays(&self) -> Option<Relayed> {
        let plain = self.group.is_none() && self.back.is_none();
        let Some(&Part::List { p: [begin, end], .. }) = self.bound.head().filter(|_| plain) else {
            return None;
        };
        let (second, word) = (begin + self.place, self.crd.only()?.p[0]);
        Some(Relayed { ports: (self.ports[1], self.ports[2]), word, second, left: end.checked_sub(second + 1)? })
    }
    /// Records that `count` entries were emitted and that `word` has arrived.
    pub fn relayed(&mut self, count: u64, word: u64) {
        self.place += count;
        self.crd.replace(Beat::data(0, word));
    }
    /// Simulates a clock edge. Returns whether anything changed.
    #[inline]
    pub fn clock(&mut self, io: &mut Io) -> bool {
        self.bound.clock() | self.crd.clock(io, self.ports[1])
    }
}

/// What happened to an entry.
#[derive(Debug, Clone, Copy, Default)]
struct EntryTaken {
    taken: bool,
    moved: bool,
}

#[derive(Debug)]
struct RunGroup {
    ref_w: u32,
    held: Option<HeldLeaf>,
}

/// The leaf that more entries may join, until it is settled.
#[derive(Debug, Clone, Copy)]
struct HeldLeaf {
    beat: Beat,
    end: u64,
    settled: bool,
}

impl RunGroup {
    #[inline]
    fn step(&mut self, io: &mut Io, out: usize, beat: Option<Beat>, settled: bool) -> Result<EntryTaken, Fault> {
        let (held, free) = (self.held, io.free(out));
        // What follows a leaf that is not settled is an entry of the same fiber.
        if let (Some(h @ HeldLeaf { settled: false, .. }), Some(b)) = (held, beat) {
            if b.p[0] < h.beat.p[0] {
                return Err(Fault { what: "coordinates of a fiber decrease", port: "crd_rsp".into(), beat: b });
            }
            if b.p[0] == h.beat.p[0] {
                self.held = Some(HeldLeaf { beat: Beat { stop: b.stop, ..h.beat }, end: b.p[1] + 1, settled });
                return Ok(EntryTaken { taken: true, moved: true });
            }
        }
        let taken = beat.is_some() && (held.is_none() || free);
        let leave = held.filter(|h| free && (h.settled || beat.is_some()));
        if let Some(h) = leave {
            let range = if h.beat.kind == Kind::Data { h.end << self.ref_w | h.beat.p[1] } else { 0 };
            io.put(out, Beat { p: [h.beat.p[0], range], ..h.beat });
            self.held = None;
        }
        if let (true, Some(beat)) = (taken, beat) {
            self.held = Some(HeldLeaf { beat, end: beat.p[1] + 1, settled });
        }
        Ok(EntryTaken { taken, moved: taken || leave.is_some() })
    }
}
