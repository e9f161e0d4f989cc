//! Linearity of expressions in their arguments, which allows moving a sum inside.

use super::builder::Builder;
use super::syntax::{Form, Reducer, SyntaxId};
use crate::stmt::Fun;
use crate::types::Type;

/// The arguments in which an expression is linear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Linear {
    /// Linear in all arguments together, like a sum.
    InAll,
    /// Linear in each argument while the others are constant, like a product.
    InEach,
    /// Linear in these arguments together while the others are constant, like a quotient.
    In(&'static [usize]),
    /// Not linear in any argument.
    InNone,
}

impl Builder<'_, '_> {
    /// Returns the arguments in which `node` is linear, for the type that is wanted here.
    pub(super) fn linear(&self, node: SyntaxId) -> Linear {
        match &self.syntax.nodes[node].form {
            Form::Map(fun, _) => function(*fun, self.ty),
            Form::Reduce(Reducer::Fun(op), ..) | Form::Scan(Reducer::Fun(op), ..) => match function(*op, self.ty) {
                Linear::InAll => Linear::InAll,
                _ => Linear::InNone,
            },
            Form::Convert(to, body) => conversion(self.own(*body), *to),
            _ => Linear::InNone,
        }
    }
}

/// A function of type `ty`. In `bool` a sum is `or` and a product `and`.
fn function(fun: Fun, ty: Type) -> Linear {
    match fun {
        Fun::Add | Fun::Sub | Fun::Neg | Fun::Id => Linear::InAll,
        Fun::Mul => Linear::InEach,
        Fun::Or | Fun::BitOr if ty == Type::Bool => Linear::InAll,
        Fun::And | Fun::BitAnd if ty == Type::Bool => Linear::InEach,
        Fun::Floor | Fun::Ceil | Fun::Trunc | Fun::Rint if ty.is_int() => Linear::InAll,
        // Quotients of whole numbers are cut off.
        Fun::Div if !ty.is_float() => Linear::InNone,
        Fun::Div | Fun::Shl | Fun::Ldexp | Fun::First => Linear::In(&[0]),
        Fun::Second => Linear::In(&[1]),
        Fun::Where => Linear::In(&[1, 2]),
        _ => Linear::InNone,
    }
}

/// A conversion; `None`: of what takes the type that is wanted. Those that cut off or saturate are
/// not linear.
fn conversion(from: Option<Type>, to: Type) -> Linear {
    let keeps = |from: Type| match from {
        _ if from == to => true,
        // A sum of truth values is `or`.
        Type::Bool => false,
        _ => to.is_float() || from.is_int() && to.is_int() && !to.saturates(),
    };
    if from.is_none_or(keeps) { Linear::InAll } else { Linear::InNone }
}
