//! Built-in functions written in samhw's own language, which a file's `[functions]` may override.

/// Functions that are made of others: names, arguments and bodies.
pub(super) const FUNCTIONS: &[(&str, &[&str], &str)] = &[
    ("isfinite", &["x"], "not (isnan(x) or isinf(x))"),
    ("isposinf", &["x"], "isinf(x) and not signbit(x)"),
    ("isneginf", &["x"], "isinf(x) and signbit(x)"),
    ("fmax", &["x", "y"], "if isnan(x) then y else if isnan(y) then x else max(x, y)"),
    ("fmin", &["x", "y"], "if isnan(x) then y else if isnan(y) then x else min(x, y)"),
    ("logaddexp", &["x", "y"], "if x == y then x + 0.6931471805599453 else max(x, y) + log1p(exp(-abs(x - y)))"),
    ("logaddexp2", &["x", "y"], "if x == y then x + 1 else max(x, y) + log1p(exp2(-abs(x - y))) * 1.4426950408889634"),
    ("deg2rad", &["x"], "x * 0.017453292519943295"),
    ("radians", &["x"], "x * 0.017453292519943295"),
    ("rad2deg", &["x"], "x * 57.29577951308232"),
    ("degrees", &["x"], "x * 57.29577951308232"),
    ("bitwise_count", &["x"], "popcount(abs(x))"),
];

/// Returns the names of the functions.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, ..)| *name)
}
