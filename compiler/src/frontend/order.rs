//! Names in `order` and `[schedule]`: variables and tensors that the statements have.

use super::reader::{Reader, list};
use crate::facts;
use crate::schedule::Schedule;
use crate::stmt::{Kernel, VarId};
use std::collections::HashSet;
use toml::Spanned;

/// Checks the loop order and the schedule against the kernel; `unnamed`: indices that the file does not have. Does nothing if the expression is wrong, or no statement could be read
/// for want of a tensor: its variables are not known then.
pub(super) fn check(
    reader: &mut Reader,
    kernel: &Kernel,
    unnamed: &HashSet<String>,
    order: Option<&Spanned<Vec<Spanned<String>>>>,
    schedule: &Schedule,
) {
    if reader.expression_is_wrong() || kernel.statements.is_empty() {
        return;
    }
    let mut variables: Vec<&str> = Vec::new();
    let used: Vec<VarId> = kernel.statements.iter().flat_map(|s| facts::variables(kernel, s)).collect();
    let loops = kernel.vars.iter().enumerate().filter(|(v, _)| used.contains(&VarId(*v)));
    for (_, var) in loops {
        if !variables.contains(&var.name.as_str()) && !unnamed.contains(&var.name) {
            variables.push(&var.name);
        }
    }
    if let Some(order) = order {
        check_order(reader, &variables, order, schedule);
    }
    let tensors: Vec<&str> = kernel.tensors.iter().map(|tensor| tensor.name.as_str()).collect();
    for name in schedule.locate.iter().chain(&schedule.scatter).flatten() {
        check_name(reader, "S104", "tensor", name, &tensors);
    }
    for (name, _) in &schedule.split {
        check_name(reader, "S104", "index", name, &variables);
    }
    for (name, index) in schedule.fuse.iter().flatten() {
        check_name(reader, "S104", "tensor", name, &tensors);
        check_name(reader, "S104", "index", index, &variables);
    }
    // Everything else can be said of the halves of a split index, too.
    let halves = halves(schedule);
    variables.extend(halves.iter().flatten().map(String::as_str));
    let sized = schedule.bitvector.iter().chain(schedule.wide.iter().flatten()).chain(&schedule.lanes);
    let copied = schedule.parallel.iter().map(|(name, _)| name);
    for name in schedule.skip.iter().flatten().chain(sized.map(|(name, _)| name)).chain(copied) {
        check_name(reader, "S104", "index", name, &variables);
    }
    // Copies are made of tiles, and lanes go along a tile, where the index as a whole is named.
    let copied = schedule.parallel.iter().map(|(name, _)| (name, 0));
    check_halves(reader, schedule, copied, "parallel");
    check_halves(reader, schedule, schedule.lanes.iter().map(|(name, _)| (name, 1)), "lanes");
}

/// Reports a split index that is named as a whole and by the half that this stands for, too.
fn check_halves<'n>(
    reader: &mut Reader,
    schedule: &Schedule,
    names: impl Iterator<Item = (&'n Spanned<String>, usize)> + Clone,
    key: &str,
) {
    let halves = halves(schedule);
    for (name, half) in names.clone() {
        let Some(split) = schedule.split.iter().position(|(k, _)| k.get_ref() == name.get_ref()) else { continue };
        let half = &halves[split][half];
        if let Some((other, _)) = names.clone().find(|(other, _)| other.get_ref() == half) {
            let message = format!("`{}` under `{key}` is `{half}`, which is named, too", name.get_ref());
            let problem = reader.at("K011", other.span(), message);
            reader.report(problem.help("keep one of them"));
        }
    }
}

/// The two indices that each split one becomes.
fn halves(schedule: &Schedule) -> Vec<[String; 2]> {
    schedule.split.iter().map(|(k, _)| ["0", "1"].map(|half| format!("{}{half}", k.get_ref()))).collect()
}

fn check_order(reader: &mut Reader, variables: &[&str], order: &Spanned<Vec<Spanned<String>>>, schedule: &Schedule) {
    let (order, span) = (order.get_ref(), order.span());
    // A split index k stands for k0 and k1, which may be named instead.
    let halves = halves(schedule);
    let mut known = variables.to_vec();
    known.extend(halves.iter().flatten().map(String::as_str));
    let whole = |name: &str| {
        schedule.split.iter().zip(&halves).find(|(_, h)| h.iter().any(|x| x == name)).map(|s| s.0.0.get_ref().as_str())
    };
    for (n, name) in order.iter().enumerate() {
        check_name(reader, "S101", "index", name, &known);
        let before = |other: &Spanned<String>| {
            let (a, b) = (name.get_ref().as_str(), other.get_ref().as_str());
            a == b || whole(a) == Some(b) || whole(b) == Some(a)
        };
        if order[..n].iter().any(before) {
            let problem = reader.at("S102", name.span(), format!("`{}` stands in `order` twice", name.get_ref()));
            reader.report(problem);
        }
    }
    let named = |v: &str| order.iter().any(|name| name.get_ref() == v);
    let missing: Vec<&str> = variables
        .iter()
        .flat_map(|&v| match schedule.split.iter().position(|(k, _)| k.get_ref() == v) {
            Some(k) if !named(v) && halves[k].iter().any(|h| named(h)) => {
                halves[k].iter().map(String::as_str).collect()
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
        let message = format!("no statement has {what} `{}`", name.get_ref().escape_debug());
        reader.unknown(code, name.span(), message, name.get_ref(), known);
    }
}
