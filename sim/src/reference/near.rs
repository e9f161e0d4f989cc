//! Values with bounds over all orders of a reduction.
//!
//! Hardware adds floats in another order than the executor, so a sum is known up to rounding. The bound follows
//! from the number of additions and the sizes of what is added (Higham, "Accuracy and Stability of Numerical
//! Algorithms", section 4.2): n - 1 additions in any order are off by at most g * sum |x|, g = (n-1)u / (1-(n-1)u).
//! Functions of such values are bounded at the corners of their arguments' ranges. What no reduction touched is exact.

use super::arith::Arith;
use super::lossy::loses;
use super::total::Total;
use super::value::Value;
use samhw_compiler::stmt::{Fun, Function, Operator, Term};
use samhw_compiler::types::Type;
use samhw_values::{body, convert, to_f64};
use std::cmp::Ordering;

/// The known facts about a value that is not exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Certainty {
    /// These bits and no others, except the sign of a zero.
    #[default]
    Exact,
    /// A number from `lo` to `hi`.
    Bounded,
    /// Nothing.
    Open,
}

/// A value of the executor, with bounds over all orders of the reductions.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Near {
    pub(super) raw: u64,
    pub(super) lo: u64,
    pub(super) hi: u64,
    pub(super) certainty: Certainty,
    /// The sum or product that it is.
    pub(super) total: Total,
}

impl Near {
    /// Creates a value without tolerance.
    pub fn exact(raw: u64) -> Self {
        Self { raw, lo: raw, hi: raw, ..Self::default() }
    }
    pub(super) fn open(raw: u64) -> Self {
        Self { raw, certainty: Certainty::Open, ..Self::default() }
    }
    pub(super) fn between(ty: Type, raw: u64, lo: u64, hi: u64) -> Self {
        if ty.is_nan(lo) || ty.is_nan(hi) || ty.is_nan(raw) {
            return Self::open(raw);
        }
        Self { raw, lo, hi, certainty: Certainty::Bounded, total: Total::default() }
    }
    /// Returns whether `raw` is a possible hardware result. `None` if nothing is known. Of a zero the sign is open: a
    /// zero factor hides the other one, whose sign is then not read.
    pub fn allows(&self, ty: Type, raw: u64) -> Option<bool> {
        let not = |order: Option<Ordering>, bad| order.is_some_and(|o| o != bad);
        match self.certainty {
            Certainty::Exact => Some(ty.same(raw, self.raw)),
            Certainty::Bounded => {
                Some(not(ty.order(self.lo, raw), Ordering::Greater) && not(ty.order(raw, self.hi), Ordering::Greater))
            }
            Certainty::Open => None,
        }
    }
    /// Returns the least and the greatest result that the hardware may have, if that is known.
    pub fn range(&self, ty: Type) -> Option<[u64; 2]> {
        let known = self.certainty != Certainty::Open && !ty.is_nan(self.raw);
        known.then(|| self.ends())
    }
    /// Returns its range in words, if it is not exact.
    pub(crate) fn range_text(&self, ty: Type) -> String {
        match self.certainty {
            Certainty::Bounded => format!(" (in any order {} to {})", ty.show(self.lo), ty.show(self.hi)),
            Certainty::Exact | Certainty::Open => String::new(),
        }
    }
    /// Returns whether the value is exact.
    pub fn is_exact(&self) -> bool {
        self.certainty == Certainty::Exact
    }
    /// Returns whether it is this number for every order.
    pub(super) fn is_surely(&self, ty: Type, raw: u64) -> bool {
        self.certainty != Certainty::Open && [self.raw, self.lo, self.hi].iter().all(|&v| ty.same(v, raw))
    }
    /// The same, as part of no sum.
    fn alone(self) -> Self {
        Self { total: Total::default(), ..self }
    }
    /// Its ends.
    fn ends(&self) -> [u64; 2] {
        [self.lo, self.hi]
    }
    /// Can it be 0, can it be something else?
    fn truth(&self, ty: Type) -> (bool, bool) {
        let (below, above) = (ty.order(self.lo, 0), ty.order(self.hi, 0));
        let has_zero = below.is_some_and(|o| o != Ordering::Greater) && above.is_some_and(|o| o != Ordering::Less);
        (has_zero, !(ty.is_zero(self.lo) && ty.is_zero(self.hi)))
    }
    /// All of both.
    fn hull(ty: Type, raw: u64, of: &[u64]) -> Self {
        let least = |worse: Ordering| {
            of.iter().copied().reduce(|a, b| if ty.order(b, a) == Some(worse) { b } else { a }).unwrap_or(raw)
        };
        if of.iter().any(|&v| ty.is_nan(v)) {
            return Self::open(raw);
        }
        Self::between(ty, raw, least(Ordering::Less), least(Ordering::Greater))
    }
}

