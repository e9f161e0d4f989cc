//! `acc`: the types in which sums are accumulated.

use super::reader::{Entry, Reader};
use crate::types::Type;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::de::DeValue;

/// Types of accumulators: of all statements, or by name of the result.
#[derive(Debug, Default)]
pub(super) struct Accumulators {
    all: Option<Type>,
    by_result: BTreeMap<String, (Type, Range<usize>)>,
}

impl Accumulators {
    /// Reads `acc = "i48"` or `acc = { y = "i48" }`.
    pub fn read(reader: &mut Reader, entry: Entry<'_>) -> Self {
        let mut read = Self::default();
        if let DeValue::Table(table) = entry.value.get_ref() {
            for item in super::reader::in_order(table) {
                let ty = accumulator(reader, item.value);
                read.by_result.extend(ty.map(|ty| (item.name().to_owned(), (ty, item.key.span()))));
            }
        } else {
            read.all = accumulator(reader, entry.value);
        }
        read
    }

    /// Returns the accumulator type of the statement that writes `result`.
    pub fn of(&self, result: &str) -> Option<Type> {
        self.by_result.get(result).map(|(ty, _)| *ty).or(self.all)
    }

    /// Reports names that no statement writes.
    pub fn check(&self, reader: &mut Reader, results: &[&str]) {
        for (name, (_, span)) in self.by_result.iter().filter(|(name, _)| !results.contains(&name.as_str())) {
            let message = format!("an accumulator for `{}`, which no statement writes", name.escape_debug());
            reader.unknown("K023", span.clone(), message, name, results);
        }
    }
}

fn accumulator(reader: &mut Reader, value: &super::reader::Value<'_>) -> Option<Type> {
    let name = reader.string(value, "`acc`")?;
    let ty = Type::accumulator_from_name(name);
    if ty.is_none() {
        let problem = reader.at("K023", value.span(), format!("`{}` is not a type", name.escape_debug()));
        let problem = match super::foreign::accumulator(name) {
            Some(instead) => problem.help(instead),
            None => problem,
        };
        reader.report(problem.help("an accumulator has a type of elements, or is an integer of 1 to 64 bits: `i48`"));
    }
    ty
}
