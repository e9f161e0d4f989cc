//! The kernels measured on SAM's simulator, in the same loop orders and formats.

use crate::kernel::{Data, Kernel, Tensor};
use Data::{File, Result, Value};

/// A kernel with the numbers to compare with.
pub struct Row {
    /// Name in the table.
    pub name: &'static str,
    /// Row of SAM's results.csv.
    pub sam: &'static str,
    /// Beats of the busiest primitive (bench/BOUNDS.md); `None` if not counted.
    pub bound: Option<u64>,
    /// The kernel.
    pub kernel: Kernel<'static>,
}

const SWAP: &[usize] = &[1, 0];

const fn spmspm(
    name: &'static str,
    sam: &'static str,
    bound: u64,
    order: &'static str,
    dims: &'static [u64],
    tensors: &'static [Tensor<'static>],
) -> Row {
    Row { name, sam, bound: Some(bound), kernel: Kernel { expr: "X(i,j) = B(i,k) * C(k,j)", order, dims, tensors } }
}

const fn row(
    name: &'static str,
    sam: &'static str,
    bound: Option<u64>,
    (expr, order): (&'static str, &'static str),
    dims: &'static [u64],
    tensors: &'static [Tensor<'static>],
) -> Row {
    Row { name, sam, bound, kernel: Kernel { expr, order, dims, tensors } }
}

const B: Tensor<'static> = ("B", "ss", &[], File("B.mtx"));
const BT: Tensor<'static> = ("B", "ss", SWAP, File("B.mtx"));
const C: Tensor<'static> = ("C", "ss", &[], File("C.mtx"));
const CT: Tensor<'static> = ("C", "ss", SWAP, File("C.mtx"));
const B2: Tensor<'static> = ("C", "ss", &[], File("B2.mtx"));
const B3: Tensor<'static> = ("D", "ss", &[], File("B3.mtx"));
const T1: Tensor<'static> = ("B", "sss", &[], File("T1.tns"));
const V: Tensor<'static> = ("c", "s", &[], File("v100.mtx"));
const X: Tensor<'static> = ("X", "ss", &[], Result);
const XT: Tensor<'static> = ("X", "ss", SWAP, Result);
const X3: Tensor<'static> = ("X", "sss", &[], Result);
const Y: Tensor<'static> = ("x", "s", &[], Result);

const SPMV: &str = "x(i) = B(i,j) * c(j)";

/// All kernels of the benchmark.
pub static ROWS: [Row; 20] = [
    spmspm("SpMSpM ikj", "SpMSpM_ikj", 24_901, "ikj", &[250, 100, 250], &[B, C, X]),
    spmspm("SpMSpM jki", "SpMSpM_jki", 24_601, "jki", &[250, 100, 250], &[BT, CT, XT]),
    spmspm("SpMSpM ijk", "SpMSpM_ijk", 601_306, "ijk", &[250, 250, 100], &[B, CT, X]),
    spmspm("SpMSpM jik", "SpMSpM_jik", 601_306, "jik", &[250, 250, 100], &[B, CT, XT]),
    spmspm("SpMSpM kij", "SpMSpM_kij", 29_359, "kij", &[100, 250, 250], &[BT, C, X]),
    spmspm("SpMSpM kji", "SpMSpM_kji", 29_359, "kji", &[100, 250, 250], &[BT, C, XT]),
    row("SpMV ij", "SpMV_ij_DCSR", Some(11_851), (SPMV, "ij"), &[250, 100], &[B, V, Y]),
    row("SpMV ij, CSR", "SpMV_ij_CSR_cs", None, (SPMV, "ij"), &[250, 100], &[("B", "ds", &[], File("B.mtx")), V, Y]),
    row("SpMV ji", "SpMV_ji_DCSC", Some(817), (SPMV, "ji"), &[100, 250], &[BT, V, Y]),
    row("MMAdd", "MMAdd", Some(2_401), ("X(i,j) = B(i,j) + C(i,j)", "ij"), &[250, 100], &[B, B2, X]),
    row("MMElemMul", "MMElemMul", None, ("X(i,j) = B(i,j) * C(i,j)", "ij"), &[250, 100], &[B, B2, X]),
    row("Plus3", "Plus3", Some(3_517), ("X(i,j) = B(i,j) + C(i,j) + D(i,j)", "ij"), &[250, 100], &[B, B2, B3, X]),
    row(
        "Plus2",
        "Plus2",
        Some(876),
        ("X(i,j,k) = B(i,j,k) + C(i,j,k)", "ijk"),
        &[30, 25, 20],
        &[T1, ("C", "sss", &[], File("T2.tns")), X3],
    ),
    row(
        "TensorElemMul",
        "TensorElemMul",
        None,
        ("X(i,j,k) = B(i,j,k) * C(i,j,k)", "ijk"),
        &[30, 25, 20],
        &[T1, ("C", "sss", &[], File("T2o.tns")), X3],
    ),
    row(
        "InnerProd",
        "InnerProd",
        Some(1_736),
        ("x = B(i,j,k) * C(i,j,k)", "ijk"),
        &[30, 25, 20],
        &[T1, ("C", "sss", &[], File("T2o.tns")), ("x", "", &[], Result)],
    ),
    row(
        "TTV",
        "TTV",
        Some(3_327),
        ("X(i,j) = B(i,j,k) * c(k)", "ijk"),
        &[30, 25, 20],
        &[T1, ("c", "s", &[], File("v20.mtx")), X],
    ),
    row(
        "TTM",
        "TTM",
        Some(58_497),
        ("X(i,j,k) = B(i,j,l) * C(k,l)", "ijkl"),
        &[30, 25, 35, 20],
        &[T1, ("C", "ss", &[], File("M_kl.mtx")), X3],
    ),
    row(
        "MTTKRP",
        "MTTKRP",
        Some(6_501),
        ("X(i,j) = B(i,k,l) * C(j,k) * D(j,l)", "ijkl"),
        &[30, 15, 25, 20],
        &[T1, ("C", "ss", &[], File("M_jk.mtx")), ("D", "ss", &[], File("M_jl.mtx")), X],
    ),
    row(
        "Residual",
        "Residual",
        Some(11_896),
        ("x(i) = b(i) - C(i,j) * d(j)", "ij"),
        &[250, 100],
        &[("b", "s", &[], File("v250.mtx")), ("C", "ss", &[], File("B.mtx")), ("d", "s", &[], File("v100.mtx")), Y],
    ),
    row(
        "MatTransMul",
        "MatTransMul",
        Some(13_575),
        ("x(i) = b * C(j,i) * d(j) + e * f(i)", "ij"),
        &[100, 250],
        &[
            ("b", "", &[], Value(2)),
            ("C", "ss", SWAP, File("B.mtx")),
            ("d", "s", &[], File("v250.mtx")),
            ("e", "", &[], Value(2)),
            ("f", "s", &[], File("w100.mtx")),
            Y,
        ],
    ),
];
