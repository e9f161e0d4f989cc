//! A kernel's hardware as boards and estimates take it.

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

/// What of a kernel can be estimated: all that is on a board, or, of a kernel behind AXI, its core.
pub fn estimable(file: &KernelFile, top: Option<Top>) -> Result<Top, Diagnostic> {
    match (&file.hardware.memory, top) {
        (Memory::Ram, top) => Ok(top.unwrap_or(Top::Board)),
        (Memory::Axi(_), None | Some(Top::Core)) => Ok(Top::Core),
        (Memory::Axi(_), Some(Top::Board)) => Err(behind_axi(file)),
    }
}

/// A kernel's hardware as it is estimated, with sizes that the file declares.
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

/// What `samhw gen` emits for a kernel whose memories are on the chip.
pub fn emitted(file: &KernelFile) -> Result<Design, Diagnostics> {
    on_chip(file)?;
    let compiled = compile_file(file, &Density::default())?;
    let net = declared_netlist(&compiled.lowered).map_err(|d| at_statement(file, d))?;
    Ok(emit(&compiled.lowered, &net))
}

/// Refuses kernels behind AXI: no board here has memory there.
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

/// A design as the flow takes it.
pub fn kernel(design: &Design) -> Result<Kernel, Diagnostic> {
    Kernel::new(&design.name, &design.manifest, design.verilog().cloned().collect())
}