impl Value for Near {
    fn exact(raw: u64) -> Self {
        Self::exact(raw)
    }
    fn of(near: &Near) -> Self {
        *near
    }
    fn near(self) -> Near {
        self
    }
    fn apply(arith: Arith, f: Fun, args: &[Self]) -> Self {
        let ty = arith.ty;
        let raws: Vec<u64> = args.iter().map(|a| a.raw).collect();
        let raw = f.apply(&raws, ty);
        if args.iter().all(Self::is_exact) {
            return Self::exact(raw);
        }
        match (f, args) {
            (Fun::Id | Fun::First, [a, ..]) | (Fun::Second, [_, a]) => return a.alone(),
            (Fun::Where, [condition, yes, no]) if condition.certainty != Certainty::Open => {
                return match condition.truth(ty) {
                    (false, _) => yes.alone(),
                    (_, false) => no.alone(),
                    _ if yes.certainty == Certainty::Open || no.certainty == Certainty::Open => Self::open(raw),
                    _ => Self::hull(ty, raw, &[yes.ends(), no.ends()].concat()),
                };
            }
            _ => {}
        }
        if args.iter().any(|a| a.certainty == Certainty::Open) { Self::open(raw) } else { bounded(ty, f, args, raw) }
    }
    fn convert(arith: Arith, from: Type, value: Self) -> Self {
        let to = arith.ty;
        let raw = convert(value.raw, from, to);
        match value.certainty {
            Certainty::Exact => return Self::exact(raw),
            Certainty::Open => return Self::open(raw),
            Certainty::Bounded => {}
        }
        if to == Type::Bool {
            let (zero, other) = value.truth(from);
            return Self::between(to, raw, u64::from(!zero), u64::from(other));
        }
        let [lo, hi] = value.ends().map(|end| convert(end, from, to));
        // Whole numbers that wrap are in order only as long as none does.
        let wraps = |end: u64| {
            matches!((from, to), (Type::Int { .. } | Type::Bool, Type::Int { saturating: false, .. }))
                && !(to.range().0..=to.range().1).contains(&from.value(end))
        };
        if value.ends().into_iter().any(wraps) { Self::open(raw) } else { Self::between(to, raw, lo, hi) }
    }
    fn call(function: &Function, args: &[Self], there: u64) -> Self {
        let body = function.body_where(there);
        if body::loops(body) {
            // How often a loop is run, and so everything, hangs on each bit.
            let raw = function.apply_where(&args.iter().map(|a| a.raw).collect::<Vec<u64>>(), there);
            let exact = args.iter().all(|a| matches!(a.certainty, Certainty::Exact));
            return if exact { Self::exact(raw) } else { Self::open(raw) };
        }
        let mut values: Vec<Self> = Vec::with_capacity(body.len());
        for term in body {
            values.push(match term {
                Term::Arg(k) => args.get(*k).map_or(Self::exact(0), |a| a.alone()),
                Term::Literal(raw) => Self::exact(*raw),
                Term::Apply(f, of) => {
                    let args: Vec<Self> = of.iter().map(|&t| values[t]).collect();
                    Self::apply(Arith::new(function.ty), *f, &args)
                }
                Term::Loop(_) | Term::Left(..) => unreachable!("functions with loops are done above"),
            });
        }
        values.last().copied().unwrap_or_default()
    }
    fn combine(arith: Arith, op: Operator, a: Self, b: Self) -> Self {
        let op = match op {
            Operator::Fun(op) => op,
            Operator::Call(f) => return Self::call(f.get(), &[a, b], f.get().all()),
        };
        let ty = arith.ty;
        let raw = op.apply(&[a.raw, b.raw], ty);
        if Total::matters(op, ty) {
            let total = Total::of(ty, op, &a).and(ty, op, Total::of(ty, op, &b));
            return Self { raw, total, ..Self::default() };
        }
        if loses(op, ty, a.raw, b.raw) { Self::open(raw) } else { Self::apply(arith, op, &[a, b]) }
    }
    fn repeat(arith: Arith, op: Operator, a: Self, n: u64) -> Self {
        let ty = arith.ty;
        let raw = op.repeated(a.raw, n, ty);
        if n < 2 {
            return if n == 0 { Self::exact(raw) } else { a };
        }
        let exact = matches!(a.certainty, Certainty::Exact);
        let Operator::Fun(op) = op else {
            return if exact { Self::exact(raw) } else { Self::open(raw) };
        };
        if Total::matters(op, ty) {
            return Self { raw, total: Total::of(ty, op, &a).times(n), ..Self::default() };
        }
        let number = |n| ty.raw(n).map(Self::exact);
        match (op, a.certainty) {
            (_, Certainty::Exact) => Self::exact(raw),
            (_, Certainty::Open) => Self::open(raw),
            (Fun::Add, _) => number(i128::from(n)).map_or(Self::open(raw), |n| Self::apply(arith, Fun::Mul, &[a, n])),
            (Fun::Xor | Fun::BitXor, _) if n % 2 == 1 => a,
            (Fun::Mul | Fun::Gcd | Fun::Lcm, _) if n > 2 => Self::open(raw),
            _ => Self::apply(arith, op, &[a, a]),
        }
    }
    fn settle(self, arith: Arith, op: Operator) -> Self {
        let ty = arith.ty;
        if op.fun().is_some_and(|op| self.total.is_of(op)) { self.total.settled(ty, self) } else { self }
    }
    fn is_bounded() -> bool {
        true
    }
}

