//! Common types for the operands of a comparison.

use crate::types::Type;

/// Has `ty` every value of `of`, as the same number?
pub(super) fn holds(ty: Type, of: Type) -> bool {
    match (ty, of) {
        (Type::Float { exp, man }, Type::Float { exp: narrow, man: short }) => exp >= narrow && man >= short,
        (Type::Float { exp, man }, _) => {
            let word = Word::of(of);
            let (bias, man) = ((1 << (exp - 1)) - 1, man as i32);
            word.size() <= man + 1 && word.whole <= bias && word.frac < bias + man
        }
        (_, Type::Float { .. }) => false,
        _ => {
            let (word, inner) = (Word::of(ty), Word::of(of));
            word.whole >= inner.whole && word.frac >= inner.frac && word.signed >= inner.signed
        }
    }
}

/// The smallest type that holds the values of both, one of the two if that does; `None` if there is none.
pub(super) fn meet(a: Type, b: Type) -> Option<Type> {
    let held = |ty: &Type| holds(*ty, a) && holds(*ty, b);
    if let Some(ty) = [a, b].into_iter().find(held) {
        return Some(ty);
    }
    if a.is_float() || b.is_float() {
        return [Type::F16, Type::BF16, Type::F32, Type::F64].into_iter().find(held);
    }
    let (a, b) = (Word::of(a), Word::of(b));
    let both = Word { whole: a.whole.max(b.whole), frac: a.frac.max(b.frac), signed: a.signed || b.signed };
    let bits = u32::try_from(both.size() + i32::from(both.signed)).ok().filter(|bits| *bits <= 64)?;
    Some(match both.frac as u32 {
        0 => Type::int(bits, both.signed),
        frac => Type::Fixed { bits, frac, signed: both.signed },
    })
}

/// The smallest type of whole numbers from `lo` to `hi`; `None` if 64 bits are too few.
pub(super) fn whole((lo, hi): (i128, i128)) -> Option<Type> {
    let length = |n: i128| i128::BITS - n.leading_zeros();
    let (bits, signed) = if lo < 0 { (length(!lo).max(length(hi)) + 1, true) } else { (length(hi).max(1), false) };
    match bits {
        1 if !signed => Some(Type::Bool),
        1..=64 => Some(Type::int(bits, signed)),
        _ => None,
    }
}

/// The places of a number that is no float.
struct Word {
    /// Bits before the point, the sign's apart; -1 if the sign is the first one behind it.
    whole: i32,
    /// Bits behind it.
    frac: i32,
    signed: bool,
}

impl Word {
    fn of(ty: Type) -> Self {
        let (signed, frac) = (ty.is_signed(), ty.fraction() as i32);
        Self { whole: ty.bits() as i32 - i32::from(signed) - frac, frac, signed }
    }
    /// Bits without the sign's.
    fn size(&self) -> i32 {
        self.whole + self.frac
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use samhw_values::{convert, to_f64};

    fn ty(name: &str) -> Type {
        Type::accumulator_from_name(name).unwrap_or_else(|| panic!("{name} is a type"))
    }

    #[test]
    fn types_meet_in_the_smallest_that_holds_both() {
        for (a, b, want) in [
            ("i32", "i32", "i32"),
            ("i8", "u8", "i9"),
            ("bool", "u8", "u8"),
            ("i32", "f32", "f64"),
            ("i16", "f32", "f32"),
            ("u9", "bf16", "f32"),
            ("f16", "bf16", "f32"),
            ("u11", "f16", "f16"),
            ("u16", "f16", "f32"),
            ("fx16.8", "i32", "fx40.8"),
            ("fx8.8", "ufx8.8", "fx9.8"),
            ("fx16.8", "f32", "f32"),
            ("fx64.32", "f32", ""),
            ("i64", "f64", ""),
            ("i64", "u64", ""),
            ("u64", "bool", "u64"),
        ] {
            for (a, b) in [(a, b), (b, a)] {
                let met = meet(ty(a), ty(b)).map(|ty| ty.to_string()).unwrap_or_default();
                assert_eq!(met, want, "{a} and {b}");
            }
        }
    }

    #[test]
    fn a_type_holds_what_it_gives_back() {
        let names = ["i8", "u8", "i9", "u16s", "bool", "fx8.4", "fx8.8", "ufx8.4", "ufx8.8", "f16", "bf16", "f32"];
        for (a, b) in names.iter().flat_map(|a| names.iter().map(move |b| (ty(a), ty(b)))) {
            let same = |raw: u64| {
                let there = convert(raw, b, a);
                // As doubles, too: a number that wraps may wrap back.
                b.same(convert(there, a, b), raw) && to_f64(there, a) == to_f64(raw, b)
            };
            // Of f32 those with few bits, and the ends.
            let all = (0..=b.mask().min(0xffff)).map(|n| if b.bits() > 16 { n << 16 | n & 1 } else { n });
            let mut numbers = all.chain([b.least(), b.greatest()]).filter(|&raw| !b.is_nan(raw));
            assert_eq!(holds(a, b), numbers.all(same), "{a} holds {b}");
        }
    }

    #[test]
    fn whole_numbers_have_the_bits_that_they_need() {
        for (range, want) in
            [((0, 0), "bool"), ((0, 1), "bool"), ((0, 2), "u2"), ((0, 299), "u9"), ((-1, 0), "i1"), ((-128, 127), "i8")]
        {
            assert_eq!(whole(range), Some(ty(want)), "{range:?}");
        }
        assert_eq!(whole((-1, 1 << 63)), None);
        assert_eq!(whole((0, (1 << 64) - 1)), Some(ty("u64")));
    }
}
