//! Operands: their checked data in their formats, and as fibertrees.

use super::key::Key;
use super::near::Near;
use super::plan::Fill;
use super::program::Read;
use super::storage::{each_filled, filled_modes};
use super::tree::Tree;
use super::value::Value;
use super::{mismatch, too_many};
use crate::tensor::Coo;
use crate::views;
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::stmt::{Gives, Kernel, Statement, Tensor, TensorId, VarId};
use samhw_compiler::types::Type;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A tensor that statements can read.
pub(super) struct Held {
    /// The entries that its format stores: raw values, or places in `bounds`.
    pub(super) stored: Coo,
    /// The values, if they have bounds.
    pub(super) bounds: Option<Arc<Vec<Near>>>,
    pub(super) fill: Fill,
}

impl Held {
    pub(super) fn new(tensor: &Tensor, coo: &Coo, fill: Fill, most: usize) -> Result<Self, Diagnostic> {
        Ok(Self { stored: with_filled(tensor, coo, fill.value.raw, most)?, bounds: None, fill })
    }
}

/// Gives the views that a statement reads what they see of their bases now.
pub(super) fn see(
    kernel: &Kernel,
    statement: &Statement,
    held: &mut BTreeMap<TensorId, Held>,
) -> Result<(), Diagnostic> {
    for (t, _) in kernel.accesses(statement.value) {
        let Some(view) = &kernel.tensor(t).view else { continue };
        let Some(base) = held.get(&view.base) else {
            return Err(mismatch(format!("no data for tensor {}", kernel.tensor(t).name)));
        };
        let fill = Fill { everywhere: base.fill.everywhere && view.sees_all(), ..base.fill };
        let bounds = base.bounds.clone();
        let seen = Held { stored: views::seen(view, &base.stored), bounds, fill };
        held.insert(t, seen);
    }
    Ok(())
}

/// `coo` with the fills that `tensor`'s innermost dense levels store explicitly.
pub(super) fn with_filled(tensor: &Tensor, coo: &Coo, fill: u64, most: usize) -> Result<Coo, Diagnostic> {
    let rank = tensor.shape.len();
    if coo.order() != rank || tensor.levels.len() != rank || tensor.mode_order.iter().any(|&m| m >= rank) {
        return Err(mismatch(format!("tensor {} has {rank} modes, its data or format has not", tensor.name)));
    }
    let filled = filled_modes(tensor);
    let mut prefixes: BTreeSet<Vec<u64>> = BTreeSet::new();
    // A scalar is dense: it always holds its one value.
    if rank > 0 && !filled.contains(&true) {
        return Ok(coo.clone());
    }
    if filled.contains(&false) {
        for (coord, _) in coo.iter() {
            prefixes.insert(coord.iter().zip(&filled).map(|(&c, &f)| if f { 0 } else { c }).collect());
        }
    } else {
        prefixes.insert(vec![0; rank]);
    }
    let below = (0..rank).filter(|&m| filled[m]).try_fold(1u64, |n, m| n.checked_mul(coo.shape()[m]));
    let total = below.and_then(|n| n.checked_mul(prefixes.len() as u64)).filter(|&n| n <= most as u64);
    match total {
        None => return Err(too_many(&format!("tensor {}", tensor.name), most)),
        Some(n) if n == coo.len() as u64 => return Ok(coo.clone()),
        Some(_) => {}
    }
    let (mut coords, mut values) = (Vec::new(), Vec::new());
    for mut prefix in prefixes {
        each_filled(&filled, coo.shape(), &mut prefix, &mut |coord| {
            coords.extend_from_slice(coord);
            values.push(coo.get(coord).unwrap_or(fill));
        });
    }
    Coo::new(coo.shape().to_vec(), coords, values).map_err(|clash| mismatch(format!("{}: {clash:?}", tensor.name)))
}

/// Checks that every access of the statement has data of the right shape.
pub(super) fn check(
    kernel: &Kernel,
    statement: &Statement,
    dims: &[u64],
    held: &BTreeMap<TensorId, Held>,
) -> Result<(), Diagnostic> {
    for (t, indices) in kernel.reads(statement.value) {
        let name = &kernel.tensor(t).name;
        let Some(h) = held.get(&t) else { return Err(mismatch(format!("no data for tensor {name}"))) };
        let sizes: Vec<u64> = indices.iter().map(|v| dims[v.0]).collect();
        if h.stored.shape() != sizes {
            let shape = h.stored.shape();
            return Err(mismatch(format!("tensor {name} has shape {shape:?} and is accessed with sizes {sizes:?}")));
        }
    }
    Ok(())
}

/// The values of an operand that is read at computed coordinates.
pub(super) struct OperandTable<'h> {
    held: &'h Held,
    gives: Gives,
}

impl<'h> OperandTable<'h> {
    pub(super) fn new(read: &Read, held: &'h BTreeMap<TensorId, Held>) -> Result<Self, Diagnostic> {
        let none = || mismatch("no data for a tensor that is read at computed coordinates".into());
        Ok(Self { held: held.get(&read.tensor).ok_or_else(none)?, gives: read.gives })
    }

    /// Returns the value at these coordinates, as one of type `ty`.
    pub(super) fn at<V: Value>(&self, coordinates: &[i128], ty: Type) -> V {
        let inside = |(c, n): (&i128, &u64)| u64::try_from(*c).ok().filter(|c| c < n);
        let coord: Option<Vec<u64>> = coordinates.iter().zip(self.held.stored.shape()).map(inside).collect();
        match (coord, self.gives) {
            (coord, Gives::Inside) => V::exact(if coord.is_some() { ty.one() } else { 0 }),
            (None, Gives::ValueOr(outside)) => V::exact(outside),
            (coord, _) => coord
                .and_then(|coord| self.held.stored.get(&coord))
                .map_or(V::of(&self.held.fill.value), |stored| value(self.held, stored)),
        }
    }
}

/// A value of an operand, from what it stores.
pub(super) fn value<V: Value>(held: &Held, stored: u64) -> V {
    match &held.bounds {
        Some(bounds) => bounds.get(stored as usize).map_or(V::exact(0), V::of),
        None => V::exact(stored),
    }
}

/// The fibertree of `coo` accessed with `indices`, levels as in `key`; of a variable that stands
/// twice, the diagonal.
pub(super) fn operand_tree<V: Value>(held: &Held, indices: &[VarId], key: &Key, dims: &[u64]) -> Tree<V> {
    let mut at = vec![0; dims.len()];
    let mut rows: Vec<(u128, u64)> = Vec::with_capacity(held.stored.len());
    for (coord, stored) in held.stored.iter() {
        indices.iter().zip(coord).for_each(|(v, &c)| at[v.0] = c);
        if indices.iter().zip(coord).all(|(v, &c)| at[v.0] == c) {
            rows.push((key.pack(&at), stored));
        }
    }
    rows.sort_unstable_by_key(|r| r.0);
    Tree::new(key, rows.into_iter().map(|(key, stored)| (key, value(held, stored))))
}
