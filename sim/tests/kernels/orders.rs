//! The order that the compiler chooses, against every other that is legal: kernels that are drawn
//! run in each of them, and the chosen one is nearly the fastest.

use crate::drawn::random_data;
use crate::seeds;
use samhw_compiler::cycles::estimate;
use samhw_compiler::diag::Source;
use samhw_compiler::facts::Density;
use samhw_compiler::frontend::parse;
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::passes::order::choose;
use samhw_compiler::stmt::{Kernel, TensorId, VarId};
use samhw_sim::tensor::Coo;
use samhw_testing::kernels::{Functions, Limits, generate};
use samhw_testing::verify::problem;
use samhw_values::Rng;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

/// The chosen order takes at most this many times the cycles of the fastest ..
const FACTOR: f64 = 1.3;
/// .. and some, in which small kernels differ by how long their pipelines are.
const FEW: u64 = 60;
/// Cycles after which a run is too long for this test.
const LIMIT: u64 = 300_000;

/// Kernels whose orders differ much, and the indices of their tensors.
const KERNELS: &[(&str, &str)] = &[
    ("C(i,j) = pres(M(i,j)) * sum[k](A(i,k) * B(j,k))", "C ij, M ij, A ik, B jk"),
    ("C(i,j) = M(i,j) * sum[k](A(i,k) * B(k,j))", "C ij, M ij, A ik, B kj"),
    ("T(i,j) = A(i,k) * B(j,k); C(i,j) = M(i,j) * T(i,j)", "C ij, M ij, A ik, B jk, T ij"),
    ("H(i,j) = sum[f](X(i,f) * W(f,j)) + sum[f](M(i,f) * V(f,j))", "H ij, X if, W fj, M if, V fj"),
    (
        "S(i,j) = pres(M(i,j)) * sum[k](Q(i,k) * K(j,k)); O(i,l) = sum[j](S(i,j) * V(j,l))",
        "O il, M ij, Q ik, K jk, V jl, S ij",
    ),
    ("X(i,j) = where(M(i,j) > 4, B(i,k) * C(k,j), 0)", "X ij, M ij, B ik, C kj"),
    ("X(i,j) = B(i,k) * C(k,j)", "X ij, B ik, C kj"),
    ("X(i,j) = B(i,j) * C(i,k) * D(k,j)", "X ij, B ij, C ik, D kj"),
    ("X(i,j) = (B(i,k) + C(i,k)) * D(k,j)", "X ij, B ik, C ik, D kj"),
    ("x(i) = B(i,j) * c(j)", "x i, B ij, c j"),
    ("x(i) = b(i) - C(i,j) * d(j)", "x i, b i, C ij, d j"),
    ("X(i,j) = B(i,k,l) * C(k,j) * D(l,j)", "X ij, B ikl, C kj, D lj"),
    ("X(i,j,k) = B(i,j,l) * C(k,l)", "X ijk, B ijl, C kl"),
    ("a = B(i,j) * C(j,k) * d(k)", "a , B ij, C jk, d k"),
    ("X(i,j) = B(j,i) + C(i,j)", "X ij, B ji, C ij"),
];

/// A kernel with data.
struct Drawn {
    text: String,
    kernel: Kernel,
    dims: Vec<u64>,
    data: BTreeMap<TensorId, Coo>,
}

/// One of [`KERNELS`], in random sizes and formats.
fn listed(seed: u64) -> Option<Drawn> {
    let mut rng = Rng::new(seed);
    let (expr, tensors) = KERNELS[seed as usize % KERNELS.len()];
    let most = if tensors.contains("ijl") || tensors.contains("ikl") { 12 } else { 26 };
    let mut text = format!("expr = \"{expr}\"\n[dims]\n");
    for v in ["i", "j", "k", "l", "f"].iter().filter(|v| tensors.split(' ').skip(1).step_by(2).any(|w| w.contains(**v)))
    {
        text += &format!("{v} = {}\n", 4 + rng.below(most - 3));
    }
    for tensor in tensors.split(", ") {
        let (name, indices) = tensor.split_once(' ')?;
        let [first, rest] = rng.pick(&[["dense"; 2], ["dense"; 2], ["dense", "compressed"], ["compressed"; 2]]);
        let levels: Vec<&str> = indices.chars().enumerate().map(|(n, _)| if n == 0 { first } else { rest }).collect();
        text += &format!("[tensors.{name}]\ntype = \"i32\"\nlevels = {levels:?}\n");
        if indices.len() == 2 && rng.chance(25) {
            text += "mode_order = [1, 0]\n";
        }
    }
    let kernel = parse(Arc::new(Source { path: PathBuf::from("k.toml"), text: text.clone() })).ok()?.kernel;
    let dims: Vec<u64> = kernel.vars.iter().map(|v| v.max).collect();
    let data = random_data(&kernel, &dims, |rng| rng.pick(&[2, 5, 20, 100]), &mut rng);
    Some(Drawn { text, kernel, dims, data })
}

