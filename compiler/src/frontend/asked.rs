//! Sizes and types that the kernel file omits and that the data determine.

use super::header::{DataHeader, GivenNumbers};
use super::names::{FileNames, TensorEntry};
use super::sizes::Dimension;
use super::syntax::{Form, Syntax, SyntaxNode, computed};
use crate::types::Type;

/// Asked what the data of a tensor say, and whether it is wrong that they cannot be read.
pub(super) type AskByName<'a> = dyn FnMut(&str, bool) -> Option<DataHeader> + 'a;

impl TensorEntry<'_> {
    /// Nothing in the file says its type, right or wrong.
    pub(super) fn is_untyped(&self) -> bool {
        self.ty.is_none() && self.declaration.is_none_or(|declaration| !declaration.faulty)
    }
}

impl FileNames<'_> {
    /// Takes sizes and types that the file does not say from the data.
    pub(super) fn ask_data(&mut self, ask: &mut AskByName<'_>) {
        for number in 0..self.tensors.len() {
            let entry = &self.tensors[number];
            let order = entry.order.unwrap_or(0);
            let modes: Vec<_> = (0..order).map(|mode| Dimension::Mode(number, mode)).collect();
            let unsized_mode = modes.iter().any(|mode| self.sizes.size(mode).is_none());
            if !entry.used || !(entry.is_untyped() || unsized_mode) {
                continue;
            }
            let Some(header) = ask(&entry.first.name, true) else { continue };
            let entry = &mut self.tensors[number];
            match header.numbers {
                Some(GivenNumbers::Typed(ty)) if entry.is_untyped() => entry.ty = Some(ty),
                numbers => entry.numbers = numbers,
            }
            let sizes = header.shape.and_then(|shape| fitting(&shape, order)).unwrap_or_default();
            for (mode, size) in modes.iter().zip(sizes) {
                if self.sizes.size(mode).is_none() {
                    self.sizes.say(mode, size, 0..0);
                }
            }
        }
    }

    /// Whether data that are there have other sizes than the file says. Asked where it matters only: where
    /// something is read beside an index.
    pub(super) fn resized(&mut self, ask: &mut AskByName<'_>, syntax: &Syntax) -> bool {
        let beside = |node: &SyntaxNode| match &node.form {
            Form::Access { indices, .. } => computed(indices).next().is_some(),
            _ => false,
        };
        syntax.nodes.iter().any(beside)
            && (0..self.tensors.len()).any(|number| {
                let entry = &self.tensors[number];
                let order = entry.order.unwrap_or(0);
                let header = if entry.used && order > 0 { ask(&entry.first.name, false) } else { None };
                let sizes = header
                    .filter(|header| !header.guessed)
                    .and_then(|header| fitting(&header.shape?, order))
                    .unwrap_or_default();
                let other =
                    |(mode, size): (usize, &u64)| self.sizes.size(&Dimension::Mode(number, mode)) != Some(*size);
                sizes.iter().enumerate().any(other)
            })
    }

    /// The type of a statement whose tensors have none, some of them declared without one: what text
    /// files hold says it.
    pub(super) fn type_of_text(&self, entries: impl Iterator<Item = usize> + Clone) -> Option<Type> {
        let all = || entries.clone().map(|tensor| &self.tensors[tensor]);
        let says = |entry: &TensorEntry<'_>| entry.declaration.is_some() || entry.numbers.is_some();
        if !all().any(says) || !all().all(TensorEntry::is_untyped) {
            return None;
        }
        let of = |numbers| all().any(|entry| entry.numbers == Some(numbers));
        let (whole, real) = (of(GivenNumbers::Whole), of(GivenNumbers::Real));
        Some(if whole && !real { Type::int(64, true) } else { Type::F64 })
    }
}

/// The sizes of a tensor of `order` modes whose data have this shape: a column or a row is a vector, a
/// matrix of one element a scalar.
fn fitting(shape: &[u64], order: usize) -> Option<Vec<u64>> {
    match (order, shape) {
        _ if order == shape.len() => Some(shape.to_vec()),
        (1, &[n, 1] | &[1, n]) => Some(vec![n]),
        _ => None,
    }
}
