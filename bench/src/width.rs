//! Width: work a cycle of kernels with lanes, copies, windows and managers, with what is published
//! of machines that were built for one of them.

mod published;
mod rows;

use crate::Verdict;
use crate::kernel::{LIMIT, one, rendered};
use crate::plot::Chart;
use crate::table::{Table, grouped, verdict};
use anyhow::{Context, Result, bail};
use rows::{
    EVEN_DATA, MACHINES, Operands, POISSON_DATA, RMAT_DATA, RMAT_SPARSE_DATA, ROWS, SPARSE_DATA, SPMV, WidthRow, Work,
};
use samhw_compiler::diag::Source;
use samhw_compiler::frontend::{Memory, parse};
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::stmt::TensorId;
use samhw_sim::axi::Settings;
use samhw_sim::load::load_operands;
use samhw_sim::native::Watch;
use samhw_sim::run::Problem;
use samhw_sim::tensor::Coo;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

/// Cycles from asking to the first line.
const LATENCY: u64 = 100;
/// Bits of the bus of each manager.
const BUS: u64 = 512;
/// Bits of a coordinate with its value.
const PAIR: u64 = 64;

/// What a run took.
struct Ran {
    work: u64,
    cycles: u64,
    /// Bytes over the bus, and those of operands and results as they are stored.
    bytes: Option<(u64, u64)>,
}

impl Ran {
    fn rate(&self) -> f64 {
        self.work as f64 / self.cycles as f64
    }
}

/// The kernel file of a row.
fn text(row: &WidthRow) -> String {
    let mut text = format!("name = \"k\"\nexpr = \"{}\"\n[dims]\n", row.expr);
    if !row.order.is_empty() {
        let order: Vec<String> = row.order.chars().map(String::from).collect();
        text = format!("order = {order:?}\n{text}");
    }
    // Writing to a String cannot fail.
    for index in ["i", "j", "k", "c"] {
        if row.expr.split(|c: char| !c.is_alphanumeric()).any(|word| word == index) {
            let _ = writeln!(text, "{index} = {}", if index == "c" { 64 } else { row.rows });
        }
    }
    let level = |c| match c {
        'd' => "dense",
        'b' => "bitvector",
        _ => "compressed",
    };
    for (name, levels) in row.tensors {
        let levels: Vec<&str> = levels.chars().map(level).collect();
        let _ = writeln!(text, "[tensors.{name}]\nlevels = {levels:?}\ntype = \"{}\"", row.ty);
        if *name == "A" {
            text += "nnz = 1048576\n";
        }
    }
    let _ = writeln!(text, "[schedule]\n{}", row.schedule);
    if row.masters > 0 {
        let WidthRow { masters, on_chip, .. } = row;
        let axi = format!("data_width = {BUS}, masters = {masters}, on_chip = {on_chip}");
        let _ = writeln!(text, "[hardware]\nmemory = \"axi\"\naxi = {{ {axi} }}");
    }
    text += "[data]\n";
    for (name, data) in row.data {
        let _ = writeln!(text, "{name} = {data}");
    }
    text
}

/// What a kernel has to do.
fn work(of: Work, problem: &Problem, results: &BTreeMap<TensorId, Coo>) -> Result<u64> {
    let operand = |name: &str| {
        let named = problem.data.iter().find(|(t, _)| problem.lowered.kernel.tensor(**t).name == name);
        named.map(|(_, data)| data).with_context(|| format!("no operand {name}"))
    };
    Ok(match of {
        Work::Entries(a, each) => operand(a)?.len() as u64 * each,
        Work::Products(a, b) => {
            let mut stored: HashMap<u64, u64> = HashMap::new();
            for (coord, _) in operand(b)?.iter() {
                *stored.entry(coord[0]).or_default() += 1;
            }
            operand(a)?.iter().filter_map(|(coord, _)| stored.get(&coord[1])).sum()
        }
        Work::Matches(a, b) => {
            let there: HashSet<&[u64]> = operand(a)?.iter().map(|(coord, _)| coord).collect();
            operand(b)?.iter().filter(|(coord, _)| there.contains(coord)).count() as u64
        }
        Work::Stored => results.values().map(|coo| coo.len() as u64).sum(),
    })
}

/// Runs a kernel, whose results must be within the bounds of the reference.
fn ran(text: String, of: Work) -> Result<Ran> {
    let file = parse(Arc::new(Source { path: "k.toml".into(), text })).map_err(|d| rendered(&d))?;
    let loaded = load_operands(&file, &BTreeMap::new()).map_err(|d| rendered(&d))?;
    let problem = Problem::new(&file, loaded).map_err(|d| rendered(&d))?;
    let net = problem.netlist(Depths::Auto).map_err(one)?;
    let (outcome, bill) = match &problem.memory {
        Memory::Axi(options) => {
            let settings = Settings { latency: (LATENCY, LATENCY), ..Settings::default() };
            let ran = problem.run_axi_native(&net, options, &settings, LIMIT, Watch::default()).map_err(one)?;
            (ran.0, Some(ran.1))
        }
        Memory::Ram => (problem.run_native(&net, LIMIT).map_err(one)?, None),
    };
    for (&t, coo) in &outcome.results {
        if let Some(difference) = problem.compare(t, coo).map_err(one)?.difference {
            bail!("{difference}");
        }
    }
    // Coordinate and value of each entry of a matrix and of a result, the values of what is dense.
    let pairs = |coo: &Coo| coo.len() as u64 * if coo.order() > 1 { 8 } else { 4 };
    let written: u64 = outcome.results.values().map(|coo| coo.len() as u64 * 8).sum();
    let stored = written + problem.data.values().map(pairs).sum::<u64>();
    Ok(Ran {
        work: work(of, &problem, &outcome.results)?,
        cycles: bill.as_ref().map_or(outcome.counts.cycles, |bill| bill.cycles),
        bytes: bill.map(|bill| (bill.bytes(), stored)),
    })
}

