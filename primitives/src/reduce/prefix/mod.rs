#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::{Fold, Skid};
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive};

/// A scan unit, which folds each list up to every leaf. Input: 0 `val`. Output: 0 `out`, of the same shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prefix {
    /// Operator of the scan.
    pub op: Fold,
    /// Value before the first one of a list.
    pub identity: u64,
    /// Whether the first value is also folded with `identity`.
    pub begun: bool,
    /// Width of a value in bits.
    pub val_w: u32,
    /// Whether min and max compare two's complement numbers.
    pub signed: bool,
    /// Width of the stop field of both streams in bits.
    pub stop_w: u32,
}

impl Primitive for Prefix {
    fn kind(&self) -> &'static str {
        "prefix"
    }
    fn instance(&self) -> Instance {
        let mut instance = Instance {
            module: "samhw_prefix",
            params: vec![
                ("VAL_W", Param::Int(self.val_w)),
                ("STOP_W", Param::Int(self.stop_w)),
                ("IDENTITY", Param::Bits(self.val_w, vec![self.identity])),
                ("BEGUN", Param::Int(u32::from(self.begun))),
            ],
        };
        instance.params.extend(self.op.params(self.signed));
        instance
    }
    fn ports(&self) -> Vec<Port> {
        let val = [Field::new("val", self.val_w)];
        vec![Port::stream("val", Dir::In, self.stop_w, &val), Port::stream("out", Dir::Out, self.stop_w, &val)]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(PrefixModel { of: self.clone(), val: Skid::default(), acc: None, running: None })
    }
    fn latency(&self) -> u32 {
        // A fold of several cycles is not counted: no beat enters meanwhile that streams next to it
        // need room for.
        2
    }
    fn silence(&self) -> u64 {
        self.op.silence().unwrap_or(64)
    }
    fn describe(&self) -> String {
        match self.op.interval() {
            (1, 1) => format!("{:?}", self.op).to_lowercase(),
            (least, most) if least == most => format!("{:?}, {least} cycles for each value", self.op),
            (least, most) => format!("{:?}, {least} to {most} cycles for each value", self.op),
        }
    }
}

#[derive(Debug)]
struct PrefixModel {
    of: Prefix,
    val: Skid,
    /// What the list so far gives, if it had a value.
    acc: Option<u64>,
    /// What a fold gives, and the cycles until it does.
    running: Option<(u64, u64)>,
}

impl PrefixModel {
    /// What the list up to `v`, a leaf, gives; `None` while it is folded.
    fn folded(&mut self, v: &Beat) -> Option<u64> {
        let before = self.acc.or(self.of.begun.then_some(self.of.identity));
        let Some(acc) = before.filter(|_| v.kind == Kind::Data) else {
            return Some(if v.kind == Kind::Data { v.p[0] } else { before.unwrap_or(self.of.identity) });
        };
        let (value, left) = match self.running {
            None => self.of.op.run(acc, v.p[0], self.of.val_w, self.of.signed),
            Some((value, left)) => (value, left - 1),
        };
        self.running = (left > 0).then_some((value, left));
        (left == 0).then_some(value)
    }
}

impl Model for PrefixModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        if let (true, Some(&v)) = (io.free(0), self.val.head()) {
            if v.kind == Kind::Empty && v.p[0] != 0 {
                return Err(Fault { what: "val is not canonical", port: "val".into(), beat: v });
            }
            if !v.is_leaf() {
                io.put(0, v);
                self.val.pop();
            } else if let Some(here) = self.folded(&v) {
                let had = self.acc.is_some() || v.kind == Kind::Data;
                self.acc = (v.stop == 0 && had).then_some(here);
                io.put(0, Beat::data(v.stop, here));
                self.val.pop();
            }
            moved = true;
        }
        Ok(moved | self.val.clock(io, 0))
    }
}
