//! One statement's graph: laid out, then drawn edges first.

use super::canvas::{Canvas, Text, pill_width, text_width};
use super::outline::outline;
use crate::draw::fifos::Fifos;
use crate::draw::label::Labels;
use crate::draw::layout::{Layout, Link, Measures, Point, Shape, lay_out};
use crate::draw::style::{self, Line};
use crate::graph::{NodeId, StreamId};
use std::collections::BTreeSet;
use std::fmt::Write;

const MEASURES: Measures = Measures { above: 22.0, height: 38.0, below: 18.0, gap: 18.0 };
/// Font sizes: node names, captions, labels of streams.
const NAME: f64 = 11.5;
const CAPTION: f64 = 10.0;
const LABEL: f64 = 9.5;
/// Between a line and its label.
const BESIDE: f64 = 4.0;
/// Between the left end of an output's slot and its line, where there are several.
const LEAD: f64 = 16.0;
const NARROWEST: f64 = 96.0;

/// One statement's nodes and where they are.
pub(super) struct Stage<'a> {
    labels: Labels<'a>,
    nodes: Vec<NodeId>,
    /// Per node the outputs that somebody reads.
    outs: Vec<Vec<StreamId>>,
    links: Vec<Link>,
    /// Per link the depth of its FIFO, 0 for none.
    depths: Vec<u32>,
    pub layout: Layout,
}

impl<'a> Stage<'a> {
    /// Lays out the nodes of statement `stage`.
    pub fn new(labels: Labels<'a>, fifos: &Fifos, stage: usize) -> Self {
        let graph = labels.graph();
        let own = (0..graph.nodes.len()).map(NodeId).filter(|n| graph.node(*n).stage == stage);
        // What it shares with other statements is drawn where it meets this one, too.
        let read = |n: NodeId| graph.node(n).inputs.iter().map(|s| graph.stream(*s).from.0);
        let nodes: BTreeSet<NodeId> = own.flat_map(|n| read(n).chain([n])).collect();
        let nodes: Vec<NodeId> = nodes.into_iter().collect();
        let read = |s: &StreamId| !labels.readers[s.0].is_empty();
        let outs: Vec<Vec<StreamId>> =
            nodes.iter().map(|n| graph.node(*n).outputs.iter().copied().filter(read).collect()).collect();
        let (mut links, mut depths) = (vec![], vec![]);
        for (to, n) in nodes.iter().enumerate() {
            for (input, s) in graph.node(*n).inputs.iter().enumerate() {
                let producer = graph.stream(*s).from.0;
                let Some(from) = nodes.iter().position(|m| *m == producer) else { continue };
                let Some(out) = outs[from].iter().position(|o| o == s) else { continue };
                links.push(Link { from, out, to, input });
                depths.push(fifos.before(*n, input));
            }
        }
        let shapes: Vec<Shape> = nodes.iter().zip(&outs).map(|(n, outs)| shape(labels, fifos, *n, outs)).collect();
        let layout = lay_out(&shapes, &links, MEASURES);
        Self { labels, nodes, outs, links, depths, layout }
    }

    /// Draws it with its upper left corner at `corner`.
    pub fn draw(&self, canvas: &mut Canvas, corner: Point) {
        let at = |p: Point| (p.0 + corner.0, p.1 + corner.1);
        for (link, route) in self.links.iter().zip(&self.layout.routes) {
            let route: Vec<Point> = route.iter().map(|p| at(*p)).collect();
            edge(canvas, self.line(link), &route);
        }
        for fork in &self.layout.forks {
            canvas.dot(at(fork.0), 2.6, self.stream_line(self.outs[fork.1.0][fork.1.1]).colour());
        }
        for (k, node) in self.nodes.iter().enumerate() {
            let (top, width) = self.layout.boxes[k];
            self.node(canvas, *node, at(top), width);
            for (s, point) in self.outs[k].iter().zip(&self.layout.outs[k]) {
                self.label(canvas, *s, at(*point));
            }
        }
        for (route, depth) in self.layout.routes.iter().zip(&self.depths).filter(|(_, d)| **d > 0) {
            if let Some((x, y)) = route.last().map(|p| at(*p)) {
                canvas.pill((x, y - 15.0), *depth);
            }
        }
    }

