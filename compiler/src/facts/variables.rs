//! The variables of statements and expressions.

use crate::stmt::{Expr, ExprId, Kernel, Statement, TensorId, VarId};
use std::collections::BTreeSet;

/// Lists every variable of a statement.
pub fn variables(kernel: &Kernel, s: &Statement) -> Vec<VarId> {
    fn go(kernel: &Kernel, e: ExprId, out: &mut Vec<VarId>) {
        match kernel.expr(e) {
            Expr::Access(_, i) | Expr::Stored(_, i) => out.extend(i),
            Expr::Index(v) | Expr::Reduce(_, v, _) | Expr::At(v, _) | Expr::Prefix(_, v, _) => out.push(*v),
            Expr::Literal(_) | Expr::Map(..) | Expr::Call(..) | Expr::Convert(_) | Expr::Read { .. } => {}
        }
        kernel.expr(e).children().iter().for_each(|&a| go(kernel, a, out));
    }
    let mut out = s.indices.clone();
    go(kernel, s.value, &mut out);
    out.sort_unstable();
    out.dedup();
    out
}

/// Lists the variables in `e` with computed coordinates, each with the variables in its computation.
pub fn computed(kernel: &Kernel, e: ExprId) -> Vec<(VarId, Vec<VarId>)> {
    let own = if let Expr::At(v, at) = kernel.expr(e) {
        Some((*v, open_variables(kernel, *at).into_iter().collect()))
    } else {
        None
    };
    own.into_iter().chain(kernel.expr(e).children().iter().flat_map(|&a| computed(kernel, a))).collect()
}

/// Lists the variables along which `e` scans, each with the other variables of the scan's values.
pub fn scanned(kernel: &Kernel, e: ExprId) -> Vec<(VarId, Vec<VarId>)> {
    let own = match kernel.expr(e) {
        Expr::Prefix(_, v, of) => {
            let open: BTreeSet<_> = of.iter().flat_map(|&e| open_variables(kernel, e)).collect();
            Some((*v, open.into_iter().filter(|u| u != v).collect()))
        }
        _ => None,
    };
    own.into_iter().chain(kernel.expr(e).children().iter().flat_map(|&a| scanned(kernel, a))).collect()
}

/// Returns the free variables of `e`.
pub fn open_variables(kernel: &Kernel, e: ExprId) -> BTreeSet<VarId> {
    let mut open: BTreeSet<VarId> = match kernel.expr(e) {
        Expr::At(v, at) => open_variables(kernel, *at).into_iter().chain([*v]).collect(),
        Expr::Prefix(_, v, of) => of.iter().flat_map(|&e| open_variables(kernel, e)).chain([*v]).collect(),
        Expr::Access(_, i) | Expr::Stored(_, i) => i.iter().copied().collect(),
        Expr::Index(v) => [*v].into(),
        Expr::Literal(_) | Expr::Map(..) | Expr::Call(..) | Expr::Reduce(..) | Expr::Convert(_) | Expr::Read { .. } => {
            kernel.expr(e).children().iter().flat_map(|&a| open_variables(kernel, a)).collect()
        }
    };
    if let Expr::Reduce(_, k, _) = kernel.expr(e) {
        open.remove(k);
    }
    open
}

/// A mode of a result where it is written and where a later statement reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReadMode {
    /// The result.
    pub tensor: TensorId,
    /// The statement that writes it, and its index.
    pub writer: (usize, VarId),
    /// The statement that reads it, and its index.
    pub reader: (usize, VarId),
}

/// All modes of earlier results that statements read as they are stored.
pub(crate) fn read_modes(kernel: &Kernel) -> impl Iterator<Item = ReadMode> + '_ {
    kernel.statements.iter().enumerate().flat_map(move |(n, s)| {
        let plain = kernel.accesses(s.value).into_iter().filter(|(t, _)| kernel.tensor(*t).view.is_none());
        plain.flat_map(move |(tensor, read)| {
            let writer = kernel.written_before(n, tensor);
            writer.into_iter().flat_map(move |w| {
                let pairs: Vec<_> = kernel.statements[w].indices.iter().copied().zip(read.iter().copied()).collect();
                pairs.into_iter().map(move |(a, b)| ReadMode { tensor, writer: (w, a), reader: (n, b) })
            })
        })
    })
}
