//! Programs against the host's functions.

mod numbers;

use super::{Program, Routine};
use crate::body::eval;
use crate::{Fun, Loop, Pipeline, Rng, Term, Type, from_f64, to_f64};

fn run(fun: Fun, ty: Type, args: &[u64]) -> u64 {
    Program::of(fun, ty).unwrap_or_else(|| panic!("{fun:?}")).run(args).0 & ty.mask()
}

#[test]
fn rests_of_floats_are_exact() {
    let mut rng = Rng::new(6);
    let mut most = 0;
    for ty in [Type::F64, Type::F32, Type::BF16, Type::F16] {
        for fun in [Fun::Mod, Fun::PyMod, Fun::Idiv] {
            let program = Program::of(fun, ty).unwrap();
            for k in 0..6000 {
                let mut value = || if rng.happens(0.5) { rng.bits() & ty.mask() } else { from_f64(some(&mut rng), ty) };
                let mut args = [value(), value()];
                match k % 4 {
                    // A whole multiple, or nearly.
                    0 => args[0] = Fun::Mul.apply(&[args[1], from_f64(rng.below(50) as f64 - 25.0, ty)], ty),
                    1 => args[0] ^= ty.sign_bit() * rng.below(2),
                    _ => {}
                }
                let (got, cycles) = program.run(&args);
                let want = fun.apply(&args, ty);
                assert_eq!(got, want, "{fun:?} of {ty} at {args:x?}: {} and {}", to_f64(got, ty), to_f64(want, ty));
                most = most.max(cycles);
            }
        }
    }
    let far = Program::of(Fun::Mod, Type::F64).unwrap().run(&[f64::MAX.to_bits(), 3]);
    assert_eq!(f64::from_bits(far.0), f64::MAX % f64::from_bits(3));
    println!("at most {} cycles", most.max(far.1));
}

fn some(rng: &mut Rng) -> f64 {
    let sign = if rng.happens(0.5) { -1.0 } else { 1.0 };
    let unit = (rng.bits() >> 11) as f64 / (1u64 << 53) as f64;
    sign * match rng.below(8) {
        0 => [0.0, 1.0, 0.5, 2.0, 1e-310, f64::INFINITY, f64::NAN, 3.0, f64::MAX, f64::MIN_POSITIVE]
            [rng.below(10) as usize],
        1 => f64::from_bits(rng.bits() >> 1),
        2 => 1.0 + (unit - 0.5) * 1e-3,
        3 => unit * 1e-5,
        4 => unit * 700.0,
        5 => rng.below(12) as f64,
        _ => unit * 3.0,
    }
}

#[test]
fn quotients_roots_and_scaling_are_exact() {
    let mut rng = Rng::new(2);
    for ty in [Type::F64, Type::F32, Type::BF16, Type::F16] {
        for fun in [Fun::Div, Fun::Recip, Fun::Sqrt] {
            let program = Program::of(fun, ty).unwrap();
            for _ in 0..4000 {
                let mut value = || if rng.happens(0.5) { rng.bits() & ty.mask() } else { from_f64(some(&mut rng), ty) };
                let args = [value(), value()];
                let (got, want) = (program.run(&args).0, fun.apply(&args, ty));
                assert_eq!(got, want, "{fun:?} of {ty} at {args:x?}: {} and {}", to_f64(got, ty), to_f64(want, ty));
            }
        }
    }
}

#[test]
fn scaling_rounds_once() {
    let mut rng = Rng::new(4);
    let program = Program::of(Fun::Ldexp, Type::F64).unwrap();
    for _ in 0..20_000 {
        let (x, n) = (some(&mut rng), rng.below(4600) as i64 - 2300);
        let got = f64::from_bits(program.run(&[x.to_bits(), (n as f64 + 0.25 * n.signum() as f64).to_bits()]).0);
        // Powers of two in steps: only the last one can round.
        let mut want = x;
        let part = if n < 0 { 2f64.powi(-1000) } else { 2f64.powi(1000) };
        let whole = n.unsigned_abs() / 1000;
        let rest = 2f64.powi((n % 1000) as i32);
        if n > 0 || x.abs() < 1.0 {
            want *= rest;
            (0..whole).for_each(|_| want *= part);
        } else {
            (0..whole).for_each(|_| want *= part);
            want *= rest;
        }
        let twice = want.abs() < f64::MIN_POSITIVE;
        assert!(twice || got == want || got.is_nan() && want.is_nan(), "{x:e} * 2^{n}: {got:e}, not {want:e}");
    }
}

/// Units in the last place of `want` between the two.
fn ulps(got: f64, want: f64, ty: Type) -> f64 {
    if got == want || got.is_nan() && want.is_nan() {
        return 0.0;
    }
    let Type::Float { man, exp } = ty else { return f64::INFINITY };
    let least = f64::from(2 - (1 << (exp - 1))).exp2();
    // Infinity counts as the largest number.
    let bound = to_f64(ty.infinity() - 1, ty);
    let finite = |x: f64| if x.is_infinite() { bound.copysign(x) } else { x };
    let size = finite(want).abs().max(least);
    let ulp = (size.log2().floor() - f64::from(man)).exp2();
    ((finite(got) - finite(want)) / ulp).abs()
}

