//! Order within layers: barycentres up and down, then neighbours swapped while that saves
//! crossings; the best of several starts.

use super::Layered;

const ROUNDS: usize = 16;

/// Orders every layer.
pub(super) fn order(g: &mut Layered) {
    let ends = LayerEnds::new(g);
    let mut best: Option<(usize, Vec<Vec<usize>>)> = None;
    for start in [depth_first(g, &ends, false), depth_first(g, &ends, true), g.layers.clone()] {
        let mut layers = start;
        for round in 0..ROUNDS {
            sweep(&mut layers, &ends, round % 2 == 0);
            swap(&mut layers, &ends);
            let crossings = ends.all_crossings(&layers);
            if best.as_ref().is_none_or(|(least, _)| crossings < *least) {
                best = Some((crossings, layers.clone()));
            }
        }
    }
    if let Some((_, layers)) = best {
        g.layers = layers;
    }
}

/// Neighbours of each item in the layers above and below.
struct LayerEnds {
    up: Vec<Vec<usize>>,
    down: Vec<Vec<usize>>,
}

impl LayerEnds {
    fn new(g: &Layered) -> Self {
        let mut ends = Self { up: vec![vec![]; g.items.len()], down: vec![vec![]; g.items.len()] };
        for s in &g.segments {
            ends.up[s.to].push(s.from);
            ends.down[s.from].push(s.to);
        }
        ends
    }

    fn all_crossings(&self, layers: &[Vec<usize>]) -> usize {
        let place = places(layers, self.up.len());
        let pairs = |layer: &Vec<usize>| {
            let pair = |a: usize, k: usize| {
                layer[k + 1..].iter().map(|&b| crossings(&self.down[a], &self.down[b], &place)).sum::<usize>()
            };
            layer.iter().enumerate().map(|(k, &a)| pair(a, k)).sum::<usize>()
        };
        layers.iter().map(pairs).sum()
    }
}

/// Crossings between edges to `left` and edges to `right` if the item of `left` stands left.
fn crossings(left: &[usize], right: &[usize], place: &[usize]) -> usize {
    left.iter().map(|&l| right.iter().filter(|&&r| place[l] > place[r]).count()).sum()
}

/// Place of each item in its layer.
fn places(layers: &[Vec<usize>], items: usize) -> Vec<usize> {
    let mut place = vec![0; items];
    for layer in layers {
        for (k, &i) in layer.iter().enumerate() {
            place[i] = k;
        }
    }
    place
}

fn depth_first(g: &Layered, ends: &LayerEnds, backwards: bool) -> Vec<Vec<usize>> {
    let mut layer_of = vec![0; g.items.len()];
    for (l, layer) in g.layers.iter().enumerate() {
        layer.iter().for_each(|&i| layer_of[i] = l);
    }
    let mut out = vec![vec![]; g.layers.len()];
    let mut seen = vec![false; g.items.len()];
    let mut stack: Vec<usize> = g.layers.iter().flatten().copied().filter(|&i| ends.up[i].is_empty()).collect();
    if !backwards {
        stack.reverse();
    }
    while let Some(i) = stack.pop() {
        if std::mem::replace(&mut seen[i], true) {
            continue;
        }
        out[layer_of[i]].push(i);
        let next = ends.down[i].iter().copied();
        if backwards { stack.extend(next) } else { stack.extend(next.rev()) }
    }
    out
}

/// Sorts every layer by the mean place of the neighbours in the layer before it.
fn sweep(layers: &mut [Vec<usize>], ends: &LayerEnds, down: bool) {
    let order: Vec<usize> = if down { (0..layers.len()).collect() } else { (0..layers.len()).rev().collect() };
    for l in order {
        let place = places(layers, ends.up.len());
        let mean = |i: usize| {
            let near = if down { &ends.up[i] } else { &ends.down[i] };
            if near.is_empty() {
                return place[i] as f64;
            }
            near.iter().map(|&n| place[n] as f64).sum::<f64>() / near.len() as f64
        };
        layers[l].sort_by(|&a, &b| mean(a).total_cmp(&mean(b)));
    }
}

/// Swaps neighbours as long as that saves crossings.
fn swap(layers: &mut [Vec<usize>], ends: &LayerEnds) {
    let mut place = places(layers, ends.up.len());
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for layer in layers.iter_mut() {
            for k in 1..layer.len() {
                let (a, b) = (layer[k - 1], layer[k]);
                let now = crossings(&ends.up[a], &ends.up[b], &place) + crossings(&ends.down[a], &ends.down[b], &place);
                let then =
                    crossings(&ends.up[b], &ends.up[a], &place) + crossings(&ends.down[b], &ends.down[a], &place);
                if then < now {
                    layer.swap(k - 1, k);
                    (place[a], place[b]) = (k, k - 1);
                    changed = true;
                }
            }
        }
    }
}
