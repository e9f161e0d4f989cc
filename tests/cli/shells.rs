//! What shells, editors and scripts ask: completions, manual pages, schemas, set kernel files; how
//! much is said, and in which colours; Verilog laid out otherwise.

use crate::support::{Folder, SPMV};
use serde_json::Value;
use std::collections::BTreeSet;

const COMMANDS: [&str; 16] = [
    "gen",
    "run",
    "graph",
    "fpga",
    "device",
    "estimate",
    "explore",
    "sweep",
    "calibrate",
    "primitives",
    "tools",
    "cache",
    "fmt",
    "schema",
    "completions",
    "man",
];

#[test]
fn shells_know_the_commands() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.fine(&["completions", shell]).out;
        assert!(COMMANDS.iter().all(|command| script.contains(command)) && script.contains("junit"), "{shell}");
    }
    folder.fine(&["man", "--out", "pages"]);
    for command in COMMANDS {
        let page = folder.read(&format!("pages/samhw-{command}.1"));
        assert!(page.contains(".TH") && page.contains("quiet"), "{page}");
    }
    assert!(folder.read("pages/samhw-run.1").contains("Examples"));
    assert!(folder.fine(&["man"]).out.contains("samhw\\-run(1)"));
}

#[test]
fn help_has_examples_and_lists() {
    let folder = Folder::new();
    for command in COMMANDS {
        assert!(folder.fine(&[command, "--help"]).out.contains("Examples:\n  samhw "), "{command}");
    }
    assert!(folder.fine(&["fpga", "--help"]).out.contains("Boards: hx8k, icebreaker"));
    assert!(folder.fine(&["tools", "install", "--help"]).out.contains("synth"));
}

#[test]
fn kernel_files_are_set_alike() {
    let folder = Folder::new();
    folder.write("bad.toml", "# Kept.\nexpr=\"y = x\"   #why\n\n\n\n[dims]\n").write("spmv.toml", SPMV);
    let set = "# Kept.\nexpr = \"y = x\"   #why\n\n[dims]\n";
    folder.fine(&["fmt", "spmv.toml"]);
    let check = folder.run(&["fmt", "--check", "bad.toml", "spmv.toml"]);
    assert_eq!((check.status, check.out.as_str()), (1, "bad.toml\n"));
    folder.fine(&["fmt", "bad.toml"]);
    assert_eq!(folder.read("bad.toml"), set);
    folder.write("bad.toml", "expr = ");
    folder.run(&["fmt", "bad.toml"]).failed(2, "K001");
}

#[test]
fn schemas_are_json() {
    let folder = Folder::new();
    let of = |args: &[&str]| -> Value { serde_json::from_str(&folder.fine(args).out).unwrap() };
    assert!(of(&["schema"])["properties"]["tensors"].is_object());
    assert_eq!(of(&["schema", "run"]), of(&["run", "--json-schema"]));
}

#[test]
fn messages_are_as_quiet_and_as_coloured_as_asked() {
    let folder = Folder::new();
    // A warning: sizes of a tensor that no statement uses.
    folder.write("spmv.toml", format!("{SPMV}[tensors.Z]\nlevels = [\"dense\"]\ntype = \"i32\"\nshape = [3]\n"));
    assert!(folder.run(&["run", "spmv.toml"]).err.contains("warning[W"));
    assert_eq!(folder.run(&["run", "spmv.toml", "--quiet"]).err, "");
    let plain = folder.run(&["run", "none.toml"]).err;
    assert!(!plain.contains('\u{1b}') && folder.run(&["run", "none.toml", "-q"]).err == plain);
    let painted = folder.run(&["run", "none.toml", "--color", "always"]).err;
    assert!(painted.contains("\u{1b}[") && painted.contains("K000"), "{painted}");
}

#[test]
fn verilog_is_laid_out_as_asked() {
    let folder = Folder::new();
    folder.write("spmv.toml", SPMV);
    folder.fine(&["gen", "spmv.toml", "-o", "plain"]);
    folder.fine(&["gen", "spmv.toml", "-o", "one", "--single-file", "--prefix", "v2_"]);
    let modules = |text: &str, prefix: &str| -> BTreeSet<String> {
        let named = text.lines().filter_map(|line| line.strip_prefix("module "));
        named.map(|rest| rest.split([' ', '(', ';']).next().unwrap().trim_start_matches(prefix).to_owned()).collect()
    };
    let files: Vec<String> =
        folder.read("plain/spmv.f").lines().map(|name| folder.read(&format!("plain/{name}"))).collect();
    let whole = folder.read("one/spmv.v");
    assert_eq!(folder.read("one/spmv.f"), "spmv.v\n");
    assert!(modules(&whole, "v2_").len() > 10 && modules(&whole, "v2_") == modules(&files.concat(), ""));
    assert!(whole.contains("module v2_samhw_skid") && !whole.contains(" samhw_skid"), "{whole}");
    assert!(folder.read("one/spmv_rust_hdl.rs").contains("&[\n    include_str!(\"spmv.v\"),\n]"));
    assert!(!folder.content().keys().any(|path| path.ends_with("one/spmv_core.v")));
    assert_eq!(folder.run(&["gen", "spmv.toml", "--prefix", "2v"]).status, 2);
}
