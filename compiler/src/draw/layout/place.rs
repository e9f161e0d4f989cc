//! Coordinates: each layer in turn moves to where its edges are shortest, in its order and
//! with room between items; that makes most edges straight.

use super::{Item, Layered, Layout, Link, Measures, Point, Segment, Shape};
use std::collections::BTreeMap;

/// Room between two boxes, a box and a bend, and two bends.
const GAPS: [f64; 3] = [30.0, 18.0, 14.0];
const ROUNDS: usize = 40;
/// How much straighter a segment between bends has to be than one between nodes.
const STIFF: [f64; 3] = [1.0, 2.0, 8.0];

struct Placing<'a> {
    g: &'a Layered,
    shapes: &'a [Shape],
    /// Centre of each item.
    x: Vec<f64>,
    /// Width of each item.
    width: Vec<f64>,
    /// Per node its outputs and inputs as offsets from its centre.
    outs: Vec<Vec<f64>>,
    ins: Vec<Vec<f64>>,
}

/// Gives everything its place.
pub(super) fn place(g: &Layered, shapes: &[Shape], links: &[Link], m: Measures) -> Layout {
    let width = |i: &Item| match i {
        Item::Node(n) => {
            let s = &shapes[*n];
            s.width.max(s.outs.iter().sum()).max(s.ins.iter().sum())
        }
        Item::Bend => 0.0,
    };
    let width: Vec<f64> = g.items.iter().map(width).collect();
    let mut p = Placing { g, shapes, x: vec![0.0; g.items.len()], width, outs: vec![], ins: vec![] };
    for layer in &g.layers {
        let mut x = 0.0;
        for (k, &i) in layer.iter().enumerate() {
            x += if k == 0 { 0.0 } else { p.distance(layer[k - 1], i) };
            p.x[i] = x;
        }
        layer.iter().for_each(|&i| p.x[i] -= x / 2.0);
    }
    for round in 0..ROUNDS {
        // Slots follow the neighbours; settled in the end, so that edges become straight.
        if round < ROUNDS / 2 {
            p.slots();
        }
        p.sweep(round % 2 == 0, round >= 6);
        if round >= ROUNDS / 2 {
            p.straighten();
        }
    }
    p.finish(links, m)
}

