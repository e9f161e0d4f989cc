#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Model, Param, Port, Primitive};

/// A barrier, which emits a token when all writers have finished. Inputs: `finished0`, `finished1` ... Output: 0
/// `done`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Barrier {
    /// Number of inputs, at least 1.
    pub inputs: u32,
}

impl Primitive for Barrier {
    fn kind(&self) -> &'static str {
        "barrier"
    }
    fn instance(&self) -> Instance {
        Instance { module: "samhw_barrier", params: vec![("N", Param::Int(self.inputs))] }
    }
    fn ports(&self) -> Vec<Port> {
        let token = |k| {
            let port = Port::plain(format!("finished{k}"), Dir::In, &[Field::new("finished", 1)]);
            port.in_lane("finished", k, self.inputs, 1)
        };
        let done = Port::plain("done", Dir::Out, &[Field::new("done", 1)]);
        (0..self.inputs).map(token).chain([done]).collect()
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(BarrierModel { here: vec![false; self.inputs as usize] })
    }
    fn latency(&self) -> u32 {
        1
    }
}

#[derive(Debug)]
struct BarrierModel {
    here: Vec<bool>,
}

impl Model for BarrierModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        for (k, here) in self.here.iter_mut().enumerate() {
            moved |= io.taken(k).is_some();
            *here |= io.taken(k).is_some();
        }
        let pass = io.free(0) && self.here.iter().all(|&h| h);
        if pass {
            io.put(0, Beat::default());
        }
        for (k, here) in self.here.iter_mut().enumerate() {
            *here &= !pass;
            io.set_ready(k, !*here);
        }
        Ok(moved | pass)
    }
}
