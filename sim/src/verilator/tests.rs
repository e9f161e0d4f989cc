//! What the engine says when a run does not end, data do not fit, or a tool is missing; and waves.

use super::{Built, Error, Options, Verilator};
use crate::native::Watched;
use crate::problem::{Packed, config};
use samhw_compiler::diag::{Diagnostic, Source};
use samhw_compiler::emit::{Design, emit};
use samhw_compiler::facts::Density;
use samhw_compiler::frontend::parse;
use samhw_compiler::lower::Lowered;
use samhw_compiler::netlist::Netlist;
use samhw_compiler::pipeline::{compile_file, declared_netlist};
use samhw_rtlsim as rtl;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

const KERNEL: &str = "name = \"t\"\nexpr = \"x(i) = b(i) * c(i)\"\n[dims]\ni = 8\n[tensors.b]\nformat = \"sv\"\n\
                      [tensors.c]\nformat = \"sv\"\n[tensors.x]\nformat = \"sv\"\n";

fn cache() -> PathBuf {
    let own = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.cache"));
    std::env::var_os("SAMHW_CACHE").map_or_else(own, PathBuf::from)
}

fn kernel() -> (Lowered, Netlist, Design) {
    let text = KERNEL.replace("format = \"sv\"", "levels = [\"compressed\"]\ntype = \"i16\"");
    let file = parse(Arc::new(Source { path: "t.toml".into(), text })).expect("a kernel");
    let lowered = compile_file(&file, &Density::default()).expect("a graph").lowered;
    let net = declared_netlist(&lowered).expect("a netlist");
    let emitted = emit(&lowered, &net);
    (lowered, net, emitted)
}

/// `None` where a tool is missing and may be.
fn built<'a>(net: &'a Netlist, emitted: &Design, trace: bool) -> Option<Built<'a>> {
    match Built::new(net, emitted, Options { trace, ..Options::default() }, &cache()) {
        Err(Error::Tools(e @ rtl::Error::ToolMissing { .. })) if std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none() => {
            eprintln!("skipped: {e}");
            None
        }
        other => Some(other.expect("the Verilog compiles")),
    }
}

/// An engine with one entry in each operand.
fn loaded<'a>(built: &'a Built, lowered: &Lowered, net: &Netlist) -> Verilator<'a> {
    let mut engine = Verilator::new(built, &config(lowered, net, &Packed { dims: vec![8], ..Packed::default() }));
    for (k, a) in net.arrays.iter().enumerate().filter(|(_, a)| a.host_writes) {
        let words: &[u64] = if a.name.contains("seg") { &[0, 1] } else { &[3] };
        engine.store(k, words).expect("fits");
    }
    engine
}

#[test]
fn a_run_leaves_counts_results_and_a_waveform() {
    let (lowered, net, emitted) = kernel();
    let Some(built) = built(&net, &emitted, true) else { return };
    let mut engine = loaded(&built, &lowered, &net);
    let path = cache().join(format!("wave-{}.vcd", std::process::id()));
    engine.model().wave(&path).expect("a file");
    let counts = engine.run(1000).expect("it ends");
    assert!(counts.cycles > 5 && counts.cells.iter().all(|c| c.busy + c.stalled + c.starved == counts.cycles));
    let values = net.arrays.iter().position(|a| a.name == "x_vals").expect("a result");
    assert_eq!(engine.fetch(values).expect("readable")[0], 9);
    drop(engine);
    let text = std::fs::read_to_string(&path).expect("written");
    std::fs::remove_file(&path).expect("removed");
    assert!(text.contains("done_valid") && text.contains("$enddefinitions"));
}

#[test]
fn a_cancelled_run_ends() {
    let (lowered, net, emitted) = kernel();
    let Some(built) = built(&net, &emitted, false) else { return };
    let mut engine = loaded(&built, &lowered, &net);
    let shared = Arc::new(Watched::default());
    engine.watch(shared.clone());
    engine.run(1000).expect("nobody cancels it");
    shared.cancelled.store(true, Ordering::Relaxed);
    let Err(Error::Limit { cycles: 0..5, .. }) = engine.run(1000) else { panic!("it goes on") };
}

#[test]
fn errors_name_what_waits_and_what_does_not_fit() {
    let (lowered, net, emitted) = kernel();
    let Some(built) = built(&net, &emitted, false) else { return };
    let mut engine = loaded(&built, &lowered, &net);
    let Err(Error::Limit { cycles: 5, .. }) = engine.run(5) else { panic!("5 cycles are not enough") };
    let (k, array) = net.arrays.iter().enumerate().find(|(_, a)| a.host_writes).expect("an operand");
    let e = engine.store(k, &vec![0; array.words as usize + 1]).expect_err("one too many");
    assert_eq!(Diagnostic::from(e).code, "R023");
}

#[test]
fn a_run_that_cannot_end_names_the_streams() {
    let (lowered, net, mut emitted) = kernel();
    // A memory that never takes what is written.
    let file = emitted.files.iter_mut().find(|(name, _)| name == "samhw_mem_write.v").expect("a result's memory");
    file.1 = file.1.replace("assign write_ready = 1'b1;", "assign write_ready = 1'b0;");
    let Some(built) = built(&net, &emitted, false) else { return };
    let e = loaded(&built, &lowered, &net).run(1 << 30).expect_err("it cannot end");
    let d = Diagnostic::from(e.clone());
    assert!(matches!(e, Error::Deadlock { .. }) && d.code == "R010" && d.message.contains("write"), "{d:?}");
}

#[test]
fn a_missing_tool_says_what_to_install() {
    let remedy = "run `samhw tools install`";
    let e = rtl::Error::ToolMissing { tool: "verilator", why: "it is not on PATH".into(), remedy };
    let d = Diagnostic::from(Error::from(e));
    assert!(d.code == "R001" && d.help[0].contains("samhw tools install"), "{d:?}");
}
