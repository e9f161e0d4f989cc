//! Generated tensors: where entries stand (one file per kind) and their values.

mod graph;
mod random;
mod regular;
mod rng;

use samhw_compiler::data::{Generator, Pattern};
use samhw_compiler::diag::Diagnostic;

use self::rng::Rng;
use super::target::times;
use super::{Coo, Loaded, MAX_POSITIONS, Target, codes};

/// Coordinates, one after the other, and the pattern's own values if it has any.
#[derive(Debug, Default)]
struct Places {
    coords: Vec<u64>,
    count: usize,
    values: Option<Vec<i64>>,
}

impl Places {
    fn push(&mut self, coord: &[u64]) {
        self.coords.extend_from_slice(coord);
        self.count += 1;
    }
}

/// Makes a tensor. Its shape is the target's, except for the Poisson stencils, which say theirs.
pub fn generate(generator: &Generator, target: &Target) -> Result<Loaded, Diagnostic> {
    let pattern = &generator.pattern;
    // Positions and values are drawn apart: other values leave the positions as they are.
    let mut rng = Rng::new(generator.seed, 0);
    let shape = shape(pattern, target)?;
    let places = match *pattern {
        Pattern::Random { density } => random::uniform(&shape, probability(density, "density")?, &mut rng)?,
        Pattern::Block { size, density } => random::blocks(&shape, size, probability(density, "density")?, &mut rng)?,
        Pattern::Rmat { edges, quadrants } => graph::rmat(&shape, edges, quadrants, &mut rng)?,
        Pattern::Banded { lower, upper } => regular::banded(&shape, lower, upper)?,
        Pattern::Poisson2d { n } => regular::poisson(n, 2)?,
        Pattern::Poisson3d { n } => regular::poisson(n, 3)?,
        Pattern::Identity => regular::identity(&shape)?,
    };
    let values = values(generator, target, &places)?;
    let coo = Coo::new(shape, places.coords, values).map_err(|_| wrong("made entries that do not fit its shape"))?;
    Ok(Loaded { coo, sized: matches!(pattern, Pattern::Poisson2d { .. } | Pattern::Poisson3d { .. }) })
}

/// The tensor's shape, if the pattern goes with the target's order and sizes.
fn shape(pattern: &Pattern, target: &Target) -> Result<Vec<u64>, Diagnostic> {
    let (name, order) = (pattern.name(), target.max.len());
    let (needs, fits) = match pattern {
        Pattern::Random { .. } => ("any order", true),
        Pattern::Block { .. } | Pattern::Identity => ("order 1 or more", order > 0),
        _ => ("order 2", order == 2),
    };
    if !fits {
        return Err(wrong(format!("`{name}` makes tensors of {needs}, `{}` is of order {order}", target.name))
            .help("`random` makes tensors of any order"));
    }
    let (n, power) = match *pattern {
        Pattern::Poisson2d { n } => (n, 2),
        Pattern::Poisson3d { n } => (n, 3),
        _ => return Ok(target.max.clone()),
    };
    let side = n
        .checked_pow(power)
        .ok_or_else(|| wrong(format!("n = {n} is too large for `{name}`")).help("choose a smaller n"))?;
    if target.max.iter().any(|&max| side > max) {
        let message =
            format!("`{name}` with n = {n} is {side} x {side}, `{}` is at most {}", target.name, times(&target.max));
        return Err(Diagnostic::new(codes::SHAPE, message).help("choose a smaller n or raise the sizes in `[dims]`"));
    }
    Ok(vec![side, side])
}

/// Raw bits, one per entry.
fn values(generator: &Generator, target: &Target, places: &Places) -> Result<Vec<u64>, Diagnostic> {
    let ty = target.ty;
    let fit = |v: i64| {
        ty.raw(v.into()).ok_or_else(|| {
            wrong(format!("value {v} of `{}` does not fit type {ty} of `{}`", generator.pattern.name(), target.name))
                .help("say which values to use: `values = [lo, hi]`")
        })
    };
    let [lo, hi] = match (generator.values, &places.values) {
        (None, Some(own)) => return own.iter().map(|&v| fit(v)).collect(),
        (Some(range), _) => range,
        (None, None) if ty.is_signed() => [-8, 8],
        (None, None) => [1, 8],
    };
    if lo > hi {
        return Err(wrong(format!("values = [{lo}, {hi}] is empty")).help("the smaller number stands first"));
    }
    fit(lo).and(fit(hi))?;
    let mut rng = Rng::new(generator.seed, 1);
    // 0 is left out by drawing from one number less and moving up what is not below it.
    let hole = lo <= 0 && hi >= 0 && lo != hi;
    let span = u128::from(hi.abs_diff(lo)) + u128::from(!hole);
    let draw = |_| {
        let v = i128::from(lo) + i128::from(rng.below(span));
        ty.wrap(if hole && v >= 0 { v + 1 } else { v })
    };
    Ok((0..places.count).map(draw).collect())
}

fn probability(p: f64, name: &str) -> Result<f64, Diagnostic> {
    let right = (0.0..=1.0).contains(&p);
    right.then_some(p).ok_or_else(|| {
        wrong(format!("{name} = {p} is not between 0 and 1")).help("0.01 stores one coordinate of a hundred")
    })
}

/// An error unless about `count` entries are few enough.
fn affordable(count: f64) -> Result<(), Diagnostic> {
    if count <= MAX_POSITIONS as f64 {
        return Ok(());
    }
    Err(Diagnostic::new(codes::TOO_LARGE, format!("the generator would store about {count:.3e} entries"))
        .help(format!("at most {MAX_POSITIONS} are possible: choose smaller sizes or a lower density")))
}

fn wrong(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(codes::GENERATOR, message)
}
