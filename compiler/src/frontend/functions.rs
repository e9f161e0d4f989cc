//! Names that expressions may call in later versions. Knowing them makes the difference between
//! "not supported yet" and a tensor with that name.

/// Functions of values: those of the design's notation, `min` and `max` of several arguments included.
const FUNCTIONS: &[&str] = &[
    "abs",
    "add",
    "argred",
    "band",
    "bnot",
    "bool",
    "bor",
    "bxor",
    "cbrt",
    "ceil",
    "choose",
    "clip",
    "coalesce",
    "conj",
    "cos",
    "cosh",
    "cube",
    "div",
    "eq",
    "exp",
    "expm1",
    "fillof",
    "first",
    "float",
    "floor",
    "gcd",
    "ge",
    "gt",
    "heaviside",
    "hypot",
    "idiv",
    "ifelse",
    "int",
    "isinf",
    "isnan",
    "land",
    "lcm",
    "ldexp",
    "le",
    "lnot",
    "log",
    "log10",
    "log1p",
    "lor",
    "lt",
    "lxor",
    "mask",
    "max",
    "min",
    "mod",
    "mul",
    "ne",
    "neg",
    "nmask",
    "pow",
    "pres",
    "pymod",
    "recip",
    "relu",
    "rint",
    "second",
    "shl",
    "shr",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "sub",
    "tan",
    "tanh",
    "trunc",
    "where",
    "xor",
];

/// Operators on the shape of a tensor.
const SHAPE_OPERATORS: &[&str] =
    &["collapse", "concat", "diag", "flip", "pad", "reshape", "roll", "slice", "split", "stack", "transpose"];

/// What a name that is not a tensor calls, as help says it.
pub(super) fn described(name: &str) -> Option<&'static str> {
    if FUNCTIONS.contains(&name) {
        Some("function")
    } else if SHAPE_OPERATORS.contains(&name) {
        Some("shape operator")
    } else {
        None
    }
}
