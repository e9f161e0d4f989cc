//! Scans in random kernels: expressions replaced by their scans along an outer loop, and reductions replaced by
//! coordinates of extreme values.

use super::{Case, Functions, choose};
use crate::verify::legal_order;
use samhw_compiler::facts::{coordinate_bits, open_variables};
use samhw_compiler::stmt::{Expr, ExprId, Fun, Function, Operator, Prefix, Shared, Term, VarId};
use samhw_compiler::types::Type;
use samhw_values::{Alone, Rng};

/// The case with scans, along variables that are the innermost of what is scanned.
pub(super) fn along(case: &mut Case, functions: Functions, rng: &mut Rng) {
    let (statement, order) = (case.statement().clone(), legal_order(&case.kernel, case.order.clone()));
    let mut all = Vec::new();
    collect(case, statement.value, &mut statement.indices.clone(), &mut all);
    for (e, bound) in all.into_iter().rev() {
        if !rng.chance(15) {
            continue;
        }
        match *case.kernel.expr(e) {
            Expr::Reduce(_, v, body) if innermost(case, &order, body, v) && rng.chance(50) => {
                extreme(case, e, (v, body), rng)
            }
            _ => {
                let fits = |v: &VarId| innermost(case, &order, e, *v);
                let Some(v) = bound.iter().copied().find(fits) else { continue };
                fold(case, e, v, functions, rng);
            }
        }
    }
}

/// Do all loops around `v` hold what else is in `e`?
fn innermost(case: &Case, order: &[VarId], e: ExprId, v: VarId) -> bool {
    let place = |v: &VarId| order.iter().position(|o| o == v);
    open_variables(&case.kernel, e).iter().all(|u| place(u) <= place(&v))
}

/// Every expression with the variables bound around it.
fn collect(case: &Case, e: ExprId, bound: &mut Vec<VarId>, all: &mut Vec<(ExprId, Vec<VarId>)>) {
    all.push((e, bound.clone()));
    let inside = if let Expr::Reduce(_, v, _) = case.kernel.expr(e) { Some(*v) } else { None };
    bound.extend(inside);
    for &child in case.kernel.expr(e).children() {
        collect(case, child, bound, all);
    }
    bound.truncate(bound.len() - usize::from(inside.is_some()));
}

/// Scans `e` along `v`.
fn fold(case: &mut Case, e: ExprId, v: VarId, functions: Functions, rng: &mut Rng) {
    let ty = case.kernel.type_of(0, e);
    if rng.chance(30) {
        return recurrence(case, e, v, rng);
    }
    let op = match choose::user_operator(rng, ty).filter(|_| rng.chance(15)) {
        Some(own) => own,
        None => {
            let Some(op) = choose::operator(rng, functions, ty).filter(|op| op.alone(ty) == Alone::Itself) else {
                return;
            };
            Operator::Fun(op)
        }
    };
    let body = moved(case, e, ty);
    case.kernel.exprs[e.0] = Expr::Prefix(Prefix::Fold(op, None), v, vec![body]);
}

/// Makes a recurrence along `v` of `e` and the coordinates.
fn recurrence(case: &mut Case, e: ExprId, v: VarId, rng: &mut Rng) {
    use Term::{Apply, Arg};
    let ty = case.kernel.type_of(0, e);
    let (first, second) =
        (rng.pick(&[Fun::Mul, Fun::Sub, Fun::Min, Fun::Gt]), rng.pick(&[Fun::Add, Fun::Sub, Fun::Max]));
    let (mut body, mut of) = (vec![Arg(0), Arg(1), Apply(first, vec![1, 0])], vec![moved(case, e, ty)]);
    if rng.chance(50) {
        body.extend([Arg(2), Apply(second, vec![2, 3])]);
        of.push(push(case, Expr::Index(v), ty));
    }
    let (name, arity) = ("recurrence".to_owned(), 1 + of.len());
    let annihilators = vec![None; arity];
    let function = Function { name, arity, ty, body, cases: vec![], annihilators, identity: None, iterate: None };
    let begin = rng.pick(&[0, ty.one()]);
    let op = Operator::Call(Shared::new(&function));
    case.kernel.exprs[e.0] = Expr::Prefix(Prefix::Fold(op, Some(begin)), v, of);
}

/// The coordinate of `v` at which `body` is least or greatest in place of the reduction `e`.
fn extreme(case: &mut Case, e: ExprId, (v, body): (VarId, ExprId), rng: &mut Rng) {
    let ty = Type::int((coordinate_bits(case.kernel.var(v).max) + 1).max(8), false);
    let own = case.kernel.type_of(0, e);
    let how = rng.pick(&[Prefix::Least, Prefix::Greatest]);
    let place = push(case, Expr::Prefix(how, v, vec![body]), ty);
    let last = Expr::Reduce(Fun::Max.into(), v, place);
    if own == ty {
        case.kernel.exprs[e.0] = last;
    } else {
        let last = push(case, last, ty);
        case.kernel.exprs[e.0] = Expr::Convert(last);
    }
}

/// What `e` is, as an expression of its own.
fn moved(case: &mut Case, e: ExprId, ty: Type) -> ExprId {
    let expr = case.kernel.expr(e).clone();
    push(case, expr, ty)
}

fn push(case: &mut Case, expr: Expr, ty: Type) -> ExprId {
    let e = ExprId(case.kernel.exprs.len());
    case.kernel.exprs.push(expr);
    if ty != case.statement().ty {
        case.kernel.types.insert(e, ty);
    }
    e
}
