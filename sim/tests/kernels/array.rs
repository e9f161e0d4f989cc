//! Rows of the public corpus of array programs as kernel files, with the formats, sizes and fills
//! that they name.

use crate::taco::shared;
use std::collections::BTreeMap;

/// Categories that are this hardware's matter; others need formats or control flow that are
/// refused.
const CATEGORIES: [&str; 6] = ["tensor-algebra", "udf-fill", "semiring", "mask", "slice", "shape"];

/// Fields of a line, which are in quotes where they have commas.
fn fields(line: &str) -> Vec<String> {
    let (mut all, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => all.push(String::new()),
            _ => all.iter_mut().last().unwrap().push(c),
        }
    }
    all
}

/// Rows by name: kernel files for whole numbers, and for floats; `None` where the corpus is not
/// here.
pub fn rows() -> Option<Vec<(String, [String; 2])>> {
    let text = std::fs::read_to_string(shared().join("corpus/corpus_public.csv")).ok()?;
    let mut lines = text.lines().map(fields);
    let names = lines.next()?;
    let row = |fields: Vec<String>| {
        let of: BTreeMap<&str, String> = names.iter().map(String::as_str).zip(fields).collect();
        let texts = ["i64", "f64"].map(|ty| kernel_text(&of, ty));
        (CATEGORIES.contains(&of["category"].as_str()) && of["iters"] == "1")
            .then(|| (format!("{}: {}", of["id"], of["expression"]), texts))
    };
    Some(lines.filter_map(row).collect())
}

/// Levels and mode order of a format; dense where it names none.
fn levels(format: &str, modes: usize) -> String {
    let (kinds, order) = format.split_once('@').unwrap_or((format, ""));
    let kinds: Vec<&str> = kinds.split(',').map(str::trim).collect();
    if kinds.len() != modes {
        return format!("levels = {:?}\n", vec!["dense"; modes]);
    }
    let order: Vec<u64> = order.split(',').filter_map(|m| m.trim().parse().ok()).collect();
    let order = if order.is_empty() { String::new() } else { format!("mode_order = {order:?}\n") };
    format!("levels = {kinds:?}\n{order}")
}

fn kernel_text(row: &BTreeMap<&str, String>, ty: &str) -> String {
    let mut text = format!("name = \"k\"\nexpr = \"{}\"\n", row["expression"]);
    if !matches!(row["reduce"].as_str(), "" | "add") {
        text += &format!("reduce = \"{}\"\n", row["reduce"]);
    }
    let formats = row["operand_formats"].split(';').filter_map(|f| f.trim().split_once('='));
    let formats: BTreeMap<&str, &str> = formats.collect();
    let fills: BTreeMap<&str, &str> = row["fills"].split_whitespace().filter_map(|f| f.split_once('=')).collect();
    for (name, shape) in row["small_shapes"].split_whitespace().filter_map(|s| s.split_once('=')) {
        // What follows the last size says which values there are.
        let size = |s: &str| s.trim_end_matches(|c: char| !c.is_ascii_digit()).parse::<u64>().ok();
        let shape: Vec<u64> = shape.split('x').map_while(size).collect();
        let format = formats.get(name).copied().unwrap_or("");
        let fill = fills.get(name).map_or(String::new(), |f| format!("fill = {f}\n"));
        let levels = levels(format, shape.len());
        text += &format!("\n[tensors.{name}]\ntype = \"{ty}\"\nshape = {shape:?}\n{levels}{fill}");
    }
    let (result, indices) =
        row["expression"].split_once('=').map_or(("", ""), |(l, _)| l.split_once('(').unwrap_or((l, "")));
    let modes = if indices.trim_end_matches([' ', ')']).is_empty() { 0 } else { indices.matches(',').count() + 1 };
    if !text.contains(&format!("[tensors.{}]", result.trim())) {
        let levels = levels(&row["output_format"], modes);
        text += &format!("\n[tensors.{}]\ntype = \"{ty}\"\n{levels}", result.trim());
    }
    text
}
