#![doc = include_str!("README.md")]

mod reader;
#[cfg(test)]
pub(crate) mod tests;

use crate::scan::scanner_compressed::SegmentFetch;
use reader::SeekReader;
use samhw_streams::{Class, Dir, Fault, Field, Instance, Io, Model, Param, Port, Primitive, Rate};
use samhw_values::mask;
use std::sync::Arc;

/// A scanner of a part of a compressed level, which searches the part's start. Inputs: 0 `ref`, 1 `seg_rsp` (begin,
/// end), 2 `crd_rsp` (data). Outputs: 0 `seg_req` (addr), 1 `crd_req` (addr, len), 2 `out` (crd, ref).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScannerSeek {
    /// Width of the input references in bits, and of an address of `seg`.
    pub ref_in_w: u32,
    /// Width of a position in bits: the references out, the words of `seg`, the addresses of `crd`.
    pub ref_w: u32,
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// Width of the stop field of both streams in bits; at most `ref_in_w` and `crd_w`.
    pub stop_w: u32,
    /// log2 of the number of segment pairs and of bursts in flight, as in
    /// [`crate::scan::scanner_compressed::ScannerCompressed`].
    pub queue_log2: u32,
    /// First coordinate that is needed.
    pub lo: u64,
    /// End of the needed coordinates (exclusive), at most 2^crd_w.
    pub hi: u64,
    /// Number of entries above which a fiber is searched.
    pub long: u32,
    /// Number of entries that a search may leave on either side; at least 1, less than `long`.
    pub near: u32,
}

impl ScannerSeek {
    /// A number of entries as a parameter: no fiber has more than positions can tell.
    fn length(&self, n: u32) -> Param {
        Param::Bits(self.ref_w + 1, vec![u64::from(n).min(mask(self.ref_w + 1))])
    }
}

impl Primitive for ScannerSeek {
    fn kind(&self) -> &'static str {
        "scanner_seek"
    }
    fn class(&self) -> Class {
        Class::Search
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_scanner_seek",
            params: vec![
                ("REF_IN_W", Param::Int(self.ref_in_w)),
                ("REF_W", Param::Int(self.ref_w)),
                ("CRD_W", Param::Int(self.crd_w)),
                ("STOP_W", Param::Int(self.stop_w)),
                ("QUEUE_LOG2", Param::Int(self.queue_log2)),
                ("LO", Param::Bits(self.crd_w + 1, vec![self.lo])),
                ("HI", Param::Bits(self.crd_w + 1, vec![self.hi])),
                ("LONG", self.length(self.long)),
                ("NEAR", self.length(self.near)),
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
        let sizes = [u64::from(self.long), u64::from(self.near)];
        Box::new(SeekModel {
            fetch: SegmentFetch::new(self.stop_w, self.queue_log2),
            read: SeekReader::new([self.lo, self.hi], self.crd_w, sizes, self.queue_log2),
        })
    }
    fn queued(&self, queue_log2: u32) -> Option<Arc<dyn Primitive>> {
        Some(Arc::new(Self { queue_log2, ..self.clone() }))
    }
    fn latency(&self) -> u32 {
        7
    }
    fn rate(&self) -> Rate {
        Rate::Expands
    }
    fn describe(&self) -> String {
        format!("compressed, from {} to {}", self.lo, self.hi)
    }
}

#[derive(Debug)]
struct SeekModel {
    fetch: SegmentFetch,
    read: SeekReader,
}

impl Model for SeekModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.fetch.fetch(io)?;
        let mut moved = self.read.emit(io);
        let (taken, stepped) = self.read.step(io, self.fetch.head())?;
        if taken {
            self.fetch.pop();
        }
        moved |= stepped;
        Ok(moved | self.read.clock(io) | self.fetch.clock(io))
    }
}
