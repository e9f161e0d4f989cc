#![doc = include_str!("README.md")]

mod model;
#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::group_log2;
use crate::join::joiner::{Joiner, hint_fields};
use samhw_streams::{Bulk, Dir, Field, Instance, Model, Param, Port, Primitive, Rate, Role};

/// A joiner of bit vectors, which combines words by truth tables. Inputs: `in0`, `in1` ... (word, rank),
/// and behind them `skip` (hints) where an early exit ends fibers; outputs: `crd`, `ref0`, `ref1` ... as
/// far as used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinerBits {
    /// Tables, widths and outputs, as for a joiner of coordinates without skipping.
    pub joiner: Joiner,
    /// Width of a word in bits: a power of two, 8 to 256.
    pub width: u32,
    /// Width of a fiber's number in the hints that end it, in bits; 0 for no hints.
    pub tag_w: u32,
}

impl Primitive for JoinerBits {
    fn kind(&self) -> &'static str {
        "joiner_bits"
    }
    fn bulk(&self) -> Bulk {
        Bulk::Words
    }
    fn instance(&self) -> Instance {
        let (n, j) = (self.joiner.ref_w.len() as u32, &self.joiner);
        let tables = j.instance().params.into_iter().filter(|p| ["EMIT", "KEEP", "USED"].contains(&p.0));
        let mut params = vec![
            ("N", Param::Int(n)),
            ("WIDTH", Param::Int(self.width)),
            ("WIDTH_LOG2", Param::Int(self.width.trailing_zeros())),
            ("GROUP_LOG2", Param::Int(group_log2(self.width))),
            ("CRD_W", Param::Int(j.crd_w)),
            ("REF_W", Param::Int(j.ref_w.iter().copied().max().unwrap_or(1))),
            ("STOP_W", Param::Int(j.stop_w)),
        ];
        params.extend(tables);
        if self.tag_w == 0 {
            return Instance { module: "samhw_joiner_bits", params };
        }
        params.push(("TAG_W", Param::Int(self.tag_w)));
        Instance { module: "samhw_joiner_bits_exit", params }
    }
    fn ports(&self) -> Vec<Port> {
        let (n, j) = (self.joiner.ref_w.len() as u32, &self.joiner);
        let widest = j.ref_w.iter().copied().max().unwrap_or(1);
        let input = |(k, &w): (u32, &u32)| {
            let pair = [Field::new("word", self.width), Field::new("ref", w)];
            let port = Port::stream(format!("in{k}"), Dir::In, j.stop_w, &pair);
            port.in_lane("in", k, n, 2 + j.stop_w + widest + self.width)
        };
        let hints = Port::plain("skip", Dir::In, &hint_fields(self.tag_w, j.crd_w)).with_role(Role::Hint);
        let outputs = j.ports().into_iter().filter(|p| p.dir == Dir::Out);
        (0..).zip(&j.ref_w).map(input).chain((self.tag_w > 0).then_some(hints)).chain(outputs).collect()
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(model::JoinerBitsModel::new(self))
    }
    fn latency(&self) -> u32 {
        4
    }
    fn rate(&self) -> Rate {
        Rate::Filters
    }
    fn describe(&self) -> String {
        let told = if self.tag_w > 0 { ", told of early exits" } else { "" };
        format!("{} of words of {}{told}", self.joiner.describe(), self.width)
    }
}
