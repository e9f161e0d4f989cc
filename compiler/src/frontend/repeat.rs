//! The section `[repeat]` and its checks.

use super::reader::{Reader, Value, in_order, list};
use crate::repeat::Repeat;
use crate::stmt::{Kernel, Tensor, TensorId};
use std::ops::Range;
use toml::Spanned;

/// The section before names are resolved.
#[derive(Debug)]
pub(super) struct Section {
    condition: Spanned<String>,
    at_most: u32,
    carry: Vec<(Spanned<String>, Spanned<String>)>,
    span: Range<usize>,
}

impl Section {
    /// The operands that carry results.
    pub fn carried(&self) -> impl Iterator<Item = &str> {
        self.carry.iter().map(|(operand, _)| operand.get_ref().as_str())
    }
}

/// Reads the section.
pub(super) fn read(reader: &mut Reader, value: &Value<'_>, span: Range<usize>) -> Option<Section> {
    let (mut condition, mut at_most, mut carry) = (None, None, Vec::new());
    let named = |entry: &Value<'_>, name: &str| Spanned::new(entry.span(), name.to_owned());
    let table = reader.table(value, "`repeat`")?;
    for entry in reader.entries(table, "in [repeat]", &["while", "at_most", "carry"]) {
        match entry.name() {
            "while" => condition = reader.string(entry.value, "`while`").map(|name| named(entry.value, name)),
            "at_most" => at_most = reader.unsigned(entry.value, "`at_most`", 1..=u64::from(u32::MAX)),
            _ => {
                for pair in reader.table(entry.value, "`carry`").map(in_order).unwrap_or_default() {
                    let operand = Spanned::new(pair.key.span(), pair.name().to_owned());
                    let result = reader.string(pair.value, "a carried result");
                    carry.extend(result.map(|name| (operand, named(pair.value, name))));
                }
            }
        }
    }
    for (key, example) in [("while", "while = \"more\""), ("at_most", "at_most = 100")] {
        if !table.contains_key(key) {
            let problem = reader.at("K028", span.clone(), format!("[repeat] has no `{key}`"));
            reader.report(problem.help(format!("write, for example, `{example}`")));
        }
    }
    Some(Section { condition: condition?, at_most: u32::try_from(at_most?).ok()?, carry, span })
}

/// Resolves the section for this kernel, which is right by itself.
pub(super) fn resolve(reader: &mut Reader, kernel: &Kernel, section: Section) -> Option<Repeat> {
    let condition = result(reader, kernel, &section.condition, "`while` names")?;
    if !kernel.tensor(condition).shape.is_empty() {
        let name = &kernel.tensor(condition).name;
        let indices = match kernel.tensor(condition).shape.len() {
            1 => "an index".to_owned(),
            n => format!("{n} indices"),
        };
        let message = format!("`while` needs a scalar, {name} has {indices}");
        let problem = reader.at("K026", section.condition.span(), message);
        reader.report(problem.help(format!("reduce it: `more = any[i]({name}(i))`, and `while = \"more\"`")));
    }
    let mut carry = Vec::new();
    for (operand, carried) in &section.carry {
        let from = operand_of(reader, kernel, operand);
        let to = result(reader, kernel, carried, "`carry` gives");
        if let (Some(from), Some(to)) = (from, to) {
            alike(reader, kernel, (from, to), carried.span());
            carry.push((from, to));
        }
    }
    for t in operands(kernel).into_iter().filter(|&t| kernel.statements.iter().any(|s| s.result == t)) {
        carry.push((t, t));
        alike(reader, kernel, (t, t), section.span.clone());
    }
    if carry.is_empty() && reader.problems.is_empty() {
        let problem = reader.at("K028", section.span, "no value goes from one round to the next");
        reader.report(problem.help(
            "every round would give the same: name the tensors that change, `carry = { f = \"n\" }`, or update them",
        ));
    }
    Some(Repeat { condition, at_most: section.at_most, carry })
}

