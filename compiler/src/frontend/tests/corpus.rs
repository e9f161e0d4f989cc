//! Real expressions: all rows of the public TACO corpus, written as kernel files the way the checks write them.

use super::read;
use crate::diag::render;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs};

fn corpus() -> Option<String> {
    let shared = env::var_os("SAMHW_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"), PathBuf::from);
    fs::read_to_string(shared.join("corpus/taco_website_public.tsv")).ok()
}

/// Names that `text` holds with what follows them: `(` makes a tensor.
fn names(text: &str) -> Vec<(&str, &str)> {
    let mut names = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphabetic() || c == '_') {
        let end =
            rest[start..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(rest.len(), |n| start + n);
        names.push((&rest[start..end], &rest[end..]));
        rest = &rest[end..];
    }
    names
}

fn level(letter: char) -> &'static str {
    match letter {
        'd' => "\"dense\"",
        's' => "\"compressed\"",
        'u' => "\"compressed_nu\"",
        'q' => "\"singleton\"",
        _ => "\"singleton_nu\"",
    }
}

/// `"A(i,j)=..." -f=A:ds:0,1 ...` as a kernel file; every dimension has size 5.
fn kernel(command: &str) -> Option<String> {
    let (expr, formats) = command.trim().strip_prefix('"')?.split_once('"')?;
    let formats: BTreeMap<&str, (&str, &str)> = formats
        .split_whitespace()
        .filter_map(|word| {
            let (tensor, format) = word.strip_prefix("-f=")?.split_once(':')?;
            Some((tensor, format.split_once(':').unwrap_or((format, ""))))
        })
        .collect();
    let (mut indices, mut orders) = (BTreeSet::new(), BTreeMap::new());
    for (name, rest) in names(expr) {
        if let Some(list) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            let list: Vec<&str> = list.0.split(',').map(str::trim).filter(|index| !index.is_empty()).collect();
            orders.insert(name, list.len());
            indices.extend(list);
        }
    }
    for (name, rest) in names(expr) {
        if !rest.starts_with('(') && !indices.contains(name) {
            orders.insert(name, 0);
        }
    }
    let mut text = format!("expr = \"{expr}\"\n[dims]\n");
    for index in indices {
        text.push_str(&format!("\"{index}\" = 5\n"));
    }
    for (tensor, order) in orders {
        let (letters, modes) = formats.get(tensor).copied().unwrap_or_default();
        let levels: Vec<_> =
            if letters.len() == order { letters.chars().map(level).collect() } else { vec!["\"dense\""; order] };
        text.push_str(&format!("[tensors.{tensor}]\ntype = \"i64\"\nlevels = [{}]\n", levels.join(", ")));
        if letters.len() == order && order > 0 && !modes.is_empty() {
            text.push_str(&format!("mode_order = [{modes}]\n"));
        }
    }
    Some(text)
}

#[test]
fn rows_of_the_taco_website_are_read_or_refused_with_a_reason() {
    let Some(corpus) = corpus() else {
        println!("skipped: the shared corpus is not here");
        return;
    };
    let rows: Vec<_> = corpus.lines().filter_map(|row| row.split_once('\t')).map(|(_, command)| command).collect();
    let kernels: Vec<_> = rows.iter().filter_map(|row| kernel(row)).collect();
    let start = Instant::now();
    let (mut read_count, mut reasons) = (0, BTreeMap::<String, Vec<String>>::new());
    for text in &kernels {
        match read("k.toml", text) {
            Ok(_) => read_count += 1,
            Err(problems) => {
                assert!(!render(&problems).is_empty());
                let reason = format!("{} {}", problems[0].code, problems[0].message);
                reasons
                    .entry(problems[0].code.to_owned())
                    .or_default()
                    .push(format!("{reason}: {}", text.lines().next().unwrap_or("")));
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{} rows, {} with a statement, {read_count} read, {seconds:.2} s", rows.len(), kernels.len());
    for (code, refused) in &reasons {
        println!("{code}: {}", refused.len());
        refused.iter().take(12).for_each(|line| println!("    {line}"));
    }
    assert!(read_count * 100 > kernels.len() * 95, "{read_count} of {}", kernels.len());
}
