//! A reader of TOML values with positions, which collects all problems instead of stopping at the first.

use super::foreign;
use super::nearest::nearest;
use super::token::is_name;
use crate::diag::{Diagnostic, Place, Source};
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

/// A TOML value with its place.
pub(super) type Value<'t> = Spanned<DeValue<'t>>;

/// One `key = value`.
#[derive(Clone, Copy)]
pub(super) struct Entry<'t> {
    /// The key, with its position.
    pub key: &'t Spanned<toml::de::DeString<'t>>,
    /// The assigned value.
    pub value: &'t Value<'t>,
}

impl<'t> Entry<'t> {
    /// Returns the text of the key.
    pub fn name(&self) -> &'t str {
        self.key.get_ref()
    }
}

/// The problems found so far in one file.
pub(super) struct Reader {
    /// The file being read.
    pub source: Arc<Source>,
    /// Errors found so far.
    pub problems: Vec<Diagnostic>,
    /// Warnings found so far.
    pub warnings: Vec<Diagnostic>,
}

impl Reader {
    /// Creates a diagnostic at `span` without reporting it.
    pub fn at(&self, code: &'static str, span: Range<usize>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, message).at(Place::Span(self.source.clone(), span))
    }

    /// Reports a problem once, even if a shape operator is read several times.
    pub fn report(&mut self, problem: Diagnostic) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Creates a warning at `span` without reporting it.
    pub fn warning_at(&self, code: &'static str, span: Range<usize>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::warning(code, message).at(Place::Span(self.source.clone(), span))
    }

    /// Reports a warning, once.
    pub fn warn(&mut self, warning: Diagnostic) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Returns whether statements are missing because of errors in the expression.
    pub fn expression_is_wrong(&self) -> bool {
        self.problems.iter().any(|problem| problem.code.starts_with('E') || problem.code == "K013")
    }

    /// Returns whether a function of the file has errors, so that statements which call it may be missing.
    pub fn function_is_wrong(&self) -> bool {
        self.problems.iter().any(|problem| matches!(problem.code, "K021" | "K022"))
    }

    /// Reports that the syntax at `span` is not supported; `instead` names an alternative.
    pub fn unsupported(&mut self, code: &'static str, span: Range<usize>, what: &str, instead: &str) {
        let problem = self.at(code, span, format!("{what} not supported yet")).help(instead);
        self.report(problem);
    }

    /// Reports an unknown name and suggests the nearest one of `known`.
    pub fn unknown(&mut self, code: &'static str, span: Range<usize>, message: String, name: &str, known: &[&str]) {
        self.unknown_word(code, span, message, (name, None), known);
    }

    /// Reports an unknown name that may be a word of other tools: then with what is written `instead`.
    pub fn unknown_word(
        &mut self,
        code: &'static str,
        span: Range<usize>,
        message: String,
        (name, instead): (&str, Option<String>),
        known: &[&str],
    ) {
        let problem = self.at(code, span, message);
        let problem = match (instead, nearest(name, known)) {
            (Some(instead), _) => problem.help(instead),
            (None, Some(near)) => problem.help(format!("did you mean `{near}`?")),
            (None, None) if known.is_empty() => problem,
            (None, None) => problem.help(format!("known here: {}", list(known))),
        };
        self.report(problem);
    }

    /// Returns the entries of a table in the order of the file; unknown keys are reported and omitted.
    pub fn entries<'t>(&mut self, table: &'t DeTable<'t>, place: &str, known: &[&str]) -> Vec<Entry<'t>> {
        self.known(in_order(table), place, known)
    }

