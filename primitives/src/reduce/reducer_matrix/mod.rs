#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::{Fold, Skid};
use crate::flow::{collapse, divide};
use crate::reduce::reducer_vector::{Workspace, WorkspaceShape, pair};
use samhw_streams::{Beat, Bulk, Class, Dir, Fault, Field, Instance, Io, Lag, Model, Param, Port, Primitive};

/// A matrix reducer, which folds lists of two-level fibers. Inputs: 0 `crd1`, 1 `crd0`, 2 `val`. Outputs: 0 `outer` of
/// crd1, 1 `inner` of pairs (crd0, val).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReducerMatrix {
    /// Operator that folds two values of a coordinate pair.
    pub op: Fold,
    /// Width of the outer coordinate in bits.
    pub crd1_w: u32,
    /// Width of the inner coordinate in bits.
    pub crd0_w: u32,
    /// Width of a value in bits, at most 64.
    pub val_w: u32,
    /// Whether values are in two's complement (matters to Min and Max).
    pub signed: bool,
    /// Width of the stop field of all streams in bits, at least 2.
    pub stop_w: u32,
    /// Number of outer coordinates in the workspace, each with all inner ones.
    pub dim1: u32,
    /// Number of lists that may be in the workspace at once: 2, 4 or 8.
    pub banks: u32,
}

impl ReducerMatrix {
    fn shape(&self) -> WorkspaceShape {
        let &Self { op, val_w, signed, banks, .. } = self;
        WorkspaceShape { op, val_w, signed, words: self.dim1 << self.crd0_w, banks }
    }
}

impl Primitive for ReducerMatrix {
    fn kind(&self) -> &'static str {
        "reducer_matrix"
    }
    fn bulk(&self) -> Bulk {
        Bulk::Matrix { bits: self.val_w }
    }
    fn class(&self) -> Class {
        Class::Workspace
    }
    fn workspace(&self) -> u64 {
        let WorkspaceShape { words, banks, .. } = self.shape();
        u64::from(words) * u64::from(banks)
    }
    fn instance(&self) -> Instance {
        let mut instance = Instance {
            module: "samhw_reducer_matrix",
            params: vec![
                ("CRD1_W", Param::Int(self.crd1_w)),
                ("CRD0_W", Param::Int(self.crd0_w)),
                ("VAL_W", Param::Int(self.val_w)),
                ("STOP_W", Param::Int(self.stop_w)),
                ("DIM1", Param::Int(self.dim1)),
                ("BANK_W", Param::Int(self.banks.trailing_zeros())),
            ],
        };
        instance.params.extend(self.op.params(self.signed));
        instance
    }
    fn ports(&self) -> Vec<Port> {
        let (c1, c0) = (Field::new("crd", self.crd1_w), Field::new("crd", self.crd0_w));
        let v = Field::new("val", self.val_w);
        vec![
            Port::stream("crd1", Dir::In, self.stop_w, std::slice::from_ref(&c1)),
            Port::stream("crd0", Dir::In, self.stop_w, std::slice::from_ref(&c0)),
            Port::stream("val", Dir::In, self.stop_w, std::slice::from_ref(&v)),
            Port::stream("outer", Dir::Out, self.stop_w, &[c1]),
            Port::stream("inner", Dir::Out, self.stop_w, &[c0, v]),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(ReducerMatrixModel {
            inputs: Default::default(),
            collapse: collapse::CollapseCore::new(1 << self.crd0_w, self.crd1_w + self.crd0_w),
            collapsed: None,
            workspace: Workspace::new(&self.shape()),
            reduced: None,
            divide: divide::DivideCore::new(self.crd0_w),
        })
    }
    fn lag(&self) -> Option<Lag> {
        // Only the next group tells that this one is over, and so the stop of its outer leaf.
        Some(Lag { late: 0, early: 1 })
    }
    fn latency(&self) -> u32 {
        5 + self.shape().latency()
    }
    fn silence(&self) -> u64 {
        self.op.silence().unwrap_or(64)
    }
    fn describe(&self) -> String {
        format!("{:?} over {} x {} words", self.op, self.dim1, 1u64 << self.crd0_w).to_lowercase()
    }
}

#[derive(Debug)]
struct ReducerMatrixModel {
    inputs: [Skid; 3],
    collapse: collapse::CollapseCore,
    collapsed: Option<Beat>,
    workspace: Workspace,
    reduced: Option<Beat>,
    divide: divide::DivideCore,
}

impl Model for ReducerMatrixModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let Self { inputs, collapse, collapsed, workspace, reduced, divide } = self;
        // From the outputs back to the inputs, so that each register is seen as it was
        // before the edge and found free if its beat leaves at it.
        let (taken, mut moved) = divide::publish(io, |outer, inner| Ok(divide.tick(*reduced, outer, inner)))?;
        if taken {
            *reduced = None;
        }
        let (taken, went) = workspace.tick(*collapsed, reduced)?;
        if taken {
            *collapsed = None;
        }
        let inner = match (inputs[1].head(), inputs[2].head()) {
            (Some(c), Some(v)) => Some(pair(c, v)?),
            _ => None,
        };
        let step = collapse.tick(inputs[0].head().copied(), inner, collapsed)?;
        if step.outer {
            inputs[0].pop();
        }
        if step.inner {
            inputs[1].pop();
            inputs[2].pop();
        }
        moved |= went | step.moved;
        for (k, i) in inputs.iter_mut().enumerate() {
            moved |= i.clock(io, k);
        }
        Ok(moved)
    }
}
