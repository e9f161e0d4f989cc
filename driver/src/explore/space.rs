//! The choices that a kernel file offers.

use super::variant::{Setting, Slot, Variant, level_name, tables};
use super::{Axis, Axis::*};
use samhw_compiler::frontend::KernelFile;
use samhw_compiler::stmt::Kernel;

/// Lists every variant that differs from `of` in one choice. `order`: the loop order of `of`.
pub fn neighbours(file: &KernelFile, of: &Variant, order: &[String], axes: &[Axis]) -> Vec<Variant> {
    let mut out = Vec::new();
    if axes.contains(&Orders) && !order.is_empty() {
        let others = orders(order).into_iter().filter(|names| names != order);
        out.extend(others.map(|names| of.with(Slot::Order, Setting::Names(names))));
    }
    if axes.contains(&Formats) {
        formats(file, of, &mut out);
    }
    if axes.contains(&Schedules) {
        schedules(&file.kernel, of, &mut out);
    }
    out.retain(|v| v != of);
    out
}

/// All orders of up to four indices, of more those with two exchanged.
fn orders(order: &[String]) -> Vec<Vec<String>> {
    if order.len() > 4 {
        let pairs = (0..order.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let exchanged = |(a, b)| {
            let mut names = order.to_vec();
            names.swap(a, b);
            names
        };
        return pairs.map(exchanged).collect();
    }
    let mut all: Vec<Vec<String>> = vec![vec![]];
    for _ in order {
        let longer = |head: Vec<String>| {
            let left: Vec<String> = order.iter().filter(|n| !head.contains(n)).cloned().collect();
            left.into_iter().map(move |n| [&head[..], &[n]].concat()).collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

/// Each dense or compressed level as the other.
fn formats(file: &KernelFile, of: &Variant, out: &mut Vec<Variant>) {
    let declared = tables(&file.source.text);
    for tensor in file.kernel.tensors.iter().filter(|t| t.view.is_none() && declared.contains(&t.name)) {
        let slot = Slot::Levels(tensor.name.clone());
        let own: Option<Vec<&'static str>> = tensor.levels.iter().map(|&l| level_name(l)).collect();
        let Some(own) = own else { continue };
        let now = if let Some(Setting::Levels(levels, _)) = of.0.get(&slot) { levels } else { &own };
        for l in 0..now.len() {
            let mut levels = now.clone();
            levels[l] = if levels[l] == "dense" { "compressed" } else { "dense" };
            out.push(of.with(slot.clone(), Setting::Levels(levels, tensor.mode_order.clone())));
        }
    }
}

fn schedules(kernel: &Kernel, of: &Variant, out: &mut Vec<Variant>) {
    for key in ["skip", "locate", "scatter"] {
        out.push(of.with(Slot::Names(key), Setting::Names(vec![])));
    }
    out.push(of.with(Slot::Nothing("wide"), Setting::Nothing));
    let mut seen = Vec::new();
    for var in &kernel.vars {
        if seen.contains(&&var.name) {
            continue;
        }
        seen.push(&var.name);
        out.push(of.with(Slot::Names("skip"), Setting::Names(vec![var.name.clone()])));
        let mut number = |key, n: u64| {
            if n < var.max {
                out.push(of.with(Slot::Number(key, var.name.clone()), Setting::Number(n)));
            }
        };
        for n in [2, 4, 8] {
            number("parallel", n);
            number("lanes", n);
        }
        for n in [2, 4] {
            number("wide", n);
        }
        for n in [32, 64] {
            number("bitvector", n);
        }
        for n in [16, 64] {
            number("split", n);
        }
    }
    for tensor in kernel.tensors.iter().filter(|t| t.levels.iter().any(|l| l.is_dense()) && t.view.is_none()) {
        let result = kernel.statements.iter().any(|s| kernel.tensor(s.result).name == tensor.name);
        let key = if result { "scatter" } else { "locate" };
        out.push(of.with(Slot::Names(key), Setting::Names(vec![tensor.name.clone()])));
    }
}
