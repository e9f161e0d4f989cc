//! Scans: inside the loop over its variable, a scan becomes an operand that is present at every coordinate.
//! docs/decisions/0089-scans.md.

use super::algebra::There;
use super::tree::{Leaf, Tree};
use super::{Lowering, Stop};
use crate::diag::Diagnostic;
use crate::graph::{Leaves, Op, Payload, StreamId};
use crate::stmt::{ExprId, Prefix, VarId};

/// The scans along a loop, each with whether its values change nothing where no operand has the
/// coordinate.
pub(super) type Steady = Vec<(ExprId, bool)>;

impl Lowering<'_> {
    /// The scans in `t` that go along `v`, whose loop is about to begin. Where there are some every
    /// coordinate is visited.
    pub(super) fn scans(&self, t: &Tree, v: VarId) -> Steady {
        let mut found = Steady::new();
        t.each_scan(&mut |how, w, of, e| {
            if w == v {
                let here = |l: usize| {
                    let has = self.leaves[l].levels.first().is_some_and(|(w, _)| *w == v);
                    if has { There::No } else { There::Maybe }
                };
                let known = if let [one] = of { self.known(one, &here) } else { None };
                let ty = self.type_of(e);
                let same = |(known, identity)| self.same(ty, known, identity);
                found.push((e, known.zip(how.identity(ty)).is_some_and(same)));
            }
        });
        found
    }

    /// `t` inside of the loop over `v`, whose coordinates are `crd`, with what the scans along it
    /// give.
    pub(super) fn scanned(&mut self, t: Tree, v: VarId, crd: StreamId, steady: &Steady) -> Result<Tree, Stop> {
        if steady.is_empty() {
            return Ok(t);
        }
        match t {
            Tree::Prefix(how, w, of, e) => {
                let of = of.into_iter().map(|t| self.scanned(t, v, crd, steady)).collect::<Result<Vec<_>, _>>()?;
                if w != v {
                    return Ok(Tree::Prefix(how, w, of, e));
                }
                let steady = steady.iter().any(|(of, steady)| *of == e && *steady);
                self.prefix((how, v), &of, (e, steady), crd)
            }
            t => t.map_children(&mut |child| self.scanned(child, v, crd, steady)),
        }
    }

    /// Refuses a scan along `v` of what ranges over `inner`, whose loop is inside.
    fn inside(&self, v: VarId, inner: VarId) -> Diagnostic {
        let [v, inner] = [v, inner].map(|v| self.var_name(v));
        let message = format!("the scan along {v} ranges over {inner}, whose loop is inside");
        let help = format!("a scan keeps one value: choose an order with {inner} outside of {v}");
        let other = "if two scans go along each other's indices, write one in a kernel of its own";
        Diagnostic::new("S001", message).help(help).help(other)
    }

    fn prefix(
        &mut self,
        (how, v): (Prefix, VarId),
        of: &[Tree],
        (e, steady): (ExprId, bool),
        crd: StreamId,
    ) -> Result<Tree, Stop> {
        if let Some(&inner) = of.iter().find_map(|t| self.variables(t).first().copied()).as_ref() {
            return Err(Stop::Refuse(self.inside(v, inner)));
        }
        let ty = self.type_of(e);
        let mut inputs = match how {
            Prefix::Fold(..) => vec![],
            Prefix::Least | Prefix::Greatest => vec![crd],
        };
        for t in of {
            let identity = how.identity(ty).filter(|_| of.len() == 1);
            let skips = self.fill(t).zip(identity).is_some_and(|(fill, id)| self.same(ty, fill, id));
            let (absent, own) = (self.absent(t), self.type_of_tree(t));
            let (mut val, _) = self.compute(t)?;
            if !skips && self.graph.stream(val).may_be_empty {
                val = self.filled(val, absent);
            }
            debug_assert_eq!(self.graph.stream(val).payload, Payload::Val(own));
            inputs.push(val);
        }
        let output = vec![Leaves::sure(Payload::Val(ty), self.over.clone())];
        let name = format!("scan_{}_{}", how.name(), self.var_name(v));
        let stream = self.node(name, Op::Prefix { how, steady }, inputs, output)[0];
        Ok(Tree::Leaf(self.produced(Leaf {
            used: None,
            levels: vec![],
            stream,
            is_value: true,
            ty,
            fill: how.nothing(ty),
            always: true,
            everywhere: true,
            below: None,
        })))
    }
}
