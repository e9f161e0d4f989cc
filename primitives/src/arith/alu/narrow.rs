//! Products of integers that are narrower than the result, which need no conversion and fewer multipliers.

use super::plan::{Plan, Unit, UnitArgument};
use samhw_streams::Param;
use samhw_values::{Fun, Type, convert, mul_depth};

/// Width of the longest factor with its sign in bits, and of one that is a single limb: `samhw_narrow_mul`.
const LONGEST: u32 = 35;
const LIMB: u32 = 18;

/// The product of two numbers as another type's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Product {
    /// Types of the factors.
    pub from: [Type; 2],
    /// Whether the product is the square of one number.
    pub square: bool,
}

impl Product {
    /// The unit, if there is one that takes no more multipliers than a product of `to`, and gives what that makes of the converted
    /// factors.
    pub fn plan(self, to: Type) -> Option<Plan> {
        let [a, b] = self.from;
        let whole = |ty: Type| ty.is_int() || ty == Type::Bool;
        let fits = |ty: Type| whole(ty) && ty.bits() <= to.bits() && signed_bits(ty) <= LONGEST;
        if !to.is_int() || !fits(a) || !fits(b) || a.bits().min(b.bits()) == to.bits() || !self.exact(to) {
            return None;
        }
        let limbs = self.from.map(|ty| if signed_bits(ty) <= LIMB { 1 } else { 2 });
        if limbs[0] * limbs[1] > multipliers(to.bits()) {
            return None;
        }
        let int = |n: u32| Param::Int(n);
        let params = vec![
            ("A_W", int(a.bits())),
            ("A_SIGNED", int(a.is_signed().into())),
            ("B_W", int(b.bits())),
            ("B_SIGNED", int(b.is_signed().into())),
            ("W", int(to.bits())),
        ];
        let args = vec![UnitArgument::Arg(0), UnitArgument::Arg(usize::from(!self.square))];
        Some(Plan { unit: Unit::Product, params, args, depth: limbs[0] + limbs[1] - 1 })
    }

    /// Is the exact product, except bits beyond its type, that of the converted factors? What wraps is; what
    /// saturates only where nothing is out of range.
    fn exact(self, to: Type) -> bool {
        let (lo, hi) = to.range();
        let within = |(least, most): (i128, i128)| lo <= least && most <= hi;
        let [(a, b), (c, d)] = self.from.map(Type::range);
        let ends = [a * c, a * d, b * c, b * d];
        let product = ends.iter().fold((0, 0), |(least, most), &e| (e.min(least), e.max(most)));
        !to.saturates() || (within((a, b)) && within((c, d)) && within(product))
    }

    /// Evaluates the product on raw arguments.
    pub fn apply(self, args: &[u64], to: Type) -> u64 {
        let factor = |k: usize| convert(args[k.min(args.len() - 1)], self.from[k], to);
        Fun::Mul.apply(&[factor(0), factor(1)], to)
    }
}

/// Width of a number with a sign in bits.
fn signed_bits(ty: Type) -> u32 {
    ty.bits() + u32::from(!ty.is_signed())
}

/// Multipliers of 18 bits in `samhw_mul` of `w` bits.
fn multipliers(w: u32) -> u32 {
    match mul_depth(w) {
        0 => 1,
        2 => 3,
        _ if w <= 54 => 6,
        _ => 10,
    }
}