/// Runs the benchmark.
pub fn run() -> Result<Verdict> {
    draw(None)
}

/// Runs the benchmark and, if `svg` is given, writes the charts into that folder.
pub fn draw(svg: Option<&Path>) -> Result<Verdict> {
    let mut table = Table::new(&["f32", "work", "cycles", "a cycle", "wanted", "bytes", "of stored", ""]);
    let mut missed = 0;
    for row in &ROWS {
        let ran = ran(text(row), row.work).with_context(|| row.name)?;
        let share = ran.bytes.map(|(moved, stored)| moved as f64 / stored as f64);
        let ok = ran.rate() >= row.wanted && row.bytes.zip(share).is_none_or(|(most, share)| share <= most);
        missed += usize::from(!ok);
        table.row(vec![
            row.name.into(),
            grouped(ran.work),
            grouped(ran.cycles),
            format!("{:.2}", ran.rate()),
            if row.wanted > 0.0 { row.wanted.to_string() } else { "-".into() },
            ran.bytes.map_or("-".into(), |(moved, _)| grouped(moved)),
            row.bytes.and(share).map_or("-".into(), |share| format!("{share:.2}")),
            verdict(ok),
        ]);
    }
    table.print();
    println!();
    machines()?;
    println!();
    published::print();
    if let Some(svg) = svg {
        by_lanes()?.save(svg, "width-lanes.svg")?;
        by_matrix()?.save(svg, "width-matrices.svg")?;
    }
    Ok(Verdict::of(missed))
}

/// Runs the machines of papers, kernels among the examples.
fn machines() -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/machines");
    let mut table = Table::new(&["machine", "work", "cycles", "a cycle"]);
    for (name, of) in MACHINES {
        let path = folder.join(format!("{name}.toml"));
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let ran = ran(text, of).context(name)?;
        table.row(vec![name.into(), grouped(ran.work), grouped(ran.cycles), format!("{:.2}", ran.rate())]);
    }
    table.print();
    Ok(())
}

/// The rate of a row in hundredths.
fn hundredths(row: &WidthRow) -> Result<Option<u64>> {
    Ok(Some((ran(text(row), row.work)?.rate() * 100.0).round() as u64))
}

/// A chart of nonzeros a cycle, with what a bus with 16 managers allows.
fn chart(title: &str, across: &'static str, series: &[&str]) -> Chart {
    let limit = ("16 managers of 512 bits".into(), 100 * 16 * BUS / PAIR);
    Chart {
        title: title.into(),
        across,
        series: series.iter().map(ToString::to_string).collect(),
        unit: Some("nonzeros a cycle, logarithmic"),
        decimals: 2,
        limit: Some(limit),
        ..Chart::default()
    }
}

/// Lanes of the first chart, with their schedules.
const LANES: [(&str, &str); 8] = [
    ("1", ""),
    ("2", "lanes = { j = 2 }"),
    ("4", "lanes = { j = 4 }"),
    ("8", "lanes = { j = 8 }"),
    ("16", "lanes = { j = 16 }"),
    ("32", "lanes = { j = 32 }"),
    ("64", "lanes = { j = 64 }"),
    ("128", "lanes = { j = 128 }"),
];

/// Nonzeros a cycle against lanes.
fn by_lanes() -> Result<Chart> {
    let series = ["even rows", "R-MAT", "even rows, 16 managers", "R-MAT, 16 managers"];
    let mut chart = chart("SpMV in f32, 10,000 rows", "lanes", &series);
    for (lanes, schedule) in LANES {
        let [even, skewed] = [EVEN_DATA, RMAT_DATA].map(|data| WidthRow { schedule, data, ..SPMV });
        let behind = |row: &WidthRow| WidthRow { masters: 16, ..row.clone() };
        let rows = [even.clone(), skewed.clone(), behind(&even), behind(&skewed)];
        chart.groups.push((lanes.into(), rows.iter().map(hundredths).collect::<Result<_>>()?));
    }
    Ok(chart)
}

/// Matrices of the second chart: from equal rows to very different ones.
const MATRICES: [(&str, Operands); 5] = [
    ("even, 50 a row", EVEN_DATA),
    ("Poisson, 5 a row", POISSON_DATA),
    ("even, 1 a row", SPARSE_DATA),
    ("R-MAT, 20 a row", RMAT_DATA),
    ("R-MAT, 2 a row", RMAT_SPARSE_DATA),
];

/// Nonzeros a cycle against matrices: lanes over entries, and copies of rows.
fn by_matrix() -> Result<Chart> {
    let series = ["64 lanes", "64 lanes, 16 managers", "32 copies of rows"];
    let mut chart = chart("SpMV in f32, 10,000 rows", "matrix", &series);
    for (name, data) in MATRICES {
        let lanes = WidthRow { data, ..SPMV };
        let behind = WidthRow { masters: 16, ..lanes.clone() };
        let copies = WidthRow { schedule: "parallel = { i = 32 }", ..lanes.clone() };
        let rates = [lanes, behind, copies].iter().map(hundredths).collect::<Result<_>>()?;
        chart.groups.push((name.into(), rates));
    }
    Ok(chart)
}
