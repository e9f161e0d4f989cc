//! Words of other tools (NumPy, SciPy, PyTorch, TACO, Finch, MLIR, MATLAB, C) and their samhw equivalents. They are the
//! help of messages about names that nothing has.

mod functions;
mod keys;
mod notation;
mod storage;
mod types;

pub(super) use functions::{function, shape};
pub(super) use keys::key;
pub(super) use notation::{constant, einsum, sign};
pub(super) use storage::{format, level};
pub(super) use types::{accumulator, element_type};

/// A word in the form in which the tables have it: in lower case, without the module that it is of,
/// and C's `_t`.
fn plain(word: &str) -> String {
    let lower = word.to_ascii_lowercase();
    let own = lower.rsplit(['.', ':']).next().unwrap_or(&lower);
    let own = own.split(['<', '(']).next().unwrap_or(own);
    own.strip_suffix("_t").unwrap_or(own).trim().to_owned()
}

/// The word and the number behind it.
fn counted(word: &str) -> (&str, Option<u32>) {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    (letters.trim_end_matches('_'), word[letters.len()..].parse().ok())
}
