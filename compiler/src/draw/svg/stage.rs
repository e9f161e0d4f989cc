//! The graph of one statement: layout, then drawing, edges first.

use super::canvas::{Canvas, Text, pill_width, text_width};
use super::edge::{STUB, Stroke, bar, edge};
use super::outline::outline;
use crate::draw::fifos::Fifos;
use crate::draw::fold::{Members, folded, without_copy};
use crate::draw::heat::{BUSY, Heat, Shares, mixed};
use crate::draw::label::Labels;
use crate::draw::layout::{Layout, Link, Measures, Point, Shape, lay_out};
use crate::draw::style::{self, Line, NodeOutline};
use crate::graph::{NodeId, StreamId};
use crate::netlist::CellId;
use std::collections::{BTreeMap, BTreeSet};

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
    /// The nodes as they are drawn: the first of each stands for all.
    nodes: Vec<Members>,
    /// Per node the outputs that somebody reads.
    outs: Vec<Vec<StreamId>>,
    links: Vec<Link>,
    /// Per link the depth of its FIFO, 0 for none.
    depths: Vec<u32>,
    /// Of a run: per node and per link, shares of its cycles.
    heats: Option<(Vec<Shares>, Vec<Shares>)>,
    pub layout: Layout,
}

impl<'a> Stage<'a> {
    /// Lays out the nodes of statement `stage`.
    pub fn new(labels: Labels<'a>, fifos: &Fifos, stage: usize, heat: Option<&Heat>) -> Self {
        let graph = labels.graph();
        let own = (0..graph.nodes.len()).map(NodeId).filter(|n| graph.node(*n).stage == stage);
        // What it shares with other statements is drawn where it meets this one, too.
        let read = |n: NodeId| graph.node(n).inputs.iter().map(|s| graph.stream(*s).from.0);
        let all: BTreeSet<NodeId> = own.flat_map(|n| read(n).chain([n])).collect();
        let all: Vec<NodeId> = all.into_iter().collect();
        let nodes = folded(labels, &all);
        let drawn: BTreeMap<NodeId, usize> =
            nodes.iter().enumerate().flat_map(|(k, members)| members.iter().map(move |&n| (n, k))).collect();
        let read = |s: &StreamId| !labels.readers[s.0].is_empty();
        let outs: Vec<Vec<StreamId>> =
            nodes.iter().map(|n| graph.node(n[0]).outputs.iter().copied().filter(read).collect()).collect();
        let (mut links, mut depths) = (Vec::<Link>::new(), Vec::new());
        let mut inputs = Vec::<Vec<(NodeId, usize)>>::new();
        for (to, members) in nodes.iter().enumerate() {
            let first = members[0];
            for (input, s) in graph.node(first).inputs.iter().enumerate() {
                let (producer, port) = graph.stream(*s).from;
                let Some(&from) = drawn.get(&producer).filter(|&&from| from != to) else { continue };
                let same = |o: &StreamId| graph.stream(*o).from.1 == port;
                let Some(out) = outs[from].iter().position(same) else { continue };
                // Several copies that are read in turn are one line.
                let twin = links.iter().position(|l| (l.from, l.out, l.to) == (from, out, to));
                let twin = twin.filter(|_| nodes[from].len() > 1);
                let at = twin.unwrap_or(links.len());
                if twin.is_none() {
                    links.push(Link { from, out, to, input });
                    depths.push(fifos.before(first, input));
                    inputs.push(Vec::new());
                }
                inputs[at].extend(members.iter().map(|&n| (n, input)));
            }
        }
        let shapes: Vec<Shape> = nodes.iter().zip(&outs).map(|(n, outs)| shape(labels, fifos, n, outs)).collect();
        let layout = lay_out(&shapes, &links, MEASURES);
        let heats = heat.map(|heat| {
            let cells = |members: &Members| heat.cells(members.iter().map(|n| CellId(n.0)));
            let channels = |inputs: &Vec<(NodeId, usize)>| {
                heat.channels(inputs.iter().filter_map(|&(n, input)| fifos.channel(n, input)))
            };
            (nodes.iter().map(cells).collect(), inputs.iter().map(channels).collect())
        });
        Self { labels, nodes, outs, links, depths, heats, layout }
    }

