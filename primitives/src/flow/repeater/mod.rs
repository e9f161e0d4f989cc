#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::Skid;
use samhw_streams::{Beat, Class, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive};

/// A repeater, which repeats each reference for every coordinate of a list. Inputs: 0 `ref`, 1 `crd` (only its
/// structure counts). Output: 0 `out`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeater {
    /// Width of the repeated payload in bits.
    pub ref_w: u32,
    /// Width of the coordinate in bits.
    pub crd_w: u32,
    /// Width of the stop field of all three streams in bits.
    pub stop_w: u32,
}

impl Primitive for Repeater {
    fn kind(&self) -> &'static str {
        "repeater"
    }
    fn class(&self) -> Class {
        Class::Repeater
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_repeater",
            params: vec![
                ("REF_W", Param::Int(self.ref_w)),
                ("CRD_W", Param::Int(self.crd_w)),
                ("STOP_W", Param::Int(self.stop_w)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let (r, c) = (Field::new("ref", self.ref_w), Field::new("crd", self.crd_w));
        vec![
            Port::stream("ref", Dir::In, self.stop_w, std::slice::from_ref(&r)),
            Port::stream("crd", Dir::In, self.stop_w, &[c]),
            Port::stream("out", Dir::Out, self.stop_w, &[r]),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(RepeaterModel::default())
    }
    fn latency(&self) -> u32 {
        2
    }
}

#[derive(Debug, Default)]
struct RepeaterModel {
    ref_in: Skid,
    crd_in: Skid,
}

impl Model for RepeaterModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        if let (true, Some(&r), Some(&c)) = (io.free(0), self.ref_in.head(), self.crd_in.head()) {
            if r.is_leaf() != (c.is_leaf() || c.kind == Kind::Nil && c.hole() == 1)
                || (r.kind == Kind::Done) != (c.kind == Kind::Done)
            {
                return Err(Fault { what: "ref and crd are not aligned", port: "crd".into(), beat: c });
            }
            let leaf = Beat { stop: c.stop, ..r };
            io.put(0, if c.is_leaf() { leaf } else { Beat { p: [c.p[0], 0], ..c } });
            // A leaf stays for its whole list; NIL above it and DONE go together.
            if c.stop > 0 || c.kind == Kind::Done {
                self.ref_in.pop();
            }
            self.crd_in.pop();
            moved = true;
        }
        moved |= self.ref_in.clock(io, 0);
        moved |= self.crd_in.clock(io, 1);
        Ok(moved)
    }
}
