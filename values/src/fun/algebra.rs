//! Algebraic properties of functions: annihilators, identities and reductions.

use super::{Args, Fun};
use crate::Type;
use std::cmp::Ordering;

/// The preparation of a value before a reduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alone {
    /// The value stays as it is.
    Itself,
    /// The value is mapped by this function.
    Of(Fun),
    /// The value is combined with the identity by the reducing function.
    WithIdentity,
}

/// The assumptions of the iteration algebra on floats that it does not read. Other types have no such values,
/// and both are the same for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Algebra {
    /// All values are finite numbers and no divisor is 0: 0 decides a product, and a quotient as its dividend; an
    /// infinity decides a sum. The sign of a 0 that is decided so is not known.
    #[default]
    Finite,
    /// It assumes nothing: simplifications are correct to the bit for all values.
    Ieee,
}

impl Algebra {
    /// Returns whether a present value `a` may be treated as equal to the `fill`.
    pub fn same(self, ty: Type, a: u64, fill: u64) -> bool {
        match self {
            Self::Finite => ty.same(a, fill),
            Self::Ieee => a == fill || ty.is_nan(a) && ty.is_nan(fill),
        }
    }
}

impl Fun {
    /// Returns the result if the known arguments alone decide it.
    pub fn partial(self, args: &[Option<u64>], ty: Type, algebra: Algebra) -> Option<u64> {
        let known: Option<Args<u64>> = args.iter().copied().collect();
        if let Some(values) = known {
            return Some(self.apply(&values, ty));
        }
        let arg = |k: usize| args.get(k).copied().flatten();
        match self {
            Self::First => arg(0),
            Self::Second => arg(1),
            Self::Where => match arg(0) {
                Some(c) => arg(if ty.is_zero(c) { 2 } else { 1 }),
                None => arg(1).filter(|_| arg(1) == arg(2)),
            },
            _ => args.iter().enumerate().find_map(|(k, v)| self.decided(k, (*v)?, ty, algebra)),
        }
    }

    /// Returns whether the result does not depend on argument `k`, given the known arguments.
    pub fn ignores(self, known: &[Option<u64>], k: usize, ty: Type, algebra: Algebra) -> bool {
        let mut others = Args::from_slice(known);
        others[k] = None;
        match self {
            Self::First => k == 1,
            Self::Second => k == 0,
            Self::Where if k > 0 && known[0].is_some() => known[0].is_some_and(|c| ty.is_zero(c)) == (k == 1),
            _ => self.partial(&others, ty, algebra).is_some(),
        }
    }

    /// Returns the result if argument `k` has the value `v` and this alone decides it: `v` annihilates there.
    pub fn decided(self, k: usize, v: u64, ty: Type, algebra: Algebra) -> Option<u64> {
        let (zero, float) = (ty.is_zero(v), ty.is_float());
        let ones = || if float { Self::Neg.apply(&[ty.one()], ty) } else { ty.mask() };
        let (least, greatest) = (|| v == ty.least(), || v == ty.greatest());
        // Of floats this holds for numbers only.
        let finite = !float || algebra == Algebra::Finite;
        let top = || float && ty.is_infinite(v) || ty.saturates() && !ty.is_signed() && greatest();
        let then = |holds: bool, value: u64| holds.then_some(value);
        match (self, k) {
            (
                Self::Add
                | Self::Sub
                | Self::Mul
                | Self::Div
                | Self::Idiv
                | Self::Mod
                | Self::PyMod
                | Self::Min
                | Self::Max
                | Self::Atan2,
                _,
            ) if ty.is_nan(v) => Some(ty.nan()),
            (Self::And | Self::BitAnd | Self::Lcm, _) | (Self::Shl | Self::Shr, 0) => then(zero, 0),
            (Self::Mul, _) | (Self::Div | Self::Idiv | Self::Mod | Self::PyMod | Self::Ldexp | Self::CopySign, 0) => {
                then(zero && finite, 0)
            }
            (Self::Add, _) => then(finite && top(), v),
            (Self::Sub, 0) => then(float && finite && top(), v),
            (Self::Sub, 1) => (float && finite && top()).then(|| Self::Neg.apply(&[v], ty)),
            (Self::Min, _) => then(finite && least(), v),
            (Self::Max, _) => then(finite && greatest(), v),
            (Self::Or, _) => (!zero).then(|| ty.one()),
            (Self::BitOr, _) => then(v == ones(), v),
            // Where 1 is out of range its power is not.
            (Self::Pow, 0) => then(v == ty.one() && ty.has_one(), v),
            (Self::Pow, 1) => zero.then(|| ty.one()),
            (Self::Gcd, _) => then(v == ty.unit(), v),
            (Self::Heaviside, 0) => match ty.order(v, 0) {
                Some(Ordering::Less) => Some(0),
                Some(Ordering::Greater) => Some(ty.one()),
                _ => None,
            },
            (Self::Lt, 0) | (Self::Gt, 1) => then(!float && greatest(), 0),
            (Self::Lt, 1) | (Self::Gt, 0) => then(!float && least(), 0),
            (Self::Le, 0) | (Self::Ge, 1) => (!float && least()).then(|| ty.one()),
            (Self::Le, 1) | (Self::Ge, 0) => (!float && greatest()).then(|| ty.one()),
            _ => None,
        }
    }

