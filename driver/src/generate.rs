//! Verilog and everything that goes with it.

use crate::LIMIT;
use crate::bundle::Bundle;
use crate::bus;
use crate::design;
use crate::kernel::Sources;
use samhw_compiler::diag::{Diagnostic, Diagnostics};
use samhw_compiler::draw;
use samhw_compiler::emit::axi::emit_axi;
use samhw_compiler::emit::{Design, emit};
use samhw_compiler::facts::Density;
use samhw_compiler::frontend::{KernelFile, Memory};
use samhw_compiler::netlist::defaulted;
use samhw_compiler::pipeline::{at_statement, compile_file, declared_netlist};
use samhw_fpga::{Options, board, fusesoc};
use samhw_sim::load::load_operands;
use samhw_sim::run::Problem;

/// What `samhw gen` writes.
pub struct Generated {
    /// The kernel's name.
    pub name: String,
    /// Names and contents.
    pub files: Vec<(String, String)>,
    /// Top modules.
    pub tops: Vec<String>,
    /// Tensors without a declared capacity, and the one that they have.
    pub defaulted: Vec<(String, u64)>,
    /// What it leaves unused of its bus.
    pub warnings: Vec<Diagnostic>,
}

/// What is generated besides a kernel's hardware, and how files are laid out.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// What makes a bitstream for this board.
    pub board: Option<String>,
    /// The data of a run.
    pub data: bool,
    /// Files laid out otherwise; not for a board.
    pub bundle: Bundle,
}

/// Generates a kernel.
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
    let mut files = design.files.clone();
    if wanted.data {
        let loaded = load_operands(file, sources)?;
        let problem = Problem::made(file, loaded)?;
        let text = match &design.axi {
            Some(axi) => problem.axi_data(&net, axi, LIMIT)?,
            None => problem.ram_data(&net, &design.manifest, LIMIT)?,
        };
        files.push((format!("{}_data.txt", design.name), text));
    }
    files.push((format!("{}.svg", design.name), draw::svg(&compiled.lowered, &net, &compiled.choice, None)));
    match &board {
        Some(board) => {
            let options = Options { mhz: None, seed: 1 };
            for (name, text) in samhw_fpga::sources(&design::kernel(&design)?, board, options) {
                // Those of the kernel are the same.
                if !files.iter().any(|(n, _)| *n == name) {
                    files.push((name, text));
                }
            }
        }
        None => {
            let cores = fusesoc_cores(&design, &files);
            files.extend(cores);
        }
    }
    let capacities = defaulted(&compiled.lowered.kernel, &compiled.lowered.graph);
    let defaulted = capacities.into_iter().map(|(tensor, n)| (tensor.to_string(), n)).collect();
    let warnings = bus::warnings(file, &compiled.lowered, &net);
    Ok(Generated { name: design.name, files, tops: design.tops, defaulted, warnings })
}

/// FuseSoC cores of a design whose other files are these: the kernel's, with its bench, and those
/// of the modules that it shares with other kernels.
fn fusesoc_cores(design: &Design, files: &[(String, String)]) -> Vec<(String, String)> {
    let top = design.tops.last().map_or("", String::as_str);
    let verilog: Vec<String> = design.verilog().map(|(n, _)| n.clone()).collect();
    let program = format!("{}_cocotb.py", design.name);
    let read = [".json", ".f", "_data.txt"].map(|end| format!("{}{end}", design.name));
    let read: Vec<String> = read.into_iter().filter(|name| files.iter().any(|(n, _)| n == name)).collect();
    fusesoc::kernel_cores(top, &design.name, &verilog, &fusesoc::Bench { program: &program, files: &read })
}
