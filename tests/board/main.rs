//! The whole chain of `samhw device`: the real command opens a pseudo-terminal, at whose other end
//! the board's design runs under Verilator behind a serial line that may be bad.

#![cfg(unix)]

mod fuzz;
mod model;

use model::{Compiled, Event, Noise, Running, compile, kernel, terminal};
use samhw_compiler::diag::Source;
use samhw_compiler::emit::emit;
use samhw_compiler::frontend;
use samhw_compiler::netlist::Netlist;
use samhw_fpga::port::Port;
use samhw_fpga::top::MODULES;
use samhw_sim::load::load_operands;
use samhw_sim::run::Problem;
use samhw_testing::drawn::{drawn, full};
use samhw_testing::rtl::parameters_are_checked;
use samhw_values::Rng;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const KERNEL: &str = "examples/spmv.toml";

fn seed() -> u64 {
    let seed = std::env::var("SAMHW_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(20);
    println!("SAMHW_SEED={seed}");
    seed
}

/// The kernel's problem and its netlist.
fn made() -> (Problem, Netlist) {
    let text = std::fs::read_to_string(KERNEL).unwrap();
    let file = frontend::parse(Arc::new(Source { path: KERNEL.into(), text })).unwrap();
    let problem = Problem::made(&file, load_operands(&file, &BTreeMap::new()).unwrap()).unwrap();
    let net = problem.declared_netlist().unwrap();
    (problem, net)
}

/// The kernel's design compiled for a board, with assertions or without, and the cycles of a run.
fn board(assertions: bool) -> Option<(Compiled, u64)> {
    let (problem, net) = made();
    let cycles = problem.run_native(&net, 1 << 30).unwrap().counts.cycles;
    Some((compile(&kernel(&emit(&problem.lowered, &net)), assertions)?, cycles))
}

fn device(kernel: &str, port: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_samhw"));
    command.args(["device", kernel, "--port"]).arg(port).args(more).output().unwrap()
}

/// Runs the kernel on a board, which must give what `samhw run` gives; what it complained about.
fn runs(board: &Running, cycles: u64, what: &str) -> String {
    let out = device(KERNEL, &board.port, &["--json"]);
    let err = String::from_utf8(out.stderr).unwrap();
    assert!(out.status.success(), "{what}: {err}");
    let json: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(json["matches_reference"], true, "{what}");
    assert_eq!(json["engine"], "board");
    assert_eq!(json["cycles"], cycles, "{what}: cycles differ from the native engine's");
    err
}

fn fails(out: &Output, code: &str) {
    let err = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{err}");
    assert!(err.contains(&format!("error[{code}]")), "{err}");
}

#[test]
fn a_board_does_what_run_does_on_good_and_bad_lines() {
    let seed = seed();
    let Some((design, cycles)) = board(true) else { return };
    let clean = design.start(Noise::default(), Event::Never, seed);
    // (On a busy machine the model may answer too late, which is no fault.)
    runs(&clean, cycles, "a clean line");
    // And again, without a reset between.
    runs(&clean, cycles, "the second run");
    // The design of another kernel is told apart.
    fails(&device("examples/spmv_dense.toml", &clean.port, &[]), "F013");
    drop(clean);
    let noises = [
        ("changed bytes", Noise { changed: 3000, ..Noise::default() }),
        ("lost bytes", Noise { lost: 3000, ..Noise::default() }),
        ("all kinds of noise", Noise { changed: 2000, lost: 2000, added: 2000 }),
    ];
    for (name, noise) in drawn(noises, 1) {
        let bad = design.start(noise, Event::Never, seed);
        let said = runs(&bad, cycles, name);
        assert!(said.contains("requests repeated"), "{name}: no noise came through");
    }
    let mut rng = Rng::new(seed);
    for _ in 0..if full() { 2 } else { 1 } {
        let at = 100 + rng.below(8000);
        let reset = design.start(Noise::default(), Event::Reset(at), seed);
        let said = runs(&reset, cycles, &format!("a reset after {at} bytes"));
        assert!(said.contains("the board was reset during the run"), "{said}");
    }
    let dead = design.start(Noise::default(), Event::Dead(3000), seed);
    fails(&device(KERNEL, &dead.port, &[]), "F012");
}

#[test]
fn a_port_without_a_board_is_told() {
    fails(&device(KERNEL, Path::new("/dev/ttyABSENT9"), &[]), "F010");
    fails(&device(KERNEL, Path::new("Cargo.toml"), &[]), "F010");
    let (_silent, port) = terminal();
    let out = device(KERNEL, &port, &[]);
    fails(&out, "F012");
    assert!(String::from_utf8_lossy(&out.stderr).contains("does not answer"));
    // A second process on the port.
    let _first = Port::open(&port, 115_200).unwrap();
    fails(&device(KERNEL, &port, &[]), "F011");
}

#[test]
fn an_interrupted_command_ends_and_leaves_the_port() {
    let (_silent, port) = terminal();
    let mut command = Command::new(env!("CARGO_BIN_EXE_samhw"));
    command.args(["device", KERNEL, "--json", "--port"]).arg(&port).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let begin = Instant::now();
    // It has the port once nobody else can.
    while Port::open(&port, 115_200).is_ok() {
        assert!(begin.elapsed() < Duration::from_secs(60), "it does not open the port");
        std::thread::sleep(Duration::from_millis(20));
    }
    // Whoever runs the tests may have had Ctrl-C ignored.
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let out = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(130), "{err}");
    assert!(err.contains("interrupted") && out.stdout.is_empty(), "{err}");
    assert!(Port::open(&port, 115_200).is_ok(), "the port is still locked");
}

/// Modules of the board's design stop the tools where a parameter is out of range.
#[test]
fn parameters_out_of_range_are_refused() {
    let modules = MODULES.map(|(file, text)| (file.strip_suffix(".v").unwrap_or(file), text));
    parameters_are_checked(&modules);
}
