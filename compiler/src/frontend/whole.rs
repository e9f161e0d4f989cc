//! Integer expressions: indices, numbers without a fraction, and functions of these. They are computed as whole numbers
//! as wide as they need, whatever the type around is.

use super::builder::Builder;
use super::meet;
use super::sizes::Dimension;
use super::syntax::{Form, Reducer, Sought, SyntaxId};
use crate::stmt::{Fun, VarId};
use crate::types::Type;
use crate::view::Points;

/// The whole numbers of which nothing is known.
pub(super) const WIDEST: Type = Type::int(64, true);

/// What a whole number can be.
type WholeRange = (i128, i128);

/// The range of an expression of whole numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Whole {
    /// Range of the expression and of all its parts.
    pub all: WholeRange,
    /// Range of the expression alone.
    own: WholeRange,
    /// Range of the number literals.
    written: WholeRange,
    /// Whether the value in a wrapping type follows from the parts' values in that type.
    wraps: bool,
    /// Whether the expression contains an index as a value.
    pub counts: bool,
}

/// The kinds of operands in an expression of whole numbers in addition to indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kinds {
    /// Whether tensors of integers are allowed.
    pub tensors: bool,
    /// Whether quotients (rounded towards 0) and roots (rounded down) are integers; otherwise they are real.
    pub quotients: bool,
}

impl Whole {
    fn of(own: WholeRange) -> Self {
        Self { all: own, own, written: (0, 0), wraps: true, counts: false }
    }

    /// Returns an integer type in which the expression is exact, or the widest one if there is none.
    pub fn ty(&self) -> Type {
        meet::whole(self.all).unwrap_or(WIDEST)
    }

    /// Returns whether the expression is exact in `ty`, an integer type.
    pub fn fits(&self, ty: Type) -> bool {
        (ty.is_int() || ty == Type::Bool) && within(self.all, ty)
    }

    /// Returns whether the value in `ty`, an integer type, equals the exact value converted to `ty`.
    pub fn is_of(&self, ty: Type) -> bool {
        self.fits(ty) || ty.is_int() && !ty.saturates() && self.wraps && within(self.written, ty)
    }
}

impl Builder<'_, '_> {
    /// Returns the range of `node`, if it is an expression of whole numbers whose range is known.
    pub(super) fn whole_range(&mut self, node: SyntaxId, kinds: Kinds) -> Option<Whole> {
        let syntax = self.syntax;
        match &syntax.nodes[node].form {
            Form::Number(_) => written(&self.number_text(node)?),
            Form::Map(Fun::Neg, _) if self.number_text(node).is_some() => written(&self.number_text(node)?),
            Form::Access { tensor, indices }
                if indices.is_empty() && !self.names.by_name.contains_key(&tensor.name) =>
            {
                Some(self.index_range(&tensor.name))
            }
            Form::Access { .. } | Form::Coalesce(..) if kinds.tensors => {
                let ty = self.own(node).filter(|ty| ty.is_int() || *ty == Type::Bool)?;
                Some(Whole::of(ty.range()))
            }
            Form::Stored { .. } | Form::Inside(_) | Form::Turn { .. } => Some(Whole::of((0, 1))),
            Form::Map(fun, _) if fun.is_logical() => self.truth_range(node),
            Form::Map(fun, args) => {
                let parts = args.iter().map(|&a| self.whole_range(a, kinds)).collect::<Option<Vec<_>>>()?;
                let own: Vec<WholeRange> = parts.iter().map(|p| p.own).collect();
                let own = capped(range(*fun, &own, kinds.quotients)?);
                let literal = |k: usize| matches!(syntax.nodes[args[k]].form, Form::Number(_));
                Some(Whole {
                    all: parts.iter().map(|p| p.all).fold(own, hull),
                    own,
                    written: parts.iter().map(|p| p.written).fold((0, 0), hull),
                    wraps: parts.iter().all(|p| p.wraps) && wraps(*fun, &literal),
                    counts: parts.iter().any(|p| p.counts),
                })
            }
            Form::Reduce(Reducer::Place(place), vars, _) => {
                let least = if *place == Sought::First { -1 } else { 0 };
                let most = vars.iter().map(|var| self.size(&var.name) - 1).max()?;
                Some(Whole { counts: true, ..Whole::of((least, most)) })
            }
            Form::Reduce(Reducer::Fun(fun), ..) if fun.is_truth() => self.truth_range(node),
            Form::Reduce(Reducer::Fun(Fun::Add), vars, body) if self.own(node).is_none_or(|ty| ty.is_int()) => {
                let body = self.whole_range(*body, kinds)?;
                let many = vars.iter().fold(1_i128, |many, var| many.saturating_mul(self.size(&var.name)));
                let own = capped(hull((0, 0), product(body.own, (many, many))));
                Some(Whole { all: hull(own, body.all), own, ..body })
            }
            _ => None,
        }
    }

