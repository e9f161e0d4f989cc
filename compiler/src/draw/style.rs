//! How each kind of primitive and stream is drawn: shape and colours, the same in DOT and SVG.

use crate::graph::Payload;

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

/// How a kind is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Style {
    pub outline: NodeOutline,
    pub fill: &'static str,
    pub line: &'static str,
}

/// Kinds in the order of the legend; others are drawn as the last.
const KINDS: [(&str, Style); 11] = [
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

fn entry(kind: &str) -> &'static (&'static str, Style) {
    // The first part of looking a computed coordinate up.
    let kind = if kind == "within" { "locator" } else { kind };
    KINDS.iter().find(|(k, _)| *k == kind).unwrap_or(&KINDS[KINDS.len() - 1])
}

/// Style of a kind of primitive.
pub(super) fn of(kind: &str) -> Style {
    entry(kind).1
}

/// The legend's name of a kind of primitive.
pub(super) fn kind(kind: &str) -> &'static str {
    entry(kind).0
}

/// Kinds in legend order that have a style of their own.
pub(super) fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|(k, _)| *k)
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
    /// Its width.
    pub fn width(self) -> f64 {
        match self {
            Self::Solid => 1.3,
            Self::Dashed => 1.2,
            Self::Bold => 2.2,
        }
    }
    /// Its colour.
    pub fn colour(self) -> &'static str {
        match self {
            Self::Solid => "#2f5d8c",
            Self::Dashed => "#6b7680",
            Self::Bold => "#2b2f33",
        }
    }
}
