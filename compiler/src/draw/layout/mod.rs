//! A layered drawing, top to bottom: [`rank`] gives nodes their layers, [`order`] their order
//! within a layer with few crossings, [`place`] coordinates with straight edges, [`columns`] columns of
//! what is long. An edge over
//! several layers bends at an item of its own in each layer between; edges of one output
//! share those.

mod columns;
mod order;
mod place;
mod rank;

pub(super) use columns::Break;

/// Room a node needs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape {
    /// Width of its box at least.
    pub width: f64,
    /// Width of the slot below the box for each output that is drawn.
    pub outs: Vec<f64>,
    /// Place of an output's line in its slot, from the left; `None`: in the middle.
    pub lead: Option<f64>,
    /// Width of the slot above the box for each input.
    pub ins: Vec<f64>,
}

/// An edge from output `out` of node `from` to input `input` of node `to`; `from < to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Link {
    pub from: usize,
    pub out: usize,
    pub to: usize,
    pub input: usize,
}

/// Vertical measures of a layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Measures {
    /// Strip above the boxes, for what is at inputs.
    pub above: f64,
    /// Height of a box.
    pub height: f64,
    /// Strip below the boxes, for what is at outputs.
    pub below: f64,
    /// Least gap between layers, where edges cross.
    pub gap: f64,
}

/// A point of the drawing.
pub(super) type Point = (f64, f64);

/// The places of all boxes, edges and marks.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Layout {
    /// Size of the drawing.
    pub size: Point,
    /// Centre of the top edge and width of every box.
    pub boxes: Vec<(Point, f64)>,
    /// Per node where its outputs leave the box, at its lower edge.
    pub outs: Vec<Vec<Point>>,
    /// Per link its corners: edges run vertically at each, in pairs from one layer to the next.
    pub routes: Vec<Vec<Point>>,
    /// Points where edges of one output part, with its node and output.
    pub forks: Vec<(Point, (usize, usize))>,
    /// Places where edges go on in the next column.
    pub breaks: Vec<Break>,
}

/// What is in a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    Node(usize),
    /// An output of a node on its way down.
    Bend,
}

/// Part of an edge from an item to one in the next layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Segment {
    /// Node and output that it belongs to.
    trunk: (usize, usize),
    from: usize,
    /// The output, if `from` is a node.
    out: Option<usize>,
    to: usize,
    /// The input, if `to` is a node.
    input: Option<usize>,
}

/// The graph with an item for every layer an edge passes.
#[derive(Debug, Clone, Default)]
struct Layered {
    items: Vec<Item>,
    /// Items of each layer, left to right.
    layers: Vec<Vec<usize>>,
    segments: Vec<Segment>,
    /// Per link the items it passes, its ends included.
    paths: Vec<Vec<usize>>,
}

/// Lays out a graph whose links lead from lower to higher node numbers.
pub(super) fn lay_out(shapes: &[Shape], links: &[Link], measures: Measures) -> Layout {
    let ranks = rank::ranks(shapes.len(), links);
    let mut layered = split(shapes.len(), links, &ranks);
    order::order(&mut layered);
    columns::columns(place::place(&layered, shapes, links, measures), links, measures)
}

fn split(nodes: usize, links: &[Link], ranks: &[usize]) -> Layered {
    let mut g = Layered { layers: vec![vec![]; ranks.iter().max().map_or(0, |r| r + 1)], ..Layered::default() };
    for (n, &rank) in ranks.iter().enumerate() {
        g.items.push(Item::Node(n));
        g.layers[rank].push(n);
    }
    debug_assert_eq!(g.items.len(), nodes);
    // Bends of each output, from the layer below it on.
    let mut trunks: std::collections::BTreeMap<(usize, usize), Vec<usize>> = std::collections::BTreeMap::new();
    for link in links {
        let trunk = trunks.entry((link.from, link.out)).or_default();
        while trunk.len() < ranks[link.to] - ranks[link.from] - 1 {
            let (from, out) = trunk.last().map_or((link.from, Some(link.out)), |&b| (b, None));
            let bend = g.items.len();
            g.items.push(Item::Bend);
            trunk.push(bend);
            g.layers[ranks[link.from] + trunk.len()].push(bend);
            g.segments.push(Segment { trunk: (link.from, link.out), from, out, to: bend, input: None });
        }
        let passed = &trunk[..ranks[link.to] - ranks[link.from] - 1];
        let (from, out) = passed.last().map_or((link.from, Some(link.out)), |&b| (b, None));
        g.segments.push(Segment { trunk: (link.from, link.out), from, out, to: link.to, input: Some(link.input) });
        let mut path = vec![link.from];
        path.extend(passed);
        path.push(link.to);
        g.paths.push(path);
    }
    g
}
