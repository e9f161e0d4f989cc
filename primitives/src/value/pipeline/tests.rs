//! Pipelines against the host's functions of doubles: every f16 and bf16, many f32.

use super::Pipeline;
use crate::value::{Fun, Type, to_f64};

type Host = fn(f64) -> f64;

const FUNS: [(Fun, Host); 6] = [
    (Fun::Exp, f64::exp),
    (Fun::Log, f64::ln),
    (Fun::Log10, f64::log10),
    (Fun::Tanh, f64::tanh),
    (Fun::Sin, f64::sin),
    (Fun::Cos, f64::cos),
];

/// The distance from what is exact, in units of its last place. What overflows is one such unit beyond the largest.
fn ulps(got: f64, want: f64, ty: Type) -> f64 {
    let Type::Float { exp, man } = ty else { return f64::INFINITY };
    if got.is_nan() || want.is_nan() {
        return if got.is_nan() && want.is_nan() { 0.0 } else { f64::INFINITY };
    }
    let end = f64::from(1 << (exp - 1)).exp2();
    let within = |x: f64| x.clamp(-end, end);
    let (got, want) = (within(got), within(want));
    if got == want {
        return 0.0;
    }
    let e = (want.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    let least = 2 - (1 << (exp - 1));
    let ulp = f64::from_bits(((e.clamp(least, (1 << (exp - 1)) - 1) - man as i32 + 1023) as u64) << 52);
    ((got - want) / ulp).abs()
}

/// The largest error over `raws`.
fn worst(fun: Fun, host: Host, ty: Type, raws: impl Iterator<Item = u64>) -> f64 {
    let p = Pipeline::of(fun, ty).unwrap();
    let mut most = 0.0;
    for raw in raws {
        let x = to_f64(raw, ty);
        let (got, want) = (to_f64(p.apply(raw), ty), host(x));
        let error = ulps(got, want, ty);
        assert!(error < 1.1, "{} of {ty} at {x:e}: {got:e}, not {want:e}: {error} ulp", fun.name());
        if error > most {
            most = error;
        }
    }
    most
}

#[test]
fn pipelines_are_near_the_host() {
    let step = if std::env::var_os("SAMHW_FULL").is_some() { 1021 } else { 65_521 };
    for (fun, host) in FUNS {
        let small = [Type::F16, Type::BF16].map(|ty| worst(fun, host, ty, 0..0x10000));
        let single = worst(fun, host, Type::F32, (0..1u64 << 32).step_by(step));
        println!("{:<6} f16 {:.3}, bf16 {:.3}, f32 {single:.3} ulp", fun.name(), small[0], small[1]);
    }
}
