//! The search for the cheapest order: each legal order is lowered, and the cycles of its graph are estimated. Where
//! there are too many, orders are changed by one variable at a time as long as that makes them cheaper.

use crate::cycles::{Cycles, estimate};
use crate::facts::{Density, variables};
use crate::lower::{Lowered, merge, tried};
use crate::passes::joins;
use crate::stmt::{Kernel, TensorId, VarId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Orders of which each is tried: as many as five variables have.
const ALL: usize = 120;
/// Accesses of the statements up to which this number is tried; of more the fewer, since lowering each
/// order takes longer.
const ACCESSES: usize = 8;
/// Orders of which each is tried of up to [`MANY`] accesses. Of more the first that can be lowered is taken.
const LEAST: usize = 6;
const MANY: usize = 64;

/// Cycles that are added to those of an order in which no lists are merged, though the schedule asks for
/// it: more than any run takes.
const UNMERGED: f64 = (1u64 << 50) as f64;

/// The choice of orders that are lowered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// Those that are compared with others, or that something compared depends on.
    Least,
    /// Also those that are the only ones of large statements, which may be refused.
    Careful,
    /// One of each group: the cycles of all statements are asked for.
    All,
}

/// The orders that were found.
pub(super) struct Cheapest {
    /// The orders of the groups of variables, one after the other.
    pub order: Vec<VarId>,
    /// Cycles of all that were lowered.
    pub cycles: f64,
    /// Whether one that may be refused was not lowered.
    pub untried: bool,
}

/// The cheapest order of each group of variables.
pub(super) fn cheapest(kernel: &Kernel, density: &Density, groups: Vec<Legal<'_>>, effort: Effort) -> Cheapest {
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
        tried[g] = effort == Effort::All || writes || groups[g].orders.len() > 1;
        for &n in statements[g].iter().filter(|_| tried[g]) {
            wanted.extend(kernel.reads(kernel.statements[n].value).into_iter().map(|(t, _)| kernel.base(t)));
        }
    }
    let (mut order, mut stored, mut scratch) = (Vec::new(), HashMap::new(), kernel.clone());
    let (mut total, mut untried) = (0.0, false);
    scratch.settle();
    let last = tried.iter().rposition(|tried| *tried);
    for (g, (group, statements)) in groups.into_iter().zip(&statements).enumerate() {
        let mut search = Search { kernel: &mut scratch, statements, density, stored: &stored };
        // What nothing is compared with, and nothing tried comes after.
        let alone = effort == Effort::Least && Some(g) == last && search.most() == 1;
        untried |= alone;
        if !tried[g] || alone {
            order.extend(group.orders.into_iter().next().unwrap_or_default());
            continue;
        }
        let (part, cycles) = search.best(group);
        order.extend(part);
        // What cannot be lowered is never the cheapest.
        total += cycles.as_ref().map_or(f64::INFINITY, |c| c.total);
        stored.extend(cycles.into_iter().flat_map(|c| c.stored));
    }
    Cheapest { order, cycles: total, untried }
}

