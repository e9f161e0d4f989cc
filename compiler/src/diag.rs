//! Diagnostics: every problem a user can cause is a value with a stable code, a place,
//! what was expected and the way out; so is every warning of what is legal and may not be meant. Nothing here prints; [`render`]
//! and [`painted`] make the text.

mod json;
mod render;

pub use json::json;
pub use render::{painted, render};

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// Source text that spans point into (a kernel file).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Path as the user wrote it.
    pub path: PathBuf,
    /// The whole text.
    pub text: String,
}

/// Where a problem is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Bytes of a kernel file.
    Span(Arc<Source>, Range<usize>),
    /// Bytes of the kernel file, said by a stage that does not have its text; see [`Diagnostic::within`].
    Kernel(Range<usize>),
    /// A data file, with the 1-based line where it is known.
    File(PathBuf, Option<usize>),
    /// An option of the command line, e.g. `--tensor B=x.mtx`.
    Option(String),
}

/// What a diagnostic stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The command.
    Error,
    /// Nothing: the kernel is legal, and may not be what is meant.
    Warning,
}

/// A problem caused by input. Codes are stable: `K...` kernel file, `E...` expression,
/// `S...` schedule and order, `T...` tensor files and data, `H...` hardware limits,
/// `R...` tools and running, `W...` warnings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether it stops the command.
    pub severity: Severity,
    /// Stable code such as `K003`.
    pub code: &'static str,
    /// One line: what is wrong.
    pub message: String,
    /// Where, when it has a place.
    pub place: Option<Place>,
    /// What was expected, and the ways out; one line each.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// A diagnostic without place or help.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, code, message: message.into(), place: None, help: Vec::new() }
    }
    /// A warning without place or help.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::new(code, message) }
    }
    /// Points it at `place`.
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }
    /// Points it at `place`, unless it points somewhere already.
    pub fn or_at(mut self, place: Place) -> Self {
        self.place.get_or_insert(place);
        self
    }
    /// Completes a place in the kernel file with its text.
    pub fn within(mut self, source: &Arc<Source>) -> Self {
        if let Some(Place::Kernel(span)) = self.place {
            self.place = Some(Place::Span(source.clone(), span));
        }
        self
    }
    /// Adds a line that says what was expected or what would fix it.
    pub fn help(mut self, line: impl Into<String>) -> Self {
        self.help.push(line.into());
        self
    }
}

/// All problems found at once; never empty when returned as an error.
pub type Diagnostics = Vec<Diagnostic>;

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        vec![diagnostic]
    }
}
