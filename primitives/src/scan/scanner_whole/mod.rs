#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::Skid;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive};
use samhw_values::mask;

/// A scanner that emits all coordinates of a variable as one interval. Input: 0 `ref`. Output: 0 `out`. Config: 0
/// `dim`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScannerWhole {
    /// Width of the references in bits.
    pub ref_w: u32,
    /// Width of a coordinate in bits; `dim` has one more.
    pub crd_w: u32,
    /// Width of the stop field of both streams in bits; at most `ref_w` and `crd_w`.
    pub stop_w: u32,
}

impl Primitive for ScannerWhole {
    fn kind(&self) -> &'static str {
        "scanner_whole"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_scanner_whole",
            params: vec![
                ("REF_W", Param::Int(self.ref_w)),
                ("CRD_W", Param::Int(self.crd_w)),
                ("STOP_W", Param::Int(self.stop_w)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let pair = [Field::new("interval", 2 * self.crd_w), Field::new("ref", self.ref_w)];
        vec![
            Port::config("dim", self.crd_w + 1),
            Port::stream("ref", Dir::In, self.stop_w, &[Field::new("ref", self.ref_w)]),
            Port::stream("out", Dir::Out, self.stop_w, &pair),
        ]
    }
    fn model(&self, config: &[u64]) -> Box<dyn Model> {
        let dim = config.first().copied().unwrap_or(0);
        Box::new(ScannerWholeModel { of: self.clone(), dim, refs: Skid::passing() })
    }
    fn latency(&self) -> u32 {
        1
    }
}

#[derive(Debug)]
struct ScannerWholeModel {
    of: ScannerWhole,
    dim: u64,
    refs: Skid,
}

impl ScannerWholeModel {
    fn list(&self, r: Beat) -> Result<Beat, Fault> {
        if r.kind != Kind::Done && u64::from(r.stop) == mask(self.of.stop_w) {
            return Err(Fault { what: "the stop does not fit", port: "ref".into(), beat: r });
        }
        Ok(match r.kind {
            Kind::Data if self.dim > 0 => Beat::pair(r.stop + 1, (self.dim - 1) << self.of.crd_w, r.p[0]),
            Kind::Data | Kind::Empty => Beat::nil(r.stop + 1, 1),
            Kind::Nil => Beat::nil(r.stop + 1, r.hole() + 1),
            Kind::Done => r,
        })
    }
}

impl Model for ScannerWholeModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.refs.open(io, 0);
        let mut moved = false;
        if let (true, Some(&r)) = (io.free(0), self.refs.head()) {
            io.put(0, self.list(r)?);
            self.refs.pop();
            moved = true;
        }
        moved |= self.refs.clock(io, 0);
        Ok(moved)
    }
}