/// Statements whose variables are ordered together, and what is known.
struct Search<'s> {
    /// The kernel; it is as it was after each trial except which variable of nested reductions is whose.
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
            let asked = merge::asked(self.kernel, &self.kernel.statements[n]);
            let look = |lowered: &mut Lowered| {
                joins::decide(lowered);
                (
                    estimate(lowered, self.density, self.stored),
                    asked && !lowered.again.iter().any(|&(along, _)| merge::is_merged(&lowered.kernel, along)),
                )
            };
            let (one, unmerged) = tried(self.kernel, n, order, look).ok()?;
            all.total += one.total + if unmerged { UNMERGED } else { 0.0 };
            all.stored.extend(one.stored);
        }
        Some(all)
    }

    /// The cheapest of the legal orders, the first of those that are equal, with what it takes; the
    /// first of all if none can be lowered.
    fn best(&mut self, mut legal: Legal<'_>) -> (Vec<VarId>, Option<Cycles>) {
        let all = std::mem::take(&mut legal.orders);
        let first = all.first().cloned().unwrap_or_default();
        let most = self.most();
        if most == 1
            && let Some(cycles) = self.cycles(&first)
        {
            return (first, Some(cycles));
        }
        if all.len() > most {
            return self.climbed(&legal, first, 2 * most);
        }
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
        match accesses {
            n if n <= ACCESSES => ALL,
            n if n <= MANY => (ALL * ACCESSES.pow(2) / n.pow(2)).max(LEAST),
            _ => 1,
        }
    }

    /// The best of `most` that changes of one variable lead to, beginning at `from`.
    fn climbed(&mut self, legal: &Legal<'_>, from: Vec<VarId>, most: usize) -> (Vec<VarId>, Option<Cycles>) {
        let mut known: BTreeMap<Vec<VarId>, Option<Cost>> = BTreeMap::new();
        let mut at = from;
        loop {
            let mut best: Option<(Cost, Vec<VarId>)> = None;
            for order in std::iter::once(at.clone()).chain(legal.moved(&at)) {
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

/// The set of orders that are legal.
pub(super) struct Legal<'l> {
    vars: &'l [VarId],
    /// Which must come right before and right after each one, by their places in `vars`.
    before: Vec<Vec<usize>>,
    after: Vec<Vec<usize>>,
    place: HashMap<VarId, usize>,
    /// Each variable before the next, where that costs nothing.
    wished: Vec<Vec<VarId>>,
    /// All, or more than [`ALL`] of them.
    orders: Vec<Vec<VarId>>,
}

impl<'l> Legal<'l> {
    /// Orders of `vars` in which each variable of a chain of `binding` is before the next.
    pub(super) fn new(vars: &'l [VarId], binding: &[Vec<VarId>], wished: Vec<Vec<VarId>>) -> Self {
        let place: HashMap<VarId, usize> = vars.iter().enumerate().map(|(k, &v)| (v, k)).collect();
        let none = vec![Vec::new(); vars.len()];
        let mut legal = Self { vars, before: none.clone(), after: none, place, wished, orders: Vec::new() };
        for pair in binding.iter().flat_map(|chain| chain.windows(2)) {
            if let (Some(&a), Some(&b)) = (legal.place.get(&pair[0]), legal.place.get(&pair[1])) {
                legal.after[a].push(b);
                legal.before[b].push(a);
            }
        }
        let (mut order, mut all) = (Vec::new(), Vec::new());
        legal.extend(&mut order, &mut vec![false; vars.len()], &mut all);
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
    /// Collects the orders that begin with `order`, as far as more than [`ALL`] of them; `there`:
    /// what it has.
    fn extend(&self, order: &mut Vec<VarId>, there: &mut Vec<bool>, all: &mut Vec<Vec<VarId>>) {
        if order.len() == self.vars.len() {
            return all.push(order.clone());
        }
        for (k, &v) in self.vars.iter().enumerate() {
            if all.len() > ALL {
                return;
            }
            if !there[k] && self.before[k].iter().all(|&u| there[u]) {
                there[k] = true;
                order.push(v);
                self.extend(order, there, all);
                order.pop();
                there[k] = false;
            }
        }
    }
    /// The legal orders that are `order`, a legal one, with one variable elsewhere.
    fn moved<'o>(&'o self, order: &'o [VarId]) -> impl Iterator<Item = Vec<VarId>> + 'o {
        let at: HashMap<VarId, usize> = order.iter().enumerate().map(|(k, &v)| (v, k)).collect();
        (0..order.len()).flat_map(move |from| {
            let k = self.place[&order[from]];
            // Without it, those after it stand one place earlier.
            let last = self.before[k].iter().map(|&u| at[&self.vars[u]]).max();
            let first = self.after[k].iter().map(|&u| at[&self.vars[u]]).min();
            let places = last.map_or(0, |p| p + 1)..first.map_or(order.len(), |p| p);
            places.filter(move |to| *to != from).map(move |to| {
                let mut order = order.to_vec();
                let v = order.remove(from);
                order.insert(to, v);
                order
            })
        })
    }
}
