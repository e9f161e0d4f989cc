//! Reductions whose order matters because a step loses information: wrapping multiples, and functions of floats'
//! integer parts beyond the mantissa.

use samhw_compiler::stmt::Fun;
use samhw_compiler::types::Type;
use samhw_values::convert;

/// What functions of whole parts compute with.
const WHOLE: Type = Type::int(64, true);

/// Can a step of a reduction with `op` lose something?
pub(super) fn can_lose(op: Fun, ty: Type) -> bool {
    match op {
        Fun::Lcm => !ty.saturates() && ty != Type::Bool,
        Fun::BitAnd | Fun::BitOr | Fun::BitXor => ty.is_float(),
        _ => false,
    }
}

/// Returns whether the operation loses bits with these values.
pub(super) fn loses(op: Fun, ty: Type, a: u64, b: u64) -> bool {
    if !can_lose(op, ty) {
        return false;
    }
    let whole = |raw: u64| if ty.is_float() { WHOLE.value(convert(raw, ty, WHOLE)) } else { ty.value(raw) };
    let (a, b) = (whole(a), whole(b));
    if op == Fun::Lcm {
        return multiple(a.unsigned_abs(), b.unsigned_abs())
            .is_none_or(|m| m > WHOLE.range().1 && ty.is_float() || ty.raw(m).is_none());
    }
    let exact = op.apply(&[WHOLE.wrap(a), WHOLE.wrap(b)], WHOLE);
    ty.raw(WHOLE.value(exact)).is_none()
}

/// The least common multiple, if it is below 2^127.
fn multiple(a: u128, b: u128) -> Option<i128> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    // Of 0 and 0 it is 0.
    i128::try_from(a.checked_div(x).unwrap_or(0).checked_mul(b)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use samhw_values::from_f64;

    #[test]
    fn what_wraps_or_rounds_loses() {
        let i8_ = Type::int(8, true);
        assert!(!loses(Fun::Lcm, i8_, 12, 18) && loses(Fun::Lcm, i8_, 12, 17));
        assert!(!loses(Fun::Lcm, Type::from_name("u8s").unwrap(), 12, 200));
        let f = |x: f64| from_f64(x, Type::F32);
        assert!(loses(Fun::BitOr, Type::F32, f(2f64.powi(24)), f(1.0)));
        assert!(!loses(Fun::BitOr, Type::F32, f(2f64.powi(23)), f(1.5)));
        assert!(loses(Fun::Lcm, Type::F64, 1e18f64.to_bits(), 11f64.to_bits()));
        assert!(!loses(Fun::Gcd, Type::F32, f(1e30), f(7.0)));
    }
}
