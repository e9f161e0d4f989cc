#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::Skid;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive, Rate};
use samhw_values::mask;

/// A unit that expands intervals to coordinates. Input: 0 `in` (interval, ref). Output: 0 `out` (crd, ref).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntervalExpand {
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// Width of a position in bits.
    pub ref_w: u32,
    /// Whether the coordinate is added to the position.
    pub follows: bool,
    /// Width of the stop field in bits; at most `crd_w`.
    pub stop_w: u32,
}

impl Primitive for IntervalExpand {
    fn kind(&self) -> &'static str {
        "interval_expand"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_interval_expand",
            params: vec![
                ("CRD_W", Param::Int(self.crd_w)),
                ("REF_W", Param::Int(self.ref_w)),
                ("FOLLOWS", Param::Int(self.follows.into())),
                ("STOP_W", Param::Int(self.stop_w)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let f = Field::new;
        let reference = f("ref", self.ref_w);
        vec![
            Port::stream("in", Dir::In, self.stop_w, &[f("interval", 2 * self.crd_w), reference.clone()]),
            Port::stream("out", Dir::Out, self.stop_w, &[f("crd", self.crd_w), reference]),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(IntervalExpandModel { of: self.clone(), intervals: Skid::passing(), place: 0 })
    }
    fn latency(&self) -> u32 {
        1
    }
    fn rate(&self) -> Rate {
        Rate::Expands
    }
    fn describe(&self) -> String {
        if self.follows { "parts of blocks".into() } else { "intervals".into() }
    }
}

#[derive(Debug)]
struct IntervalExpandModel {
    of: IntervalExpand,
    intervals: Skid,
    /// Coordinates of the current interval that are through already.
    place: u64,
}

impl IntervalExpandModel {
    /// What leaves now, and whether the interval ends with it.
    fn next(&self, b: Beat) -> Result<(Beat, bool), Fault> {
        if !b.is_leaf() {
            return Ok((b, true));
        }
        let ([interval, at], crd_w) = (b.p, self.of.crd_w);
        let (first, last) = (interval & mask(crd_w), interval >> crd_w & mask(crd_w));
        if last < first {
            return Err(Fault { what: "an interval ends before it begins", port: "in".into(), beat: b });
        }
        let crd = first + self.place;
        let follows = self.of.follows && b.kind == Kind::Data;
        let position = if follows { at.wrapping_add(crd) & mask(self.of.ref_w) } else { at };
        let ends = crd == last;
        Ok((Beat { p: [crd, position], stop: if ends { b.stop } else { 0 }, ..b }, ends))
    }
}

impl Model for IntervalExpandModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.intervals.open(io, 0);
        let mut moved = false;
        if let (true, Some(&b)) = (io.free(0), self.intervals.head()) {
            let (beat, ends) = self.next(b)?;
            io.put(0, beat);
            self.place = if ends { 0 } else { self.place + 1 };
            if ends {
                self.intervals.pop();
            }
            moved = true;
        }
        Ok(self.intervals.clock(io, 0) | moved)
    }
}
