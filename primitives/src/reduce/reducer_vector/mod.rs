#![doc = include_str!("README.md")]

mod issue;
mod level;
#[cfg(test)]
pub(crate) mod tests;
mod values;
mod word_walk;
mod workspace;

pub use workspace::{Shape as WorkspaceShape, Workspace};

use crate::blocks::{Fold, Skid};
use samhw_streams::{Beat, Bulk, Dir, Fault, Field, Instance, Io, Model, Param, Port, Primitive};

/// A vector reducer, which folds lists of fibers in a workspace. Inputs: 0 `crd`, 1 `val`. Output: 0 `out` of pairs
/// (crd, val).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReducerVector {
    /// Operator that folds two values of a coordinate.
    pub op: Fold,
    /// Width of a coordinate in bits; at least what `words` needs.
    pub crd_w: u32,
    /// Width of a value in bits, at most 64.
    pub val_w: u32,
    /// Whether values are in two's complement (matters to Min and Max).
    pub signed: bool,
    /// Width of the stop field of all streams in bits, at least 2.
    pub stop_w: u32,
    /// Number of coordinates in the workspace, at most 2^25.
    pub words: u32,
    /// Number of lists that may be in the workspace at once: 2, 4 or 8. Two suffice for one leaf per cycle where
    /// neighbouring lists are of similar length.
    pub banks: u32,
}

impl ReducerVector {
    fn shape(&self) -> WorkspaceShape {
        let &Self { op, val_w, signed, words, banks, .. } = self;
        WorkspaceShape { op, val_w, signed, words, banks }
    }
}

impl Primitive for ReducerVector {
    fn kind(&self) -> &'static str {
        "reducer_vector"
    }
    fn bulk(&self) -> Bulk {
        Bulk::Workspace { words: self.words, bits: self.val_w }
    }
    fn workspace(&self) -> u64 {
        let WorkspaceShape { words, banks, .. } = self.shape();
        u64::from(words) * u64::from(banks)
    }
    fn instance(&self) -> Instance {
        let mut instance = Instance {
            module: "samhw_reducer_vector",
            params: vec![
                ("CRD_W", Param::Int(self.crd_w)),
                ("VAL_W", Param::Int(self.val_w)),
                ("STOP_W", Param::Int(self.stop_w)),
                ("WORDS", Param::Int(self.words)),
                ("BANK_W", Param::Int(self.banks.trailing_zeros())),
            ],
        };
        instance.params.extend(self.op.params(self.signed));
        instance
    }
    fn ports(&self) -> Vec<Port> {
        let (c, v) = (Field::new("crd", self.crd_w), Field::new("val", self.val_w));
        vec![
            Port::stream("crd", Dir::In, self.stop_w, std::slice::from_ref(&c)),
            Port::stream("val", Dir::In, self.stop_w, std::slice::from_ref(&v)),
            Port::stream("out", Dir::Out, self.stop_w, &[c, v]),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(ReducerVectorModel {
            crd: Skid::default(),
            val: Skid::default(),
            workspace: Workspace::new(&self.shape()),
        })
    }
    fn latency(&self) -> u32 {
        1 + self.shape().latency()
    }
    fn silence(&self) -> u64 {
        self.op.silence().unwrap_or(64)
    }
    fn describe(&self) -> String {
        format!("{:?} over {} words", self.op, self.words).to_lowercase()
    }
}

#[derive(Debug)]
struct ReducerVectorModel {
    crd: Skid,
    val: Skid,
    workspace: Workspace,
}

/// The pair made of a coordinate and the value that belongs to it.
pub(crate) fn pair(c: &Beat, v: &Beat) -> Result<Beat, Fault> {
    if c.is_leaf() != v.is_leaf() || c.stop != v.stop || !c.is_leaf() && c != v {
        return Err(Fault { what: "crd and val are not aligned", port: "val".into(), beat: *v });
    }
    Ok(if c.is_leaf() { Beat::new(v.kind, c.stop, [c.p[0], v.p[0]]) } else { *c })
}

impl Model for ReducerVectorModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let head = match (self.crd.head(), self.val.head()) {
            (Some(c), Some(v)) => Some(pair(c, v)?),
            _ => None,
        };
        // A register that is not free takes part as occupied; what is in it does not matter.
        let free = io.free(0);
        let mut out = if free { None } else { Some(Beat::DONE) };
        let (taken, mut moved) = self.workspace.tick(head, &mut out)?;
        if let (true, Some(b)) = (free, out) {
            io.put(0, b);
        }
        if taken {
            self.crd.pop();
            self.val.pop();
        }
        moved |= self.crd.clock(io, 0);
        moved |= self.val.clock(io, 1);
        Ok(moved)
    }
}
