//! The gain of structure: kernels over blocks, runs and masks, compared with the same values without structure and with
//! the number of steps.

mod rows;

use crate::Verdict;
use crate::cycles::run_checked;
use crate::kernel::rendered;
use crate::plot::Chart;
use crate::table::{Table, grouped, verdict};
use anyhow::{Context, Result};
use rows::{Array, Operand, ROWS, StructureRow};
use samhw_compiler::data::{Coordinates, DataSource, HeldEntries, ValuePolicy};
use samhw_compiler::diag::Source;
use samhw_compiler::frontend::parse;
use samhw_compiler::types::Type;
use samhw_sim::load::load_operands;
use samhw_sim::run::Problem;
use samhw_values::Rng;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

/// Arrays by name.
type Arrays = BTreeMap<&'static str, Array>;

/// The kernel file of a row: of expression `expr`, each tensor in its first or second levels.
fn text(row: &StructureRow, expr: &str, structured: bool) -> String {
    let mut text = format!("name = \"k\"\nexpr = \"{expr}\"\n");
    if !structured {
        text += row.plain_schedule;
    }
    text += "[dims]\n";
    // Writing to a String cannot fail.
    for (name, size) in row.dims {
        let _ = writeln!(text, "{name} = {size}");
    }
    let named = |t: &&Operand| ["(", " ="].iter().any(|end| expr.contains(&format!("{}{end}", t.name)));
    for t in row.tensors.iter().filter(named) {
        let levels = if structured { t.structured } else { t.plain };
        let kind = |c: char| match c {
            'd' => "dense",
            'r' => "run",
            'b' => "block",
            _ => "compressed",
        };
        let levels: Vec<&str> = levels.chars().map(kind).collect();
        let _ = writeln!(text, "[tensors.{}]\nlevels = {levels:?}\ntype = \"{}\"", t.name, row.ty);
        if structured && t.symmetric {
            text += "symmetric = true\n";
        }
        if !t.shape.is_empty() {
            let _ = writeln!(text, "shape = {:?}", t.shape);
        }
    }
    text
}

/// Cycles of a row's kernel, whose results are those of the reference.
fn cycles(row: &StructureRow, arrays: &Arrays, structured: bool) -> Result<u64> {
    let expr = if structured { row.expr } else { row.plain_expr.unwrap_or(row.expr) };
    let source = Arc::new(Source { path: "k.toml".into(), text: text(row, expr, structured) });
    let file = parse(source).map_err(|d| rendered(&d))?;
    let ty = Type::from_name(row.ty).context("a type")?;
    let held = |array: &Array| {
        let (shape, values) = (array.shape.clone(), Arc::new(array.values.clone()));
        let entries = HeldEntries { shape, ty, places: Coordinates::All, values, policy: ValuePolicy::Exact };
        DataSource::Held(Arc::new(entries))
    };
    let used = |name: &str| file.kernel.tensors.iter().any(|t| t.name == name);
    let sources = arrays.iter().filter(|a| used(a.0)).map(|(name, array)| ((*name).to_owned(), held(array))).collect();
    let loaded = load_operands(&file, &sources).map_err(|d| rendered(&d))?;
    let problem = Problem::new(&file, loaded).map_err(|d| rendered(&d))?;
    run_checked(&problem).with_context(|| row.name)
}

/// Runs the benchmark.
pub fn run() -> Result<Verdict> {
    draw(None)
}

/// Runs the benchmark and, if `svg` is given, writes the chart into that folder.
pub fn draw(svg: Option<&Path>) -> Result<Verdict> {
    let series = ["ideal", "structured", "unstructured"].map(String::from).to_vec();
    let mut chart = Chart { title: "What structure gains".into(), across: "kernel", series, ..Chart::default() };
    let mut table = Table::new(&["kernel", "ideal", "structured", "of ideal", "unstructured", "gain", ""]);
    let mut missed = 0;
    for (n, row) in ROWS.iter().enumerate() {
        let arrays: Arrays = (row.arrays)(&mut Rng::new(n as u64 + 1)).into_iter().collect();
        let ideal = (row.ideal)(&arrays);
        let (with, without) = (cycles(row, &arrays, true)?, cycles(row, &arrays, false)?);
        let ok = with as f64 <= 1.1 * ideal as f64 + 100.0;
        missed += usize::from(!ok);
        table.row(vec![
            row.name.into(),
            grouped(ideal),
            grouped(with),
            format!("{:.2}", with as f64 / ideal.max(1) as f64),
            grouped(without),
            format!("{:.1}", without as f64 / with as f64),
            verdict(ok),
        ]);
        chart.groups.push((row.name.into(), vec![Some(ideal), Some(with), Some(without)]));
    }
    table.print();
    println!("wanted: structured <= 1.1 ideal + 100");
    if let Some(svg) = svg {
        chart.save(svg, "structure.svg")?;
    }
    Ok(Verdict::of(missed))
}
