//! Edges: their lines, with the heat of a run, and the bar of a node.

use super::canvas::Canvas;
use crate::draw::heat::{BUSY_BAR, STALLED, Shares, mixed};
use crate::draw::layout::Point;
use crate::draw::style::Line;
use std::fmt::Write;

/// Length between a corner and the mark at which an edge leaves its column.
pub(super) const STUB: f64 = 12.0;

/// The width and dashes of an edge.
pub(super) struct Stroke {
    colour: String,
    width: f64,
    dashed: bool,
}

impl Stroke {
    /// Returns the stroke for what an edge carries.
    pub fn of(line: Line) -> Self {
        Self { colour: line.colour().into(), width: line.width(), dashed: line == Line::Dashed }
    }

    /// The wider the more moves, the redder the more waits.
    pub fn heated(line: Line, heat: Shares) -> Self {
        let plain = Self::of(line);
        let width = ((1.0 + 4.0 * heat.busy) * 100.0).round() / 100.0;
        Self { colour: mixed(&plain.colour, STALLED, heat.stalled), width, ..plain }
    }
}

/// An edge with its arrow head: vertical from each corner to its partner, curved between; at
/// `breaks` it ends and begins again.
pub(super) fn edge(canvas: &mut Canvas, stroke: &Stroke, route: &[Point], breaks: &[usize]) {
    let Stroke { colour, width, dashed } = stroke;
    let mut d = String::new();
    for (k, pair) in route.chunks(2).enumerate() {
        let [(x, top), (_, bottom)] = pair else { continue };
        if k == 0 {
            let _ = write!(d, "M{x:.1},{top:.1} ");
        } else {
            let (fx, fy) = route[2 * k - 1];
            if breaks.contains(&(2 * k)) {
                let _ = write!(d, "V{:.1} M{x:.1},{:.1} ", fy + STUB, top - STUB);
            } else {
                let middle = f64::midpoint(fy, *top);
                let _ = write!(d, "C{fx:.1},{middle:.1} {x:.1},{middle:.1} {x:.1},{top:.1} ");
            }
        }
        // Up to the arrow head, at the end.
        let end = if 2 * k + 2 == route.len() { bottom - 4.0 } else { *bottom };
        let _ = write!(d, "V{end:.1} ");
    }
    let dashes = if *dashed { " stroke-dasharray=\"5,3\"" } else { "" };
    canvas.path(d.trim_end(), &format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dashes}"));
    if let Some((x, y)) = route.last() {
        let (l, r, t) = (x - 3.5, x + 3.5, y - 7.0);
        canvas.path(&format!("M{l:.1},{t:.1} L{r:.1},{t:.1} L{x:.1},{y:.1} Z"), &format!("fill=\"{colour}\""));
    }
}

/// Shares of a node's cycles as a bar: busy, stalled, the rest starved.
pub(super) fn bar(canvas: &mut Canvas, heat: Shares, (x, y): Point, width: f64) {
    let (busy, stalled) = (width * heat.busy, width * heat.stalled);
    let parts = [(x, width, "#c8d0d8"), (x, busy, BUSY_BAR), (x + busy, stalled, STALLED)];
    for (x, width, colour) in parts.into_iter().filter(|p| p.1 >= 0.05) {
        canvas.path(&format!("M{x:.1},{y:.1} h{width:.1} v3 h-{width:.1} Z"), &format!("fill=\"{colour}\""));
    }
}
