//! Verilog as words.

/// A word of Verilog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'t> {
    /// A name, a keyword or a system function.
    Name(&'t str),
    /// A number as it is written, its size and base included.
    Number(&'t str),
    /// A string.
    Text,
    /// An operator or a bracket.
    Sign(&'t str),
}

/// Signs of more than one letter, the longer ones first.
const SIGNS: [&str; 18] =
    ["<<<", ">>>", "===", "!==", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "**", "+:", "-:", "~&", "~|", "~^"];

/// The words of a text. Directives are left out, and what stands between them stays: it may be there.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let taken = if rest.starts_with("//") || first == '`' {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |at| at + 2)
        } else if rest.starts_with("(*") && !rest.starts_with("(*)") {
            rest.find("*)").map_or(rest.len(), |at| at + 2)
        } else if first == '"' {
            out.push(Token::Text);
            string(rest)
        } else if first.is_ascii_digit() || first == '\'' {
            let len = number(rest);
            out.push(Token::Number(&rest[..len]));
            len
        } else if first.is_alphabetic() || first == '_' || first == '$' {
            let len = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').unwrap_or(rest.len());
            out.push(Token::Name(&rest[..len]));
            len
        } else {
            let len = SIGNS.iter().find(|s| rest.starts_with(**s)).map_or(first.len_utf8(), |s| s.len());
            out.push(Token::Sign(&rest[..len]));
            len
        };
        rest = rest[taken..].trim_start();
    }
    out
}

/// Letters of the string that `text` begins with.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

/// Letters of the number that `text` begins with: `12`, `6'd25`, `'h1f`.
fn number(text: &str) -> usize {
    let digits =
        |text: &str| text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '?').unwrap_or(text.len());
    let size = text.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(text.len());
    if text[size..].starts_with('\'') { size + 1 + digits(&text[size + 1..]) } else { size }
}
