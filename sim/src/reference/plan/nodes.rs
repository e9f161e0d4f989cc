//! The nodes of expressions while they are planned: slots and variables below a node, and copies with
//! other nodes inside.

use super::Planner;
use crate::reference::program::{Kind, Node, NodeId, SlotId};
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::stmt::{Operator, VarId};

/// Given a reduction's node, operator, variable and body: what replaces it.
pub(super) type Rewrite<'f, P> = dyn FnMut(&mut P, NodeId, Operator, VarId, NodeId) -> Result<NodeId, Diagnostic> + 'f;

impl Planner<'_> {
    /// Distinct slots below `e`.
    pub(super) fn slots(&self, e: NodeId, into: &mut Vec<SlotId>) {
        match &self.program.nodes[e].kind {
            Kind::Slot(s) | Kind::Stored(s) => {
                if !into.contains(s) {
                    into.push(*s);
                }
            }
            Kind::Literal | Kind::Index(_) | Kind::Nested(_) => {}
            Kind::Map(_, args) | Kind::Call(_, args) | Kind::Read(_, args) => {
                args.iter().for_each(|&n| self.slots(n, into));
            }
            Kind::Reduce(_, _, body) | Kind::Convert(_, body) | Kind::At(_, body) => self.slots(*body, into),
        }
    }

    /// Variables whose coordinates `e` reads as numbers.
    pub(super) fn numbers(&self, e: NodeId, into: &mut Vec<VarId>) {
        match &self.program.nodes[e].kind {
            Kind::Index(v) => into.push(*v),
            Kind::At(v, at) => {
                into.push(*v);
                self.numbers(*at, into);
            }
            Kind::Map(_, args) | Kind::Call(_, args) | Kind::Read(_, args) => {
                args.iter().for_each(|&n| self.numbers(n, into));
            }
            Kind::Reduce(_, _, body) | Kind::Convert(_, body) => self.numbers(*body, into),
            Kind::Slot(_) | Kind::Stored(_) | Kind::Literal | Kind::Nested(_) => {}
        }
    }

    /// Returns whether all variables in `e` are bound outside of the loop over `v`.
    pub(super) fn is_bound(&self, e: NodeId, v: VarId) -> bool {
        let (mut slots, mut numbers) = (Vec::new(), Vec::new());
        self.slots(e, &mut slots);
        self.numbers(e, &mut numbers);
        let stored = slots.iter().flat_map(|&s| self.program.slots[s].key.vars());
        stored.chain(numbers).all(|w| self.before(w, v))
    }

    /// `e` with its outermost reductions replaced by what `f` says.
    pub(super) fn rewrite(&mut self, e: NodeId, f: &mut Rewrite<'_, Self>) -> Result<NodeId, Diagnostic> {
        if let Kind::Reduce(op, v, body) = self.program.nodes[e].kind {
            return f(self, e, op, v, body);
        }
        self.rewrite_inside(e, &mut |planner, inside| planner.rewrite(inside, f))
    }

    /// `e` with each expression that it is made of replaced by what `f` says.
    pub(super) fn rewrite_inside(
        &mut self,
        e: NodeId,
        f: &mut dyn FnMut(&mut Self, NodeId) -> Result<NodeId, Diagnostic>,
    ) -> Result<NodeId, Diagnostic> {
        let kind = self.program.nodes[e].kind.clone();
        let mut all = |args: &[NodeId]| args.iter().map(|&a| f(self, a)).collect::<Result<Vec<_>, _>>();
        let new = match &kind {
            Kind::Slot(_) | Kind::Stored(_) | Kind::Literal | Kind::Index(_) | Kind::Nested(_) => return Ok(e),
            Kind::Reduce(op, v, body) => Kind::Reduce(*op, *v, all(&[*body])?[0]),
            Kind::Convert(from, body) => Kind::Convert(*from, all(&[*body])?[0]),
            Kind::At(v, at) => Kind::At(*v, all(&[*at])?[0]),
            Kind::Map(fun, args) => Kind::Map(*fun, all(args)?),
            Kind::Call(fun, args) => Kind::Call(fun.clone(), all(args)?),
            Kind::Read(read, args) => Kind::Read(*read, all(args)?),
        };
        if new == kind {
            return Ok(e);
        }
        Ok(self.push(Node { kind: new, ..self.program.nodes[e].clone() }))
    }
}
