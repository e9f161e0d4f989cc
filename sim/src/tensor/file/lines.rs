//! A text file, line by line, without holding more than one line.

use std::io::{BufRead, Read};
use std::path::Path;

use samhw_compiler::diag::{Diagnostic, Place};

use super::cannot_read;
use crate::tensor::codes;

/// Longest line that is read; no line of a tensor file comes near.
const LONGEST: u64 = 1 << 20;

/// Lines of `input`, numbered from 1.
pub(super) struct Lines<'p, R> {
    input: R,
    path: &'p Path,
    number: u64,
    text: Vec<u8>,
}

impl<'p, R: BufRead> Lines<'p, R> {
    pub(super) fn new(input: R, path: &'p Path) -> Self {
        Self { input, path, number: 0, text: Vec::new() }
    }

    /// Goes to the next line; false at the end of the file.
    pub(super) fn next(&mut self) -> Result<bool, Diagnostic> {
        self.text.clear();
        let read = self.input.by_ref().take(LONGEST).read_until(b'\n', &mut self.text);
        if read.map_err(|e| cannot_read(self.path, &e))? == 0 {
            return Ok(false);
        }
        self.number += 1;
        if self.text.len() as u64 == LONGEST && self.text.last() != Some(&b'\n') {
            return Err(self
                .error(codes::NOT_TEXT, "a line of a million characters: this is no tensor in text form")
                .help("is it a binary or compressed file with the wrong extension?"));
        }
        if self.number == 1 && self.text.starts_with(b"\xEF\xBB\xBF") {
            self.text.drain(..3);
        }
        Ok(true)
    }

    /// Goes to the next line that is neither blank nor a comment; false at the end of the file.
    pub(super) fn next_data(&mut self, comments: &[u8]) -> Result<bool, Diagnostic> {
        while self.next()? {
            match self.text().first() {
                Some(first) if !comments.contains(first) => return self.check_text().map(|()| true),
                _ => (),
            }
        }
        Ok(false)
    }

    /// An error unless the line is UTF-8. Comments need not be.
    pub(super) fn check_text(&self) -> Result<(), Diagnostic> {
        if self.text.is_ascii() || std::str::from_utf8(&self.text).is_ok() {
            return Ok(());
        }
        Err(self
            .error(codes::NOT_TEXT, "this line is not UTF-8 text")
            .help("is it a binary or compressed file with the wrong extension? UTF-16 must be converted to UTF-8"))
    }

    /// The current line without white space at its ends.
    pub(super) fn text(&self) -> &[u8] {
        self.text.trim_ascii()
    }

    /// What stands between white space in the current line.
    pub(super) fn tokens(&self) -> impl Iterator<Item = &[u8]> {
        self.text.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty())
    }

    /// Number of the current line, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The current line as a place.
    pub(super) fn place(&self) -> Place {
        place(self.path, self.number)
    }

    /// An error in the current line.
    pub(super) fn error(&self, code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, message).at(self.place())
    }
}

/// A line as a place.
pub(super) fn place(path: &Path, line: u64) -> Place {
    Place::File(path.into(), usize::try_from(line).ok())
}

/// A token for a message: printable and not too long.
pub(super) fn show(token: &[u8]) -> String {
    let text = String::from_utf8_lossy(&token[..token.len().min(60)]);
    let mut shown: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    if token.len() > 40 {
        shown.push_str("...");
    }
    shown
}

/// A decimal number without sign; the error says what is wrong with it.
pub(super) fn unsigned(token: &[u8]) -> Result<u64, &'static str> {
    let digits = token.strip_prefix(b"+").unwrap_or(token);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        let negative = token.len() > 1 && token[0] == b'-' && token[1..].iter().all(u8::is_ascii_digit);
        return Err(if negative { "is negative" } else { "is not a whole number" });
    }
    let step = |v: u64, d: &u8| v.checked_mul(10)?.checked_add(u64::from(d - b'0'));
    digits.iter().try_fold(0, step).ok_or("is larger than 2^64 - 1")
}
