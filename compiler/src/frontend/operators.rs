//! Operators of expressions: how tightly they bind, and what they compute.

use crate::stmt::Fun;

/// Binding power of `not`: between `and` and comparisons.
pub(super) const NOT: u8 = 3;
/// Binding power of comparisons.
pub(super) const COMPARISON: u8 = 4;
/// Binding power of unary operators: between `*` and `**`.
pub(super) const UNARY: u8 = 11;

/// Binding strength of a binary operator, and what it computes.
pub(super) fn binary(symbol: &str) -> Option<(u8, Fun)> {
    Some(match symbol {
        "or" => (1, Fun::Or),
        "and" => (2, Fun::And),
        "==" => (COMPARISON, Fun::Eq),
        "!=" => (COMPARISON, Fun::Ne),
        "<" => (COMPARISON, Fun::Lt),
        "<=" => (COMPARISON, Fun::Le),
        ">" => (COMPARISON, Fun::Gt),
        ">=" => (COMPARISON, Fun::Ge),
        "|" => (5, Fun::BitOr),
        "^" => (6, Fun::BitXor),
        "&" => (7, Fun::BitAnd),
        "<<" => (8, Fun::Shl),
        ">>" => (8, Fun::Shr),
        "+" => (9, Fun::Add),
        "-" => (9, Fun::Sub),
        "*" => (10, Fun::Mul),
        "/" => (10, Fun::Div),
        "//" => (10, Fun::Idiv),
        "%" => (10, Fun::PyMod),
        "**" => (12, Fun::Pow),
        _ => return None,
    })
}
