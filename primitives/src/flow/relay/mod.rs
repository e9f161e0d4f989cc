#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use samhw_streams::{Beat, Class, Dir, Fault, Instance, Io, Model, Param, Port, Primitive, Shape};

/// A relay: a register stage in a connection. Input: 0 `in`. Output: 0 `out`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relay {
    /// Shape of both ports.
    pub shape: Shape,
}

impl Primitive for Relay {
    fn kind(&self) -> &'static str {
        "relay"
    }
    fn class(&self) -> Class {
        Class::Relay
    }
    fn instance(&self) -> Instance {
        Instance { module: "samhw_skid", params: vec![("W", Param::Int(self.shape.width()))] }
    }
    fn ports(&self) -> Vec<Port> {
        let port = |name: &'static str, dir| Port::new(name, dir, self.shape.clone());
        vec![port("in", Dir::In), port("out", Dir::Out)]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(RelayModel::default())
    }
    fn latency(&self) -> u32 {
        1
    }
}

/// The output register is the head of `samhw_skid`, this its tail.
#[derive(Debug, Default)]
struct RelayModel {
    tail: Option<Beat>,
}

impl Model for RelayModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        let pushed = io.taken(0);
        if io.free(0) {
            if let Some(b) = self.tail.take().or(pushed) {
                io.put(0, b);
                moved = true;
            }
        } else if pushed.is_some() {
            self.tail = pushed;
            moved = true;
        }
        io.set_ready(0, self.tail.is_none());
        Ok(moved)
    }
}