#[test]
fn functions_of_reals_are_near_the_host() {
    let mut rng = Rng::new(3);
    let n = if std::env::var_os("SAMHW_FULL").is_some() { 2_000_000 } else { 6000 };
    let mut worst = String::new();
    for (fun, host, bound) in hosts() {
        for (ty, bound) in [(Type::F64, bound), (Type::F32, 1.0), (Type::F16, 1.0)] {
            let program = Program::of(fun, ty).unwrap();
            let (mut most, mut cycles) = (0f64, 0);
            for _ in 0..n {
                let args = [some(&mut rng), some(&mut rng)].map(|x| from_f64(x, ty));
                let [x, y] = args.map(|a| to_f64(a, ty));
                let periodic = matches!(fun, Fun::Sin | Fun::Cos | Fun::Tan);
                if periodic && x.abs() >= super::trigonometric::FAR {
                    continue;
                }
                let (raw, took) = program.run(&args);
                let (got, want) = (to_f64(raw, ty), to_f64(from_f64(host(x, y), ty), ty));
                let error = ulps(got, want, ty);
                assert!(error <= bound, "{fun:?} of {ty} at {x:e}, {y:e}: {got:e}, not {want:e}: {error} ulp");
                most = most.max(error);
                cycles = cycles.max(took);
            }
            worst += &format!("{:<9} {ty}: {most} ulp, {cycles} cycles\n", fun.name());
        }
    }
    println!("{worst}");
}

/// ln 2x
fn large(x: f64) -> f64 {
    x.ln() + std::f64::consts::LN_2
}

type Host = fn(f64, f64) -> f64;

fn hosts() -> Vec<(Fun, Host, f64)> {
    vec![
        (Fun::Exp, |x, _| x.exp(), 2.0),
        (Fun::Exp2, |x, _| x.exp2(), 2.0),
        (Fun::Expm1, |x, _| x.exp_m1(), 3.0),
        (Fun::Log, |x, _| x.ln(), 2.0),
        (Fun::Log1p, |x, _| x.ln_1p(), 4.0),
        (Fun::Log2, |x, _| x.log2(), 3.0),
        (Fun::Log10, |x, _| x.log10(), 3.0),
        (Fun::Pow, |x, y| x.powf(y), 4096.0),
        (Fun::Sinh, |x, _| x.sinh(), 4.0),
        (Fun::Cosh, |x, _| x.cosh(), 4.0),
        (Fun::Tanh, |x, _| x.tanh(), 4.0),
        // The host's overflow where the square of x does.
        (Fun::Asinh, |x, _| if x.abs() < 1e9 { x.asinh() } else { large(x.abs()).copysign(x) }, 6.0),
        // Near 1 it loses digits.
        (
            Fun::Acosh,
            |x, _| match x {
                1.0..2.0 => (x - 1.0 + ((x - 1.0) * (x - 1.0 + 2.0)).sqrt()).ln_1p(),
                2.0..1e9 => x.acosh(),
                _ => large(x.max(if x < 1.0 { f64::NAN } else { x })) + if x < 1.0 { f64::NAN } else { 0.0 },
            },
            6.0,
        ),
        (Fun::Atanh, |x, _| x.abs().atanh().copysign(x), 6.0),
        (Fun::Cbrt, |x, _| x.cbrt(), 2.0),
        (Fun::Hypot, |x, y| x.hypot(y), 2.0),
        (Fun::Sin, |x, _| x.sin(), 2.0),
        (Fun::Cos, |x, _| x.cos(), 2.0),
        (Fun::Tan, |x, _| x.tan(), 4.0),
        (Fun::Asin, |x, _| x.asin(), 4.0),
        (Fun::Acos, |x, _| x.acos(), 4.0),
        (Fun::Atan, |x, _| x.atan(), 2.0),
        (Fun::Atan2, |x, y| x.atan2(y), 4.0),
    ]
}

#[test]
fn programs_fit_their_encoding() {
    for &fun in Fun::ALL {
        for ty in ["i8", "u64", "f16", "bf16", "f32", "f64"].map(|n| Type::from_name(n).unwrap()) {
            let Some(p) = Program::of(fun, ty) else { continue };
            assert!(p.instrs.len() < 4096 && p.consts.len() < 4096, "{fun:?}");
            assert_eq!(run(fun, ty, &[ty.one(), ty.one()]), p.run(&[ty.one(), ty.one()]).0 & ty.mask());
        }
    }
}

/// Arguments of a type: small numbers, the ends of the range, and anything.
fn argument(rng: &mut Rng, ty: Type) -> u64 {
    match rng.below(6) {
        0 => [0, ty.one(), ty.least(), ty.greatest(), ty.nan(), ty.sign_bit()][rng.below(6) as usize],
        1 => ty.raw(i128::from(rng.below(20)) - if ty.is_signed() { 10 } else { 0 }).unwrap_or(0),
        2 if ty.is_float() => ty.canonical(from_f64(some(rng), ty)),
        _ => ty.canonical(rng.bits() >> rng.below(64) & ty.mask()),
    }
}

