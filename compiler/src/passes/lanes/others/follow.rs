//! Lanes that other statements have, too: a result lies on the chip in as many banks as lanes write it, so
//! those that write or read its mode by another index have the lanes at that one.

use super::LanesEntry;
use crate::facts;
use crate::schedule::ScheduleScope;
use crate::stmt::{Kernel, VarId};
use std::collections::BTreeMap;
use toml::Spanned;

/// The kernel with these lanes of these statements wherever a mode that they cut is written or read, if there
/// are more, and what has them. A statement has lanes of one index.
pub(super) fn give(kernel: &Kernel, (lanes, statements): (&LanesEntry, &[usize])) -> Option<(Kernel, String)> {
    let mut cut: Vec<VarId> = kernel.named_in(lanes.0.get_ref(), statements);
    let mut more: BTreeMap<usize, VarId> = BTreeMap::new();
    while let Some((n, v)) = next(kernel, &cut) {
        let entries = &kernel.schedule_of(&kernel.statements[n]).lanes;
        let has = entries.iter().any(|(name, _)| !kernel.named_in(name.get_ref(), &[n]).is_empty());
        if has || more.insert(n, v).is_some() {
            return None;
        }
        cut.push(v);
    }
    let mut given = kernel.clone();
    let mut said = Vec::new();
    for (&n, &v) in &more {
        let mut own = kernel.schedule_of(&kernel.statements[n]).clone();
        let name = kernel.var(v).name.clone();
        said.push(format!("{name} of {}", kernel.tensor(kernel.statements[n].result).name));
        own.lanes.push((Spanned::new(lanes.0.span(), name), lanes.1.clone()));
        *given.schedule_mut(ScheduleScope::One(n)) = own;
    }
    (!said.is_empty()).then(|| (given, format!("{} have them, too", said.join(", "))))
}

/// A statement and its index of a mode that another statement's index among `cut` has.
fn next(kernel: &Kernel, cut: &[VarId]) -> Option<(usize, VarId)> {
    facts::read_modes(kernel).find_map(|m| match (cut.contains(&m.writer.1), cut.contains(&m.reader.1)) {
        (true, false) => Some(m.reader),
        (false, true) => Some(m.writer),
        _ => None,
    })
}
