//! Reads at computed coordinates: `x(i + j - 2)`, `x(p(i))`. Outside of the tensor they give its fill, or what `coalesce`
//! says; `inside` asks.

use super::builder::Builder;
use super::meet::meet;
use super::syntax::{Form, Index, Selects, SyntaxId, computed};
use super::whole::{Kinds, WIDEST};
use crate::stmt::{Expr, ExprId, Fun, Function, FunctionId, Gives, TensorId, Term, VarId};
use crate::types::Type;
use crate::view::Points;

impl Builder<'_, '_> {
    /// Resolves the read `node`; `outside`: a number that stands for what is outside of the tensor.
    pub(super) fn read(&mut self, node: SyntaxId, outside: Option<SyntaxId>) -> Option<ExprId> {
        let syntax = self.syntax;
        let (tensor, indices) = match &syntax.nodes[node].form {
            Form::Access { tensor, indices } if computed(indices).next().is_some() => (tensor, indices),
            // Where coordinates are those of loops nothing is outside.
            _ => return self.expr(node),
        };
        let own = self.own(node).unwrap_or(self.ty);
        if !self.fits(node, own, &format!("`{}`", tensor.name)) {
            return None;
        }
        let (tensor, at, sizes) = self.places(&tensor.name, indices)?;
        self.of_type(own, |me| {
            let outside = outside.map(|number| me.outside(number).ok_or(())).transpose().ok()?;
            let gives = outside.map_or(Gives::Value, Gives::ValueOr);
            let read = me.push(Expr::Read { tensor, at: at.clone(), sizes, gives })?;
            me.remember_shift(read, tensor.0, (indices, &at));
            Some(read)
        })
    }

    /// Whether what the access `node` reads is inside of its tensor.
    pub(super) fn inside(&mut self, node: SyntaxId) -> Option<ExprId> {
        let syntax = self.syntax;
        let Form::Access { tensor, indices } = &syntax.nodes[node].form else { return None };
        let (tensor, at, sizes) = self.places(&tensor.name, indices)?;
        self.push(Expr::Read { tensor, at, sizes, gives: Gives::Inside })
    }

    /// The tensor with this name, the coordinates in its index list, and the variables of the modes' sizes.
    fn places(&mut self, name: &str, indices: &[Index]) -> Option<(TensorId, Vec<ExprId>, Vec<VarId>)> {
        let base = *self.names.by_name.get(name)?;
        let sizes: Vec<VarId> = (0..indices.len()).map(|mode| self.mode_dim(base, mode, name)).collect();
        let items = indices.iter().zip(&sizes).enumerate();
        let at = items.map(|(mode, (index, dim))| self.coordinate((base, mode), index, *dim)).collect::<Vec<_>>();
        Some((TensorId(base), at.into_iter().collect::<Option<_>>()?, sizes))
    }

    /// The number in `coalesce(.., number)`, as raw bits.
    fn outside(&mut self, node: SyntaxId) -> Option<u64> {
        if self.number_text(node).is_none() {
            let span = self.syntax.nodes[node].span.clone();
            let problem = self.reader.at("E022", span, "the value outside of a tensor must be a number");
            self.reader.report(problem.help("write a number, as in `coalesce(x(i + 1), 0)`"));
            return None;
        }
        let made = self.expr(node)?;
        if let Expr::Literal(raw) = *self.kernel.expr(made) { Some(raw) } else { None }
    }

    /// The coordinate of `mode`, of `dim`'s dimension, that one item of the list gives, as an expression of
    /// whole numbers.
    fn coordinate(&mut self, (base, mode): (usize, usize), index: &Index, dim: VarId) -> Option<ExprId> {
        match &index.selects {
            Selects::Computed(node) => self.number(*node, dim),
            Selects::All(ident) => {
                let var = self.lookup(ident)?;
                let wide = Type::int(bits(0, i128::from(self.kernel.var(var).max)), true);
                self.as_index(wide, |me| me.coordinate_of(var))
            }
            Selects::At(coordinate) => {
                let wide = Type::int(bits(i128::from(*coordinate), i128::from(*coordinate)), true);
                self.as_index(wide, |me| me.push(Expr::Literal(*coordinate as u64 & wide.mask())))
            }
            Selects::Slice(ident, _) => {
                let (var, selection) = (self.lookup(ident)?, self.names.selection(base, mode, index)?);
                self.in_slice(var, &selection.points)
            }
            _ => {
                let what = "a set next to a computed coordinate is";
                let help = "give the set a statement and a tensor of its own, and read that";
                self.reader.unsupported("E009", index.span.clone(), what, help);
                None
            }
        }
    }

