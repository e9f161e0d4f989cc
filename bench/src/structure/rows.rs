//! The kernels of the benchmark: data, levels with and without structure, and the smallest number of steps.

use super::Arrays;
use samhw_values::Rng;

/// A dense array of integers.
pub struct Array {
    pub shape: Vec<u64>,
    /// Raw bits, row by row.
    pub values: Vec<u64>,
}

/// A tensor, with its levels with and without structure, a letter each: `d`ense, `c`ompressed, `r`un, `b`lock.
pub struct Operand {
    pub name: &'static str,
    pub structured: &'static str,
    pub plain: &'static str,
    pub symmetric: bool,
    /// Shape of the tensor, if the indices do not determine it.
    pub shape: &'static [u64],
}

/// A kernel of the benchmark.
pub struct StructureRow {
    pub name: &'static str,
    pub ty: &'static str,
    pub expr: &'static str,
    /// The expression without structure, if it differs.
    pub plain_expr: Option<&'static str>,
    /// First lines of the kernel file without structure.
    pub plain_schedule: &'static str,
    pub dims: &'static [(&'static str, u64)],
    pub tensors: &'static [Operand],
    pub arrays: fn(&mut Rng) -> Vec<(&'static str, Array)>,
    /// Number of steps that hardware with one value per cycle cannot avoid.
    pub ideal: fn(&Arrays) -> u64,
}

/// Length of vectors.
const N: u64 = 4096;
/// Rows and columns of matrices.
const M: u64 = 256;
/// Cycles in which a row is over after the value that decides it is where it is reduced.
const ENDS: u64 = 8;
/// Cycles from a scanner to there, through a join, as waveforms show.
const JOINED: u64 = 9;
/// The same, through what unpacks blocks.
const UNPACKED: u64 = 6;
/// Rows and columns of images.
const IMAGE: [u64; 2] = [64, 128];

const I: &[(&str, u64)] = &[("i", N)];
const IJ: &[(&str, u64)] = &[("i", M), ("j", M)];
const PIXELS: &[(&str, u64)] = &[("i", IMAGE[0]), ("j", IMAGE[1])];

const fn tensor(name: &'static str, structured: &'static str, plain: &'static str) -> Operand {
    Operand { name, structured, plain, symmetric: false, shape: &[] }
}

const fn row(name: &'static str, expr: &'static str, dims: &'static [(&'static str, u64)]) -> StructureRow {
    StructureRow {
        name,
        ty: "i32",
        expr,
        plain_expr: None,
        plain_schedule: "",
        dims,
        tensors: &[],
        arrays: |_| vec![],
        ideal: |_| 0,
    }
}

const A_RUNS: Operand = tensor("a", "r", "c");
const SUM: Operand = tensor("s", "", "");
const DENSE_A: Operand = tensor("A", "dd", "dd");
const CSR_A: Operand = tensor("A", "dc", "dc");
const X: Operand = tensor("x", "d", "d");
const Y: Operand = tensor("y", "d", "d");

/// SpMV without a mask.
const SPMV: Option<&str> = Some("y(i) = A(i,j) * x(j)");

