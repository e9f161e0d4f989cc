//! Pipelines against the host's functions of doubles: every f16 and bf16, and of f32 every 65,521st, all with `SAMHW_FULL`.

use super::Pipeline;
use crate::{Fun, Type, to_f64};

type Host = fn(f64) -> f64;

/// Less than this many units of the last place is promised, of every function.
const PROMISED: f64 = 2.0;

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

/// The largest error over `raws`, and where.
fn worst(fun: Fun, host: Host, ty: Type, raws: impl Iterator<Item = u64>) -> (f64, u64) {
    let p = Pipeline::shared(fun, ty).unwrap();
    let mut most = (0.0, 0);
    for raw in raws {
        let x = to_f64(raw, ty);
        let (got, want) = (to_f64(p.apply(raw), ty), host(x));
        let error = ulps(got, want, ty);
        assert!(error < PROMISED, "{} of {ty} at {x:e}: {got:e}, not {want:e}: {error} ulp", fun.name());
        if error > most.0 {
            most = (error, raw);
        }
    }
    most
}

/// Of every `step`th f32, a part in each thread.
fn worst_single(fun: Fun, host: Host, step: usize) -> (f64, u64) {
    let n = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let part = (1u64 << 32).div_ceil(n);
    std::thread::scope(|s| {
        let parts: Vec<_> = (0..n)
            .map(|k| {
                s.spawn(move || worst(fun, host, Type::F32, (k * part..((k + 1) * part).min(1 << 32)).step_by(step)))
            })
            .collect();
        let all = parts.into_iter().map(|part| part.join().unwrap());
        all.fold((0.0, 0), |a, b| if b.0 > a.0 { b } else { a })
    })
}

fn near(fun: Fun, host: Host) {
    for ty in [Type::F16, Type::BF16] {
        print(fun, ty, worst(fun, host, ty, 0..0x10000));
    }
    let step = if std::env::var_os("SAMHW_FULL").is_some() { 1 } else { 65_521 };
    print(fun, Type::F32, worst_single(fun, host, step));
}

fn print(fun: Fun, ty: Type, (error, raw): (f64, u64)) {
    println!("{} of {ty}: at most {error:.4} ulp, at {:e} (0x{raw:x})", fun.name(), to_f64(raw, ty));
}

/// A test for each function, since all f32 take minutes.
macro_rules! near {
    ($($test:ident: $fun:ident, $host:expr;)*) => {
        $(#[test]
        fn $test() {
            near(Fun::$fun, $host);
        })*
    };
}

near! {
    exp_is_near_the_host: Exp, f64::exp;
    exp2_is_near_the_host: Exp2, f64::exp2;
    log_is_near_the_host: Log, f64::ln;
    log2_is_near_the_host: Log2, f64::log2;
    log10_is_near_the_host: Log10, f64::log10;
    tanh_is_near_the_host: Tanh, f64::tanh;
    sine_is_near_the_host: Sin, f64::sin;
    cosine_is_near_the_host: Cos, f64::cos;
}
