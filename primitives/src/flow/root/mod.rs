#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use samhw_streams::{Beat, Class, Dir, Fault, Field, Instance, Io, Model, Param, Port, Primitive};

/// The root, which starts a run with the root reference. Input: 0 `start`. Outputs: `ref0`, `ref1` ...
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Width of the reference in bits.
    pub ref_w: u32,
    /// Width of the stop field in bits.
    pub stop_w: u32,
    /// Number of outputs, one per reader, at least 1.
    pub branches: u32,
}

impl Primitive for Root {
    fn kind(&self) -> &'static str {
        "root"
    }
    fn class(&self) -> Class {
        Class::Root
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_root",
            params: vec![
                ("REF_W", Param::Int(self.ref_w)),
                ("STOP_W", Param::Int(self.stop_w)),
                ("N", Param::Int(self.branches)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let port = |name: String| Port::stream(name, Dir::Out, self.stop_w, &[Field::new("ref", self.ref_w)]);
        let width = 2 + self.stop_w + self.ref_w;
        let out = |k| port(format!("ref{k}")).in_lane("ref", k, self.branches, width);
        let start = Port::plain("start", Dir::In, &[Field::new("go", 1)]);
        std::iter::once(start).chain((0..self.branches).map(out)).collect()
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(RootModel { branches: self.branches as usize, asked: false, owes: false })
    }
    fn latency(&self) -> u32 {
        1
    }
}

#[derive(Debug)]
struct RootModel {
    branches: usize,
    /// A token waits.
    asked: bool,
    /// The reference was put out, DONE has to follow.
    owes: bool,
}

impl Model for RootModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let arrived = io.taken(0).is_some();
        let mut moved = arrived;
        self.asked |= arrived;
        if (0..self.branches).all(|k| io.free(k)) && (self.owes || self.asked) {
            let beat = if self.owes { Beat::DONE } else { Beat::data(0, 0) };
            (0..self.branches).for_each(|k| io.put(k, beat));
            self.asked &= self.owes;
            self.owes = !self.owes;
            moved = true;
        }
        io.set_ready(0, !self.asked);
        Ok(moved)
    }
}
