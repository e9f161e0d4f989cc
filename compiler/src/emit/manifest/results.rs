//! The part of the manifest about results that copies and lanes store in parts.

use crate::emit::Context;
use crate::graph::UseId;
use crate::levels::{LevelKind, Part, ReadAs};
use crate::netlist::{InParts, level_crd_w};
use serde::{Deserialize, Serialize};

/// A result in parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManifestResult {
    /// Name of the tensor.
    pub tensor: String,
    /// The levels of the whole, outermost first.
    pub levels: Vec<ResultLevel>,
    /// The arrays of the whole, level by level, values last.
    pub arrays: Vec<ResultArray>,
    /// The parts.
    pub parts: Vec<ResultPart>,
}

/// A level of the whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResultLevel {
    /// Name of the level's format.
    pub format: String,
    /// The mode of the level.
    pub mode: usize,
    /// Variable whose size the mode has.
    pub variable: String,
    /// The form of the level's arrays.
    pub read: ReadAs,
}

/// An array of the whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResultArray {
    /// Name of the array.
    pub name: String,
    /// Kind of the array.
    pub part: String,
    /// Number of the level, outermost 0; `None` for values.
    pub level: Option<usize>,
}

/// A part of a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResultPart {
    /// Number of the packing, which names the part's arrays.
    pub packing: usize,
    /// The levels of the part, outermost first.
    pub levels: Vec<PartLevel>,
}

/// A level of a part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartLevel {
    /// The form of the level's arrays.
    pub read: ReadAs,
    /// Coordinate c of the part is coordinate `start + c * stride` of the whole.
    pub start: u64,
    /// Distance of the part's coordinates in the whole.
    pub stride: u64,
    /// Whether the part has the size of the first one. What is beyond the size of the whole has no
    /// meaning then.
    pub even: bool,
}

/// Describes the results in parts of a design.
pub(super) fn results(cx: &Context) -> Vec<ManifestResult> {
    InParts::of(cx.lowered, cx.net).iter().map(|r| result(cx, r)).collect()
}

fn result(cx: &Context, r: &InParts) -> ManifestResult {
    let levels = r.levels.iter().enumerate().map(|(l, kind)| ResultLevel {
        format: kind.name().into(),
        mode: r.mode_order[l],
        variable: cx.lowered.kernel.var(r.vars[l]).name.clone(),
        read: r.reads(cx.lowered, l),
    });
    let array = |(name, part): (String, Part)| ResultArray { name, part: part.kind().into(), level: part.level() };
    ManifestResult {
        tensor: r.name.clone(),
        levels: levels.collect(),
        arrays: r.arrays(cx.lowered).into_iter().map(array).collect(),
        parts: r.parts.iter().map(|&u| ResultPart { packing: u.0, levels: part_levels(cx, u) }).collect(),
    }
}

/// The levels of a part.
pub(crate) fn part_levels(cx: &Context, u: UseId) -> Vec<PartLevel> {
    let used = &cx.lowered.graph.uses[u.0];
    let level = |(l, kind): (usize, &LevelKind)| {
        let slice = used.slice_of(used.mode_order[l]);
        PartLevel {
            read: kind.read_as(level_crd_w(cx.lowered, u, l)),
            start: slice.map_or(0, |s| s.lane),
            stride: slice.map_or(1, |s| s.lanes),
            even: slice.is_some_and(|s| s.even),
        }
    };
    used.levels.iter().enumerate().map(level).collect()
}
