#![doc = include_str!("README.md")]

mod model;
#[cfg(test)]
pub(crate) mod tests;

use samhw_streams::{Bulk, Dir, Field, Instance, Model, Param, Port, Primitive};

/// The copy that receives the next item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Deal {
    /// The next copy in turn; every list starts at copy 0.
    RoundRobin,
    /// The next copy in turn, across lists.
    InTurn,
    /// The next copy with room, after the one that received the last item.
    NextFree,
    /// The copy given by the low bits of stream 0's payload, a coordinate.
    Coordinate,
}

/// A parallelizer, which distributes the items of aligned streams to copies. Inputs: `in0`, `in1` ...; outputs:
/// `out0_0`, `out0_1` ... (copy 0's streams), `out1_0` ..., and `turn` if used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parallelizer {
    /// Payload field of each stream.
    pub fields: Vec<Field>,
    /// Number of copies, at least 2.
    pub copies: u32,
    /// Width of the stop field of all streams in bits.
    pub stop_w: u32,
    /// Height of the distributed items; 0 for leaves.
    pub height: u8,
    /// The way in which items are distributed.
    pub deal: Deal,
    /// Whether every item leaves as a list of its own, so that no copy waits to learn whether it was the last.
    pub split: bool,
    /// Whether output `turn` reports the copy of each item.
    pub turn: bool,
}

/// Returns the width in bits for the number of a copy and the hole of an empty list.
pub fn turn_width(copies: u32, stop_w: u32) -> u32 {
    (u32::BITS - (copies - 1).leading_zeros()).max(1).max(stop_w)
}

impl Parallelizer {
    /// Returns the copy of a coordinate, by its low bits: of a number of copies that is no power of two, of some more of
    /// them, so that copies get about as many coordinates.
    pub(crate) fn copy_of(copies: u64, coordinate: u64) -> u64 {
        let bits = copies.next_power_of_two().ilog2();
        let low = if copies.is_power_of_two() { bits } else { bits + 2 };
        (coordinate & ((1 << low) - 1)) % copies
    }
    fn streams(&self) -> u32 {
        self.fields.len() as u32
    }
    fn widest(&self) -> u32 {
        self.fields.iter().map(|f| f.width).max().unwrap_or(1)
    }
}

impl Primitive for Parallelizer {
    fn kind(&self) -> &'static str {
        "parallelizer"
    }
    fn bulk(&self) -> Bulk {
        Bulk::Feeds
    }
    fn instance(&self) -> Instance {
        let deal = match self.deal {
            Deal::RoundRobin => 0,
            Deal::NextFree => 1,
            Deal::Coordinate => 2,
            Deal::InTurn => 3,
        };
        Instance {
            module: "samhw_parallelizer",
            params: vec![
                ("STREAMS", Param::Int(self.streams())),
                ("COPIES", Param::Int(self.copies)),
                ("W", Param::Int(self.widest())),
                ("TURN_W", Param::Int(turn_width(self.copies, self.stop_w))),
                ("STOP_W", Param::Int(self.stop_w)),
                ("HEIGHT", Param::Int(self.height.into())),
                ("DEAL", Param::Int(deal)),
                ("SPLIT", Param::Int(u32::from(self.split))),
                ("TURN", Param::Int(u32::from(self.turn))),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let (n, stop_w, width) = (self.streams(), self.stop_w, 2 + self.stop_w + self.widest());
        let of = |name: String, dir, k: usize| Port::stream(name, dir, stop_w, &self.fields[k..=k]);
        let mut ports: Vec<Port> =
            (0..n).map(|k| of(format!("in{k}"), Dir::In, k as usize).in_lane("in", k, n, width)).collect();
        for c in 0..self.copies {
            ports.extend((0..n).map(|k| {
                of(format!("out{c}_{k}"), Dir::Out, k as usize).in_lane("out", c * n + k, self.copies * n, width)
            }));
        }
        let turn_w = turn_width(self.copies, stop_w);
        ports.push(match self.turn {
            true => Port::stream("turn", Dir::Out, stop_w, &[Field::new("copy", turn_w)]),
            false => Port::open("turn", 2 + stop_w + turn_w),
        });
        ports
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(model::ParallelizerModel::new(self))
    }
    fn latency(&self) -> u32 {
        3
    }
    fn describe(&self) -> String {
        let deal = match self.deal {
            Deal::RoundRobin => "in turn, from copy 0 in each list",
            Deal::InTurn => "in turn",
            Deal::NextFree => "to the next free copy",
            Deal::Coordinate => "by coordinate",
        };
        format!("{} copies, {deal}", self.copies)
    }
}
