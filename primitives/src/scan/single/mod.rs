#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::Skid;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive};
use samhw_values::mask;

/// A unit that turns each coordinate into a list of its own. Input: 0 `crd`. Output: 0 `list`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Single {
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// Width of the stop field of both streams in bits; at most `crd_w`.
    pub stop_w: u32,
}

impl Primitive for Single {
    fn kind(&self) -> &'static str {
        "single"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_single",
            params: vec![("CRD_W", Param::Int(self.crd_w)), ("STOP_W", Param::Int(self.stop_w))],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let port = |name: &'static str, dir| Port::stream(name, dir, self.stop_w, &[Field::new("crd", self.crd_w)]);
        vec![port("crd", Dir::In), port("list", Dir::Out)]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(SingleModel { most: mask(self.stop_w) as u8, crd: Skid::passing() })
    }
    fn latency(&self) -> u32 {
        1
    }
}

#[derive(Debug)]
struct SingleModel {
    /// The largest stop.
    most: u8,
    crd: Skid,
}

impl SingleModel {
    fn list(&self, c: Beat) -> Result<Beat, Fault> {
        if c.kind != Kind::Done && c.stop == self.most {
            return Err(Fault { what: "the stop does not fit", port: "crd".into(), beat: c });
        }
        Ok(match c.kind {
            Kind::Data => Beat { stop: c.stop + 1, ..c },
            Kind::Empty => Beat::nil(c.stop + 1, 1),
            Kind::Nil => Beat::nil(c.stop + 1, c.hole() + 1),
            Kind::Done => c,
        })
    }
}

impl Model for SingleModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.crd.open(io, 0);
        let mut moved = false;
        if let (true, Some(&c)) = (io.free(0), self.crd.head()) {
            io.put(0, self.list(c)?);
            self.crd.pop();
            moved = true;
        }
        moved |= self.crd.clock(io, 0);
        Ok(moved)
    }
}
