//! Programs of whole numbers and fixed point against the meaning of their functions.

use crate::{Fun, Program, Rng, Type, convert};

/// Functions of whole numbers and fixed point that have programs.
const OF_NUMBERS: [Fun; 22] = [
    Fun::Div,
    Fun::Idiv,
    Fun::Mod,
    Fun::PyMod,
    Fun::Recip,
    Fun::Gcd,
    Fun::Lcm,
    Fun::Sqrt,
    Fun::Pow,
    Fun::Ldexp,
    Fun::Add,
    Fun::Sub,
    Fun::Neg,
    Fun::Abs,
    Fun::Mul,
    Fun::Square,
    Fun::Cube,
    Fun::Sign,
    Fun::Floor,
    Fun::Ceil,
    Fun::Trunc,
    Fun::Rint,
];

fn check(fun: Fun, program: &Program, args: &[u64], ty: Type) {
    let ((got, cycles), want) = (program.run(args), fun.apply(args, ty));
    assert_eq!(got & ty.mask(), want, "{fun:?} of {ty} at {args:x?}");
    let (least, most) = program.cycles();
    assert!((least..=most).contains(&cycles), "{fun:?} of {ty}: {cycles} of {least} to {most}");
}

#[test]
fn programs_of_narrow_numbers_are_as_their_functions_say_of_all_arguments() {
    let mut types = vec![Type::Bool];
    for bits in 1..=5 {
        for signed in [false, true] {
            types.extend([false, true].map(|saturating| Type::Int { bits, signed, saturating }));
            types.extend((0..=bits).filter(|_| bits > 1).map(|frac| Type::Fixed { bits, frac, signed }));
        }
    }
    for ty in types {
        for fun in OF_NUMBERS {
            let program = Program::of(fun, ty).unwrap_or_else(|| panic!("{fun:?} of {ty}"));
            let all = ty.mask() + 1;
            let others = if fun.arity() == 2 { all } else { 1 };
            (0..all * others).for_each(|k| check(fun, &program, &[k % all, k / all], ty));
        }
    }
}

#[test]
fn programs_of_wide_numbers_are_as_their_functions_say() {
    let mut rng = Rng::new(5);
    let n = if std::env::var_os("SAMHW_FULL").is_some() { 100_000 } else { 600 };
    for round in 0..60 {
        let signed = rng.happens(0.5);
        let bits = [8, 16, 31, 32, 33, 48, 62, 63, 64, 64, 2 + rng.below(63) as u32][round % 11];
        let frac = [0, 1, bits / 2, bits - 1, bits, rng.below(u64::from(bits) + 1) as u32][rng.below(6) as usize];
        let ty = match rng.below(4) {
            0 => Type::Int { bits, signed, saturating: true },
            1 => Type::int(bits, signed),
            _ => Type::Fixed { bits, frac, signed },
        };
        for fun in OF_NUMBERS {
            let program = Program::of(fun, ty).unwrap();
            for _ in 0..n {
                let mut word = || match rng.below(7) {
                    0 => [0, 1, ty.least(), ty.greatest(), ty.one(), ty.wrap(-1)][rng.below(6) as usize],
                    1 => ty.wrap(i128::from(rng.below(40)) - 20),
                    2 => ty.wrap(i128::from(rng.below(40)) << (ty.fraction() / 2)),
                    3 => ty.wrap((i128::from(rng.below(200)) - 100) << ty.fraction()),
                    4 => ty.greatest() ^ rng.below(4) & ty.mask(),
                    _ => rng.bits() >> rng.below(64) & ty.mask(),
                };
                check(fun, &program, &[word(), word()], ty);
            }
        }
    }
}

#[test]
fn the_widest_fractions_are_exact() {
    let ty = Type::from_name("ufx64.64").unwrap();
    // 0.75 and 0.5, whose products and roots have more than 127 bits before they are rounded.
    let (three, half) = (3 << 62, 1 << 63);
    assert_eq!(Fun::Mul.apply(&[three, three], ty), 9 << 60);
    assert_eq!(Fun::Sqrt.apply(&[1 << 62], ty), half);
    assert_eq!(Fun::Sqrt.apply(&[u64::MAX], ty), u64::MAX);
    assert_eq!(Fun::Cube.apply(&[half], ty), 1 << 61);
    let ty = Type::from_name("ufx64.64").unwrap();
    assert_eq!(Fun::Div.apply(&[u64::MAX, u64::MAX], ty), u64::MAX, "1 is beyond the range");
    assert_eq!(Fun::Div.apply(&[1 << 62, 1 << 63], ty), 1 << 63);
    assert_eq!(Fun::Recip.apply(&[u64::MAX], ty), u64::MAX);
}

#[test]
fn divisors_and_powers_end_soon() {
    let mut rng = Rng::new(17);
    let types = ["i32", "u32", "i32s", "i16", "u8", "i18s", "fx16.8", "ufx16.4", "fx18.10"]
        .map(|name| Type::accumulator_from_name(name).unwrap());
    for ty in types {
        let [gcd, pow] = [Fun::Gcd, Fun::Pow].map(|fun| Program::of(fun, ty).unwrap());
        assert!(gcd.cycles().1 <= 70, "gcd of {ty}: {:?}", gcd.cycles());
        assert!(pow.cycles().1 <= 40, "powers of {ty}: {:?}", pow.cycles());
        for _ in 0..500 {
            let args = [rng.bits() >> rng.below(64) & ty.mask(), rng.bits() >> rng.below(64) & ty.mask()];
            check(Fun::Pow, &pow, &args, ty);
        }
    }
}

#[test]
fn divisors_of_whole_parts_end_soon() {
    let whole = Type::int(64, true);
    let mut rng = Rng::new(23);
    for ty in [Type::F16, Type::BF16, Type::F32, Type::F64] {
        let unit = Program::of(Fun::Gcd, ty).unwrap();
        for _ in 0..2000 {
            let mut number = || match rng.below(3) {
                0 => rng.bits() & ty.mask(),
                1 => convert(rng.bits() >> rng.below(64), whole, ty),
                _ => convert(rng.below(2000), whole, ty),
            };
            let args = [number(), number()];
            let [x, y] = args.map(|raw| convert(raw, ty, whole));
            let (y, cycles) = (convert(Fun::Gcd.apply(&[x, y], whole), whole, ty), unit.run(&args).1);
            assert_eq!((unit.run(&args).0, Fun::Gcd.apply(&args, ty)), (y, y), "{ty} {args:x?}");
            assert!((unit.cycles().0..=unit.cycles().1).contains(&cycles));
            assert!(
                cycles <= 70 || args.iter().any(|&raw| convert(raw, ty, whole) >> 31 != 0),
                "{ty} {args:x?}: {cycles}"
            );
        }
    }
}
