//! Nothing in a layout lies on anything else: boxes, edges, and the room for labels.

use super::kernels;
use crate::draw::layout::{Link, Measures, Shape, lay_out};
use proptest::prelude::*;

const M: Measures = Measures { above: 20.0, height: 40.0, below: 15.0, gap: 10.0 };

/// What is wrong with the layout of a graph, if anything.
fn fault(shapes: &[Shape], links: &[Link]) -> Option<String> {
    let layout = lay_out(shapes, links, M);
    let half = |n: usize| layout.boxes[n].1 / 2.0 + 0.01;
    for (a, ((x, y), _)) in layout.boxes.iter().enumerate() {
        for (b, ((p, q), _)) in layout.boxes.iter().enumerate().skip(a + 1) {
            if y == q && (x - p).abs() < half(a) + half(b) {
                return Some(format!("boxes {a} and {b}"));
            }
        }
    }
    for (k, (link, route)) in links.iter().zip(&layout.routes).enumerate() {
        let (from, to) = (layout.boxes[link.from], layout.boxes[link.to]);
        let (first, last) = (route.first()?, route.last()?);
        if (first.0 - from.0.0).abs() > half(link.from) || (last.0 - to.0.0).abs() > half(link.to) {
            return Some(format!("{link:?} does not meet its boxes"));
        }
        for pair in route[2..route.len() - 2].chunks(2) {
            let hit = |(n, ((x, y), _)): (usize, &((f64, f64), f64))| {
                (pair[0].1 - (y - M.above)).abs() < 0.01 && (pair[0].0 - x).abs() < half(n)
            };
            if layout.boxes.iter().enumerate().any(hit) {
                return Some(format!("{link:?} runs through a box"));
            }
        }
        // It begins again higher where it goes on in the next column.
        let goes_on = |at: usize| layout.breaks.iter().any(|b| (b.link, b.corner) == (k, at));
        if (1..route.len()).any(|at| (route[at].1 < route[at - 1].1) != goes_on(at)) {
            return Some(format!("{link:?} runs upwards"));
        }
    }
    for (n, outs) in layout.outs.iter().enumerate() {
        let mut at: Vec<f64> = outs.iter().map(|o| o.0).collect();
        at.sort_by(f64::total_cmp);
        let room = |p: &[f64]| p[1] - p[0] < shapes[n].outs.iter().copied().fold(f64::INFINITY, f64::min) - 0.01;
        if at.windows(2).any(room) {
            return Some(format!("outputs of {n}"));
        }
    }
    None
}

#[test]
fn kernels_do_not_overlap() {
    for (name, lowered, ..) in kernels() {
        let graph = &lowered.graph;
        let shape = |n: &crate::graph::Node| Shape {
            width: 9.0 * n.name.len() as f64,
            outs: vec![50.0; n.outputs.len()],
            lead: Some(12.0),
            ins: vec![30.0; n.inputs.len()],
        };
        let shapes: Vec<Shape> = graph.nodes.iter().map(shape).collect();
        let inputs =
            graph.nodes.iter().enumerate().flat_map(|(to, n)| n.inputs.iter().enumerate().map(move |i| (to, i)));
        let links: Vec<Link> = inputs
            .map(|(to, (input, s))| {
                let (from, out) = graph.stream(*s).from;
                Link { from: from.0, out, to, input }
            })
            .collect();
        assert_eq!(fault(&shapes, &links), None, "{name}");
    }
}

proptest! {
    /// Any graph: node n reads output 0 or 1 of some nodes before it.
    #[test]
    fn graphs_do_not_overlap(reads in prop::collection::vec(prop::collection::vec((0..64usize, 0..2usize), 0..4), 1..25)) {
        let read = |(n, r): (usize, &Vec<(usize, usize)>)| if n == 0 { vec![] } else { r.clone() };
        let reads: Vec<Vec<(usize, usize)>> = reads.iter().enumerate().map(read).collect();
        let shape = |r: &Vec<(usize, usize)>| Shape { width: 80.0, outs: vec![45.0, 45.0], lead: None, ins: vec![30.0; r.len()] };
        let shapes: Vec<Shape> = reads.iter().map(shape).collect();
        let mut links = vec![];
        for (to, r) in reads.iter().enumerate() {
            links.extend(r.iter().enumerate().map(|(input, &(from, out))| Link { from: from % to, out, to, input }));
        }
        prop_assert_eq!(fault(&shapes, &links), None);
    }
}
