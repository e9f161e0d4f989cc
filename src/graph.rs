//! `samhw graph`: the graph as text, DOT or SVG, and the passes that make it.

mod run;

use crate::input::Choices;
use crate::{Failure, output};
use clap::ValueEnum;
use samhw_compiler::compiled::Compiled;
use samhw_compiler::data::ValuePolicy;
use samhw_compiler::diag::{Diagnostic, Place};
use samhw_compiler::draw;
use samhw_compiler::facts::Density;
use samhw_compiler::frontend::KernelFile;
use samhw_compiler::passes::{PASSES, Pass, PassRun};
use samhw_compiler::pipeline::{at_statement, compile_file, declared_netlist};
use samhw_driver::bus;
use samhw_driver::page::Drawn;
use samhw_sim::staged::Staged;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// How the graph is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Nodes, streams, FIFO depths, and reasons for the loop order and the depths.
    Text,
    /// A drawing for Graphviz.
    Dot,
    /// A drawing as SVG.
    Svg,
}

/// Show the graph of primitives, as text or as a drawing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  samhw graph examples/spmv.toml
  samhw graph examples/spmv.toml --run --format svg > spmv.svg
  samhw graph \"ij,jk->ik\" -f A:csr -f B:csr -d i=9 -d j=9 -d k=9 --html page.html")]
pub struct GraphArgs {
    /// Kernel file, `-` for standard input, or an expression: "y(i) = A(i,j) * x(j)", "ij,j->i"
    #[arg(required_unless_present = "passes")]
    kernel: Option<OsString>,
    #[command(flatten)]
    choices: Choices,
    /// Format of the output
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Show the iteration lattice of every loop instead
    #[arg(long)]
    lattice: bool,
    /// Run the kernel first, and colour the drawing by how busy nodes and streams were (with
    /// --format svg or --html)
    #[arg(long, conflicts_with_all = ["lattice", "passes"])]
    run: bool,
    /// Conversion of values in files that the type cannot hold: refuse them, take 1, or round
    #[arg(long, value_parser = ["exact", "ones", "round"], default_value = "exact", requires = "run")]
    convert: String,
    /// Write a web page that works without a network: zoom, and click a node for its counters and
    /// its Verilog
    #[arg(long, value_name = "FILE.html", conflicts_with_all = ["format", "lattice", "passes"])]
    html: Option<PathBuf>,
    /// List the passes of the compiler instead, in the order in which they run
    #[arg(long, conflicts_with_all = ["kernel", "format", "lattice"])]
    passes: bool,
    /// List the passes as one JSON array
    #[arg(long, requires = "passes")]
    json: bool,
}

/// Runs the command.
pub fn main(args: &GraphArgs) -> Result<(), Failure> {
    let Some(kernel) = &args.kernel else { return output::print(&if args.json { as_json() } else { listed() }) };
    if args.run && args.html.is_none() && args.format != Format::Svg {
        return Err(Diagnostic::new("R043", "--run colours drawings, and this format has no colours")
            .at(Place::Option("--run".into()))
            .help("add --format svg, or --html FILE.html")
            .help("`samhw run` reports the same counters as text")
            .into());
    }
    let page = args.html.as_deref().map(page).transpose()?;
    let policy = ValuePolicy::from_name(&args.convert).unwrap_or_default();
    let (file, sources) = args.choices.read(kernel, policy)?;
    if args.run {
        let ran = run::run(&file, &sources)?;
        let (lowered, choice) = (&ran.problem.lowered, &ran.problem.choice);
        let drawn = Drawn { lowered, net: &ran.net, choice, heat: Some(&ran.heat) };
        return match page {
            Some(staged) => written(&file, &drawn, staged),
            None => output::print(&drawn.svg()),
        };
    }
    let compiled = compile_file(&file, &Density::default())?;
    let net = declared_netlist(&compiled.lowered).map_err(|d| at_statement(&file, d))?;
    output::warn(&bus::warnings(&file, &compiled.lowered, &net));
    if let Some(staged) = page {
        let Compiled { lowered, choice, .. } = &compiled;
        return written(&file, &Drawn { lowered, net: &net, choice, heat: None }, staged);
    }
    let text = match args.format {
        Format::Text if args.lattice => draw::lattice_text(&compiled.lowered),
        Format::Dot if args.lattice => draw::lattice_dot(&compiled.lowered),
        Format::Svg if args.lattice => draw::lattice_svg(&compiled.lowered),
        Format::Text => draw::text(&compiled.lowered, &net, &compiled.choice),
        Format::Dot => draw::dot(&compiled.lowered, &net),
        Format::Svg => draw::svg(&compiled.lowered, &net, &compiled.choice, None),
    };
    // The process ends here: of large graphs it takes long to free each part.
    std::mem::forget((compiled, net));
    output::print(&text)
}

/// Begins to write a page to `path`.
fn page(path: &Path) -> Result<Staged, Diagnostic> {
    if !path.extension().is_some_and(|e| e.eq_ignore_ascii_case("html") || e.eq_ignore_ascii_case("htm")) {
        let problem = Diagnostic::new("R044", "pages are HTML: the file name must end in .html");
        let help = format!("--html {}", path.with_extension("html").display());
        return Err(problem.at(Place::Option(format!("--html {}", path.display()))).help(help));
    }
    Staged::begin(path)
}

/// Writes the page.
fn written(file: &KernelFile, drawn: &Drawn, staged: Staged) -> Result<(), Failure> {
    let place = staged.place().display().to_string();
    let text = drawn.page(file)?;
    staged.write(|out| out.write_all(text.as_bytes()))?;
    output::print(&format!("{place}: {} bytes", text.len()))
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
