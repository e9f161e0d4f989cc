//! Per-statement choices of the kernel file: `order` as a table, and tables of `[schedule]` named after results.

use super::order::{self, KnownNames, OrderNames};
use super::reader::{Entry, Reader, Value, in_order};
use crate::schedule::Schedule;
use crate::stmt::Kernel;
use std::collections::{HashMap, HashSet};
use toml::Spanned;
use toml::de::{DeString, DeValue};

/// `order`: one for all statements, or one for each that is named.
#[derive(Default)]
pub(super) struct Orders {
    /// Order of all statements.
    pub all: Option<OrderNames>,
    /// Orders by result.
    pub own: Vec<(Spanned<String>, OrderNames)>,
}

/// `[schedule]`: that of all statements, and what single ones have in its place.
#[derive(Default)]
pub(super) struct Schedules {
    /// Schedule of all statements.
    pub all: Schedule,
    /// Schedules by result.
    pub own: Vec<(Spanned<String>, Schedule)>,
}

/// Names of the results, as far as statements were understood; `None`: they are not known.
pub(super) fn results(reader: &Reader, kernel: &Kernel) -> Option<Vec<String>> {
    let names = kernel.statements.iter().map(|s| kernel.tensor(s.result).name.clone());
    (!reader.expression_is_wrong() && !kernel.statements.is_empty()).then(|| names.collect())
}

/// Returns the keys and strings anywhere in a value: names of indices are among them.
pub(super) fn names(value: &Value<'_>) -> Vec<String> {
    match value.get_ref() {
        DeValue::String(name) => vec![name.to_string()],
        DeValue::Array(items) => items.iter().flat_map(names).collect(),
        DeValue::Table(table) => {
            let each = |(key, value): (&Spanned<_>, _)| {
                let key: &DeString<'_> = key.get_ref();
                std::iter::once(key.to_string()).chain(names(value)).collect::<Vec<_>>()
            };
            table.iter().flat_map(each).collect()
        }
        _ => Vec::new(),
    }
}

/// Reads `order`.
pub(super) fn read_orders(reader: &mut Reader, entry: &Entry<'_>, results: Option<&[String]>) -> Orders {
    let names = |reader: &mut Reader, entry: &Entry<'_>, what: &str| {
        let names = reader.strings(entry.value, what)?;
        Some(Spanned::new(entry.value.span(), names))
    };
    let mut orders = Orders::default();
    let Some(table) = entry.value.get_ref().as_table() else {
        orders.all = names(reader, entry, "`order`");
        return orders;
    };
    for own in in_order(table) {
        let name = own.name();
        if let Some(known) = results.filter(|known| known.iter().all(|result| result != name)) {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let message = format!("`order` of `{}`, which no statement writes", name.escape_debug());
            reader.unknown("S104", own.key.span(), message, name, &known);
        }
        let order = names(reader, &own, &format!("`{name}`"));
        orders.own.extend(order.map(|order| (Spanned::new(own.key.span(), name.to_owned()), order)));
    }
    orders
}

/// Gives statements what the file asks of them alone, and checks the names in it.
pub(super) fn apply(
    reader: &mut Reader,
    kernel: &mut Kernel,
    (unnamed, seen): (&HashSet<String>, &HashMap<String, String>),
    (orders, schedules): (&Orders, &Schedules),
) {
    if reader.expression_is_wrong() {
        return;
    }
    for n in 0..kernel.statements.len() {
        let written = &kernel.tensor(kernel.statements[n].result).name;
        // What is seen through operators on the left has the names of the file.
        if seen.values().any(|target| target == written) {
            continue;
        }
        let name = seen.get(written).unwrap_or(written).clone();
        let order = orders.own.iter().find(|(of, _)| *of.get_ref() == name).map(|(_, order)| order);
        let schedule = schedules.own.iter().find(|(of, _)| *of.get_ref() == name).map(|(_, own)| own);
        if order.is_none() && schedule.is_none() {
            continue;
        }
        let merged = schedule.map(|own| own.clone().within(&schedules.all));
        let split = &merged.as_ref().unwrap_or(&schedules.all).split;
        let known = KnownNames::of(kernel, &[n], unnamed);
        order::check(reader, known, (order, split), schedule.unwrap_or(&Schedule::default()));
        let own = &mut kernel.statements[n].own;
        let plain = |order: &OrderNames| order.get_ref().iter().map(|name| name.get_ref().clone()).collect();
        own.order = order.map(|order| Spanned::new(order.span(), plain(order)));
        own.schedule = merged;
    }
}
