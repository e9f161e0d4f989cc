#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::{Progress, Queue, Skid};
use crate::scan::scanner_compressed::{Part, RefSkid};
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive, Rate};
use std::sync::Arc;

/// A scanner of a list that grows: the outermost level of a result, while its writer is at work. Inputs: 0 `ref`, 1
/// `begin`, 2 `written`, 3 `finished`, 4 `crd_rsp` (data). Outputs: 0 `crd_req` (addr), 1 `out` (crd, ref), 2 `begun`, 3
/// `opened`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScannerGrowing {
    /// Width of the input references in bits.
    pub ref_in_w: u32,
    /// Width of a place in bits: the references out, the addresses of coordinates.
    pub ref_w: u32,
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// Width of the stop field of both streams in bits; at most `ref_in_w`, `ref_w` and `crd_w`.
    pub stop_w: u32,
    /// log2 of the number of coordinates in flight; [`crate::memories::memory::ON_CHIP_QUEUE_LOG2`] covers an on-chip
    /// memory.
    pub queue_log2: u32,
}

impl Primitive for ScannerGrowing {
    fn kind(&self) -> &'static str {
        "scanner_growing"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_scanner_growing",
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
        let (tokens, held) = Progress::ports(self.ref_w, self.crd_w);
        let first = [Port::stream("ref", Dir::In, self.stop_w, &[f("ref", self.ref_in_w)])];
        let more = [
            Port::plain("crd_rsp", Dir::In, &[f("data", self.crd_w)]),
            Port::plain("crd_req", Dir::Out, &[f("addr", self.ref_w)]),
            Port::stream("out", Dir::Out, self.stop_w, &[f("crd", self.crd_w), f("ref", self.ref_w)]),
        ];
        first.into_iter().chain(tokens).chain(more).chain(held).collect()
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(ScannerGrowingModel {
            refs: RefSkid::new(self.stop_w),
            progress: Progress::default(),
            place: 0,
            entries: Queue::new(self.queue_log2),
            crd: Skid::passing(),
        })
    }
    fn rate(&self) -> Rate {
        Rate::Expands
    }
    fn queued(&self, queue_log2: u32) -> Option<Arc<dyn Primitive>> {
        Some(Arc::new(Self { queue_log2, ..self.clone() }))
    }
    fn latency(&self) -> u32 {
        3
    }
}

#[derive(Debug)]
struct ScannerGrowingModel {
    refs: RefSkid,
    progress: Progress,
    /// The next place.
    place: u64,
    /// What comes out, of a list's entries without their coordinates.
    entries: Queue<Beat>,
    crd: Skid,
}

impl ScannerGrowingModel {
    /// Asks for the coordinate at the next place, if it is known whether another follows.
    fn ask(&mut self, io: &mut Io) -> Result<(), Fault> {
        let (true, true) = (io.free(0), self.entries.room()) else { return Ok(()) };
        let Progress { words, complete } = self.progress;
        let (further, last) = (self.place + 1 < words, complete && self.place + 1 == words);
        if self.refs.is_list() {
            if further {
                io.put(0, Beat::data(0, self.place));
                self.entries.push(Beat::data(0, self.place));
                self.place += 1;
                return Ok(());
            }
            let none = complete && words == 0;
            if !(last || none) {
                return Ok(());
            }
        }
        let Some(part) = self.refs.head()? else { return Ok(()) };
        self.entries.push(match part {
            Part::Beat(beat) => beat,
            Part::List { stop, .. } if last => {
                io.put(0, Beat::data(0, self.place));
                Beat::data(stop, std::mem::take(&mut self.place))
            }
            Part::List { stop, .. } => Beat::nil(stop, 1),
        });
        self.refs.pop();
        Ok(())
    }

    /// Emits the next entry.
    fn emit(&mut self, io: &mut Io) {
        let Some(&entry) = self.entries.head().filter(|_| io.free(1)) else { return };
        let mut out = entry;
        if entry.kind == Kind::Data {
            let Some(crd) = self.crd.head() else { return };
            out.p = [crd.p[0], entry.p[0]];
            self.crd.pop();
        }
        io.put(1, out);
        self.entries.pop();
    }
}

impl Model for ScannerGrowingModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.refs.open(io, 0);
        self.crd.open(io, 4);
        self.ask(io)?;
        self.emit(io);
        let moved = self.progress.clock(io, 1, 2);
        Ok(moved | self.entries.clock() | self.refs.clock(io, 0) | self.crd.clock(io, 4))
    }
}
