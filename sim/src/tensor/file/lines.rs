//! A reader of text files that holds one line at a time.

use std::collections::VecDeque;
use std::io::{BufRead, ErrorKind};
use std::path::Path;

use samhw_compiler::diag::{Diagnostic, Place};

use super::cannot_read;
use crate::tensor::codes;

/// Longest line that is read; no line of a tensor file comes near.
const LONGEST: usize = 1 << 20;

/// Lines of `input`, numbered from 1. A line ends in a line feed, a carriage return or both.
pub(super) struct Lines<'p, R> {
    input: R,
    path: &'p Path,
    number: u64,
    text: Vec<u8>,
    /// Lines that have been read ahead, with their numbers.
    ahead: VecDeque<(u64, Vec<u8>)>,
    /// How many lines have been read.
    read: u64,
    /// The last line ended in a carriage return, so that a line feed after it belongs to it.
    returned: bool,
}

impl<'p, R: BufRead> Lines<'p, R> {
    pub(super) fn new(input: R, path: &'p Path) -> Self {
        Self { input, path, number: 0, text: Vec::new(), ahead: VecDeque::new(), read: 0, returned: false }
    }

    /// Goes to the next line; false at the end of the file.
    pub(super) fn next(&mut self) -> Result<bool, Diagnostic> {
        if let Some((number, text)) = self.ahead.pop_front() {
            (self.number, self.text) = (number, text);
            return Ok(true);
        }
        let mut text = std::mem::take(&mut self.text);
        let there = self.fetch(&mut text)?;
        self.text = text;
        if there {
            self.number = self.read;
        }
        Ok(there)
    }

    /// Reads a line from the input; false at its end.
    fn fetch(&mut self, text: &mut Vec<u8>) -> Result<bool, Diagnostic> {
        text.clear();
        let at = place(self.path, self.read + 1);
        let there = self.line(text).map_err(|e| cannot_read(&e).at(at.clone()))?;
        if text.len() > LONGEST {
            return Err(Diagnostic::new(
                codes::NOT_TEXT,
                "a line of a million characters: this is not a tensor in text form",
            )
            .at(at)
            .help("is it a binary or compressed file with the wrong extension?"));
        }
        self.read += u64::from(there);
        if self.read == 1 && text.starts_with(b"\xEF\xBB\xBF") {
            text.drain(..3);
        }
        Ok(there)
    }

    /// Appends what the input has up to the end of a line, or more than [`LONGEST`] bytes; false if
    /// it has ended.
    fn line(&mut self, text: &mut Vec<u8>) -> std::io::Result<bool> {
        let mut there = false;
        while text.len() <= LONGEST {
            let bytes = match self.input.fill_buf() {
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                bytes => bytes?,
            };
            let Some(&first) = bytes.first() else { break };
            if std::mem::take(&mut self.returned) && first == b'\n' {
                self.input.consume(1);
                continue;
            }
            there = true;
            let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            text.extend_from_slice(&bytes[..end.unwrap_or(bytes.len())]);
            self.returned = end.is_some_and(|end| bytes[end] == b'\r');
            let used = end.map_or(bytes.len(), |end| end + 1);
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        Ok(there)
    }

    /// Returns the number of tokens of each of the next lines that are neither blank nor comments, `count`
    /// lines at most.
    pub(super) fn following(&mut self, count: usize, comments: &[u8]) -> Result<Vec<usize>, Diagnostic> {
        let mut lengths = Vec::new();
        let mut known = 0;
        while lengths.len() < count {
            if known == self.ahead.len() {
                let mut text = Vec::new();
                if !self.fetch(&mut text)? {
                    break;
                }
                self.ahead.push_back((self.read, text));
            }
            let text = self.ahead[known].1.trim_ascii();
            if text.first().is_some_and(|first| !comments.contains(first)) {
                lengths.push(tokens(text).count());
            }
            known += 1;
        }
        Ok(lengths)
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

    /// Returns the words of the current line, which white space separates.
    pub(super) fn tokens(&self) -> impl Iterator<Item = &[u8]> {
        tokens(&self.text)
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

fn tokens(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty())
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