pub const ROWS: &[StructureRow] = &[
    StructureRow {
        tensors: &[A_RUNS, tensor("b", "r", "c"), SUM],
        arrays: |r| vec![("a", runs(r, N, 35, 2)), ("b", runs(r, N, 38, 2))],
        ideal: |a| pieces(a, &["a", "b"]),
        ..row("dot product of runs", "s = a(i) * b(i)", I)
    },
    StructureRow {
        tensors: &[A_RUNS, SUM],
        arrays: |r| vec![("a", runs(r, N, 70, 2))],
        ideal: |a| pieces(a, &["a"]),
        ..row("maximum of runs", "s = max[i](a(i))", I)
    },
    StructureRow {
        tensors: &[A_RUNS, tensor("b", "r", "c"), tensor("c", "r", "c")],
        arrays: |r| vec![("a", runs(r, N, 70, 2)), ("b", runs(r, N, 76, 2))],
        ideal: |a| pieces(a, &["a", "b"]),
        ..row("sum of runs into runs", "c(i) = a(i) + b(i)", I)
    },
    StructureRow {
        tensors: &[A_RUNS, tensor("b", "c", "c"), SUM],
        arrays: |r| vec![("a", runs(r, N, 70, 2)), ("b", points(r, &[N], 4))],
        ideal: |a| entries(a, "b") + pieces(a, &["a"]),
        ..row("points with runs", "s = a(i) * b(i)", I)
    },
    StructureRow {
        tensors: &[A_RUNS, tensor("b", "b", "c"), SUM],
        arrays: |r| vec![("a", runs(r, N, 70, 2)), ("b", blocks(r, N, 40))],
        ideal: |a| met(a) + pieces(a, &["a"]) + 2 * 20,
        ..row("blocks with runs", "s = a(i) * b(i)", I)
    },
    StructureRow {
        tensors: &[tensor("A", "dr", "dc"), tensor("B", "dr", "dc"), tensor("O", "dr", "dc")],
        arrays: |r| vec![("A", image(r)), ("B", image(r))],
        ideal: |a| row_pieces(a, &["A", "B"]) + 2 * IMAGE[0],
        ..row("alpha blend of images", "O(i,j) = 3 * A(i,j) + 5 * B(i,j)", PIXELS)
    },
    StructureRow {
        tensors: &[CSR_A, tensor("x", "r", "c"), Y],
        arrays: |r| vec![("A", points(r, &[M, M], 5)), ("x", runs(r, M, 8, 1))],
        ideal: |a| entries(a, "A") + 8 * M,
        ..row("csr times runs", "y(i) = A(i,j) * x(j)", IJ)
    },
    StructureRow {
        plain_expr: SPMV,
        tensors: &[DENSE_A, X, Y],
        arrays: |r| vec![("A", points(r, &[M, M], 100)), ("x", points(r, &[M], 100))],
        ideal: |_| M * (M + 1) / 2 + 2 * M,
        ..row("triangle of a dense matrix", "y(i) = mask(j <= i, A(i,j) * x(j))", IJ)
    },
    StructureRow {
        plain_expr: SPMV,
        tensors: &[DENSE_A, X, Y],
        arrays: |r| vec![("A", points(r, &[M, M], 100)), ("x", points(r, &[M], 100))],
        ideal: |_| 9 * M - 20 + 2 * M,
        ..row("band of a dense matrix", "y(i) = mask(i - 4 <= j and j <= i + 4, A(i,j) * x(j))", IJ)
    },
    StructureRow {
        plain_expr: SPMV,
        tensors: &[CSR_A, X, Y],
        arrays: |r| vec![("A", points(r, &[M, M], 5)), ("x", points(r, &[M], 100))],
        ideal: |a| inside(a, |i, j| j <= i) + 2 * M,
        ..row("triangle of a csr matrix", "y(i) = mask(j <= i, A(i,j) * x(j))", IJ)
    },
    StructureRow {
        plain_expr: Some("y(i) = A(i,j)"),
        tensors: &[DENSE_A, tensor("l", "d", "d"), tensor("h", "d", "d"), Y],
        arrays: |r| {
            let low = points(r, &[M], 100);
            let high = low.values.iter().map(|v| v + r.below(20)).collect();
            vec![("A", points(r, &[M, M], 100)), ("h", Array { shape: vec![M], values: high }), ("l", low)]
        },
        ideal: |a| a["h"].values.iter().zip(&a["l"].values).map(|(h, l)| h - l).sum::<u64>() + 3 * M,
        ..row("bounds that are data", "y(i) = mask(l(i) <= j and j < h(i), A(i,j))", IJ)
    },
    StructureRow {
        plain_expr: SPMV,
        tensors: &[DENSE_A, tensor("v", "d", "d"), X, Y],
        arrays: |r| vec![("A", points(r, &[M, M], 100)), ("v", points(r, &[M], 10)), ("x", points(r, &[M], 100))],
        ideal: |a| M * entries(a, "v") + 3 * M,
        ..row("rows by a condition", "y(i) = mask(v(i) != 0, A(i,j) * x(j))", IJ)
    },
    StructureRow {
        plain_expr: Some("Y(i,j) = A(i,j)"),
        dims: &[("i", M)],
        tensors: &[Operand { shape: &[M, M], ..CSR_A }, tensor("Y", "dc", "dc")],
        arrays: |r| vec![("A", points(r, &[M, M], 5))],
        ideal: |a| inside(a, |_, j| j < 10) + 2 * M,
        ..row("ten columns of a csr matrix", "Y(i,j) = A(i, j[0:10])", IJ)
    },
    StructureRow {
        plain_schedule: "schedule.fuse = {}\n",
        tensors: &[CSR_A, tensor("r", "d", "d"), tensor("c", "d", "d"), SUM],
        arrays: |r| vec![("A", points(r, &[M, M], 5))],
        ideal: |a| entries(a, "A") + 2 * M,
        ..row("three sums in one pass", "r(i) = A(i,j); c(j) = A(i,j); s = A(i,j)", IJ)
    },
    StructureRow {
        tensors: &[Operand { symmetric: true, ..CSR_A }, X, Y],
        arrays: |r| vec![("A", symmetric(r)), ("x", points(r, &[M], 100))],
        ideal: |a| inside(a, |i, j| j <= i) + 3 * M,
        ..row("symmetric SpMV", "y(i) = A(i,j) * x(j)", IJ)
    },
    StructureRow {
        tensors: &[tensor("a", "c", "c"), tensor("y", "r", "d")],
        arrays: |r| vec![("a", points(r, &[N], 4))],
        ideal: |a| 2 * entries(a, "a"),
        ..row("running sum of points", "y(i) = cumsum[i](a(i))", I)
    },
    StructureRow {
        ty: "bool",
        plain_expr: Some("y(i) = xor[j](A(i,j) and x(j))"),
        tensors: &[CSR_A, tensor("x", "c", "c"), Y],
        arrays: |r| vec![("A", ones(r, &[M, M], 90)), ("x", ones(r, &[M], 90))],
        ideal: |_| (JOINED + ENDS) * M,
        ..row("any of a join", "y(i) = any[j](A(i,j) and x(j))", IJ)
    },
    StructureRow {
        ty: "bool",
        plain_expr: Some("y(i) = xor[j](A(i,j))"),
        tensors: &[tensor("A", "db", "dc"), Y],
        arrays: |r| vec![("A", ones(r, &[M, M], 90))],
        ideal: |_| (UNPACKED + ENDS) * M,
        ..row("any of blocks", "y(i) = any[j](A(i,j))", IJ)
    },
    StructureRow {
        tensors: &[tensor("A", "dc", "dd"), X, Y],
        arrays: |r| vec![("A", points(r, &[M, M], 5)), ("x", points(r, &[M], 100))],
        ideal: |a| 2 * entries(a, "A") + 2 * M,
        ..row("maximum with absent", "y(i) = max[j](A(i,j) * x(j))", IJ)
    },
];

