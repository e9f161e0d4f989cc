//! The style of each kind of primitive and stream: shapes and colours, the same in DOT and SVG.

use crate::graph::{NodeKind, Payload};
use std::collections::BTreeSet;

/// Outline of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeOutline {
    Box,
    Round,
    Hexagon,
    Funnel,
    Cylinder,
    Octagon,
    Note,
}

/// The shape and colours of a kind of node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Style {
    pub outline: NodeOutline,
    pub fill: &'static str,
    pub line: &'static str,
}

/// How the legend calls what is drawn alike, in its order, and how that is drawn.
const GROUPS: [(&str, Style); 11] = [
    ("root", style(NodeOutline::Round, "#eceff1", "#607d8b")),
    ("scanner", style(NodeOutline::Box, "#dcefd5", "#4b8b3b")),
    ("repeater", style(NodeOutline::Round, "#fdebc8", "#c08019")),
    ("joiner", style(NodeOutline::Hexagon, "#e6dbf5", "#7a52b3")),
    ("locator", style(NodeOutline::Box, "#d0eeec", "#2a8c86")),
    ("array", style(NodeOutline::Cylinder, "#d5e6f9", "#3a74b8")),
    ("alu", style(NodeOutline::Funnel, "#fbd9d6", "#c0504d")),
    ("reducer", style(NodeOutline::Funnel, "#f9d8ea", "#b03f80")),
    ("dropper", style(NodeOutline::Octagon, "#ece5d6", "#8a7550")),
    ("writer", style(NodeOutline::Note, "#dadff7", "#4a56a8")),
    ("shape", style(NodeOutline::Box, "#f1f3f5", "#66788a")),
];

const fn style(outline: NodeOutline, fill: &'static str, line: &'static str) -> Style {
    Style { outline, fill, line }
}

/// The number of a kind's group.
fn group(kind: NodeKind) -> usize {
    match kind {
        NodeKind::Root => 0,
        NodeKind::Scanner => 1,
        NodeKind::Repeater => 2,
        NodeKind::Joiner => 3,
        NodeKind::Locator | NodeKind::Within => 4,
        NodeKind::Array => 5,
        NodeKind::Alu => 6,
        NodeKind::Reducer => 7,
        NodeKind::Dropper => 8,
        NodeKind::Writer => 9,
        NodeKind::Between
        | NodeKind::Single
        | NodeKind::Slice
        | NodeKind::Coordinate
        | NodeKind::Collapse
        | NodeKind::Divide
        | NodeKind::Length
        | NodeKind::First
        | NodeKind::Prefix
        | NodeKind::EarlyExit
        | NodeKind::Zip
        | NodeKind::Parallelizer
        | NodeKind::Stitch
        | NodeKind::Serializer => 10,
    }
}

/// Returns the style of nodes of a kind.
pub(super) fn of(kind: NodeKind) -> Style {
    GROUPS[group(kind)].1
}

/// The groups that kinds belong to, in legend order, with their names there.
pub(super) fn groups(kinds: impl Iterator<Item = NodeKind>) -> Vec<(&'static str, Style)> {
    let occur: BTreeSet<usize> = kinds.map(group).collect();
    occur.into_iter().map(|g| GROUPS[g]).collect()
}

/// Line of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// Coordinates.
    Solid,
    /// References and positions.
    Dashed,
    /// Values.
    Bold,
}

/// Line of a payload.
pub(super) fn line(payload: Payload) -> Line {
    match payload {
        Payload::Crd(_) | Payload::Interval(_) | Payload::Key(_) => Line::Solid,
        Payload::Root | Payload::Ref(..) | Payload::Range(..) | Payload::Pos(..) | Payload::Copy(_) => Line::Dashed,
        Payload::Val(_) => Line::Bold,
    }
}

impl Line {
    /// Returns the width of the line.
    pub fn width(self) -> f64 {
        match self {
            Self::Solid => 1.3,
            Self::Dashed => 1.2,
            Self::Bold => 2.2,
        }
    }
    /// Returns the colour of the line.
    pub fn colour(self) -> &'static str {
        match self {
            Self::Solid => "#2f5d8c",
            Self::Dashed => "#6b7680",
            Self::Bold => "#2b2f33",
        }
    }
}
