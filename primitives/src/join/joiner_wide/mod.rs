#![doc = include_str!("README.md")]

mod hint;
mod model;
#[cfg(test)]
pub(crate) mod tests;

use crate::join::joiner::{TAG_W, hint_ports};
use crate::scan::scanner_wide::Group;
use samhw_streams::{Bulk, Dir, Field, Instance, Model, Param, Port, Primitive, Rate};

/// A wide joiner, which intersects two operands group by group. Inputs: `in0`, `in1`: [`Group`]s; outputs: `crd`,
/// `ref0`, `ref1` as far as used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinerWide {
    /// Format of the input groups.
    pub group: Group,
    /// Width of the positions of the two operands in bits.
    pub ref_w: [u32; 2],
    /// Width of the stop field of all streams in bits.
    pub stop_w: u32,
    /// Set of outputs with a consumer, at least one: bit 0 `crd`, bit k+1 `ref{k}`.
    pub used: u32,
    /// Set of operands that receive hints (bit k: output `skip{k}`, after the others).
    pub skips: u32,
}

impl JoinerWide {
    fn uses(&self, output: u32) -> bool {
        self.used >> output & 1 == 1
    }
}

impl Primitive for JoinerWide {
    fn kind(&self) -> &'static str {
        "joiner_wide"
    }
    fn bulk(&self) -> Bulk {
        Bulk::Groups
    }
    fn instance(&self) -> Instance {
        let mut made = Instance {
            module: "samhw_joiner_wide",
            params: vec![
                ("CRD_W", Param::Int(self.group.crd_w)),
                ("REF_W", Param::Int(self.ref_w[0].max(self.ref_w[1]))),
                ("STOP_W", Param::Int(self.stop_w)),
                ("WIDE_LOG2", Param::Int(self.group.wide_log2)),
                ("USED", Param::Bits(3, vec![u64::from(self.used)])),
            ],
        };
        if self.skips != 0 {
            made.module = "samhw_joiner_wide_skip";
            let skips = Param::Bits(2, vec![u64::from(self.skips)]);
            made.params.extend([("TAG_W", Param::Int(TAG_W)), ("SKIPS", skips)]);
        }
        made
    }
    fn ports(&self) -> Vec<Port> {
        let widest = self.ref_w[0].max(self.ref_w[1]);
        let head = 2 + self.stop_w;
        let group_w = self.group.fields(widest).iter().map(|f| f.width).sum::<u32>();
        let operands = || (0..).zip(self.ref_w);
        let mut ports: Vec<Port> = operands()
            .map(|(k, w)| {
                let port = Port::stream(format!("in{k}"), Dir::In, self.stop_w, &self.group.fields(w));
                port.in_lane("in", k, 2, head + group_w)
            })
            .collect();
        ports.push(match self.uses(0) {
            true => Port::stream("crd", Dir::Out, self.stop_w, &[Field::new("crd", self.group.crd_w)]),
            false => Port::open("crd", head + self.group.crd_w),
        });
        ports.extend(operands().map(|(k, w)| {
            let port = match self.uses(k + 1) {
                true => Port::stream(format!("ref{k}"), Dir::Out, self.stop_w, &[Field::new("ref", w)]),
                false => Port::open(format!("ref{k}"), head + widest),
            };
            port.in_lane("ref", k, 2, head + widest)
        }));
        ports.extend(hint_ports(2, self.skips, self.group.crd_w));
        ports
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(model::JoinerWideModel::new(self))
    }
    fn latency(&self) -> u32 {
        3
    }
    fn rate(&self) -> Rate {
        Rate::Filters
    }
    fn describe(&self) -> String {
        format!("intersection, {} at a time", self.group.wide())
    }
}
