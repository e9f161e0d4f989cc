//! Lanes that are impossible along their index as it is stored. Where no operand can be cut into equal runs, each
//! lane takes every W-th coordinate of the index, or operands are packed compressed that could not be dealt. Where
//! that is impossible as well, the lanes go to an index around it: best to one of the result, whose lanes do not
//! meet, and next to that to the closest. Of several
//! statements the last resort is that those have lanes that can, or copies of what is below the index ([`apart`]).

mod apart;
mod follow;

use super::{LanesEntry, LanesRefused, entries, made, prepare};
use crate::diag::Diagnostic;
use crate::levels;
use crate::lower::{self, Lowered};
use crate::stmt::{Kernel, VarId};
use std::collections::BTreeSet;
use toml::Spanned;

/// Codes of lanes that are possible elsewhere.
const ELSEWHERE: [&str; 5] = ["S015", "S017", "S018", "S019", "S020"];

/// Changes the lanes of `kernel` until all are possible in the loop order `order`, if there is a way; says what changes.
pub(super) fn give(kernel: &mut Kernel, order: &[VarId]) -> Vec<String> {
    let (mut changed, mut said, mut given) = (kernel.clone(), Vec::new(), BTreeSet::new());
    while let Some(LanesRefused { entry, why }) = refused(&changed, order) {
        // Each of them is changed once. Operands and results that are stored for runs of entries may not be lowered.
        let elsewhere = ELSEWHERE.contains(&why.code) || lowered(&changed, order).is_err();
        if !elsewhere || !given.insert(entry) {
            return vec![];
        }
        let Some((lanes, statements)) = lanes_at(&changed, entry) else { return vec![] };
        let ways = ways(&changed, (&lanes, &statements), order);
        let way = ways.into_iter().find(|(way, _)| possible(way, &lanes, order));
        let way = way.or_else(|| apart::give(&changed, (&lanes, statements), order));
        let Some((next, what)) = way else { return vec![] };
        said.push(format!("{}: {what}", why.message));
        changed = next;
    }
    *kernel = changed;
    said
}

/// Whether these lanes are not the first that are refused.
fn possible(kernel: &Kernel, lanes: &LanesEntry, order: &[VarId]) -> bool {
    refused(kernel, order).is_none_or(|next| next.entry != lanes.0.span().start)
}

/// The first lanes that are refused.
fn refused(kernel: &Kernel, order: &[VarId]) -> Option<LanesRefused> {
    let entries = entries(kernel);
    if entries.is_empty() {
        return None;
    }
    match lowered(kernel, order) {
        Ok(mut lowered) => made(&mut lowered, false).err(),
        Err(why) => {
            // What is refused without lanes is none of their faults.
            let fault = |entry: &&LanesEntry| lowered(&without(kernel, entry), order).is_ok();
            let entry = entries.into_iter().map(|(entry, _)| entry).find(fault)?;
            Some(LanesRefused { entry: entry.0.span().start, why })
        }
    }
}

/// The graph before its lanes are made.
pub(super) fn lowered(kernel: &Kernel, order: &[VarId]) -> Result<Lowered, Diagnostic> {
    let mut lowered = Lowered::begin(kernel.clone());
    lowered.declared = prepare(&mut lowered.kernel);
    lower::lower(&mut lowered, &mut order.to_vec())?;
    lowered.graph = std::mem::take(&mut lowered.graph).pruned();
    Ok(lowered)
}

/// The kernel without these lanes.
fn without(kernel: &Kernel, lanes: &LanesEntry) -> Kernel {
    let mut without = kernel.clone();
    for (scope, ..) in kernel.schedules() {
        without.schedule_mut(scope).lanes.retain(|known| known != lanes);
    }
    without
}

/// The lanes whose entry stands at this place of the kernel file, and the statements that have them.
fn lanes_at(kernel: &Kernel, place: usize) -> Option<(LanesEntry, Vec<usize>)> {
    let found = entries(kernel).into_iter().find(|(entry, _)| entry.0.span().start == place);
    found.map(|(entry, statements)| (entry.clone(), statements))
}

