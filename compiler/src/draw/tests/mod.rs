//! Tests of the drawings: golden text, well-formed DOT and SVG, nothing overlaps. A kernel file in
//! `kernels/` goes through all of them.

mod forms;
mod golden;
mod overlaps;

use crate::compiled::Compiled;
use crate::diag::Source;
use crate::facts::Density;
use crate::lower::Lowered;
use crate::netlist::Netlist;
use crate::passes::order::Choice;
use crate::pipeline::{compile_file, declared_netlist};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/draw/tests/kernels")
}

/// Every kernel file of the folder with its name, and what was made of it.
fn kernels() -> Vec<(String, Lowered, Netlist, Choice)> {
    let files = std::fs::read_dir(folder()).expect("the folder of kernels").map(|f| f.expect("a file").path());
    let mut files: Vec<_> = files.filter(|f| f.extension().is_some_and(|e| e == "toml")).collect();
    files.sort();
    let build = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("readable");
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let file =
            crate::frontend::parse(Arc::new(Source { path: format!("{name}.toml").into(), text })).expect("a kernel");
        let Compiled { choice, lowered, .. } = compile_file(&file, &Density::default()).expect("a graph");
        let net = declared_netlist(&lowered).expect("a netlist");
        (name, lowered, net, choice)
    };
    files.iter().map(build).collect()
}
