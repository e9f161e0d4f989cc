#![doc = include_str!("README.md")]

mod reader;
#[cfg(test)]
pub(crate) mod tests;

use crate::scan::scanner_compressed::SegmentFetch;
use reader::WindowReader;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Model, Param, Port, Primitive, Rate, Word};
use std::sync::Arc;

/// The format of a group of coordinates, which has the position of the first one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Group {
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// log2 of the largest number of coordinates, of at most [`samhw_streams::WIDEST`] bits together; 0 for single
    /// coordinates.
    pub wide_log2: u32,
}

impl Group {
    /// Returns the largest number of coordinates in a group.
    pub fn wide(self) -> usize {
        1 << self.wide_log2
    }
    /// Returns the payloads of a stream of groups with positions of `ref_w` bits: the coordinates, the first lowest;
    /// their number minus one, with the position of the first above it.
    pub fn fields(self, ref_w: u32) -> [Field; 2] {
        if self.wide_log2 == 0 {
            return [Field::new("crd", self.crd_w), Field::new("ref", ref_w)];
        }
        [Field::new("crds", self.crd_w << self.wide_log2), Field::new("ref_count", ref_w + self.wide_log2)]
    }
    /// Returns the width of a group's coordinates in bits.
    pub fn width(self) -> u32 {
        self.crd_w << self.wide_log2
    }
    /// Returns coordinate `l` of a group's payload.
    #[inline]
    pub fn lane(self, payload: u64, l: u64) -> u64 {
        match self.wide_log2 {
            0 => payload,
            _ => Word::held(payload, self.width()).field(l as u32 * self.crd_w, self.crd_w),
        }
    }
    /// Returns the coordinate in the highest lane.
    #[inline]
    pub fn largest(self, payload: u64) -> u64 {
        self.lane(payload, self.wide() as u64 - 1)
    }
    /// Encodes the first `count` coordinates of a payload as a beat.
    #[inline]
    pub fn part(self, stop: u8, payload: u64, count: u64, position: u64) -> Beat {
        if count == self.wide() as u64 {
            return Beat::pair(stop, payload, position << self.wide_log2 | (count - 1));
        }
        let crds: Vec<u64> = (0..count).map(|l| self.lane(payload, l)).collect();
        self.pack(stop, &crds, position)
    }
    /// Encodes a group as a beat; lanes beyond the last coordinate repeat it.
    pub fn pack(self, stop: u8, crds: &[u64], position: u64) -> Beat {
        let last = crds.last().copied().unwrap_or_default();
        let mut word = Word::default();
        for l in 0..self.wide() {
            word.put(l as u32 * self.crd_w, self.crd_w, crds.get(l).copied().unwrap_or(last));
        }
        let first = position << self.wide_log2 | crds.len().saturating_sub(1) as u64;
        Beat::pair(stop, word.payload(self.crd_w << self.wide_log2), first)
    }
    /// Returns the coordinates of a group and the position of the first.
    pub fn unpack(self, beat: &Beat) -> (Vec<u64>, u64) {
        let word = Word::held(beat.p[0], self.crd_w << self.wide_log2);
        let count = (beat.p[1] & (self.wide() as u64 - 1)) as u32 + 1;
        let crds = (0..count).map(|l| word.field(l * self.crd_w, self.crd_w)).collect();
        (crds, beat.p[1] >> self.wide_log2)
    }
}

/// A scanner of a compressed level that emits groups of coordinates. Inputs: 0 `ref`, 1 `seg_rsp` (begin, end), 2
/// `crd_rsp` (data0, data1: half of the words each). Outputs: 0 `seg_req` (addr), 1 `crd_req` (addr), 2 `out` (crd,
/// ref: a [`Group`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScannerWide {
    /// Width of the input references in bits, and of an address of `seg`.
    pub ref_in_w: u32,
    /// Width of a position in bits: the references out, the words of `seg`. Addresses of `crd` have one more.
    pub ref_w: u32,
    /// Width of the stop field of both streams in bits; at most `ref_in_w` and that of a coordinate.
    pub stop_w: u32,
    /// log2 of the number of segment pairs and of bursts in flight, as in
    /// [`crate::scan::scanner_compressed::ScannerCompressed`].
    pub queue_log2: u32,
    /// Format of the output groups.
    pub group: Group,
}

impl Primitive for ScannerWide {
    fn kind(&self) -> &'static str {
        "scanner_wide"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_scanner_wide",
            params: vec![
                ("REF_IN_W", Param::Int(self.ref_in_w)),
                ("REF_W", Param::Int(self.ref_w)),
                ("CRD_W", Param::Int(self.group.crd_w)),
                ("STOP_W", Param::Int(self.stop_w)),
                ("QUEUE_LOG2", Param::Int(self.queue_log2)),
                ("WIDE_LOG2", Param::Int(self.group.wide_log2)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let f = Field::new;
        let half = self.group.crd_w << (self.group.wide_log2 - 1);
        vec![
            Port::stream("ref", Dir::In, self.stop_w, &[f("ref", self.ref_in_w)]),
            Port::plain("seg_req", Dir::Out, &[f("addr", self.ref_in_w)]),
            Port::plain("seg_rsp", Dir::In, &[f("begin", self.ref_w), f("end", self.ref_w)]),
            Port::plain("crd_req", Dir::Out, &[f("addr", self.ref_w + 1)]),
            Port::plain("crd_rsp", Dir::In, &[f("data0", half), f("data1", half)]),
            Port::stream("out", Dir::Out, self.stop_w, &self.group.fields(self.ref_w)),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(ScannerWideModel {
            fetch: SegmentFetch::new(self.stop_w, self.queue_log2),
            read: WindowReader::new(self.group, self.queue_log2),
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
        format!("compressed, {} at a time", self.group.wide())
    }
}

#[derive(Debug)]
struct ScannerWideModel {
    fetch: SegmentFetch,
    read: WindowReader,
}

impl Model for ScannerWideModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.fetch.fetch(io)?;
        let (taken, asked) = self.read.ask(io, self.fetch.head())?;
        if taken {
            self.fetch.pop();
        }
        let moved = self.read.emit(io);
        Ok(asked | moved | self.read.clock(io) | self.fetch.clock(io))
    }
}
