//! Kernels behind AXI on Poisson matrices with 100,489 rows: the cost of latency, and the share of a bus's bandwidth
//! used.

use crate::Verdict;
use crate::kernel::{LIMIT, one, rendered};
use crate::table::{Table, grouped, verdict};
use anyhow::{Result, bail};
use samhw_compiler::diag::Source;
use samhw_compiler::frontend::{Memory, parse};
use samhw_compiler::passes::fifo::Depths;
use samhw_sim::axi::{Bill, Settings};
use samhw_sim::load::load_operands;
use samhw_sim::native::Counts;
use samhw_sim::native::Watch;
use samhw_sim::run::Problem;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Points along a side of the grid.
const SIDE: u64 = 317;
/// Cycles from asking to the first line.
const LATENCY: u64 = 100;
/// Most cycles with that latency, of those without.
const SLOWER: f64 = 1.05;
/// Bytes of a line of the 256-bit bus.
const LINE: u64 = 32;
/// 3.4 GB/s at 100 MHz: 34 bytes a cycle, both ways together, are so many lines in 16 cycles.
const LINES_PER_16: u64 = 34 * 16 / LINE;
/// Least share of what the bytes moved, or the core's beats, allow.
const SHARE: f64 = 0.9;

/// Name, expression, schedule, tensors: name, format.
type AxiKernel = (&'static str, &'static str, &'static str, &'static [(&'static str, &'static str)]);

const KERNELS: [AxiKernel; 5] = [
    ("SpMV", "y(i) = A(i,j) * x(j)", "locate = [\"x\"]", &[("A", "csr"), ("x", "dense"), ("y", "dense")]),
    ("SpMV, 2 lanes", "y(i) = A(i,j) * x(j)", "lanes = { j = 2 }", &[("A", "csr"), ("x", "dense"), ("y", "sparse")]),
    ("SpMV, 4 lanes", "y(i) = A(i,j) * x(j)", "lanes = { j = 4 }", &[("A", "csr"), ("x", "dense"), ("y", "sparse")]),
    ("SpMV, 8 lanes", "y(i) = A(i,j) * x(j)", "lanes = { j = 8 }", &[("A", "csr"), ("x", "dense"), ("y", "sparse")]),
    ("MMAdd", "X(i,j) = A(i,j) + B(i,j)", "", &[("A", "csr"), ("B", "csr"), ("X", "csr")]),
];

fn problem((name, expr, schedule, tensors): &AxiKernel) -> Result<Problem> {
    let rows = SIDE * SIDE;
    // Lanes join sums of whole numbers within a cycle.
    let ty = if schedule.contains("lanes") { "i32" } else { "f32" };
    let mut text = format!(
        "name = \"k\"\nexpr = \"{expr}\"\n[schedule]\n{schedule}\n[dims]\ni = {rows}\nj = {rows}\n[hardware]\nmemory = \"axi\"\n\
         [hardware.axi]\ndata_width = 256\non_chip = 1048576\n[data]\n"
    );
    for (tensor, format) in *tensors {
        text += &match *format {
            "csr" if *tensor != "X" => format!("{tensor} = {{ poisson2d = {{ n = {SIDE} }} }}\n"),
            "dense" if *tensor == "x" => "x = { random = { density = 1.0, seed = 2 } }\n".to_string(),
            _ => String::new(),
        };
    }
    for (tensor, format) in *tensors {
        let format =
            if *format == "sparse" { "levels = [\"compressed\"]".into() } else { format!("format = \"{format}\"") };
        text += &format!("[tensors.{tensor}]\n{format}\ntype = \"{ty}\"\n");
    }
    let file = parse(Arc::new(Source { path: format!("{name}.toml").into(), text })).map_err(|d| rendered(&d))?;
    let loaded = load_operands(&file, &BTreeMap::new()).map_err(|d| rendered(&d))?;
    Problem::new(&file, loaded).map_err(|d| rendered(&d))
}

/// A run with a memory, checked.
fn run(problem: &Problem, latency: u64, lines_per_16: u64) -> Result<(Counts, Bill)> {
    let Memory::Axi(options) = &problem.memory else { bail!("no kernel behind AXI") };
    let net = problem.netlist(Depths::Auto).map_err(one)?;
    let settings = Settings { latency: (latency, latency), lines_per_16, ..Settings::default() };
    let (outcome, bill) = problem.run_axi_native(&net, options, &settings, LIMIT, Watch::default()).map_err(one)?;
    for (&t, coo) in &outcome.results {
        if let Some(difference) = problem.compare(t, coo).map_err(one)?.difference {
            bail!("{difference}");
        }
    }
    Ok((outcome.counts, bill))
}

/// Runs the benchmark.
pub fn run_all() -> Result<Verdict> {
    let heads = [
        "kernel",
        "latency 1",
        "latency 100",
        "ratio",
        "bytes",
        "3.4 GB/s",
        "by bytes",
        "by beats",
        "of bytes",
        "of both",
        "",
    ];
    let (mut table, mut missed) = (Table::new(&heads), 0);
    for kernel in &KERNELS {
        let problem = problem(kernel)?;
        let [(_, fast), (_, slow)] = [run(&problem, 1, 0)?, run(&problem, LATENCY, 0)?];
        let (counts, bill) = run(&problem, LATENCY, LINES_PER_16)?;
        let ratio = slow.cycles as f64 / fast.cycles as f64;
        // What the bus allows, and what one beat a cycle does.
        let by_bytes = (16 * bill.bytes() / LINE).div_ceil(LINES_PER_16).max(bill.least());
        let by_beats = counts.channels.iter().map(|c| c.beats).max().unwrap_or(0);
        let of = |bound: u64| bound as f64 / bill.cycles as f64;
        let (of_bytes, of_both) = (of(by_bytes), of(by_bytes.max(by_beats)));
        let ok = ratio <= SLOWER && of_both >= SHARE;
        missed += usize::from(!ok);
        table.row(vec![
            kernel.0.into(),
            grouped(fast.cycles),
            grouped(slow.cycles),
            format!("{ratio:.4}"),
            grouped(bill.bytes()),
            grouped(bill.cycles),
            grouped(by_bytes),
            grouped(by_beats),
            format!("{:.1} %", 100.0 * of_bytes),
            format!("{:.1} %", 100.0 * of_both),
            verdict(ok),
        ]);
    }
    table.print();
    println!(
        "{} rows, 256-bit bus; wanted: ratio <= {SLOWER}, of both >= {:.0} %",
        grouped(SIDE * SIDE),
        100.0 * SHARE
    );
    Ok(Verdict::of(missed))
}
