//! SpMV of a matrix with ten million stored entries through the command line: time and memory from its Matrix Market
//! file to the checked result.

use crate::Verdict;
use crate::speed::cli::{Cli, Folder};
use crate::speed::clock::children_seconds;
use crate::table::{Table, grouped, verdict};
use anyhow::{Context, Result};
use samhw_values::Rng;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Rows and columns.
const ROWS: u64 = 1_000_000;
/// Entries of a row.
const PER_ROW: u64 = 10;
/// Most seconds on a processor.
const SECONDS: f64 = 60.0;
/// Most bytes resident at once.
const BYTES: u64 = 4 << 30;

const HEAD: &str = "name = \"mv\"\nexpr = \"y(i) = A(i,j) * x(j)\"\n[dims]\ni = 1000000\nj = 1000000\n[tensors.A]\n\
    format = \"csr\"\ntype = \"f32\"\n[tensors.x]\nformat = \"dense\"\ntype = \"f32\"\n[tensors.y]\nformat = \"dense\"\n\
    type = \"f32\"\n[schedule]\nlocate = [\"x\"]\n[data]\nx = { random = { density = 1.0, seed = 2 } }\n";

/// Writes a matrix whose entries of each row are different columns drawn at random.
fn matrix(path: &Path) -> Result<()> {
    let mut out = BufWriter::new(File::create(path).with_context(|| path.display().to_string())?);
    let mut rng = Rng::new(1);
    writeln!(out, "%%MatrixMarket matrix coordinate real general\n{ROWS} {ROWS} {}", ROWS * PER_ROW)?;
    for row in 1..=ROWS {
        let mut columns: Vec<u64> = Vec::new();
        while (columns.len() as u64) < PER_ROW {
            let c = 1 + rng.below(ROWS);
            if !columns.contains(&c) {
                columns.push(c);
            }
        }
        columns.sort_unstable();
        for c in columns {
            writeln!(out, "{row} {c} 0.{:06}", rng.below(1_000_000))?;
        }
    }
    Ok(out.flush()?)
}

/// Runs the benchmark.
pub fn run() -> Result<Verdict> {
    let Some(cli) = Cli::beside() else {
        return Ok(Verdict::NoTool("build the command line first (cargo build --release)".into()));
    };
    let place = Folder::new()?;
    let data = place.path.join("A.mtx");
    matrix(&data)?;
    let mut table =
        Table::new(&["SpMV of ten million entries", "cycles", "wall s", "processor s", "wanted", "MiB", "wanted", ""]);
    let mut missed = 0;
    for (name, memory) in [("memory on the chip", ""), ("memory behind AXI", AXI)] {
        let file = place.path.join("mv.toml");
        std::fs::write(&file, format!("{HEAD}{memory}"))?;
        let (file, data) = (file.display().to_string(), format!("A={}", data.display()));
        let before = children_seconds();
        let ran = cli.watched(&["run", &file, "--tensor", &data, "--convert", "round", "--json"])?;
        let busy = children_seconds().zip(before).map_or(ran.wall, |(now, then)| now - then);
        let ok = ran.success && busy <= SECONDS && ran.peak.is_none_or(|b| b <= BYTES);
        missed += usize::from(!ok);
        let cycles = ran.output.split_once("\"cycles\":").map_or("", |t| t.1);
        let cycles = cycles.split(|c: char| !c.is_ascii_digit()).next().and_then(|n| n.parse().ok());
        table.row(vec![
            name.into(),
            cycles.map_or("-".into(), grouped),
            format!("{:.1}", ran.wall),
            format!("{busy:.1}"),
            format!("<= {SECONDS:.0}"),
            ran.peak.map_or("-".into(), |b| grouped(b >> 20)),
            format!("<= {}", grouped(BYTES >> 20)),
            verdict(ok),
        ]);
    }
    table.print();
    println!("from the Matrix Market file to the checked result; processor seconds are what an idle machine takes");
    Ok(Verdict::of(missed))
}

/// The vector is on the chip.
const AXI: &str = "[hardware]\nmemory = \"axi\"\n[hardware.axi]\ndata_width = 256\non_chip = 4194304\n";