    /// Returns the result of a reduction over no values; `None` if the function does not reduce. (Logical ones reduce
    /// logical values: 0 and 1; see [`Self::alone`].)
    pub fn identity(self, ty: Type) -> Option<u64> {
        Some(match self {
            Self::Add | Self::Or | Self::Xor | Self::BitOr | Self::BitXor | Self::Gcd => 0,
            Self::Mul if !ty.has_one() => return None,
            Self::Mul | Self::And => ty.one(),
            Self::Lcm => ty.unit(),
            Self::Min => ty.greatest(),
            Self::Max => ty.least(),
            Self::BitAnd if ty.is_float() => Self::Neg.apply(&[ty.one()], ty),
            Self::BitAnd => ty.mask(),
            _ => return None,
        })
    }

    /// Returns how a value is prepared for a reduction, so that a single value gives the same result as among others.
    pub fn alone(self, ty: Type) -> Alone {
        match self {
            Self::And | Self::Or | Self::Xor if ty != Type::Bool => Alone::Of(Self::ToBool),
            // Divisors are those of sizes. The smallest number's size saturates as a multiple, not as a divisor.
            Self::Gcd | Self::Lcm if !ty.is_signed() => Alone::Itself,
            Self::Lcm if !ty.is_float() => Alone::Of(Self::Abs),
            Self::Gcd if !ty.is_float() && !ty.saturates() => Alone::Of(Self::Abs),
            Self::Gcd => Alone::WithIdentity,
            Self::Lcm | Self::BitAnd | Self::BitOr | Self::BitXor if ty.is_float() => Alone::WithIdentity,
            _ => Alone::Itself,
        }
    }

    /// Returns the function that expressions apply to the result: a gcd of 2^(n-1) saturates only at the end.
    pub const fn settled_by(self, ty: Type) -> Option<Self> {
        match self {
            Self::Gcd if ty.saturates() && ty.is_signed() => Some(Self::Abs),
            _ => None,
        }
    }

    /// Reduces `n` copies of `v`, from left to right.
    pub fn repeated(self, v: u64, n: u64, ty: Type) -> u64 {
        let identity = self.identity(ty).unwrap_or(0);
        match self {
            _ if n == 0 => identity,
            Self::Add if !ty.is_float() && !ty.saturates() => ty.fit(ty.value(v) * i128::from(n)),
            Self::Xor | Self::BitXor => {
                if n % 2 == 1 {
                    v
                } else {
                    self.apply(&[v, v], ty)
                }
            }
            Self::Add | Self::Mul | Self::Gcd | Self::Lcm => {
                let mut total = v;
                for _ in 1..n {
                    let next = self.apply(&[total, v], ty);
                    if next == total {
                        break;
                    }
                    total = next;
                }
                total
            }
            _ if n == 1 => v,
            _ => self.apply(&[v, v], ty),
        }
    }

    /// Returns whether the function is commutative in its two arguments.
    pub const fn commutes(self) -> bool {
        matches!(
            self,
            Self::Add
                | Self::Mul
                | Self::Min
                | Self::Max
                | Self::Gcd
                | Self::Lcm
                | Self::Eq
                | Self::Ne
                | Self::And
                | Self::Or
                | Self::Xor
                | Self::BitAnd
                | Self::BitOr
                | Self::BitXor
                | Self::Hypot
        )
    }
}
