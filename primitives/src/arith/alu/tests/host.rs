//! The float units against the host's own arithmetic, in the definition and in the Verilog: for f32 all
//! triples of special values and random ones (10 million with `SAMHW_FULL`), for f16 and bf16 every value there is.

use super::side_by_side::{Bench, Unit};
use super::units::float;
use crate::arith::alu::plan::{self, UnitArgument, plan};
use crate::arith::convert::Convert;
use samhw_streams::{Param, Primitive};
use samhw_testing::drawn::drawn;
use samhw_values::{Fun, Rng, Type, convert, from_f64, to_f64};
use std::collections::VecDeque;

/// Functions with a definition of their own, which hosts come near to.
const REAL: [Fun; 8] = [Fun::Exp, Fun::Exp2, Fun::Log, Fun::Log2, Fun::Log10, Fun::Tanh, Fun::Sin, Fun::Cos];

/// Arguments to the result, both raw.
type Of = Box<dyn Fn([u64; 3]) -> u64>;

/// A unit, the definition of its result, and what the host says of it.
struct Case {
    name: String,
    unit: Unit,
    model: Option<Of>,
    host: Option<Of>,
}

/// The unit of `fun` on `ty`.
fn function(fun: Fun, ty: Type, host: Option<Of>) -> Case {
    let p = plan(fun, ty, None).unwrap();
    assert!(p.unit != plan::Unit::Program, "{fun:?} of {ty} takes a value per cycle");
    let arg = |n: usize| match p.args.get(n) {
        Some(UnitArgument::Arg(a)) => ["a", "b", "c"][*a].to_string(),
        Some(UnitArgument::Value(v)) => format!("{}'h{v:x}", ty.bits()),
        None => "a".to_string(),
    };
    let args = ["a", "b", "c"].into_iter().zip([0, 1, 2].map(arg)).collect();
    Case {
        name: format!("{} of {ty}", fun.name()),
        unit: Unit { module: p.unit.module(), params: p.params, depth: p.depth, args, bits: ty.bits() },
        model: Some(Box::new(move |x| fun.apply(&x[..fun.arity()], ty))),
        host,
    }
}

/// The unit that converts; what is wider than `a` takes `b` for its upper half.
fn conversion(from: Type, to: Type, host: Option<Of>, a_bits: u32) -> Case {
    let p = Convert { from, to, fill: 0, emit: 2, stop_w: 3 };
    let own = ["IN_W", "VAL_W", "STOP_W", "STAGES", "VALUES", "EMIT"];
    let params: Vec<(&str, Param)> = p.instance().params.into_iter().filter(|(n, _)| !own.contains(n)).collect();
    let word = move |[a, b, _]: [u64; 3]| if a_bits < 64 { a | b << a_bits } else { a } & from.mask();
    let x = if from.bits() > a_bits { "{b, a}".to_string() } else { format!("a[{}:0]", from.bits() - 1) };
    Case {
        name: format!("{from} to {to}"),
        unit: Unit { module: "samhw_convert_op", params, depth: p.stages() - 1, args: vec![("x", x)], bits: to.bits() },
        model: Some(Box::new(move |x| convert(word(x), from, to))),
        host: host.map(|host| -> Of { Box::new(move |[a, b, c]| host([word([a, b, c]), b, c])) }),
    }
}

/// Streams `words` through all units of arguments with `bits` bits, one triple per cycle, and compares.
fn stream(bits: u32, cases: Vec<Case>, words: impl Iterator<Item = [u64; 3]>) {
    let (mut units, mut checks) = (Vec::new(), Vec::new());
    for Case { name, unit, model, host } in cases {
        checks.push((name, unit.depth as usize, model, host));
        units.push(unit);
    }
    let inputs = ["a", "b", "c"].map(|n| (n.to_string(), bits));
    let mut bench = Bench::new(&inputs, &units);
    let deepest = units.iter().map(|u| u.depth).max().unwrap_or(0) as usize;
    // The latest first, each with what is expected of it.
    let mut sent: VecDeque<([u64; 3], Vec<u64>)> = VecDeque::new();
    let mut count = 0u64;
    let idle = std::iter::repeat_n([0; 3], deepest);
    for x in words.chain(idle) {
        let want = |(name, _, model, host): &(String, usize, Option<Of>, Option<Of>)| {
            let [model, host] = [model, host].map(|f| f.as_ref().map(|f| f(x)));
            if let (Some(got), Some(want)) = (model, host) {
                assert_eq!(got, want, "the definition of {name} at {x:x?}: {got:x}, not {want:x}");
            }
            model.or(host).unwrap()
        };
        sent.push_front((x, checks.iter().map(want).collect()));
        sent.truncate(deepest + 1);
        count += 1;
        let Some(bench) = &mut bench else { continue };
        bench.inputs.iter().zip(x).for_each(|(p, v)| bench.sim.set(*p, v));
        bench.sim.eval().unwrap();
        for (k, ((name, depth, ..), y)) in checks.iter().zip(&bench.outputs).enumerate() {
            let Some((x, want)) = sent.get(*depth) else { continue };
            let got = bench.sim.get(*y);
            assert_eq!(got, want[k], "the Verilog of {name} at {x:x?}: {got:x}, not {:x}", want[k]);
        }
        bench.sim.clock().unwrap();
    }
    println!("{count} triples through {} units", checks.len());
}

