#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use samhw_streams::{Beat, Class, Dir, Fault, Instance, Io, Model, Param, Port, Primitive, Shape};
use std::collections::VecDeque;

/// A FIFO with an output register. Input: 0 `in`. Output: 0 `out`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fifo {
    /// Shape of the ports: a stream or a plain handshake.
    pub shape: Shape,
    /// Depth of the memory in beats, at least 2; the output register holds one more.
    pub depth: u32,
}

impl Primitive for Fifo {
    fn kind(&self) -> &'static str {
        "fifo"
    }
    fn class(&self) -> Class {
        Class::Fifo { depth: self.depth }
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_fifo",
            params: vec![("W", Param::Int(self.shape.width())), ("DEPTH", Param::Int(self.depth))],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let port = |name: &'static str, dir| Port::new(name, dir, self.shape.clone());
        vec![port("in", Dir::In), port("out", Dir::Out)]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(FifoModel { depth: self.depth as usize, beats: VecDeque::new() })
    }
    fn latency(&self) -> u32 {
        2
    }
    fn describe(&self) -> String {
        format!("depth {}", self.depth)
    }
}

#[derive(Debug)]
struct FifoModel {
    depth: usize,
    beats: VecDeque<Beat>,
}

impl Model for FifoModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        if io.free(0)
            && let Some(beat) = self.beats.pop_front()
        {
            io.put(0, beat);
            moved = true;
        }
        if let Some(beat) = io.taken(0) {
            self.beats.push_back(beat);
            moved = true;
        }
        io.set_ready(0, self.beats.len() < self.depth);
        Ok(moved)
    }
}
