#![doc = include_str!("README.md")]

mod model;
#[cfg(test)]
pub(crate) mod tests;

use crate::arith::alu::{Pipelined, pipelined};
use samhw_streams::{Bulk, Dir, Field, Instance, Model, Param, Port, Primitive};
use samhw_values::{Fun, Type};

/// A scalar reducer whose operator takes several cycles. Input: 0 `val` (depth d). Output: 0 `out` (depth d - 1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReducerPipelined {
    fun: Fun,
    ty: Type,
    stop_w: u32,
    op: Pipelined,
}

impl ReducerPipelined {
    /// Creates the reducer for `fun` on `ty`; `None` if its operator takes a single cycle (see
    /// [`crate::blocks::Fold`]), or does not exist.
    pub fn new(fun: Fun, ty: Type, stop_w: u32) -> Option<Self> {
        Some(Self { fun, ty, stop_w, op: pipelined(fun, ty).filter(|_| ty.bits() >= stop_w)? })
    }
    /// Returns log2 of the number of partial results per list.
    pub fn entries_log2(&self) -> u32 {
        (self.op.depth + 1).next_power_of_two().trailing_zeros()
    }
    /// Folds a list's values as the hardware does, bit for bit: value k is added to entry k mod P (P =
    /// 2^[`Self::entries_log2`]), and the entries are folded pairwise, level by level.
    pub fn fold(&self, values: &[u64]) -> Option<u64> {
        let apply = |a: u64, b: u64| self.fun.apply(&[a, b], self.ty);
        let p = 1 << self.entries_log2();
        let entry = |k: usize| values.iter().skip(k).step_by(p).fold(self.op.identity, |a, &v| apply(a, v));
        let mut entries: Vec<u64> = (0..p.min(values.len())).map(entry).collect();
        for _ in 0..self.entries_log2() {
            entries = entries.chunks(2).map(|c| apply(c[0], c.get(1).copied().unwrap_or(self.op.identity))).collect();
        }
        entries.first().copied()
    }
}

impl Primitive for ReducerPipelined {
    fn kind(&self) -> &'static str {
        "reducer_pipelined"
    }
    fn bulk(&self) -> Bulk {
        Bulk::Values { bits: self.ty.bits() }
    }
    fn instance(&self) -> Instance {
        let mut params = self.op.params(self.ty);
        params.extend([
            ("VAL_W", Param::Int(self.ty.bits())),
            ("STOP_W", Param::Int(self.stop_w)),
            ("K", Param::Int(self.entries_log2())),
            ("IDENTITY", Param::Bits(self.ty.bits(), vec![self.op.identity])),
        ]);
        Instance { module: "samhw_reducer_pipelined", params }
    }
    fn ports(&self) -> Vec<Port> {
        let val = [Field::new("val", self.ty.bits())];
        vec![Port::stream("val", Dir::In, self.stop_w, &val), Port::stream("out", Dir::Out, self.stop_w, &val)]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(model::PipelinedModel::new(self))
    }
    fn latency(&self) -> u32 {
        3 + self.op.depth + self.entries_log2() * (self.op.depth + 1)
    }
    fn describe(&self) -> String {
        format!("{} of {}", self.fun.name(), self.ty)
    }
}
