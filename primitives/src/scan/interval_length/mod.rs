#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::Skid;
use crate::scan::runs_unpack::word_w;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive};
use samhw_values::mask;

/// A unit that computes the lengths of intervals, or gives their first coordinates. Input: 0 `in`. Output:
/// 0 `val`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntervalLength {
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// Width of a length, or of a first coordinate, in bits; a larger one is cut.
    pub val_w: u32,
    /// Whether it gives first coordinates.
    pub first: bool,
    /// Width of the stop field of both streams in bits; at most `crd_w` and the bits of the payload of `val`.
    pub stop_w: u32,
}

impl IntervalLength {
    /// Width of the payload of `val` in bits: holes need `stop_w`.
    fn payload_w(&self) -> u32 {
        self.val_w.max(self.stop_w)
    }
}

impl Primitive for IntervalLength {
    fn kind(&self) -> &'static str {
        "interval_length"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_interval_length",
            params: vec![
                ("CRD_W", Param::Int(self.crd_w)),
                ("VAL_W", Param::Int(self.val_w)),
                ("OUT_W", Param::Int(self.payload_w())),
                ("FIRST", Param::Int(self.first.into())),
                ("STOP_W", Param::Int(self.stop_w)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let interval = Field::new("interval", word_w(self.crd_w, 0, true));
        vec![
            Port::stream("in", Dir::In, self.stop_w, &[interval]),
            Port::stream("val", Dir::Out, self.stop_w, &[Field::new("val", self.payload_w())]),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(IntervalLengthModel { of: self.clone(), intervals: Skid::passing() })
    }
    fn latency(&self) -> u32 {
        1
    }
}

#[derive(Debug)]
struct IntervalLengthModel {
    of: IntervalLength,
    intervals: Skid,
}

impl IntervalLengthModel {
    fn beat(&self, b: Beat) -> Result<Beat, Fault> {
        if b.kind != Kind::Data {
            return Ok(b);
        }
        let (first, last) = (b.p[0] & mask(self.of.crd_w), b.p[0] >> self.of.crd_w);
        if last < first {
            return Err(Fault { what: "an interval ends before it begins", port: "in".into(), beat: b });
        }
        let value = if self.of.first { first } else { last - first + 1 };
        Ok(Beat::data(b.stop, value & mask(self.of.val_w)))
    }
}

impl Model for IntervalLengthModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.intervals.open(io, 0);
        let mut moved = false;
        if let (true, Some(&b)) = (io.free(0), self.intervals.head()) {
            io.put(0, self.beat(b)?);
            self.intervals.pop();
            moved = true;
        }
        moved |= self.intervals.clock(io, 0);
        Ok(moved)
    }
}
