//! Generation of Verilog and the files that accompany it.

use crate::LIMIT;
use crate::bundle::Bundle;
use crate::bus;
use crate::design;
use crate::kernel::Sources;
use samhw_compiler::compiled::Compiled;
use samhw_compiler::diag::{Diagnostic, Diagnostics};
use samhw_compiler::draw;
use samhw_compiler::emit::axi::emit_axi;
use samhw_compiler::emit::{Artifact, Design, emit};
use samhw_compiler::facts::Density;
use samhw_compiler::frontend::{KernelFile, Memory};
use samhw_compiler::netlist::{Netlist, defaulted};
use samhw_compiler::pipeline::{at_statement, compile_file, declared_netlist};
use samhw_fpga::board::{self, Board};
use samhw_fpga::{Options, fusesoc};
use samhw_sim::load::load_operands;
use samhw_sim::run::Problem;

/// The files that `samhw gen` writes.
pub struct Generated {
    /// The kernel's name.
    pub name: String,
    /// The generated files.
    pub files: Vec<Artifact>,
    /// Names of the top modules.
    pub tops: Vec<String>,
    /// Tensors without a declared capacity, and the default that each got.
    pub defaulted: Vec<(String, u64)>,
    /// Warnings about unused bandwidth of the bus.
    pub warnings: Vec<Diagnostic>,
}

/// Optional outputs in addition to a kernel's hardware, and the layout of the files.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Board for which the files for a bitstream are generated.
    pub board: Option<String>,
    /// Whether the data of a run are generated.
    pub data: bool,
    /// Layout of the files; not for a board.
    pub bundle: Bundle,
}

/// Generates a kernel's Verilog and the requested files.
pub fn generated(file: &KernelFile, sources: &Sources, wanted: &Wanted) -> Result<Generated, Diagnostics> {
    let board = wanted.board.as_deref().map(board::find).transpose()?;
    if board.is_some() {
        design::on_chip(file)?;
    }
    let compiled = compile_file(file, &Density::default())?;
    let net = declared_netlist(&compiled.lowered).map_err(|d| at_statement(file, d))?;
    let mut design = match &file.hardware.memory {
        Memory::Ram => emit(&compiled.lowered, &net),
        Memory::Axi(options) => emit_axi(&compiled.lowered, &net, options).map_err(|d| at_statement(file, d))?,
    };
    wanted.bundle.lay_out(&mut design);
    let hardware =
        Hardware { file, sources, wanted, board: board.as_ref(), compiled: &compiled, net: &net, design: &design };
    let mut files = design.files.clone();
    for output in OUTPUTS {
        let more = output(&hardware, &files)?;
        // Those of the kernel that a board has, too, are the same.
        let more: Vec<Artifact> = more.into_iter().filter(|(name, _)| files.iter().all(|(n, _)| n != name)).collect();
        files.extend(more);
    }
    let capacities = defaulted(&compiled.lowered.kernel, &compiled.lowered.graph);
    let defaulted = capacities.into_iter().map(|(tensor, n)| (tensor.to_string(), n)).collect();
    let warnings = bus::warnings(file, &compiled.lowered, &net);
    Ok(Generated { name: design.name, files, tops: design.tops, defaulted, warnings })
}

/// A kernel's hardware, and what else is known where it is generated.
struct Hardware<'a> {
    file: &'a KernelFile,
    sources: &'a Sources,
    wanted: &'a Wanted,
    board: Option<&'a Board>,
    compiled: &'a Compiled,
    net: &'a Netlist,
    design: &'a Design,
}

/// Files of an output, given those before it.
type Output = fn(&Hardware, &[Artifact]) -> Result<Vec<Artifact>, Diagnostics>;

/// The outputs that need more than the hardware; those of the hardware alone are backends of the
/// compiler's `emit`.
const OUTPUTS: [Output; 4] = [data, drawing, bitstream, cores];

/// `NAME_data.txt`.
fn data(of: &Hardware, _: &[Artifact]) -> Result<Vec<Artifact>, Diagnostics> {
    if !of.wanted.data {
        return Ok(vec![]);
    }
    let problem = Problem::made(of.file, load_operands(of.file, of.sources)?)?;
    let text = match &of.design.axi {
        Some(axi) => problem.axi_data(of.net, axi, LIMIT)?,
        None => problem.ram_data(of.net, &of.design.manifest, LIMIT)?,
    };
    Ok(vec![(format!("{}_data.txt", of.design.name), text)])
}

/// `NAME.svg`.
fn drawing(of: &Hardware, _: &[Artifact]) -> Result<Vec<Artifact>, Diagnostics> {
    let text = draw::svg(&of.compiled.lowered, of.net, &of.compiled.choice, None);
    Ok(vec![(format!("{}.svg", of.design.name), text)])
}

/// What makes a bitstream.
fn bitstream(of: &Hardware, _: &[Artifact]) -> Result<Vec<Artifact>, Diagnostics> {
    let Some(board) = of.board else { return Ok(vec![]) };
    Ok(samhw_fpga::sources(&design::kernel(of.design)?, board, Options { mhz: None, seed: 1 }))
}

/// FuseSoC cores where no board has its own: the kernel's, with its bench, and those of the modules
/// that it shares with other kernels.
fn cores(of: &Hardware, files: &[Artifact]) -> Result<Vec<Artifact>, Diagnostics> {
    if of.board.is_some() {
        return Ok(vec![]);
    }
    let design = of.design;
    let top = design.tops.last().map_or("", String::as_str);
    let verilog: Vec<String> = design.verilog().map(|(n, _)| n.clone()).collect();
    let program = format!("{}_cocotb.py", design.name);
    let read = [".json", ".f", "_data.txt"].map(|end| format!("{}{end}", design.name));
    let read: Vec<String> = read.into_iter().filter(|name| files.iter().any(|(n, _)| n == name)).collect();
    Ok(fusesoc::kernel_cores(top, &design.name, &verilog, &fusesoc::Bench { program: &program, files: &read }))
}
