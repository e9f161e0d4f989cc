//! SpMV with 8 lanes over the entries of a matrix, generated or from the shared data.

use crate::cycles::run_checked;
use crate::kernel::rendered;
use crate::shared;
use crate::table::{Table, grouped, verdict};
use anyhow::{Result, anyhow};
use samhw_compiler::diag::Source;
use samhw_compiler::frontend::{KernelFile, parse};
use samhw_sim::load::operands;
use samhw_sim::run::Problem;
use samhw_sim::tensor::{Coo, Loaded};
use samhw_values::Rng;
use std::sync::Arc;

/// Fewer entries are over before the pipeline is full: shown, not judged.
const SMALLEST: usize = 2_000;
/// Largest matrix of the run.
const LARGEST: usize = 200_000;

/// What is wanted of a matrix with this number of entries per row on average.
fn wanted(average: f64) -> f64 {
    if average >= 8.0 { 7.2 } else { 5.0 }
}

/// Reports the entries per cycle of every matrix.
pub fn spmv() -> Result<usize> {
    let heads = ["SpMV, 8 lanes", "rows", "entries", "per row", "i16", "i32", "entries/cycle", "wanted", ""];
    let (mut table, mut missed, mut small) = (Table::new(&heads), 0, 0);
    let mut all: Vec<(String, Coo)> = [(1000, 8), (1000, 32), (5000, 3)].map(|(n, k)| random(n, k)).into();
    if let Some(folder) = shared::find("data", "matrices of the shared data") {
        let mut paths: Vec<_> = std::fs::read_dir(folder)?.filter_map(|f| Some(f.ok()?.path())).collect();
        paths.sort();
        all.extend(
            paths.iter().filter_map(|p| Some((p.file_name()?.to_string_lossy().into_owned(), shared::matrix(p)?))),
        );
    }
    for (name, a) in all {
        let average = a.len() as f64 / a.shape()[0] as f64;
        if average < 2.0 || a.len() > LARGEST {
            continue;
        }
        if a.len() < SMALLEST {
            small += 1;
            continue;
        }
        let [short, long] = [16, 32].map(|bits| problem(&a, bits).and_then(|p| run_checked(&p)));
        let (short, long) = (short?, long?);
        let rate = a.len() as f64 / short.max(long) as f64;
        let ok = rate >= wanted(average);
        missed += usize::from(!ok);
        table.row(vec![
            name,
            grouped(a.shape()[0]),
            grouped(a.len() as u64),
            format!("{average:.1}"),
            grouped(short),
            grouped(long),
            format!("{rate:.2}"),
            wanted(average).to_string(),
            verdict(ok),
        ]);
    }
    table.print();
    println!("{small} matrices with fewer than {SMALLEST} entries and 2 or more per row are left out");
    Ok(missed)
}

/// A square matrix with `k` entries per row on average.
fn random(n: u64, k: u64) -> (String, Coo) {
    let mut rng = Rng::new(n + k);
    let mut coords: Vec<[u64; 2]> = (0..n * k).map(|_| [rng.below(n), rng.below(n)]).collect();
    coords.sort_unstable();
    coords.dedup();
    let values = coords.iter().map(|_| 1 + rng.below(99)).collect();
    let coo = Coo::new(vec![n, n], coords.concat(), values).unwrap_or_else(|_| Coo::empty(vec![n, n]));
    (format!("random, {k} per row drawn"), coo)
}

fn problem(a: &Coo, bits: u32) -> Result<Problem> {
    let (rows, columns) = (a.shape()[0], a.shape()[1]);
    let mut text = format!(
        "name = \"k\"\nexpr = \"y(i) = A(i,j) * x(j)\"\norder = [\"i\", \"j\"]\n[dims]\ni = {rows}\nj = {columns}\n\
         [schedule]\nlanes = {{ j = 8 }}\n"
    );
    for (name, levels) in [("A", "\"dense\", \"compressed\""), ("x", "\"dense\""), ("y", "\"compressed\"")] {
        text += &format!("[tensors.{name}]\nlevels = [{levels}]\ntype = \"i{bits}\"\n");
    }
    let file: KernelFile = parse(Arc::new(Source { path: "k.toml".into(), text })).map_err(|d| rendered(&d))?;
    let x = Coo::new(vec![columns], (0..columns).collect(), (0..columns).map(|c| 1 + c % 50).collect());
    let x = x.map_err(|e| anyhow!("{e:?}"))?;
    let of = |name: &str| if name == "A" { a.clone() } else { x.clone() };
    let operand = |t| (t, Loaded { coo: of(&file.kernel.tensor(t).name), sized: true });
    let loaded = operands(&file.kernel).into_iter().map(operand).collect();
    Problem::new(&file, loaded).map_err(|d| rendered(&d))
}