/// What rounding, range and special rules concern, and its neighbours, of both signs.
fn specials(ty: Type) -> Vec<u64> {
    let Type::Float { man, .. } = ty else { return Vec::new() };
    let (one, least, inf) = (ty.one(), 1u64 << man, ty.infinity());
    let half_ulp = one - u64::from(man + 1) * least;
    let whole = one + u64::from(man + 1) * least;
    let mut all = vec![0, 1, 2, least / 2, least - 1, least, least + 1, 2 * least - 1, 2 * least];
    all.extend([half_ulp - least, half_ulp, half_ulp + 1, one - least, one - 1, one, one + 1, one + 2, one + 3]);
    all.extend([one + least / 2, one + least, whole - least - 1, whole - 1, whole, whole + 1]);
    all.extend([inf - least, inf - 2, inf - 1, inf, ty.nan(), inf + 1, inf + least - 1]);
    all.iter().flat_map(|x| [*x, x | ty.sign_bit()]).collect()
}

/// A function of f32 by the host's own, its NaN made ours.
fn single(f: impl Fn(f32, f32, f32) -> f32 + 'static) -> Option<Of> {
    Some(Box::new(move |x| {
        let [a, b, c] = x.map(|x| f32::from_bits(x as u32));
        Type::F32.canonical(f(a, b, c).to_bits().into())
    }))
}

/// A comparison of f32 by the host's own.
fn truth(f: impl Fn(&f32, &f32) -> bool + 'static) -> Option<Of> {
    single(move |a, b, _| f32::from(u8::from(f(&a, &b))))
}

/// The smaller one (`turn` 1) or the larger one (-1); of zeros the one with that sign; NaN if one is.
fn smaller(a: f32, b: f32, turn: f32) -> f32 {
    if a.is_nan() || b.is_nan() {
        f32::NAN
    } else if a == b {
        if turn * a.signum() < turn * b.signum() { a } else { b }
    } else if turn * a < turn * b {
        a
    } else {
        b
    }
}

