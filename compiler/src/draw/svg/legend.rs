//! The legend of shapes, colours and lines.

use super::canvas::{Canvas, Text, text_width};
use super::outline::outline;
use crate::draw::heat::{BUSY, BUSY_BAR, STALLED, mixed};
use crate::draw::layout::Point;
use crate::draw::style::{Line, Style};

const ROW: f64 = 24.0;
const SIZE: f64 = 10.0;

/// An entry: what stands before its text.
enum Mark {
    Kind(Style),
    Line(Line),
    Pill,
    Colour(String),
}

/// Draws the legend of what is drawn, from the left margin at height `y` to `right`; returns its lower edge.
pub(super) fn legend(
    canvas: &mut Canvas,
    drawn: &[(&'static str, Style)],
    (fifo, heat): (bool, bool),
    (left, y): Point,
    right: f64,
) -> f64 {
    let mut entries: Vec<(Mark, &str)> = drawn.iter().map(|&(name, style)| (Mark::Kind(style), name)).collect();
    entries.extend([
        (Mark::Line(Line::Solid), "coordinates (crd)"),
        (Mark::Line(Line::Dashed), "references (ref)"),
        (Mark::Line(Line::Bold), "values (val)"),
    ]);
    if fifo {
        entries.push((Mark::Pill, "FIFO, its depth in beats"));
    }
    if heat {
        let colour = |from, to, share| Mark::Colour(mixed(from, to, share));
        entries.extend([
            (colour("#ffffff", BUSY, 0.1), "busy 10 % of the cycles"),
            (colour("#ffffff", BUSY, 1.0), "busy 100 %"),
            (Mark::Colour(BUSY_BAR.into()), "bar in a node: busy"),
            (colour("#ffffff", STALLED, 1.0), "bar in a node: stalled; line: beats wait"),
            (Mark::Colour("#c8d0d8".into()), "bar in a node: starved"),
        ]);
    }
    canvas.path(&format!("M{left:.1},{y:.1} H{right:.1}"), "stroke=\"#d5dbe0\" stroke-width=\"1\"");
    let (mut x, mut y) = (left, y + ROW);
    for (mark, text) in entries {
        let width = 34.0 + text_width(text, SIZE, false) + 18.0;
        if x + width > right && x > left {
            (x, y) = (left, y + ROW);
        }
        match mark {
            Mark::Kind(style) => {
                let d = outline(style.outline, (x + 14.0, y - 8.0), 28.0, 15.0);
                canvas.path(&d, &format!("fill=\"{}\" stroke=\"{}\" stroke-width=\"1.1\"", style.fill, style.line));
            }
            Mark::Line(line) => {
                let dashes = if line == Line::Dashed { " stroke-dasharray=\"5,3\"" } else { "" };
                let d = format!("M{x:.1},{y:.1} h28");
                canvas.path(&d, &format!("stroke=\"{}\" stroke-width=\"{}\"{dashes}", line.colour(), line.width()));
            }
            Mark::Colour(colour) => {
                let d = format!("M{x:.1},{:.1} h28 v12 h-28 Z", y - 6.0);
                canvas.path(&d, &format!("fill=\"{colour}\" stroke=\"#8a949e\" stroke-width=\"0.6\""));
            }
            Mark::Pill => canvas.pill((x + 14.0, y), 8),
        }
        canvas.text((x + 34.0, y + 3.5), &Text { size: SIZE, colour: "#46525c", ..Text::default() }, text);
        x += width;
    }
    y + ROW / 2.0
}
