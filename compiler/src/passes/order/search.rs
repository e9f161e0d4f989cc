//! The cheapest order: each that is legal is lowered, and the graph's cycles are estimated. Where
//! there are too many, orders are changed by one variable at a time as long as that makes them
//! cheaper.

use crate::cycles::{Cycles, Density, estimate};
use crate::lower::{tried, variables};
use crate::stmt::{Kernel, TensorId, VarId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Orders of which each is tried: as many as five variables have.
const ALL: usize = 120;
/// Accesses of the statements up to which so many are tried; of more the fewer, since lowering each
/// order takes longer.
const ACCESSES: usize = 8;
/// Orders of which each is tried however many accesses there are.
const LEAST: usize = 6;

/// The cheapest order of each group of variables, one after the other.
pub(super) fn cheapest(kernel: &Kernel, density: &Density, groups: Vec<Legal<'_>>) -> Vec<VarId> {
    let own: Vec<Vec<VarId>> = kernel.statements.iter().map(|s| variables(kernel, s)).collect();
    let of = |group: &Legal<'_>| -> Vec<usize> {
        (0..own.len()).filter(|&n| own[n].first().is_some_and(|v| group.vars.contains(v))).collect()
    };
    let statements: Vec<Vec<usize>> = groups.iter().map(of).collect();
    // What is tried, and what that reads. Of what else has one order it does not matter how long it takes.
    let mut wanted: BTreeSet<TensorId> = BTreeSet::new();
    let mut tried = vec![false; groups.len()];
    for g in (0..groups.len()).rev() {
        let writes = statements[g].iter().any(|&n| wanted.contains(&kernel.statements[n].result));
        tried[g] = writes || groups[g].orders.len() > 1;
        for &n in statements[g].iter().filter(|_| tried[g]) {
            wanted.extend(kernel.reads(kernel.statements[n].value).into_iter().map(|(t, _)| kernel.base(t)));
        }
    }
    let (mut order, mut stored, mut scratch) = (Vec::new(), HashMap::new(), kernel.clone());
    scratch.settle();
    for ((group, statements), tried) in groups.into_iter().zip(&statements).zip(tried) {
        if !tried {
            order.extend(group.orders.into_iter().next().unwrap_or_default());
            continue;
        }
        let mut search = Search { kernel: &mut scratch, statements, density, stored: &stored };
        let (part, cycles) = search.best(group);
        order.extend(part);
        stored.extend(cycles.into_iter().flat_map(|c| c.stored));
    }
    order
}

/// Statements whose variables are ordered together, and what is known.
struct Search<'s> {
    /// The kernel; it is as it was after each trial but for which variable of nested reductions is whose.
    kernel: &'s mut Kernel,
    /// Numbers of the statements.
    statements: &'s [usize],
    /// What is known of the data.
    density: &'s Density,
    /// Values that results of earlier statements hold.
    stored: &'s HashMap<TensorId, f64>,
}

