//! `samhw gen`: Verilog and everything that goes with it.

use crate::staging::Staging;
use crate::{Failure, fpga, input, output};
use samhw_compiler::data::ValuePolicy;
use samhw_compiler::draw;
use samhw_compiler::emit::axi::emit_axi;
use samhw_compiler::emit::{Design, emit};
use samhw_compiler::facts::Density;
use samhw_compiler::frontend::Memory;
use samhw_compiler::netlist::defaulted;
use samhw_compiler::pipeline::{at_statement, compile_file, declared_netlist};
use samhw_fpga::{Options, board, fusesoc};
use samhw_sim::load::load_operands;
use samhw_sim::run::Problem;
use std::path::PathBuf;

/// Write the Verilog of a kernel and everything that goes with it.
#[derive(Debug, clap::Args)]
pub struct GenArgs {
    /// Kernel file
    kernel: PathBuf,
    /// Folder to write to [default: the kernel's name]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Add what makes a bitstream for this board with `make`
    #[arg(long)]
    board: Option<String>,
    /// Add the kernel file's data with their results, for the generated bench and programs
    #[arg(long)]
    data: bool,
    /// Data of an operand for that: NAME=FILE (.mtx, .tns, .npy, .npz, .gz of them); may be repeated
    #[arg(long, value_name = "NAME=FILE", requires = "data")]
    tensor: Vec<String>,
}

/// Cycles after which the run whose results go with the data is given up.
const LIMIT: u64 = 1 << 40;

/// Runs the command.
pub fn main(args: &GenArgs) -> Result<(), Failure> {
    let board = args.board.as_deref().map(board::find).transpose()?;
    let file = input::kernel(&args.kernel)?;
    if board.is_some() {
        fpga::on_chip(&file)?;
    }
    let compiled = compile_file(&file, &Density::default())?;
    let net = declared_netlist(&compiled.lowered).map_err(|d| at_statement(&file, d))?;
    let design = match &file.hardware.memory {
        Memory::Ram => emit(&compiled.lowered, &net),
        Memory::Axi(options) => emit_axi(&compiled.lowered, &net, options).map_err(|d| at_statement(&file, d))?,
    };
    let mut files = design.files.clone();
    if args.data {
        let loaded = load_operands(&file, &input::tensors(&args.tensor, ValuePolicy::default())?)?;
        let problem = Problem::made(&file, loaded)?;
        let text = match &design.axi {
            Some(axi) => problem.axi_data(&net, axi, LIMIT)?,
            None => problem.ram_data(&net, &design.manifest, LIMIT)?,
        };
        files.push((format!("{}_data.txt", design.name), text));
    }
    files.push((format!("{}.svg", design.name), draw::svg(&compiled.lowered, &net, &compiled.choice)));
    match &board {
        Some(board) => {
            let options = Options { mhz: None, seed: 1 };
            for (name, text) in samhw_fpga::sources(&fpga::kernel(&design)?, board, options) {
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
    let dir = args.out.clone().unwrap_or_else(|| PathBuf::from(&design.name));
    let staging = Staging::new(&dir)?;
    staging.write(&files)?;
    staging.publish("gen", files.iter().map(|(name, _)| name.as_str()))?;
    let mut said = format!("{}: {} files, tops {}\n", dir.display(), files.len(), design.tops.join(", "));
    for (tensor, capacity) in defaulted(&compiled.lowered.kernel, &compiled.lowered.graph) {
        said += &format!("{tensor}: no nnz declared, its memory holds {capacity} entries\n");
    }
    output::print(&said)
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
