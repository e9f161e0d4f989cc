//! The gain of fusing shape operators with compute, against storing what they make first; for sparse and dense operands,
//! made by the host's packing or on the chip, as in figures 24 to 26 of "Compilation of Shape Operators on Sparse
//! Arrays" (Root et al., OOPSLA 2024).

use crate::Verdict;
use crate::copies::measure;
use crate::table::{Table, grouped, verdict};
use anyhow::{Context, Result};

/// A tensor: name and sizes.
type Sized = (&'static str, &'static [u64]);

/// A kernel: name, statement that computes and reshapes in one, the two that store what the first makes, tensors.
type ShapeRow = (&'static str, &'static str, &'static str, &'static [Sized]);

const A: Sized = ("A", &[256, 256]);
const B: Sized = ("B", &[256, 256]);

const ROWS: [ShapeRow; 7] = [
    (
        "collapsed sum",
        "x(k) = collapse(A + B, 0)(k)",
        "T(i,j) = A(i,j) + B(i,j); x(k) = collapse(T, 0)(k)",
        &[A, B, ("T", &[256, 256]), ("x", &[65536])],
    ),
    (
        "sums of reshaped rows",
        "x(p) = reshape(A, 512, 128)(p,q)",
        "T(p,q) = reshape(A, 512, 128)(p,q); x(p) = T(p,q)",
        &[A, ("T", &[512, 128]), ("x", &[512])],
    ),
    (
        "rows of blocks, summed",
        "x(p) = split(split(A, 1, 16), 0, 16)(p,r,q,s)",
        "T(p,r,q,s) = split(split(A, 1, 16), 0, 16)(p,r,q,s); x(p) = T(p,r,q,s)",
        &[A, ("T", &[16, 16, 16, 16]), ("x", &[16])],
    ),
    (
        "concatenation times vector",
        "x(i) = concat(1, A, B)(i,m) * d(m)",
        "T(i,m) = concat(1, A, B)(i,m); x(i) = T(i,m) * d(m)",
        &[A, B, ("T", &[256, 512]), ("d", &[512]), ("x", &[256])],
    ),
    (
        "window times vector",
        "x(i) = slice(A, 1, 64, 192)(i,m) * d(m)",
        "T(i,m) = slice(A, 1, 64, 192)(i,m); x(i) = T(i,m) * d(m)",
        &[A, ("T", &[256, 128]), ("d", &[128]), ("x", &[256])],
    ),
    (
        "rolled product, collapsed",
        "x(k) = collapse(roll(A, 0, 5) * B, 0)(k)",
        "T(i,j) = roll(A, 0, 5)(i,j) * B(i,j); x(k) = collapse(T, 0)(k)",
        &[A, B, ("T", &[256, 256]), ("x", &[65536])],
    ),
    (
        "collapsed, times vector",
        "x(p) = split(collapse(A, 0) * d, 0, 64)(p,q)",
        "T(k) = collapse(A, 0)(k) * d(k); x(p) = split(T, 0, 64)(p,q)",
        &[A, ("d", &[65536]), ("T", &[65536]), ("x", &[1024])],
    ),
];

/// The places where the operators on operands are computed.
const PLACES: [&str; 2] = ["host", "chip"];

/// How many of thousand entries are stored.
const DENSITIES: [u64; 2] = [50, 1000];

/// How many times faster fused kernels must be: the least geometric mean of the paper's figure 26.
const WANTED: f64 = 1.22;

/// A kernel file whose statements run one after the other, as two kernels do, with `permille` of operands stored.
fn text(expr: &str, tensors: &[Sized], permille: u64, place: &str) -> String {
    let (mut tables, mut data) = (String::new(), String::from("[data]\n"));
    for (n, (name, shape)) in tensors.iter().enumerate().filter(|(_, t)| expr.contains(t.0)) {
        // Vectors that rows are multiplied with are dense.
        let dense = permille == 1000 || *name == "d" && shape.len() == 1 && shape[0] < 65536;
        let levels = vec![if dense { "dense" } else { "compressed" }; shape.len()];
        tables += &format!("[tensors.{name}]\ntype = \"i32\"\nlevels = {levels:?}\nshape = {shape:?}\n");
        if ["A", "B", "d"].contains(name) {
            let density = if dense { 1.0 } else { permille as f64 / 1000.0 };
            data += &format!("{name} = {{ random = {{ density = {density}, seed = {n}, values = [1, 9] }} }}\n");
        }
    }
    let apart = if expr.contains(';') { "fuse = {}\n" } else { "" };
    let schedule = format!("[schedule]\n{apart}reshape = \"{place}\"\n");
    format!("name = \"k\"\nexpr = \"{expr}\"\n{schedule}{tables}{data}")
}

/// Runs the benchmark.
pub fn run() -> Result<Verdict> {
    let header = [
        "shape operators, 256 x 256",
        "made by",
        "fused, 5 %",
        "stored first",
        "fused, 100 %",
        "stored first",
        "gain",
        "wanted",
        "",
    ];
    let mut table = Table::new(&header);
    let mut missed = 0;
    for (name, fused, stored, tensors) in ROWS {
        for place in PLACES {
            let mut row = vec![name.into(), place.into()];
            let (mut product, mut slower) = (1.0, false);
            for permille in DENSITIES {
                let cycles = |expr| measure(&text(expr, tensors, permille, place)).with_context(|| name);
                let ((fused, _), (stored, _)) = (cycles(fused)?, cycles(stored)?);
                product *= stored as f64 / fused as f64;
                slower |= fused > stored;
                row.extend([fused, stored].map(grouped));
            }
            let gain = product.powf(1.0 / DENSITIES.len() as f64);
            let good = gain >= WANTED && !slower;
            missed += usize::from(!good);
            row.extend([format!("{gain:.2}"), format!(">= {WANTED}"), verdict(good)]);
            table.row(row);
        }
    }
    table.print();
    Ok(Verdict::of(missed))
}