impl Search<'_> {
    /// What the statements take in this order; `None` if one of them cannot have it.
    fn cycles(&mut self, order: &[VarId]) -> Option<Cycles> {
        let mut all = Cycles::default();
        for &n in self.statements {
            let one = tried(self.kernel, n, order, |lowered| estimate(lowered, self.density, self.stored)).ok()?;
            all.total += one.total;
            all.stored.extend(one.stored);
        }
        Some(all)
    }

    /// The cheapest of the legal orders, the first of those that are equal, with what it takes; the
    /// first of all if none can be lowered.
    fn best(&mut self, mut legal: Legal<'_>) -> (Vec<VarId>, Option<Cycles>) {
        let mut all = std::mem::take(&mut legal.orders);
        let most = self.most();
        if all.len() > most {
            return self.climbed(&legal, all.swap_remove(0), 2 * most);
        }
        let first = all.first().cloned().unwrap_or_default();
        let mut best: Option<(Cost, Vec<VarId>, Cycles)> = None;
        for order in all {
            let Some(cycles) = self.cycles(&order) else { continue };
            let cost = Cost(cycles.total, legal.missed(&order));
            if best.as_ref().is_none_or(|(least, ..)| cost.is_below(least)) {
                best = Some((cost, order, cycles));
            }
        }
        best.map_or((first, None), |(_, order, cycles)| (order, Some(cycles)))
    }

    /// Up to how many orders each is tried.
    fn most(&self) -> usize {
        let kernel = &self.kernel;
        let accesses: usize = self.statements.iter().map(|&n| kernel.reads(kernel.statements[n].value).len()).sum();
        if accesses <= ACCESSES { ALL } else { (ALL * ACCESSES.pow(2) / accesses.pow(2)).max(LEAST) }
    }

    /// The best of `most` that changes of one variable lead to, beginning at `from`.
    fn climbed(&mut self, legal: &Legal<'_>, from: Vec<VarId>, most: usize) -> (Vec<VarId>, Option<Cycles>) {
        let mut known: BTreeMap<Vec<VarId>, Option<Cost>> = BTreeMap::new();
        let mut at = from;
        loop {
            let mut best: Option<(Cost, Vec<VarId>)> = None;
            for order in std::iter::once(at.clone()).chain(moved(&at)).filter(|order| legal.allows(order)) {
                if known.len() >= most && !known.contains_key(&order) {
                    continue;
                }
                let cost = match known.get(&order) {
                    Some(cost) => *cost,
                    None => {
                        let cost = self.cycles(&order).map(|c| Cost(c.total, legal.missed(&order)));
                        known.insert(order.clone(), cost);
                        cost
                    }
                };
                if let Some(cost) = cost.filter(|cost| best.as_ref().is_none_or(|(least, _)| cost.is_below(least))) {
                    best = Some((cost, order));
                }
            }
            match best {
                Some((_, order)) if order != at => at = order,
                _ => {
                    let cycles = self.cycles(&at);
                    return (at, cycles);
                }
            }
        }
    }
}

/// Cycles, then how many wishes are not met.
#[derive(Debug, Clone, Copy)]
struct Cost(f64, usize);

impl Cost {
    fn is_below(&self, other: &Self) -> bool {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1)).is_lt()
    }
}

/// `order` with one variable elsewhere.
fn moved(order: &[VarId]) -> impl Iterator<Item = Vec<VarId>> + '_ {
    let n = order.len();
    (0..n).flat_map(move |from| (0..n).filter(move |to| *to != from).map(move |to| (from, to))).map(|(from, to)| {
        let mut order = order.to_vec();
        let v = order.remove(from);
        order.insert(to, v);
        order
    })
}

/// Which orders there may be.
pub(super) struct Legal<'l> {
    vars: &'l [VarId],
    /// Each variable before the next.
    binding: Vec<Vec<VarId>>,
    /// The same, where that costs nothing.
    wished: Vec<Vec<VarId>>,
    /// All, or more than [`ALL`] of them.
    orders: Vec<Vec<VarId>>,
}

impl<'l> Legal<'l> {
    pub(super) fn new(vars: &'l [VarId], binding: Vec<Vec<VarId>>, wished: Vec<Vec<VarId>>) -> Self {
        let mut legal = Self { vars, binding, wished, orders: Vec::new() };
        let mut all = Vec::new();
        legal.extend(&mut Vec::new(), &mut all);
        legal.orders = all;
        legal
    }
    /// The first of them; none where there is none.
    pub(super) fn first(&self) -> Vec<VarId> {
        self.orders.first().cloned().unwrap_or_default()
    }
    fn missed(&self, order: &[VarId]) -> usize {
        self.wished.iter().filter(|chain| !super::respects(chain, order)).count()
    }
    fn allows(&self, order: &[VarId]) -> bool {
        self.binding.iter().all(|chain| super::respects(chain, order))
    }
    /// May `v` come next after those of `order`?
    fn next(&self, order: &[VarId], v: VarId) -> bool {
        let free = |chain: &Vec<VarId>| {
            chain.iter().position(|x| *x == v).is_none_or(|p| chain[..p].iter().all(|u| order.contains(u)))
        };
        !order.contains(&v) && self.binding.iter().all(free)
    }
    /// Collects the orders that begin with `order`, as far as more than [`ALL`] of them.
    fn extend(&self, order: &mut Vec<VarId>, all: &mut Vec<Vec<VarId>>) {
        if order.len() == self.vars.len() {
            return all.push(order.clone());
        }
        for &v in self.vars {
            if all.len() > ALL {
                return;
            }
            if self.next(order, v) {
                order.push(v);
                self.extend(order, all);
                order.pop();
            }
        }
    }
}
