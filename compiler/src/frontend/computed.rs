//! Reads at computed coordinates: `x(i + j - 2)`, `x(p(i))`. Outside of the tensor they give its fill, or what `coalesce` says.

use super::build::Builder;
use super::syntax::{Form, Index, NodeId, Selects, computed};
use crate::stmt::{Expr, ExprId, Fun, TensorId};
use crate::types::Type;

impl Builder<'_, '_> {
    /// What `node` reads; `outside`: a number that stands for what is outside of the tensor.
    pub(super) fn read(&mut self, node: NodeId, outside: Option<NodeId>) -> Option<ExprId> {
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
        let base = *self.names.by_name.get(&tensor.name)?;
        let sizes = (0..indices.len()).map(|mode| self.mode_dim(base, mode, &tensor.name)).collect();
        let at = indices.iter().map(|index| self.coordinate(index)).collect::<Vec<_>>();
        let at = at.into_iter().collect::<Option<_>>()?;
        self.of_type(own, |me| {
            let outside = match outside {
                Some(number) => Some(me.outside(number)?),
                None => None,
            };
            me.push(Expr::Read { tensor: TensorId(base), at, sizes, outside })
        })
    }

    /// The number in `coalesce(.., number)`, as raw bits.
    fn outside(&mut self, node: NodeId) -> Option<u64> {
        let syntax = self.syntax;
        let form = &syntax.nodes[node].form;
        let number = |n: NodeId| matches!(syntax.nodes[n].form, Form::Number(_));
        if !(number(node) || matches!(form, Form::Map(Fun::Neg, of) if number(of[0]))) {
            let span = syntax.nodes[node].span.clone();
            let problem = self.reader.at("E022", span, "what is read outside of a tensor is a number");
            self.reader.report(problem.help("write a number, as in `coalesce(x(i + 1), 0)`"));
            return None;
        }
        let made = self.expr(node)?;
        if let Expr::Literal(raw) = *self.kernel.expr(made) { Some(raw) } else { None }
    }

    /// The coordinate that one item of the list gives, as an expression of whole numbers.
    fn coordinate(&mut self, index: &Index) -> Option<ExprId> {
        match &index.selects {
            Selects::Computed(node) => self.number(*node),
            Selects::All(ident) => {
                let var = self.lookup(ident)?;
                let wide = Type::int(bits(0, i128::from(self.kernel.var(var).max)), true);
                self.as_index(wide, |me| me.push(Expr::Index(var)))
            }
            Selects::At(coordinate) => {
                let wide = Type::int(bits(i128::from(*coordinate), i128::from(*coordinate)), true);
                self.as_index(wide, |me| me.push(Expr::Literal(*coordinate as u64 & wide.mask())))
            }
            _ => {
                let what = "a slice or a set beside a computed coordinate is";
                let help = "give the slice a statement and a tensor of its own, and read that";
                self.reader.unsupported("E009", index.span.clone(), what, help);
                None
            }
        }
    }

    /// A coordinate's expression, as one of whole numbers.
    pub(super) fn number(&mut self, node: NodeId) -> Option<ExprId> {
        match (self.own(node), &self.syntax.nodes[node].form) {
            (_, Form::Part(..)) => self.expr(node),
            (Some(ty), Form::Access { .. }) if ty.is_int() => self.as_index(ty, |me| me.expr(node)),
            // A real number is rounded as a conversion does.
            (Some(ty), _) if !ty.is_int() => self.as_index(WIDEST, |me| me.of_type(ty, |me| me.expr(node))),
            _ => {
                let wide = self.ranges(node).map_or(WIDEST, |r| Type::int(bits(r.all.0, r.all.1), true));
                self.as_index(wide, |me| me.expr(node))
            }
        }
    }

    /// What `make` makes, of type `ty` and left so; it may be of tensors of all types.
    pub(super) fn as_index(&mut self, ty: Type, make: impl FnOnce(&mut Self) -> Option<ExprId>) -> Option<ExprId> {
        let around = std::mem::replace(&mut self.ty, ty);
        let accumulates = self.accumulates.replace(ty);
        let made = make(self);
        self.accumulates = accumulates;
        self.ty = around;
        made
    }

    /// What a coordinate's expression can be; `None` of functions that nothing is known of.
    fn ranges(&self, node: NodeId) -> Option<Ranges> {
        match &self.syntax.nodes[node].form {
            Form::Number(text) => text.parse().ok().map(|n: i64| Ranges::of(n.into(), n.into())),
            Form::Access { tensor, indices } if indices.is_empty() && self.own(node).is_none() => {
                Some(Ranges::of(0, i128::from(self.kernel.var(self.lookup(tensor)?).max).max(1) - 1))
            }
            Form::Access { .. } => {
                self.own(node).filter(|ty| ty.is_int()).map(|ty| Ranges::of(ty.range().0, ty.range().1))
            }
            Form::Map(fun, args) => {
                let parts = args.iter().map(|&a| self.ranges(a)).collect::<Option<Vec<_>>>()?;
                let own = match (fun, &parts.iter().map(|p| p.own).collect::<Vec<_>>()[..]) {
                    (Fun::Add, [a, b]) => (a.0.checked_add(b.0)?, a.1.checked_add(b.1)?),
                    (Fun::Sub, [a, b]) => (a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?),
                    (Fun::Neg, [a]) => (a.1.checked_neg()?, a.0.checked_neg()?),
                    (Fun::Mul, [a, b]) => {
                        let ends = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)].map(|(x, y)| x.checked_mul(y));
                        let ends = ends.into_iter().collect::<Option<Vec<_>>>()?;
                        (*ends.iter().min()?, *ends.iter().max()?)
                    }
                    (Fun::Min, [a, b]) => (a.0.min(b.0), a.1.min(b.1)),
                    (Fun::Max, [a, b]) => (a.0.max(b.0), a.1.max(b.1)),
                    (Fun::Idiv, [a, (d, e)]) if *d > 0 && d == e => (a.0.div_euclid(*d), a.1.div_euclid(*d)),
                    (Fun::Div, [a, (d, e)]) if *d > 0 && d == e => (a.0 / *d, a.1 / *d),
                    (Fun::PyMod, [_, (d, e)]) if *d > 0 && d == e => (0, d - 1),
                    _ => return None,
                };
                let all = parts.iter().map(|p| p.all).fold(own, |x, y| (x.0.min(y.0), x.1.max(y.1)));
                Some(Ranges { all, own })
            }
            _ => None,
        }
    }
}

/// The whole numbers of which nothing is known.
const WIDEST: Type = Type::int(64, true);

/// The least and the largest number that an expression can be.
struct Ranges {
    /// Of it and all its parts.
    all: (i128, i128),
    /// Of it alone.
    own: (i128, i128),
}

impl Ranges {
    fn of(lo: i128, hi: i128) -> Self {
        Self { all: (lo, hi), own: (lo, hi) }
    }
}

/// Bits of a signed number from `lo` to `hi`; those of the smallest elements at least, in which the stop of a stream has room: narrower
/// values lie in wider payloads, without their sign.
pub(super) fn bits(lo: i128, hi: i128) -> u32 {
    let magnitude = |n: i128| i128::BITS - if n < 0 { !n } else { n }.leading_zeros();
    (magnitude(lo).max(magnitude(hi)) + 1).clamp(8, 64)
}
