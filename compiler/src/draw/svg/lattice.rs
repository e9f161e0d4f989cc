//! Iteration lattices as SVG: a row for each number of operands, producers filled, omitters dashed.

use super::MARGIN;
use super::canvas::{Canvas, Text, text_width};
use crate::draw::lattice::{DrawnLattice, lattices};
use crate::draw::layout::Point;
use crate::lower::Lowered;

/// Height of a point, between rows, and between points of a row.
const HEIGHT: f64 = 24.0;
const ROW: f64 = 30.0;
const GAP: f64 = 16.0;
const SIZE: f64 = 11.0;

/// Returns the iteration lattices of all loops, one below the other, each under the name of its loop.
pub fn svg(lowered: &Lowered) -> String {
    let mut canvas = Canvas::default();
    let mut y = MARGIN;
    let all = lattices(lowered);
    for (n, statement) in lowered.kernel.statements.iter().enumerate() {
        let title = Text { size: 15.0, bold: true, ..Text::default() };
        canvas.text((MARGIN, y + 14.0), &title, &lowered.kernel.statement_text(statement));
        y += 40.0;
        for lattice in all.iter().filter(|l| l.stage == n) {
            canvas.text((MARGIN, y), &Text { size: 11.0, colour: "#5b6670", ..Text::default() }, &lattice.title);
            y = draw(&mut canvas, lattice, (MARGIN, y + 12.0)) + MARGIN;
        }
    }
    let legend =
        "filled: a coordinate with just these operands is visited (producer); dashed: it is passed over (omitter)";
    canvas.text((MARGIN, y), &Text { size: 10.0, colour: "#5b6670", ..Text::default() }, legend);
    canvas.finish(y + MARGIN / 2.0, MARGIN)
}

/// Draws one with its upper left corner at `corner`; gives its lower end.
fn draw(canvas: &mut Canvas, lattice: &DrawnLattice, (left, top): Point) -> f64 {
    let width = |n: usize| text_width(&lattice.name(lattice.points[n].set), SIZE, false).max(12.0) + 16.0;
    let operands = lattice.names.len() as u32;
    let rows: Vec<Vec<usize>> = (1..=operands)
        .rev()
        .map(|k| (0..lattice.points.len()).filter(|&n| lattice.points[n].set.count_ones() == k).collect::<Vec<_>>())
        .filter(|row| !row.is_empty())
        .collect();
    let length = |row: &Vec<usize>| row.iter().map(|&n| width(n) + GAP).sum::<f64>() - GAP;
    let widest = rows.iter().map(length).fold(0.0, f64::max);
    let mut centres = vec![(0.0, 0.0); lattice.points.len()];
    for (r, row) in rows.iter().enumerate() {
        let mut x = left + (widest - length(row)) / 2.0;
        for &n in row {
            centres[n] = (x + width(n) / 2.0, top + HEIGHT / 2.0 + r as f64 * (HEIGHT + ROW));
            x += width(n) + GAP;
        }
    }
    for (a, b) in lattice.edges() {
        let ((x1, y1), (x2, y2)) = (centres[a], centres[b]);
        let d = format!("M{x1:.1},{:.1} L{x2:.1},{:.1}", y1 + HEIGHT / 2.0, y2 - HEIGHT / 2.0);
        canvas.path(&d, "fill=\"none\" stroke=\"#8a94a0\" stroke-width=\"1\"");
    }
    for (n, point) in lattice.points.iter().enumerate() {
        let ((x, y), half) = (centres[n], width(n) / 2.0);
        let (right, up, down) = (x + half - 6.0, y - HEIGHT / 2.0, y + HEIGHT / 2.0);
        let d = format!(
            "M{:.1},{up:.1} H{right:.1} A6,6 0 0 1 {1:.1},{2:.1} V{3:.1} A6,6 0 0 1 {right:.1},{down:.1} H{0:.1} \
             A6,6 0 0 1 {4:.1},{3:.1} V{2:.1} A6,6 0 0 1 {0:.1},{up:.1} Z",
            x - half + 6.0,
            x + half,
            up + 6.0,
            down - 6.0,
            x - half
        );
        let look = if point.produces {
            "fill=\"#dcecdc\" stroke=\"#3d7a46\""
        } else {
            "fill=\"#ffffff\" stroke=\"#8a94a0\" stroke-dasharray=\"4 3\""
        };
        canvas.path(&d, look);
        let text = Text { size: SIZE, anchor: "middle", ..Text::default() };
        canvas.text((x, y + 4.0), &text, &lattice.name(point.set));
    }
    let end = rows.len() as f64 * (HEIGHT + ROW) - ROW;
    if lattice.points.is_empty() {
        canvas.text((left, top + 14.0), &Text { size: SIZE, ..Text::default() }, "nothing is visited");
        return top + HEIGHT;
    }
    top + end
}
