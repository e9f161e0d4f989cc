//! Greedy shrinking: moves to any smaller case that still fails, until there is none.

use super::Case;
use super::edit::coo;
use samhw_compiler::levels;
use samhw_compiler::stmt::{Expr, ExprId, TensorId, VarId};

/// Returns the smallest case found for which `fails` is true, starting from a failing case.
pub fn shrink(mut case: Case, mut fails: impl FnMut(&Case) -> bool) -> Case {
    let passes: [fn(&Case) -> Vec<Case>; 6] = [simpler_trees, fewer_vars, smaller_dims, fewer_entries, values, formats];
    loop {
        let before = case.clone();
        for candidates in passes {
            while let Some(smaller) = candidates(&case).into_iter().find(|c| *c != case && fails(c)) {
                case = smaller;
            }
        }
        if case == before {
            return case;
        }
    }
}

/// Every node replaced by one of its children; conversions one after the other by the last.
fn simpler_trees(case: &Case) -> Vec<Case> {
    let mut out = Vec::new();
    for (n, e) in case.kernel.exprs.iter().enumerate() {
        if let Expr::Map(_, args) | Expr::Call(_, args) = e {
            for &ExprId(a) in args {
                let mut smaller = case.clone();
                smaller.kernel.exprs[n] = case.kernel.exprs[a].clone();
                out.push(smaller.compact());
            }
        }
        if let Expr::Convert(a) = e
            && let between @ Expr::Convert(_) = case.kernel.expr(*a)
        {
            let mut smaller = case.clone();
            smaller.kernel.exprs[n] = between.clone();
            out.push(smaller.compact());
        }
    }
    out.extend(without_conversion(case));
    out
}

/// The case without the conversion of the whole right-hand side, if there is one: its result is of the type before it.
fn without_conversion(case: &Case) -> Option<Case> {
    let Expr::Convert(body) = *case.kernel.expr(case.statement().value) else { return None };
    let mut smaller = case.clone();
    for e in (0..case.kernel.exprs.len()).map(ExprId) {
        smaller.kernel.types.insert(e, case.kernel.type_of(0, e));
    }
    let ty = case.kernel.type_of(0, body);
    let statement = &mut smaller.kernel.statements[0];
    (statement.value, statement.ty) = (body, ty);
    smaller.kernel.tensors[statement.result.0].ty = ty;
    Some(smaller.compact())
}

/// Every variable removed, and with it its reduction.
fn fewer_vars(case: &Case) -> Vec<Case> {
    (0..case.kernel.vars.len()).map(|v| case.clone().without_var(VarId(v))).collect()
}

/// Every size smaller by one, down to 0.
fn smaller_dims(case: &Case) -> Vec<Case> {
    let vars = (0..case.dims.len()).filter(|&v| case.dims[v] > 0);
    vars.map(|v| case.clone().with_dim(&case.same_size(VarId(v)), case.dims[v] - 1)).collect()
}

/// Every tensor empty, then every entry left out.
fn fewer_entries(case: &Case) -> Vec<Case> {
    let mut out = Vec::new();
    for (t, coo) in &case.data {
        out.push(with_entries(case, *t, |_| None));
        out.extend((0..coo.len()).map(|left_out| with_entries(case, *t, |n| (n != left_out).then(|| coo.values()[n]))));
    }
    out
}

/// Every value 1, every fill 0.
fn values(case: &Case) -> Vec<Case> {
    let mut out = Vec::new();
    for (t, coo) in &case.data {
        let one = case.kernel.tensor(*t).ty.one();
        for changed in (0..coo.len()).filter(|&n| coo.values()[n] != one) {
            out.push(with_entries(case, *t, |n| Some(if n == changed { one } else { coo.values()[n] })));
        }
        let mut plain = case.clone();
        plain.kernel.tensors[t.0].fill = None;
        out.push(plain);
    }
    out
}

/// Plain formats, storage orders, loop order and largest sizes.
fn formats(case: &Case) -> Vec<Case> {
    let mut out = Vec::new();
    for t in 0..case.kernel.tensors.len() {
        let mut plain = case.clone();
        plain.kernel.tensors[t].levels.fill(levels::COMPRESSED);
        out.push(plain);
        let mut plain = case.clone();
        plain.kernel.tensors[t].mode_order.sort_unstable();
        out.push(plain);
    }
    let mut plain = case.clone();
    plain.order.sort_unstable();
    plain.name_order();
    out.push(plain);
    out
}

/// `case` with the entries of one tensor that `value` gives a value.
fn with_entries(case: &Case, t: TensorId, value: impl Fn(usize) -> Option<u64>) -> Case {
    let old = &case.data[&t];
    let rows: Vec<_> = old.iter().enumerate().filter_map(|(n, (coord, _))| Some((coord, value(n)?))).collect();
    let coords = rows.iter().flat_map(|r| r.0.iter().copied()).collect();
    let mut smaller = case.clone();
    smaller.data.insert(t, coo(old.shape().to_vec(), coords, rows.iter().map(|r| r.1).collect()));
    smaller
}
