//! Words of a Verilog module: names, numbers and signs, without comments, attributes, directives and texts.

/// A word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'a> {
    /// A name, a keyword or a system function.
    Name(&'a str),
    /// A number as it is written, spaces included.
    Number(&'a str),
    /// Signs of an operator or of punctuation; for a text, `"`.
    Sign(&'a str),
}

/// Signs of more than one character, the longest first.
const SIGNS: [&str; 22] = [
    "<<<", ">>>", "===", "!==", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "**", "~&", "~|", "~^", "^~", "+:",
    "-:", "=>", "->", "##",
];

/// The length of the number that `text` begins with: digits, or a size, a base and digits.
fn number(text: &str) -> usize {
    let run = |from: usize, of: fn(char) -> bool| from + text[from..].find(|c| !of(c)).unwrap_or(text.len() - from);
    let digits = run(0, |c| c.is_ascii_digit() || c == '_');
    let base = run(digits, |c| c == ' ');
    if !text[base..].starts_with('\'') {
        return digits;
    }
    run(run(base + 1, |c| c == 's' || c == 'S') + 1, |c| c.is_ascii_alphanumeric() || "_?".contains(c))
}

/// Returns the words of `text`.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let until = |end: &str| rest.find(end).map_or(rest.len(), |at| at + end.len());
        let length = if rest.starts_with("//") || first == '`' {
            until("\n")
        } else if rest.starts_with("/*") {
            until("*/")
        } else if rest.starts_with("(*") && !rest.starts_with("(*)") {
            until("*)")
        } else if first == '"' {
            found.push(Token::Sign("\""));
            1 + rest[1..].find('"').map_or(rest.len() - 1, |at| at + 1)
        } else if first.is_ascii_digit() || first == '\'' {
            let n = number(rest);
            found.push(Token::Number(&rest[..n]));
            n
        } else if first.is_ascii_alphabetic() || "_$".contains(first) {
            let inside = |c: char| c.is_ascii_alphanumeric() || "_$".contains(c);
            let n = rest.find(|c| !inside(c)).unwrap_or(rest.len());
            found.push(Token::Name(&rest[..n]));
            n
        } else {
            let n = SIGNS.iter().find(|s| rest.starts_with(**s)).map_or(first.len_utf8(), |s| s.len());
            found.push(Token::Sign(&rest[..n]));
            n
        };
        rest = rest[length..].trim_start();
    }
    found
}
