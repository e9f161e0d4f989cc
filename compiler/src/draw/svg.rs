//! Drawing of the SAM graph as SVG, laid out by [`super::layout`] without Graphviz.

mod canvas;
mod edge;
mod lattice;
mod legend;
mod outline;
mod stage;

use super::fifos::Fifos;
use super::heat::Heat;
use super::label::Labels;
use super::style;
use crate::lower::Lowered;
use crate::netlist::Netlist;
use crate::passes::order::Choice;
use canvas::{Canvas, Text, text_width};
use stage::Stage;

pub use lattice::svg as lattice_svg;

const MARGIN: f64 = 24.0;
/// A legend may be wider than a small graph.
const LEGEND: f64 = 560.0;

/// Returns the graph as an SVG page: a node per primitive in shape and colour of its kind, an edge per output with its
/// variables, FIFO depths at inputs, a legend. Statements stand below each other. Copies in large graphs are drawn as
/// one node. `heat`: what a run did, in colours.
pub fn svg(lowered: &Lowered, net: &Netlist, choice: &Choice, heat: Option<&Heat>) -> String {
    let readers = lowered.graph.readers();
    let labels = Labels { lowered, readers: &readers };
    let fifos = Fifos::of(net);
    let mut canvas = Canvas::default();
    let (mut y, mut right) = (MARGIN, MARGIN + LEGEND);
    for (n, statement) in lowered.kernel.statements.iter().enumerate() {
        let stage = Stage::new(labels, &fifos, n, heat);
        let title = Text { size: 15.0, bold: true, ..Text::default() };
        let text = lowered.kernel.statement_text(statement);
        canvas.text((MARGIN, y + 14.0), &title, &text);
        right = right.max(MARGIN + text_width(&text, title.size, title.bold));
        let order: Vec<_> = choice.order.iter().copied().filter(|v| lowered.orders[n].contains(v)).collect();
        let order = format!("loop order {}", labels.vars(&order).replace(',', ", "));
        canvas.text((MARGIN, y + 32.0), &Text { size: 11.0, colour: "#5b6670", ..Text::default() }, &order);
        stage.draw(&mut canvas, (MARGIN, y + 40.0));
        right = right.max(MARGIN + stage.layout.size.0);
        y += 40.0 + stage.layout.size.1 + MARGIN;
    }
    canvas.right = canvas.right.max(right);
    let drawn = style::groups(lowered.graph.nodes.iter().map(|n| n.op.kind()));
    let y = legend::legend(&mut canvas, &drawn, (!fifos.all().is_empty(), heat.is_some()), (MARGIN, y), right);
    canvas.finish(y + MARGIN / 2.0, MARGIN)
}