    /// Returns the entries with known keys; others are reported.
    pub fn known<'t>(&mut self, mut entries: Vec<Entry<'t>>, place: &str, known: &[&str]) -> Vec<Entry<'t>> {
        entries.retain(|entry| {
            let name = entry.name();
            let is_known = known.contains(&name);
            if !is_known {
                let message = format!("unknown key `{name}` {place}");
                self.unknown_word("K002", entry.key.span(), message, (name, foreign::key(name, known)), known);
            }
            is_known
        });
        entries
    }

    fn wrong_kind(&mut self, value: &Value<'_>, what: &str, expected: &str, help: Option<String>) {
        let found = match value.get_ref() {
            DeValue::String(_) => "a string",
            DeValue::Integer(_) => "an integer",
            DeValue::Float(_) => "a decimal number",
            DeValue::Boolean(_) => "a boolean",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "an array",
            DeValue::Table(_) => "a table",
        };
        let mut problem = self.at("K004", value.span(), format!("{what} must be {expected}, this is {found}"));
        problem.help.extend(help);
        self.report(problem);
    }

    /// Returns a string, or reports an error.
    pub fn string<'t>(&mut self, value: &'t Value<'t>, what: &str) -> Option<&'t str> {
        let string = value.get_ref().as_str();
        if string.is_none() {
            self.wrong_kind(value, what, "a string", None);
        }
        string
    }

    /// Returns a boolean, or reports an error.
    pub fn boolean(&mut self, value: &Value<'_>, what: &str) -> Option<bool> {
        let boolean = value.get_ref().as_bool();
        if boolean.is_none() {
            self.wrong_kind(value, what, "`true` or `false`", None);
        }
        boolean
    }

    /// Returns a table, or reports an error.
    pub fn table<'t>(&mut self, value: &'t Value<'t>, what: &str) -> Option<&'t DeTable<'t>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.wrong_kind(value, what, "a table", as_table(value, what));
        }
        table
    }

    /// Returns the items of an array, or reports an error.
    pub fn array<'t>(&mut self, value: &'t Value<'t>, what: &str, of: &str) -> Option<Vec<&'t Value<'t>>> {
        match value.get_ref() {
            DeValue::Array(array) => Some(array.iter().collect()),
            _ => {
                self.wrong_kind(value, what, &format!("an array of {of}"), as_array(value, what));
                None
            }
        }
    }

    /// Returns an integer within `range`, or reports an error.
    pub fn integer(&mut self, value: &Value<'_>, what: &str, range: RangeInclusive<i128>) -> Option<i128> {
        let DeValue::Integer(integer) = value.get_ref() else {
            self.wrong_kind(value, what, "an integer", None);
            return None;
        };
        let number = whole(integer).filter(|number| range.contains(number));
        if number.is_none() {
            let (lo, hi) = range.into_inner();
            let message = format!("{what} must be between {lo} and {hi}");
            let problem = self.at("K010", value.span(), message);
            self.report(problem);
        }
        number
    }

    /// Returns a non-negative integer as [`Self::integer`] does.
    pub fn unsigned(&mut self, value: &Value<'_>, what: &str, range: RangeInclusive<u64>) -> Option<u64> {
        let range = i128::from(*range.start())..=i128::from(*range.end());
        self.integer(value, what, range).and_then(|number| u64::try_from(number).ok())
    }

    /// Returns an integer as [`Self::unsigned`] does, where an array of these would do, too.
    pub fn size_or_sizes(&mut self, value: &Value<'_>, what: &str, range: RangeInclusive<u64>) -> Option<u64> {
        if !value.get_ref().is_integer() {
            self.wrong_kind(value, what, "an integer or an array of integers", None);
            return None;
        }
        self.unsigned(value, what, range)
    }

    /// Returns a number, or reports an error.
    pub fn number(&mut self, value: &Value<'_>, what: &str) -> Option<f64> {
        match value.get_ref() {
            DeValue::Integer(integer) => whole(integer).map(|number| number as f64),
            DeValue::Float(float) => float.as_str().parse().ok(),
            _ => {
                self.wrong_kind(value, what, "a number", None);
                None
            }
        }
    }

    /// Returns a finite number, or reports an error.
    pub fn finite(&mut self, value: &Value<'_>, what: &str) -> Option<f64> {
        let number = self.number(value, what)?;
        if !number.is_finite() {
            let problem = self.at("K010", value.span(), format!("{what} must be finite"));
            self.report(problem);
        }
        Some(number).filter(|number| number.is_finite())
    }

    /// Returns a number from 0 to 1, or reports an error.
    pub fn fraction(&mut self, value: &Value<'_>, what: &str) -> Option<f64> {
        let number = Some(self.number(value, what)?);
        let number = number.filter(|number| (0.0..=1.0).contains(number));
        if number.is_none() {
            let problem = self.at("K010", value.span(), format!("{what} must be between 0 and 1"));
            self.report(problem);
        }
        number
    }

    /// Returns an array of strings with their positions; other items are reported and omitted.
    pub fn strings(&mut self, value: &Value<'_>, what: &str) -> Option<Vec<Spanned<String>>> {
        let items = self.array(value, what, "strings")?;
        let strings = items.into_iter().filter_map(|item| {
            let string = self.string(item, &format!("an item of {what}"))?;
            Some(Spanned::new(item.span(), string.to_owned()))
        });
        Some(strings.collect())
    }
}