    /// The coordinate that a slice has at `var`.
    fn in_slice(&mut self, var: VarId, points: &Points) -> Option<ExprId> {
        let Points::Steps { first, step, count } = *points else { return None };
        let last = i128::from(first) + i128::from(step) * i128::from(count.saturating_sub(1));
        let most = last.max(first.into()).max(self.kernel.var(var).max.into()).max(step.unsigned_abs().into());
        let wide = Type::int(bits(-most, most), true);
        self.as_index(wide, |me| {
            let at = me.coordinate_of(var)?;
            let at = if step == 1 { at } else { me.with_number(Fun::Mul, at, step)? };
            if first == 0 { Some(at) } else { me.with_number(Fun::Add, at, first as i64) }
        })
    }

    /// A coordinate of `var`'s dimension, as an expression of whole numbers.
    pub(super) fn number(&mut self, node: SyntaxId, var: VarId) -> Option<ExprId> {
        let own = self.own(node);
        match (own, &self.syntax.nodes[node].form) {
            (_, Form::Part(..)) => return self.expr(node),
            (Some(ty), Form::Access { .. }) if ty.is_int() => return self.as_index(ty, |me| me.expr(node)),
            _ => {}
        }
        if let Some(whole) = self.whole_range(node, Kinds { tensors: true, quotients: true }) {
            let wide = Type::int(bits(whole.all.0, whole.all.1), true);
            return self.as_index(wide, |me| me.expr(node));
        }
        let mut types = Vec::new();
        self.types_in(node, &mut types);
        let real = types.iter().copied().find(|ty| !ty.is_int() && *ty != Type::Bool);
        let real = match real {
            Some(first) => types.into_iter().try_fold(first, meet).or(real),
            None if own.is_none() => Some(self.as_if(WIDEST, |me| me.untyped(node))).filter(|ty| ty.is_float()),
            None => None,
        };
        match real {
            Some(real) => self.rounded(node, real, var),
            None => self.as_index(WIDEST, |me| me.expr(node)),
        }
    }

    /// The whole number nearest to what `node` is in type `real`, of two the even one; NaN and what
    /// is outside of `var`'s dimension stay outside.
    fn rounded(&mut self, node: SyntaxId, real: Type, var: VarId) -> Option<ExprId> {
        let size = i128::from(self.kernel.var(var).max);
        let place = Type::Fixed { bits: bits(-1, size), frac: 0, signed: true };
        self.as_index(place, |me| {
            me.of_type(real, |me| {
                me.accumulates = Some(real);
                let value = me.expr(node)?;
                if real.is_float() { me.number_or_outside(value) } else { Some(value) }
            })
        })
    }

    /// The value, and -1 for NaN.
    fn number_or_outside(&mut self, value: ExprId) -> Option<ExprId> {
        let (ty, mut name) = (self.ty, "coordinate".to_owned());
        while self.names.functions.contains_key(&name) {
            name.push('_');
        }
        let known = self.kernel.functions.iter().position(|f| f.name == name && f.ty == ty);
        let function = known.unwrap_or_else(|| {
            let outside = Fun::Neg.apply(&[ty.one()], ty);
            let body = vec![
                Term::Arg(0),
                Term::Apply(Fun::IsNan, vec![0]),
                Term::Literal(outside),
                Term::Apply(Fun::Where, vec![1, 2, 0]),
            ];
            let (cases, annihilators) = (vec![], vec![None]);
            let function = Function { name, arity: 1, ty, body, cases, annihilators, identity: None, iterate: None };
            self.kernel.functions.push(function);
            self.kernel.functions.len() - 1
        });
        self.push(Expr::Call(FunctionId(function), vec![value]))
    }

    /// Runs `make` for a value of type `ty` that stays an index; it may be of tensors of all types.
    pub(super) fn as_index(&mut self, ty: Type, make: impl FnOnce(&mut Self) -> Option<ExprId>) -> Option<ExprId> {
        let accumulates = self.accumulates.replace(ty);
        let made = self.as_if(ty, make);
        self.accumulates = accumulates;
        made
    }

    /// What `make` makes where type `ty` is wanted.
    fn as_if<T>(&mut self, ty: Type, make: impl FnOnce(&mut Self) -> T) -> T {
        let around = std::mem::replace(&mut self.ty, ty);
        let made = make(self);
        self.ty = around;
        made
    }
}

/// Bits of a signed number from `lo` to `hi`; those of the smallest elements at least, in which the stop of a stream has room: narrower
/// values lie in wider payloads, without their sign.
pub(super) fn bits(lo: i128, hi: i128) -> u32 {
    let magnitude = |n: i128| i128::BITS - if n < 0 { !n } else { n }.leading_zeros();
    (magnitude(lo).max(magnitude(hi)) + 1).clamp(8, 64)
}
