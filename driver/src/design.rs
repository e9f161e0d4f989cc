//! A kernel's hardware in the form that boards and estimates use.

use samhw_compiler::compiled::Compiled;
use samhw_compiler::diag::{Diagnostic, Diagnostics, Place};
use samhw_compiler::emit::axi::emit_axi;
use samhw_compiler::emit::{Design, emit};
use samhw_compiler::facts::Density;
use samhw_compiler::frontend::{KernelFile, Memory};
use samhw_compiler::netlist::Netlist;
use samhw_compiler::pipeline::{at_statement, compile_file, declared_netlist};
use samhw_fpga::Kernel;
use samhw_fpga::estimate::Top;

/// Compiles the estimable part of a kernel: all of a board's design, or the core of a kernel behind AXI.
pub fn estimable(file: &KernelFile, top: Option<Top>) -> Result<Top, Diagnostic> {
    match (&file.hardware.memory, top) {
        (Memory::Ram, top) => Ok(top.unwrap_or(Top::Board)),
        (Memory::Axi(_), None | Some(Top::Core)) => Ok(Top::Core),
        (Memory::Axi(_), Some(Top::Board)) => Err(behind_axi(file)),
    }
}

/// Compiles a kernel's hardware for an estimate, with the sizes that the file declares.
pub fn declared(file: &KernelFile) -> Result<(Compiled, Netlist, Kernel), Diagnostics> {
    let compiled = compile_file(file, &Density::default())?;
    let net = declared_netlist(&compiled.lowered).map_err(|d| at_statement(file, d))?;
    let design = match &file.hardware.memory {
        Memory::Ram => emit(&compiled.lowered, &net),
        Memory::Axi(options) => emit_axi(&compiled.lowered, &net, options).map_err(|d| at_statement(file, d))?,
    };
    let kernel = kernel(&design)?;
    Ok((compiled, net, kernel))
}

/// Generates what `samhw gen` emits for a kernel with memories on the chip.
pub fn emitted(file: &KernelFile) -> Result<Design, Diagnostics> {
    on_chip(file)?;
    let compiled = compile_file(file, &Density::default())?;
    let net = declared_netlist(&compiled.lowered).map_err(|d| at_statement(file, d))?;
    Ok(emit(&compiled.lowered, &net))
}

/// Returns an error for kernels behind AXI, because no supported board offers memory there.
pub fn on_chip(file: &KernelFile) -> Result<(), Diagnostics> {
    match &file.hardware.memory {
        Memory::Ram => Ok(()),
        Memory::Axi(_) => Err(behind_axi(file).into()),
    }
}

fn behind_axi(file: &KernelFile) -> Diagnostic {
    Diagnostic::new("H022", "a kernel with `memory = \"axi\"` for a board without memory behind AXI")
        .at(Place::File(file.source.path.clone(), None))
        .help("leave `memory` out, or put NAME_axi of `samhw gen` into a system that has such memory")
        .help("`samhw estimate --top core` says what its core takes")
}

/// Converts a design for the FPGA flow.
pub fn kernel(design: &Design) -> Result<Kernel, Diagnostic> {
    Kernel::new(design)
}
