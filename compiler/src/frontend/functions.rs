//! Functions that expressions may call: names of the library and of other tools' notation, and their meaning.

use super::syntax::Form;
use super::{prelude, shape_operators};
use crate::stmt::Fun;

/// Other names of library functions.
const ALIASES: &[(&str, Fun)] = &[
    ("xor", Fun::Xor),
    ("select", Fun::Where),
    ("ifelse", Fun::Where),
    ("clamp", Fun::Clip),
    ("round", Fun::Rint),
    ("around", Fun::Rint),
    ("fix", Fun::Trunc),
    ("reciprocal", Fun::Recip),
    ("negate", Fun::Neg),
    ("negative", Fun::Neg),
    ("positive", Fun::Id),
    ("subtract", Fun::Sub),
    ("multiply", Fun::Mul),
    ("divide", Fun::Div),
    ("true_divide", Fun::Div),
    ("floor_divide", Fun::Idiv),
    ("remainder", Fun::PyMod),
    ("fmod", Fun::Mod),
    ("power", Fun::Pow),
    ("absolute", Fun::Abs),
    ("fabs", Fun::Abs),
    ("maximum", Fun::Max),
    ("minimum", Fun::Min),
    ("equal", Fun::Eq),
    ("not_equal", Fun::Ne),
    ("less", Fun::Lt),
    ("less_equal", Fun::Le),
    ("greater", Fun::Gt),
    ("greater_equal", Fun::Ge),
    ("logical_and", Fun::And),
    ("logical_or", Fun::Or),
    ("logical_xor", Fun::Xor),
    ("logical_not", Fun::Not),
    ("bitwise_and", Fun::BitAnd),
    ("bitwise_or", Fun::BitOr),
    ("bitwise_xor", Fun::BitXor),
    ("bitwise_not", Fun::BitNot),
    ("bitwise_invert", Fun::BitNot),
    ("invert", Fun::BitNot),
    ("bitwise_left_shift", Fun::Shl),
    ("bitwise_right_shift", Fun::Shr),
    ("left_shift", Fun::Shl),
    ("right_shift", Fun::Shr),
    ("asin", Fun::Asin),
    ("acos", Fun::Acos),
    ("atan", Fun::Atan),
    ("arctan2", Fun::Atan2),
    ("asinh", Fun::Asinh),
    ("acosh", Fun::Acosh),
    ("atanh", Fun::Atanh),
    // One type in a statement: real numbers are real, and there are no complex ones.
    ("float", Fun::Id),
    ("conj", Fun::Id),
    ("conjugate", Fun::Id),
    ("int", Fun::Trunc),
];

/// The meaning of a name in front of an argument list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Callee {
    /// A library function.
    Library(Fun),
    /// `mask(m, v, f)`: v where m is true, otherwise f, or 0.
    Mask,
    /// `nmask(m, v, f)`: v where m is false, otherwise f, or 0.
    Nmask,
    /// `choose(z, a, b)`: b where a equals z, otherwise a.
    Choose,
    /// `pres(T(i))`: whether a value is stored.
    Stored,
    /// `fillof(T)`: the fill of a tensor.
    FillOf,
    /// `coalesce(a, b, ..)`: the first that is inside of the tensors that it reads.
    Coalesce,
    /// `inside(T(i + 1))`: whether what is read is inside of the tensor.
    Inside,
    /// A shape operator: `split(T, d, m)(i..)`.
    Shape,
}

/// Finds the function or operator of the language with this name.
pub(super) fn callee(name: &str) -> Option<Callee> {
    Some(match name {
        "mask" => Callee::Mask,
        "nmask" => Callee::Nmask,
        "choose" => Callee::Choose,
        "pres" => Callee::Stored,
        "fillof" => Callee::FillOf,
        "coalesce" => Callee::Coalesce,
        "inside" => Callee::Inside,
        "id" => return None,
        _ if shape_operators::names().any(|shape| shape == name) => Callee::Shape,
        _ => match ALIASES.iter().find(|(alias, _)| *alias == name) {
            Some((_, fun)) => Callee::Library(*fun),
            None => Callee::Library(Fun::from_name(name)?),
        },
    })
}

/// Names that can be called, for the nearest one.
pub(super) fn names() -> Vec<&'static str> {
    let library = Fun::ALL.iter().map(|f| f.name()).chain(ALIASES.iter().map(|a| a.0));
    library
        .chain(["mask", "nmask", "choose", "pres", "fillof", "coalesce", "inside", "red"])
        .chain(shape_operators::names())
        .chain(prelude::names())
        .collect()
}

/// The fewest and the most arguments of a call.
pub(super) fn arguments(callee: Callee) -> (usize, usize) {
    match callee {
        Callee::Library(f) if folds(f) => (1, usize::MAX),
        Callee::Library(Fun::Heaviside) => (1, 2),
        Callee::Library(f) => (f.arity(), f.arity()),
        Callee::Mask | Callee::Nmask => (2, 3),
        Callee::Choose => (3, 3),
        Callee::Stored | Callee::FillOf | Callee::Inside | Callee::Shape => (1, 1),
        Callee::Coalesce => (2, usize::MAX),
    }
}

/// Returns whether the function takes any number of arguments, from left to right.
pub(super) fn folds(f: Fun) -> bool {
    matches!(f, Fun::Add | Fun::Mul | Fun::Min | Fun::Max | Fun::And | Fun::Or | Fun::Xor)
}

/// The reduction with this name.
pub(super) fn reduce_op(name: &str) -> Option<Fun> {
    Some(match name {
        "sum" | "add" | "plus" => Fun::Add,
        "prod" | "mul" | "times" => Fun::Mul,
        "min" => Fun::Min,
        "max" => Fun::Max,
        "any" | "or" | "lor" => Fun::Or,
        "all" | "and" | "land" => Fun::And,
        "xor" | "lxor" => Fun::Xor,
        "bor" => Fun::BitOr,
        "band" => Fun::BitAnd,
        "bxor" => Fun::BitXor,
        "gcd" => Fun::Gcd,
        "lcm" => Fun::Lcm,
        _ => return None,
    })
}

/// Names of reductions, for the nearest one.
pub(super) const REDUCTIONS: [&str; 17] = [
    "sum", "prod", "min", "max", "any", "all", "add", "mul", "lor", "land", "lxor", "bor", "band", "bxor", "gcd",
    "lcm", "xor",
];

/// Updates by signs, and what each updates with; some tools have some that reduce nothing.
pub(super) const UPDATES: [(&str, Option<Fun>); 9] = [
    ("+=", Some(Fun::Add)),
    ("-=", Some(Fun::Sub)),
    ("*=", Some(Fun::Mul)),
    ("|=", Some(Fun::BitOr)),
    ("&=", Some(Fun::BitAnd)),
    ("^=", Some(Fun::BitXor)),
    ("/=", None),
    ("%=", None),
    ("@=", None),
];

/// The function that reduces what an update with `fun` takes: what is subtracted is summed.
pub(super) fn reducing(fun: Fun) -> Fun {
    if fun == Fun::Sub { Fun::Add } else { fun }
}

/// A number that is not in the source.
pub(super) fn number(text: &str) -> Form {
    Form::Number(text.to_owned())
}