/// How the key `what`, in backticks, is written as an array, where `value` is what its items are or
/// a list of them in a string.
fn as_array(value: &Value<'_>, what: &str) -> Option<String> {
    let key = what.strip_prefix('`')?.strip_suffix('`')?;
    let items: Vec<String> = match value.get_ref() {
        DeValue::String(text) => {
            let letters = matches!(key, "order" | "skip");
            names_in(text, letters).iter().map(|name| format!("\"{name}\"")).collect()
        }
        DeValue::Integer(number) => vec![number.as_str().to_owned()],
        _ => return None,
    };
    Some(format!("write `{key} = [{}]`", items.join(", ")))
}

/// The names in a list without brackets, or, if names are `letters`, the letters of one word.
fn names_in(text: &str, letters: bool) -> Vec<String> {
    let parts: Vec<&str> = text.split([',', ' ', '>', '-', ';']).filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        [word] if letters && word.len() <= 6 && word.chars().all(|c| c.is_ascii_lowercase()) => {
            word.chars().map(String::from).collect()
        }
        _ => parts.into_iter().map(|part| part.escape_debug().to_string()).collect(),
    }
}

/// How a key of numbers by index is written, where `value` is a number, and a tensor, where it is a
/// format.
fn as_table(value: &Value<'_>, what: &str) -> Option<String> {
    let key = what.strip_prefix('`')?.strip_suffix('`')?;
    if let (Some(tensor), DeValue::String(format)) = (key.strip_prefix("tensors."), value.get_ref()) {
        let format = if is_name(format) { format.as_ref() } else { "csr" };
        return Some(format!("write `{tensor} = {{ format = \"{format}\", type = \"f32\" }}`"));
    }
    let (index, number) = match value.get_ref() {
        DeValue::Integer(number) => ("i", number.as_str()),
        DeValue::String(index) if is_name(index) => (index.as_ref(), "4"),
        _ => return None,
    };
    BY_INDEX.contains(&key).then(|| format!("write a number for each index: `{key} = {{ {index} = {number} }}`"))
}

/// Keys whose values are numbers by index.
const BY_INDEX: [&str; 5] = ["parallel", "bitvector", "wide", "split", "lanes"];

/// Entries of a table in the order of the file.
pub(super) fn in_order<'t>(table: &'t DeTable<'t>) -> Vec<Entry<'t>> {
    let mut entries: Vec<_> = table.iter().map(|(key, value)| Entry { key, value }).collect();
    entries.sort_by_key(|entry| entry.key.span().start);
    entries
}

/// Most names that [`list`] shows.
const LISTED: usize = 20;

/// Names in backticks, with commas.
pub(super) fn list(names: &[&str]) -> String {
    let shown: Vec<_> = names.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    format!("{}{}", shown.join(", "), if names.len() > LISTED { ", ..." } else { "" })
}

/// The value of a TOML integer that is not too large for any type.
pub(super) fn whole(integer: &DeInteger<'_>) -> Option<i128> {
    i128::from_str_radix(integer.as_str(), integer.radix()).ok()
}
