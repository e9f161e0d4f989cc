//! `[data]`: the default sources of the tensors.

use super::declaration::MAX_SIZE;
use super::reader::{Entry, Reader, Value};
use crate::data::{DataSource, Generator, Pattern, Range, ValuePolicy};
use toml::de::{DeTable, DeValue};

/// Reads the source of one tensor.
pub(super) fn read(reader: &mut Reader, value: &Value<'_>) -> Option<DataSource> {
    match value.get_ref() {
        DeValue::String(name) if name == Pattern::Identity.name() => {
            Some(DataSource::Generated(Generator { pattern: Pattern::Identity, seed: 0, values: None }))
        }
        DeValue::String(path) => Some(DataSource::File { path: path.as_ref().into(), policy: ValuePolicy::default() }),
        DeValue::Table(table) if table.contains_key("file") => file(reader, table),
        DeValue::Table(table) => generated(reader, value, table),
        _ => {
            let problem = reader.at("K015", value.span(), "this is not a source of data");
            reader.report(problem.help("write a file name, or a generator such as `{ random = { density = 0.05 } }`"));
            None
        }
    }
}

fn file(reader: &mut Reader, table: &DeTable<'_>) -> Option<DataSource> {
    let (mut path, mut policy) = (None, ValuePolicy::default());
    for entry in reader.entries(table, "of a data file", &["file", "convert"]) {
        let text = reader.string(entry.value, &format!("`{}`", entry.name()))?;
        if entry.name() == "file" {
            path = Some(text.into());
        } else if let Some(named) = ValuePolicy::from_name(text) {
            policy = named;
        } else {
            let message = format!("unknown conversion `{text}`");
            reader.unknown("K015", entry.value.span(), message, text, &ValuePolicy::NAMES);
            return None;
        }
    }
    Some(DataSource::File { path: path?, policy })
}

fn generated(reader: &mut Reader, value: &Value<'_>, table: &DeTable<'_>) -> Option<DataSource> {
    let mut known = vec!["file"];
    known.extend(Pattern::NAMES);
    let entries = reader.entries(table, "of a data source", &known);
    let [entry] = entries.as_slice() else {
        if entries.len() == table.len() {
            let problem = reader.at("K015", value.span(), "a generator is one pattern");
            reader.report(problem.help(format!("patterns: {}", super::reader::list(&Pattern::NAMES))));
        }
        return None;
    };
    let what = entry.name();
    let fields = reader.table(entry.value, &format!("`{what}`"))?;
    let (required, optional): (&[&str], &[&str]) = match what {
        "random" => (&["density"], &[]),
        "banded" => (&["lower", "upper"], &[]),
        "block" => (&["size", "density"], &[]),
        "rmat" => (&["edges"], &["quadrants"]),
        "identity" => (&[], &[]),
        _ => (&["n"], &[]),
    };
    let known: Vec<_> = required.iter().chain(optional).chain(&["seed", "values"]).copied().collect();
    let fields = reader.entries(fields, &format!("of `{what}`"), &known);
    let mut table = Fields { reader, fields, what, at: entry.key.span() };
    for name in required {
        table.require(name);
    }
    let pattern = match what {
        "random" => Pattern::Random { density: table.fraction("density")? },
        "banded" => Pattern::Banded { lower: table.unsigned("lower", 0)?, upper: table.unsigned("upper", 0)? },
        "block" => Pattern::Block { size: table.unsigned("size", 1)?, density: table.fraction("density")? },
        "rmat" => Pattern::Rmat { edges: table.unsigned("edges", 0)?, quadrants: table.quadrants()? },
        "poisson2d" => Pattern::Poisson2d { n: table.unsigned("n", 1)? },
        "poisson3d" => Pattern::Poisson3d { n: table.unsigned("n", 1)? },
        _ => Pattern::Identity,
    };
    let seed = if table.value("seed").is_some() { table.unsigned("seed", 0)? } else { 0 };
    let values = table.values()?;
    Some(DataSource::Generated(Generator { pattern, seed, values }))
}

/// The fields of one generator.
struct Fields<'r, 't> {
    reader: &'r mut Reader,
    fields: Vec<Entry<'t>>,
    what: &'t str,
    at: std::ops::Range<usize>,
}

impl<'t> Fields<'_, 't> {
    fn value(&self, name: &str) -> Option<&'t Value<'t>> {
        self.fields.iter().find(|field| field.name() == name).map(|field| field.value)
    }

    fn require(&mut self, name: &str) {
        if self.value(name).is_none() {
            let problem = self.reader.at("K003", self.at.clone(), format!("`{}` has no `{name}`", self.what));
            self.reader.report(problem);
        }
    }

    fn unsigned(&mut self, name: &str, least: u64) -> Option<u64> {
        let most = if name == "seed" { i64::MAX as u64 } else { MAX_SIZE };
        self.value(name).and_then(|value| self.reader.unsigned(value, &format!("`{name}`"), least..=most))
    }

    fn fraction(&mut self, name: &str) -> Option<f64> {
        self.value(name).and_then(|value| self.reader.fraction(value, &format!("`{name}`")))
    }

    /// Probabilities of three quadrants, Graph500's if not given.
    fn quadrants(&mut self) -> Option<[f64; 3]> {
        let Some(value) = self.value("quadrants") else { return Some([0.57, 0.19, 0.19]) };
        let items = self.reader.array(value, "`quadrants`", "three probabilities")?;
        let numbers: Vec<_> = items.iter().filter_map(|item| self.reader.fraction(item, "a probability")).collect();
        let three: Option<[f64; 3]> = numbers.try_into().ok();
        let three = three.filter(|three| items.len() == 3 && three.iter().sum::<f64>() <= 1.0);
        if three.is_none() {
            let message = "`quadrants` must be three probabilities whose sum is 1 at most";
            let problem = self.reader.at("K015", value.span(), message);
            self.reader.report(problem);
        }
        three
    }

    /// `None` if wrong, `Some(None)` if not given.
    fn values(&mut self) -> Option<Option<Range>> {
        let Some(value) = self.value("values") else { return Some(None) };
        let items = self.reader.array(value, "`values`", "two numbers")?;
        if items.iter().any(|item| matches!(item.get_ref(), DeValue::Float(_))) {
            let numbers: Vec<_> = items.iter().filter_map(|item| self.reader.finite(item, "a value")).collect();
            return match numbers.as_slice() {
                [lo, hi] if items.len() == 2 && lo <= hi => Some(Some(Range::Real([*lo, *hi]))),
                _ if numbers.len() < items.len() => None,
                _ => self.not_a_range(value),
            };
        }
        let range = i128::from(i64::MIN)..=i128::from(i64::MAX);
        let numbers: Vec<_> =
            items.iter().filter_map(|item| self.reader.integer(item, "a value", range.clone())).collect();
        match numbers.as_slice() {
            [lo, hi] if items.len() == 2 && lo <= hi => {
                Some(Some(Range::Whole([i64::try_from(*lo).ok()?, i64::try_from(*hi).ok()?])))
            }
            _ => self.not_a_range(value),
        }
    }

    fn not_a_range<T>(&mut self, value: &Value<'_>) -> Option<T> {
        let problem = self.reader.at("K015", value.span(), "`values` must be the smallest and the largest value");
        self.reader.report(problem.help("as in `values = [-4, 4]` or `values = [-1.0, 1.0]`"));
        None
    }
}
