#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::{HoldBack, Skid};
use crate::scan::runs_unpack::word_w;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive, Rate};
use samhw_values::mask;

/// A slice of intervals. Input: 0 `in` (interval, x). Output: 0 `out` (interval, x).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntervalSlice {
    /// Width of the input coordinates in bits. All selected ones fit.
    pub crd_in_w: u32,
    /// Width of the output coordinates in bits. All that come out fit.
    pub crd_w: u32,
    /// Width of the payload that accompanies an interval, in bits.
    pub x_w: u32,
    /// Width of the stop field in bits; at most that of either coordinate.
    pub stop_w: u32,
    /// First selected coordinate.
    pub first: u64,
    /// Number of selected coordinates, at least 1.
    pub count: u64,
    /// Number of the first selected coordinate.
    pub to_first: u64,
}

impl IntervalSlice {
    /// What of the coordinates `from ..= till` is selected, by its new numbers.
    fn cut(&self, from: u64, till: u64) -> Option<(u64, u64)> {
        let end = self.first + self.count - 1;
        let moved = |crd: u64| crd.clamp(self.first, end) - self.first + self.to_first;
        (from <= end && till >= self.first).then(|| (moved(from), moved(till)))
    }
}

impl Primitive for IntervalSlice {
    fn kind(&self) -> &'static str {
        "interval_slice"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_interval_slice",
            params: vec![
                ("CRD_IN_W", Param::Int(self.crd_in_w)),
                ("CRD_W", Param::Int(self.crd_w)),
                ("X_W", Param::Int(self.x_w)),
                ("STOP_W", Param::Int(self.stop_w)),
                ("FIRST", Param::Bits(self.crd_in_w, vec![self.first])),
                ("COUNT", Param::Bits(self.crd_in_w + 1, vec![self.count])),
                ("TO_FIRST", Param::Bits(self.crd_w, vec![self.to_first])),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let pair = |crd_w| [Field::new("interval", word_w(crd_w, 0, true)), Field::new("x", self.x_w)];
        vec![
            Port::stream("in", Dir::In, self.stop_w, &pair(self.crd_in_w)),
            Port::stream("out", Dir::Out, self.stop_w, &pair(self.crd_w)),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(IntervalSliceModel {
            of: self.clone(),
            input: Skid::default(),
            far: None,
            near: None,
            hold: HoldBack::default(),
        })
    }
    fn latency(&self) -> u32 {
        5
    }
    fn rate(&self) -> Rate {
        Rate::Filters
    }
    fn describe(&self) -> String {
        format!("{} from {}", self.count, self.first)
    }
}

#[derive(Debug)]
struct IntervalSliceModel {
    of: IntervalSlice,
    input: Skid,
    /// Beats whose ends are taken relative to the first coordinate selected.
    far: Option<Beat>,
    /// Beats with the interval out, and whether they stay.
    near: Option<(Beat, bool)>,
    hold: HoldBack<Beat>,
}

impl IntervalSliceModel {
    /// The beat with what of its interval stays, and whether it does.
    fn sliced(&self, b: Beat) -> Result<(Beat, bool), Fault> {
        if !b.is_leaf() {
            return Ok((b, b.kind == Kind::Nil));
        }
        let (first, last) = (b.p[0] & mask(self.of.crd_in_w), b.p[0] >> self.of.crd_in_w);
        if last < first {
            return Err(Fault { what: "an interval ends before it begins", port: "in".into(), beat: b });
        }
        Ok(match self.of.cut(first, last) {
            Some((first, last)) => (Beat { p: [last << self.of.crd_w | first, b.p[1]], ..b }, true),
            None => (b, false),
        })
    }
}

impl Model for IntervalSliceModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let free = io.free(0);
        let room = self.hold.room(free);
        let shifts = self.near.is_none() || room;
        let mut moved = false;
        let left = match self.near {
            Some((b, stays)) if room => {
                moved = true;
                self.hold.filter(b, stays || !b.is_leaf(), free)
            }
            _ => self.hold.idle(free),
        };
        if let Some((b, stop)) = left {
            io.put(0, Beat { stop, ..b });
            moved = true;
        }
        if shifts {
            moved |= self.far.is_some() || self.input.head().is_some();
            self.near = self.far.take().map(|b| self.sliced(b)).transpose()?;
            if let Some(&b) = self.input.head() {
                self.far = Some(b);
                self.input.pop();
            }
        }
        moved |= self.input.clock(io, 0);
        Ok(moved)
    }
}
