//! Functions against their definitions, and declared algebra against random arguments.

use super::{Algebra, Fun};
use crate::{Rng, Type, from_f64, to_f64};

const I16: Type = Type::int(16, true);

fn i16s(f: Fun, args: &[i64]) -> i64 {
    let raw: Vec<u64> = args.iter().map(|&a| I16.wrap(a.into())).collect();
    I16.value(f.apply(&raw, I16)) as i64
}

#[test]
fn integers_do_what_their_pages_say() {
    let cases: &[(Fun, &[i64], i64)] = &[
        (Fun::Idiv, &[-7, 2], -4),
        (Fun::Div, &[-7, 2], -3),
        (Fun::Mod, &[-7, 3], -1),
        (Fun::PyMod, &[-7, 3], 2),
        (Fun::PyMod, &[7, -3], -2),
        (Fun::Idiv, &[5, 0], 0),
        (Fun::PyMod, &[5, 0], 0),
        (Fun::Pow, &[-3, 3], -27),
        (Fun::Pow, &[2, -1], 0),
        (Fun::Pow, &[-1, -3], -1),
        (Fun::Pow, &[0, 0], 1),
        (Fun::Ldexp, &[-5, -1], -2),
        (Fun::Ldexp, &[3, 2], 12),
        (Fun::Shr, &[-5, 1], -3),
        (Fun::Shr, &[-5, -1], -1),
        (Fun::Shl, &[1, 16], 0),
        (Fun::Gcd, &[-12, 18], 6),
        (Fun::Lcm, &[-4, 6], 12),
        (Fun::Where, &[2, 3, 4], 3),
        (Fun::Clip, &[9, -1, 2], 2),
        (Fun::Heaviside, &[0, 7], 7),
        (Fun::Sqrt, &[24], 4),
        (Fun::Abs, &[-32768], -32768),
        (Fun::BitNot, &[0], -1),
        (Fun::Cube, &[-3], -27),
        (Fun::CopySign, &[-5, 3], 5),
        (Fun::CopySign, &[5, -3], -5),
        (Fun::CopySign, &[-5, 0], 5),
        (Fun::CopySign, &[-32768, 1], -32768),
        (Fun::SignBit, &[-1], 1),
        (Fun::SignBit, &[0], 0),
        (Fun::PopCount, &[-1], 16),
        (Fun::PopCount, &[0x4c1], 4),
    ];
    for (f, args, want) in cases {
        assert_eq!(i16s(*f, args), *want, "{f:?}{args:?}");
        assert_eq!(args.len(), f.arity(), "{f:?}");
    }
}

#[test]
fn fixed_point_rounds_to_even_and_saturates() {
    let ty = Type::from_name("fx16.8").unwrap();
    let raw = |x: f64| from_f64(x, ty);
    assert_eq!(Fun::Mul.apply(&[raw(1.5), raw(2.5)], ty), raw(3.75));
    assert_eq!(Fun::Mul.apply(&[1, ty.one() / 2], ty), 0, "1/512 is a tie, 0 is even");
    assert_eq!(Fun::Mul.apply(&[3, ty.one() / 2], ty), 2);
    assert_eq!(Fun::Add.apply(&[raw(127.0), raw(127.0)], ty), ty.greatest());
    assert_eq!(Fun::Div.apply(&[raw(1.0), raw(3.0)], ty), 85);
    assert_eq!(Fun::Floor.apply(&[raw(-0.5)], ty), raw(-1.0));
    assert_eq!(Fun::Sqrt.apply(&[raw(2.25)], ty), raw(1.5));
}

#[test]
fn floats_follow_numpy() {
    let f = |fun: Fun, a: f64, b: f64| f64::from_bits(fun.apply(&[a.to_bits(), b.to_bits()], Type::F64));
    assert_eq!(f(Fun::Idiv, -7.5, 2.0), -4.0);
    assert_eq!(f(Fun::PyMod, -7.5, 2.0), 0.5);
    assert_eq!(f(Fun::Shr, 12.0, 2.0), 3.0);
    assert!(f(Fun::Min, 1.0, f64::NAN).is_nan() && f(Fun::Idiv, 0.0, 0.0).is_nan());
    assert_eq!(f(Fun::Ne, f64::NAN, f64::NAN), 1.0);
    assert_eq!(f(Fun::Sign, -0.25, 0.0), -1.0);
    assert_eq!(f(Fun::Ldexp, 3.0, -2.0), 0.75);
    assert_eq!([f(Fun::CopySign, 1.5, -0.0), f(Fun::CopySign, -1.5, f64::NAN)], [-1.5, 1.5]);
    assert_eq!([f(Fun::SignBit, -0.0, 0.0), f(Fun::SignBit, f64::NAN, 0.0)], [1.0, 0.0]);
    assert_eq!([f(Fun::PopCount, 7.9, 0.0), f(Fun::PopCount, -1.0, 0.0)], [3.0, 64.0]);
    for ty in [Type::F64, Type::F32, Type::F16, Type::BF16] {
        let of = |fun: Fun, x: f64| to_f64(fun.apply(&[from_f64(x, ty)], ty), ty);
        for n in -20..16 {
            let power = f64::from(n).exp2();
            assert_eq!([of(Fun::Exp2, f64::from(n)), of(Fun::Log2, power)], [power, f64::from(n)], "{ty}");
        }
        assert_eq!(of(Fun::Log2, 0.0), f64::NEG_INFINITY);
        assert_eq!([of(Fun::Exp2, f64::NEG_INFINITY), of(Fun::Exp2, 1e5)], [0.0, f64::INFINITY]);
        assert!(of(Fun::Log2, -1.0).is_nan() && of(Fun::Exp2, f64::NAN).is_nan());
    }
    let half = Fun::Div.apply(&[from_f64(1.0, Type::F16), from_f64(3.0, Type::F16)], Type::F16);
    assert_eq!(half, 0x3555);
}

