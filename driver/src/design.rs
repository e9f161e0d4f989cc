//! A kernel's hardware as boards and estimates take it.

use samhw_compiler::diag::{Diagnostic, Diagnostics, Place};
use samhw_compiler::emit::{Design, emit};
use samhw_compiler::facts::Density;
use samhw_compiler::frontend::{KernelFile, Memory};
use samhw_compiler::pipeline::{at_statement, compile_file, declared_netlist};
use samhw_fpga::Kernel;

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
        Memory::Axi(_) => Err(vec![
            Diagnostic::new("H022", "a kernel with `memory = \"axi\"` for a board without memory behind AXI")
                .at(Place::File(file.source.path.clone(), None))
                .help("leave `memory` out, or put NAME_axi of `samhw gen` into a system that has such memory"),
        ]),
    }
}

/// A design as the flow takes it.
pub fn kernel(design: &Design) -> Result<Kernel, Diagnostic> {
    Kernel::new(&design.name, &design.manifest, design.verilog().cloned().collect())
}