    /// Returns whether this is an expression of bound indices alone that the current type would not compute
    /// as whole numbers.
    pub(super) fn is_counted(&mut self, node: SyntaxId) -> bool {
        let kinds = self.kinds();
        let apart = self.whole_range(node, kinds).is_some_and(|whole| whole.counts && !whole.is_of(self.ty));
        apart && self.free(node).is_empty()
    }

    /// The type in which `node` is computed if the one here does not do: of expressions of indices,
    /// and, where numbers are real, of truth.
    pub(super) fn counted_type(&mut self, node: SyntaxId) -> Option<Type> {
        let placed = |var: &VarId| self.placed.contains_key(var);
        let apart = match &self.syntax.nodes[node].form {
            // What becomes of an index in a type is the value's own matter.
            Form::Access { tensor, indices } if indices.is_empty() => self.lookup(tensor).as_ref().is_some_and(placed),
            Form::Map(fun, _) => !fun.tests() && self.own(node).is_none(),
            _ => false,
        };
        let kinds = self.kinds();
        let whole = if apart { self.whole_range(node, kinds)? } else { return None };
        let truth = !kinds.quotients && matches!(&self.syntax.nodes[node].form, Form::Map(fun, _) if fun.is_logical());
        (whole.counts && !whole.is_of(self.ty) || truth).then(|| whole.ty()).filter(|ty| *ty != self.ty)
    }

    /// A number as it is written, with its sign.
    pub(super) fn number_text(&self, node: SyntaxId) -> Option<String> {
        match &self.syntax.nodes[node].form {
            Form::Number(text) => Some(text.clone()),
            Form::Map(Fun::Neg, of) => match &self.syntax.nodes[of[0]].form {
                Form::Number(text) => Some(format!("-{text}")),
                _ => None,
            },
            _ => None,
        }
    }

    /// 0 and 1, of something that takes its truth from nothing that has a type.
    fn truth_range(&self, node: SyntaxId) -> Option<Whole> {
        let whole = Whole { counts: self.counts(node), ..Whole::of((0, 1)) };
        self.own(node).is_none().then_some(whole)
    }

    /// How many coordinates an index has at most.
    fn size(&mut self, index: &str) -> i128 {
        let dimension = Dimension::Index(self.number, index.to_owned());
        self.names.sizes.size(&dimension).map_or(1, |size| i128::from(size).max(1))
    }

    /// The value of an index. One that is at a slice on the left counts in that.
    fn index_range(&mut self, name: &str) -> Whole {
        let size = self.size(name);
        let var = self.scope.iter().rev().find(|(known, _)| known == name).map(|(_, var)| *var);
        let placed = var.and_then(|var| self.placed.get(&var).map(|(to, _)| (var, to)));
        let Some((var, &Points::Steps { first, step, .. })) = placed else {
            return Whole { counts: true, ..Whole::of((0, size - 1)) };
        };
        let (last, first) = (i128::from(self.kernel.var(var).max).max(1) - 1, i128::from(first));
        let own = if step > 0 { (-first, last - first) } else { (first - last, first) };
        let all = hull(own, (0, last.max(first)));
        Whole { all, own, written: (0, first), wraps: true, counts: true }
    }

