//! The storage format of each tensor, determined once its order is known.

use super::declaration::{Declaration, Storage};
use super::names::{FileNames, TensorEntry};
use super::reader::Reader;
use super::sizes::Dimension;
use super::usual::UsualFormat;
use crate::levels::{self, LevelKind};
use crate::stmt::Tensor;
use crate::types::Type;

/// Type of tensors whose type has been reported.
const UNKNOWN: Type = Type::int(64, true);

/// Completes the kernel's tensors.
pub(super) fn finish(reader: &mut Reader, names: &mut FileNames<'_>) -> Vec<Tensor> {
    let mut tensors = Vec::new();
    for number in 0..names.tensors.len() {
        let entry = &names.tensors[number];
        let order = entry.order.unwrap_or(0);
        let (mut levels, mode_order) = match entry.declaration {
            Some(declaration) => declared(reader, declaration, order),
            None => {
                let like = names.stored_as.get(&entry.first.name).and_then(|name| names.by_name.get(name));
                let like = like.and_then(|&number| names.tensors[number].declaration);
                let modes = like.map(|declaration| declared(reader, declaration, order).1);
                (vec![levels::DENSE; order], modes.unwrap_or_else(|| (0..order).collect()))
            }
        };
        if names.tensors[number].written.is_some() {
            levels.iter_mut().for_each(|level| *level = level.where_written().unwrap_or(*level));
        }
        let prune = prunes(reader, &names.tensors[number], names.complete, &levels);
        let entry = &names.tensors[number];
        let shape = (0..order).map(|mode| names.sizes.size(&Dimension::Mode(number, mode)).unwrap_or(1)).collect();
        tensors.push(Tensor {
            name: entry.first.name.clone(),
            ty: entry.ty.unwrap_or(UNKNOWN),
            shape,
            levels,
            mode_order,
            fill: entry.declaration.and_then(|declaration| declaration.fill),
            nnz: entry.declaration.and_then(|declaration| declaration.nnz),
            runs: entry.declaration.and_then(|declaration| declaration.runs),
            prune,
            span: entry.declaration.map_or(entry.first.span.clone(), |declaration| declaration.span.clone()),
            view: None,
        });
    }
    tensors
}

impl TensorEntry<'_> {
    /// Returns whether all levels are dense, as those of results without a table are.
    pub fn is_dense(&self) -> bool {
        let storage = self.declaration.and_then(|declaration| declaration.storage.as_ref());
        storage.is_none_or(|storage| match storage.get_ref() {
            Storage::Levels(levels) => levels.iter().all(|level| level.is_dense()),
            Storage::Format(named) => *named == UsualFormat::Dense,
        })
    }
}

/// Does the tensor leave out values that are its fill? Only a result that stores some coordinates and others not can.
/// (A statement that is not understood, as the expression is not `complete`, may write any tensor.)
fn prunes(reader: &mut Reader, entry: &TensorEntry<'_>, complete: bool, levels: &[LevelKind]) -> bool {
    let Some(span) = entry.declaration.and_then(|declaration| declaration.prune.clone()) else { return false };
    let name = &entry.first.name;
    let (message, help) = if entry.written.is_none() {
        if !complete {
            return false;
        }
        let message = format!("`{name}` is an operand: `prune` is for results");
        (message, "an operand has all entries that its data store; leave fills out of the data")
    } else if levels.iter().all(|l| l.is_dense()) {
        let message = format!("`{name}` is dense, and stores every coordinate: nothing can be pruned");
        (message, "give it a compressed level, or leave `prune` out")
    } else {
        return true;
    };
    let problem = reader.at("K024", span, message);
    reader.report(problem.help(help));
    false
}

/// Levels and their modes of a declared tensor.
fn declared(reader: &mut Reader, declaration: &Declaration, order: usize) -> (Vec<LevelKind>, Vec<usize>) {
    let mut by_columns = None;
    let mut levels = match declaration.storage.as_ref().map(|storage| (storage.get_ref(), storage.span())) {
        Some((Storage::Levels(levels), _)) => coordinate_list(levels.clone()),
        Some((Storage::Format(named), span)) => {
            by_columns = named.by_columns().then_some((named.name(), span));
            named.levels(order)
        }
        None => {
            if order > 0 && !declaration.faulty {
                let message = format!("tensor `{}` has no `format`", declaration.name);
                let problem = reader.at("K003", declaration.name_span.clone(), message);
                reader.report(problem.help("add `format = \"dense\"`, or `levels` with a level for every index"));
            }
            vec![levels::DENSE; order]
        }
    };
    levels::settle(&mut levels);
    let modes = match (&declaration.mode_order, by_columns) {
        (Some(modes), Some((format, _))) => {
            let message = format!("`{format}` says how modes are ordered, and so does `mode_order`");
            let problem = reader.at("K011", modes.span(), message);
            reader.report(problem.help("keep one of them"));
            modes.get_ref().clone()
        }
        (Some(modes), None) => {
            if modes.get_ref().len() != order && !declaration.faulty {
                let message =
                    format!("`mode_order` is of order {}, the tensor is of order {order}", modes.get_ref().len());
                let problem = reader.at("K007", modes.span(), message);
                reader.report(problem.help("name every mode once, counted from 0"));
            }
            modes.get_ref().clone()
        }
        (None, Some(_)) => vec![1, 0],
        (None, None) => (0..order).collect(),
    };
    (levels, modes)
}

/// The level that stores the same coordinates, where any result may have it.
pub(super) fn plain(level: LevelKind) -> LevelKind {
    if level.is_dense() { level } else { levels::COMPRESSED }
}

/// `compressed_nu, singleton, singleton` is what many call a coordinate list of order 3: the middle one repeats.
/// Data in which it does not are stored alike.
fn coordinate_list(mut levels: Vec<LevelKind>) -> Vec<LevelKind> {
    for l in 1..levels.len() {
        if levels[l - 1].repeats() && levels.get(l + 1).is_some_and(|next| next.is_singleton()) {
            levels[l] = levels[l].between_singletons().unwrap_or(levels[l]);
        }
    }
    levels
}
