#![doc = include_str!("README.md")]

#[cfg(test)]
mod tests;

use crate::blocks::{Queue, Skid};
use crate::contract::{Dir, Field, Instance, Param, Port, Primitive};
use crate::model::{Fault, Io, Model};
use crate::stream::{Beat, Kind};

/// A compressed scanner. Inputs: 0 `ref`, 1 `seg_rsp` (begin, end), 2 `crd_rsp` (data).
/// Outputs: 0 `seg_req` (addr), 1 `crd_req` (addr, len), 2 `out` (crd, ref).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScannerCompressed {
    /// Bits of the references in, and of an address of `seg`.
    pub ref_in_w: u32,
    /// Bits of a position: the references out, the words of `seg`, the addresses of `crd`.
    pub ref_w: u32,
    /// Bits of a coordinate.
    pub crd_w: u32,
    /// Bits of the stop field of both streams; at most `ref_in_w` and `crd_w`.
    pub stop_w: u32,
    /// Up to `2**queue_log2` segment pairs and as many bursts are in flight;
    /// [`crate::memory::ON_CHIP_QUEUE_LOG2`] covers on-chip memories.
    pub queue_log2: u32,
}

impl Primitive for ScannerCompressed {
    fn kind(&self) -> &'static str {
        "scanner_compressed"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_scanner_compressed",
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
            Port::plain("seg_rsp", Dir::In, &[f("begin", self.ref_w), f("end", self.ref_w)]),
            Port::plain("crd_req", Dir::Out, &[f("addr", self.ref_w), f("len", self.ref_w)]),
            Port::plain("crd_rsp", Dir::In, &[f("data", self.crd_w)]),
            Port::stream("out", Dir::Out, self.stop_w, &[f("crd", self.crd_w), f("ref", self.ref_w)]),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(CompressedModel {
            max_stop: ((1u64 << self.stop_w) - 1) as u8,
            ref_in: Skid::default(),
            fetched: Queue::new(self.queue_log2),
            seg_in: Skid::default(),
            bound: Queue::new(self.queue_log2),
            crd_in: Skid::default(),
            place: 0,
        })
    }
    fn latency(&self) -> u32 {
        10
    }
}

/// What `out` will hold where a leaf of `ref` was.
#[derive(Debug, Clone, Copy)]
enum Part {
    /// The fiber `begin .. begin + len`; `len` is unknown (0) until its bounds are there.
    Fiber { stop: u8, begin: u64, len: u64 },
    /// A NIL, or DONE.
    Beat(Beat),
}

#[derive(Debug)]
struct CompressedModel {
    max_stop: u8,
    ref_in: Skid,
    fetched: Queue<Part>,
    seg_in: Skid,
    bound: Queue<Part>,
    crd_in: Skid,
    /// Coordinates of the fiber at hand that are out already.
    place: u64,
}

impl CompressedModel {
    fn fetch(&mut self, io: &mut Io) -> Result<(), Fault> {
        let (true, true, Some(&r)) = (io.free(0), self.fetched.room(), self.ref_in.head()) else { return Ok(()) };
        if r.kind != Kind::Done && r.stop == self.max_stop {
            return Err(Fault { what: "the stop does not fit", port: "ref".into(), beat: r });
        }
        if r.kind == Kind::Data {
            io.put(0, Beat::data(0, r.p[0]));
        }
        self.fetched.push(match r.kind {
            Kind::Data => Part::Fiber { stop: r.stop + 1, begin: 0, len: 0 },
            Kind::Empty => Part::Beat(Beat::nil(r.stop + 1, 1)),
            Kind::Nil => Part::Beat(Beat::nil(r.stop + 1, r.hole() + 1)),
            Kind::Done => Part::Beat(Beat::DONE),
        });
        self.ref_in.pop();
        Ok(())
    }

    fn bounds(&mut self, io: &mut Io) -> Result<(), Fault> {
        let (true, true, Some(&part)) = (io.free(1), self.bound.room(), self.fetched.head()) else { return Ok(()) };
        let mut part = part;
        if let Part::Fiber { stop, .. } = part {
            let Some(&s) = self.seg_in.head() else { return Ok(()) };
            let [begin, end] = s.p;
            let Some(len) = end.checked_sub(begin) else {
                return Err(Fault { what: "a fiber ends before it begins", port: "seg_rsp".into(), beat: s });
            };
            if len > 0 {
                io.put(1, Beat { p: [begin, len], ..Beat::default() });
                part = Part::Fiber { stop, begin, len };
            } else {
                part = Part::Beat(Beat::nil(stop, 1));
            }
            self.seg_in.pop();
        }
        self.fetched.pop();
        self.bound.push(part);
        Ok(())
    }

    fn emit(&mut self, io: &mut Io) -> bool {
        let (true, Some(&part)) = (io.free(2), self.bound.head()) else { return false };
        match part {
            Part::Beat(b) => {
                io.put(2, b);
                self.bound.pop();
            }
            Part::Fiber { stop, begin, len } => {
                let Some(&c) = self.crd_in.head() else { return false };
                let last = self.place + 1 == len;
                io.put(2, Beat::pair(if last { stop } else { 0 }, c.p[0], begin + self.place));
                self.crd_in.pop();
                self.place = if last { 0 } else { self.place + 1 };
                if last {
                    self.bound.pop();
                }
            }
        }
        true
    }
}

impl Model for CompressedModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.fetch(io)?;
        self.bounds(io)?;
        let mut moved = self.emit(io);
        moved |= self.fetched.clock();
        moved |= self.bound.clock();
        moved |= self.ref_in.clock(io, 0);
        moved |= self.seg_in.clock(io, 1);
        moved |= self.crd_in.clock(io, 2);
        Ok(moved)
    }
}
