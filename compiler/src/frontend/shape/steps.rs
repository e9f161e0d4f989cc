//! Shapes and view steps of nested shape operators, computed once the sizes are known.

use super::left::inverse;
use crate::frontend::declaration::MAX_SIZE;
use crate::frontend::syntax::Ident;
use crate::frontend::syntax::shape::{Applied, ShapeOperator, Shaped};
use crate::frontend::windows::bounded;
use crate::view::{Moved, Points, ShapeStep, ShapeSteps};
use std::ops::Range;

/// Sizes of a tensor's modes, if they are known.
type SizesOf<'a> = &'a mut dyn FnMut(&Ident) -> Option<Vec<u64>>;

/// A problem of a shape operator, with its place; or, without a message, a size that is missing.
pub(in crate::frontend) struct Misshapen {
    /// Name of the operator.
    pub name: String,
    /// Position of the operator.
    pub span: Range<usize>,
    /// Description of the error, if there is one.
    pub message: Option<String>,
}

/// A part of what operators make: its shape, and how the tensor that is asked for comes to it, if
/// it is in the part.
pub(in crate::frontend) struct MadeShape {
    /// Sizes of the modes of the part.
    pub shape: Vec<u64>,
    /// Steps of the tensor.
    pub steps: Option<ShapeSteps>,
}

/// The steps for each part.
type PartSteps = Result<Vec<Vec<ShapeStep>>, String>;

impl Shaped {
    /// Returns the shape that the operator makes; `leaf`: the tensor whose steps are asked for, counted from
    /// the left.
    pub(in crate::frontend) fn made(&self, leaf: usize, sizes: SizesOf<'_>) -> Result<MadeShape, Misshapen> {
        self.of_leaf(&mut leaf.checked_add(1), sizes)
    }

