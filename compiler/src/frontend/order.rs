//! Names in `order` and `[schedule]`: variables and tensors that the statements have.

use super::reader::{Reader, list};
use crate::facts;
use crate::schedule::{Schedule, TileSizes};
use crate::stmt::{Kernel, TensorId, VarId};
use std::collections::HashSet;
use toml::Spanned;

/// Names of indices, with places, as `order` has them.
pub(super) type OrderNames = Spanned<Vec<Spanned<String>>>;

/// The names that an order or a schedule can use, by their meaning.
pub(super) struct KnownNames<'k> {
    variables: Vec<&'k str>,
    tensors: Vec<&'k str>,
    /// The result, where these are the names of one statement of several.
    of: Option<&'k str>,
}

impl<'k> KnownNames<'k> {
    /// Collects the names in these statements; `unnamed` are indices that are not in the file.
    pub fn of(kernel: &'k Kernel, statements: &[usize], unnamed: &HashSet<String>) -> Self {
        let own = || statements.iter().map(|n| &kernel.statements[*n]);
        let used: Vec<VarId> = own().flat_map(|s| facts::variables(kernel, s)).collect();
        let mut variables: Vec<&str> = Vec::new();
        for (_, var) in kernel.vars.iter().enumerate().filter(|(v, _)| used.contains(&VarId(*v))) {
            if !variables.contains(&var.name.as_str()) && !unnamed.contains(&var.name) {
                variables.push(&var.name);
            }
        }
        let name = |t: TensorId| kernel.tensor(t).name.as_str();
        if let (&[n], true) = (statements, kernel.statements.len() > 1) {
            let s = &kernel.statements[n];
            let read = kernel.reads(s.value).into_iter().map(|(t, _)| name(kernel.base(t)));
            let of = name(s.result);
            return Self { variables, tensors: std::iter::once(of).chain(read).collect(), of: Some(of) };
        }
        let tensors = kernel.tensors.iter().map(|tensor| tensor.name.as_str()).collect();
        Self { variables, tensors, of: None }
    }
}

/// Checks a loop order and a schedule against what there is; `split`: the indices that are split.
pub(super) fn check(
    reader: &mut Reader,
    KnownNames { mut variables, tensors, of }: KnownNames<'_>,
    (order, split): (Option<&OrderNames>, &TileSizes),
    schedule: &Schedule,
) {
    let who = of.map_or("no statement has".into(), |of| format!("the statement of {of} has no"));
    if let Some(order) = order {
        check_order(reader, (&variables, &who), order, split);
    }
    let mut check_name = |code, what, name: &Spanned<String>, known: &[&str]| {
        check_name(reader, code, &format!("{who} {what}"), name, known);
    };
    for name in schedule.locate.iter().chain(&schedule.scatter).flatten() {
        check_name("S104", "tensor", name, &tensors);
    }
    for (name, _) in &schedule.split {
        check_name("S104", "index", name, &variables);
    }
    for (name, index) in schedule.fuse.iter().flatten() {
        check_name("S104", "tensor", name, &tensors);
        check_name("S104", "index", index, &variables);
    }
    // Everything else can be said of single loops of a split index, too.
    let parts = parts(split);
    variables.extend(parts.iter().flatten().map(String::as_str));
    let sized = schedule.bitvector.iter().chain(schedule.wide.iter().flatten()).chain(&schedule.lanes);
    let copied = schedule.parallel.iter().map(|(name, _)| name);
    for name in schedule.skip.iter().flatten().chain(sized.map(|(name, _)| name)).chain(copied) {
        check_name("S104", "index", name, &variables);
    }
    // Copies are made of the largest tiles, and lanes go along the smallest, where the index as a
    // whole is named.
    let copied = schedule.parallel.iter().map(|(name, _)| name);
    check_parts(reader, split, copied, "parallel");
    check_parts(reader, split, schedule.lanes.iter().map(|(name, _)| name), "lanes");
}

/// Reports a split index that is named as a whole and by the loop that this stands for, too.
fn check_parts<'n>(
    reader: &mut Reader,
    split: &TileSizes,
    names: impl Iterator<Item = &'n Spanned<String>> + Clone,
    key: &str,
) {
    let parts = parts(split);
    for name in names.clone() {
        let Some(k) = split.iter().position(|(k, _)| k.get_ref() == name.get_ref()) else { continue };
        let Some(part) = (if key == "lanes" { parts[k].last() } else { parts[k].first() }) else { continue };
        if let Some(other) = names.clone().find(|other| other.get_ref() == part) {
            let message = format!("`{}` under `{key}` is `{part}`, which is also named", name.get_ref());
            let problem = reader.at("K011", other.span(), message);
            reader.report(problem.help("keep one of them"));
        }
    }
}

/// The indices that each split one becomes.
fn parts(split: &TileSizes) -> Vec<Vec<String>> {
    split.iter().map(|(k, sizes)| (0..=sizes.len()).map(|n| format!("{}{n}", k.get_ref())).collect()).collect()
}

fn check_order(reader: &mut Reader, (variables, who): (&[&str], &str), order: &OrderNames, split: &TileSizes) {
    let (order, span) = (order.get_ref(), order.span());
    // A split index k stands for its loops k0, k1 and so on, which may be named instead.
    let parts = parts(split);
    let mut known = variables.to_vec();
    known.extend(parts.iter().flatten().map(String::as_str));
    let whole = |name: &str| {
        split.iter().zip(&parts).find(|(_, p)| p.iter().any(|x| x == name)).map(|s| s.0.0.get_ref().as_str())
    };
    for (n, name) in order.iter().enumerate() {
        check_name(reader, "S101", &format!("{who} index"), name, &known);
        let before = |other: &Spanned<String>| {
            let (a, b) = (name.get_ref().as_str(), other.get_ref().as_str());
            a == b || whole(a) == Some(b) || whole(b) == Some(a)
        };
        if order[..n].iter().any(before) {
            let problem = reader.at("S102", name.span(), format!("`order` names `{}` twice", name.get_ref()));
            reader.report(problem);
        }
    }
    let named = |v: &str| order.iter().any(|name| name.get_ref() == v);
    let missing: Vec<&str> = variables
        .iter()
        .flat_map(|&v| match split.iter().position(|(k, _)| k.get_ref() == v) {
            Some(k) if !named(v) && parts[k].iter().any(|part| named(part)) => {
                parts[k].iter().map(String::as_str).collect()
            }
            _ => vec![v],
        })
        .filter(|v| !named(v))
        .collect();
    if !missing.is_empty() {
        let problem = reader.at("S103", span, format!("`order` lacks {}", list(&missing)));
        reader.report(problem.help("name every index once, outermost loop first, or leave `order` out"));
    }
}

fn check_name(reader: &mut Reader, code: &'static str, what: &str, name: &Spanned<String>, known: &[&str]) {
    if !known.contains(&name.get_ref().as_str()) {
        let message = format!("{what} `{}`", name.get_ref().escape_debug());
        reader.unknown(code, name.span(), message, name.get_ref(), known);
    }
}
