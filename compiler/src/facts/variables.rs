//! The variables of statements and expressions.

use crate::stmt::{Expr, ExprId, Kernel, Statement, VarId};
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
