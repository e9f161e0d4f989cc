//! Random kernels in which operands meet: products, and sums in them, in random formats, orders and
//! sizes.

use crate::drawn::random_data;
use samhw_compiler::diag::Source;
use samhw_compiler::facts::Density;
use samhw_compiler::frontend::parse;
use samhw_compiler::passes::order::choose;
use samhw_compiler::stmt::{Kernel, TensorId, VarId};
use samhw_sim::tensor::Coo;
use samhw_testing::verify::legal_order;
use samhw_values::Rng;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// What joins do in practice: expression, and per tensor its name and indices.
const PRODUCTS: &[(&str, &str)] = &[
    ("x(i) = b(i) * c(i)", "x i, b i, c i"),
    ("x(i) = b(i) * c(i) * d(i) * e(i)", "x i, b i, c i, d i, e i"),
    ("x(i) = (b(i) + c(i)) * d(i)", "x i, b i, c i, d i"),
    ("x(i) = b(i) * c(i) + d(i) * e(i)", "x i, b i, c i, d i, e i"),
    ("X(i,j) = B(i,j) * C(i,j)", "X ij, B ij, C ij"),
    ("X(i,j) = B(i,k) * C(k,j)", "X ij, B ik, C kj"),
    ("x(i) = B(i,j) * c(j)", "x i, B ij, c j"),
    ("x(i) = b(i) - C(i,j) * d(j)", "x i, b i, C ij, d j"),
    ("X(i,j) = B(i,j) * C(i,k) * D(k,j)", "X ij, B ij, C ik, D kj"),
    ("a = B(i,j,k) * C(i,j,k)", "a , B ijk, C ijk"),
    ("X(i,j) = B(i,k,l) * C(j,k) * D(j,l)", "X ij, B ikl, C jk, D jl"),
    ("X(i,j) = B(i,j) * (C(i,j) + D(i,j)) * E(j)", "X ij, B ij, C ij, D ij, E j"),
];

/// One of them with random sizes, formats, order and data, and its text.
pub struct Product {
    pub text: String,
    pub kernel: Kernel,
    pub order: Vec<VarId>,
    pub dims: Vec<u64>,
    pub data: BTreeMap<TensorId, Coo>,
}

/// The product with this seed; `compressed`: percent of levels that are.
pub fn product(seed: u64, compressed: u64) -> Option<Product> {
    drawn_of(PRODUCTS, seed, compressed)
}

/// ... one of `kernels`.
pub fn drawn_of(kernels: &[(&str, &str)], seed: u64, compressed: u64) -> Option<Product> {
    drawn_in(kernels, seed, &|rng| if rng.chance(compressed) { "compressed" } else { "dense" })
}

/// ... in levels of these formats.
pub fn drawn_in(kernels: &[(&str, &str)], seed: u64, level: &dyn Fn(&mut Rng) -> &'static str) -> Option<Product> {
    let mut rng = Rng::new(seed);
    let (expr, tensors) = rng.pick(kernels);
    let three = tensors.matches(|c: char| c.is_lowercase()).count() > 6;
    // Vectors of several words of 256 bits.
    let long = if tensors.contains("ij") { 100 } else { 700 };
    let most = if three { 14 } else { rng.pick(&[8, 40, long]) };
    let mut text = format!("expr = \"{expr}\"\n[dims]\n");
    for v in ["i", "j", "k", "l"].iter().filter(|v| tensors.split(' ').skip(1).step_by(2).any(|w| w.contains(**v))) {
        text += &format!("{v} = {}\n", 1 + rng.below(most));
    }
    for tensor in tensors.split(", ") {
        let (name, indices) = tensor.split_once(' ')?;
        let levels: Vec<&str> = indices.chars().map(|_| level(&mut rng)).collect();
        text += &format!("[tensors.{name}]\ntype = \"i32\"\nlevels = {levels:?}\n");
    }
    let kernel = parse(Arc::new(Source { path: PathBuf::from("k.toml"), text: text.clone() })).ok()?.kernel;
    let dims: Vec<u64> = kernel.vars.iter().map(|v| v.max).collect();
    let density = rng.pick(&[2, 10, 30, 60, 100]);
    let data = random_data(&kernel, &dims, |_| density, &mut rng);
    let mut order = choose(&kernel, &Density::default()).ok()?.order;
    rng.shuffle(&mut order);
    let order = legal_order(&kernel, order);
    Some(Product { text, kernel, order, dims, data })
}
