//! Copies and lanes: the gain of `parallel` and `lanes`, compared with targets.

mod real;

use crate::Verdict;
use crate::cycles::run_checked;
use crate::kernel::rendered;
use crate::table::{Table, grouped, verdict};
use anyhow::Result;
use samhw_compiler::diag::Source;
use samhw_compiler::frontend::parse;
use samhw_sim::load::load_operands;
use samhw_sim::run::Problem;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Runs the benchmark.
pub fn run() -> Result<Verdict> {
    let mut balance = Table::new(&["balance of 4 copies", "elements", "times faster", "fibers", "times faster"]);
    let mut missed = copies(&mut balance)?;
    println!();
    missed += in_order(&mut balance)?;
    println!();
    balance.print();
    println!();
    missed += lanes()?;
    println!();
    missed += real::spmv()?;
    Ok(Verdict::of(missed))
}

/// Returns the cycles of a kernel file that ends in its schedule; the result must be correct. Also returns the problem.
pub fn measure(text: &str) -> Result<(u64, Problem)> {
    let source = Arc::new(Source { path: "k.toml".into(), text: text.to_owned() });
    let file = parse(source).map_err(|d| rendered(&d))?;
    let loaded = load_operands(&file, &BTreeMap::new()).map_err(|d| rendered(&d))?;
    let problem = Problem::new(&file, loaded).map_err(|d| rendered(&d))?;
    Ok((run_checked(&problem)?, problem))
}

/// A kernel file: expression, loop order, sizes (`i = 5`), tensors as `A csr i32`, data.
fn text(expr: &str, order: &str, dims: &str, tensors: &[&str], data: &str) -> String {
    let order: Vec<String> = order.chars().map(|v| format!("\"{v}\"")).collect();
    let mut out = format!("name = \"k\"\nexpr = \"{expr}\"\norder = [{}]\n[dims]\n{dims}\n", order.join(", "));
    for t in tensors {
        let words: Vec<&str> = t.split(' ').collect();
        out += &format!("[tensors.{}]\nformat = \"{}\"\ntype = \"{}\"\n", words[0], words[1], words[2]);
    }
    out + &format!("[data]\n{data}\n[schedule]\n")
}

/// A row of the table that compares balances: four copies of i dealt to as usual took `four` cycles, one copy `one`.
fn balanced(balance: &mut Table, name: &str, text: &str, (one, four): (u64, u64)) -> Result<()> {
    let (fibers, _) = measure(&format!("{text}parallel = {{ i = {{ copies = 4, balance = \"fibers\" }} }}\n"))?;
    let cells = [four, fibers].map(|n| [grouped(n), format!("{:.2}", one as f64 / n as f64)]);
    balance.row(std::iter::once(name.to_string()).chain(cells.into_iter().flatten()).collect());
    Ok(())
}

fn copies(balance: &mut Table) -> Result<usize> {
    let poisson = "B = { poisson2d = { n = 100 } }\nC = { poisson2d = { n = 100 } }";
    let rmat = "B = { rmat = { edges = 40000, seed = 1 } }\nC = { rmat = { edges = 40000, seed = 2 } }";
    let mut table = Table::new(&["SpM*SpM ikj, 10,000 rows", "1 copy", "4 copies", "times faster", "wanted", ""]);
    let mut sharing = Table::new(&["SpM*SpM ikj, 10,000 rows", "1 copy", "4 copies", "own", "shared", "banked"]);
    let mut missed = 0;
    for (name, data) in [("Poisson", poisson), ("R-MAT", rmat)] {
        let dims = "i = 10000\nj = 10000\nk = 10000";
        let tensors = ["B csr i32", "C csr i32", "X dcsr i32"];
        let text = text("X(i,j) = B(i,k) * C(k,j)", "ikj", dims, &tensors, data);
        let (one, _) = measure(&text)?;
        let (four, _) = measure(&format!("{text}parallel = {{ i = 4 }}\n"))?;
        let gain = one as f64 / four as f64;
        missed += usize::from(gain < 3.6);
        let cells = [grouped(one), grouped(four), format!("{gain:.2}"), "3.6".into(), verdict(gain >= 3.6)];
        table.row(std::iter::once(name.to_string()).chain(cells).collect());
        let mut cells = vec![name.to_string(), grouped(one), "cycles".into(), grouped(four)];
        let mut gains =
            ["", "", "times faster"].map(String::from).into_iter().chain([format!("{gain:.2}")]).collect::<Vec<_>>();
        for memory in ["shared", "banked"] {
            let (cycles, _) =
                measure(&format!("{text}parallel = {{ i = {{ copies = 4, memory = \"{memory}\" }} }}\n"))?;
            cells.push(grouped(cycles));
            gains.push(format!("{:.2}", one as f64 / cycles as f64));
        }
        sharing.row(cells);
        sharing.row(gains);
        balanced(balance, &format!("SpM*SpM ikj, {name}"), &text, (one, four))?;
    }
    table.print();
    println!();
    sharing.print();
    Ok(missed)
}

