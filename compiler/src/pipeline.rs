//! The compilation pipeline from a kernel file to a netlist. The command line, both engines, estimates, tests and
//! benches all come through here, so that each sees the hardware that users get.
//!
//! What happens on the way is the table [`PASSES`]; this file runs it.

use crate::compiled::{Compiled, Options, Realizing};
use crate::diag::{Diagnostic, Diagnostics, Place, in_words_of};
use crate::facts::Density;
use crate::frontend::KernelFile;
use crate::graph;
use crate::lower::Lowered;
use crate::netlist::{self, Netlist, Sizes};
use crate::passes::fifo::Depths;
use crate::passes::{PASSES, Pass, PassRun};
use crate::stmt::Kernel;

/// Compiles a kernel file to its loop order and graph, using known sizes of its data.
///
/// # Errors
///
/// What a pass refuses, with its place in the file.
pub fn compile_file(file: &KernelFile, density: &Density) -> Result<Compiled, Diagnostics> {
    let order_at = file.order.as_ref().and_then(|names| Some(names.first()?.span().start..names.last()?.span().end));
    let (memory, density) = (file.hardware.memory.clone(), density.clone());
    let options = Options { memory, density, order_at, ..Options::default() };
    compile(&file.kernel, &options).map_err(|d| at_statement(file, d))
}

/// Compiles a kernel to its loop order and graph.
///
/// # Errors
///
/// What a pass refuses.
pub fn compile(kernel: &Kernel, options: &Options<'_>) -> Result<Compiled, Diagnostic> {
    let mut compiled = Compiled::begin(kernel);
    let done = run_passes(&mut compiled, options);
    if done.is_err() && compiled.choice.untried {
        return compile(kernel, &Options { careful: true, ..options.clone() });
    }
    done.map(|()| compiled)
}

fn run_passes(compiled: &mut Compiled, options: &Options<'_>) -> Result<(), Diagnostic> {
    for pass in PASSES.iter().filter(|p| !(p.optional && options.without.contains(&p.name))) {
        if let PassRun::Graph(run) = pass.run {
            run(compiled, options)?;
            check(pass, &compiled.lowered);
        }
    }
    Ok(())
}

/// Translates a graph to a netlist; an error reports what no chip can hold.
///
/// # Errors
///
/// What is too large for any chip.
pub fn netlist(lowered: &Lowered, sizes: &Sizes, depths: Depths) -> Result<Netlist, Diagnostic> {
    let mut made = Realizing { lowered, sizes, depths, net: Netlist::default() };
    for pass in PASSES {
        if let PassRun::Netlist(run) = pass.run {
            run(&mut made)?;
        }
    }
    Ok(made.net)
}

/// Translates a graph to a netlist with the sizes that the kernel file declares, as for `samhw gen`.
///
/// # Errors
///
/// What is too large for any chip.
pub fn declared_netlist(lowered: &Lowered) -> Result<Netlist, Diagnostic> {
    netlist(lowered, &netlist::declared(&lowered.kernel, &lowered.graph), Depths::Auto)
}

/// Gives a diagnostic without a place the place of the first statement, and completes places in the file. Names
/// that the file does not have are replaced by its own words.
pub fn at_statement(file: &KernelFile, d: Diagnostic) -> Diagnostics {
    let d = in_words_of(&file.source.text, d);
    match (&d.place, file.kernel.statements.first()) {
        (None, Some(s)) => vec![d.at(Place::Span(file.source.clone(), s.span.clone()))],
        _ => vec![d.within(&file.source)],
    }
}

/// In debug builds: a pass that leaves a graph whose streams do not fit is at fault.
fn check(pass: &Pass, lowered: &Lowered) {
    if cfg!(debug_assertions)
        && let Err(fault) = graph::check(&lowered.graph)
    {
        panic!("pass `{}`: {fault}\n{}", pass.name, lowered.graph.to_text(&lowered.kernel));
    }
}
