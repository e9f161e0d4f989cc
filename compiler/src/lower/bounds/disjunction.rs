//! Disjunctions as bounds: `i == j or i == j + 1` is bounded by the smallest interval around the bounds of its parts.
//! Inside it is computed.

use super::{Bound, Sum, holding};
use crate::lower::Lowering;
use crate::lower::tree::Tree;
use crate::stmt::{Fun, VarId};

impl Lowering<'_> {
    /// Bounds of `v` outside of which disjunctions in `t` do not hold, and `t` is its fill.
    pub(super) fn hulls(&self, t: &Tree, v: VarId) -> Vec<Bound> {
        let nodes = t.nodes().into_iter().enumerate().filter_map(|(at, place)| {
            let Tree::Map(Fun::Or, ty, _) = place.node else { return None };
            let found = self.bounded(place.node, v)?;
            self.is_fill(t, &t.with(at, &Tree::Literal(0, *ty))).then_some(found)
        });
        nodes.flatten().collect()
    }

    /// Bounds of `v` where condition `t` holds; of a disjunction those around both parts.
    fn bounded(&self, t: &Tree, v: VarId) -> Option<Vec<Bound>> {
        match t {
            Tree::Map(Fun::Or, _, args) => self.around(self.bounded(&args[0], v)?, self.bounded(&args[1], v)?),
            Tree::Map(Fun::And, _, args) => {
                let both: Vec<Bound> = args.iter().filter_map(|a| self.bounded(a, v)).flatten().collect();
                (!both.is_empty()).then_some(both)
            }
            Tree::Map(fun, _, args) if args.len() == 2 => self.compared(*fun, &args[0], &args[1], v),
            // What is not 0 now was no 0 before.
            Tree::Convert(body, ..) => self.bounded(body, v),
            _ => None,
        }
    }

    /// The ends that `a` and `b` both have: of each the one further out.
    fn around(&self, a: Vec<Bound>, b: Vec<Bound>) -> Option<Vec<Bound>> {
        let [a, b] = [a, b].map(|all| all.into_iter().map(Bound::closed).collect::<Vec<_>>());
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
            Some(Bound { upper, open: false, at: Sum::of(0, vec![(true, outer)]) })
        });
        let both: Vec<Bound> = both.collect();
        (!both.is_empty()).then_some(both)
    }
}