    /// Returns whether the value of an index is in it.
    pub(super) fn counts(&self, node: SyntaxId) -> bool {
        match &self.syntax.nodes[node].form {
            Form::Access { tensor, indices } => indices.is_empty() && !self.names.by_name.contains_key(&tensor.name),
            // A comparison has a type of its own.
            Form::Map(fun, _) if fun.tests() => false,
            Form::Map(_, args) | Form::Call(_, args) => args.iter().any(|&a| self.counts(a)),
            Form::Reduce(Reducer::Place(_), ..) => true,
            Form::Reduce(_, _, body) | Form::Scan(_, _, body) | Form::Convert(_, body) | Form::Coalesce(body, _) => {
                self.counts(*body)
            }
            _ => false,
        }
    }
}

/// What is far beyond all types stays so, and does not overflow.
fn capped((lo, hi): WholeRange) -> WholeRange {
    (lo.max(-1 << 120), hi.min(1 << 120))
}

fn within((lo, hi): WholeRange, ty: Type) -> bool {
    ty.range().0 <= lo && hi <= ty.range().1
}

/// A number in the file, if it is whole.
fn written(text: &str) -> Option<Whole> {
    let number = WIDEST.value(WIDEST.parse(text).ok()?);
    Some(Whole { written: hull((0, 0), (number, number)), ..Whole::of((number, number)) })
}

fn hull(a: WholeRange, b: WholeRange) -> WholeRange {
    (a.0.min(b.0), a.1.max(b.1))
}

/// Does the value of `fun` in a type that wraps follow from its arguments' there? `literal`: is an
/// argument a number?
fn wraps(fun: Fun, literal: &dyn Fn(usize) -> bool) -> bool {
    match fun {
        Fun::Add | Fun::Sub | Fun::Mul | Fun::Neg | Fun::Square | Fun::Cube => true,
        Fun::BitAnd | Fun::BitOr | Fun::BitXor | Fun::BitNot => true,
        Fun::Id | Fun::First | Fun::Second | Fun::Where | Fun::Floor | Fun::Ceil | Fun::Trunc | Fun::Rint => true,
        Fun::Pow => literal(1),
        _ => false,
    }
}