/// Copies whose items come back in the order they were dealt in.
fn in_order(balance: &mut Table) -> Result<usize> {
    let grid = "B = { poisson2d = { n = 15 } }\nC = { random = { density = 0.1, seed = 2 } }";
    let rmat = "A = { rmat = { edges = 20000, seed = 1 } }\nx = { random = { density = 1.0, seed = 2 } }";
    let product =
        ("X(i,j) = B(i,k) * C(k,j)", "ijk", "i = 225\nj = 225\nk = 225", ["B csr i32", "C csc i32", "X dense i32"]);
    let spmv = ("y(i) = A(i,j) * x(j)", "ij", "i = 2000\nj = 2000", ["A csr i32", "x dense i32", "y dense i32"]);
    let rows = [("SpM*SpM ijk, Poisson, 225 rows", product, grid), ("SpMV, R-MAT, 2,000 rows", spmv, rmat)];
    let mut table = Table::new(&["dense results", "1 copy", "4 copies", "times faster", "wanted", ""]);
    let mut missed = 0;
    for (name, (expr, order, dims, tensors), data) in rows {
        let text = text(expr, order, dims, &tensors, data);
        let (one, _) = measure(&text)?;
        let (four, _) = measure(&format!("{text}parallel = {{ i = 4 }}\n"))?;
        let gain = one as f64 / four as f64;
        missed += usize::from(gain < 3.2);
        let cells = [grouped(one), grouped(four), format!("{gain:.2}"), "3.2".into(), verdict(gain >= 3.2)];
        table.row(std::iter::once(name.to_string()).chain(cells).collect());
        balanced(balance, name, &text, (one, four))?;
    }
    table.print();
    Ok(missed)
}

/// A kernel with a dense index that has lanes.
struct CopiesRow {
    name: &'static str,
    expr: &'static str,
    order: &'static str,
    dims: &'static str,
    tensors: &'static [&'static str],
    data: &'static str,
    /// The index with lanes, and its size.
    laned: (&'static str, u64),
    /// The operand each of whose entries meets all of that index.
    sparse: &'static str,
    wanted: Option<f64>,
}

const ROWS: [CopiesRow; 3] = [
    CopiesRow {
        name: "SpMM, 64 columns",
        expr: "X(i,j) = A(i,k) * B(k,j)",
        order: "ikj",
        dims: "i = 2500\nj = 64\nk = 2500",
        tensors: &["A csr i32", "B dense i32", "X dense i32"],
        data: "A = { poisson2d = { n = 50 } }\nB = { random = { density = 1.0, seed = 2 } }",
        laned: ("j", 64),
        sparse: "A",
        wanted: Some(7.6),
    },
    CopiesRow {
        name: "SDDMM, K = 64",
        expr: "X(i,j) = A(i,j) * C(i,k) * D(j,k)",
        order: "ijk",
        dims: "i = 2500\nj = 2500\nk = 64",
        tensors: &["A csr i32", "C dense i32", "D dense i32", "X csr i32"],
        data: "A = { poisson2d = { n = 50 } }\nC = { random = { density = 1.0, seed = 2 } }\n\
               D = { random = { density = 1.0, seed = 3 } }",
        laned: ("k", 64),
        sparse: "A",
        wanted: None,
    },
    CopiesRow {
        name: "MTTKRP, 64 columns",
        expr: "X(i,j) = T(i,k,l) * C(k,j) * D(l,j)",
        order: "iklj",
        dims: "i = 200\nj = 64\nk = 100\nl = 80",
        tensors: &["T csf i32", "C dense i32", "D dense i32", "X dense i32"],
        data: "T = { random = { density = 0.005, seed = 1 } }\nC = { random = { density = 1.0, seed = 2 } }\n\
               D = { random = { density = 1.0, seed = 3 } }",
        laned: ("j", 64),
        sparse: "T",
        wanted: None,
    },
];

fn lanes() -> Result<usize> {
    let heads = ["dense index, 8 lanes", "1 lane", "8 lanes", "times faster", "elements/cycle", "wanted", ""];
    let (mut table, mut missed) = (Table::new(&heads), 0);
    for row in &ROWS {
        let text = text(row.expr, row.order, row.dims, row.tensors, row.data);
        let (one, _) = measure(&text)?;
        let (eight, problem) = measure(&format!("{text}lanes = {{ {} = 8 }}\n", row.laned.0))?;
        let kernel = &problem.lowered.kernel;
        let entries: usize =
            problem.data.iter().filter(|(t, _)| kernel.tensor(**t).name == row.sparse).map(|(_, coo)| coo.len()).sum();
        let rate = (entries as u64 * row.laned.1) as f64 / eight as f64;
        let ok = row.wanted.is_none_or(|w| rate >= w);
        missed += usize::from(!ok);
        let wanted = row.wanted.map_or_else(|| "-".to_string(), |w| w.to_string());
        let gain = format!("{:.2}", one as f64 / eight as f64);
        table.row(vec![row.name.into(), grouped(one), grouped(eight), gain, format!("{rate:.2}"), wanted, verdict(ok)]);
    }
    table.print();
    Ok(missed)
}