impl Placing<'_> {
    /// Least distance between the centres of neighbours.
    fn distance(&self, a: usize, b: usize) -> f64 {
        let bends = [a, b].iter().filter(|i| self.g.items[**i] == Item::Bend).count();
        (self.width[a] + self.width[b]) / 2.0 + GAPS[bends]
    }

    /// Orders outputs and inputs of every node by where they lead.
    fn slots(&mut self) {
        let nodes = self.shapes.len();
        let mut toward = vec![(vec![], vec![]); nodes];
        for (n, t) in toward.iter_mut().enumerate() {
            let mean = |xs: Vec<f64>| xs.iter().sum::<f64>() / xs.len().max(1) as f64;
            let at = |pick: &dyn Fn(&Segment) -> Option<usize>| {
                mean(self.g.segments.iter().filter_map(pick).map(|i| self.x[i]).collect())
            };
            for k in 0..self.shapes[n].outs.len() {
                t.0.push(at(&|s| (s.from == n && s.out == Some(k)).then_some(s.to)));
            }
            for k in 0..self.shapes[n].ins.len() {
                t.1.push(at(&|s| (s.to == n && s.input == Some(k)).then_some(s.from)));
            }
        }
        self.outs = (0..nodes)
            .map(|n| spread(&self.shapes[n].outs, &toward[n].0, self.width[n], self.shapes[n].lead))
            .collect();
        self.ins = (0..nodes).map(|n| spread(&self.shapes[n].ins, &toward[n].1, self.width[n], None)).collect();
    }

    /// Offset at which a segment leaves its upper item, and meets its lower one.
    fn offsets(&self, s: &Segment) -> (f64, f64) {
        (s.out.map_or(0.0, |k| self.outs[s.from][k]), s.input.map_or(0.0, |k| self.ins[s.to][k]))
    }

    fn sweep(&mut self, down: bool, both: bool) {
        let count = self.g.layers.len();
        for l in 0..count {
            let layer = &self.g.layers[if down { l } else { count - 1 - l }];
            let mut wanted: Vec<Vec<(f64, f64)>> = vec![vec![]; layer.len()];
            for s in &self.g.segments {
                let (a, b) = self.offsets(s);
                let bends = [s.from, s.to].iter().filter(|i| self.g.items[**i] == Item::Bend).count();
                if (down || both)
                    && let Some(k) = layer.iter().position(|&i| i == s.to)
                {
                    wanted[k].push((self.x[s.from] + a - b, STIFF[bends]));
                }
                if (!down || both)
                    && let Some(k) = layer.iter().position(|&i| i == s.from)
                {
                    wanted[k].push((self.x[s.to] + b - a, STIFF[bends]));
                }
            }
            // Measured from the left-most possible place, places only have to increase.
            let mut least = vec![0.0; layer.len()];
            for k in 1..layer.len() {
                least[k] = least[k - 1] + self.distance(layer[k - 1], layer[k]);
            }
            for (k, w) in wanted.iter_mut().enumerate() {
                if w.is_empty() {
                    w.push((self.x[layer[k]], 0.01));
                }
                w.iter_mut().for_each(|(x, _)| *x -= least[k]);
            }
            for (k, x) in increasing(wanted).into_iter().enumerate() {
                self.x[layer[k]] = x + least[k];
            }
        }
    }

    /// Puts the bends of each output in one vertical line, where their neighbours leave room
    /// for one, as near to its ends as they allow.
    fn straighten(&mut self) {
        let mut trunks: BTreeMap<(usize, usize), Vec<&Segment>> = BTreeMap::new();
        for s in &self.g.segments {
            trunks.entry(s.trunk).or_default().push(s);
        }
        for segments in trunks.values() {
            let bends: Vec<usize> = segments.iter().filter(|s| s.input.is_none()).map(|s| s.to).collect();
            let (mut least, mut most) = (f64::NEG_INFINITY, f64::INFINITY);
            for layer in &self.g.layers {
                for k in (0..layer.len()).filter(|&k| bends.contains(&layer[k])) {
                    if k > 0 {
                        least = least.max(self.x[layer[k - 1]] + self.distance(layer[k - 1], layer[k]));
                    }
                    if k + 1 < layer.len() {
                        most = most.min(self.x[layer[k + 1]] - self.distance(layer[k], layer[k + 1]));
                    }
                }
            }
            let ends = segments.iter().filter(|s| s.out.is_some() != s.input.is_some()).map(|s| {
                let (a, b) = self.offsets(s);
                (if s.out.is_some() { self.x[s.from] + a } else { self.x[s.to] + b }, 1.0)
            });
            let x = median(&ends.collect::<Vec<_>>());
            if least <= most {
                bends.iter().for_each(|&b| self.x[b] = x.clamp(least, most));
            }
        }
    }

    fn finish(self, links: &[Link], m: Measures) -> Layout {
        let left = (0..self.x.len()).map(|i| self.x[i] - self.width[i] / 2.0).fold(f64::INFINITY, f64::min);
        let right = (0..self.x.len()).map(|i| self.x[i] + self.width[i] / 2.0).fold(left, f64::max);
        let x = |i: usize| self.x[i] - left;
        let tops = self.tops(m);
        let mut layer_of = vec![0; self.x.len()];
        for (l, layer) in self.g.layers.iter().enumerate() {
            layer.iter().for_each(|&i| layer_of[i] = l);
        }
        let top = |i: usize| tops[layer_of[i]];
        let whole = m.above + m.height + m.below;
        let mut layout = Layout { size: (right - left, tops.last().map_or(0.0, |t| t + whole)), ..Layout::default() };
        for (n, shape) in self.shapes.iter().enumerate() {
            layout.boxes.push(((x(n), top(n) + m.above), self.width[n]));
            let lower = top(n) + m.above + m.height;
            let out = |k: usize| (x(n) + self.outs[n][k], lower);
            layout.outs.push((0..shape.outs.len()).map(out).collect());
        }
        for (link, path) in links.iter().zip(&self.g.paths) {
            let start = x(link.from) + self.outs[link.from][link.out];
            let mut route: Vec<Point> =
                vec![(start, top(link.from) + m.above + m.height), (start, top(link.from) + whole)];
            for &bend in &path[1..path.len() - 1] {
                route.extend([(x(bend), top(bend)), (x(bend), top(bend) + whole)]);
            }
            let end = x(link.to) + self.ins[link.to][link.input];
            route.extend([(end, top(link.to)), (end, top(link.to) + m.above)]);
            layout.routes.push(route);
        }
        for (k, s) in self.g.segments.iter().enumerate() {
            let twin = |o: &&Segment| o.from == s.from && o.out == s.out;
            if self.g.segments[..k].iter().filter(twin).count() == 1 {
                layout.forks.push(((x(s.from) + self.offsets(s).0, top(s.from) + whole), s.trunk));
            }
        }
        layout
    }

    /// Top of each layer: the farther edges run sideways between two, the larger the gap.
    fn tops(&self, m: Measures) -> Vec<f64> {
        let mut tops = Vec::new();
        let mut y = 0.0;
        for layer in &self.g.layers {
            tops.push(y);
            let leaving = self.g.segments.iter().filter(|s| layer.contains(&s.from));
            let sideways = leaving.map(|s| {
                let (a, b) = self.offsets(s);
                (self.x[s.from] + a - self.x[s.to] - b).abs()
            });
            let gap = m.gap + (sideways.fold(0.0, f64::max) / 8.0).min(m.gap);
            y += m.above + m.height + m.below + gap;
        }
        tops
    }
}

