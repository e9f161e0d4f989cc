#![doc = include_str!("README.md")]

mod model;
#[cfg(test)]
pub(crate) mod tests;

use crate::join::joiner::Joiner;
use samhw_streams::{Dir, Field, Instance, Model, Param, Port, Primitive, Rate};

/// A joiner of intervals, which merges operands by breakpoints. Inputs: `in0`, `in1` ...; outputs: `interval`, `ref0`,
/// `ref1` ... as far as used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinerIntervals {
    /// Tables, widths and outputs, as for a joiner of coordinates. It gives no hints.
    pub joiner: Joiner,
    /// Set of operands that arrive as coordinates (bit k: operand k); the others arrive as intervals.
    pub points: u32,
    /// Whether coordinates are emitted instead of intervals: wherever something is emitted, an operand that arrives as
    /// coordinates is present.
    pub narrow: bool,
}

impl JoinerIntervals {
    fn operands(&self) -> u32 {
        self.joiner.ref_w.len() as u32
    }
    fn is_point(&self, k: u32) -> bool {
        self.points >> k & 1 == 1
    }
    /// Operands that are present wherever something is emitted.
    fn required(&self) -> u32 {
        self.joiner.always()
    }
}

impl Primitive for JoinerIntervals {
    fn kind(&self) -> &'static str {
        "joiner_intervals"
    }
    fn instance(&self) -> Instance {
        let n = self.operands();
        let mut made = Joiner { skips: 0, ..self.joiner.clone() }.instance();
        made.module = "samhw_joiner_intervals";
        made.params.push(("POINTS", Param::Bits(n, vec![self.points.into()])));
        if self.narrow {
            made.params.push(("NARROW", Param::Int(1)));
        }
        made.params.push(("REQUIRED", Param::Bits(n, vec![self.required().into()])));
        made
    }
    fn ports(&self) -> Vec<Port> {
        let (n, stop_w, crd_w) = (self.operands(), self.joiner.stop_w, self.joiner.crd_w);
        let interval = Field::new("interval", 2 * crd_w);
        let mut ports = self.joiner.ports();
        for (port, k) in ports.iter_mut().zip(0..n) {
            let first = if self.is_point(k) { Field::new("crd", crd_w) } else { interval.clone() };
            let pair = [first, Field::new("ref", self.joiner.ref_w[k as usize])];
            let width = port.lane.as_ref().map_or(0, |lane| lane.width) + crd_w;
            *port = Port::stream(format!("in{k}"), Dir::In, stop_w, &pair).in_lane("in", k, n, width);
        }
        let given = if self.narrow { Field::new("crd", crd_w) } else { interval };
        ports[n as usize] = match self.joiner.used & 1 {
            0 => Port::open("interval", 2 + stop_w + given.width),
            _ => Port::stream("interval", Dir::Out, stop_w, &[given]),
        };
        ports
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(model::JoinerIntervalsModel::new(self))
    }
    fn latency(&self) -> u32 {
        3
    }
    fn rate(&self) -> Rate {
        if self.narrow { Rate::Filters } else { Rate::Expands }
    }
    fn describe(&self) -> String {
        format!("intervals, {}", self.joiner.describe())
    }
}
