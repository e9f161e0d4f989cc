//! `samhw graph`: the graph as text, DOT or SVG, and the passes that make it.

use crate::input::Choices;
use crate::{Failure, output};
use clap::ValueEnum;
use samhw_compiler::data::ValuePolicy;
use samhw_compiler::draw;
use samhw_compiler::facts::Density;
use samhw_compiler::passes::{PASSES, Pass, PassRun};
use samhw_compiler::pipeline::{at_statement, compile_file, declared_netlist};
use serde_json::{Value, json};

/// How the graph is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Nodes, streams, FIFO depths and the reasons.
    Text,
    /// For Graphviz.
    Dot,
    /// A picture.
    Svg,
}

/// Show the graph of primitives, with FIFO depths and the reasons for order and depths.
#[derive(Debug, clap::Args)]
pub struct GraphArgs {
    /// Kernel file, `-` for standard input, or an expression: "y(i) = A(i,j) * x(j)", "ij,j->i"
    #[arg(required_unless_present = "passes")]
    kernel: Option<String>,
    #[command(flatten)]
    choices: Choices,
    /// How it is shown
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Show the iteration lattice of every loop instead
    #[arg(long)]
    lattice: bool,
    /// List the passes from kernel file to netlist instead, in the order in which they run
    #[arg(long, conflicts_with_all = ["kernel", "format", "lattice"])]
    passes: bool,
    /// List them as one JSON array
    #[arg(long, requires = "passes")]
    json: bool,
}

/// Runs the command.
pub fn main(args: &GraphArgs) -> Result<(), Failure> {
    let Some(kernel) = &args.kernel else { return output::print(&if args.json { as_json() } else { listed() }) };
    let (file, _) = args.choices.read(kernel, ValuePolicy::default())?;
    let compiled = compile_file(&file, &Density::default())?;
    let net = declared_netlist(&compiled.lowered).map_err(|d| at_statement(&file, d))?;
    let text = match args.format {
        Format::Text if args.lattice => draw::lattice_text(&compiled.lowered),
        Format::Dot if args.lattice => draw::lattice_dot(&compiled.lowered),
        Format::Svg if args.lattice => draw::lattice_svg(&compiled.lowered),
        Format::Text => draw::text(&compiled.lowered, &net, &compiled.choice),
        Format::Dot => draw::dot(&compiled.lowered, &net),
        Format::Svg => draw::svg(&compiled.lowered, &net, &compiled.choice),
    };
    // The process ends here: of large graphs it takes long to free each part.
    std::mem::forget((compiled, net));
    output::print(&text)
}

/// The passes as text.
fn listed() -> String {
    let line = |p: &Pass| format!("{:<10}{:<11}{}\n", p.name, if p.optional { "optional" } else { "" }, p.why);
    PASSES.iter().map(line).collect()
}

/// The passes as JSON.
fn as_json() -> String {
    let one = |p: &Pass| {
        let on = match p.run {
            PassRun::Graph(_) => "graph",
            PassRun::Netlist(_) => "netlist",
        };
        json!({ "name": p.name, "on": on, "optional": p.optional, "why": p.why })
    };
    PASSES.iter().map(one).collect::<Value>().to_string()
}
