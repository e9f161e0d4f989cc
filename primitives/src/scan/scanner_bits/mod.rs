#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::{Queue, Scale, Skid, scale_depth};
use crate::scan::scanner_compressed::{Exit, ExitParts, Exited, Part};
use crate::scan::scanner_dense::Child;
use samhw_streams::{Beat, Bulk, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive, Rate};
use samhw_values::mask;
use std::sync::Arc;

/// A scanner of a bitvector level, which emits words of bits. Inputs: 0 `ref`, 1 `bits_rsp` (word), 2 `rank_rsp`
/// (rank), and 3 `skip` (hints) where an early exit ends fibers. Outputs: 0 `bits_req`, 1 `rank_req` (addr, len), 2 `out` (word, rank). Config: 0 `dim`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScannerBits {
    /// Width of the input references in bits.
    pub ref_in_w: u32,
    /// Width of an address of either memory in bits, and of the number of words of a fiber.
    pub addr_w: u32,
    /// Width of a position in bits.
    pub ref_w: u32,
    /// Width of a coordinate in bits; `dim` has one more.
    pub crd_w: u32,
    /// Width of the stop field of both streams in bits; at most `ref_in_w` and `width`.
    pub stop_w: u32,
    /// Width of a word in bits: a power of two, 8 to 256.
    pub width: u32,
    /// log2 of the number of bursts in flight.
    pub queue_log2: u32,
    /// The early exit that ends fibers, if there is one; its hints have coordinates of `crd_w` bits.
    pub exit: Option<Exit>,
}

impl ScannerBits {
    /// Registers in the product of a reference and the number of words.
    fn depth(&self) -> u32 {
        scale_depth(Child::Row, self.ref_in_w, self.addr_w, self.addr_w)
    }
}

impl Primitive for ScannerBits {
    fn kind(&self) -> &'static str {
        "scanner_bits"
    }
    fn bulk(&self) -> Bulk {
        Bulk::Words
    }
    fn instance(&self) -> Instance {
        let mut params = vec![
            ("REF_IN_W", Param::Int(self.ref_in_w)),
            ("ADDR_W", Param::Int(self.addr_w)),
            ("REF_W", Param::Int(self.ref_w)),
            ("CRD_W", Param::Int(self.crd_w)),
            ("STOP_W", Param::Int(self.stop_w)),
            ("WIDTH", Param::Int(self.width)),
            ("WIDTH_LOG2", Param::Int(self.width.trailing_zeros())),
            ("QUEUE_LOG2", Param::Int(self.queue_log2)),
            ("DEPTH", Param::Int(self.depth())),
        ];
        let Some(exit) = self.exit else { return Instance { module: "samhw_scanner_bits", params } };
        params.extend(exit.params());
        Instance { module: "samhw_scanner_bits_exit", params }
    }
    fn ports(&self) -> Vec<Port> {
        let f = Field::new;
        let request = [f("addr", self.addr_w), f("len", self.addr_w)];
        let mut ports = vec![
            Port::config("dim", self.crd_w + 1),
            Port::stream("ref", Dir::In, self.stop_w, &[f("ref", self.ref_in_w)]),
            Port::plain("bits_req", Dir::Out, &request),
            Port::plain("bits_rsp", Dir::In, &[f("data", self.width)]),
            Port::plain("rank_req", Dir::Out, &request),
            Port::plain("rank_rsp", Dir::In, &[f("data", self.ref_w)]),
        ];
        ports.extend(self.exit.map(|exit| exit.port()));
        ports.push(Port::stream("out", Dir::Out, self.stop_w, &[f("word", self.width), f("ref", self.ref_w)]));
        ports
    }
    fn model(&self, config: &[u64]) -> Box<dyn Model> {
        let dim = config.first().copied().unwrap_or(0);
        let (count, depth) = (dim.div_ceil(u64::from(self.width)), self.depth());
        let skid = if depth == 0 { Skid::passing() } else { Skid::default() };
        Box::new(ScannerBitsModel {
            count,
            addr_mask: mask(self.addr_w),
            max_stop: mask(self.stop_w) as u8,
            refs: Scale::new(skid, Child::Row, count, depth),
            fibers: Queue::new(self.queue_log2),
            bits: Skid::passing(),
            rank: Skid::passing(),
            place: 0,
            exit: self.exit.map(|exit| exit.parts(self.queue_log2)),
        })
    }
    fn queued(&self, queue_log2: u32) -> Option<Arc<dyn Primitive>> {
        Some(Arc::new(Self { queue_log2, ..self.clone() }))
    }
    fn latency(&self) -> u32 {
        let words = if self.depth() == 0 { 4 } else { 5 + self.depth() };
        words + u32::from(self.exit.is_some())
    }
    fn rate(&self) -> Rate {
        Rate::Expands
    }
    fn describe(&self) -> String {
        let told = if self.exit.is_some() { ", told of early exits" } else { "" };
        format!("bitvector, words of {}{told}", self.width)
    }
}

