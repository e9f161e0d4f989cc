//! Checks that the loops of one pass can be interleaved: a loop that uses the result of a reduction follows the
//! reduction's loop in every statement.

use crate::graph::{Over, StreamId};
use crate::stmt::VarId;
use std::collections::{BTreeMap, BTreeSet};

/// A node: the streams that it reads and gives, with the variables that they range over.
pub(super) struct Meeting {
    pub inputs: Vec<(StreamId, Over)>,
    pub outputs: Vec<(StreamId, Over)>,
}

/// Returns whether some loop comes after itself; `steps`: producers before consumers.
pub(super) fn circle(steps: &[Meeting]) -> bool {
    // The loops that are over when a leaf of a stream is there.
    let mut over: BTreeMap<StreamId, BTreeSet<VarId>> = BTreeMap::new();
    let mut around: BTreeMap<VarId, Vec<VarId>> = BTreeMap::new();
    let mut after: BTreeMap<VarId, BTreeSet<VarId>> = BTreeMap::new();
    for step in steps {
        let mut ended: BTreeSet<VarId> =
            step.inputs.iter().filter_map(|(s, _)| over.get(s)).flatten().copied().collect();
        for (_, vars) in &step.inputs {
            let folded = |v: &&VarId| !step.outputs.is_empty() && step.outputs.iter().all(|(_, to)| !to.contains(v));
            for v in vars.iter().filter(folded) {
                ended.insert(*v);
                around.entry(*v).or_default().extend(vars.iter());
            }
        }
        for (s, vars) in &step.outputs {
            for v in &ended {
                let later = vars.iter().filter(|w| !around.get(v).is_some_and(|a| a.contains(w)));
                after.entry(*v).or_default().extend(later);
            }
            over.insert(*s, ended.clone());
        }
    }
    after.keys().any(|v| comes_after_itself(*v, &after))
}

fn comes_after_itself(v: VarId, after: &BTreeMap<VarId, BTreeSet<VarId>>) -> bool {
    let (mut seen, mut open) = (BTreeSet::new(), vec![v]);
    while let Some(at) = open.pop() {
        for &next in after.get(&at).into_iter().flatten() {
            if next == v {
                return true;
            }
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    false
}
