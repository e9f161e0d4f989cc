#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::arith::alu::program_params;
use crate::blocks::Skid;
use samhw_streams::{Beat, Bulk, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive};
use samhw_values::Routine;
use std::sync::Arc;

/// A scalar reducer whose operator is a program. Input: 0 `val` (depth d). Output: 0 `out` (depth d - 1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReducerIterative {
    op: Arc<Routine>,
    stop_w: u32,
}

impl ReducerIterative {
    /// Creates the reducer for an operator of two arguments; `None` if it takes another number.
    pub fn new(op: Arc<Routine>, stop_w: u32) -> Option<Self> {
        (op.arity == 2).then_some(Self { op, stop_w })
    }
    fn val_w(&self) -> u32 {
        self.op.ty.bits().max(self.stop_w)
    }
}

impl Primitive for ReducerIterative {
    fn kind(&self) -> &'static str {
        "reducer_iterative"
    }
    fn bulk(&self) -> Bulk {
        Bulk::Values { bits: self.val_w() }
    }
    fn instance(&self) -> Instance {
        let mut params = program_params(&self.op.program);
        params.extend([
            ("W", Param::Int(self.op.ty.bits())),
            ("VAL_W", Param::Int(self.val_w())),
            ("STOP_W", Param::Int(self.stop_w)),
        ]);
        Instance { module: "samhw_reducer_iterative", params }
    }
    fn ports(&self) -> Vec<Port> {
        let val = [Field::new("val", self.val_w())];
        vec![Port::stream("val", Dir::In, self.stop_w, &val), Port::stream("out", Dir::Out, self.stop_w, &val)]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(IterativeModel { of: self.clone(), val: Skid::default(), acc: None, running: None })
    }
    fn latency(&self) -> u32 {
        // A program's run is not counted: no beat enters meanwhile that streams next to it need room for.
        2
    }
    fn silence(&self) -> u64 {
        self.op.program.cycles().1.max(1 << 14)
    }
    fn describe(&self) -> String {
        let (least, most) = self.op.program.cycles();
        format!("{} of {}, {least} to {most} cycles for each value", self.op.name, self.op.ty)
    }
}

#[derive(Debug)]
struct IterativeModel {
    of: ReducerIterative,
    val: Skid,
    acc: Option<u64>,
    /// What the program gives, and the cycles until it does.
    running: Option<(u64, u64)>,
}

impl IterativeModel {
    /// What has been folded with `v`; `None` while the program runs.
    fn folded(&mut self, v: &Beat) -> Option<Option<u64>> {
        let (Kind::Data, Some(acc)) = (v.kind, self.acc) else {
            return Some(if v.kind == Kind::Data { Some(v.p[0]) } else { self.acc });
        };
        match &mut self.running {
            None => {
                self.running = Some(self.of.op.run(&[acc, v.p[0]]));
                None
            }
            Some((value, left)) => {
                *left = left.saturating_sub(1);
                (*left == 0).then_some(Some(*value))
            }
        }
    }
}

impl Model for IterativeModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        if let Some(&v) = self.val.head() {
            let list_end = v.stop > 0;
            if v.kind == Kind::Empty && v.p[0] != 0 || v.kind == Kind::Nil && !list_end {
                return Err(Fault { what: "val is not canonical", port: "val".into(), beat: v });
            }
            let folded = self.folded(&v);
            moved = self.running.is_some_and(|(_, left)| left > 0);
            if let Some(folded) = folded.filter(|_| v.is_leaf() && !list_end || io.free(0)) {
                self.running = None;
                self.acc = if v.is_leaf() && !list_end { folded } else { None };
                match v.kind {
                    Kind::Done => io.put(0, Beat::DONE),
                    Kind::Nil if v.hole() > 1 => io.put(0, Beat::nil(v.stop - 1, v.hole() - 1)),
                    Kind::Nil => io.put(0, Beat::empty(v.stop - 1)),
                    Kind::Data | Kind::Empty if list_end => {
                        io.put(0, folded.map_or(Beat::empty(v.stop - 1), |a| Beat::data(v.stop - 1, a)));
                    }
                    Kind::Data | Kind::Empty => {}
                }
                self.val.pop();
            }
        }
        Ok(moved | self.val.clock(io, 0))
    }
}