/// Numbers from 1 to 8 at this share of a hundred places.
fn points(rng: &mut Rng, shape: &[u64], percent: u64) -> Array {
    let count: u64 = shape.iter().product();
    let value = |_| if rng.below(100) < percent { 1 + rng.below(8) } else { 0 };
    Array { shape: shape.to_vec(), values: (0..count).map(value).collect() }
}

fn ones(rng: &mut Rng, shape: &[u64], percent: u64) -> Array {
    let mut made = points(rng, shape, percent);
    made.values.iter_mut().for_each(|v| *v = u64::from(*v > 0));
    made
}

/// A vector of about `count` runs, one of `rest` of which is not 0.
fn runs(rng: &mut Rng, n: u64, count: u64, rest: u64) -> Array {
    let mut values = Vec::new();
    let mut filled = 0;
    while (values.len() as u64) < n {
        let length = 1 + rng.below(2 * n / (count * rest));
        filled += 1;
        let value = if filled % rest == 0 { 1 + rng.below(8) } else { 0 };
        values.extend((0..length).map(|_| value));
    }
    values.truncate(n as usize);
    Array { shape: vec![n], values }
}

/// A vector with 20 blocks of `length` numbers.
fn blocks(rng: &mut Rng, n: u64, length: u64) -> Array {
    let each = n / 20;
    let value = |i: u64| if i % each < length { 1 + rng.below(8) } else { 0 };
    Array { shape: vec![n], values: (0..n).map(value).collect() }
}

fn image(rng: &mut Rng) -> Array {
    let rows = (0..IMAGE[0]).flat_map(|_| runs(rng, IMAGE[1], 4, 2).values);
    Array { values: rows.collect(), shape: IMAGE.to_vec() }
}

fn symmetric(rng: &mut Rng) -> Array {
    let mut made = points(rng, &[M, M], 5);
    for i in 0..M {
        for j in 0..i {
            made.values[(j * M + i) as usize] = made.values[(i * M + j) as usize];
        }
    }
    made
}

fn entries(arrays: &Arrays, name: &str) -> u64 {
    arrays[name].values.iter().filter(|v| **v != 0).count() as u64
}

/// Entries of A at such places.
fn inside(arrays: &Arrays, holds: fn(u64, u64) -> bool) -> u64 {
    let there = |(at, v): &(usize, &u64)| **v != 0 && holds(*at as u64 / M, *at as u64 % M);
    arrays["A"].values.iter().enumerate().filter(there).count() as u64
}

/// Places where both a and b are not 0.
fn met(arrays: &Arrays) -> u64 {
    arrays["a"].values.iter().zip(&arrays["b"].values).filter(|(a, b)| **a != 0 && **b != 0).count() as u64
}

/// Pieces between the breakpoints of these vectors.
fn pieces(arrays: &Arrays, names: &[&str]) -> u64 {
    row_pieces(arrays, names)
}

/// Pieces between the breakpoints of each row.
fn row_pieces(arrays: &Arrays, names: &[&str]) -> u64 {
    let first = &arrays[names[0]];
    let n = *first.shape.last().unwrap_or(&1) as usize;
    let breaks = |at: usize| names.iter().any(|name| arrays[name].values[at] != arrays[name].values[at - 1]);
    (0..first.values.len()).filter(|&at| at % n == 0 || breaks(at)).count() as u64
}
