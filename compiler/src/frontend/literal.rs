//! A TOML string with the file position of each byte.

use std::ops::Range;

/// Decoded text whose bytes know where they are in the file.
#[derive(Debug)]
pub(super) struct Literal<'t> {
    /// Value of the string.
    pub text: &'t str,
    /// File offset of each byte of `text`, and of its end.
    offsets: Vec<usize>,
}

impl<'t> Literal<'t> {
    /// Creates the literal from `value`, which the TOML reader parsed from `file[span]`, quotes included. Where the two
    /// cannot be matched, every byte points at the whole string.
    pub fn new(file: &str, span: Range<usize>, value: &'t str) -> Self {
        let raw = file.get(span.clone()).unwrap_or_default();
        let offsets = decode(raw, value).map(|offsets| offsets.iter().map(|o| o + span.start).collect());
        Self { text: value, offsets: offsets.unwrap_or_else(|| vec![span.start; value.len() + 1]) }
    }

    /// Returns the part of the file that corresponds to `range` of the text.
    pub fn place(&self, range: Range<usize>) -> Range<usize> {
        let at = |offset: usize| self.offsets.get(offset).or(self.offsets.last()).copied().unwrap_or(0);
        let start = at(range.start);
        start..at(range.end).max(start + usize::from(range.is_empty()))
    }
}

/// Offset in `raw` of every byte of `value` and of its end; `None` if `raw` does not decode to it.
fn decode(raw: &str, value: &str) -> Option<Vec<usize>> {
    let quote = raw.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let open = if raw.starts_with("\"\"\"") || raw.starts_with("'''") { 3 } else { 1 };
    let end = raw.len().checked_sub(open)?;
    let mut at = open;
    if open == 3 {
        at += raw[at..].strip_prefix("\r\n").map_or(usize::from(raw[at..].starts_with('\n')), |_| 2);
    }
    let (mut text, mut offsets) = (String::new(), Vec::new());
    while at < end {
        let c = raw[at..].chars().next()?;
        let (decoded, length) = if c == '\\' && quote == '"' {
            escape(&raw[at..end])?
        } else if raw[at..].starts_with("\r\n") && value.get(text.len()..)?.starts_with('\n') {
            (Some('\n'), 2)
        } else {
            (Some(c), c.len_utf8())
        };
        if let Some(decoded) = decoded {
            text.push(decoded);
            offsets.resize(text.len(), at);
        }
        at += length;
    }
    offsets.push(end);
    (text == value).then_some(offsets)
}

/// The character an escape at the start of `raw` stands for (none for an escaped line end), and its length.
fn escape(raw: &str) -> Option<(Option<char>, usize)> {
    let code = raw.chars().nth(1)?;
    let hex = |digits: usize| {
        let value = u32::from_str_radix(raw.get(2..2 + digits)?, 16).ok()?;
        Some((Some(char::from_u32(value)?), 2 + digits))
    };
    let simple = |c: char| Some((Some(c), 2));
    match code {
        'b' => simple('\u{8}'),
        't' => simple('\t'),
        'n' => simple('\n'),
        'f' => simple('\u{c}'),
        'r' => simple('\r'),
        'e' => simple('\u{1b}'),
        '"' | '\\' => simple(code),
        'x' => hex(2),
        'u' => hex(4),
        'U' => hex(8),
        ' ' | '\t' | '\r' | '\n' => {
            let rest = raw[1..].trim_start_matches([' ', '\t', '\r', '\n']);
            Some((None, raw.len() - rest.len()))
        }
        _ => None,
    }
}
