//! `samhw graph`: the graph as text, DOT or SVG.

use crate::{Failure, input, output};
use clap::ValueEnum;
use samhw_compiler::draw;
use samhw_compiler::passes::order::Density;
use samhw_sim::plan::{Plan, at_statement};
use std::path::PathBuf;

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
pub struct Args {
    /// Kernel file
    kernel: PathBuf,
    /// How it is shown
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Show the iteration lattice of every loop instead
    #[arg(long)]
    lattice: bool,
}

/// Runs the command.
pub fn main(args: &Args) -> Result<(), Failure> {
    let file = input::kernel(&args.kernel)?;
    let plan = Plan::new(&file, &Density::default())?;
    let net = plan.declared_netlist().map_err(|d| at_statement(&file, d))?;
    let text = match args.format {
        Format::Text if args.lattice => draw::lattice_text(&plan.lowered),
        Format::Dot if args.lattice => draw::lattice_dot(&plan.lowered),
        Format::Svg if args.lattice => draw::lattice_svg(&plan.lowered),
        Format::Text => draw::text(&plan.lowered, &net, &plan.choice),
        Format::Dot => draw::dot(&plan.lowered, &net),
        Format::Svg => draw::svg(&plan.lowered, &net, &plan.choice),
    };
    output::print(&text)
}
