#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::{Queue, Skid};
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive};
use std::sync::Arc;

/// An array, which reads the value at each reference. Inputs: 0 `ref`, 1 `rsp` (data). Outputs: 0 `req` (addr), 1
/// `val`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Array {
    /// Width of a reference in bits, and of an address.
    pub ref_w: u32,
    /// Width of a value in bits.
    pub val_w: u32,
    /// Width of the stop field of both streams in bits; at most `ref_w` and `val_w`.
    pub stop_w: u32,
    /// log2 of the number of beats between request and value; [`crate::memories::memory::ON_CHIP_QUEUE_LOG2`] covers an
    /// on-chip memory.
    pub queue_log2: u32,
}

impl Primitive for Array {
    fn kind(&self) -> &'static str {
        "array"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_array",
            params: vec![
                ("REF_W", Param::Int(self.ref_w)),
                ("VAL_W", Param::Int(self.val_w)),
                ("STOP_W", Param::Int(self.stop_w)),
                ("QUEUE_LOG2", Param::Int(self.queue_log2)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        vec![
            Port::stream("ref", Dir::In, self.stop_w, &[Field::new("ref", self.ref_w)]),
            Port::plain("req", Dir::Out, &[Field::new("addr", self.ref_w)]),
            Port::plain("rsp", Dir::In, &[Field::new("data", self.val_w)]),
            Port::stream("val", Dir::Out, self.stop_w, &[Field::new("val", self.val_w)]),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(ArrayModel { ref_in: Skid::passing(), waiting: Queue::new(self.queue_log2), rsp_in: Skid::passing() })
    }
    fn queued(&self, queue_log2: u32) -> Option<Arc<dyn Primitive>> {
        Some(Arc::new(Self { queue_log2, ..self.clone() }))
    }
    fn latency(&self) -> u32 {
        3
    }
}

#[derive(Debug)]
struct ArrayModel {
    ref_in: Skid,
    /// Beats of `ref` whose value is on its way; of a DATA beat the payload no longer counts.
    waiting: Queue<Beat>,
    rsp_in: Skid,
}

impl Model for ArrayModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.ref_in.open(io, 0);
        self.rsp_in.open(io, 1);
        let mut moved = false;
        if let (true, true, Some(&r)) = (io.free(0), self.waiting.room(), self.ref_in.head()) {
            if r.kind == Kind::Data {
                io.put(0, Beat::data(0, r.p[0]));
            }
            self.waiting.push(r);
            self.ref_in.pop();
        }
        if let (true, Some(&b)) = (io.free(1), self.waiting.head()) {
            if b.kind != Kind::Data {
                io.put(1, b);
                self.waiting.pop();
            } else if let Some(&d) = self.rsp_in.head() {
                io.put(1, Beat::data(b.stop, d.p[0]));
                self.waiting.pop();
                self.rsp_in.pop();
            }
        }
        moved |= self.waiting.clock();
        moved |= self.ref_in.clock(io, 0);
        moved |= self.rsp_in.clock(io, 1);
        Ok(moved)
    }
}