fn of_f32() -> Vec<Case> {
    let f = |fun, host| function(fun, Type::F32, host);
    let mut cases = vec![
        f(Fun::Add, single(|a, b, _| a + b)),
        f(Fun::Sub, single(|a, b, _| a - b)),
        f(Fun::Mul, single(|a, b, _| a * b)),
        f(Fun::Square, single(|a, _, _| a * a)),
        f(Fun::Cube, single(|a, _, _| a * a * a)),
        f(Fun::Neg, single(|a, _, _| -a)),
        f(Fun::Abs, single(|a, _, _| a.abs())),
        f(Fun::Min, single(|a, b, _| smaller(a, b, 1.0))),
        f(Fun::Max, single(|a, b, _| smaller(a, b, -1.0))),
        f(Fun::Clip, single(|a, b, c| smaller(smaller(a, b, -1.0), c, 1.0))),
        f(Fun::Relu, single(|a, _, _| smaller(a, 0.0, -1.0))),
        f(Fun::Eq, truth(|a, b| a == b)),
        f(Fun::Ne, truth(|a, b| a != b)),
        f(Fun::Lt, truth(|a, b| a < b)),
        f(Fun::Le, truth(|a, b| a <= b)),
        f(Fun::Gt, truth(|a, b| a > b)),
        f(Fun::Ge, truth(|a, b| a >= b)),
        f(Fun::IsNan, truth(|a, _| a.is_nan())),
        f(Fun::IsInf, truth(|a, _| a.is_infinite())),
        f(Fun::SignBit, truth(|a, _| a.is_sign_negative() && !a.is_nan())),
        f(Fun::CopySign, single(|a, b, _| if b.is_nan() { a.abs() } else { a.copysign(b) })),
        f(Fun::Floor, single(|a, _, _| a.floor())),
        f(Fun::Ceil, single(|a, _, _| a.ceil())),
        f(Fun::Trunc, single(|a, _, _| a.trunc())),
        f(Fun::Rint, single(|a, _, _| a.round_ties_even())),
        f(Fun::Div, single(|a, b, _| a / b)),
        f(Fun::Recip, single(|a, _, _| a.recip())),
        f(Fun::Sqrt, single(|a, _, _| a.sqrt())),
    ];
    // a * b + c, which programs use: the unit of products with another OP.
    let mut fma = function(Fun::Mul, Type::F32, single(f32::mul_add));
    fma.name = "multiply-add of f32".into();
    fma.model = None;
    fma.unit.params[0].1 = Param::Int(30);
    fma.unit.args[2].1 = "c".into();
    fma.unit.depth += 3;
    cases.push(fma);

    let ty = |name| Type::from_name(name).unwrap();
    let to = |name, host: fn(f32) -> u64| {
        conversion(Type::F32, ty(name), Some(Box::new(move |x| host(f32::from_bits(x[0] as u32)))), 32)
    };
    cases.extend([
        to("i8", |x| x as i8 as u8 as u64),
        to("u8", |x| x as u8 as u64),
        to("i16", |x| x as i16 as u16 as u64),
        to("i32", |x| x as i32 as u32 as u64),
        to("u32", |x| x as u32 as u64),
        to("i64", |x| x as i64 as u64),
        to("u64", |x| x as u64),
        to("bool", |x| u64::from(x != 0.0)),
        to("f64", |x| Type::F64.canonical(f64::from(x).to_bits())),
        to("fx16.8", |x| (f64::from(x) * 256.0).round_ties_even() as i16 as u16 as u64),
        // Rounded by hand: half of the last bit and whether the kept ones are odd.
        to("bf16", |x| {
            let raw = x.to_bits();
            if x.is_nan() { Type::BF16.nan() } else { u64::from((raw + 0x7fff + (raw >> 16 & 1)) >> 16) }
        }),
    ]);
    let from = |name, host: fn(u64) -> f32| {
        let host: Of = Box::new(move |x| Type::F32.canonical(host(x[0]).to_bits().into()));
        conversion(ty(name), Type::F32, Some(host), 32)
    };
    cases.extend([
        from("i8", |x| f32::from(x as i8)),
        from("i32", |x| x as i32 as f32),
        from("u32", |x| x as u32 as f32),
        from("i64", |x| x as i64 as f32),
        from("u64", |x| x as f32),
        from("f64", |x| f64::from_bits(x) as f32),
        from("fx16.8", |x| f32::from(x as i16) / 256.0),
        from("bf16", |x| f32::from_bits((x as u32) << 16)),
    ]);
    cases.extend(REAL.map(|fun| function(fun, Type::F32, None)));
    cases.extend([conversion(Type::F32, Type::F16, None, 32), conversion(Type::F16, Type::F32, None, 32)]);
    cases
}

#[test]
fn f32_is_what_the_host_computes() {
    let random = if std::env::var_os("SAMHW_FULL").is_some() { 10_000_000 } else { 60_000 };
    let special = specials(Type::F32);
    // Those that cancel and those that tie meet all others in products and sums: every third one is a third argument.
    let triples = special.iter().flat_map(|&a| {
        let special = &special;
        special.iter().flat_map(move |&b| special.iter().step_by(3).map(move |&c| [a, b, c]))
    });
    let mut rng = Rng::new(17);
    let some = move |_| {
        let mut x = [0; 3].map(|_| float(Type::F32, &mut rng));
        if rng.happens(0.5) {
            x = x.map(|_| rng.bits() >> 32);
        }
        if rng.happens(0.2) {
            // What nearly cancels in a * b + c.
            let [a, b] = [x[0], x[1]].map(|x| f32::from_bits(x as u32));
            x[2] = u64::from((-a * b).to_bits()) ^ rng.below(4);
        }
        if rng.happens(0.2) {
            x[1] = x[0] ^ Type::F32.sign_bit() ^ rng.below(8);
        }
        x
    };
    stream(32, of_f32(), triples.chain((0..random).map(some)));
}

/// Roots and reciprocals depend on the exponent only in whether it is odd, except subnormals: every fraction
/// of 1, of 2 and of the smallest numbers, and of the largest, whose reciprocals are subnormal, with
/// `SAMHW_FULL`.
#[test]
fn every_fraction_of_f32_has_its_root_and_its_reciprocal() {
    let cases = vec![
        function(Fun::Recip, Type::F32, single(|a, _, _| a.recip())),
        function(Fun::Sqrt, Type::F32, single(|a, _, _| a.sqrt())),
    ];
    let step = if std::env::var_os("SAMHW_FULL").is_some() { 1 } else { 2017 };
    let binades = [0, 127, 128, 254].into_iter().flat_map(|e| (e << 23..(e + 1) << 23).step_by(step));
    stream(32, cases, binades.map(|a| [a, 0, 0]));
}

