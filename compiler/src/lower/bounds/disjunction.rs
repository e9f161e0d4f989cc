//! Disjunctions as bounds: `j <= i or j >= 250` is the union of two intervals. Parts that lie near each
//! other, as those of `i == j or i == j + 1` do, are one interval around them. What holds inside is computed
//! there.

use super::{Bound, Sum, bound, holding, negated, opposite};
use crate::lower::Lowering;
use crate::lower::tree::Tree;
use crate::stmt::{Fun, VarId};

/// Intervals of which a loop is made at most.
const MOST: usize = 8;
/// Coordinates between two intervals that are one.
const GAP: i128 = 2;

/// The bounds of an interval.
pub(super) type Interval = Vec<Bound>;

impl Lowering<'_> {
    /// Intervals of `v` outside of which disjunctions in `t` do not hold, and `t` is its fill; none where
    /// they bound nothing.
    pub(super) fn intervals(&self, t: &Tree, v: VarId) -> Vec<Interval> {
        let nodes = t.nodes().into_iter().enumerate().filter_map(|(at, place)| {
            let Tree::Map(_, ty, _) = place.node else { return None };
            [true, false].into_iter().find_map(|truth| {
                let found = self.where_it_is(place.node, truth, v)?;
                let outside = Tree::Literal(if truth { 0 } else { ty.one() }, *ty);
                self.is_fill(t, &t.with(at, &outside)).then_some(found)
            })
        });
        self.apart(nodes.fold(Vec::new(), both))
    }

    /// The intervals of `v` in which condition `t` is as `truth` says, or may be.
    fn where_it_is(&self, t: &Tree, truth: bool, v: VarId) -> Option<Vec<Interval>> {
        match t {
            Tree::Map(fun @ (Fun::Or | Fun::And), _, args) => {
                let mut parts = args.iter().map(|a| self.where_it_is(a, truth, v));
                if truth == (*fun == Fun::Or) {
                    let all: Vec<Interval> = parts.try_fold(Vec::new(), |all, part| Some([all, part?].concat()))?;
                    return Some(self.apart(all)).filter(|all| all.len() <= MOST);
                }
                let all = parts.flatten().fold(Vec::new(), both);
                (!all.is_empty()).then_some(all)
            }
            Tree::Map(Fun::Not, _, args) => self.where_it_is(&args[0], !truth, v),
            Tree::Map(fun, _, args) if args.len() == 2 => {
                let fun = if truth { *fun } else { opposite(*fun)? };
                match self.compared(fun, &args[0], &args[1], v) {
                    Some(found) => Some(vec![found]),
                    None => self.beyond(fun, &args[0], &args[1], v),
                }
            }
            // What is not 0 now was no 0 before.
            Tree::Convert(body, ..) if truth => self.where_it_is(body, truth, v),
            _ => None,
        }
    }

    /// `a fun b`, where that is so at both ends: of distances.
    fn beyond(&self, fun: Fun, a: &Tree, b: &Tree, v: VarId) -> Option<Vec<Interval>> {
        match (fun, a, b) {
            (Fun::Gt | Fun::Ge, Tree::Map(Fun::Abs, ty, x), _) if self.within(&negated(self.range(&x[0])?), *ty) => {
                let (x, b) = (self.sum(&x[0], v)?, self.sum(b, v)?.negated());
                Some(self.apart(vec![bound(fun, x.clone().plus(b.clone()))?, bound(fun, x.negated().plus(b))?]))
            }
            (Fun::Lt | Fun::Le, _, Tree::Map(Fun::Abs, ..)) => self.beyond(fun.mirrored(), b, a, v),
            _ => None,
        }
    }

    /// The intervals, of which those near each other have become one.
    fn apart(&self, mut all: Vec<Interval>) -> Vec<Interval> {
        let pair = |all: &[Interval]| {
            let pairs = (0..all.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
            pairs
                .filter(|&(a, b)| self.near(&all[a], &all[b]))
                .find_map(|(a, b)| Some((a, b, self.around(&all[a], &all[b])?)))
        };
        while let Some((a, b, one)) = pair(&all) {
            all.remove(b);
            all[a] = one;
        }
        all
    }

    /// Does little lie between the intervals `a` and `b`, wherever they are?
    fn near(&self, a: &[Bound], b: &[Bound]) -> bool {
        let between = |from: &[Bound], to: &[Bound]| {
            let ends = from
                .iter()
                .filter(|end| end.upper)
                .flat_map(|end| to.iter().filter(|b| !b.upper).map(move |b| (end, b)));
            let [from_ends, to_ends] =
                [(from, true), (to, false)].map(|(of, upper)| of.iter().any(|b| b.upper == upper));
            let far = |(end, begin): (&Bound, &Bound)| {
                let distance = begin.clone().closed().at.plus(end.clone().closed().at.negated());
                let distance = self.cancelled(distance);
                self.range_of_sum(&distance).is_none_or(|range| range.1 > GAP + 1)
            };
            // Of several ends of one interval the innermost counts, which is not known.
            !from_ends || !to_ends || !ends.into_iter().any(far)
        };
        between(a, b) && between(b, a)
    }

    /// The sum without terms of which one is added and the same taken away.
    fn cancelled(&self, sum: Sum) -> Sum {
        let mut terms: Vec<(bool, Tree)> = Vec::new();
        for (adds, t) in sum.terms {
            match terms.iter().position(|(other, with)| *other != adds && self.alike(with, &t)) {
                Some(k) => drop(terms.remove(k)),
                None => terms.push((adds, t)),
            }
        }
        Sum { terms, ..sum }
    }

    /// Are `a` and `b` known to have one value?
    pub(in crate::lower) fn alike(&self, a: &Tree, b: &Tree) -> bool {
        match (a, b) {
            (Tree::Leaf(a), Tree::Leaf(b)) if a == b => true,
            (Tree::Leaf(a), Tree::Leaf(b)) => {
                let [a, b] = [a, b].map(|l| &self.leaves[*l]);
                let [from, other] = [a, b].map(|leaf| self.graph.node(self.graph.stream(leaf.stream).from.0));
                let coordinates = a.below.is_some() && b.below.is_some() && a.is_value && b.is_value;
                coordinates && from.op == other.op && from.inputs == other.inputs
            }
            (Tree::Literal(a, of), Tree::Literal(b, ty)) => of == ty && a == b,
            (Tree::Map(f, of, a), Tree::Map(g, ty, b)) => {
                f == g && of == ty && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.alike(a, b))
            }
            (Tree::Convert(a, from, to), Tree::Convert(b, other, ty)) => from == other && to == ty && self.alike(a, b),
            _ => false,
        }
    }

    /// The ends that `a` and `b` both have: of each the one further out.
    pub(super) fn around(&self, a: &[Bound], b: &[Bound]) -> Option<Interval> {
        let [a, b] = [a, b].map(|all| all.iter().cloned().map(Bound::closed).collect::<Interval>());
        let ranges = a.iter().chain(&b).map(|bound| self.range_of_sum(&bound.at)).collect::<Option<Vec<_>>>()?;
        let ty = holding(ranges.into_iter().reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?)?;
        let end = |of: &[Bound], upper: bool| {
            let trees = of.iter().filter(|bound| bound.upper == upper).map(|bound| self.added(bound.at.clone(), ty));
            let tightest = if upper { Fun::Min } else { Fun::Max };
            trees.reduce(|a, b| self.simplified(&Tree::Map(tightest, ty, vec![a, b])))
        };
        let both = [false, true].into_iter().filter_map(|upper| {
            let args = vec![end(&a, upper)?, end(&b, upper)?];
            let outer = self.simplified(&Tree::Map(if upper { Fun::Max } else { Fun::Min }, ty, args));
            let at = match outer {
                Tree::Literal(value, _) => Sum::of(ty.value(value), vec![]),
                outer => Sum::of(0, vec![(true, outer)]),
            };
            Some(Bound { upper, open: false, at })
        });
        let both: Interval = both.collect();
        (!both.is_empty()).then_some(both)
    }
}

/// The intervals in which both hold; as many as there may be.
fn both(a: Vec<Interval>, b: Vec<Interval>) -> Vec<Interval> {
    match (a.len(), b.len()) {
        (0, _) => b,
        (n, m) if n * m > MOST => a,
        _ => a.iter().flat_map(|a| b.iter().map(|b| [&a[..], b].concat())).collect(),
    }
}