    /// The tensor that holds what is written through operators on the left, and the sizes of its modes.
    pub(in crate::frontend) fn written(&self, sizes: SizesOf<'_>) -> Option<(&Ident, Vec<u64>)> {
        match self {
            Self::Of(Applied { operator: ShapeOperator::Inverse(of), .. }, parts) => match &parts[..] {
                [Self::Tensor(whole)] => Some((whole, of.of_leaf(&mut None, sizes).ok()?.shape)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the shape that the operator makes; `left`: number of tensors up to the one that is asked for.
    fn of_leaf(&self, left: &mut Option<usize>, sizes: SizesOf<'_>) -> Result<MadeShape, Misshapen> {
        let wrong = |applied: &Applied, message| Misshapen {
            name: applied.name.name.clone(),
            span: applied.span.clone(),
            message,
        };
        let (applied, parts) = match self {
            Self::Number(_) => return Ok(MadeShape { shape: Vec::new(), steps: None }),
            Self::Tensor(tensor) => {
                *left = left.and_then(|n| n.checked_sub(1));
                let missing = Misshapen { name: tensor.name.clone(), span: tensor.span.clone(), message: None };
                let shape = sizes(tensor).ok_or(missing)?;
                let steps = (*left == Some(0)).then(|| ShapeSteps::begin(shape.clone()));
                return Ok(MadeShape { shape, steps });
            }
            Self::Of(applied, parts) => (Some(applied), parts),
            Self::Pointwise(_, _, parts) => (None, parts),
        };
        let mut made = parts.iter().map(|part| part.of_leaf(left, sizes)).collect::<Result<Vec<_>, _>>()?;
        let shapes: Vec<Vec<u64>> = made.iter().map(|part| part.shape.clone()).collect();
        let steps = match (applied, self) {
            (Some(Applied { operator: ShapeOperator::Inverse(of), .. }), _) => {
                let there = of.of_leaf(&mut Some(1), sizes)?;
                there.steps.map_or(Ok(Vec::new()), |steps| inverse(&steps, &shapes[0]).map(|steps| vec![steps]))
            }
            (Some(applied), _) => steps(&applied.operator, &shapes),
            (None, _) => broadcast(&shapes),
        };
        let steps = steps.map_err(|message| match (applied, self) {
            (Some(applied), _) => wrong(applied, Some(message)),
            (None, Self::Pointwise(_, span, _)) => {
                Misshapen { name: String::new(), span: span.clone(), message: Some(message) }
            }
            _ => Misshapen { name: String::new(), span: 0..0, message: Some(message) },
        })?;
        let mut all = MadeShape { shape: Vec::new(), steps: None };
        for (n, (part, steps)) in made.drain(..).zip(steps).enumerate() {
            let mut own = part.steps.clone().unwrap_or_else(|| ShapeSteps::begin(part.shape.clone()));
            for step in steps {
                own.push(step);
            }
            let total = own.shape.iter().try_fold(1_u64, |all, size| all.checked_mul(*size));
            if let (Some(applied), true) = (applied, total.is_none_or(|total| total > MAX_SIZE)) {
                let message = format!("the result of `{}` is larger than {MAX_SIZE}", applied.name.name);
                return Err(wrong(applied, Some(message)));
            }
            // A scalar among the parts has the shape of the others.
            if n == 0 || own.shape.len() > all.shape.len() {
                all.shape.clone_from(&own.shape);
            }
            if part.steps.is_some() {
                all.steps = Some(own);
            }
        }
        Ok(all)
    }
}

/// `mode` as numpy counts it, out of this number.
fn axis(mode: i64, order: usize) -> Result<usize, String> {
    let wide = i64::try_from(order).unwrap_or(i64::MAX);
    let counted = if mode < 0 { mode + wide } else { mode };
    usize::try_from(counted)
        .ok()
        .filter(|mode| *mode < order)
        .ok_or_else(|| format!("mode {mode} is out of bounds for a tensor of {order} modes"))
}

fn positive(what: &str, n: i64) -> Result<u64, String> {
    u64::try_from(n).map_err(|_| format!("{what} is {n}: it may not be negative"))
}

/// One piece for what `points` select; sets are a piece for each coordinate.
fn selected(points: &Points) -> Vec<Moved> {
    match points {
        Points::Steps { count: 0, .. } => Vec::new(),
        Points::Steps { first, step, count } => vec![Moved { from: *first, step: *step, count: *count, to: 0 }],
        Points::Set(set) => (0..).zip(set).map(|(to, &from)| Moved { from, step: 1, count: 1, to }).collect(),
    }
}

/// The whole of a mode of this size, from `to` on.
fn whole(size: u64, to: u64) -> Vec<Moved> {
    if size == 0 { Vec::new() } else { vec![Moved { from: 0, step: 1, count: size, to }] }
}

/// What an operator does with parts of these shapes.
fn steps(operator: &ShapeOperator, shapes: &[Vec<u64>]) -> PartSteps {
    let shape = &shapes[0];
    let order = shape.len();
    if order == 0 {
        return Err("a scalar has no modes".into());
    }
    let recount = |mode: usize, of: &[u64], sizes: Vec<u64>| ShapeStep::Recount { mode, of: of.to_vec(), sizes };
    Ok(vec![match operator {
        ShapeOperator::Split { mode, inner } => {
            let mode = axis(*mode, order)?;
            let inner = u64::try_from(*inner).ok().filter(|n| *n > 0);
            let inner = inner.ok_or_else(|| "the inner size of `split` is not positive".to_owned())?;
            if !shape[mode].is_multiple_of(inner) {
                return Err(format!("mode {mode} has size {} here, not a multiple of {inner}", shape[mode]));
            }
            vec![recount(mode, &shape[mode..=mode], vec![shape[mode] / inner, inner])]
        }
        ShapeOperator::Collapse { mode } => {
            let mode = axis(*mode, order)?;
            if mode + 1 == order {
                return Err(format!("`collapse` makes one of modes {mode} and {}, and there are {order}", mode + 1));
            }
            let sizes = &shape[mode..mode + 2];
            let all = sizes[0].checked_mul(sizes[1]).ok_or("the result of `collapse` is too large")?;
            vec![recount(mode, sizes, vec![all])]
        }
        ShapeOperator::Reshape { sizes } => vec![recount(0, shape, reshaped(sizes, shape)?)],
        ShapeOperator::Concat { .. } | ShapeOperator::Stack { .. } | ShapeOperator::Rows | ShapeOperator::Columns => {
            return together(operator, shapes);
        }
        ShapeOperator::Kron => return kron(shapes),
        ShapeOperator::Transpose { modes } => {
            let modes = modes.iter().map(|&mode| axis(mode, order)).collect::<Result<Vec<_>, _>>()?;
            if modes.len() != order || (0..order).any(|mode| !modes.contains(&mode)) {
                return Err(format!("`transpose` does not name each of {order} modes once"));
            }
            vec![ShapeStep::Transpose { modes }]
        }
        ShapeOperator::Diag { offset } => vec![diagonal(*offset, shape)?],
        ShapeOperator::Triangle { .. } if order == 1 => {
            return Err("a triangle needs a matrix, this has one mode".into());
        }
        ShapeOperator::Triangle { upper, offset } => vec![ShapeStep::Triangle { upper: *upper, offset: *offset }],
        ShapeOperator::Repeat { mode, times } => {
            vec![ShapeStep::Repeat { mode: axis(*mode, order)?, times: positive("the number of repetitions", *times)? }]
        }
        ShapeOperator::Tile { times } => tiled(shape, times)?,
        ShapeOperator::Squeeze { modes } => {
            let modes = modes.iter().map(|&mode| axis(mode, order)).collect::<Result<Vec<_>, _>>()?;
            if let Some(mode) = modes.iter().find(|&&mode| shape[mode] != 1) {
                return Err(format!(
                    "mode {mode} has size {} here, and `squeeze` removes modes of size 1",
                    shape[*mode]
                ));
            }
            let gone = |mode: usize| if modes.is_empty() { shape[mode] == 1 } else { modes.contains(&mode) };
            let left = (0..order).filter(|&mode| !gone(mode)).map(|mode| shape[mode]).collect();
            vec![recount(0, shape, left)]
        }
        ShapeOperator::Expand { mode } => vec![recount(axis(*mode, order + 1)?, &[], vec![1])],
        ShapeOperator::Pick { mode, at } => {
            let mode = axis(*mode, order)?;
            let from = positive("a coordinate", *at)?;
            if from >= shape[mode] {
                return Err(format!("coordinate {at} is outside of mode {mode}, whose size is {} here", shape[mode]));
            }
            let pieces = vec![Moved { from, step: 1, count: 1, to: 0 }];
            vec![ShapeStep::Pieces { mode, pieces, size: 1 }, recount(mode, &[1], vec![])]
        }
        // What is written on the left has steps of its own.
        ShapeOperator::Inverse(_) => Vec::new(),
        ShapeOperator::Slice { mode, .. }
        | ShapeOperator::Take { mode, .. }
        | ShapeOperator::Pad { mode, .. }
        | ShapeOperator::Roll { mode, .. }
        | ShapeOperator::Flip { mode } => {
            let mode = axis(*mode, order)?;
            let (pieces, size) = pieces(operator, shape[mode])?;
            vec![ShapeStep::Pieces { mode, pieces, size }]
        }
    }])
}

/// The pieces of a mode of this size, and the size that they make, of an operator that moves
/// coordinates of one mode.
fn pieces(operator: &ShapeOperator, size: u64) -> Result<(Vec<Moved>, u64), String> {
    let moved = |from, step, count, to| if count == 0 { Vec::new() } else { vec![Moved { from, step, count, to }] };
    Ok(match operator {
        ShapeOperator::Slice { bounds, .. } => {
            let selection = bounded(*bounds, size).map_err(|fault| fault.text(size))?;
            (selected(&selection.points), selection.points.count())
        }
        ShapeOperator::Take { set, .. } => {
            let outside = set.iter().find(|&&c| u64::try_from(c).map_or(true, |c| c >= size));
            if let Some(c) = outside {
                return Err(format!("coordinate {c} is outside, the size is {size} here"));
            }
            let set: Vec<u64> = set.iter().map(|&c| c as u64).collect();
            let count = set.len() as u64;
            (selected(&Points::Set(set)), count)
        }
        ShapeOperator::Pad { before, after, .. } => {
            let (before, after) = (positive("what `pad` adds", *before)?, positive("what `pad` adds", *after)?);
            (whole(size, before), before.saturating_add(size).saturating_add(after))
        }
        ShapeOperator::Roll { by, .. } => {
            let by = by.rem_euclid(i64::try_from(size).unwrap_or(i64::MAX).max(1)) as u64;
            let last = moved(size - by.min(size), 1, by, 0);
            ([last, moved(0, 1, size - by.min(size), by)].concat(), size)
        }
        _ => (moved(size.saturating_sub(1), -1, size, 0), size),
    })
}

/// The sizes of `reshape`, of which one may be -1: what is left.
fn reshaped(sizes: &[i64], shape: &[u64]) -> Result<Vec<u64>, String> {
    let total: u64 = shape.iter().product();
    let known: i64 = sizes.iter().filter(|&&size| size >= 0).fold(1, |all, &size| all.saturating_mul(size));
    let known = u64::try_from(known).unwrap_or(u64::MAX);
    let wrong = || format!("{total} coordinates do not fit sizes {sizes:?}");
    let open = sizes.iter().filter(|&&size| size < 0).count();
    if open > 1 || sizes.iter().any(|&size| size < -1) {
        return Err("`reshape` may leave one size open, as -1".into());
    }
    let fits = if open == 0 { known == total } else { known > 0 && total.is_multiple_of(known) };
    let size = |&size: &i64| u64::try_from(size).unwrap_or_else(|_| total / known.max(1));
    if fits { Ok(sizes.iter().map(size).collect()) } else { Err(wrong()) }
}

fn diagonal(offset: i64, shape: &[u64]) -> Result<ShapeStep, String> {
    let far = offset.unsigned_abs();
    match *shape {
        [size] => Ok(ShapeStep::OnDiagonal { offset, size: size.saturating_add(far) }),
        [rows, columns] => {
            let (rows, columns) =
                if offset < 0 { (rows.saturating_sub(far), columns) } else { (rows, columns.saturating_sub(far)) };
            Ok(ShapeStep::Diagonal { offset, size: rows.min(columns) })
        }
        _ => Err(format!("`diag` takes a vector or a matrix, this has {} modes", shape.len())),
    }
}

/// `tile`, with modes of size 1 before where there are more numbers than modes.
fn tiled(shape: &[u64], times: &[i64]) -> Result<Vec<ShapeStep>, String> {
    let more = times.len().saturating_sub(shape.len());
    let before = shape.len().saturating_sub(times.len());
    let mut steps = vec![ShapeStep::Recount { mode: 0, of: vec![], sizes: vec![1; more] }];
    let sizes: Vec<u64> = [&vec![1; more][..], shape].concat();
    for (mode, times) in (before..).zip(times) {
        let times = positive("the number of repetitions", *times)?;
        let size = sizes[mode];
        if times.saturating_mul(size) > MAX_SIZE {
            return Err(format!("mode {mode} would have {times} times {size} coordinates, more than {MAX_SIZE}"));
        }
        let pieces = (0..times).flat_map(|n| whole(size, n * size)).collect();
        steps.push(ShapeStep::Pieces { mode, pieces, size: times * size });
    }
    Ok(steps)
}

/// `kron`: each coordinate of the first as often as the second has coordinates, the second as often
/// as the first.
fn kron(shapes: &[Vec<u64>]) -> PartSteps {
    let [a, b] = shapes else { return Err(format!("`kron` takes two tensors, not {}", shapes.len())) };
    let order = a.len().max(b.len());
    let padded = |shape: &[u64]| [&vec![1; order - shape.len()][..], shape].concat();
    let (wide_a, wide_b) = (padded(a), padded(b));
    let new = |shape: &[u64]| ShapeStep::Recount { mode: 0, of: vec![], sizes: vec![1; order - shape.len()] };
    let repeats = (0..order).map(|mode| ShapeStep::Repeat { mode, times: wide_b[mode] });
    let times: Vec<i64> = wide_a.iter().map(|&size| i64::try_from(size).unwrap_or(i64::MAX)).collect();
    Ok(vec![
        std::iter::once(new(a)).chain(repeats).collect(),
        std::iter::once(new(b)).chain(tiled(&wide_b, &times)?).collect(),
    ])
}

/// Parts one after the other at a mode.
fn together(operator: &ShapeOperator, shapes: &[Vec<u64>]) -> PartSteps {
    let order = shapes[0].len();
    let vectors = order == 1;
    // A mode that parts get before they are put together.
    let (new, mode) = match operator {
        ShapeOperator::Stack { mode } => {
            let mode = axis(*mode, order + 1)?;
            (Some(mode), mode)
        }
        ShapeOperator::Rows => (vectors.then_some(0), 0),
        ShapeOperator::Columns => (None, usize::from(!vectors)),
        ShapeOperator::Concat { mode } => (None, axis(*mode, order)?),
        _ => (None, 0),
    };
    let expanded = |shape: &Vec<u64>| {
        let mut shape = shape.clone();
        if let Some(mode) = new.filter(|mode| *mode <= shape.len()) {
            shape.insert(mode, 1);
        }
        shape
    };
    let all: Vec<Vec<u64>> = shapes.iter().map(expanded).collect();
    for (n, shape) in all.iter().enumerate() {
        if shape.len() != all[0].len() {
            return Err(format!(
                "parts must have the same number of modes: part 0 has {order}, part {n} has {}",
                shapes[n].len()
            ));
        }
        let other = (0..shape.len())
            .find(|&m| (m != mode || matches!(operator, ShapeOperator::Stack { .. })) && shape[m] != all[0][m]);
        if let Some(m) = other {
            let (a, b) = (all[0][m], shape[m]);
            return Err(format!("parts must have the same size in mode {m}: part 0 has {a}, part {n} has {b}"));
        }
    }
    let size = all.iter().map(|shape| shape[mode]).fold(0_u64, u64::saturating_add);
    let mut to = 0;
    let place = |shape: &Vec<u64>| {
        let pieces = whole(shape[mode], to);
        to += shape[mode];
        let placed = ShapeStep::Pieces { mode, pieces, size };
        new.map(|mode| ShapeStep::Recount { mode, of: vec![], sizes: vec![1] }).into_iter().chain([placed]).collect()
    };
    Ok(all.iter().map(place).collect())
}

/// Parts of one expression have one shape, as numpy broadcasts.
fn broadcast(shapes: &[Vec<u64>]) -> PartSteps {
    let order = shapes.iter().map(Vec::len).max().unwrap_or(0);
    let mut all = vec![1; order];
    for shape in shapes {
        let before = order - shape.len();
        for (mode, &size) in shape.iter().enumerate() {
            let known = &mut all[before + mode];
            if *known != size && *known != 1 && size != 1 {
                return Err(format!("shapes {:?} and {shape:?} cannot be broadcast together", shapes[0]));
            }
            if *known == 1 {
                *known = size;
            }
        }
    }
    let grow = |shape: &Vec<u64>| {
        if shape.is_empty() {
            return Vec::new();
        }
        let new = order - shape.len();
        let repeat = |mode: usize| {
            let own = if mode < new { 1 } else { shape[mode - new] };
            (own != all[mode]).then_some(ShapeStep::Repeat { mode, times: all[mode] })
        };
        let new = ShapeStep::Recount { mode: 0, of: vec![], sizes: vec![1; new] };
        std::iter::once(new).chain((0..order).filter_map(repeat)).collect()
    };
    Ok(shapes.iter().map(grow).collect())
}
