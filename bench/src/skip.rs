//! Cycles with skipping, compared with the same kernel without it and with the target for skipping of whole fibers; for
//! joins of single coordinates and of groups.

use crate::cycles::{ROWS, run_checked};
use crate::table::{Table, grouped, verdict};
use crate::{Verdict, shared};
use anyhow::{Context, Error, Result};
use samhw_compiler::passes::joins::skip::skippable;
use samhw_compiler::passes::joins::wide::widenable;
use std::collections::BTreeSet;

/// Kernels with their bound: steps of the busiest join if each stops when it can emit nothing more in its fiber
/// (last column of bench/BOUNDS.md).
const BOUNDS: [(&str, u64); 8] = [
    ("SpMSpM ikj", 19_795),
    ("SpMSpM jki", 20_095),
    ("SpMSpM ijk", 481_776),
    ("SpMSpM jik", 481_776),
    ("SpMV ij", 9_867),
    ("InnerProd", 1_118),
    ("TTV", 1_978),
    ("TTM", 36_122),
];

/// A schedule in which `skip` skip, and joins at `wide` are of groups of `lanes`.
fn schedule(skip: &BTreeSet<&str>, wide: &BTreeSet<&str>, lanes: u32) -> String {
    let list = |names: Vec<String>| names.join(", ");
    let skip = list(skip.iter().map(|v| format!("\"{v}\"")).collect());
    let wide = list(wide.iter().filter(|_| lanes > 1).map(|v| format!("{v} = {lanes}")).collect());
    format!("locate = []\nskip = [{skip}]\nwide = {{ {wide} }}\n")
}

/// Runs the benchmark.
pub fn run() -> Result<Verdict> {
    let Some(folder) = shared::find("bench", "skip") else { return Ok(Verdict::Good) };
    let inputs = folder.join("inputs");
    let mut table = Table::new(&[
        "kernel",
        "without",
        "skipping",
        "bound",
        "skipping/bound",
        "wide 2",
        "skipping",
        "wide 4",
        "skipping",
        "",
    ]);
    let mut missed = 0;
    for row in &ROWS {
        let with = |schedule: &str| {
            let problem = row.kernel.scheduled(&inputs, schedule)?;
            run_checked(&problem).with_context(|| format!("kernel {}", row.name))
        };
        let compiled = row.kernel.compiled()?;
        let (all, none) = (skippable(&compiled.lowered), BTreeSet::new());
        let wide = widenable(&compiled.lowered);
        let pair =
            |lanes| Ok::<_, Error>([with(&schedule(&none, &wide, lanes))?, with(&schedule(&all, &wide, lanes))?]);
        let [[without, skipping], two, four] = [pair(1)?, pair(2)?, pair(4)?];
        let bound = BOUNDS.iter().find(|b| b.0 == row.name).map(|b| b.1);
        let never_more = skipping <= without && [two, four].iter().all(|[w, b]| *w <= without && b <= w);
        let ok = never_more && bound.is_none_or(|b| skipping as f64 <= 1.1 * b as f64);
        missed += usize::from(!ok);
        let mut cells = vec![
            row.name.into(),
            grouped(without),
            grouped(skipping),
            bound.map_or("-".into(), grouped),
            bound.map_or("-".into(), |b| format!("{:.3}", skipping as f64 / b as f64)),
        ];
        cells.extend(two.into_iter().chain(four).map(grouped));
        cells.push(verdict(ok));
        table.row(cells);
    }
    table.print();
    println!("wanted: skipping <= 1.1 bound; skipping <= without, wide <= without, and wide and skipping <= wide");
    Ok(Verdict::of(missed))
}
