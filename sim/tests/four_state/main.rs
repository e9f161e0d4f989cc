//! Every example in four states: its Verilog under Icarus, with on-chip memories and behind AXI.
//! Registers and memories are X until they are written, and there is one cycle of reset. Results
//! and cycles are those of the native engine; after reset no valid or ready of a stream is X, nor a
//! beat that is valid - addresses and enables of memories among them - nor a result.
//!
//! Icarus does 1,000 to 4,000 cycles a second. An example whose run takes long gets a tenth of its
//! random entries. A third of the examples is drawn by `SAMHW_SEED` for each memory, all with
//! `SAMHW_FULL`; `SAMHW_EXAMPLE` runs the examples whose names contain it.

mod axi;
mod ram;

use samhw_compiler::diag::{Diagnostics, Source, render};
use samhw_compiler::emit::Design;
use samhw_compiler::emit::manifest::ManifestTop;
use samhw_compiler::frontend::{KernelFile, parse};
use samhw_compiler::netlist::Netlist;
use samhw_rtlsim as rtl;
use samhw_sim::load::load_operands;
use samhw_sim::run::Problem;
use samhw_testing::drawn::is_drawn;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const LIMIT: u64 = 1 << 20;

/// Cycles of an example with all of its entries.
const LONG: u64 = 600;

/// What a bench prints when all is right.
const RIGHT: &str = "all is right";

fn cache() -> PathBuf {
    let own = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.cache"));
    std::env::var_os("SAMHW_CACHE").map_or_else(own, PathBuf::from)
}

/// Of this many examples one is run with each memory.
const ONE_OF: u64 = 3;

/// Examples that are run with this memory: names and texts.
fn examples(memory: &str) -> Vec<(String, String)> {
    let wanted = std::env::var("SAMHW_EXAMPLE").ok();
    let is_run = |name: &str| match &wanted {
        Some(part) => name.contains(part),
        None => is_drawn((name, memory), ONE_OF),
    };
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples"));
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "toml"));
    paths.sort();
    let read =
        |p: PathBuf| (p.file_stem().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(p).unwrap());
    paths.into_iter().map(read).filter(|(name, _)| is_run(name)).collect()
}

fn kernel(name: &str, text: &str) -> Result<KernelFile, Diagnostics> {
    parse(Arc::new(Source { path: format!("{name}.toml").into(), text: text.into() }))
}

fn problem(file: &KernelFile) -> Problem {
    let loaded = load_operands(file, &BTreeMap::new()).unwrap_or_else(|d| panic!("{}", render(&d)));
    Problem::made(file, loaded).unwrap_or_else(|d| panic!("{}", render(&d)))
}

/// An example that does not take long.
fn short(name: &str, text: &str) -> Result<Problem, Diagnostics> {
    let whole = problem(&kernel(name, text)?);
    let net = whole.declared_netlist().expect("a netlist");
    if whole.run_native(&net, LIMIT).expect("it runs").counts.cycles <= LONG {
        return Ok(whole);
    }
    let fewer = text.replace("density = 0.", "density = 0.0");
    // Dense ones stay as they are.
    if fewer == text { Ok(whole) } else { Ok(problem(&kernel(name, &fewer)?)) }
}

/// A bench around one top of a design: Verilog that declares a net for every port and checks every
/// stream of the core.
struct Bench {
    design: rtl::Design,
    data: Vec<(String, String)>,
    text: String,
}

impl Bench {
    /// Of the top of this kind. `streams` are those of `net`'s that the core has, as `manifest` names them.
    fn new(emitted: &Design, kind: &str, net: &Netlist) -> Self {
        let top = emitted.manifest.tops.iter().find(|t| t.kind == kind).expect("the top is there");
        let mut text = nets(top);
        text += &checks(emitted, net);
        Self { design: rtl::Design::new("bench", emitted.verilog().cloned().collect()), data: Vec::new(), text }
    }

    /// A file of words, each a line of the concatenation of `fields`, value and bits.
    fn table(&mut self, name: &str, rows: &[Vec<(u64, u32)>]) {
        let mut text = String::new();
        for row in rows {
            row.iter().for_each(|(value, width)| {
                let _ = write!(text, "{value:0digits$b}", digits = *width as usize);
            });
            text.push('\n');
        }
        self.data.push((name.into(), text));
    }

    /// Runs it.
    #[track_caller]
    fn right(mut self, what: &str) {
        let text = format!("module bench;\n{}endmodule\n", self.text);
        self.design.files.push(("bench.v".into(), text));
        match rtl::run_iverilog(&self.design, &self.data, &cache()) {
            Err(e @ rtl::Error::ToolMissing { .. }) if std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none() => {
                eprintln!("skipped: {e}");
            }
            said => {
                let said = said.unwrap_or_else(|e| panic!("{what}: {e}"));
                assert!(said.lines().any(|l| l == RIGHT), "{what}: {said}");
            }
        }
    }
}

/// The top and a net for each of its ports; inputs are registers but those that other modules of
/// the bench drive.
fn nets(top: &ManifestTop) -> String {
    let mut out = String::from("    reg clk;\n    reg rst;\n");
    let managed = |name: &str| name.starts_with('m') && name.contains("_axi_");
    for p in top.ports.iter().filter(|p| !["clk", "rst"].contains(&p.name.as_str())) {
        let kind = if p.direction == "input" && !managed(&p.name) { "reg" } else { "wire" };
        let _ = writeln!(out, "    {kind} [{}-1:0] {};", p.width, p.name);
    }
    let pins: Vec<String> = top.ports.iter().map(|p| format!(".{0}({0})", p.name)).collect();
    let _ = writeln!(out, "    {} dut ({});", top.module, pins.join(", "));
    out
}

/// Counts in `unknown` what is X after reset: of every stream of the core valid, ready, and the
/// beat that is valid.
fn checks(emitted: &Design, net: &Netlist) -> String {
    let mut out = String::from(
        "    integer unknown;\n    initial unknown = 0;\n    always @(negedge clk) if (rst === 1'b0 && dut.u_core.rst !== 1'b1) begin\n",
    );
    for (k, (c, s)) in net.channels.iter().zip(&emitted.manifest.streams).enumerate() {
        if c.from.is_none() || Some(k) == net.done {
            continue;
        }
        let wire = |suffix: &str| format!("dut.u_core.{}_{suffix}", s.wires);
        let (valid, ready, beat) = (wire("valid"), wire("ready"), wire("beat"));
        let _ = write!(
            out,
            "        if (^{{{valid}, {ready}}} === 1'bx || ({valid} && ^{beat} === 1'bx)) begin\n            \
             if (unknown < 10) $display(\"%0t {}: valid %b, ready %b, beat %b\", $time, {valid}, {ready}, {beat});\n            \
             unknown = unknown + 1;\n        end\n",
            s.name
        );
    }
    out + "    end\n"
}

#[test]
fn every_example_with_memories_on_the_chip() {
    for (name, text) in examples("chip") {
        ram::run(&name, &short(&name, &text).unwrap_or_else(|d| panic!("{name}: {}", render(&d))));
    }
}

/// But those that say in their schedule what memory on the chip alone can do.
#[test]
fn every_example_behind_axi() {
    for (name, text) in examples("axi") {
        match short(&name, &(text + "\n[hardware]\nmemory = \"axi\"\n")) {
            Ok(problem) => axi::run(&name, &problem),
            Err(d) if d.iter().all(|d| ["S105", "S106"].contains(&d.code)) => {}
            Err(d) => panic!("{name}: {}", render(&d)),
        }
    }
}