const TYPES: [&str; 24] = [
    "i8", "u8", "i32", "u32", "i64", "u64", "i13", "bool", "i1", "u1", "i16s", "u32s", "i64s", "u64s", "i63s",
    "fx16.8", "ufx32.5", "fx64.40", "ufx64.64", "fx8.8", "f16", "f32", "bf16", "f64",
];

#[test]
fn functions_inside_of_programs_are_as_they_say() {
    let mut rng = Rng::new(8);
    for ty in TYPES.map(|n| Type::accumulator_from_name(n).unwrap()) {
        for &fun in Fun::ALL {
            let of: Vec<usize> = (0..fun.arity()).collect();
            let mut terms: Vec<Term> = of.iter().map(|&k| Term::Arg(k)).collect();
            terms.push(Term::Apply(fun, of));
            if fun.needs_float() && !ty.is_float() {
                continue;
            }
            // What pipelines define is all that has no program inside of others.
            let routine = Routine::new("f", fun.arity(), &terms, ty);
            assert_eq!(routine.is_none(), Pipeline::shared(fun, ty).is_some(), "{fun:?} of {ty}");
            let Some(routine) = routine else { continue };
            let (least, most) = routine.program.cycles();
            for _ in 0..400 {
                let args: Vec<u64> = (0..fun.arity()).map(|_| argument(&mut rng, ty)).collect();
                let (got, cycles) = routine.run(&args);
                assert_eq!(got, fun.apply(&args, ty), "{fun:?} of {ty} at {args:x?}");
                assert!((least..=most).contains(&cycles), "{fun:?} of {ty}: {cycles} of {least} to {most}");
            }
        }
    }
}

/// Random bodies with loops in loops, in which values go round, swap and stay.
fn body(rng: &mut Rng, arity: usize, depth: u32, loops: u32) -> Vec<Term> {
    const FUNS: [Fun; 14] = [
        Fun::Add,
        Fun::Sub,
        Fun::Mul,
        Fun::Max,
        Fun::Min,
        Fun::Where,
        Fun::Lt,
        Fun::Eq,
        Fun::And,
        Fun::Neg,
        Fun::Abs,
        Fun::Clip,
        Fun::Square,
        Fun::Sign,
    ];
    let mut terms: Vec<Term> = (0..arity).map(Term::Arg).collect();
    terms.push(Term::Literal(1));
    for _ in 0..depth {
        let one = |rng: &mut Rng, n: usize| rng.below(n as u64) as usize;
        if loops > 0 && rng.happens(0.4) {
            let inputs: Vec<usize> = (0..1 + one(rng, 4)).map(|_| one(rng, terms.len())).collect();
            let inner = body(rng, inputs.len(), 3, loops - 1);
            let next: Vec<usize> = (0..1 + one(rng, inputs.len())).map(|_| one(rng, inner.len())).collect();
            let whole = |t: &Term| !matches!(t, Term::Loop(_));
            let some = |rng: &mut Rng| loop {
                let t = rng.below(inner.len() as u64) as usize;
                if whole(&inner[t]) {
                    break t;
                }
            };
            let next: Vec<usize> = next.iter().map(|_| some(rng)).collect();
            let (condition, limit) = (some(rng), rng.below(5));
            let changing = next.len();
            terms.push(Term::Loop(Box::new(Loop { inputs, terms: inner, condition, next, limit })));
            let at = terms.len() - 1;
            (0..changing).for_each(|k| terms.push(Term::Left(at, k)));
        } else {
            let f = FUNS[one(rng, FUNS.len())];
            let readable: Vec<usize> = (0..terms.len()).filter(|&t| !matches!(terms[t], Term::Loop(_))).collect();
            let of = (0..f.arity()).map(|_| readable[one(rng, readable.len())]).collect();
            terms.push(Term::Apply(f, of));
        }
    }
    terms
}

#[test]
fn bodies_with_loops_are_as_their_terms_say() {
    let mut rng = Rng::new(9);
    let mut fitted = 0;
    for n in 0..600 {
        let ty = Type::from_name(["i32", "u8", "f32", "fx16.8", "i16s", "bool"][n % 6]).unwrap();
        let arity = 1 + rng.below(4) as usize;
        let terms = body(&mut rng, arity, 6, 2);
        let Some(routine) = Routine::new("f", arity, &terms, ty) else { continue };
        fitted += 1;
        let (least, most) = routine.program.cycles();
        for _ in 0..10 {
            let args: Vec<u64> = (0..arity).map(|_| argument(&mut rng, ty)).collect();
            let (got, cycles) = routine.run(&args);
            assert_eq!(got, eval(&terms, &args, ty), "{ty}: {terms:?} at {args:x?}");
            assert!((least..=most).contains(&cycles), "{cycles} of {least} to {most}");
        }
    }
    assert!(fitted > 500, "{fitted} bodies fit");
}
