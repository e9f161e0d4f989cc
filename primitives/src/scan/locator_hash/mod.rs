#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use super::locator::aligned;
use crate::blocks::{Queue, Skid};
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive};
use samhw_values::mask;
use std::sync::Arc;

/// Bits between the two ways in the multiplier.
const APART: u32 = 32;

/// Largest width of a slot's number in bits.
pub const MOST_ADDR_W: u32 = APART;

/// Returns the slot of `key` in a way with `last` + 1 slots: each bit of its number is the parity of the key's bits
/// selected by the shifted multiplier.
pub fn slot(way: u32, key: u64, multiplier: u64, last: u64) -> u64 {
    let bit = |i: u32| u64::from((key & multiplier.rotate_right(way * APART + i)).count_ones() & 1) << i;
    (0..u64::BITS - last.leading_zeros()).map(bit).fold(0, |slot, bit| slot | bit) & last
}

/// The locator of a hash level. Inputs: 0 `crd`, 1 `parent`, 2 `way0_rsp`, 3 `way1_rsp`. Outputs: 0 `way0_req`, 1
/// `way1_req` (addr), 2 `found`. Config: 0 `multiplier`, 1 `last`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatorHash {
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// Width of a parent's position in bits; with that of a coordinate at most 64.
    pub ref_in_w: u32,
    /// Width of a slot's number in bits, at most 32.
    pub addr_w: u32,
    /// Width of a position in the level in bits.
    pub ref_w: u32,
    /// Width of the stop field of all three streams in bits.
    pub stop_w: u32,
    /// log2 of the number of beats between request and answer.
    pub queue_log2: u32,
}

impl LocatorHash {
    /// Returns the width in bits of a slot: valid bit, position, parent, coordinate.
    pub fn slot_w(crd_w: u32, ref_in_w: u32, ref_w: u32) -> u32 {
        1 + ref_w + ref_in_w + crd_w
    }
}

impl Primitive for LocatorHash {
    fn kind(&self) -> &'static str {
        "locator_hash"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_locator_hash",
            params: vec![
                ("CRD_W", Param::Int(self.crd_w)),
                ("REF_IN_W", Param::Int(self.ref_in_w)),
                ("ADDR_W", Param::Int(self.addr_w)),
                ("REF_W", Param::Int(self.ref_w)),
                ("STOP_W", Param::Int(self.stop_w)),
                ("QUEUE_LOG2", Param::Int(self.queue_log2)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let stream = |name, dir, field, width| Port::stream(name, dir, self.stop_w, &[Field::new(field, width)]);
        let plain = |name, dir, field, width| Port::plain(name, dir, &[Field::new(field, width)]);
        let slot_w = Self::slot_w(self.crd_w, self.ref_in_w, self.ref_w);
        vec![
            Port::config("multiplier", 64),
            Port::config("last", self.addr_w),
            stream("crd", Dir::In, "crd", self.crd_w),
            stream("parent", Dir::In, "ref", self.ref_in_w),
            plain("way0_req", Dir::Out, "addr", self.addr_w),
            plain("way0_rsp", Dir::In, "data", slot_w),
            plain("way1_req", Dir::Out, "addr", self.addr_w),
            plain("way1_rsp", Dir::In, "data", slot_w),
            stream("found", Dir::Out, "ref", self.ref_w),
        ]
    }
    fn model(&self, config: &[u64]) -> Box<dyn Model> {
        Box::new(HashModel {
            of: self.clone(),
            multiplier: config[0],
            last: config[1],
            inputs: Default::default(),
            waiting: Queue::new(self.queue_log2),
            compared: None,
        })
    }
    fn queued(&self, queue_log2: u32) -> Option<Arc<dyn Primitive>> {
        Some(Arc::new(Self { queue_log2, ..self.clone() }))
    }
    fn latency(&self) -> u32 {
        6
    }
    fn describe(&self) -> String {
        "hash".into()
    }
}

const CRD: usize = 0;
const PARENT: usize = 1;
const WAYS: [usize; 2] = [2, 3];
const FOUND: usize = 2;

#[derive(Debug)]
struct HashModel {
    of: LocatorHash,
    multiplier: u64,
    last: u64,
    inputs: [Skid; 4],
    /// Beats between request and answer; of leaves that are looked up the key.
    waiting: Queue<Beat>,
    /// What leaves next.
    compared: Option<Beat>,
}

impl HashModel {
    /// What is known of a leaf before its slots: its key, if it is looked up.
    fn key(&self, c: Beat, p: Beat) -> Result<Beat, Fault> {
        aligned(c, p, self.of.stop_w)?;
        Ok(match (c.kind, p.kind) {
            (Kind::Nil | Kind::Done, _) => c,
            (Kind::Data, Kind::Data) => Beat::data(c.stop, p.p[0] << self.of.crd_w | c.p[0]),
            _ => Beat::empty(c.stop),
        })
    }

    /// What becomes of the oldest beat that waits, if all it needs is there.
    fn compare(&mut self) -> Option<Beat> {
        let beat = *self.waiting.head()?;
        let mut out = beat;
        if beat.kind == Kind::Data {
            let slots = [self.inputs[WAYS[0]].head()?.p[0], self.inputs[WAYS[1]].head()?.p[0]];
            let key_w = self.of.ref_in_w + self.of.crd_w;
            let there = |slot: &u64| slot >> (key_w + self.of.ref_w) & 1 == 1 && slot & mask(key_w) == beat.p[0];
            let held = slots.iter().filter(|slot| there(slot)).map(|slot| slot >> key_w & mask(self.of.ref_w));
            out = held.reduce(|a, b| a | b).map_or(Beat::empty(beat.stop), |at| Beat::data(beat.stop, at));
            WAYS.iter().for_each(|&way| {
                self.inputs[way].pop();
            });
        }
        self.waiting.pop();
        Some(out)
    }
}

impl Model for HashModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        if io.free(FOUND)
            && let Some(beat) = self.compared.take()
        {
            io.put(FOUND, beat);
            moved = true;
        }
        if self.compared.is_none() {
            self.compared = self.compare();
            moved |= self.compared.is_some();
        }
        let both = self.inputs[CRD].head().copied().zip(self.inputs[PARENT].head().copied());
        if let (true, Some((c, p))) = (self.waiting.room() && io.free(0) && io.free(1), both) {
            let beat = self.key(c, p)?;
            if beat.kind == Kind::Data {
                for way in 0..2 {
                    io.put(way as usize, Beat::data(0, slot(way, beat.p[0], self.multiplier, self.last)));
                }
            }
            self.waiting.push(beat);
            self.inputs[CRD].pop();
            self.inputs[PARENT].pop();
            moved = true;
        }
        moved |= self.waiting.clock();
        for (k, skid) in self.inputs.iter_mut().enumerate() {
            moved |= skid.clock(io, k);
        }
        Ok(moved)
    }
}
