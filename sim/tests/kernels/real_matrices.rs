//! Kernels on every usable square matrix of the shared data: the native engine against the
//! reference executor and against sprs, a library that shares nothing with either. A sample of
//! matrices; SAMHW_FULL=1: all.

use samhw_compiler::data::ValuePolicy;
use samhw_compiler::diag::Source;
use samhw_compiler::frontend;
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::types::Type;
use samhw_sim::load::operands;
use samhw_sim::run::Problem;
use samhw_sim::tensor::{Coo, Keep, Loaded, Target, read_file};
use samhw_values::Rng;
use sprs::{CsMat, TriMat};
use std::collections::BTreeMap;
use std::num::Wrapping;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Matrices of a default run.
const SAMPLE: usize = 4;
/// Entries of the largest matrix.
const MOST_ENTRIES: usize = 100_000;
/// Cycles that a kernel may take by estimate: in a default run, in a full one.
const MOST_CYCLES: (u64, u64) = (2_000_000, 40_000_000);
/// Inner size of the dense factors.
const INNER: u64 = 4;

/// Values as the hardware has them: 64 bits that wrap.
type Value = Wrapping<i64>;
/// Coordinates and values that are not 0, in row-major order.
type Entries = Vec<(Vec<u64>, i64)>;

fn data_folder() -> PathBuf {
    let shared = std::env::var_os("SAMHW_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"), PathBuf::from);
    shared.join("data")
}

/// A square matrix; its pattern alone where its values are not integers.
fn load(path: &Path) -> Option<(Coo, ValuePolicy)> {
    let ty = Type::int(64, true);
    let target = Target { name: "A".into(), max: vec![1 << 40; 2], ty, fill: 0, keep: Keep::Others };
    let (coo, policy) = [ValuePolicy::Exact, ValuePolicy::Ones]
        .into_iter()
        .find_map(|p| read_file(path, p, &target).ok().map(|loaded| (loaded.coo, p)))?;
    let square = coo.shape().first() == coo.shape().get(1) && coo.shape().first().is_some_and(|&n| n > 0);
    (square && coo.len() <= MOST_ENTRIES).then_some((coo, policy))
}

fn csr(coo: &Coo) -> CsMat<Value> {
    let (rows, cols) = coo.iter().map(|(c, _)| (c[0] as usize, c[1] as usize)).unzip();
    let values = coo.values().iter().map(|&v| Wrapping(v as i64)).collect();
    TriMat::from_triplets((coo.shape()[0] as usize, coo.shape()[1] as usize), rows, cols, values).to_csr()
}

fn entries(m: &CsMat<Value>) -> Entries {
    let mut out: Entries =
        m.iter().filter(|(v, _)| v.0 != 0).map(|(v, (i, j))| (vec![i as u64, j as u64], v.0)).collect();
    out.sort();
    out
}

/// A full tensor of small numbers.
fn full(shape: Vec<u64>, rng: &mut Rng) -> Coo {
    let mut coords = vec![Vec::new()];
    for &size in &shape {
        coords = coords.iter().flat_map(|c| (0..size).map(move |x| [&c[..], &[x]].concat())).collect();
    }
    let values = coords.iter().map(|_| (1 + rng.below(9)).wrapping_mul(rng.pick(&[1, u64::MAX]))).collect();
    Coo::new(shape, coords.concat(), values).expect("every coordinate once")
}

/// Runs a kernel; `expected` is what the library computes. Returns cycles.
fn check(expr: &str, n: u64, formats: &[(&str, &str)], data: &[(&str, &Coo)], expected: Entries) -> u64 {
    let mut text = format!("name = \"k\"\nexpr = \"{expr}\"\n[dims]\n");
    for v in ["i", "j", "k"].into_iter().filter(|v| expr.contains(&format!("{v})")) || expr.contains(&format!("{v},")))
    {
        let inner = v == "k" && data.len() == 3;
        text.push_str(&format!("{v} = {}\n", if inner { INNER } else { n }));
    }
    for (t, levels) in formats {
        text.push_str(&format!("[tensors.{t}]\ntype = \"i64\"\n{levels}\n"));
    }
    let source = Arc::new(Source { path: PathBuf::from("k.toml"), text });
    let file = frontend::parse(source).unwrap_or_else(|d| panic!("{expr}: {d:?}"));
    let coo = |name: &str| data.iter().find(|(t, _)| *t == name).map(|(_, coo)| (*coo).clone()).expect("data");
    let loaded: BTreeMap<_, _> = operands(&file.kernel)
        .into_iter()
        .map(|t| (t, Loaded { coo: coo(&file.kernel.tensor(t).name), sized: true }))
        .collect();
    let problem = Problem::new(&file, loaded).unwrap_or_else(|d| panic!("{expr}: {d:?}"));
    let net = problem.netlist(Depths::Auto).unwrap_or_else(|d| panic!("{expr}: {d:?}"));
    let run = problem.run_native(&net, 1 << 32).unwrap_or_else(|d| panic!("{expr}: {d:?}"));
    let result = file.kernel.statements[0].result;
    let got = &run.results[&result];
    assert!(*got == problem.expected(result).expect("a reference"), "{expr}: differs from the reference");
    let got: Entries = got.iter().filter(|(_, v)| *v != 0).map(|(c, v)| (c.to_vec(), v as i64)).collect();
    assert!(got == expected, "{expr}: differs from sprs");
    run.counts.cycles
}

