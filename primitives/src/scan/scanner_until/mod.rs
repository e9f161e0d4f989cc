#![doc = include_str!("README.md")]

mod reader;
#[cfg(test)]
pub(crate) mod tests;

use crate::scan::scanner_compressed::SegmentFetch;
use crate::scan::scanner_span::SpanEnd;
use reader::UntilReader;
use samhw_streams::{Dir, Fault, Field, Instance, Io, Model, Param, Port, Primitive, Rate};
use std::sync::Arc;

/// Fibers whose first coordinates are asked for ahead, as a power of two.
const ITEMS_LOG2: u32 = 3;

/// Pairs behind first ones that are asked for and not given, as a power of two.
const MORE_LOG2: u32 = 3;

/// A compressed scanner up to a bound of each fiber. Inputs: 0 `ref`, 1 `seg_rsp` (begin, end), 2 `crd_rsp` (data0,
/// data1), 3 `bound` (hi). Outputs: 0 `seg_req` (addr), 1 `crd_req` (addr), 2 `out` (crd, ref).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScannerUntil {
    /// Bits of the references in, and of an address of `seg`.
    pub ref_in_w: u32,
    /// Bits of a position: the references out, the words of `seg`, the addresses of `crd`.
    pub ref_w: u32,
    /// Bits of a coordinate.
    pub crd_w: u32,
    /// Bits of the stop field of all streams; at most `ref_in_w`, `crd_w` and `bound_w`.
    pub stop_w: u32,
    /// Depth of the queue: as in [`crate::scan::scanner_compressed::ScannerCompressed`].
    pub queue_log2: u32,
    /// Whether the bound itself is needed; it is a bound.
    pub hi: SpanEnd,
    /// Bits of a bound, a whole number.
    pub bound_w: u32,
    /// Whether bounds are in two's complement.
    pub signed: bool,
}

impl Primitive for ScannerUntil {
    fn kind(&self) -> &'static str {
        "scanner_until"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_scanner_until",
            params: vec![
                ("REF_IN_W", Param::Int(self.ref_in_w)),
                ("REF_W", Param::Int(self.ref_w)),
                ("CRD_W", Param::Int(self.crd_w)),
                ("STOP_W", Param::Int(self.stop_w)),
                ("QUEUE_LOG2", Param::Int(self.queue_log2)),
                ("HI", Param::Int(self.hi.code())),
                ("BOUND_W", Param::Int(self.bound_w)),
                ("SIGNED", Param::Int(u32::from(self.signed))),
                ("ITEMS_LOG2", Param::Int(ITEMS_LOG2)),
                ("MORE_LOG2", Param::Int(MORE_LOG2)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let f = Field::new;
        vec![
            Port::stream("ref", Dir::In, self.stop_w, &[f("ref", self.ref_in_w)]),
            Port::plain("seg_req", Dir::Out, &[f("addr", self.ref_in_w)]),
            Port::plain("seg_rsp", Dir::In, &[f("begin", self.ref_w), f("end", self.ref_w)]),
            Port::plain("crd_req", Dir::Out, &[f("addr", self.ref_w)]),
            Port::plain("crd_rsp", Dir::In, &[f("data0", self.crd_w), f("data1", self.crd_w)]),
            Port::stream("bound", Dir::In, self.stop_w, &[f("hi", self.bound_w)]),
            Port::stream("out", Dir::Out, self.stop_w, &[f("crd", self.crd_w), f("ref", self.ref_w)]),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(UntilModel {
            fetch: SegmentFetch::new(self.stop_w, self.queue_log2),
            read: UntilReader::new(self.clone()),
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
        "compressed, to a bound".into()
    }
}

#[derive(Debug)]
struct UntilModel {
    fetch: SegmentFetch,
    read: UntilReader,
}

impl Model for UntilModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.fetch.fetch(io)?;
        let mut moved = self.read.give(io);
        let (taken, asked) = self.read.ask(io, self.fetch.head())?;
        if taken {
            self.fetch.pop();
        }
        moved |= taken | asked;
        Ok(moved | self.read.clock(io) | self.fetch.clock(io))
    }
}
