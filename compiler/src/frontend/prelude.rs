//! Functions of the language that are written in it: as if they stood under `[functions]`, unless
//! the file has one of that name there.

use super::blocks::parse_body;
use super::literal::Literal;
use super::reader::Reader;
use super::syntax::{Ident, Syntax};
use super::user::UserFunction;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

/// Names, arguments and bodies.
const FUNCTIONS: &[(&str, &[&str], &str)] = &[
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

/// Their names.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, ..)| *name)
}

/// Adds those that the file's text names to its functions. What is wrong in a body is wrong where
/// the file first names it.
pub(super) fn add(reader: &mut Reader, syntax: Syntax, functions: &mut BTreeMap<String, UserFunction>) -> Syntax {
    let mut all = syntax;
    for (name, args, body) in FUNCTIONS.iter().filter(|(name, ..)| !functions.contains_key(*name)).collect::<Vec<_>>() {
        let Some(span) = place(&reader.source.text, name) else { continue };
        let source = reader.source.clone();
        let literal = Literal::new(&source.text, span.clone(), body);
        let (syntax, definition) = parse_body(reader, &literal, &HashSet::new(), all);
        all = syntax;
        let ident = Ident { name: (*name).to_owned(), span };
        functions.extend(definition.map(|d| ((*name).to_owned(), UserFunction::plain(ident, args, d))));
    }
    all
}

/// Where `word` first stands by itself in `text`.
fn place(text: &str, word: &str) -> Option<Range<usize>> {
    let part = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let bytes = text.as_bytes();
    let alone = |&(at, _): &(usize, &str)| {
        !part(at.checked_sub(1).and_then(|before| bytes.get(before))) && !part(bytes.get(at + word.len()))
    };
    text.match_indices(word).find(alone).map(|(at, _)| at..at + word.len())
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn words_stand_by_themselves() {
        assert_eq!(place("y = fmax(a) + max(b)", "max"), Some(14..17));
        assert_eq!(place("fmax(a)", "fmax"), Some(0..4));
        assert_eq!(place("maximum", "max"), None);
    }
}
