//! SpM*SpM by tiles on tensors larger than the chip's memories: matrices of growing size with a constant number of
//! entries, as in figure 15 of the SAM paper (the ExTensor study).

use crate::Verdict;
use crate::kernel::{one, rendered};
use crate::plot::Chart;
use crate::table::{Table, grouped};
use anyhow::{Context, Result, bail};
use samhw_compiler::diag::Source;
use samhw_compiler::frontend::{AxiOptions, Memory, parse};
use samhw_compiler::netlist::Netlist;
use samhw_sim::axi::Settings;
use samhw_sim::native::Watch;
use samhw_sim::run::Problem;
use samhw_sim::tensor::{Coo, Loaded};
use samhw_values::Rng;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Hardware for all of them: tiles of 128 x 128, a 64-bit bus.
const KERNEL: &str = r#"
name = "tiled"
expr = "X(i,j) = B(i,k) * C(k,j)"
order = ["i0", "j0", "k0", "i1", "k1", "j1"]
[dims]
i = 15720
j = 15720
k = 15720
[tensors.B]
format = "dcsr"
type = "i32"
nnz = 50000
[tensors.C]
format = "dcsr"
type = "i32"
nnz = 50000
[tensors.X]
format = "dcsr"
type = "i32"
nnz = 2000000
[schedule]
split = { i = 128, k = 128, j = 128 }
[hardware]
memory = "axi"
"#;

const SIZES: [u64; 7] = [1024, 2048, 3696, 6368, 9040, 12384, 15720];
const ENTRIES: [usize; 4] = [5_000, 10_000, 25_000, 50_000];
/// Cycles until a line that is asked for comes.
const LATENCY: u64 = 100;
const LIMIT: u64 = 1 << 32;

/// A matrix of `n` x `n` with this many entries at random places.
fn matrix(n: u64, entries: usize, seed: u64) -> Result<Coo> {
    let mut rng = Rng::new(seed);
    let mut places = std::collections::BTreeSet::new();
    while places.len() < entries {
        places.insert([rng.below(n), rng.below(n)]);
    }
    let values = (0..entries).map(|_| 1 + rng.below(9)).collect();
    Coo::new(vec![n, n], places.into_iter().flatten().collect(), values).map_err(|c| anyhow::anyhow!("{c:?}"))
}

/// The product of two such matrices.
fn problem(n: u64, entries: usize) -> Result<(Problem, AxiOptions)> {
    let source = Arc::new(Source { path: "tiled.toml".into(), text: KERNEL.into() });
    let file = parse(source).map_err(|d| rendered(&d))?;
    let Memory::Axi(options) = &file.hardware.memory else { bail!("the kernel is behind AXI") };
    let mut loaded = BTreeMap::new();
    for (seed, name) in [(1, "B"), (2, "C")] {
        let t = file.kernel.tensors.iter().position(|t| t.name == name).context("an operand")?;
        loaded.insert(samhw_compiler::stmt::TensorId(t), Loaded { coo: matrix(n, entries, seed)?, sized: true });
    }
    Ok((Problem::made(&file, loaded).map_err(|d| rendered(&d))?, options.clone()))
}

/// Cycles and bytes with its memory, and products of tiles; the result must be right.
fn measure(problem: &Problem, net: &Netlist, options: &AxiOptions) -> Result<(u64, u64, u64)> {
    let settings = Settings { latency: (LATENCY, LATENCY), ..Settings::default() };
    let (outcome, bill) = problem.run_axi_native(net, options, &settings, LIMIT, Watch::default()).map_err(one)?;
    for (t, coo) in &outcome.results {
        if problem.compare(*t, coo).map_err(one)?.difference.is_some() {
            bail!("the result differs from the reference");
        }
    }
    // Tiles that meet: what the innermost join of loops over tiles puts out, less its stops.
    let meet = net.cells.iter().position(|c| c.name == "join_k0").context("a join of tiles")?;
    let out = |c: &samhw_compiler::netlist::Channel| c.from.is_some_and(|(cell, _)| cell.0 == meet);
    let beats = net.channels.iter().zip(&outcome.counts.channels).filter(|(c, _)| out(c)).map(|(_, n)| n.beats).max();
    Ok((bill.cycles, bill.bytes(), beats.unwrap_or(0)))
}

