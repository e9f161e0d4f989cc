//! Prelude functions that a kernel file uses are copied into the file's functions.

use super::blocks::parse_body;
use super::literal::Literal;
use super::prelude::FUNCTIONS;
use super::reader::Reader;
use super::syntax::{Ident, Syntax};
use super::user_function::UserFunction;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

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
