//! Figures 11 and 13 of the SAM paper: SDDMM fused and unfused, coiterating and locating; a vector product as it
//! is and in tiles. Figure 12, the orders of SpM*SpM, is in `cycles`.

use crate::cycles::{run_checked, sam_cycles};
use crate::kernel::{Data, Kernel, PLAIN, Tensor, rendered};
use crate::table::{Table, grouped, verdict};
use crate::{Verdict, shared};
use Data::{File, Result as Out, Value};
use anyhow::{Context, Result};
use samhw_compiler::data::{Source, ValuePolicy};
use samhw_sim::load::load_operands;
use samhw_sim::run::Problem;
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
type Row = (&'static str, Option<&'static str>, &'static str, Kernel<'static>);

static FIGURE_11: [Row; 9] = [
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

/// Pairs of vectors of figure 13.
const VECTORS: [&str; 10] = [
    "random_sp0.2",
    "random_sp0.8",
    "random_sp0.95",
    "random_sp0.99375",
    "runs_rl1",
    "runs_rl20",
    "runs_rl100",
    "blocks_bs1",
    "blocks_bs20",
    "blocks_bs100",
];

/// Name, SAM's kernel, schedule, level kind.
const CONFIGURATIONS: [(&str, &str, &str, &[Tensor]); 3] = [
    ("dense", "vecmul_dense", PLAIN, &[("b", "d", &[], Out), ("c", "d", &[], Out), ("x", "d", &[], Out)]),
    ("crd", "vecmul_crd", PLAIN, &[("b", "s", &[], Out), ("c", "s", &[], Out), ("x", "s", &[], Out)]),
    (
        "split 64",
        "vecmul_crd_split64",
        "locate = []\nskip = []\nsplit = { i = 64 }\n",
        &[("b", "s", &[], Out), ("c", "s", &[], Out), ("x", "s", &[], Out)],
    ),
];

/// Runs the benchmark.
pub fn run() -> Result<Verdict> {
    let Some(folder) = shared::find("bench", "figures") else { return Ok(Verdict::Good) };
    let (inputs, results) = (folder.join("inputs"), folder.join("results.csv"));
    let sam = sam_cycles(&results)?;
    let mut table = Table::new(&["kernel", "ours", "SAM", "ours/SAM", ""]);
    let mut missed = 0;
    let mut add = |name: String, ours: u64, sam: Option<u64>| {
        let ok = sam.is_none_or(|s| ours <= s);
        missed += usize::from(!ok);
        let (theirs, ratio) = match sam {
            Some(s) => (grouped(s), format!("{:.3}", ours as f64 / s as f64)),
            None => ("-".into(), "-".into()),
        };
        table.row(vec![name, grouped(ours), theirs, ratio, verdict(ok)]);
    };
    for (name, theirs, schedule, kernel) in &FIGURE_11 {
        let ours = run_checked(&kernel.scheduled(&inputs, schedule)?).with_context(|| name.to_string())?;
        let theirs = theirs.map(|t| sam.get(t).copied().with_context(|| format!("no row {t}"))).transpose()?;
        add(format!("SDDMM {name}"), ours, theirs);
    }
    let text = std::fs::read_to_string(&results)?;
    for set in VECTORS {
        for (name, theirs, schedule, tensors) in CONFIGURATIONS {
            let kernel = Kernel { expr: "x(i) = b(i) * c(i)", order: "i", dims: &[2000], tensors };
            let ours = run_checked(&vectors(&kernel, schedule, &inputs, set)?).with_context(|| set.to_string())?;
            let start = format!("{theirs},vec2000_{set}_");
            let line = text.lines().find_map(|l| l.strip_prefix(&start)).with_context(|| format!("no row {start}"))?;
            let cycles = line.split(',').nth(1).and_then(|c| c.parse().ok()).with_context(|| start.clone())?;
            add(format!("vector product, {set}, {name}"), ours, Some(cycles));
        }
    }
    table.print();
    println!("wanted: ours <= SAM");
    Ok(Verdict::of(missed))
}

/// The vector product of one pair of vectors.
fn vectors(kernel: &Kernel, schedule: &str, inputs: &Path, set: &str) -> Result<Problem> {
    let file = kernel.file(schedule)?;
    let source = |name: &str| {
        let path = inputs.join(format!("vec2000_{set}_{}.mtx", name.to_uppercase()));
        (name.to_string(), Source::File { path, policy: ValuePolicy::Exact })
    };
    let loaded = load_operands(&file, &["b", "c"].map(source).into()).map_err(|d| rendered(&d))?;
    Problem::new(&file, loaded).map_err(|d| rendered(&d))
}
