//! Sections of a kernel file, before names are resolved.

use super::accumulators::Accumulators;
use super::declaration::{self, Declaration, MAX_SIZE};
use super::functions::{REDUCTIONS, reduce_op};
use super::literal::Literal;
use super::reader::{Entry, Reader, Value, in_order};
use super::resolve::Outline;
use super::schedule::{Hardware, read_hardware};
use super::syntax::Syntax;
use super::{adopt, data_section, repeat, user};
use crate::data;
use crate::stmt::{Algebra, Fun};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::DeTable;

const KEYS: [&str; 13] = [
    "name",
    "expr",
    "order",
    "reduce",
    "acc",
    "ieee",
    "dims",
    "tensors",
    "hardware",
    "schedule",
    "functions",
    "data",
    "repeat",
];

/// Sections of the file before names are resolved.
pub(super) struct Sections<'t> {
    pub name: Option<(&'t str, Range<usize>)>,
    pub expr: Option<Literal<'t>>,
    pub order: Option<Entry<'t>>,
    pub algebra: Algebra,
    pub outline: Outline,
    /// Bodies of functions.
    pub bodies: Syntax,
    pub hardware: Hardware,
    pub schedule: Option<&'t Value<'t>>,
    pub data: Vec<(Entry<'t>, Option<data::DataSource>)>,
    pub repeat: Option<repeat::Section>,
}

pub(super) fn read_sections<'t>(reader: &mut Reader, table: &'t DeTable<'t>) -> Sections<'t> {
    let mut sections = Sections {
        name: None,
        expr: None,
        order: None,
        algebra: Algebra::default(),
        outline: Outline::default(),
        bodies: Syntax::default(),
        hardware: Hardware::default(),
        schedule: None,
        data: Vec::new(),
        repeat: None,
    };
    for entry in reader.entries(table, "at the top of the file", &KEYS) {
        let (value, span) = (entry.value, entry.value.span());
        match entry.name() {
            "name" => sections.name = reader.string(value, "`name`").map(|name| (name, span)),
            "expr" => {
                let text = reader.string(value, "`expr`");
                sections.expr = text.map(|text| Literal::new(&reader.source.text, span, text));
            }
            "order" => sections.order = Some(entry),
            "reduce" => sections.outline.reduce = read_reduce(reader, entry),
            "ieee" => {
                let ieee = reader.boolean(value, "`ieee`").unwrap_or_default();
                sections.algebra = if ieee { Algebra::Ieee } else { Algebra::Finite };
            }
            "acc" => sections.outline.accumulators = Accumulators::read(reader, entry),
            "dims" => sections.outline.dims = read_dims(reader, entry),
            "tensors" => sections.outline.declarations = read_tensors(reader, entry),
            "hardware" => sections.hardware = read_hardware(reader, value),
            "repeat" => sections.repeat = repeat::read(reader, value, entry.key.span()),
            "schedule" => sections.schedule = Some(value),
            "functions" => (sections.bodies, sections.outline.functions) = user::read(reader, entry, Syntax::default()),
            _ => {
                if let Some(table) = reader.table(value, "`data`") {
                    let sources = in_order(table).into_iter();
                    sections.data = sources.map(|entry| (entry, data_section::read(reader, entry.value))).collect();
                }
            }
        }
    }
    sections.bodies = adopt::add(reader, sections.bodies, &mut sections.outline.functions);
    sections
}

fn read_reduce(reader: &mut Reader, entry: Entry<'_>) -> Option<Fun> {
    let name = reader.string(entry.value, "`reduce`")?;
    let op = reduce_op(name);
    if op.is_none() {
        reader.unknown("E008", entry.value.span(), format!("unknown reduction `{name}`"), name, &REDUCTIONS);
    }
    op
}

fn read_dims(reader: &mut Reader, entry: Entry<'_>) -> BTreeMap<String, Spanned<u64>> {
    let Some(table) = reader.table(entry.value, "`dims`") else { return BTreeMap::new() };
    let size = |entry: Entry<'_>| {
        let size = reader.unsigned(entry.value, &format!("the size of `{}`", entry.name()), 1..=MAX_SIZE);
        // A size that is wrong has been reported; 1 keeps its variable from being reported as well.
        (entry.name().to_owned(), Spanned::new(entry.key.span(), size.unwrap_or(1)))
    };
    in_order(table).into_iter().map(size).collect()
}

fn read_tensors(reader: &mut Reader, entry: Entry<'_>) -> Vec<Declaration> {
    let Some(table) = reader.table(entry.value, "`tensors`") else { return Vec::new() };
    in_order(table).into_iter().map(|entry| declaration::read(reader, entry)).collect()
}
