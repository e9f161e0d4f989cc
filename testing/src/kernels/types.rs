//! Types inside a statement: comparisons with types of their own, and coordinates as values of any type, mostly narrow.

use super::{Case, Functions, choose};
use samhw_compiler::stmt::{Expr, ExprId, Fun, VarId};
use samhw_compiler::types::Type;
use samhw_values::Rng;

/// Types of coordinates: too narrow for most of them, wrapping, saturating and rounding, and others.
const OF_COORDINATES: [&str; 20] = [
    "bool", "u2", "i2", "i3", "u3", "i2s", "u2s", "i3s", "i4s", "fx4.2", "fx3.2", "ufx2.1", "fx16.8", "fx8.8", "i8",
    "u64", "f64", "f32", "bf16", "f16",
];

const COMPARISONS: [Fun; 6] = [Fun::Eq, Fun::Ne, Fun::Lt, Fun::Le, Fun::Gt, Fun::Ge];

/// The case with some of its comparisons, and some functions of two arguments made comparisons, in
/// types of their own; and with coordinates in place of some literals, and in other types than they
/// had.
pub(super) fn own(case: &mut Case, functions: Functions, rng: &mut Rng) {
    let statement = case.statement().clone();
    let mut all = Vec::new();
    collect(case, statement.value, &mut statement.indices.clone(), &mut all);
    for (e, bound) in all {
        let ty = case.kernel.type_of(0, e);
        match case.kernel.expr(e).clone() {
            Expr::Literal(_) if !bound.is_empty() && rng.chance(30) => {
                let v = rng.pick(&bound);
                coordinate(case, e, v, rng);
            }
            Expr::Index(v) if rng.chance(60) => coordinate(case, e, v, rng),
            Expr::Map(f, args) if args.len() == 2 => {
                let compares = COMPARISONS.contains(&f);
                if rng.chance(if compares { 70 } else { 15 }) {
                    let f = if compares { f } else { rng.pick(&COMPARISONS) };
                    let own = choose::other_type(rng, functions, ty);
                    compared(case, e, (f, own), &args);
                }
            }
            _ => {}
        }
    }
}

/// Expressions with the variables that they may use, outermost first.
fn collect(case: &Case, e: ExprId, bound: &mut Vec<VarId>, all: &mut Vec<(ExprId, Vec<VarId>)>) {
    all.push((e, bound.clone()));
    let inside = if let Expr::Reduce(_, v, _) = case.kernel.expr(e) { Some(*v) } else { None };
    bound.extend(inside);
    for &child in case.kernel.expr(e).children() {
        collect(case, child, bound, all);
    }
    bound.truncate(bound.len() - usize::from(inside.is_some()));
}

/// A coordinate of `v`, in some type, as a value of `e`.
fn coordinate(case: &mut Case, e: ExprId, v: VarId, rng: &mut Rng) {
    let ty = Type::accumulator_from_name(rng.pick(&OF_COORDINATES)).unwrap_or(Type::Bool);
    let own = case.kernel.type_of(0, e);
    if rng.chance(30) || ty == own {
        case.kernel.exprs[e.0] = Expr::Index(v);
    } else {
        let index = push(case, Expr::Index(v), ty);
        case.kernel.exprs[e.0] = Expr::Convert(index);
    }
}

/// A comparison in a type of its own as the value of `e`.
fn compared(case: &mut Case, e: ExprId, (f, own): (Fun, Type), args: &[ExprId]) {
    let (outer, mut made) = (case.kernel.type_of(0, e), Vec::new());
    for &arg in args {
        let same = case.kernel.type_of(0, arg) == own;
        made.push(if same { arg } else { push(case, Expr::Convert(arg), own) });
    }
    if own == outer {
        case.kernel.exprs[e.0] = Expr::Map(f, made);
        return;
    }
    let mut value = push(case, Expr::Map(f, made), own);
    if own != Type::Bool && outer != Type::Bool {
        value = push(case, Expr::Convert(value), Type::Bool);
    }
    case.kernel.exprs[e.0] = Expr::Convert(value);
}

fn push(case: &mut Case, expr: Expr, ty: Type) -> ExprId {
    let e = ExprId(case.kernel.exprs.len());
    case.kernel.exprs.push(expr);
    if ty != case.statement().ty {
        case.kernel.types.insert(e, ty);
    }
    e
}