const DCSR: &str = "levels = [\"compressed\", \"compressed\"]";
const DCSC: &str = "levels = [\"compressed\", \"compressed\"]\nmode_order = [1, 0]";
const DENSE: &str = "levels = [\"dense\", \"dense\"]";
const COLUMNS: &str = "levels = [\"dense\", \"dense\"]\nmode_order = [1, 0]";
const VECTOR: &str = "levels = [\"dense\"]";

/// All kernels on one matrix; returns what was run, for the report.
fn run(a: &Coo, most_cycles: u64, rng: &mut Rng) -> Vec<String> {
    let n = a.shape()[0];
    let m = csr(a);
    let mut said = Vec::new();
    let length = |row: &usize| m.outer_view(*row).map_or(0, |r| r.nnz() as u64);
    let x = full(vec![n], rng);
    let dense: Vec<Value> = x.values().iter().map(|&v| Wrapping(v as i64)).collect();
    let mut y = vec![Wrapping(0); n as usize];
    sprs::prod::mul_acc_mat_vec_csr(m.view(), &dense[..], &mut y[..]);
    let y: Entries = (0..).zip(y).filter(|(_, v)| v.0 != 0).map(|(i, v)| (vec![i], v.0)).collect();
    let rows = (0..n as usize).filter(|&i| length(&i) > 0).count() as u64;
    // By rows x is scanned once per row, by columns once.
    for (name, format) in [("SpMV by rows", DCSR), ("SpMV by columns", DCSC)] {
        if format == DCSC || rows * n <= most_cycles {
            let formats = [("y", VECTOR), ("A", format), ("x", VECTOR)];
            let c = check("y(i) = A(i,j) * x(j)", n, &formats, &[("A", a), ("x", &x)], y.clone());
            said.push(format!("{name} {c}"));
        }
    }

    let transposed = m.transpose_view().to_csr();
    let sum = entries(&(&m + &transposed));
    let c = check("X(i,j) = A(i,j) + A(j,i)", n, &[("X", DCSR), ("A", DCSR)], &[("A", a)], sum);
    said.push(format!("MMAdd {c}"));

    let products: u64 = m.indices().iter().map(length).sum();
    if products <= most_cycles && rows * rows <= most_cycles {
        let product = entries(&(&m * &m));
        let c = check("X(i,j) = A(i,k) * A(k,j)", n, &[("X", DCSR), ("A", DCSR)], &[("A", a)], product);
        said.push(format!("SpM*SpM {c}"));
    }
    if rows * n <= most_cycles {
        let (d, e) = (full(vec![n, INNER], rng), full(vec![INNER, n], rng));
        let (left, right) = (csr(&d), csr(&e).to_csc());
        let mut sampled = TriMat::new((n as usize, n as usize));
        for (v, (i, j)) in m.iter() {
            let (row, column) = (left.outer_view(i).expect("a row"), right.outer_view(j).expect("a column"));
            let dot: Value = row.dot(&column);
            sampled.add_triplet(i, j, v * dot);
        }
        let formats = [("X", DCSR), ("A", DCSR), ("D", DENSE), ("E", COLUMNS)];
        let data = [("A", a), ("D", &d), ("E", &e)];
        let c = check("X(i,j) = A(i,j) * D(i,k) * E(k,j)", n, &formats, &data, entries(&sampled.to_csr()));
        said.push(format!("SDDMM {c}"));
    }
    said
}

#[test]
fn real_matrices_agree_with_an_independent_library() {
    let Ok(folder) = std::fs::read_dir(data_folder()) else {
        println!("skipped: the shared data are not here");
        return;
    };
    let mut matrices: Vec<(String, Coo, ValuePolicy)> = folder
        .filter_map(|f| {
            let path = f.ok()?.path();
            let (coo, policy) = load(&path)?;
            Some((path.file_name()?.to_string_lossy().into_owned(), coo, policy))
        })
        .collect();
    matrices.sort_by(|a, b| a.0.cmp(&b.0));
    let usable = matrices.len();
    let seed = std::env::var("SAMHW_SEED").ok().and_then(|v| v.parse().ok()).unwrap_or(1);
    let mut rng = Rng::new(seed);
    let full = std::env::var_os("SAMHW_FULL").is_some();
    if !full {
        rng.shuffle(&mut matrices);
        matrices.truncate(SAMPLE);
    }
    println!("SAMHW_SEED={seed}, {} of {usable} usable matrices; SAMHW_FULL=1 runs all", matrices.len());
    assert!(usable > 20, "only {usable} matrices of the shared data are usable");
    for (name, coo, policy) in &matrices {
        let start = Instant::now();
        let said = run(coo, if full { MOST_CYCLES.1 } else { MOST_CYCLES.0 }, &mut rng);
        let size = format!("{} x {0}, {} entries, {policy:?}", coo.shape()[0], coo.len());
        println!("{name} ({size}): {} cycles, {:.2} s", said.join(", "), start.elapsed().as_secs_f64());
    }
}
