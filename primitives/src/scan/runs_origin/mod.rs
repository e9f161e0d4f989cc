#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::Skid;
use crate::scan::runs_unpack::word_w;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive};
use samhw_values::mask;

/// An unpacker, which emits blocks as intervals. Input: 0 `in` (word, ref). Output: 0 `out` (interval, origin).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunsOrigin {
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// Width of a position in bits.
    pub ref_w: u32,
    /// Width of a block's own number in bits.
    pub at_w: u32,
    /// Width of the stop field in bits; at most `crd_w`.
    pub stop_w: u32,
}

impl Primitive for RunsOrigin {
    fn kind(&self) -> &'static str {
        "runs_origin"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_runs_origin",
            params: vec![
                ("CRD_W", Param::Int(self.crd_w)),
                ("REF_W", Param::Int(self.ref_w)),
                ("AT_W", Param::Int(self.at_w)),
                ("STOP_W", Param::Int(self.stop_w)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let f = Field::new;
        let word = f("word", word_w(self.crd_w, self.ref_w, false));
        let interval = f("interval", 2 * self.crd_w);
        vec![
            Port::stream("in", Dir::In, self.stop_w, &[word, f("ref", self.at_w)]),
            Port::stream("out", Dir::Out, self.stop_w, &[interval, f("origin", self.ref_w)]),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(RunsOriginModel { crd_w: self.crd_w, ref_w: self.ref_w, words: Skid::passing() })
    }
    fn latency(&self) -> u32 {
        1
    }
    fn describe(&self) -> String {
        "blocks".into()
    }
}

#[derive(Debug)]
struct RunsOriginModel {
    crd_w: u32,
    ref_w: u32,
    words: Skid,
}

impl Model for RunsOriginModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.words.open(io, 0);
        let mut moved = false;
        if let (true, Some(&b)) = (io.free(0), self.words.head()) {
            let mut out = b;
            if b.kind == Kind::Data {
                let (first, last) = (b.p[0] & mask(self.crd_w), b.p[0] >> self.crd_w & mask(self.crd_w));
                if last < first {
                    return Err(Fault { what: "a block ends before it begins", port: "in".into(), beat: b });
                }
                let origin = (b.p[0] >> (2 * self.crd_w)).wrapping_sub(first) & mask(self.ref_w);
                out = Beat::pair(b.stop, b.p[0] & mask(2 * self.crd_w), origin);
            }
            io.put(0, out);
            self.words.pop();
            moved = true;
        }
        Ok(self.words.clock(io, 0) | moved)
    }
}
