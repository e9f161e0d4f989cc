//! `samhw graph --run`: a run of the kernel, for a drawing that shows what it did.

use crate::Failure;
use crate::progress::Progress;
use samhw_compiler::draw::Heat;
use samhw_compiler::frontend::{KernelFile, Memory};
use samhw_compiler::netlist::Netlist;
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::pipeline::at_statement;
use samhw_driver::kernel::Sources;
use samhw_driver::page::heat;
use samhw_driver::{LIMIT, forecast};
use samhw_sim::axi::Settings;
use samhw_sim::load::load_operands;
use samhw_sim::native::Watch;
use samhw_sim::run::Problem;

/// A kernel with data, its netlist for them, and what a run did.
pub struct Run {
    /// The kernel.
    pub problem: Problem,
    /// The netlist that ran; behind AXI it has the same cells and channels.
    pub net: Netlist,
    /// The counters of the run.
    pub heat: Heat,
}

/// Runs `file` on the native engine with these data.
pub fn run(file: &KernelFile, sources: &Sources) -> Result<Run, Failure> {
    let loaded = load_operands(file, sources)?;
    let problem = Problem::new(file, loaded)?;
    let net = problem.netlist(Depths::Auto).map_err(|d| at_statement(file, d))?;
    problem.fits_bus(&net).map_err(|d| at_statement(file, d))?;
    let expected = problem.expected.clone();
    let progress = Progress::start(move |n, seconds| forecast::progress(n, seconds, &expected));
    let watch = Watch { shared: progress.watched.clone(), observer: None };
    let outcome = match &problem.memory {
        Memory::Ram => problem.run_native_watched(&net, LIMIT, None, watch)?,
        Memory::Axi(options) => problem.run_axi_native(&net, options, &Settings::default(), LIMIT, watch)?.0,
    };
    drop(progress);
    let heat = heat(&outcome.counts);
    Ok(Run { problem, net, heat })
}
