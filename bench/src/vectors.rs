//! Elementwise product of two vectors of 2000 entries in the configurations of the SAM paper's figure 13.

use crate::cycles::run_checked;
use crate::kernel::{Data, Kernel, Tensor};
use crate::table::{Table, grouped};
use crate::{Verdict, shared};
use anyhow::{Context, Result};
use std::path::Path;

/// A configuration: SAM's name if it has one, ours with what the schedule adds to SAM's, levels and schedule.
type Configuration = (&'static str, &'static str, char, &'static str);

const CONFIGURATIONS: [Configuration; 6] = [
    ("vecmul_dense", "dense, 2 lanes", 'd', "lanes = { i = 2 }\n"),
    ("vecmul_crd", "crd, wide 4", 's', "locate = []\nwide = { i = 4 }\n"),
    ("vecmul_crd_skip", "skip, wide 4", 's', "locate = []\nskip = [\"i\"]\nwide = { i = 4 }\n"),
    (
        "vecmul_crd_split64",
        "split, marked, wide 4",
        's',
        "locate = []\nsplit = { i = 8 }\nbitvector = { i0 = 256 }\nwide = { i1 = 4 }\n",
    ),
    (
        "vecmul_bittree64",
        "bit-tree, 2 copies",
        's',
        "locate = []\nsplit = { i = 256 }\nbitvector = { i0 = 8, i1 = 256 }\nparallel = { i = 2 }\n",
    ),
    ("vecmul_bv64", "bitvector", 's', "locate = []\nbitvector = { i = 64 }\n"),
];

/// The same products without these choices, and tiles of 64 as SAM has them.
const PLAIN: [Configuration; 9] = [
    ("", "dense", 'd', ""),
    ("", "crd", 's', "locate = []\nwide = {}\n"),
    ("", "wide 2", 's', "locate = []\nwide = { i = 2 }\n"),
    ("", "skip", 's', "locate = []\nskip = [\"i\"]\nwide = {}\n"),
    ("", "split", 's', "locate = []\nsplit = { i = 64 }\nwide = {}\n"),
    ("", "bit-tree", 's', "locate = []\nsplit = { i = 64 }\nbitvector = { i0 = 32, i1 = 64 }\n"),
    ("", "2 copies", 's', "locate = []\nsplit = { i = 64 }\nbitvector = { i0 = 32, i1 = 64 }\nparallel = { i = 2 }\n"),
    ("", "64 marked", 's', "locate = []\nsplit = { i = 64 }\nbitvector = { i0 = 32 }\nwide = { i1 = 4 }\n"),
    ("", "64 listed", 's', "locate = []\nsplit = { i = 64 }\nwide = { i = 4 }\n"),
];

/// Single coordinates, words of bits, and a bit-tree with one copy.
const WORDS: [Configuration; 3] = [
    ("vecmul_crd", "coordinates", 's', "locate = []\nwide = {}\n"),
    ("vecmul_bv64", "bit vector", 's', "locate = []\nbitvector = { i = 64 }\n"),
    ("vecmul_bittree64", "bit-tree", 's', "locate = []\nsplit = { i = 256 }\nbitvector = { i0 = 8, i1 = 256 }\n"),
];

/// A measurement of figure 13.
pub struct Vectors {
    /// Data set.
    pub set: String,
    /// Configuration.
    pub configuration: &'static str,
    /// Cycles of our hardware.
    pub ours: u64,
    /// Cycles of SAM's simulator.
    pub sam: u64,
}

/// Runs the benchmark.
pub fn run() -> Result<Verdict> {
    let Some(folder) = shared::find("bench", "vectors") else { return Ok(Verdict::Good) };
    pivot(&folder, &CONFIGURATIONS)?.print();
    let missed: Vec<Vectors> = measured(&folder)?.into_iter().filter(|v| v.ours > v.sam).collect();
    for v in &missed {
        println!("MISSED: {}, {}: {}, SAM {}", v.set, v.configuration, grouped(v.ours), grouped(v.sam));
    }
    println!("wanted: ours <= SAM\n");
    pivot(&folder, &PLAIN)?.print();
    println!();
    pivot(&folder, &WORDS)?.print();
    Ok(Verdict::of(missed.len()))
}

/// Cycles of configurations, by the first word of their names, on every data set, next to SAM's where SAM has that
/// configuration.
fn pivot(folder: &Path, configurations: &[Configuration]) -> Result<Table> {
    let results = results(folder)?;
    let mut sets: Vec<&String> = Vec::new();
    for (_, set, _) in &results {
        if !sets.contains(&set) {
            sets.push(set);
        }
    }
    let mut heads = vec!["data"];
    heads.extend(
        configurations.iter().flat_map(|c| [c.1.split(',').next(), (!c.0.is_empty()).then_some("SAM")]).flatten(),
    );
    let mut table = Table::new(&heads);
    for set in sets {
        let mut row = vec![set.clone()];
        for configuration in configurations {
            row.push(grouped(measure(configuration, folder, set)?));
            row.extend(results.iter().find(|r| (r.0.as_str(), &r.1) == (configuration.0, set)).map(|r| grouped(r.2)));
        }
        table.row(row);
    }
    Ok(table)
}

/// Kernel, data set and cycles of every run of SAM's on vectors.
fn results(folder: &Path) -> Result<Vec<(String, String, u64)>> {
    let results = folder.join("results.csv");
    let text = std::fs::read_to_string(&results).with_context(|| results.display().to_string())?;
    let mut out = Vec::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split(',').collect();
        let [kernel, input, cycles, ..] = cells[..] else { continue };
        let Some(set) = input.strip_prefix("vec2000_") else { continue };
        let sam = cycles.parse().with_context(|| format!("cycles of {kernel}"))?;
        out.push((kernel.to_string(), set.trim_end_matches("_B/C.mtx").to_string(), sam));
    }
    Ok(out)
}

/// Measures every configuration on every data set for which SAM has cycles.
pub fn measured(folder: &Path) -> Result<Vec<Vectors>> {
    let mut out = Vec::new();
    for (kernel, set, sam) in results(folder)? {
        let Some(configuration) = CONFIGURATIONS.iter().find(|c| c.0 == kernel) else { continue };
        let ours = measure(configuration, folder, &set)?;
        out.push(Vectors { set, configuration: configuration.1, ours, sam });
    }
    Ok(out)
}

/// Cycles of one configuration on one data set.
fn measure((_, name, level, schedule): &Configuration, folder: &Path, set: &str) -> Result<u64> {
    let files = ["B", "C"].map(|t| format!("vec2000_{set}_{t}.mtx"));
    let levels = level.to_string();
    // The result is stored as the operands are: a dense vector, or its coordinates.
    let tensors: [Tensor; 3] = [
        ("b", &levels, &[], Data::File(&files[0])),
        ("c", &levels, &[], Data::File(&files[1])),
        ("x", &levels, &[], Data::Result),
    ];
    let kernel = Kernel { expr: "x(i) = i32(b(i)) * i32(c(i))", order: "i", dims: &[2000], tensors: &tensors };
    let cycles = kernel.scheduled(&folder.join("inputs"), schedule).and_then(|problem| run_checked(&problem));
    cycles.with_context(|| format!("{set}, {name}"))
}
