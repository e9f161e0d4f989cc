//! Tests of the drawings: golden text, well-formed DOT and SVG, nothing overlaps. A kernel file in
//! `kernels/` goes through all of them.

mod forms;
mod golden;
mod overlaps;

use crate::diag::Source;
use crate::lower::Lowered;
use crate::netlist::{Netlist, declared, realize};
use crate::passes::{fifo, order};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/draw/tests/kernels")
}

/// Every kernel file of the folder with its name, and what was made of it.
fn kernels() -> Vec<(String, Lowered, Netlist, order::Choice)> {
    let files = std::fs::read_dir(folder()).expect("the folder of kernels").map(|f| f.expect("a file").path());
    let mut files: Vec<_> = files.filter(|f| f.extension().is_some_and(|e| e == "toml")).collect();
    files.sort();
    let build = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("readable");
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let file =
            crate::frontend::parse(Arc::new(Source { path: format!("{name}.toml").into(), text })).expect("a kernel");
        let choice = order::choose(&file.kernel, &order::Density::default()).expect("an order");
        let mut lowered = crate::lower::lower(&file.kernel, &choice.order).expect("a graph");
        crate::netlist::wide::choose(&mut lowered, true);
        let mut net = realize(&lowered, &declared(&lowered.kernel, &lowered.graph));
        fifo::insert(&mut net, &lowered.kernel, fifo::Depths::Auto);
        (name, lowered, net, choice)
    };
    files.iter().map(build).collect()
}