/// Where lines are in their slots as offsets from the centre: in the middle, or `lead` from
/// the left. Slots are ordered by `toward` and share the width evenly.
fn spread(slots: &[f64], toward: &[f64], width: f64, lead: Option<f64>) -> Vec<f64> {
    let mut order: Vec<usize> = (0..slots.len()).collect();
    order.sort_by(|&a, &b| toward[a].total_cmp(&toward[b]));
    let spare = (width - slots.iter().sum::<f64>()) / slots.len().max(1) as f64;
    let mut offsets = vec![0.0; slots.len()];
    let mut x = -width / 2.0;
    for k in order {
        let slot = slots[k] + spare;
        offsets[k] = x + lead.map_or(slot, |l| 2.0 * l + spare) / 2.0;
        x += slot;
    }
    offsets
}

/// Neighbours that want to pass each other and so stand together.
struct Neighbours {
    count: usize,
    wanted: Vec<(f64, f64)>,
    at: f64,
}

/// Increasing places with the least weighted distance to the wanted ones: neighbours that
/// want to pass each other form a block, which is at the weighted median of its wishes.
fn increasing(wanted: Vec<Vec<(f64, f64)>>) -> Vec<f64> {
    let mut blocks: Vec<Neighbours> = Vec::new();
    for wanted in wanted {
        let mut last = Neighbours { count: 1, at: median(&wanted), wanted };
        while let Some(mut left) = blocks.pop_if(|left| left.at > last.at) {
            left.count += last.count;
            left.wanted.extend(last.wanted);
            left.at = median(&left.wanted);
            last = left;
        }
        blocks.push(last);
    }
    blocks.into_iter().flat_map(|b| std::iter::repeat_n(b.at, b.count)).collect()
}

/// Weighted median; the middle of the two where the weights balance.
fn median(points: &[(f64, f64)]) -> f64 {
    let mut points = points.to_vec();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = points.iter().map(|p| p.1).sum::<f64>() / 2.0;
    let mut sum = 0.0;
    for (k, p) in points.iter().enumerate() {
        sum += p.1;
        if sum > half {
            return p.0;
        }
        if (sum - half).abs() < 1e-9 {
            return points.get(k + 1).map_or(p.0, |q| (p.0 + q.0) / 2.0);
        }
    }
    0.0
}
