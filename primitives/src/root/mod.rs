#![doc = include_str!("README.md")]

#[cfg(test)]
mod tests;

use crate::contract::{Dir, Field, Instance, Param, Port, Primitive};
use crate::model::{Fault, Io, Model};
use crate::stream::Beat;

/// The root. Input: 0 `start`. Output: 0 `ref`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Bits of the reference.
    pub ref_w: u32,
    /// Bits of the stop field.
    pub stop_w: u32,
}

impl Primitive for Root {
    fn kind(&self) -> &'static str {
        "root"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_root",
            params: vec![("REF_W", Param::Int(self.ref_w)), ("STOP_W", Param::Int(self.stop_w))],
        }
    }
    fn ports(&self) -> Vec<Port> {
        vec![
            Port::plain("start", Dir::In, &[Field::new("go", 1)]),
            Port::stream("ref", Dir::Out, self.stop_w, &[Field::new("ref", self.ref_w)]),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(RootModel::default())
    }
    fn latency(&self) -> u32 {
        2
    }
}

#[derive(Debug, Default)]
struct RootModel {
    /// A token waits.
    asked: bool,
    /// The reference was put out, DONE has to follow.
    owes: bool,
}

impl Model for RootModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let arrived = io.taken(0).is_some();
        let mut moved = arrived;
        if io.free(0) && (self.owes || self.asked) {
            io.put(0, if self.owes { Beat::DONE } else { Beat::data(0, 0) });
            self.asked &= self.owes;
            self.owes = !self.owes;
            moved = true;
        }
        self.asked |= arrived;
        io.set_ready(0, !self.asked);
        Ok(moved)
    }
}
