//! Figures 11, 12 and 13 of the SAM paper as tables and charts: SDDMM fused and unfused, coiterating and locating; the orders
//! of SpM*SpM; vector products.

use crate::cycles::{ROWS, run_checked, sam_cycles};
use crate::kernel::{Data, Kernel, PLAIN, Tensor};
use crate::plot::Chart;
use crate::table::{Table, grouped, verdict};
use crate::vectors::measured;
use crate::{Verdict, shared};
use Data::{File, Result as Out, Value};
use anyhow::{Context, Result};
use std::path::Path;

const SWAP: &[usize] = &[1, 0];
const B: Tensor = ("B", "ss", &[], File("B.mtx"));
const X: Tensor = ("X", "ss", &[], Out);
const SPARSE: [Tensor; 4] = [B, ("C", "ss", &[], Value(1)), ("D", "ss", SWAP, Value(1)), X];
const DENSE: [Tensor; 4] = [B, ("C", "dd", &[], Value(1)), ("D", "dd", SWAP, Value(1)), X];
const UNFUSED: [Tensor; 5] = [SPARSE[0], SPARSE[1], SPARSE[2], SPARSE[3], ("T", "ss", &[], Out)];

const FUSED: &str = "X(i,j) = B(i,j) * C(i,k) * D(k,j)";
const APART: &str = "T(i,j) = C(i,k) * D(k,j); X(i,j) = B(i,j) * T(i,j)";
/// What the compiler chooses itself.
const CHOSEN: &str = "skip = []\n";

const fn sddmm(expr: &'static str, dims: &'static [u64], tensors: &'static [Tensor]) -> Kernel<'static> {
    Kernel { expr, order: "ijk", dims, tensors }
}

/// Name, row of SAM's results if there is one, schedule, kernel.
type FigureRow = (&'static str, Option<&'static str>, &'static str, Kernel<'static>);

static FIGURE_11: [FigureRow; 9] = [
    ("coiterating, fused, K = 1", Some("SDDMM_coiter_fused_K1"), PLAIN, sddmm(FUSED, &[250, 100, 1], &SPARSE)),
    ("coiterating, fused, K = 10", Some("SDDMM_coiter_fused_K10"), PLAIN, sddmm(FUSED, &[250, 100, 10], &SPARSE)),
    ("coiterating, fused, K = 100", None, PLAIN, sddmm(FUSED, &[250, 100, 100], &SPARSE)),
    ("locating, fused, K = 1", Some("SDDMM_locate_fused_K1"), CHOSEN, sddmm(FUSED, &[250, 100, 1], &DENSE)),
    ("locating, fused, K = 10", Some("SDDMM_locate_fused_K10"), CHOSEN, sddmm(FUSED, &[250, 100, 10], &DENSE)),
    ("locating, fused, K = 100", None, CHOSEN, sddmm(FUSED, &[250, 100, 100], &DENSE)),
    ("unfused, K = 1", Some("SDDMM_unfused_K1"), PLAIN, sddmm(APART, &[250, 100, 1], &UNFUSED)),
    ("unfused, K = 10", Some("SDDMM_unfused_K10"), PLAIN, sddmm(APART, &[250, 100, 10], &UNFUSED)),
    ("unfused, K = 100", None, PLAIN, sddmm(APART, &[250, 100, 100], &UNFUSED)),
];

/// Rows of [`ROWS`] that are figure 12: the orders of SpM*SpM.
const ORDERS: usize = 6;

/// Runs the benchmark.
pub fn run() -> Result<Verdict> {
    draw(None)
}

/// Runs the benchmark and, if `svg` is given, writes the charts into that folder.
pub fn draw(svg: Option<&Path>) -> Result<Verdict> {
    let Some(folder) = shared::find("bench", "figures") else { return Ok(Verdict::Good) };
    let inputs = folder.join("inputs");
    let sam = sam_cycles(&folder.join("results.csv"))?;
    let theirs = |name: &str| sam.get(name).copied().with_context(|| format!("no row {name}"));
    let pair = || vec!["ours".to_string(), "SAM".to_string()];

    let mut sddmm = Chart {
        title: "Figure 11: SDDMM, 250 x 100".into(),
        across: "dataflow and size K of the summed index",
        series: pair(),
        ..Chart::default()
    };
    for (name, row, schedule, kernel) in &FIGURE_11 {
        let ours = run_checked(&kernel.scheduled(&inputs, schedule)?).with_context(|| name.to_string())?;
        sddmm.groups.push((name.to_string(), vec![Some(ours), row.map(theirs).transpose()?]));
    }
    let mut orders = Chart {
        title: "Figure 12: SpM*SpM, all orders".into(),
        across: "loop order",
        series: pair(),
        ..Chart::default()
    };
    for row in &ROWS[..ORDERS] {
        let ours = run_checked(&row.kernel.problem(&inputs)?).with_context(|| row.name)?;
        orders.groups.push((row.name.into(), vec![Some(ours), Some(theirs(row.sam)?)]));
    }
    let mut vectors = Chart {
        title: "Figure 13: vector product, n = 2000".into(),
        across: "data of the two vectors",
        ..Chart::default()
    };
    for v in measured(&folder)? {
        // What the schedule adds is ours alone.
        let theirs = v.configuration.split(',').next().unwrap_or_default();
        let names = [v.configuration.to_string(), format!("{theirs}, SAM")];
        if !vectors.series.contains(&names[0]) {
            vectors.series.extend(names);
        }
        if vectors.groups.last().is_none_or(|g| g.0 != v.set) {
            vectors.groups.push((v.set, Vec::new()));
        }
        if let Some((_, bars)) = vectors.groups.last_mut() {
            bars.extend([Some(v.ours), Some(v.sam)]);
        }
    }

    let missed = print(&[&sddmm, &orders, &vectors]);
    if let Some(svg) = svg {
        for (name, chart) in [("figure-11.svg", &sddmm), ("figure-12.svg", &orders), ("figure-13.svg", &vectors)] {
            chart.save(svg, name)?;
        }
    }
    Ok(Verdict::of(missed))
}

/// Prints what is in the charts: of each two series ours and SAM's. Returns how many are above SAM's.
fn print(charts: &[&Chart]) -> usize {
    let mut table = Table::new(&["kernel", "ours", "SAM", "ours/SAM", ""]);
    let mut missed = 0;
    for chart in charts {
        for (group, bars) in &chart.groups {
            for (k, bar) in bars.chunks(2).enumerate() {
                let [Some(ours), sam] = *bar else { continue };
                let name =
                    if chart.series.len() > 2 { format!("{group}, {}", chart.series[2 * k]) } else { group.clone() };
                let ok = sam.is_none_or(|s| ours <= s);
                missed += usize::from(!ok);
                let ratio = sam.map_or("-".into(), |s| format!("{:.3}", ours as f64 / s as f64));
                table.row(vec![name, grouped(ours), sam.map_or("-".into(), grouped), ratio, verdict(ok)]);
            }
        }
    }
    table.print();
    println!("wanted: ours <= SAM");
    missed
}
