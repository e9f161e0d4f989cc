//! FuseSoC core files (CAPI2).

use crate::board::Board;
use crate::design::Kernel;
use std::fmt::Write;

/// The core of a board design: `lint` (Verilator), `sim` (Icarus compiles it).
pub fn board_core(kernel: &Kernel, board: &Board, verilog: &[String]) -> String {
    core(&format!("{}_board", kernel.name), &format!("{} on {}", kernel.name, board.title), verilog)
}

/// The core of a kernel whose top is `top`.
pub fn core(top: &str, description: &str, verilog: &[String]) -> String {
    let mut out = String::from("CAPI=2:\n");
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "name: \"::{top}:0\"\ndescription: \"{description}\"\n\nfilesets:\n  rtl:\n    file_type: verilogSource-2005\n    files:\n"
    );
    for file in verilog {
        let _ = writeln!(out, "      - {file}");
    }
    let target = |name: &str, tool: &str, options: &str| {
        format!(
            "  {name}:\n    default_tool: {tool}\n    filesets: [rtl]\n    toplevel: {top}\n    tools:\n      {tool}:\n        {options}\n"
        )
    };
    let _ = write!(
        out,
        "\ntargets:\n  default:\n    filesets: [rtl]\n    toplevel: {top}\n{}{}",
        target("lint", "verilator", "mode: lint-only\n        verilator_options: [-Wall]"),
        target("sim", "icarus", "iverilog_options: [-g2005, -Wall]"),
    );
    out
}