/// `f` of arguments of which none is open and one is not exact.
fn bounded(ty: Type, f: Fun, args: &[Near], raw: u64) -> Near {
    let zero_inside = |a: &Near| a.truth(ty).0;
    let ends_of = |p: usize| args.iter().enumerate().map(move |(k, a)| a.ends()[p >> k & 1]);
    if (0..1usize << args.len()).any(|p| wraps(ty, f, &ends_of(p).map(|end| ty.value(end)).collect::<Vec<_>>())) {
        return Near::open(raw);
    }
    let corners =
        || -> Vec<u64> { (0..1usize << args.len()).map(|p| f.apply(&ends_of(p).collect::<Vec<_>>(), ty)).collect() };
    match f {
        // Monotone in each argument, whatever the others are; products of ends bound products.
        Fun::Add
        | Fun::Sub
        | Fun::Mul
        | Fun::Neg
        | Fun::Min
        | Fun::Max
        | Fun::Relu
        | Fun::Clip
        | Fun::Sign
        | Fun::Cube
        | Fun::Floor
        | Fun::Ceil
        | Fun::Trunc
        | Fun::Rint
        | Fun::Sqrt
        | Fun::Lt
        | Fun::Le
        | Fun::Gt
        | Fun::Ge => Near::hull(ty, raw, &corners()),
        // Monotone but for its value at 0, which may be any.
        Fun::Heaviside => {
            let at_zero = args[1].ends().into_iter().filter(|_| zero_inside(&args[0]));
            Near::hull(ty, raw, &corners().into_iter().chain(at_zero).collect::<Vec<_>>())
        }
        Fun::Abs | Fun::Square => {
            let mut all = corners();
            all.extend(zero_inside(&args[0]).then_some(0));
            Near::hull(ty, raw, &all)
        }
        Fun::Div | Fun::Recip if args.last().is_some_and(|a| !zero_inside(a)) => Near::hull(ty, raw, &corners()),
        Fun::Exp
        | Fun::Exp2
        | Fun::Expm1
        | Fun::Log
        | Fun::Log2
        | Fun::Log1p
        | Fun::Log10
        | Fun::Cbrt
        | Fun::Tanh
        | Fun::Sinh
        | Fun::Asinh
        | Fun::Atan => widened(ty, raw, &corners()),
        Fun::Pow if args[0].truth(ty) == (false, true) && ty.order(args[0].lo, 0) == Some(Ordering::Greater) => {
            widened(ty, raw, &corners())
        }
        Fun::And | Fun::Or | Fun::Xor | Fun::Not | Fun::ToBool => {
            let mut all = Vec::new();
            for p in 0..1usize << args.len() {
                let possible = args.iter().enumerate().all(|(k, a)| {
                    let (zero, other) = a.truth(ty);
                    if p >> k & 1 == 1 { other } else { zero }
                });
                if possible {
                    let truths: Vec<u64> =
                        (0..args.len()).map(|k| if p >> k & 1 == 1 { ty.one() } else { 0 }).collect();
                    all.push(f.apply(&truths, ty));
                }
            }
            Near::hull(ty, raw, &all)
        }
        Fun::Eq | Fun::Ne => {
            let apart = |a: &Near, b: &Near| ty.order(a.hi, b.lo) == Some(Ordering::Less);
            if apart(&args[0], &args[1]) || apart(&args[1], &args[0]) {
                Near::exact(raw)
            } else {
                Near::between(ty, raw, 0, ty.one())
            }
        }
        _ => Near::open(raw),
    }
}

/// Does `f` wrap at these numbers? What does nowhere at the corners of ranges does nowhere within.
fn wraps(ty: Type, f: Fun, numbers: &[i128]) -> bool {
    if !matches!(ty, Type::Int { saturating: false, .. }) {
        return false;
    }
    let whole = match (f, numbers) {
        (Fun::Add, [a, b]) => a.checked_add(*b),
        (Fun::Sub, [a, b]) => a.checked_sub(*b),
        (Fun::Mul, [a, b]) => a.checked_mul(*b),
        (Fun::Div, [a, b]) if *b != 0 => a.checked_div(*b),
        (Fun::Pow, [a, b]) if *b >= 0 => u32::try_from(*b).ok().and_then(|b| a.checked_pow(b)),
        (Fun::Neg, [a]) => a.checked_neg(),
        (Fun::Abs, [a]) => a.checked_abs(),
        (Fun::Square, [a]) => a.checked_pow(2),
        (Fun::Cube, [a]) => a.checked_pow(3),
        _ => return false,
    };
    whole.is_none_or(|whole| ty.raw(whole).is_none())
}

/// The hull of values of a function that is monotone except its rounding.
fn widened(ty: Type, raw: u64, of: &[u64]) -> Near {
    let hull = Near::hull(ty, raw, of);
    if hull.certainty != Certainty::Bounded {
        return hull;
    }
    let (lo, hi) = (to_f64(hull.lo, ty), to_f64(hull.hi, ty));
    Near::between(ty, raw, super::total::outward(ty, lo, -4.0), super::total::outward(ty, hi, 4.0))
}
