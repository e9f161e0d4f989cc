//! The tokeniser of expression text.

use std::ops::Range;

/// A name that expressions can hold.
pub(super) fn is_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name: `[A-Za-z_][A-Za-z0-9_]*`.
    Name,
    /// A number: digits, optionally with a decimal point and an exponent.
    Number,
    /// An operator or a bracket, given by the text.
    Symbol,
    /// A character that is not allowed in expressions.
    Stray,
    /// The end of the text.
    End,
}

/// A token and its bytes in the text.
#[derive(Debug, Clone)]
pub(super) struct Token {
    /// Kind of the token.
    pub kind: Kind,
    /// Position in the text.
    pub range: Range<usize>,
}

/// Symbols of two characters; all others have one.
const PAIRS: [&str; 17] =
    ["+=", "-=", "*=", "|=", "&=", "^=", "/=", "%=", "@=", "==", "!=", "<=", ">=", "**", "//", "<<", ">>"];
/// Symbols of one character.
const SINGLES: &str = "()[]{},;:=+-*/%^&|<>!~";

/// All tokens of `text`, the last one is [`Kind::End`].
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, length) = if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        } else if c.is_ascii_alphabetic() || c == '_' {
            (Kind::Name, run(rest, |b| b.is_ascii_alphanumeric() || b == b'_'))
        } else if c.is_ascii_digit() || c == '.' && rest[1..].starts_with(|d: char| d.is_ascii_digit()) {
            (Kind::Number, number(rest))
        } else if PAIRS.iter().any(|pair| rest.starts_with(pair)) {
            (Kind::Symbol, 2)
        } else if SINGLES.contains(c) {
            (Kind::Symbol, 1)
        } else {
            (Kind::Stray, c.len_utf8())
        };
        tokens.push(Token { kind, range: at..at + length });
        at += length;
    }
    tokens.push(Token { kind: Kind::End, range: text.len()..text.len() });
    tokens
}

fn run(text: &str, belongs: impl Fn(u8) -> bool) -> usize {
    text.bytes().take_while(|&b| belongs(b)).count()
}

/// Length of `12`, `12.`, `12.5`, `.5`, `1e-3`.
fn number(text: &str) -> usize {
    let digits = |at: usize| run(&text[at..], |b| b.is_ascii_digit());
    let mut length = digits(0);
    if text[length..].starts_with('.') {
        length += 1 + digits(length + 1);
    }
    if text[length..].starts_with(['e', 'E']) {
        let sign = usize::from(text[length + 1..].starts_with(['+', '-']));
        let exponent = digits(length + 1 + sign);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}
