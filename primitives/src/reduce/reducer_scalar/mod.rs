#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::{Fold, Skid};
use samhw_streams::{Beat, Bulk, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive};

/// A scalar reducer, which folds each innermost list to a leaf. Input: 0 `val` (depth d). Output: 0 `out` (depth d -
/// 1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReducerScalar {
    /// Operator of the reduction.
    pub op: Fold,
    /// Width of a value in bits.
    pub val_w: u32,
    /// Whether min and max compare two's complement numbers.
    pub signed: bool,
    /// Width of the stop field of both streams in bits.
    pub stop_w: u32,
}

impl Primitive for ReducerScalar {
    fn kind(&self) -> &'static str {
        "reducer_scalar"
    }
    fn bulk(&self) -> Bulk {
        Bulk::Values { bits: self.val_w }
    }
    fn instance(&self) -> Instance {
        let mut instance = Instance {
            module: "samhw_reducer_scalar",
            params: vec![("VAL_W", Param::Int(self.val_w)), ("STOP_W", Param::Int(self.stop_w))],
        };
        instance.params.extend(self.op.params(self.signed));
        instance
    }
    fn ports(&self) -> Vec<Port> {
        let val = [Field::new("val", self.val_w)];
        vec![Port::stream("val", Dir::In, self.stop_w, &val), Port::stream("out", Dir::Out, self.stop_w, &val)]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(ScalarModel { of: self.clone(), val: Skid::default(), acc: None })
    }
    fn latency(&self) -> u32 {
        2
    }
    fn describe(&self) -> String {
        format!("{:?}", self.op).to_lowercase()
    }
}

#[derive(Debug)]
struct ScalarModel {
    of: ReducerScalar,
    val: Skid,
    acc: Option<u64>,
}

impl Model for ScalarModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        if let Some(&v) = self.val.head() {
            let list_end = v.stop > 0;
            if v.kind == Kind::Empty && v.p[0] != 0 || v.kind == Kind::Nil && !list_end {
                return Err(Fault { what: "val is not canonical", port: "val".into(), beat: v });
            }
            if v.is_leaf() && !list_end || io.free(0) {
                if v.kind == Kind::Data {
                    self.acc =
                        Some(self.acc.map_or(v.p[0], |a| self.of.op.apply(a, v.p[0], self.of.val_w, self.of.signed)));
                }
                match v.kind {
                    Kind::Done => io.put(0, Beat::DONE),
                    Kind::Nil if v.hole() > 1 => io.put(0, Beat::nil(v.stop - 1, v.hole() - 1)),
                    Kind::Nil => io.put(0, Beat::empty(v.stop - 1)),
                    Kind::Data | Kind::Empty if list_end => {
                        io.put(0, self.acc.take().map_or(Beat::empty(v.stop - 1), |a| Beat::data(v.stop - 1, a)));
                    }
                    Kind::Data | Kind::Empty => {}
                }
                self.val.pop();
            }
        }
        Ok(self.val.clock(io, 0))
    }
}
