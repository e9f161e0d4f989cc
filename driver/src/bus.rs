//! Warnings about unused bandwidth of the bus of a kernel behind AXI.

use samhw_compiler::diag::Diagnostic;
use samhw_compiler::emit::axi::wasted;
use samhw_compiler::frontend::{KernelFile, Memory};
use samhw_compiler::lower::Lowered;
use samhw_compiler::netlist::Netlist;
use samhw_compiler::pipeline::at_statement;

/// Warns about bandwidth that the kernel leaves unused. What the bus cannot hold is refused where the design is made.
pub fn warnings(file: &KernelFile, lowered: &Lowered, net: &Netlist) -> Vec<Diagnostic> {
    let Memory::Axi(options) = &file.hardware.memory else { return vec![] };
    let found = wasted(lowered, net, options).unwrap_or_default();
    found.into_iter().flat_map(|d| at_statement(file, d)).collect()
}