    /// Draws it with its upper left corner at `corner`.
    pub fn draw(&self, canvas: &mut Canvas, corner: Point) {
        let at = |p: Point| (p.0 + corner.0, p.1 + corner.1);
        for (k, (link, route)) in self.links.iter().zip(&self.layout.routes).enumerate() {
            let route: Vec<Point> = route.iter().map(|p| at(*p)).collect();
            let breaks: Vec<usize> = self.layout.breaks.iter().filter(|b| b.link == k).map(|b| b.corner).collect();
            match self.heats.as_ref().map(|(_, links)| links[k]) {
                None => edge(canvas, &Stroke::of(self.line(link)), &route, &breaks),
                Some(heat) => {
                    canvas.group(&format!("{}: {}", self.labels.stream(self.outs[link.from][link.out]), heat.text()));
                    edge(canvas, &Stroke::heated(self.line(link), heat), &route, &breaks);
                    canvas.end_group();
                }
            }
        }
        for b in &self.layout.breaks {
            let (route, line) = (&self.layout.routes[b.link], self.line(&self.links[b.link]));
            let (before, after) = (at(route[b.corner - 1]), at(route[b.corner]));
            canvas.mark((before.0, before.1 + STUB), b.mark, line.colour());
            canvas.mark((after.0, after.1 - STUB), b.mark, line.colour());
        }
        for fork in &self.layout.forks {
            canvas.dot(at(fork.0), 2.6, self.stream_line(self.outs[fork.1.0][fork.1.1]).colour());
        }
        for (k, members) in self.nodes.iter().enumerate() {
            let (top, width) = self.layout.boxes[k];
            self.node(canvas, members, self.heats.as_ref().map(|(nodes, _)| nodes[k]), at(top), width);
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

    fn node(&self, canvas: &mut Canvas, members: &Members, heat: Option<Shares>, top: Point, width: f64) {
        let n = members[0];
        let node = self.labels.graph().node(n);
        let style = style::of(node.op.kind());
        let counted = heat.map_or(String::new(), |heat| format!("; {}", heat.text()));
        let name = named(&node.name, members);
        canvas.group(&format!("{name} ({}): {}{counted}", node.op.kind(), self.labels.detail(n)));
        let fill = heat.map_or(style.fill.into(), |heat| mixed("#ffffff", BUSY, heat.busy));
        // Copies show behind the first.
        for behind in (0..members.len().min(3)).rev() {
            let (dx, dy) = (4.0 * behind as f64, 1.5 * behind as f64);
            let d = outline(style.outline, (top.0 + dx, top.1 + dy), width, MEASURES.height);
            canvas.path(&d, &format!("fill=\"{fill}\" stroke=\"{}\" stroke-width=\"1.2\"", style.line));
        }
        let text = Text { anchor: "middle", ..Text::default() };
        // Below the lid of a cylinder.
        let lid = if style.outline == NodeOutline::Cylinder { 2.0 } else { 0.0 };
        canvas.text((top.0, top.1 + 17.0 + lid), &Text { size: NAME, bold: true, ..text }, &name);
        canvas.text((top.0, top.1 + 30.5), &Text { size: CAPTION, colour: "#46525c", ..text }, &self.labels.caption(n));
        if let Some(heat) = heat {
            bar(canvas, heat, (top.0 - 0.3 * width, top.1 + 33.0), 0.6 * width);
        }
        canvas.end_group();
    }

    fn label(&self, canvas: &mut Canvas, s: StreamId, (x, y): Point) {
        let colour = self.stream_line(s).colour();
        let look = Text { size: LABEL, colour, halo: true, ..Text::default() };
        canvas.text((x + BESIDE, y + 12.5), &look, &self.labels.stream(s));
    }
}

/// Name of a node, and how many there are of it.
fn named(name: &str, members: &Members) -> String {
    if members.len() > 1 { format!("{} × {}", without_copy(name), members.len()) } else { name.into() }
}

/// Room a node's texts, its outputs' labels and its inputs' FIFO depths need.
fn shape(labels: Labels, fifos: &Fifos, members: &Members, outs: &[StreamId]) -> Shape {
    let n = members[0];
    let node = labels.graph().node(n);
    let text = text_width(&named(&node.name, members), NAME, true).max(text_width(&labels.caption(n), CAPTION, false));
    let label = |s: &StreamId| text_width(&labels.stream(*s), LABEL, false) + BESIDE;
    // A label stands to the right of its line: a single line in the middle leaves half the box for it.
    let (outs, lead) = match outs {
        [one] => (vec![2.0 * label(one) + 6.0], None),
        several => (several.iter().map(|s| LEAD + label(s) + 6.0).collect(), Some(LEAD)),
    };
    let ins = (0..node.inputs.len()).map(|k| (pill_width(fifos.before(n, k)) + 6.0).max(34.0)).collect();
    Shape { width: (text + 30.0).max(NARROWEST), outs, lead, ins }
}
