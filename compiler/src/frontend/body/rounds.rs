//! Loops of a body.

use super::{BodyNames, Frame, FrameTerm, Known, Wrong};
use crate::frontend::blocks::MOST_ROUNDS;
use crate::frontend::syntax::Step;
use crate::stmt::{Fun, Loop, Term};
use std::collections::BTreeSet;
use std::ops::Range;

/// A loop is written out if it has this many rounds at most ..
const UNROLLED_ROUNDS: usize = 16;
/// .. and this many steps in all.
const UNROLLED_TERMS: usize = 128;

impl<'b> BodyNames<'b> {
    /// A loop over the values of the names in `changed`. `round` writes a round; it gives the condition and
    /// what becomes of names whose values it does not leave in `known`.
    pub(super) fn rounds(
        &mut self,
        known: &mut Known<'b>,
        changed: &BTreeSet<&'b str>,
        (limit, span): (u64, &Range<usize>),
        round: impl FnOnce(&mut Self, &mut Known<'b>) -> Result<(usize, Vec<(&'b str, usize)>), Wrong>,
    ) -> Result<(), Wrong> {
        let names: Vec<&'b str> = changed.iter().copied().filter(|name| known.contains_key(name)).collect();
        let outer = self.frames.len() - 1;
        let rounds = self.frames[outer].rounds.saturating_mul(limit);
        if rounds > MOST_ROUNDS {
            let message =
                format!("with the loops around it this one may take {rounds} rounds, more than {MOST_ROUNDS}");
            return Err(Wrong::rounds(span, message, "lower the limits"));
        }
        let inputs: Vec<usize> = names.iter().map(|name| self.import(outer, known[name])).collect();
        let terms = (0..names.len()).map(Term::Arg).collect();
        self.frames.push(Frame { terms, inputs, rounds, ..Frame::default() });
        let frame = outer + 1;
        let mut inner = known.clone();
        for (term, name) in names.iter().enumerate() {
            inner.insert(name, FrameTerm { frame, term });
        }
        let (condition, others) = round(self, &mut inner)?;
        if names.is_empty() {
            return Err(Wrong::new(span, "this loop changes no variable that exists after it".into()));
        }
        let other = |name: &str| others.iter().find(|(n, _)| *n == name).map(|(_, term)| *term);
        let next = names.iter().map(|name| other(name).unwrap_or_else(|| self.import(frame, inner[name])));
        let next: Vec<usize> = next.collect();
        let Some(Frame { terms, inputs, .. }) = self.frames.pop() else { return Ok(()) };
        let made = self.push(Term::Loop(Box::new(Loop { inputs, terms, condition, next, limit })), span)?;
        for (k, name) in names.iter().enumerate() {
            let term = self.push(Term::Left(made, k), span)?;
            known.insert(name, FrameTerm { frame: outer, term });
        }
        Ok(())
    }

    /// Adds the loop `for name in from:to`, written out if that is short.
    pub(super) fn count(
        &mut self,
        known: &mut Known<'b>,
        name: &'b str,
        (from, to): (FrameTerm, FrameTerm),
        (limit, span): (Option<u64>, &Range<usize>),
        steps: &'b [Step],
    ) -> Result<(), Wrong> {
        let mut changed = changed(steps);
        changed.remove(name);
        let values = self.values(from, to, span)?;
        let limit = match (&values, limit) {
            (Some(values), None) => values.len() as u64,
            (Some(values), Some(limit)) => limit.min(values.len() as u64),
            (None, Some(limit)) => limit,
            (None, None) => {
                let message = "the number of rounds depends on values: this loop needs a limit".into();
                return Err(Wrong::rounds(
                    span,
                    message,
                    "write the most rounds it may take, as in `for k in 0:n limit 32 { .. }`",
                ));
            }
        };
        let before = (self.frames.clone(), known.clone());
        let few = values.filter(|_| limit <= UNROLLED_ROUNDS as u64);
        for value in few.iter().flatten().take(limit as usize) {
            let term = self.push(Term::Literal(*value), span)?;
            let mut inner = known.clone();
            inner.insert(name, FrameTerm { frame: self.frames.len() - 1, term });
            self.block(steps, &mut inner)?;
            for name in changed.iter().filter(|name| known.contains_key(*name)).copied().collect::<Vec<_>>() {
                known.insert(name, inner[name]);
            }
        }
        let size = |frames: &[Frame]| frames.iter().map(|f| f.terms.len()).sum::<usize>();
        if few.is_some() && size(&self.frames) - size(&before.0) <= UNROLLED_TERMS {
            return Ok(());
        }
        (self.frames, *known) = before;
        let shadowed = known.insert(name, from);
        changed.insert(name);
        self.rounds(known, &changed, (limit, span), |me, inner| {
            let (counter, to) = (me.here(inner[name]), me.here(to));
            let go_on = me.push(Term::Apply(Fun::Lt, vec![counter, to]), span)?;
            me.block(steps, inner)?;
            let one = me.push(Term::Literal(me.ty.one()), span)?;
            let next = me.push(Term::Apply(Fun::Add, vec![counter, one]), span)?;
            Ok((go_on, vec![(name, next)]))
        })?;
        known.remove(name);
        known.extend(shadowed.map(|place| (name, place)));
        Ok(())
    }

    /// The values that count from `from` to below `to`, if both are constants.
    fn values(&self, from: FrameTerm, to: FrameTerm, span: &Range<usize>) -> Result<Option<Vec<u64>>, Wrong> {
        let constant = |p: FrameTerm| match self.frames[p.frame].terms[p.term] {
            Term::Literal(raw) => Some(raw),
            _ => None,
        };
        let (Some(mut at), Some(end)) = (constant(from), constant(to)) else { return Ok(None) };
        let mut values = Vec::new();
        while !self.ty.is_zero(Fun::Lt.apply(&[at, end], self.ty)) {
            if values.len() as u64 == MOST_ROUNDS {
                let message = format!("this loop has more than {MOST_ROUNDS} rounds");
                return Err(Wrong::rounds(span, message, "count less far"));
            }
            values.push(at);
            at = Fun::Add.apply(&[at, self.ty.one()], self.ty);
        }
        Ok(Some(values))
    }
}

/// Names that `steps` give other values, except those that they name themselves.
pub(super) fn changed(steps: &[Step]) -> BTreeSet<&str> {
    let (mut own, mut all) = (BTreeSet::new(), BTreeSet::new());
    for step in steps {
        match step {
            Step::Let(name, _) => {
                own.insert(name.name.as_str());
            }
            Step::Set(name, _) => {
                all.extend(Some(name.name.as_str()).filter(|name| !own.contains(name)));
            }
            Step::While { steps, .. } => all.extend(changed(steps).into_iter().filter(|name| !own.contains(name))),
            Step::For { name, steps, .. } => {
                let inner = changed(steps).into_iter().filter(|n| *n != name.name && !own.contains(n));
                all.extend(inner);
            }
        }
    }
    all
}
