//! Views applied to data, and the sizes of data for which a view selects what was declared.

use crate::tensor::{Coo, codes};
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::stmt::{Kernel, TensorId};
use samhw_compiler::view::{Points, Seen, View, digits, row_by_row};

/// Returns the entries of `base` that `view` selects, at the view's coordinates. `base` must hold all that the format
/// stores.
pub fn seen(view: &View, base: &Coo) -> Coo {
    let shape = view.shape(base.shape());
    let (mut coords, mut values) = (Vec::new(), Vec::new());
    for (coord, value) in base.iter() {
        // An index set may show a coordinate several times.
        let mut copies = vec![Vec::with_capacity(shape.len())];
        for (m, mode) in view.modes.iter().enumerate() {
            match &mode.seen {
                Seen::Whole => copies.iter_mut().for_each(|c| c.push(coord[m])),
                Seen::At(at) if *at == coord[m] => {}
                Seen::At(_) => copies.clear(),
                Seen::Reshaped(sizes) => {
                    let run = view.reshaped(m);
                    let place = row_by_row(&coord[run.clone()], &base.shape()[run]);
                    copies.iter_mut().for_each(|c| c.extend(digits(place, sizes)));
                }
                Seen::Within => {}
                Seen::Steps(steps) => {
                    let places = steps.places(coord);
                    copies = copies.iter().flat_map(|c| places.iter().map(move |p| [&c[..], p].concat())).collect();
                }
                Seen::Part(window) => {
                    let at: Vec<u64> =
                        window.from.places(coord[m]).into_iter().filter_map(|k| window.to.at(k)).collect();
                    copies = copies.iter().flat_map(|c| at.iter().map(move |&x| [&c[..], &[x]].concat())).collect();
                }
            }
        }
        for copy in copies {
            coords.extend(copy);
            values.push(value);
        }
    }
    let empty = Coo::empty(shape.clone());
    Coo::new(shape, coords, values).unwrap_or(empty)
}

/// Checks that slices select the same coordinates in data of these sizes as in the declared sizes.
///
/// # Errors
///
/// A slice counted from the end of a mode that is shorter than declared, or that reaches beyond it.
pub fn check(kernel: &Kernel, dims: &[u64]) -> Result<(), Diagnostic> {
    for tensor in &kernel.tensors {
        let Some(view) = &tensor.view else { continue };
        for (m, mode) in view.modes.iter().enumerate() {
            let Some(dim) = mode.dim else { continue };
            let (size, declared) = (dims[dim.0], kernel.var(dim).max);
            let bound = match &mode.seen {
                Seen::Whole | Seen::Reshaped(_) | Seen::Within | Seen::Steps(_) => 0,
                Seen::At(at) => at + 1,
                Seen::Part(window) => window.from.bound(),
            };
            let error = |message: String, help: &str| Err(Diagnostic::new(codes::SHAPE, message).help(help));
            if mode.exact && size != declared {
                let (what, help) = match &mode.seen {
                    Seen::Reshaped(_) | Seen::Within | Seen::Steps(_) => {
                        ("it is reshaped from", "declare the size that the data have")
                    }
                    Seen::Part(window) if window.to != Points::all(window.size) => {
                        ("it is put together with others as", "declare the size that the data have")
                    }
                    _ => (
                        "a slice counts from the end of",
                        "declare the size that the data have, or count from the beginning",
                    ),
                };
                return error(
                    format!("mode {m} of {} has size {size} in this run, {what} {declared}", tensor.name),
                    help,
                );
            }
            if bound > size {
                return error(
                    format!(
                        "mode {m} of {} has size {size} in this run, a slice reaches coordinate {}",
                        tensor.name,
                        bound - 1
                    ),
                    "give data in which every coordinate of the slice exists",
                );
            }
        }
    }
    Ok(())
}

/// Modes of `t` whose sizes a slice or a shape operator fixes, with their sizes.
pub(crate) fn fixed(kernel: &Kernel, t: TensorId) -> Vec<(usize, u64)> {
    let Some(view) = &kernel.tensor(t).view else { return Vec::new() };
    let sizes = |(m, mode): (usize, &samhw_compiler::view::Mode)| {
        let sizes = match &mode.seen {
            Seen::Part(window) => vec![window.size],
            Seen::Reshaped(sizes) => sizes.clone(),
            Seen::Steps(steps) => steps.shape.clone(),
            _ => Vec::new(),
        };
        view.all_shown(m).zip(sizes)
    };
    view.modes.iter().enumerate().flat_map(sizes).collect()
}