/// x * 2^n by the host, in doubles, where just what is far below the least f32 is rounded before the end.
fn scaled(ty: Type) -> Option<Of> {
    Some(Box::new(move |[x, n, _]| {
        let [x, n] = [x, n].map(|x| to_f64(x, ty));
        let power = n.trunc().clamp(-900.0, 900.0);
        ty.canonical(from_f64(if n.is_nan() { n } else { x * 2f64.powi(power as i32) }, ty))
    }))
}

#[test]
fn every_step_of_the_exponent_scales() {
    for (bits, types) in [(16, &[Type::F16, Type::BF16][..]), (32, &[Type::F32]), (64, &[Type::F64])] {
        let case = |&ty: &Type| function(Fun::Ldexp, ty, (ty != Type::F64).then(|| scaled(ty)).flatten());
        let mut rng = Rng::new(23);
        let words: Vec<[u64; 3]> = (0..30_000)
            .map(|k| {
                let ty = types[k % types.len()];
                let Type::Float { exp, man } = ty else { unreachable!("{ty} is a float") };
                let most = (1i64 << exp) + i64::from(man) + 5;
                let n = rng.below(2 * most as u64) as i64 - most;
                let special = specials(ty);
                let x = if rng.happens(0.3) {
                    special[rng.below(special.len() as u64) as usize]
                } else {
                    rng.bits() & ty.mask()
                };
                let by = match rng.below(8) {
                    0 => special[rng.below(special.len() as u64) as usize],
                    1 => rng.bits() & ty.mask(),
                    _ => from_f64(n as f64 + 0.5 * rng.below(2) as f64 * n.signum() as f64, ty),
                };
                [x, by, 0]
            })
            .collect();
        stream(bits, types.iter().map(case).collect(), words.into_iter());
    }
}

/// `f` of doubles, rounded once.
fn double(ty: Type, f: impl Fn(f64) -> f64 + 'static) -> Option<Of> {
    Some(Box::new(move |x| from_f64(f(to_f64(x[0], ty)), ty)))
}

#[test]
fn every_half_is_what_the_host_computes() {
    for ty in drawn([Type::F16, Type::BF16], 1) {
        let f = |fun, host: fn(f64) -> f64| function(fun, ty, double(ty, host));
        let mut cases = vec![
            f(Fun::Neg, |x| -x),
            f(Fun::Abs, f64::abs),
            f(Fun::Floor, f64::floor),
            f(Fun::Ceil, f64::ceil),
            f(Fun::Trunc, f64::trunc),
            f(Fun::Rint, f64::round_ties_even),
            f(Fun::Square, |x| x * x),
            f(Fun::Relu, |x| if x > 0.0 || x.is_nan() { x } else { 0.0 }),
            f(Fun::Sign, |x| if x == 0.0 || x.is_nan() { x } else { x.signum() }),
            f(Fun::Not, |x| f64::from(u8::from(x == 0.0))),
            f(Fun::ToBool, |x| f64::from(u8::from(x != 0.0))),
            f(Fun::IsNan, |x| f64::from(u8::from(x.is_nan()))),
            f(Fun::IsInf, |x| f64::from(u8::from(x.is_infinite()))),
            f(Fun::Recip, f64::recip),
            f(Fun::Sqrt, f64::sqrt),
        ];
        // How near these are to the host is measured with their definition.
        cases.extend(REAL.map(|fun| function(fun, ty, None)));
        let to = |name: &str, host: fn(f64) -> u64| {
            let host: Of = Box::new(move |x| host(to_f64(x[0], ty)));
            conversion(ty, Type::from_name(name).unwrap(), Some(host), 16)
        };
        cases.extend([
            to("i8", |x| x as i8 as u8 as u64),
            to("u8", |x| x as u8 as u64),
            to("i16", |x| x as i16 as u16 as u64),
            to("u16", |x| x as u16 as u64),
            to("i32", |x| x as i32 as u32 as u64),
            to("u32", |x| x as u32 as u64),
            to("i64", |x| x as i64 as u64),
            to("u64", |x| x as u64),
            to("i16s", |x| x as i16 as u16 as u64),
            to("bool", |x| u64::from(x != 0.0)),
            to("fx16.8", |x| (x * 256.0).round_ties_even() as i16 as u16 as u64),
            to("f64", |x| Type::F64.canonical(x.to_bits())),
            to("f32", |x| Type::F32.canonical((x as f32).to_bits().into())),
        ]);
        let other = if ty == Type::F16 { Type::BF16 } else { Type::F16 };
        cases.push(conversion(ty, other, Some(Box::new(move |x| from_f64(to_f64(x[0], ty), other))), 16));
        stream(16, cases, (0..=0xffff).map(|x| [x, 0, 0]));
    }
}