/// What `fun` can be of arguments that are in these ranges; `None` if it is no function of whole
/// numbers. `quotients`: also those that are rounded.
fn range(fun: Fun, args: &[WholeRange], quotients: bool) -> Option<WholeRange> {
    let most = |r: WholeRange| r.0.unsigned_abs().max(r.1.unsigned_abs()) as i128;
    let size = |r: WholeRange| {
        if r.0 >= 0 {
            r
        } else if r.1 <= 0 {
            (-r.1, -r.0)
        } else {
            (0, most(r))
        }
    };
    let with_zero = |r: WholeRange| hull(r, (0, 0));
    Some(match (fun, args) {
        (Fun::Id | Fun::Floor | Fun::Ceil | Fun::Trunc | Fun::Rint, [a]) | (Fun::First, [a, _]) => *a,
        (Fun::Second, [_, b]) => *b,
        (Fun::Add, [a, b]) => (a.0.saturating_add(b.0), a.1.saturating_add(b.1)),
        (Fun::Sub, [a, b]) => (a.0.saturating_sub(b.1), a.1.saturating_sub(b.0)),
        (Fun::Neg, [a]) => (a.1.saturating_neg(), a.0.saturating_neg()),
        (Fun::Mul, [a, b]) => product(*a, *b),
        (Fun::Abs, [a]) => size(*a),
        (Fun::Sign, [a]) => (a.0.signum(), a.1.signum()),
        (Fun::Square, [a]) => power(size(*a), 2),
        (Fun::Cube, [a]) => power(*a, 3),
        (Fun::Min, [a, b]) => (a.0.min(b.0), a.1.min(b.1)),
        (Fun::Max, [a, b]) => (a.0.max(b.0), a.1.max(b.1)),
        (Fun::Relu, [a]) => (a.0.max(0), a.1.max(0)),
        (Fun::Clip, [a, lo, hi]) => (a.0.max(lo.0).min(hi.0), a.1.max(lo.1).min(hi.1)),
        (Fun::Heaviside, [a, b]) => {
            let ends = hull((a.0.signum().max(0), a.0.signum().max(0)), (a.1.signum().max(0), a.1.signum().max(0)));
            if a.0 <= 0 && a.1 >= 0 { hull(ends, *b) } else { ends }
        }
        (Fun::Idiv, [a, (d, e)]) if *d > 0 && d == e => (a.0.div_euclid(*d), a.1.div_euclid(*d)),
        (Fun::Div, [a, (d, e)]) if quotients && *d > 0 && d == e => (a.0 / *d, a.1 / *d),
        (Fun::Idiv, [a, b]) if b.0 >= 0 => with_zero(*a),
        (Fun::Div, [a, b]) if quotients && b.0 >= 0 => with_zero(*a),
        (Fun::Idiv, [a, _]) => (-most(*a), most(*a)),
        (Fun::Div, [a, _]) if quotients => (-most(*a), most(*a)),
        (Fun::PyMod, [_, b]) => ((b.0 + 1).min(0), (b.1 - 1).max(0)),
        (Fun::Mod, [a, b]) => {
            let below = (most(*b) - 1).max(0);
            (a.0.max(-below).min(0), a.1.min(below).max(0))
        }
        (Fun::Recip, [_]) if quotients => (-1, 1),
        (Fun::Sqrt, [a]) if quotients => (0, a.1.max(0).isqrt()),
        (Fun::Pow, [a, (n, m)]) if n == m && *n >= 0 => power(if n % 2 == 0 { size(*a) } else { *a }, exponent(*n)),
        (Fun::Pow, [a, (_, m)]) => {
            let top = most(*a).max(1).saturating_pow(exponent(*m));
            (if a.0 < 0 { -top } else { 0 }, top)
        }
        (Fun::Gcd, [a, b]) => (0, most(*a).max(most(*b))),
        (Fun::Lcm, [a, b]) => (0, most(*a).saturating_mul(most(*b))),
        (Fun::BitAnd, [a, b]) if a.0 >= 0 || b.0 >= 0 => {
            let of = |r: &WholeRange| if r.0 >= 0 { r.1 } else { i128::MAX };
            (0, of(a).min(of(b)))
        }
        (Fun::BitAnd | Fun::BitOr | Fun::BitXor, [a, b]) => {
            let (lo, hi) = hull(*a, *b);
            let bits = i128::BITS - hi.max(!lo).max(0).leading_zeros();
            let above = 1_i128 << bits.min(126);
            (if lo < 0 { -above } else { 0 }, above - 1)
        }
        (Fun::BitNot, [a]) => (!a.1, !a.0),
        (Fun::Shl, [a, (_, m)]) => product(with_zero(*a), (1, 2_i128.pow(exponent(*m).min(64)))),
        (Fun::Shr, [a, _]) => (a.0.min(0), a.1.max(0)),
        (Fun::Where, [_, a, b]) => hull(*a, *b),
        _ => return None,
    })
}

fn product(a: WholeRange, b: WholeRange) -> WholeRange {
    let ends = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)].map(|(x, y)| x.saturating_mul(y));
    ends.into_iter().map(|end| (end, end)).fold((ends[0], ends[0]), hull)
}

/// The power of numbers among which it rises.
fn power(a: WholeRange, n: u32) -> WholeRange {
    (a.0.saturating_pow(n), a.1.saturating_pow(n))
}

/// An exponent; negative ones give no number above 1.
fn exponent(n: i128) -> u32 {
    u32::try_from(n.clamp(0, 1000)).unwrap_or(0)
}