/// Runs the benchmark.
pub fn run() -> Result<Verdict> {
    draw(None, usize::MAX)
}

/// Returns the largest number of entries of the matrices, from the command line; by default there is no limit.
pub fn most(words: &[&str]) -> Option<usize> {
    match words {
        [] => Some(usize::MAX),
        [number] => number.parse().ok(),
        _ => None,
    }
}

/// The chart of all that was measured: of each size the cycles by number of entries.
fn chart(entries: &[String], cycles: &[(u64, Vec<u64>)]) -> Chart {
    let group = |(n, cycles): &(u64, Vec<u64>)| (grouped(*n), cycles.iter().copied().map(Some).collect());
    Chart {
        title: "Figure 15: SpM*SpM in tiles of 128 x 128".into(),
        across: "rows and columns of the matrices",
        series: entries.to_vec(),
        groups: cycles.iter().map(group).collect(),
        ..Chart::default()
    }
}

/// Runs the benchmark with at most `most` entries and, if `svg` is given, writes the chart into that folder.
pub fn draw(svg: Option<&Path>, most: usize) -> Result<Verdict> {
    let entries: Vec<usize> = ENTRIES.into_iter().filter(|&n| n <= most).collect();
    let series: Vec<String> = entries.iter().map(|n| format!("{} entries", grouped(*n as u64))).collect();
    let mut tables = ["cycles", "cycles of a product", "MB over the bus"].map(|what| {
        let heads: Vec<&str> = std::iter::once(what).chain(series.iter().map(String::as_str)).collect();
        Table::new(&heads)
    });
    let mut measured = Vec::new();
    for n in SIZES {
        let mut rows = [(); 3].map(|()| vec![format!("{n} x {n}")]);
        let mut bars = Vec::new();
        for &entries in &entries {
            let (problem, options) = problem(n, entries)?;
            let net = problem.declared_netlist().map_err(one)?;
            let start = Instant::now();
            let (cycles, bytes, products) = measure(&problem, &net, &options)?;
            let each = cycles as f64 / products.max(1) as f64;
            let cells = [grouped(cycles), format!("{each:.1}"), format!("{:.1}", bytes as f64 / 1e6)];
            rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
            let seconds = start.elapsed().as_secs_f64();
            eprintln!("{n} x {n}, {entries} entries: {cycles} cycles, {products} products of tiles, {seconds:.1} s");
            bars.push(cycles);
        }
        tables.iter_mut().zip(rows).for_each(|(table, row)| table.row(row));
        measured.push((n, bars));
    }
    for table in tables {
        table.print();
        println!();
    }
    if let Some(svg) = svg {
        chart(&series, &measured).save(svg, "figure-15.svg")?;
    }
    Ok(Verdict::Good)
}

#[cfg(test)]
mod tests {
    use super::{SIZES, chart};
    use std::fs;

    /// The drawing takes a quarter of an hour to measure; its numbers are those of the page's table, which the
    /// longer tests compare.
    #[test]
    fn the_drawing_shows_the_table_of_the_page() {
        let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs");
        let page = fs::read_to_string(format!("{docs}/benchmarks.md")).unwrap();
        let table = page.split("```text\n").find(|block| block.starts_with("cycles   ")).unwrap();
        let cells = |line: &str| -> Vec<String> {
            line.split("  ").map(|cell| cell.trim().to_string()).filter(|cell| !cell.is_empty()).collect()
        };
        let lines: Vec<Vec<String>> = table.lines().take(1 + SIZES.len()).map(cells).collect();
        let cycles = |line: &Vec<String>| line[1..].iter().map(|cell| cell.replace(',', "").parse().unwrap()).collect();
        let measured: Vec<(u64, Vec<u64>)> = SIZES.into_iter().zip(lines[1..].iter().map(cycles)).collect();
        let drawing = fs::read_to_string(format!("{docs}/images/figure-15.svg")).unwrap();
        assert!(drawing == chart(&lines[0][1..], &measured).svg(), "draw it: samhw-bench tiles --svg docs/images");
    }
}
