//! Partial writes: results of which a statement overwrites a part and keeps the rest, and stacked parts.

use super::builder::Builder;
use super::computed::bits;
use super::syntax::{Assignment, Ident, SyntaxId};
use crate::facts::identity;
use crate::stmt::{Expr, ExprId, Fun, Operator, VarId};
use crate::types::Type;
use crate::view::Points;

impl Builder<'_, '_> {
    /// Makes an expression that reads the whole earlier version of the tensor.
    pub(super) fn before(&mut self, node: SyntaxId) -> Option<ExprId> {
        let (tensor, indices) = self.before.clone()?;
        let entry = &self.names.tensors[tensor.0];
        let (own, what) = (entry.ty.unwrap_or(self.ty), format!("`{}`", entry.first.name));
        if !self.fits(node, own, &what) {
            return None;
        }
        self.of_type(own, |me| me.push(Expr::Access(tensor, indices)))
    }

    /// `value` within the part that the left-hand side names, elsewhere what was there before, if anything was.
    pub(super) fn kept(&mut self, statement: &Assignment, value: ExprId) -> Option<ExprId> {
        let Some((_, indices)) = self.before.clone() else { return Some(value) };
        let size = self.placed.values().map(|(_, size)| *size).max().unwrap_or(1);
        let count = Type::int(bits(0, size.into()), true);
        let inside = self.as_index(count, |me| {
            let mut inside = None;
            for &var in &indices {
                let Some((points, _)) = me.placed.get(&var).cloned() else { continue };
                let here = me.at(var, &points)?;
                inside = match inside {
                    Some(before) => me.push(Expr::Map(Fun::And, vec![before, here])),
                    None => Some(here),
                };
            }
            inside
        })?;
        let inside = self.converted(count, inside)?;
        let before = self.before(statement.value)?;
        self.push(Expr::Map(Fun::Where, vec![inside, value, before]))
    }

    /// Makes the condition that the index is at place `at` of `of` places.
    pub(super) fn turn(&mut self, index: &Ident, at: u64, of: u64) -> Option<ExprId> {
        let var = self.lookup(index)?;
        let count = Type::int(bits(0, of.into()), true);
        let here = self.as_index(count, |me| me.at(var, &Points::Set(vec![at])))?;
        self.converted(count, here)
    }

    /// The coordinate of an index, as a whole number of the type that is wanted here. One that is at a slice
    /// or a set on the left counts in that.
    pub(super) fn coordinate_of(&mut self, var: VarId) -> Option<ExprId> {
        let here = self.push(Expr::Index(var))?;
        let number = |me: &mut Self, n: u64| me.push(Expr::Literal(n));
        match self.placed.get(&var).map(|(points, _)| points.clone()) {
            None | Some(Points::Steps { first: 0, step: 1, .. }) => Some(here),
            Some(Points::Steps { first, step, .. }) => {
                let first = number(self, first)?;
                let args = if step > 0 { vec![here, first] } else { vec![first, here] };
                let from = self.push(Expr::Map(Fun::Sub, args))?;
                if step.unsigned_abs() == 1 {
                    return Some(from);
                }
                // Within the slice the division leaves nothing.
                let step = number(self, step.unsigned_abs())?;
                self.push(Expr::Map(Fun::Idiv, vec![from, step]))
            }
            Some(Points::Set(set)) => {
                let mut place = number(self, 0)?;
                for (n, &point) in set.iter().enumerate().skip(1) {
                    let (point, own) = (number(self, point)?, number(self, n as u64)?);
                    let is = self.push(Expr::Map(Fun::Eq, vec![here, point]))?;
                    place = self.push(Expr::Map(Fun::Where, vec![is, own, place]))?;
                }
                Some(place)
            }
        }
    }

    /// Prepares the value of a scan along `var`: where that is at a slice on the left, nothing outside of the
    /// slice changes the result.
    pub(super) fn scanned_in_slice(&mut self, index: &Ident, op: Operator, value: ExprId) -> Option<ExprId> {
        let var = self.lookup(index)?;
        let Some((points, size)) = self.placed.get(&var).cloned() else { return Some(value) };
        let neutral = match op {
            Operator::Fun(_) => Some(identity(op, self.ty)),
            Operator::Call(_) => None,
        };
        let (Points::Steps { step: 1.., .. }, Some(neutral)) = (&points, neutral) else {
            let what = "a scan along an index at this slice or set on the left is";
            let help = "write the scan to a tensor of its own, and copy that to the slice";
            self.reader.unsupported("E009", index.span.clone(), what, help);
            return None;
        };
        let count = Type::int(bits(0, size.into()), true);
        let inside = self.as_index(count, |me| me.at(var, &points))?;
        let (inside, neutral) = (self.converted(count, inside)?, self.push(Expr::Literal(neutral))?);
        self.push(Expr::Map(Fun::Where, vec![inside, value, neutral]))
    }

    /// Is the coordinate of `var` one of these?
    fn at(&mut self, var: VarId, points: &Points) -> Option<ExprId> {
        let compare = |me: &mut Self, f: Fun, to: u64| {
            let args = vec![me.push(Expr::Index(var))?, me.push(Expr::Literal(to))?];
            me.push(Expr::Map(f, args))
        };
        let all = |me: &mut Self, f: Fun, parts: Vec<ExprId>| {
            let mut parts = parts.into_iter();
            let first = parts.next();
            parts.try_fold(first, |all, part| Some(me.push(Expr::Map(f, vec![all?, part])))).flatten()
        };
        match points {
            Points::Set(set) => {
                let parts = set.iter().map(|&c| compare(self, Fun::Eq, c)).collect::<Option<Vec<_>>>()?;
                if parts.is_empty() { self.push(Expr::Literal(0)) } else { all(self, Fun::Or, parts) }
            }
            Points::Steps { count: 0, .. } => self.push(Expr::Literal(0)),
            Points::Steps { first, step, count } => {
                let far = step.unsigned_abs() * (count - 1);
                let low = if *step > 0 { *first } else { first - far };
                let mut parts = vec![compare(self, Fun::Ge, low)?, compare(self, Fun::Le, low + far)?];
                if step.unsigned_abs() > 1 {
                    let (index, low) = (self.push(Expr::Index(var))?, self.push(Expr::Literal(low))?);
                    let from = self.push(Expr::Map(Fun::Sub, vec![index, low]))?;
                    let step = self.push(Expr::Literal(step.unsigned_abs()))?;
                    let rest = self.push(Expr::Map(Fun::PyMod, vec![from, step]))?;
                    let zero = self.push(Expr::Literal(0))?;
                    parts.push(self.push(Expr::Map(Fun::Eq, vec![rest, zero]))?);
                }
                all(self, Fun::And, parts)
            }
        }
    }
}
