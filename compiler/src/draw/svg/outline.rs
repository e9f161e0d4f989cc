//! Outlines of nodes as paths.

use crate::draw::layout::Point;
use crate::draw::style::NodeOutline;
use std::fmt::Write;

/// Outline of a box whose top edge has its centre at a point.
pub(super) fn outline(kind: NodeOutline, (x, y): Point, width: f64, height: f64) -> String {
    let (l, r, t, b) = (x - width / 2.0, x + width / 2.0, y, y + height);
    let cut = height / 4.0;
    match kind {
        NodeOutline::Box => rounded(l, r, t, b, 3.0),
        NodeOutline::Round => rounded(l, r, t, b, height / 2.0),
        NodeOutline::Hexagon => {
            let m = f64::midpoint(t, b);
            polygon(&[(l + cut, t), (r - cut, t), (r, m), (r - cut, b), (l + cut, b), (l, m)])
        }
        NodeOutline::Funnel => polygon(&[(l, t), (r, t), (r - cut, b), (l + cut, b)]),
        NodeOutline::Octagon => polygon(&[
            (l + cut, t),
            (r - cut, t),
            (r, t + cut),
            (r, b - cut),
            (r - cut, b),
            (l + cut, b),
            (l, b - cut),
            (l, t + cut),
        ]),
        NodeOutline::Note => polygon(&[(l, t), (r - cut, t), (r, t + cut), (r, b), (l, b)]),
        NodeOutline::Cylinder => {
            let (rx, ry) = (width / 2.0, height / 14.0);
            let (t, b) = (t + ry, b - ry);
            format!(
                "M{l:.1},{t:.1} A{rx:.1},{ry:.1} 0 0 1 {r:.1},{t:.1} V{b:.1} A{rx:.1},{ry:.1} 0 0 1 {l:.1},{b:.1} Z \
                 M{l:.1},{t:.1} A{rx:.1},{ry:.1} 0 0 0 {r:.1},{t:.1}"
            )
        }
    }
}

fn polygon(points: &[Point]) -> String {
    let mut d = String::new();
    for (k, (x, y)) in points.iter().enumerate() {
        let _ = write!(d, "{}{x:.1},{y:.1} ", if k == 0 { 'M' } else { 'L' });
    }
    d + "Z"
}

fn rounded(l: f64, r: f64, t: f64, b: f64, radius: f64) -> String {
    let (il, ir, it, ib, q) = (l + radius, r - radius, t + radius, b - radius, radius);
    format!(
        "M{il:.1},{t:.1} H{ir:.1} A{q:.1},{q:.1} 0 0 1 {r:.1},{it:.1} V{ib:.1} A{q:.1},{q:.1} 0 0 1 {ir:.1},{b:.1} \
         H{il:.1} A{q:.1},{q:.1} 0 0 1 {l:.1},{ib:.1} V{it:.1} A{q:.1},{q:.1} 0 0 1 {il:.1},{t:.1} Z"
    )
}
