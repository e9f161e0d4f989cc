//! Which modules a design reaches: its instances are followed with the values of their parameters,
//! and what a generate condition leaves out is not reached.
//!
//! Expressions of constants are evaluated as IEEE 1364-2005 says, as far as that is simple: integers, bits
//! of them, `$clog2`. What is not - functions, values of more than 127 bits - is unknown, and an unknown
//! condition leaves nothing out: more may be named than is reached, never less.

mod token;
mod value;
mod walk;

use std::collections::{BTreeMap, BTreeSet};
use token::Token;
use value::Value;

/// Instances whose parameters were followed, of one module, before the rest is taken as it may be.
const MOST: usize = 4096;

/// Parameters of a module with their values, where those are known.
type Parameters = BTreeMap<String, Option<Value>>;

/// The modules that those of `tops` reach, themselves included. `text` gives the Verilog of a file that has the module,
/// if there is one.
pub fn reached<'t>(
    tops: impl IntoIterator<Item = &'t str>,
    text: impl Fn(&str) -> Option<&'t str>,
) -> BTreeSet<String> {
    let mut parsed: BTreeMap<String, Option<Vec<Token<'t>>>> = BTreeMap::new();
    let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut found = BTreeSet::new();
    let mut todo: Vec<(String, Parameters)> = tops.into_iter().map(|top| (top.into(), Parameters::new())).collect();
    while let Some((name, mut given)) = todo.pop() {
        let tokens = parsed.entry(name.clone()).or_insert_with(|| text(&name).map(token::tokens));
        let Some(tokens) = tokens else { continue };
        found.insert(name.clone());
        let instances = seen.entry(name.clone()).or_default();
        if instances.len() >= MOST {
            given = given.into_keys().map(|parameter| (parameter, None)).collect();
        }
        if instances.insert(format!("{given:?}")) {
            todo.extend(walk::instances(tokens, &name, &given));
        }
    }
    found
}

#[cfg(test)]
mod tests;
