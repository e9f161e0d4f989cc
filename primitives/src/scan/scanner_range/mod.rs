#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::scan::scanner_compressed::{FiberReader, Part, RefSkid, model, sizes};
use samhw_streams::{Beat, Class, Dir, Fault, Field, Instance, Io, Model, Param, Port, Primitive, Rate};
use samhw_values::mask;
use std::sync::Arc;

/// The meaning of a reference, which determines a fiber.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// The number of a segment: the fiber is `seg[ref] .. seg[ref+1]`, read through a memory port.
    Segment,
    /// A range `{end, begin}` with `begin` in the low half, never empty.
    Range,
    /// A position: the fiber is that one entry, a singleton below a unique parent.
    Unit,
}

/// A scanner of the levels of a coordinate list (COO). Inputs: 0 `ref`, `seg_rsp` (begin, end) if `Segment`, `crd_rsp`
/// (data). Outputs: `seg_req` (addr) if `Segment`, `crd_req` (addr, len), `out` (crd, ref).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScannerRange {
    /// The meaning of the input references.
    pub input: Input,
    /// Whether neighbouring entries with equal coordinates form one leaf, whose ref is the range `{end, begin}` of
    /// their positions.
    pub group: bool,
    /// Width of the input references in bits; twice that of a position for `Input::Range`.
    pub ref_in_w: u32,
    /// Width of a position in bits, at most 32 with `group`; the references out have twice as many then.
    pub ref_w: u32,
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// Width of the stop field of both streams in bits; at most `ref_in_w` and `crd_w`.
    pub stop_w: u32,
    /// log2 of the number of segment pairs and of bursts in flight; [`crate::memories::memory::ON_CHIP_QUEUE_LOG2`]
    /// covers on-chip memories.
    pub queue_log2: u32,
}

impl Primitive for ScannerRange {
    fn kind(&self) -> &'static str {
        "scanner_range"
    }
    fn class(&self) -> Class {
        Class::Grouping
    }
    fn instance(&self) -> Instance {
        let mut params = sizes([self.ref_in_w, self.ref_w, self.crd_w, self.stop_w, self.queue_log2]);
        let module = if self.input == Input::Segment {
            "samhw_scanner_compressed"
        } else {
            params.push(("UNIT", Param::Int(u32::from(self.input == Input::Unit))));
            "samhw_scanner_range"
        };
        params.push(("GROUP", Param::Int(u32::from(self.group))));
        Instance { module, params }
    }
    fn ports(&self) -> Vec<Port> {
        let f = Field::new;
        let mut ports = vec![Port::stream("ref", Dir::In, self.stop_w, &[f("ref", self.ref_in_w)])];
        if self.input == Input::Segment {
            ports.push(Port::plain("seg_req", Dir::Out, &[f("addr", self.ref_in_w)]));
            ports.push(Port::plain("seg_rsp", Dir::In, &[f("begin", self.ref_w), f("end", self.ref_w)]));
        }
        let out_w = self.ref_w << u32::from(self.group);
        ports.extend([
            Port::plain("crd_req", Dir::Out, &[f("addr", self.ref_w), f("len", self.ref_w)]),
            Port::plain("crd_rsp", Dir::In, &[f("data", self.crd_w)]),
            Port::stream("out", Dir::Out, self.stop_w, &[f("crd", self.crd_w), f("ref", out_w)]),
        ]);
        ports
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        let group = self.group.then_some(self.ref_w);
        if self.input == Input::Segment {
            return model(self.stop_w, self.queue_log2, group);
        }
        Box::new(RangeModel {
            unit: self.input == Input::Unit,
            half: self.ref_in_w / 2,
            ref_w: self.ref_w,
            refs: RefSkid::new(self.stop_w),
            read: FiberReader::new([0, 1, 1], self.queue_log2, group),
        })
    }
    fn queued(&self, queue_log2: u32) -> Option<Arc<dyn Primitive>> {
        Some(Arc::new(Self { queue_log2, ..self.clone() }))
    }
    fn latency(&self) -> u32 {
        let entry = if self.input == Input::Segment { 7 } else { 4 };
        entry + u32::from(self.group)
    }
    fn rate(&self) -> Rate {
        Rate::Expands
    }
    fn describe(&self) -> String {
        let input = match self.input {
            Input::Segment => "segments",
            Input::Range => "ranges",
            Input::Unit => "one entry each",
        };
        if self.group { format!("{input}, to ranges") } else { input.into() }
    }
}

#[derive(Debug)]
struct RangeModel {
    unit: bool,
    /// Width of a half of a range in bits.
    half: u32,
    /// Width of a position in bits.
    ref_w: u32,
    refs: RefSkid,
    read: FiberReader,
}

impl RangeModel {
    /// A list with its bounds.
    fn bounded(&self, part: Part) -> Result<Part, Fault> {
        let Part::List { stop, p: [r, _] } = part else { return Ok(part) };
        let (begin, end) = if self.unit { (r, r + 1) } else { (r & mask(self.half), r >> self.half) };
        let p = [begin & mask(self.ref_w), end & mask(self.ref_w)];
        if p[0] >= p[1] {
            return Err(Fault { what: "a range has no entries", port: "ref".into(), beat: Beat::data(stop - 1, r) });
        }
        Ok(Part::List { stop, p })
    }
}

impl Model for RangeModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.refs.open(io, 0);
        if self.read.room(io)
            && let Some(part) = self.refs.head()?
        {
            let part = self.bounded(part)?;
            self.read.push(io, part)?;
            self.refs.pop();
        }
        let moved = self.read.emit(io)?;
        Ok(moved | self.read.clock(io) | self.refs.clock(io, 0))
    }
}
