//! Rows of the public TACO corpus as kernel files, with random sizes that agree where tensors are
//! shared, and data.

use samhw_compiler::levels::LevelKind;
use samhw_compiler::stmt::{Kernel, Tensor, TensorId};
use samhw_sim::load::operands;
use samhw_sim::tensor::Coo;
use samhw_testing::kernels::value;
use samhw_values::Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Folder of the shared material.
pub fn shared() -> PathBuf {
    std::env::var_os("SAMHW_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"), PathBuf::from)
}

/// The rows' commands; `None` where the corpus is not here.
pub fn rows() -> Option<Vec<String>> {
    let text = std::fs::read_to_string(shared().join("corpus/taco_website_public.tsv")).ok()?;
    Some(text.lines().filter_map(|row| row.split_once('\t')).map(|(_, command)| command.to_owned()).collect())
}

/// The expression of a row and its formats by tensor: level letters and mode order.
fn parts(command: &str) -> (&str, BTreeMap<&str, (&str, &str)>) {
    let Some((expr, rest)) = command.trim().strip_prefix('"').and_then(|c| c.split_once('"')) else {
        return ("", BTreeMap::new());
    };
    let words = rest.split_whitespace().filter_map(|w| w.strip_prefix("-f="));
    let formats = words.filter_map(|w| w.split_once(':'));
    (expr, formats.map(|(tensor, f)| (tensor, f.split_once(':').unwrap_or((f, "")))).collect())
}

/// Names in `text`, with the list in parentheses that follows.
fn names(text: &str) -> Vec<(&str, Option<Vec<&str>>)> {
    let mut names = Vec::new();
    let mut rest = text;
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphabetic() || c == '_') {
        let end = rest[start..].find(|c| !word(c)).map_or(rest.len(), |n| start + n);
        let list = rest[end..].strip_prefix('(').and_then(|r| r.split_once(')')).map(|(list, _)| list);
        let list = list.filter(|l| !l.contains('('));
        names.push((
            &rest[start..end],
            list.map(|l| l.split(',').map(str::trim).filter(|i| !i.is_empty()).collect::<Vec<_>>()),
        ));
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

/// A row as a kernel file, of real numbers where it divides or has a literal of that kind. Sizes
/// are 2 to `largest`, as far as all loops together make at most `most` steps.
pub fn kernel_text(command: &str, rng: &mut Rng, largest: u64, most: u64) -> String {
    let (expr, formats) = parts(command);
    let accesses: Vec<(&str, Vec<&str>)> = names(expr).into_iter().filter_map(|(n, l)| Some((n, l?))).collect();
    let indices: BTreeSet<&str> = accesses.iter().flat_map(|(_, l)| l.iter().copied()).collect();
    let mut orders: BTreeMap<&str, usize> = accesses.iter().map(|(t, l)| (*t, l.len())).collect();
    names(expr).iter().filter(|(n, l)| l.is_none() && !indices.contains(n)).for_each(|(n, _)| {
        orders.entry(n).or_insert(0);
    });
    let ty = if expr.contains(['/', '.']) { "f64" } else { "i64" };
    let mut text = format!("name = \"k\"\nexpr = \"{expr}\"\n[dims]\n");
    for (index, size) in sizes(&accesses, &indices, rng, (largest, most)) {
        text.push_str(&format!("\"{index}\" = {size}\n"));
    }
    for (tensor, order) in orders {
        let (letters, modes) = formats.get(tensor).copied().unwrap_or_default();
        let given = formats.contains_key(tensor);
        let levels: Vec<_> = if given { letters.chars().map(level).collect() } else { vec!["\"dense\""; order] };
        text.push_str(&format!("[tensors.{tensor}]\ntype = \"{ty}\"\nlevels = [{}]\n", levels.join(", ")));
        if !modes.is_empty() {
            text.push_str(&format!("mode_order = [{modes}]\n"));
        }
    }
    text
}

/// A size per index; indices at the same place of a tensor agree.
fn sizes<'a>(
    accesses: &[(&str, Vec<&'a str>)],
    indices: &BTreeSet<&'a str>,
    rng: &mut Rng,
    (largest, most): (u64, u64),
) -> BTreeMap<&'a str, u64> {
    let mut class: BTreeMap<&str, &str> = indices.iter().map(|&i| (i, i)).collect();
    for (t, list) in accesses {
        let first = accesses.iter().find(|(u, _)| u == t).map_or(list, |(_, l)| l);
        for (a, b) in first.iter().zip(list) {
            let (from, to) = (class[a], class[b]);
            class.values_mut().filter(|c| **c == from).for_each(|c| *c = to);
        }
    }
    let mut size: BTreeMap<&str, u64> = indices.iter().map(|&i| (i, 2 + rng.below(largest - 1))).collect();
    let steps = |size: &BTreeMap<&str, u64>| indices.iter().map(|i| size[class[i]]).fold(1, u64::saturating_mul);
    while steps(&size) > most {
        let largest = size.iter().filter(|(i, _)| class.values().any(|c| c == *i)).max_by_key(|(_, n)| **n);
        let Some((&i, &n)) = largest.filter(|(_, n)| **n > 1) else { break };
        size.insert(i, n - 1);
    }
    indices.iter().map(|&i| (i, size[class[i]])).collect()
}

/// Whether a singleton level stands elsewhere than in a coordinate list: then every list has one
/// coordinate.
fn one_in_each_list(levels: &[LevelKind]) -> bool {
    let below = |l: usize| l > 0 && !levels[l - 1].is_unique();
    (0..levels.len()).any(|l| levels[l].is_singleton() && !below(l))
}

/// Data for every operand; explicit zeros among the values. Where each list has one coordinate,
/// `density` does not count.
pub fn random_data(kernel: &Kernel, dims: &[u64], density: u64, rng: &mut Rng) -> BTreeMap<TensorId, Coo> {
    let shape = |t: TensorId| {
        let accesses: Vec<_> = kernel.statements.iter().flat_map(|s| kernel.accesses(s.value)).collect();
        let access = accesses.iter().find(|(u, _)| *u == t);
        // What is read through views alone has its declared sizes.
        let declared = || kernel.tensor(t).shape.clone();
        access.map_or_else(declared, |(_, i)| i.iter().map(|v| dims[v.0]).collect::<Vec<u64>>())
    };
    let mut data = BTreeMap::new();
    for t in operands(kernel) {
        let (shape, ty) = (shape(t), kernel.tensor(t).ty);
        let (mut coords, mut values) = (Vec::new(), Vec::new());
        let Tensor { levels, mode_order, .. } = kernel.tensor(t);
        let one = one_in_each_list(levels).then(|| shape.iter().map(|d| rng.below(*d)).collect::<Vec<u64>>());
        for n in 0..shape.iter().product::<u64>() {
            let mut rest = n;
            let mut coord: Vec<u64> = shape.iter().rev().map(|d| (rest % d, rest /= d).0).collect();
            coord.reverse();
            let listed = levels.iter().zip(mode_order).filter(|(l, _)| !l.is_dense());
            let stored = match &one {
                Some(one) => listed.into_iter().all(|(_, &m)| one[m] == coord[m]),
                None => rng.chance(density),
            };
            if stored {
                coords.extend(coord);
                values.push(value(rng, ty));
            }
        }
        data.insert(t, Coo::new(shape.clone(), coords, values).unwrap_or_else(|_| Coo::empty(shape)));
    }
    data
}