/// Values that special rules concern, and others.
fn some(ty: Type, rng: &mut Rng) -> u64 {
    let small = from_f64(rng.below(9) as f64 - if ty.is_signed() { 4.0 } else { 0.0 }, ty);
    match rng.below(8) {
        0 => 0,
        1 => ty.one(),
        2 if !ty.is_float() => ty.least(),
        3 if !ty.is_float() => ty.greatest(),
        4 if !ty.is_float() => rng.bits() & ty.mask(),
        _ => small,
    }
}

/// ... or what only floats have.
fn any(ty: Type, rng: &mut Rng) -> u64 {
    match rng.below(8) {
        0 => ty.nan(),
        1 => ty.greatest(),
        2 => ty.least(),
        3 => ty.sign_bit(),
        _ => some(ty, rng),
    }
}

#[test]
fn what_decides_alone_decides() {
    let mut rng = Rng::new(11);
    let quotient = [Fun::Div, Fun::Idiv, Fun::Mod, Fun::PyMod];
    for name in ["i8", "u8", "i64", "u16s", "i16s", "bool", "fx16.8", "f64", "f32"] {
        let ty = Type::from_name(name).unwrap();
        for &f in Fun::ALL.iter().filter(|f| f.arity() > 1 && (ty.is_float() || !f.needs_float())) {
            for _ in 0..400 {
                let args: Vec<u64> = (0..f.arity()).map(|_| some(ty, &mut rng)).collect();
                let known: Vec<Option<u64>> = args.iter().map(|&a| rng.happens(0.5).then_some(a)).collect();
                if let Some(claim) = f.partial(&known, ty, Algebra::Finite) {
                    let got = f.apply(&args, ty);
                    // No divisor is taken for 0.
                    let fine = ty.same(got, claim) || ty.is_nan(got) && quotient.contains(&f);
                    assert!(fine, "{f:?} {name} {args:x?} {known:x?}: {got:x}, not {claim:x}");
                }
                let draw = |rng: &mut Rng| if ty.is_float() { any(ty, rng) } else { some(ty, rng) };
                let args: Vec<u64> = (0..f.arity()).map(|_| draw(&mut rng)).collect();
                let known: Vec<Option<u64>> = args.iter().map(|&a| rng.happens(0.5).then_some(a)).collect();
                if let Some(claim) = f.partial(&known, ty, Algebra::Ieee) {
                    let got = f.apply(&args, ty);
                    assert!(got == claim, "{f:?} {name} {args:x?} {known:x?}: {got:x}, not {claim:x}, to the bit");
                }
                if f.commutes() {
                    let swapped = [args[1], args[0]];
                    assert!(ty.same(f.apply(&args, ty), f.apply(&swapped, ty)), "{f:?} {name} {args:x?}");
                }
            }
        }
    }
}

#[test]
fn reductions_have_their_identity() {
    let mut rng = Rng::new(12);
    for name in ["i8", "u8", "bool", "fx16.8", "f64"] {
        let ty = Type::from_name(name).unwrap();
        for &f in Fun::ALL {
            let Some(identity) = f.identity(ty) else { continue };
            for _ in 0..100 {
                let mut v = some(ty, &mut rng);
                if f.is_logical() {
                    v = Fun::ToBool.apply(&[v], ty);
                }
                let size = matches!(f, Fun::Gcd | Fun::Lcm);
                let same = if size { Fun::Abs.apply(&[v], ty) } else { v };
                if !size || ty.fraction() == 0 {
                    assert!(ty.same(f.apply(&[identity, v], ty), same), "{f:?} {name} {v:x}");
                }
                let n = rng.below(5);
                let fold = (1..n).fold(v, |a, _| f.apply(&[a, v], ty));
                let want = if n == 0 { identity } else { fold };
                assert_eq!(f.repeated(v, n, ty), want, "{f:?} {name} {v:x} {n} times");
            }
        }
    }
}

#[test]
fn names_are_unique() {
    for &f in Fun::ALL {
        assert_eq!(Fun::from_name(f.name()), Some(f));
    }
    assert_eq!((Fun::Add.code(), Fun::Max.code(), Fun::Second.code()), (0, 5, 7));
}
