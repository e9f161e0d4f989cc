//! Tests of the frontend: golden files, meaning, real expressions, hostile input.

mod corpus;
mod fuzz;
mod golden;
mod meaning;

use super::{KernelFile, parse};
use crate::diag::{Diagnostics, Source, render};
use std::sync::Arc;

/// Reads `text` as the file `path`.
fn read(path: &str, text: &str) -> Result<KernelFile, Diagnostics> {
    parse(Arc::new(Source { path: path.into(), text: text.to_owned() }))
}

/// What a user sees: warnings and the kernel as text, or what is wrong.
fn shown(path: &str, text: &str) -> String {
    match read(path, text) {
        Ok(file) => render(&file.warnings) + &file.kernel.to_string(),
        Err(problems) => render(&problems),
    }
}
