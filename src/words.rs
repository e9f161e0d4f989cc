//! Words of other tools on the command line, and what they are here: what clap says of an unknown
//! word, with our word as the tip.

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::path::Path;

/// Commands by the words of other tools.
const COMMANDS: &[(&[&str], &str)] = &[
    (&["simulate", "sim", "execute", "exec", "test", "check", "verify", "eval"], "run"),
    (&["compile", "build", "generate", "emit", "codegen", "verilog", "rtl", "elaborate"], "gen"),
    (&["draw", "dot", "plot", "show", "view", "visualize", "print"], "graph"),
    (&["area", "cost", "resources", "report"], "estimate"),
    (&["tune", "autotune", "search", "optimize", "dse", "schedule"], "explore"),
    (&["synth", "synthesize", "bitstream", "implement", "pnr"], "fpga"),
    (&["program", "flash", "upload", "board"], "device"),
    (&["install", "setup", "doctor"], "tools"),
    (&["why", "describe", "diagnostic", "error"], "explain"),
];

/// Options by the words of other tools, and what is written.
const OPTIONS: &[(&[&str], &str, &str)] = &[
    (&["input", "inputs", "in", "data", "i", "operand", "tensors", "matrix"], "tensor", "--tensor NAME=FILE"),
    (&["output", "outputs", "o", "result", "save"], "out", "--out NAME=FILE"),
    (&["output", "o", "dir", "outdir", "directory", "output-dir"], "out", "--out DIR"),
    (&["timeline", "perfetto", "profile", "chrome-trace"], "trace", "--trace FILE.json"),
    (&["vcd", "waves", "waveform", "dump"], "wave", "--wave FILE.vcd"),
    (&["simulator", "backend", "sim", "target"], "engine", "--engine verilator"),
    (&["delay", "memory-latency"], "latency", "--latency CYCLES"),
    (&["round", "cast", "ones", "pattern"], "convert", "--convert round"),
    (&["device", "part", "chip"], "board", "--board BOARD"),
    (&["serial", "tty", "usb"], "port", "--port PORT"),
    (&["svg", "dot", "type"], "format", "--format svg"),
];

/// Values of `--engine` by the words of other tools.
const ENGINES: &[(&[&str], &str)] = &[
    (&["verilog", "rtl", "hdl", "vlog", "iverilog", "icarus"], "verilator"),
    (&["rust", "model", "cycle", "fast", "sam", "python"], "native"),
];

/// The error with our word as its tip, where what it is about is a word of other tools.
pub fn explained(mut error: clap::Error, cli: &Command) -> clap::Error {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let tip = match error.kind() {
        ErrorKind::InvalidSubcommand => text(ContextKind::InvalidSubcommand).and_then(|word| command(&word)),
        ErrorKind::UnknownArgument => text(ContextKind::InvalidArg).and_then(|word| option(&word, cli)),
        ErrorKind::InvalidValue => text(ContextKind::InvalidValue).and_then(|word| {
            let named = |(words, _): &&(&[&str], &str)| words.contains(&word.to_ascii_lowercase().as_str());
            let engine = text(ContextKind::InvalidArg).is_some_and(|arg| arg.starts_with("--engine"));
            ENGINES.iter().filter(|_| engine).find(named).map(|(_, ours)| format!("it is `--engine {ours}`"))
        }),
        _ => None,
    };
    if let Some(tip) = tip {
        error.remove(ContextKind::SuggestedSubcommand);
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::SuggestedValue);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// The command that `word` is elsewhere, or that a kernel file in its place is for.
fn command(word: &str) -> Option<String> {
    if Path::new(word).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml")) {
        return Some(format!(
            "say what to do with it: `samhw run {word}` simulates, `samhw gen {word}` writes Verilog"
        ));
    }
    let lower = word.to_ascii_lowercase();
    let ours = COMMANDS.iter().find(|(words, _)| words.contains(&lower.as_str())).map(|(_, ours)| ours)?;
    Some(format!("it is `samhw {ours}`"))
}

/// The option of the command that was called that `word` is elsewhere.
fn option(word: &str, cli: &Command) -> Option<String> {
    let name = word.trim_start_matches('-').split('=').next().unwrap_or(word).to_ascii_lowercase();
    let called = std::env::args().skip(1).find_map(|arg| cli.find_subcommand(&arg))?;
    let written = |text: &str| {
        called.get_arguments().any(|arg| {
            let value = arg.get_value_names().and_then(|names| names.first()).map(|name| name.as_str());
            let long = arg.get_long().map(|long| format!("--{long}"));
            long.is_some_and(|long| text.split(' ').next() == Some(&long))
                && (!text.contains("NAME=") || value == Some("NAME=FILE"))
        })
    };
    let known = OPTIONS.iter().filter(|(words, ..)| words.contains(&name.as_str()));
    known.map(|(_, _, text)| *text).find(|text| written(text)).map(|text| format!("write `{text}`"))
}