/// Tensors whose data come from the host: read before a statement has written them.
fn operands(kernel: &Kernel) -> Vec<TensorId> {
    let mut found = Vec::new();
    for (n, s) in kernel.statements.iter().enumerate() {
        let reads = kernel.reads(s.value).into_iter().map(|(t, _)| t);
        for t in reads.filter(|&t| kernel.written_before(n, t).is_none()).map(|t| kernel.base(t)) {
            if !found.contains(&t) {
                found.push(t);
            }
        }
    }
    found
}

fn names(kernel: &Kernel, tensors: &[TensorId]) -> Vec<String> {
    tensors.iter().map(|&t| kernel.tensor(t).name.clone()).collect()
}

fn result(reader: &mut Reader, kernel: &Kernel, name: &Spanned<String>, what: &str) -> Option<TensorId> {
    let results: Vec<TensorId> = kernel.statements.iter().map(|s| s.result).collect();
    let found = results.iter().copied().find(|&t| kernel.tensor(t).name == *name.get_ref());
    if found.is_none() {
        let known = names(kernel, &results);
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let message = format!("{what} `{}`, which no statement writes", name.get_ref().escape_debug());
        reader.unknown("K025", name.span(), message, name.get_ref(), &known);
    }
    found
}

/// The operand of this name that no statement writes.
fn operand_of(reader: &mut Reader, kernel: &Kernel, name: &Spanned<String>) -> Option<TensorId> {
    let written = |t: &TensorId| kernel.statements.iter().any(|s| s.result == *t);
    let all: Vec<TensorId> = operands(kernel).into_iter().filter(|t| !written(t)).collect();
    let found = all.iter().copied().find(|&t| kernel.tensor(t).name == *name.get_ref());
    if found.is_none() {
        let (known, shown) = (names(kernel, &all), name.get_ref().escape_debug());
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let problem = reader.at("K025", name.span(), format!("`carry` names `{shown}`, which is not an operand"));
        let help = match kernel.statements.iter().any(|s| kernel.tensor(s.result).name == *name.get_ref()) {
            true => "a tensor that a statement updates keeps its value by itself; leave it out of `carry`".to_owned(),
            false => format!("operands here: {}", list(&known)),
        };
        reader.report(problem.help(help));
    }
    found
}

/// Whether what one round writes is what the next one reads.
fn alike(reader: &mut Reader, kernel: &Kernel, (operand, result): (TensorId, TensorId), span: Range<usize>) {
    let (from, to) = (kernel.tensor(operand), kernel.tensor(result));
    let text = |t: &Tensor| {
        let levels: Vec<&str> = t.levels.iter().map(|l| l.name()).collect();
        if levels.is_empty() {
            return format!("{} is one {}", t.name, t.ty);
        }
        format!("{} has {} {:?}, stored as {} of modes {:?}", t.name, t.ty, t.shape, levels.join(", "), t.mode_order)
    };
    let same = from.ty == to.ty && from.shape == to.shape && from.levels == to.levels;
    if !same || from.mode_order != to.mode_order {
        let message = format!("{} is carried to {}, and they differ: {}; {}", to.name, from.name, text(to), text(from));
        let problem = reader.at("K027", span, message);
        reader.report(problem.help("give both one type, sizes, levels and mode_order"));
        return;
    }
    if let Some(level) = from.levels.iter().find(|l| !l.is_dense() && !l.lists_coordinates()) {
        let message = format!("{} has a level {}, which rounds do not carry", from.name, level.name());
        let problem = reader.at("K029", span, message);
        reader.report(problem.help("store it dense or compressed"));
        return;
    }
    let own = kernel.statements.iter().find(|s| s.result == result).and_then(|s| s.settled.fill);
    let (given, made) = (from.fill.unwrap_or(0), to.fill.or(own));
    if !from.levels.iter().all(|l| l.is_dense()) && made.is_none_or(|made| !from.ty.same(made, given)) {
        let shown = made.map_or("a value that depends on data".to_owned(), |raw| from.ty.show(raw));
        let message = format!(
            "{} stands for {shown} where nothing is stored, and {} for {}",
            to.name,
            from.name,
            from.ty.show(given)
        );
        let problem = reader.at("K029", span, message);
        reader.report(problem.help(format!("declare one `fill` for both, or store {} dense", from.name)));
    }
}
