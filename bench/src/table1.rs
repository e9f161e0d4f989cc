//! The number of primitives of each kind in a kernel, compared with SAM's Table 1.

use crate::kernel::{Data::Result as Out, Data::Value, Kernel, Tensor};
use crate::table::{Table, verdict};
use crate::{Verdict, shared};
use anyhow::{Context, Result, ensure};
use samhw_compiler::graph::{Graph, Op};

/// Kinds, by the names of the paper's table.
const KINDS: [&str; 9] = ["Lvl Scan", "repeat", "intersect", "union", "ALU", "reduce", "crddrop", "Lvl Wr", "Array"];

const S: &str = "s";
const SS: &str = "ss";
const SSS: &str = "sss";

const fn input(name: &'static str, levels: &'static str) -> Tensor<'static> {
    (name, levels, &[], Value(1))
}

const fn result(name: &'static str, levels: &'static str) -> Tensor<'static> {
    (name, levels, &[], Out)
}

const fn kernel(expr: &'static str, order: &'static str, tensors: &'static [Tensor<'static>]) -> Kernel<'static> {
    Kernel { expr, order, dims: &[16, 16, 16, 16], tensors }
}

/// The rows of the table: name there, kernel. All levels compressed, loop order alphabetical: the
/// result's variables, then those summed over.
static ROWS: [(&str, Kernel<'static>); 12] = [
    ("SpMV", kernel("x(i) = B(i,j) * c(j)", "ij", &[input("B", SS), input("c", S), result("x", S)])),
    (
        "SpM*SpM (IJK Only)",
        kernel("X(i,j) = B(i,k) * C(k,j)", "ijk", &[input("B", SS), ("C", SS, &[1, 0], Value(1)), result("X", SS)]),
    ),
    (
        "SDDMM",
        kernel(
            "X(i,j) = B(i,j) * C(i,k) * D(k,j)",
            "ijk",
            &[input("B", SS), input("C", SS), ("D", SS, &[1, 0], Value(1)), result("X", SS)],
        ),
    ),
    ("InnerProd", kernel("x = B(i,j,k) * C(i,j,k)", "ijk", &[input("B", SSS), input("C", SSS), result("x", "")])),
    ("TTV", kernel("X(i,j) = B(i,j,k) * c(k)", "ijk", &[input("B", SSS), input("c", S), result("X", SS)])),
    ("TTM", kernel("X(i,j,k) = B(i,j,l) * C(k,l)", "ijkl", &[input("B", SSS), input("C", SS), result("X", SSS)])),
    (
        "MTTKRP",
        kernel(
            "X(i,j) = B(i,k,l) * C(j,k) * D(j,l)",
            "ijkl",
            &[input("B", SSS), input("C", SS), input("D", SS), result("X", SS)],
        ),
    ),
    (
        "Residual",
        kernel("x(i) = b(i) - C(i,j) * d(j)", "ij", &[input("b", S), input("C", SS), input("d", S), result("x", S)]),
    ),
    (
        "MatTransMul",
        kernel(
            "x(i) = b * C(j,i) * d(j) + e * f(i)",
            "ij",
            &[
                input("b", ""),
                ("C", SS, &[1, 0], Value(1)),
                input("d", S),
                input("e", ""),
                input("f", S),
                result("x", S),
            ],
        ),
    ),
    ("MMAdd", kernel("X(i,j) = B(i,j) + C(i,j)", "ij", &[input("B", SS), input("C", SS), result("X", SS)])),
    (
        "Plus3",
        kernel(
            "X(i,j) = B(i,j) + C(i,j) + D(i,j)",
            "ij",
            &[input("B", SS), input("C", SS), input("D", SS), result("X", SS)],
        ),
    ),
    ("Plus2", kernel("X(i,j,k) = B(i,j,k) + C(i,j,k)", "ijk", &[input("B", SSS), input("C", SSS), result("X", SSS)])),
];

/// What a graph has.
#[derive(Default)]
struct Count {
    /// Per kind; a join of any number of operands is one, as in SAM's own count.
    kinds: [usize; KINDS.len()],
    /// Joins if each were made of joiners of two operands.
    binary: usize,
    /// Kinds that SAM's table does not know.
    other: Vec<&'static str>,
}

fn count(graph: &Graph) -> Count {
    let mut out = Count::default();
    for node in &graph.nodes {
        let kind = match &node.op {
            // SAM draws a root, too, and does not count it.
            Op::Root => continue,
            Op::Scan(..) | Op::ScanGroup(..) | Op::ScanPart(..) | Op::Broadcast(_) => 0,
            Op::Repeat => 1,
            Op::Join { emit, keep } => {
                out.binary += keep.len() - 1;
                let all = (1usize << keep.len()) - 1;
                let only_all = (0..=all).all(|p| (emit[p / 64] >> (p % 64) & 1 == 1) == (p == all));
                if only_all { 2 } else { 3 }
            }
            Op::Alu { .. } => 4,
            Op::Reduce { .. } => 5,
            Op::Drop { .. } => 6,
            Op::WriteLevel { .. } | Op::WriteValues { .. } => 7,
            Op::Array(_) => 8,
            Op::Measure(_)
            | Op::Prefix { .. }
            | Op::Exit(..)
            | Op::Tiles(..)
            | Op::Unpack(_)
            | Op::Origin
            | Op::Expand { .. }
            | Op::Pack(..)
            | Op::Locate(..)
            | Op::Place(..)
            | Op::Within(_)
            | Op::Span(..)
            | Op::Between(..)
            | Op::Single
            | Op::Collapse(_)
            | Op::Divide(_)
            | Op::Zip
            | Op::Slice(_)
            | Op::Constant(..)
            | Op::Deal { .. }
            | Op::Serialize { .. }
            | Op::Stitch { .. } => {
                out.other.push(node.op.kind().name());
                continue;
            }
        };
        out.kinds[kind] += 1;
    }
    out
}

/// Runs the benchmark.
pub fn run() -> Result<Verdict> {
    let Some(path) = shared::find("bench/table1.txt", "SAM's counts") else { return Ok(Verdict::Good) };
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut heads = vec!["kernel (ours/SAM)"];
    heads.extend(KINDS);
    heads.extend(["binary joins", "other", ""]);
    let mut table = Table::new(&heads);
    let mut missed = 0;
    for (name, kernel) in &ROWS {
        let ours = count(&kernel.compiled().with_context(|| name.to_string())?.lowered.graph);
        let sam = sam_counts(&text, name)?;
        let ok = ours.other.is_empty() && ours.kinds.iter().zip(&sam).all(|(a, b)| a <= b);
        missed += usize::from(!ok);
        let mut cells = vec![name.to_string()];
        cells.extend(ours.kinds.iter().zip(&sam).map(|(a, b)| format!("{}{a}/{b}", if a > b { "!" } else { "" })));
        cells.push(ours.binary.to_string());
        cells.push(if ours.other.is_empty() { "-".into() } else { ours.other.join(" ") });
        cells.push(verdict(ok));
        table.row(cells);
    }
    table.print();
    println!("wanted: no kind more often than SAM has it; a join counts once whatever its operands, as SAM counts");
    Ok(Verdict::of(missed))
}

/// SAM's counts of a row, from the first block of the file.
fn sam_counts(text: &str, name: &str) -> Result<[usize; KINDS.len()]> {
    let mut lines = text.lines().skip_while(|l| *l != name);
    let line = lines.nth(1).with_context(|| format!("table1.txt has no row {name}"))?;
    let mut out = [None; KINDS.len()];
    for (label, n) in line.split('\t').filter_map(|f| f.split_once(": ")) {
        if let Some(k) = KINDS.iter().position(|k| *k == label) {
            out[k] = Some(n.trim().parse().with_context(|| format!("{label} of {name}"))?);
        }
    }
    ensure!(out.iter().all(Option::is_some), "row {name} of table1.txt lacks a kind");
    Ok(out.map(Option::unwrap_or_default))
}
