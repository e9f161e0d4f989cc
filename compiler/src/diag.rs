//! Diagnostics: every error that a user can cause is a value with a stable code, a place and a help text, and so is
//! every warning. Nothing here prints; [`render`] and [`painted`] make the text.

mod json;
mod made;
mod render;

pub use json::json;
pub(crate) use made::in_words_of;
pub use render::{painted, render};

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// A source text that spans refer to, such as a kernel file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Path as the user wrote it.
    pub path: PathBuf,
    /// The whole text.
    pub text: String,
}

/// The place of a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Bytes of a kernel file.
    Span(Arc<Source>, Range<usize>),
    /// Bytes of the kernel file, from a stage that does not have its text; see [`Diagnostic::within`].
    Kernel(Range<usize>),
    /// A data file, with the 1-based line number where it is known.
    File(PathBuf, Option<usize>),
    /// An option of the command line, e.g. `--tensor B=x.mtx`.
    Option(String),
}

/// The severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The command cannot continue.
    Error,
    /// The kernel is legal, but it may not be what the user means.
    Warning,
}

/// A problem in the user's input. Codes are stable: `K...` kernel file, `E...` expression, `S...` schedule and order,
/// `T...` tensor files and data, `H...` hardware limits, `R...` tools and running, `W...` warnings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether the diagnostic stops the command.
    pub severity: Severity,
    /// Stable code such as `K003`.
    pub code: &'static str,
    /// The message in one line: what is wrong.
    pub message: String,
    /// The place of the problem, if it has one.
    pub place: Option<Place>,
    /// Help: what was expected and how to fix the problem, one line each.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// Creates an error without place and help.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, code, message: message.into(), place: None, help: Vec::new() }
    }
    /// Creates a warning without place and help.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::new(code, message) }
    }
    /// Sets the place.
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }
    /// Sets the place unless there is one.
    pub fn or_at(mut self, place: Place) -> Self {
        self.place.get_or_insert(place);
        self
    }
    /// Adds the kernel file's text to a place in that file.
    pub fn within(mut self, source: &Arc<Source>) -> Self {
        if let Some(Place::Kernel(span)) = self.place {
            self.place = Some(Place::Span(source.clone(), span));
        }
        self
    }
    /// Adds a help line, which says what was expected or how to fix the problem.
    pub fn help(mut self, line: impl Into<String>) -> Self {
        self.help.push(line.into());
        self
    }
}

/// All problems found in one pass; never empty when returned as an error.
pub type Diagnostics = Vec<Diagnostic>;

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        vec![diagnostic]
    }
}
