//! Layout of long drawings in columns. Edges that go on in the next column end at a mark with a number, and begin again
//! at one with the same number.

use super::{Layout, Link, Measures, Point};
use std::collections::{BTreeMap, BTreeSet};

/// Height of a column about.
const HEIGHT: f64 = 1100.0;
/// Height from which there are columns.
const LONG: f64 = 1600.0;
/// Room between columns.
const GAP: f64 = 70.0;
/// Room above and below a column, for the marks.
const MARKS: f64 = 26.0;
/// How far from an even cut a better one may be, in layers.
const NEAR: usize = 2;

/// The place where an edge leaves a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::draw) struct Break {
    /// The edge, by the number of its link.
    pub link: usize,
    /// Number of the corner at which it begins again.
    pub corner: usize,
    /// Number of the mark.
    pub mark: usize,
}

/// The drawing in columns, if it is long.
pub(super) fn columns(mut layout: Layout, links: &[Link], m: Measures) -> Layout {
    if layout.size.1 <= LONG {
        return layout;
    }
    let mut tops: Vec<f64> = layout.boxes.iter().map(|((_, y), _)| y - m.above).collect();
    tops.sort_by(f64::total_cmp);
    tops.dedup_by(|a, b| (*a - *b).abs() < 0.01);
    let layer = |y: f64| tops.partition_point(|t| *t <= y + 0.01).saturating_sub(1);
    let cuts = cuts(&layout, links, &tops, &layer);
    let column = |y: f64| cuts.partition_point(|&c| c <= layer(y));
    // How far each column moves: to the right of those before it, and up.
    let count = cuts.len() + 1;
    let mut extent = vec![(f64::INFINITY, f64::NEG_INFINITY); count];
    let mut reach = |(x, y): Point, half: f64| {
        let (left, right) = &mut extent[column(y)];
        (*left, *right) = (left.min(x - half), right.max(x + half));
    };
    layout.boxes.iter().for_each(|(p, width)| reach(*p, width / 2.0));
    layout.routes.iter().flatten().for_each(|p| reach(*p, 8.0));
    let (mut moves, mut right) = (Vec::new(), 0.0);
    for (c, (left, end)) in extent.iter().enumerate() {
        let top = if c == 0 { 0.0 } else { tops[cuts[c - 1]] - MARKS };
        moves.push((right - left, -top));
        right += end - left + GAP;
    }
    let height = (0..count).map(|c| {
        let below = cuts.get(c).map_or(layout.size.1, |&next| tops[next] + MARKS);
        below + moves[c].1
    });
    layout.size = (right - GAP, height.fold(0.0, f64::max));
    let mut marks: BTreeMap<(usize, usize, usize), usize> = BTreeMap::new();
    for (n, (link, route)) in links.iter().zip(&layout.routes).enumerate() {
        for k in (2..route.len()).step_by(2) {
            let (before, after) = (column(route[k - 1].1), column(route[k].1));
            if before != after {
                let next = marks.len() + 1;
                let mark = *marks.entry((link.from, link.out, after)).or_insert(next);
                layout.breaks.push(Break { link: n, corner: k, mark });
            }
        }
    }
    let moved = |p: &mut Point| {
        let (dx, dy) = moves[column(p.1)];
        *p = (p.0 + dx, p.1 + dy);
    };
    layout.boxes.iter_mut().for_each(|(p, _)| moved(p));
    layout.outs.iter_mut().flatten().for_each(moved);
    layout.routes.iter_mut().flatten().for_each(moved);
    layout.forks.iter_mut().for_each(|(p, _)| moved(p));
    layout
}

/// The layers at which columns after the first begin: about even, where few edges pass.
fn cuts(layout: &Layout, links: &[Link], tops: &[f64], layer: &dyn Fn(f64) -> usize) -> Vec<usize> {
    let passing = |cut: usize| {
        let passes = |route: &Vec<Point>| {
            let ends = route.first().zip(route.last());
            ends.is_some_and(|(a, b)| layer(a.1) < cut && layer(b.1) >= cut)
        };
        let trunks = links.iter().zip(&layout.routes).filter(|(_, r)| passes(r)).map(|(l, _)| (l.from, l.out));
        trunks.collect::<BTreeSet<_>>().len()
    };
    let count = (layout.size.1 / HEIGHT).round().max(2.0) as usize;
    let mut cuts = Vec::new();
    for k in 1..count {
        let even = layer(layout.size.1 * k as f64 / count as f64);
        let least = cuts.last().map_or(1, |&c: &usize| c + 1);
        let near = even.saturating_sub(NEAR).max(least)..=(even + NEAR).min(tops.len() - 1);
        cuts.extend(near.min_by_key(|&cut| (passing(cut), cut.abs_diff(even))));
    }
    cuts
}
