#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use samhw_streams::{Beat, Class, Dir, Fault, Instance, Io, Model, Param, Port, Primitive, Shape};

/// An eager fork, which copies every beat to all branches. Input: 0 `in`. Outputs: `out0`, `out1` ...
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fork {
    /// Shape of the ports: a stream or a plain handshake.
    pub shape: Shape,
    /// Number of branches, at least 2.
    pub branches: u32,
    /// Whether only branch 0 can make the others wait, which are always ready and get each beat in the cycle
    /// after it was taken.
    pub ahead: bool,
}

impl Primitive for Fork {
    fn kind(&self) -> &'static str {
        "fork"
    }
    fn class(&self) -> Class {
        Class::Fork
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_fork",
            params: [("N", self.branches), ("W", self.shape.width())]
                .into_iter()
                .chain(self.ahead.then_some(("AHEAD", 1)))
                .map(|(name, value)| (name, Param::Int(value)))
                .collect(),
        }
    }
    fn ports(&self) -> Vec<Port> {
        let port = |name: String, dir| Port::new(name, dir, self.shape.clone());
        let lane = |k| port(format!("out{k}"), Dir::Out).in_lane("out", k, self.branches, self.shape.width());
        std::iter::once(port("in".into(), Dir::In)).chain((0..self.branches).map(lane)).collect()
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(ForkModel { branches: self.branches as usize, ahead: self.ahead, tail: None })
    }
    fn latency(&self) -> u32 {
        1
    }
}

/// The head of the buffer is the outputs' register.
#[derive(Debug)]
struct ForkModel {
    branches: usize,
    ahead: bool,
    tail: Option<Beat>,
}

impl Model for ForkModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let arrived = io.taken(0);
        let waiting = self.tail.or(arrived);
        let slow = if self.ahead { 1 } else { self.branches };
        let load = (0..slow).all(|k| io.free(k));
        if let (true, Some(beat)) = (load, waiting) {
            (0..slow).for_each(|k| io.put(k, beat));
        }
        if let Some(beat) = arrived {
            for k in slow..self.branches {
                if !io.free(k) {
                    let what = "a branch that has to take every beat at once did not";
                    return Err(Fault { what, port: "in".into(), beat });
                }
                io.put(k, beat);
            }
        }
        self.tail = if load { None } else { waiting };
        io.set_ready(0, self.tail.is_none());
        Ok(arrived.is_some() || load && waiting.is_some())
    }
}
