//! Elementwise product of two vectors of 2000 entries in the configurations of the SAM paper's figure 13.

use crate::cycles::run_checked;
use crate::kernel::{Data, Kernel, Tensor};
use crate::table::{Table, grouped, verdict};
use crate::{Verdict, shared};
use anyhow::{Context, Result};
use std::path::Path;

/// A configuration: SAM's name, ours with what the schedule adds to SAM's, levels and schedule.
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
    let mut table = Table::new(&["data", "configuration", "ours", "SAM", "ours/SAM", ""]);
    let mut missed = 0;
    for v in measured(&folder)? {
        let ok = v.ours <= v.sam;
        missed += usize::from(!ok);
        let ratio = format!("{:.3}", v.ours as f64 / v.sam as f64);
        table.row(vec![v.set, v.configuration.into(), grouped(v.ours), grouped(v.sam), ratio, verdict(ok)]);
    }
    table.print();
    println!("wanted: ours <= SAM");
    Ok(Verdict::of(missed))
}

/// Measures every configuration on every data set for which SAM has cycles.
pub fn measured(folder: &Path) -> Result<Vec<Vectors>> {
    let inputs = folder.join("inputs");
    let results = folder.join("results.csv");
    let text = std::fs::read_to_string(&results).with_context(|| results.display().to_string())?;
    let mut out = Vec::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split(',').collect();
        let [kernel, input, cycles, ..] = cells[..] else { continue };
        let Some(configuration) = CONFIGURATIONS.iter().find(|c| c.0 == kernel) else { continue };
        let sam = cycles.parse().with_context(|| format!("cycles of {kernel}"))?;
        let set = input.trim_start_matches("vec2000_").trim_end_matches("_B/C.mtx");
        let ours = measure(configuration, &inputs, set).with_context(|| format!("{set}, {}", configuration.1))?;
        out.push(Vectors { set: set.into(), configuration: configuration.1, ours, sam });
    }
    Ok(out)
}

/// Cycles of one configuration on one data set.
fn measure((_, _, level, schedule): &Configuration, inputs: &Path, set: &str) -> Result<u64> {
    let files = ["B", "C"].map(|t| format!("vec2000_{set}_{t}.mtx"));
    let levels = level.to_string();
    // The result is stored as the operands are: a dense vector, or its coordinates.
    let tensors: [Tensor; 3] = [
        ("b", &levels, &[], Data::File(&files[0])),
        ("c", &levels, &[], Data::File(&files[1])),
        ("x", &levels, &[], Data::Result),
    ];
    let kernel = Kernel { expr: "x(i) = i32(b(i)) * i32(c(i))", order: "i", dims: &[2000], tensors: &tensors };
    run_checked(&kernel.scheduled(inputs, schedule)?)
}
