#![doc = include_str!("README.md")]

mod exit;
mod fetch;
mod reader;
#[cfg(test)]
pub(crate) mod tests;

pub use exit::Exit;
pub(crate) use exit::{ExitParts, ExitReader, Exited};
pub(crate) use fetch::{Part, RefSkid, SegmentFetch};
pub(crate) use reader::FiberReader;

use samhw_streams::{Class, Dir, Fault, Field, Instance, Io, Model, Param, Passage, Port, Primitive, Rate, Relayed};
use std::sync::Arc;

/// A scanner of a compressed level, which emits each reference's fiber. Inputs: 0 `ref`, 1 `seg_rsp` (begin, end), 2
/// `crd_rsp` (data), and 3 `skip` (hints) where an early exit ends fibers. Outputs: 0 `seg_req` (addr), 1 `crd_req`
/// (addr, len), 2 `out` (crd, ref).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScannerCompressed {
    /// Width of the input references in bits, and of an address of `seg`.
    pub ref_in_w: u32,
    /// Width of a position in bits: the references out, the words of `seg`, the addresses of `crd`.
    pub ref_w: u32,
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// Width of the stop field of both streams in bits; at most `ref_in_w` and `crd_w`.
    pub stop_w: u32,
    /// log2 of the number of segment pairs and of bursts in flight; [`crate::memories::memory::ON_CHIP_QUEUE_LOG2`]
    /// covers on-chip memories.
    pub queue_log2: u32,
    /// Whether each fiber is read from its last coordinate to its first.
    pub back: bool,
    /// The early exit that ends fibers, if there is one; not with `back`.
    pub exit: Option<Exit>,
}

impl Primitive for ScannerCompressed {
    fn kind(&self) -> &'static str {
        "scanner_compressed"
    }
    fn class(&self) -> Class {
        // It reads a part of a fiber, or all.
        if self.exit.is_some() { Class::Search } else { Class::Other }
    }
    fn instance(&self) -> Instance {
        let mut params = sizes([self.ref_in_w, self.ref_w, self.crd_w, self.stop_w, self.queue_log2]);
        let Some(exit) = self.exit else {
            params.extend(self.back.then_some(("BACK", Param::Int(1))));
            return Instance { module: "samhw_scanner_compressed", params };
        };
        params.extend(exit.params());
        params.push(("HINT_W", Param::Int(exit.hint_w)));
        Instance { module: "samhw_scanner_compressed_exit", params }
    }
    fn ports(&self) -> Vec<Port> {
        let f = Field::new;
        let mut ports = vec![
            Port::stream("ref", Dir::In, self.stop_w, &[f("ref", self.ref_in_w)]),
            Port::plain("seg_req", Dir::Out, &[f("addr", self.ref_in_w)]),
            Port::plain("seg_rsp", Dir::In, &[f("begin", self.ref_w), f("end", self.ref_w)]),
            Port::plain("crd_req", Dir::Out, &[f("addr", self.ref_w), f("len", self.ref_w)]),
            Port::plain("crd_rsp", Dir::In, &[f("data", self.crd_w)]),
        ];
        ports.extend(self.exit.map(|exit| exit.port()));
        ports.push(Port::stream("out", Dir::Out, self.stop_w, &[f("crd", self.crd_w), f("ref", self.ref_w)]));
        ports
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        let (fetch, read) = stages(self.stop_w, self.queue_log2, None);
        if let Some(exit) = self.exit {
            let read = ExitReader::new([1, 2, 3, 2], exit.parts(self.queue_log2));
            return Box::new(ScannerExitModel { fetch, read });
        }
        let read = if self.back { read.backwards() } else { read };
        Box::new(ScannerCompressedModel { fetch, read })
    }
    fn rate(&self) -> Rate {
        Rate::Expands
    }
    fn queued(&self, queue_log2: u32) -> Option<Arc<dyn Primitive>> {
        Some(Arc::new(Self { queue_log2, ..self.clone() }))
    }
    fn latency(&self) -> u32 {
        7 + u32::from(self.exit.is_some())
    }
    fn describe(&self) -> String {
        if self.exit.is_some() { "told of early exits".into() } else { String::new() }
    }
}

#[derive(Debug)]
struct ScannerExitModel {
    fetch: SegmentFetch,
    read: ExitReader,
}

impl Model for ScannerExitModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.fetch.fetch(io)?;
        if self.read.ask(io, self.fetch.head())? {
            self.fetch.pop();
        }
        Ok(self.read.clock(io) | self.fetch.clock(io))
    }
}

#[derive(Debug)]
struct ScannerCompressedModel {
    fetch: SegmentFetch,
    read: FiberReader,
}

impl Model for ScannerCompressedModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.fetch.fetch(io)?;
        self.read.ask(io);
        if let (true, Some(part)) = (self.read.room(io), self.fetch.head()) {
            self.read.push(io, part)?;
            self.fetch.pop();
        }
        let moved = self.read.emit(io)?;
        Ok(moved | self.read.clock(io) | self.fetch.clock(io))
    }
    fn part(&mut self) -> Option<samhw_streams::Part<'_>> {
        Some(samhw_streams::Part::Passage(self))
    }
}

impl Passage for ScannerCompressedModel {
    fn relays(&self, io: &Io) -> Option<Relayed> {
        let next = self.read.room(io) && self.fetch.head().is_some();
        if next || self.fetch.asks(io) { None } else { self.read.relays() }
    }
    fn relayed(&mut self, count: u64, word: u64) {
        self.read.relayed(count, word);
    }
}

/// Parameters that all scanners of these stages have: widths of references in, positions, coordinates and stops, and the
/// depth of queues.
pub(crate) fn sizes(of: [u32; 5]) -> Vec<(&'static str, Param)> {
    ["REF_IN_W", "REF_W", "CRD_W", "STOP_W", "QUEUE_LOG2"].into_iter().zip(of.map(Param::Int)).collect()
}

/// Model of `samhw_scanner_compressed`; `group`: the width of positions, with GROUP.
pub(crate) fn model(stop_w: u32, queue_log2: u32, group: Option<u32>) -> Box<dyn Model> {
    let (fetch, read) = stages(stop_w, queue_log2, group);
    Box::new(ScannerCompressedModel { fetch, read })
}

fn stages(stop_w: u32, queue_log2: u32, group: Option<u32>) -> (SegmentFetch, FiberReader) {
    (SegmentFetch::new(stop_w, queue_log2), FiberReader::new([1, 2, 2], queue_log2, group))
}
