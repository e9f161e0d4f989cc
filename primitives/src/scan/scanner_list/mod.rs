#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::{Queue, Skid};
use crate::scan::scanner_compressed::{Part, SegmentFetch};
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive, Rate};
use samhw_values::mask;
use std::sync::Arc;

/// A scanner of linked lists, which emits each reference's list. Inputs: 0 `ref`, 1 `seg_rsp` (data: begin, above it
/// end), 2 `next_rsp` (data), 3 `crd_rsp` (data). Outputs: 0 `seg_req`, 1 `next_req`, 2 `crd_req` (addr), 3 `out` (crd,
/// ref).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScannerList {
    /// Width of the input references in bits.
    pub ref_in_w: u32,
    /// Width of a place in bits, at most 32: the references out, the addresses of `next` and `crd`.
    pub ref_w: u32,
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// Width of the stop field of both streams in bits; at most `ref_in_w` and `crd_w`.
    pub stop_w: u32,
    /// log2 of the number of lists, and of coordinates, in flight;
    /// [`crate::memories::memory::ON_CHIP_QUEUE_LOG2`] covers on-chip memories.
    pub queue_log2: u32,
}

impl Primitive for ScannerList {
    fn kind(&self) -> &'static str {
        "scanner_list"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_scanner_list",
            params: vec![
                ("REF_IN_W", Param::Int(self.ref_in_w)),
                ("REF_W", Param::Int(self.ref_w)),
                ("CRD_W", Param::Int(self.crd_w)),
                ("STOP_W", Param::Int(self.stop_w)),
                ("QUEUE_LOG2", Param::Int(self.queue_log2)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let f = Field::new;
        vec![
            Port::stream("ref", Dir::In, self.stop_w, &[f("ref", self.ref_in_w)]),
            Port::plain("seg_req", Dir::Out, &[f("addr", self.ref_in_w)]),
            Port::plain("seg_rsp", Dir::In, &[f("data", 2 * self.ref_w)]),
            Port::plain("next_req", Dir::Out, &[f("addr", self.ref_w)]),
            Port::plain("next_rsp", Dir::In, &[f("data", self.ref_w)]),
            Port::plain("crd_req", Dir::Out, &[f("addr", self.ref_w)]),
            Port::plain("crd_rsp", Dir::In, &[f("data", self.crd_w)]),
            Port::stream("out", Dir::Out, self.stop_w, &[f("crd", self.crd_w), f("ref", self.ref_w)]),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(ScannerListModel {
            fetch: SegmentFetch::new(self.stop_w, self.queue_log2),
            ref_w: self.ref_w,
            next: Skid::default(),
            walks: false,
            entries: Queue::new(self.queue_log2),
            crd: Skid::default(),
        })
    }
    fn rate(&self) -> Rate {
        Rate::Expands
    }
    fn queued(&self, queue_log2: u32) -> Option<Arc<dyn Primitive>> {
        Some(Arc::new(Self { queue_log2, ..self.clone() }))
    }
    fn latency(&self) -> u32 {
        7
    }
}

/// Handshake outputs behind `seg_req`.
const NEXT_REQ: usize = 1;
const CRD_REQ: usize = 2;
const OUT: usize = 3;

#[derive(Debug)]
struct ScannerListModel {
    fetch: SegmentFetch,
    ref_w: u32,
    next: Skid,
    /// A list is under way.
    walks: bool,
    /// What comes out, of a list's entries without their coordinates.
    entries: Queue<Beat>,
    crd: Skid,
}

impl ScannerListModel {
    /// Asks for the coordinate at the next place, and for the place that follows. Returns whether something moved.
    fn walk(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let (true, true, true) = (self.entries.room(), io.free(NEXT_REQ), io.free(CRD_REQ)) else { return Ok(false) };
        let (stop, begin, end) = match self.fetch.head() {
            None => return Ok(false),
            Some(Part::Beat(beat)) => {
                self.entries.push(beat);
                self.fetch.pop();
                return Ok(true);
            }
            Some(Part::List { stop, p: [word, _] }) => (stop, word & mask(self.ref_w), word >> self.ref_w),
        };
        let beat = Beat::pair(0, begin, end);
        let beyond = Err(Fault { what: "a list leads beyond its end", port: "seg_rsp".into(), beat });
        if begin == end {
            self.entries.push(Beat::nil(stop, 1));
            self.fetch.pop();
            return Ok(true);
        }
        let place = match self.next.head().filter(|_| self.walks) {
            Some(next) => next.p[0],
            None if self.walks => return Ok(false),
            None => begin,
        };
        if place >= end {
            return beyond;
        }
        let last = place + 1 == end;
        io.put(CRD_REQ, Beat::data(0, place));
        self.entries.push(Beat::pair(if last { stop } else { 0 }, 0, place));
        if self.walks {
            self.next.pop();
        }
        if last {
            self.fetch.pop();
        } else {
            io.put(NEXT_REQ, Beat::data(0, place));
        }
        self.walks = !last;
        Ok(true)
    }

    /// Emits the next entry. Returns whether there was one.
    fn emit(&mut self, io: &mut Io) -> bool {
        let Some(&entry) = self.entries.head().filter(|_| io.free(OUT)) else { return false };
        let mut out = entry;
        if entry.kind == Kind::Data {
            let Some(crd) = self.crd.head() else { return false };
            out.p[0] = crd.p[0];
            self.crd.pop();
        }
        io.put(OUT, out);
        self.entries.pop();
        true
    }
}

impl Model for ScannerListModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.fetch.fetch(io)?;
        let moved = self.walk(io)? | self.emit(io);
        Ok(moved | self.entries.clock() | self.fetch.clock(io) | self.next.clock(io, 2) | self.crd.clock(io, 3))
    }
}
