//! ALUs that run programs of whole numbers and fixed point of any width, and of the whole parts of floats.

use super::programs::random;
use crate::arith::alu::{Alu, Operand};
use samhw_streams::{Beat, Leaf, encode};
use samhw_testing::drawn::{drawn, full};
use samhw_testing::nests::{N, leaf, leaves, map, nest};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::{Fun, Rng, Routine, Type};
use std::sync::Arc;

/// A function that has a program, and a type of any width.
fn some(rng: &mut Rng) -> (Fun, Type) {
    const FUNS: [Fun; 12] = [
        Fun::Gcd,
        Fun::Lcm,
        Fun::Pow,
        Fun::Sqrt,
        Fun::Ldexp,
        Fun::Cube,
        Fun::Sign,
        Fun::Rint,
        Fun::Sub,
        Fun::Div,
        Fun::PyMod,
        Fun::Recip,
    ];
    let (signed, bits) = (rng.happens(0.5), [64, 33, 2 + rng.below(63) as u32][rng.below(3) as usize]);
    let frac = [0, bits, bits / 2, rng.below(u64::from(bits)) as u32][rng.below(4) as usize];
    let ty = match rng.below(4) {
        0 => Type::Int { bits, signed, saturating: true },
        1 => Type::int(bits, signed),
        _ => Type::Fixed { bits, frac, signed },
    };
    (FUNS[rng.below(12) as usize], ty)
}

#[test]
fn programs_of_numbers_run_as_they_are_written() {
    let mut rng = Rng::new(31);
    let n = if full() { 60 } else { 3 };
    (0..n).map(|_| some(&mut rng)).for_each(|(fun, ty)| runs(fun, ty));
    let floats = [
        (Fun::Gcd, Type::F32),
        (Fun::Lcm, Type::BF16),
        (Fun::Rint, Type::F16),
        (Fun::Shr, Type::F64),
        (Fun::Pow, Type::F32),
    ];
    drawn(floats, 1).into_iter().for_each(|(fun, ty)| runs(fun, ty));
}

/// The ALU of `fun` on some streams.
fn runs(fun: Fun, ty: Type) {
    let fills = [ty.greatest(), ty.one()];
    let operands = fills[..fun.arity()].iter().map(|&fill| Operand::Stream { fill }).collect();
    let emit = if fun.arity() == 1 { 0b10 } else { 0b1110 };
    let routine = Routine::library(fun, ty).unwrap_or_else(|| panic!("{fun:?} of {ty}"));
    let p = Alu::routine(Arc::new(routine), operands, emit, 3).unwrap();
    let mut rng = Rng::new(u64::from(fun.code()));
    let (mut feeds, mut want) = (vec![Vec::new(); fun.arity()], Vec::new());
    for d in [0, 1, 2, 0, 1, 2] {
        let x = nest(&mut rng, d, &mut |r| random(ty, r));
        let y = map(&x, &mut |_| random(ty, &mut rng));
        let mut others = leaves(&y).into_iter();
        let z = map(&x, &mut |a| {
            let args = [Some(a), others.next()];
            let args = args.iter().flatten().take(fun.arity());
            let value = |(l, fill): (&Leaf, &u64)| if l.present { l.p[0] } else { *fill };
            let values: Vec<u64> = args.clone().zip(&fills).map(value).collect();
            if args.clone().any(|l| l.present) { leaf(fun.apply(&values, ty)) } else { N }
        });
        for (feed, stream) in feeds.iter_mut().zip([x, y]) {
            feed.extend(encode(&stream, d));
        }
        want.extend(encode(&z, d));
    }
    for out in check_rtl(&p, &[], &feeds, &Vec::new, &usual_stalls(1)[..2]) {
        assert_eq!(out.unwrap().beats(0), want, "{p:?}");
    }
}

/// Powers that end early, and divisors of whole parts.
const UNITS: [(Fun, &str); 11] = [
    (Fun::Pow, "i32"),
    (Fun::Pow, "u64"),
    (Fun::Pow, "i19"),
    (Fun::Pow, "u41"),
    (Fun::Pow, "fx16.8"),
    (Fun::Pow, "ufx33.20"),
    (Fun::Pow, "fx64.40"),
    (Fun::Pow, "ufx2.1"),
    (Fun::Gcd, "f16"),
    (Fun::Gcd, "f32"),
    (Fun::Gcd, "f64"),
];

#[test]
fn units_in_the_place_of_programs_run_as_they_are_said_to() {
    for (fun, name) in drawn(UNITS, 1) {
        let ty = Type::accumulator_from_name(name).unwrap();
        let p = Alu::new(fun, vec![Operand::Stream { fill: 0 }; 2], 0b1110, ty, 3).unwrap();
        let mut rng = Rng::new(9);
        let mut args = |n: u64| {
            if ty.is_float() || ty.fraction() > 0 {
                return [0; 2].map(|_| Some(random(ty, &mut rng)).filter(|l| l.present).map_or(ty.one(), |l| l.p[0]));
            }
            [(rng.bits() | n & 1) & ty.mask(), rng.bits() >> rng.below(u64::from(ty.bits())) & ty.mask()]
        };
        let all: Vec<[u64; 2]> = (0..60).map(&mut args).collect();
        let stream = |of: &dyn Fn(&[u64; 2]) -> u64| -> Vec<Beat> {
            let beats = all.iter().enumerate().map(|(n, args)| Beat::data(u8::from(n == 59), of(args)));
            beats.chain([Beat::DONE]).collect()
        };
        let feeds = [stream(&|a| a[0]), stream(&|a| a[1])];
        let want = stream(&|a| fun.apply(a, ty));
        for out in check_rtl(&p, &[], &feeds, &Vec::new, &usual_stalls(1)[..1]) {
            assert_eq!(out.unwrap().beats(0), want, "{fun:?} of {ty}");
        }
    }
}