/// What becomes of a leaf.
#[derive(Debug, Clone, Copy)]
enum WordFiber {
    /// Words from memory.
    Words(u8),
    /// Words of zeros.
    Zeros(u8),
    /// No list.
    Beat(Beat),
}

#[derive(Debug)]
struct ScannerBitsModel {
    count: u64,
    addr_mask: u64,
    max_stop: u8,
    refs: Scale,
    fibers: Queue<WordFiber>,
    bits: Skid,
    rank: Skid,
    place: u64,
    /// The parts of fibers that an early exit ends, in place of `fibers` and `place`.
    exit: Option<ExitParts>,
}

impl ScannerBitsModel {
    /// The oldest reference, if there is one and its stop fits.
    fn next(&self) -> Result<Option<Beat>, Fault> {
        match self.refs.head() {
            Some(r) if r.kind != Kind::Done && r.stop == self.max_stop => {
                Err(Fault { what: "the stop does not fit", port: "ref".into(), beat: r })
            }
            next => Ok(next),
        }
    }

    /// What becomes of a reference, or its fiber, where an early exit ends fibers.
    fn bounded(&self, r: Beat) -> Part {
        let first = r.p[0] & self.addr_mask;
        match r.kind {
            Kind::Data => Part::List { stop: r.stop + 1, p: [first, first + self.count] },
            Kind::Empty => Part::Beat(Beat::nil(r.stop + 1, 1)),
            Kind::Nil => Part::Beat(Beat::nil(r.stop + 1, r.hole() + 1)),
            Kind::Done => Part::Beat(Beat::DONE),
        }
    }

    /// Asks for words and emits one, where an early exit ends fibers.
    fn exiting(&mut self, parts: &mut ExitParts, io: &mut Io) -> Result<bool, Fault> {
        let next = self.next()?.map(|r| self.bounded(r));
        let (asked, taken) = parts.ask(io.free(0) && io.free(1), next)?;
        if let Some((at, many)) = asked {
            io.put(0, Beat::pair(0, at, many));
            io.put(1, Beat::pair(0, at, many));
        }
        if taken {
            self.refs.pop();
        }
        let words = self.bits.head().zip(self.rank.head()).map(|(word, rank)| [word.p[0], rank.p[0]]);
        let made = parts.emit(words.is_some(), io.free(2));
        match (made, words) {
            (Exited::Word(stop, _), Some(p)) => io.put(2, Beat::new(Kind::Data, stop, p)),
            (Exited::Beat(beat), _) => io.put(2, beat),
            _ => {}
        }
        if matches!(made, Exited::Word(..) | Exited::Dropped) {
            self.bits.pop();
            self.rank.pop();
        }
        Ok(parts.clock(io.taken(3), made))
    }

    fn fetch(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let (true, true, true) = (io.free(0), io.free(1), self.fibers.room()) else { return Ok(false) };
        let Some(r) = self.next()? else { return Ok(false) };
        let stop = r.stop + 1;
        self.fibers.push(match r.kind {
            Kind::Data if self.count > 0 => {
                let request = Beat::pair(0, r.p[0] & self.addr_mask, self.count);
                io.put(0, request);
                io.put(1, request);
                WordFiber::Words(stop)
            }
            Kind::Empty if self.count > 0 => WordFiber::Zeros(stop),
            Kind::Data | Kind::Empty => WordFiber::Beat(Beat::nil(stop, 1)),
            Kind::Nil => WordFiber::Beat(Beat::nil(stop, r.hole() + 1)),
            Kind::Done => WordFiber::Beat(Beat::DONE),
        });
        self.refs.pop();
        Ok(true)
    }

    fn emit(&mut self, io: &mut Io) -> bool {
        if !io.free(2) {
            return false;
        }
        let last = self.place + 1 == self.count;
        let closing = |stop| if last { stop } else { 0 };
        let (beat, ends) = match self.fibers.head() {
            None => return false,
            Some(&WordFiber::Beat(b)) => (b, true),
            Some(&WordFiber::Zeros(stop)) => (Beat::pair(closing(stop), 0, 0), last),
            Some(&WordFiber::Words(stop)) => {
                let (Some(word), Some(rank)) = (self.bits.head(), self.rank.head()) else { return false };
                let beat = Beat { stop: closing(stop), p: [word.p[0], rank.p[0]], ..*word };
                self.bits.pop();
                self.rank.pop();
                (beat, last)
            }
        };
        io.put(2, beat);
        self.place = if ends { 0 } else { self.place + 1 };
        if ends {
            self.fibers.pop();
        }
        true
    }
}

impl Model for ScannerBitsModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.refs.open(io, 0);
        self.bits.open(io, 1);
        self.rank.open(io, 2);
        let moved = match self.exit.take() {
            None => self.emit(io) | self.fetch(io)?,
            Some(mut parts) => {
                let moved = self.exiting(&mut parts, io)?;
                self.exit = Some(parts);
                moved
            }
        };
        Ok(moved | self.refs.clock(io, 0) | self.bits.clock(io, 1) | self.rank.clock(io, 2) | self.fibers.clock())
    }
}