/// Kernels in which these lanes of these statements are made otherwise, best first, with what they do there.
fn ways(kernel: &Kernel, (old, statements): (&LanesEntry, &[usize]), order: &[VarId]) -> Vec<(Kernel, String)> {
    let vars = kernel.named_in(old.0.get_ref(), statements);
    let mut dealt = kernel.clone();
    dealt.dealt.extend(&vars);
    let in_turn = format!("coordinates go to the {} lanes in turn", old.1.get_ref());
    let mut ways = vec![(dealt, in_turn.clone())];
    if let Some((followed, who)) = follow::give(kernel, (old, statements)) {
        let mut dealt = followed.clone();
        dealt.dealt.extend(&vars);
        ways.extend([(followed, who.clone()), (dealt, format!("{who}, {in_turn}"))]);
    }
    if let Some((listed, names)) = listed(kernel, &vars, statements) {
        let mut dealt = listed.clone();
        dealt.dealt.extend(&vars);
        let stored = format!("{names} compressed");
        ways.extend([(listed, stored.clone()), (dealt, format!("{stored}, {in_turn}"))]);
    }
    // What has copies already has its share.
    let copies = kernel.asked(|s| &s.parallel);
    let copied = |v: VarId| {
        copies.iter().any(|((name, copies), of)| {
            let here = of.iter().any(|n| statements.contains(n));
            copies.several() && here && *name.get_ref() == kernel.var(v).name
        })
    };
    for row in rows(kernel, &vars, statements, order).into_iter().filter(|&v| !copied(v)) {
        let (mut moved, name) = (kernel.clone(), &kernel.var(row).name);
        let has = |(entry, of): &(&LanesEntry, Vec<usize>)| {
            entry.0.get_ref() == name && of.iter().any(|n| statements.contains(n))
        };
        if entries(kernel).iter().any(has) {
            ways.push((without(kernel, old), format!("only {name} has lanes")));
            continue;
        }
        for (scope, ..) in kernel.schedules() {
            for (known, _) in moved.schedule_mut(scope).lanes.iter_mut().filter(|known| *known == old) {
                *known = Spanned::new(known.span(), name.clone());
            }
        }
        ways.push((moved, format!("{name} has lanes instead")));
    }
    ways
}

/// The kernel with operands of `vars` that lanes cannot deal stored compressed, if there are any, and what they are.
fn listed(kernel: &Kernel, vars: &[VarId], statements: &[usize]) -> Option<(Kernel, String)> {
    let (mut listed, mut names) = (kernel.clone(), BTreeSet::new());
    let accesses = statements.iter().flat_map(|&s| kernel.accesses(kernel.statements[s].value));
    for (t, indices) in accesses.filter(|(_, indices)| indices.iter().any(|v| vars.contains(v))) {
        let tensor = kernel.tensor(t);
        let packed =
            tensor.view.is_none() && !kernel.symmetric.contains(&t) && kernel.statements.iter().all(|s| s.result != t);
        let along = |l: usize| vars.contains(&indices[tensor.mode_order[l]]);
        let repeats = tensor.levels.iter().any(|l| !l.is_unique());
        for (l, kind) in listed.tensors[t.0].levels.iter_mut().enumerate().filter(|_| packed) {
            if repeats || along(l) && !kind.is_dense() && !kind.can_be_dealt() {
                *kind = levels::COMPRESSED;
                names.insert(format!("{} is packed", tensor.name));
            }
        }
    }
    (!names.is_empty()).then(|| (listed, names.into_iter().collect::<Vec<_>>().join(", ")))
}

/// Indices of operands of `vars` whose loops are around theirs, of these statements: those of results first, then the
/// closest.
pub(super) fn rows(kernel: &Kernel, vars: &[VarId], statements: &[usize], order: &[VarId]) -> Vec<VarId> {
    let place = |v: &VarId| order.iter().position(|o| o == v);
    let mut rows = Vec::new();
    for &s in statements {
        let statement = &kernel.statements[s];
        for (_, indices) in kernel.accesses(statement.value) {
            let Some(inner) = indices.iter().find(|v| vars.contains(v)) else { continue };
            rows.extend(indices.iter().filter(|v| place(v) < place(inner)).map(|v| {
                let summed = !statement.indices.contains(v);
                (summed, std::cmp::Reverse(place(v)), *v)
            }));
        }
    }
    rows.sort();
    rows.dedup();
    rows.into_iter().map(|(.., v)| v).collect()
}
