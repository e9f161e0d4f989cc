//! The locator of a bitvector level: the position is a word's rank plus the number of set bits below the coordinate's
//! bit.

use super::aligned;
use crate::blocks::{Queue, Skid};
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive, Word};
use samhw_values::{mask, mul_depth};
use std::collections::VecDeque;
use std::sync::Arc;

/// The locator of a bitvector level. Inputs: 0 `crd`, 1 `parent`, 2 `bits_rsp`, 3 `rank_rsp`. Outputs: 0 `bits_req`, 1
/// `rank_req` (addr), 2 `found`. Config: 0 `words`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatorBits {
    /// Width of a word in bits: a power of two, 8 to 256.
    pub width: u32,
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// Width of a parent's position in bits.
    pub ref_in_w: u32,
    /// Width of an address of either memory in bits, and of `words`.
    pub addr_w: u32,
    /// Width of a position in the level in bits.
    pub ref_w: u32,
    /// Width of the stop field of all three streams in bits.
    pub stop_w: u32,
    /// log2 of the number of beats between request and answer.
    pub queue_log2: u32,
}

impl Primitive for LocatorBits {
    fn kind(&self) -> &'static str {
        "locator"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_locator_bits",
            params: vec![
                ("WIDTH", Param::Int(self.width)),
                ("WIDTH_LOG2", Param::Int(self.width.trailing_zeros())),
                ("CRD_W", Param::Int(self.crd_w)),
                ("REF_IN_W", Param::Int(self.ref_in_w)),
                ("ADDR_W", Param::Int(self.addr_w)),
                ("REF_W", Param::Int(self.ref_w)),
                ("STOP_W", Param::Int(self.stop_w)),
                ("QUEUE_LOG2", Param::Int(self.queue_log2)),
                ("DEPTH", Param::Int(mul_depth(self.addr_w))),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let stream = |name, dir, field, width| Port::stream(name, dir, self.stop_w, &[Field::new(field, width)]);
        let plain = |name, dir, field, width| Port::plain(name, dir, &[Field::new(field, width)]);
        vec![
            Port::config("words", self.addr_w),
            stream("crd", Dir::In, "crd", self.crd_w),
            stream("parent", Dir::In, "ref", self.ref_in_w),
            plain("bits_req", Dir::Out, "addr", self.addr_w),
            plain("bits_rsp", Dir::In, "data", self.width),
            plain("rank_req", Dir::Out, "addr", self.addr_w),
            plain("rank_rsp", Dir::In, "data", self.ref_w),
            stream("found", Dir::Out, "ref", self.ref_w),
        ]
    }
    fn model(&self, config: &[u64]) -> Box<dyn Model> {
        Box::new(LocatorBitsModel {
            of: self.clone(),
            words: config[0],
            inputs: Default::default(),
            fetch: vec![None; mul_depth(self.addr_w) as usize + 1].into(),
            waiting: Queue::new(self.queue_log2),
            counted: None,
        })
    }
    fn queued(&self, queue_log2: u32) -> Option<Arc<dyn Primitive>> {
        Some(Arc::new(Self { queue_log2, ..self.clone() }))
    }
    fn latency(&self) -> u32 {
        7 + mul_depth(self.addr_w)
    }
    fn describe(&self) -> String {
        format!("bitvector, words of {}", self.width)
    }
}

const CRD: usize = 0;
const PARENT: usize = 1;
const BITS: usize = 2;
const RANK: usize = 3;
const FOUND: usize = 2;

#[derive(Debug)]
struct LocatorBitsModel {
    of: LocatorBits,
    words: u64,
    inputs: [Skid; 4],
    /// Beats with their words' addresses, and their places in the words: registers of the product, and the last.
    fetch: VecDeque<Option<(Beat, u64)>>,
    waiting: Queue<(Beat, u64)>,
    /// What leaves next.
    counted: Option<Beat>,
}

impl LocatorBitsModel {
    fn address(&self, c: Beat, p: Beat) -> Result<(Beat, u64), Fault> {
        aligned(c, p, self.of.stop_w)?;
        let width = u64::from(self.of.width);
        let beat = match (c.kind, p.kind) {
            (Kind::Nil | Kind::Done, _) => c,
            (Kind::Data, Kind::Data) => {
                Beat::data(c.stop, p.p[0].wrapping_mul(self.words).wrapping_add(c.p[0] / width) & mask(self.of.addr_w))
            }
            _ => Beat::empty(c.stop),
        };
        Ok((beat, c.p[0] % width))
    }

    /// What becomes of the oldest beat that waits, if all it needs is there.
    fn count(&mut self) -> Option<Beat> {
        let &(b, place) = self.waiting.head()?;
        let mut out = b;
        if b.kind == Kind::Data {
            let (word, rank) = (self.inputs[BITS].head()?, self.inputs[RANK].head()?.p[0]);
            let word = Word::held(word.p[0], self.of.width);
            let pos = rank.wrapping_add(word.ones_below(place)) & mask(self.of.ref_w);
            out = if word.bit(place) { Beat::data(b.stop, pos) } else { Beat::empty(b.stop) };
            self.inputs[BITS].pop();
            self.inputs[RANK].pop();
        }
        self.waiting.pop();
        Some(out)
    }
}

impl Model for LocatorBitsModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        if io.free(FOUND)
            && let Some(beat) = self.counted.take()
        {
            io.put(FOUND, beat);
            moved = true;
        }
        if self.counted.is_none() {
            self.counted = self.count();
            moved |= self.counted.is_some();
        }
        let go = self.waiting.room() && io.free(0) && io.free(1);
        let oldest = self.fetch.front().copied().flatten();
        if let (true, Some((beat, place))) = (go, oldest) {
            if beat.kind == Kind::Data {
                io.put(0, Beat::data(0, beat.p[0]));
                io.put(1, Beat::data(0, beat.p[0]));
            }
            self.waiting.push((beat, place));
        }
        if go || oldest.is_none() {
            let both = self.inputs[CRD].head().copied().zip(self.inputs[PARENT].head().copied());
            let next = both.map(|(c, p)| self.address(c, p)).transpose()?;
            if next.is_some() {
                self.inputs[CRD].pop();
                self.inputs[PARENT].pop();
            }
            moved |= next.is_some() || self.fetch.iter().any(Option::is_some);
            self.fetch.pop_front();
            self.fetch.push_back(next);
        }
        moved |= self.waiting.clock();
        for (k, skid) in self.inputs.iter_mut().enumerate() {
            moved |= skid.clock(io, k);
        }
        Ok(moved)
    }
}