    fn stream_line(&self, s: StreamId) -> Line {
        style::line(self.labels.graph().stream(s).payload)
    }

    fn line(&self, link: &Link) -> Line {
        self.stream_line(self.outs[link.from][link.out])
    }

    fn node(&self, canvas: &mut Canvas, n: NodeId, top: Point, width: f64) {
        let node = self.labels.graph().node(n);
        let style = style::of(node.op.kind());
        canvas.group(&format!("{} ({}): {}", node.name, node.op.kind(), self.labels.detail(n)));
        let d = outline(style.outline, top, width, MEASURES.height);
        canvas.path(&d, &format!("fill=\"{}\" stroke=\"{}\" stroke-width=\"1.2\"", style.fill, style.line));
        let text = Text { anchor: "middle", ..Text::default() };
        canvas.text((top.0, top.1 + 17.0), &Text { size: NAME, bold: true, ..text }, &node.name);
        canvas.text((top.0, top.1 + 30.5), &Text { size: CAPTION, colour: "#46525c", ..text }, &self.labels.caption(n));
        canvas.end_group();
    }

    fn label(&self, canvas: &mut Canvas, s: StreamId, (x, y): Point) {
        let colour = self.stream_line(s).colour();
        let look = Text { size: LABEL, colour, halo: true, ..Text::default() };
        canvas.text((x + BESIDE, y + 12.5), &look, &self.labels.stream(s));
    }
}

/// Room a node's texts, its outputs' labels and its inputs' FIFO depths need.
fn shape(labels: Labels, fifos: &Fifos, n: NodeId, outs: &[StreamId]) -> Shape {
    let node = labels.graph().node(n);
    let text = text_width(&node.name, NAME, true).max(text_width(&labels.caption(n), CAPTION, false));
    let label = |s: &StreamId| text_width(&labels.stream(*s), LABEL, false) + BESIDE;
    // A label stands to the right of its line: a single line in the middle leaves half the box for it.
    let (outs, lead) = match outs {
        [one] => (vec![2.0 * label(one) + 6.0], None),
        several => (several.iter().map(|s| LEAD + label(s) + 6.0).collect(), Some(LEAD)),
    };
    let ins = (0..node.inputs.len()).map(|k| (pill_width(fifos.before(n, k)) + 6.0).max(34.0)).collect();
    Shape { width: (text + 30.0).max(NARROWEST), outs, lead, ins }
}

/// An edge with its arrow head: vertical from each corner to its partner, curved between.
fn edge(canvas: &mut Canvas, line: Line, route: &[Point]) {
    let colour = line.colour();
    let mut d = String::new();
    for (k, pair) in route.chunks(2).enumerate() {
        let [(x, top), (_, bottom)] = pair else { continue };
        if k == 0 {
            let _ = write!(d, "M{x:.1},{top:.1} ");
        } else {
            let (fx, fy) = route[2 * k - 1];
            let middle = f64::midpoint(fy, *top);
            let _ = write!(d, "C{fx:.1},{middle:.1} {x:.1},{middle:.1} {x:.1},{top:.1} ");
        }
        // Up to the arrow head, at the end.
        let end = if 2 * k + 2 == route.len() { bottom - 4.0 } else { *bottom };
        let _ = write!(d, "V{end:.1} ");
    }
    let dashes = if line == Line::Dashed { " stroke-dasharray=\"5,3\"" } else { "" };
    let width = line.width();
    canvas.path(d.trim_end(), &format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dashes}"));
    if let Some((x, y)) = route.last() {
        let (l, r, t) = (x - 3.5, x + 3.5, y - 7.0);
        canvas.path(&format!("M{l:.1},{t:.1} L{r:.1},{t:.1} L{x:.1},{y:.1} Z"), &format!("fill=\"{colour}\""));
    }
}
