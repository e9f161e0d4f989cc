//! Generated tensors: patterns of entries (one file per kind) and their values.

mod gaps;
mod graph;
mod random;
mod regular;

use std::cmp::Ordering;

use samhw_compiler::data::{Generator, Pattern, Range};
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::types::Type;
use samhw_values::{Rng, convert, from_f64};

use super::target::times;
use super::{Coo, Loaded, MAX_POSITIONS, Target, codes};
use crate::memory;

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

/// Generates a tensor. Its shape is the target's, except for the Poisson stencils, which say theirs.
pub fn generate(generator: &Generator, target: &Target) -> Result<Loaded, Diagnostic> {
    let pattern = &generator.pattern;
    // Positions and values are drawn apart: other values leave the positions as they are.
    let mut rng = Rng::sequence(generator.seed, 0);
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

/// One value, raw bits, at every coordinate.
pub(super) fn everywhere(raw: u64, target: &Target) -> Result<Loaded, Diagnostic> {
    let places = random::uniform(&target.max, 1.0, &mut Rng::sequence(0, 0))?;
    let values = vec![raw; places.count];
    let coo = Coo::new(target.max.clone(), places.coords, values)
        .map_err(|_| wrong("made entries that do not fit its shape"))?;
    Ok(Loaded { coo, sized: false })
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
    let misfit = |v: String| {
        let message =
            format!("value {v} of `{}` does not fit type {ty} of `{}`", generator.pattern.name(), target.name);
        wrong(message).help("say which values to use: `values = [lo, hi]`")
    };
    let fit = |v: i64| ty.raw(v.into()).ok_or_else(|| misfit(v.to_string()));
    let range = match (generator.values, &places.values, ty) {
        (None, Some(own), _) => return own.iter().map(|&v| fit(v)).collect(),
        (Some(range), ..) => range,
        (None, None, Type::Int { .. }) if ty.is_signed() => Range::Whole([-8, 8]),
        (None, None, Type::Int { .. }) => Range::Whole([1, 8]),
        (None, None, Type::Bool) => Range::Whole([1, 1]),
        (None, None, _) if ty.is_signed() => Range::Real([-1.0, 1.0]),
        (None, None, _) => Range::Real([0.0, 1.0]),
    };
    let mut rng = Rng::sequence(generator.seed, 1);
    match range {
        Range::Whole([lo, hi]) => {
            if lo > hi {
                return Err(wrong(format!("values = [{lo}, {hi}] is empty")).help("the smaller number comes first"));
            }
            fit(lo).and(fit(hi))?;
            // 0 is left out by drawing from one number less and moving up what is not below it.
            let hole = lo <= 0 && hi >= 0 && lo != hi;
            let last = hi.abs_diff(lo) - u64::from(hole);
            let draw = |_| {
                let v = i128::from(lo) + i128::from(rng.up_to(last));
                // What a float does not hold exactly is rounded.
                convert((if hole && v >= 0 { v + 1 } else { v }) as u64, Type::int(64, true), ty)
            };
            Ok((0..places.count).map(draw).collect())
        }
        Range::Real([lo, hi]) => {
            if !ty.is_float() && !matches!(ty, Type::Fixed { .. }) {
                let message =
                    format!("values = [{lo:?}, {hi:?}] are real numbers, the type of `{}` is {ty}", target.name);
                return Err(wrong(message).help("write whole numbers: `values = [-4, 4]`"));
            }
            if lo.partial_cmp(&hi).is_none_or(Ordering::is_gt) {
                return Err(wrong(format!("values = [{lo:?}, {hi:?}] is empty")).help("the smaller number comes first"));
            }
            for v in [lo, hi] {
                ty.parse(&format!("{v:?}")).map_err(|_| misfit(format!("{v:?}")))?;
            }
            // 0 is drawn again, unless there is hardly anything else.
            let draw = |_| {
                let mut draws = (0..16).map(|_| {
                    let at = rng.unit();
                    from_f64((lo * (1.0 - at) + hi * at).clamp(lo, hi), ty)
                });
                draws.find(|&raw| !ty.is_zero(raw)).unwrap_or(0)
            };
            Ok((0..places.count).map(draw).collect())
        }
    }
}

fn probability(p: f64, name: &str) -> Result<f64, Diagnostic> {
    let right = (0.0..=1.0).contains(&p);
    right.then_some(p).ok_or_else(|| {
        wrong(format!("{name} = {p} is not between 0 and 1")).help("0.01 stores one coordinate of a hundred")
    })
}

/// An error unless about `count` entries of a tensor of this order are few enough.
fn affordable(count: f64, order: usize) -> Result<(), Diagnostic> {
    if count <= MAX_POSITIONS as f64 {
        return memory::fits(|| "the generator's entries".into(), count as u64, memory::reading(order));
    }
    Err(Diagnostic::new(codes::TOO_LARGE, format!("the generator would store about {count:.3e} entries"))
        .help(format!("at most {MAX_POSITIONS} are possible: choose smaller sizes or a lower density")))
}

fn wrong(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(codes::GENERATOR, message)
}
