//! Powers against the host's of doubles.

use super::Power;
use crate::{Fun, Program, Rng, Type, from_f64, to_f64};

/// Units of the last place that a power is from the exact one at most, 0.5 of which are rounding.
const PROMISED: f64 = 0.52;

/// Distance from the exact value in units of its last place.
fn ulps(got: f64, want: f64, exp: u32, man: u32) -> f64 {
    let least = 2 - (1 << (exp - 1));
    let e = (want.abs().to_bits() >> 52) as i32 - 1023;
    ((got - want) / f64::from(e.max(least) - man as i32).exp2()).abs()
}

#[test]
fn powers_are_near_the_hosts() {
    let mut rng = Rng::new(7);
    for (ty, exp, man) in [(Type::F32, 8u32, 23u32), (Type::F16, 5, 10), (Type::BF16, 8, 7)] {
        let (p, mut most) = (Power::of(ty).unwrap(), 0.0f64);
        let end = f64::from(1 << (exp - 1)).exp2();
        for round in 0..30_000 {
            let any = rng.bits() & ty.mask() & !ty.sign_bit();
            // Around 1 and any; exponents that give something in range, most of them.
            let a =
                if round % 3 == 0 { any } else { ty.one().wrapping_add(rng.below(4 << man)).wrapping_sub(1 << man) };
            let x = to_f64(a, ty);
            let wanted = (rng.below(300_000) as f64 / 1000.0 - 150.0) / f64::from(1 << rng.below(12));
            let b = if round % 7 == 0 { rng.bits() & ty.mask() } else { from_f64(wanted / x.log2(), ty) };
            let y = to_f64(b, ty);
            let (got, want) = (to_f64(p.apply(a, b), ty), x.powf(y));
            if got.is_nan() || want.is_nan() || want == 1.0 {
                assert!(
                    got == want || got.is_nan() && want.is_nan(),
                    "{x:e} to {y:e} is {got:e}, not {want:e} in {ty}"
                );
            } else if want < end {
                let error = ulps(got.min(end), want, exp, man);
                assert!(error <= PROMISED, "{x:e} to {y:e} is {got:e}, not {want:e} in {ty}: {error} ulp");
                most = most.max(error);
            } else {
                assert!(got.is_infinite(), "{x:e} to {y:e} is {got:e} in {ty}");
            }
        }
        println!("pow of {ty}: at most {most:.4} ulp");
    }
}

#[test]
fn what_is_no_usual_number_has_the_powers_of_ieee() {
    for ty in [Type::F32, Type::F16, Type::BF16, Type::F64] {
        let raw = |x: f64| from_f64(x, ty);
        let edge = [0.0, 1.0, 0.5, 2.0, 3.0, 2.5, 1e4, 3e4, f64::INFINITY, f64::NAN];
        let all: Vec<f64> = edge.into_iter().flat_map(|x| [x, -x]).map(|x| to_f64(raw(x), ty)).collect();
        for &x in &all {
            for &y in &all {
                let (got, want) = (Fun::Pow.apply(&[raw(x), raw(y)], ty), x.powf(y));
                let same = if want.is_nan() { got == ty.nan() } else { got == raw(want) };
                let near = x != 0.0 && (to_f64(got, ty) / want - 1.0).abs() < 1e-2;
                assert!(same || near, "{x} to {y} of {ty} is {}, not {want}", to_f64(got, ty));
            }
        }
    }
}

#[test]
fn whole_powers_are_exact() {
    for ty in [Type::F32, Type::F64] {
        for (x, y) in
            [(9.0, 2.0), (3.0, 13.0), (2.0, 100.0), (-7.0, 5.0), (10.0, 10.0), (0.5, -3.0), (1.5, 6.0), (12.0, 0.0)]
        {
            let x: f64 = x;
            let got = to_f64(Fun::Pow.apply(&[from_f64(x, ty), from_f64(y, ty)], ty), ty);
            assert_eq!(got, to_f64(from_f64(x.powi(y as i32), ty), ty), "{x} to {y} of {ty}");
        }
    }
}

#[test]
fn programs_give_the_same_powers() {
    let mut rng = Rng::new(11);
    for ty in [Type::F32, Type::F16, Type::BF16] {
        let program = Program::of(Fun::Pow, ty).unwrap();
        for _ in 0..300 {
            let args = [0, 1].map(|_| rng.bits() >> rng.below(4) & ty.mask());
            assert_eq!(program.run(&args).0 & ty.mask(), Fun::Pow.apply(&args, ty));
        }
        assert!(program.cycles().1 <= 60, "{:?}", program.cycles());
    }
}