/// Any kernel.
fn random(seed: u64) -> Option<Drawn> {
    let limits = Limits {
        accesses: 4,
        vars: 3,
        dim: 24,
        depth: 3,
        functions: Functions::Arithmetic,
        empty: false,
        ..Limits::default()
    };
    let case = generate(seed, &limits);
    Some(Drawn { text: case.to_string(), kernel: case.kernel, dims: case.dims, data: case.data })
}

/// All orders of `items`.
fn permutations<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
    if items.is_empty() {
        return vec![vec![]];
    }
    let mut out = Vec::new();
    for k in 0..items.len() {
        let mut rest = items.to_vec();
        let first = rest.remove(k);
        out.extend(permutations(&rest).into_iter().map(|tail| [vec![first.clone()], tail].concat()));
    }
    out
}

/// Every order that a kernel file may name, by the variables' order that it gives.
fn legal(kernel: &Kernel, density: &Density) -> Vec<Vec<VarId>> {
    let mut names: Vec<String> = Vec::new();
    for v in &kernel.vars {
        if !names.contains(&v.name) {
            names.push(v.name.clone());
        }
    }
    let named = permutations(&names).into_iter().filter_map(|names| {
        let kernel = Kernel { order: Some(names), ..kernel.clone() };
        choose(&kernel, density).ok().map(|c| c.order)
    });
    let mut orders: Vec<Vec<VarId>> = named.collect();
    orders.sort();
    orders.dedup();
    orders
}

/// Cycles in an order, and what they were estimated to be; `None`: refused, or too long.
fn run(d: &Drawn, order: &[VarId], density: &Density) -> Option<(u64, f64)> {
    let p = problem(&d.kernel, order, &d.dims, &d.data).ok()?;
    let net = p.netlist(Depths::Auto).ok()?;
    let estimated = estimate(&p.lowered, density, &HashMap::new());
    let counts = p.run_native(&net, LIMIT).ok()?.counts;
    if std::env::var_os("SAMHW_SHOW").is_some() {
        let names: Vec<&str> = order.iter().map(|v| d.kernel.var(*v).name.as_str()).collect();
        println!("  {names:?}");
        for (node, n) in p.lowered.graph.nodes.iter().zip(&estimated.nodes) {
            let c = net.cells.iter().zip(&counts.cells).find(|(cell, _)| cell.name == node.name);
            println!("    {:24} {n:8.0} {:8}", node.name, c.map_or(0, |(_, c)| c.busy));
        }
    }
    Some((counts.cycles, estimated.total))
}

/// How the chosen order does: text, and cycles of it and of the fastest.
fn judged(d: &Drawn) -> Option<(String, u64, u64)> {
    let density = Density {
        stored: d.data.iter().map(|(t, c)| (*t, c.len() as u64)).collect(),
        sizes: d.dims.iter().enumerate().map(|(v, &n)| (VarId(v), n)).collect(),
    };
    let kernel = Kernel { order: None, ..d.kernel.clone() };
    let chosen = choose(&kernel, &density).ok()?.order;
    let orders = legal(&d.kernel, &density);
    if orders.len() < 2 {
        return None;
    }
    let mut table = d.text.clone();
    let mut own = None;
    let mut least = u64::MAX;
    for order in orders {
        let Some((cycles, estimated)) = run(d, &order, &density) else { continue };
        let names: Vec<&str> = order.iter().map(|v| d.kernel.var(*v).name.as_str()).collect();
        let mark = if order == chosen { "  chosen" } else { "" };
        table += &format!("{}: {cycles} cycles, about {estimated:.0}{mark}\n", names.join(","));
        least = least.min(cycles);
        own = own.or((order == chosen).then_some(cycles));
    }
    let own = match own {
        Some(own) => own,
        None => run(d, &chosen, &density)?.0,
    };
    Some((table, own, least.min(own)))
}

/// Whether the chosen order of a kernel is near the best, if it has several.
fn near_the_best(drawn: Option<Drawn>) -> Result<bool, String> {
    let Some((table, own, least)) = drawn.as_ref().and_then(judged) else { return Ok(false) };
    if own as f64 > FACTOR * least as f64 && own > least + FEW {
        return Err(format!("{own} cycles where {least} are possible\n{table}"));
    }
    Ok(true)
}

#[test]
fn the_chosen_order_is_near_the_fastest() {
    let (_, several) = seeds::all(8 * KERNELS.len() as u64, |seed| near_the_best(listed(seed)));
    assert!(several > 0);
}

#[test]
fn the_chosen_order_of_random_kernels_is_near_the_fastest() {
    let (_, several) = seeds::all(300, |seed| near_the_best(random(seed)));
    assert!(several > 0);
}
