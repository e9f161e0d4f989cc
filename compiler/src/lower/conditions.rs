//! Conditions on an index outside of inner loops: coordinates for which the expression is its fill are dropped before
//! the inner loops start. Where one that needs no index does not hold, no loop begins.
//! docs/decisions/0082-bounds.md.

use super::bounds::{Bound, holding};
use super::tree::{LeafId, NodeInTree, Tree};
use super::{Lowering, Stop};
use crate::graph::{Leaves, Op, Payload, StreamId};
use crate::stmt::{Fun, VarId};

impl Lowering<'_> {
    /// Whether what this statement stores is the same if coordinates of `v` at which `t` is its fill are not
    /// visited: a level that is not dense holds what is visited. Pruned, it stands for the result's own fill
    /// elsewhere.
    pub(super) fn may_leave_out(&self, t: &Tree, v: VarId) -> bool {
        let result = self.kernel.tensor(self.statement.result);
        let stands_for = |fill: u64| {
            let ty = self.type_of_tree(t);
            let same = |own: u64| own | fill == 0 || ty == result.ty && self.same(ty, own, fill);
            self.fill(t).is_some_and(same)
        };
        let pruned = || !self.statement.indices.contains(&v) || result.fill.is_none_or(stands_for);
        result.levels.iter().all(|l| l.is_dense()) || result.prune && pruned()
    }

    /// The conditions in `t`, the whole expression, that need no index: where one does not hold, `t`
    /// is its fill.
    pub(super) fn conditions_without_indices(&self, t: &Tree) -> Vec<Tree> {
        let (mut rest, mut found) = (t.clone(), Vec::new());
        while !t.knows_by_presence()
            && let Some((at, condition)) = self.condition(&rest)
            && let Some(left) = self.where_it_holds(&rest, at)
        {
            found.push(condition);
            rest = left;
        }
        found
    }

    /// `rest` where the conditions without indices hold, if no loop is around that of `v`; `bounds`
    /// get those that leave no coordinate where one does not hold.
    pub(super) fn gated(&self, rest: Tree, v: VarId, bounds: &mut Vec<Bound>) -> Tree {
        let size = self.kernel.var(v).max;
        let shared = self.kernel.schedule_of(self.statement).shares(&self.kernel.var(v).name);
        // Behind a bus levels are read as streams only where nothing bounds them.
        let may = self.depth() == 0 && !shared && !self.kernel.bus;
        let Some(ty) = holding((0, size.into())).filter(|_| may) else { return rest };
        self.gates.iter().fold(rest, |rest, gate| {
            let own = self.type_of_tree(gate);
            let fails = Tree::Convert(Box::new(Tree::Map(Fun::Not, own, vec![gate.clone()])), own, ty);
            let end = vec![fails, Tree::Literal(0, ty), Tree::Literal(ty.wrap(size.into()), ty)];
            bounds.push(Bound::below(Tree::Map(Fun::Where, ty, end)));
            let same = |place: &NodeInTree| place.is_condition() && self.alike(place.node, gate);
            let at = rest.nodes().iter().position(same);
            at.and_then(|at| self.where_it_holds(&rest, at)).unwrap_or(rest)
        })
    }

    /// `t` where its condition with number `at` holds, if its fill is the same: what is left may
    /// have nothing where it is visited.
    fn where_it_holds(&self, t: &Tree, at: usize) -> Option<Tree> {
        let ty = self.type_of_tree(t.nodes().get(at)?.node);
        let rest = self.simplified(&t.with(at, &Tree::Literal(ty.one(), ty)));
        let same = |(all, left)| self.same(self.type_of_tree(t), all, left);
        self.fill(t).zip(self.fill(&rest)).is_some_and(same).then_some(rest)
    }

    /// `t` and the coordinates `crd` of `v`, the loop just begun, without those at which a condition
    /// in `t` does not hold.
    pub(super) fn held(&mut self, t: Tree, v: VarId, crd: StreamId) -> Result<(Tree, StreamId), Stop> {
        if !self.may_leave_out(&t, v) || t.knows_by_presence() {
            return Ok((t, crd));
        }
        let (mut t, mut crd) = (t, crd);
        while let Some((at, condition)) = self.condition(&t) {
            let Some(rest) = self.where_it_holds(&t, at) else { break };
            let inside = |l: &LeafId| self.graph.depth(self.leaves[*l].stream) == self.depth();
            let live: Vec<LeafId> = rest.leaves().into_iter().filter(inside).collect();
            if live.iter().any(|&l| self.reference(Some(l), self.leaves[l].stream).1) {
                break;
            }
            let holds = self.everywhere(&condition)?;
            crd = self.without(crd, holds, v, &live);
            let depth = self.depth();
            self.context[depth] = crd;
            t = rest;
            let note = format!("coordinates of {} at which a condition does not hold are left out", self.var_name(v));
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        Ok((t, crd))
    }

    /// A condition in `t` that is known here, and its number: where it is 0, `t` is its fill.
    fn condition(&self, t: &Tree) -> Option<(usize, Tree)> {
        t.nodes().into_iter().enumerate().filter(|(_, place)| place.is_condition()).find_map(|(at, place)| {
            let condition = place.node;
            let ty = self.type_of_tree(condition);
            // Where a sparse operand has nothing its coordinate is not there to begin with.
            let told = matches!(condition, Tree::Leaf(l) if !self.leaves[*l].everywhere);
            let known = !told
                && self.variables(condition).is_empty()
                && !condition.has_reduction()
                && condition.leaves().iter().any(|&l| self.graph.depth(self.leaves[l].stream) == self.depth());
            let decides = known && self.is_fill(t, &t.with(at, &Tree::Literal(0, ty)));
            decides.then(|| (at, condition.clone()))
        })
    }

    /// `crd` and the streams of `live` next to it, without the items at which `holds` is 0.
    fn without(&mut self, crd: StreamId, holds: StreamId, v: VarId, live: &[LeafId]) -> StreamId {
        let (over, index) = (self.over.clone(), self.var_name(v));
        let truth = self.graph.stream(holds).payload;
        let filter = |low: &mut Self, name: String, outer: StreamId, payload: Payload| {
            let is_crd = matches!(payload, Payload::Crd(_));
            let outputs = vec![Leaves::maybe(payload, over.clone(), is_crd), Leaves::sure(truth, over.clone())];
            low.node(name, Op::Drop { list: false, explicit: Some(0) }, vec![outer, holds], outputs)[0]
        };
        let payload = self.graph.stream(crd).payload;
        let left = filter(self, format!("hold_{index}"), crd, payload);
        for &l in live {
            let stream = self.leaves[l].stream;
            self.leaves[l].stream = if stream == crd {
                left
            } else {
                let (payload, _) = self.reference(Some(l), stream);
                filter(self, format!("hold_{}_{index}", self.leaf_name(l)), stream, payload)
            };
        }
        left
    }
}

impl NodeInTree<'_> {
    /// Is the node asked for its truth only?
    fn is_condition(&self) -> bool {
        match self.node {
            Tree::Map(f, ..) => f.is_logical(),
            Tree::Leaf(_) => {
                matches!(self.around, Some((Tree::Map(Fun::Where, ..), 0) | (Tree::Map(Fun::And, ..), _)))
            }
            _ => false,
        }
    }
}
