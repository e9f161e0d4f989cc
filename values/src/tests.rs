//! Types: names, text, rounding and conversion, against brute force over all values of the small formats.

use super::*;

const ALL: [&str; 20] = [
    "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "i8s", "u16s", "i64s", "bool", "fx16.8", "ufx8.8", "fx64.63",
    "fx2.0", "f64", "f32", "bf16", "f16",
];

fn ty(name: &str) -> Type {
    Type::accumulator_from_name(name).unwrap()
}

/// Some bit patterns of a type: all that are special, and many others.
fn patterns(ty: Type) -> Vec<u64> {
    let mut rng = Rng::new(7);
    let mut all = vec![0, 1, 2, ty.mask(), ty.mask() - 1, ty.least(), ty.greatest(), ty.one(), ty.nan(), ty.sign_bit()];
    all.extend((0..500).map(|_| rng.bits()));
    all.iter().map(|raw| ty.canonical(raw & ty.mask())).collect()
}

#[test]
fn names_come_back_and_others_are_refused() {
    for name in ALL {
        assert_eq!(Type::from_name(name).map(|t| t.to_string()).as_deref(), Some(name));
    }
    for name in [
        "", "i", "i7", "i48", "f8", "fx8", "fx8.9", "fx1.0", "fx65.1", "fx16.08", "bools", "f32s", "s", "u", "i08", "é",
    ] {
        assert_eq!(Type::from_name(name), None, "{name}");
    }
    assert_eq!(Type::accumulator_from_name("i48"), Some(Type::int(48, true)));
    assert!(Type::NAMES.iter().all(|name| ty(name).to_string() == *name));
}

#[test]
fn text_reads_back_as_the_same_bits() {
    for name in ALL {
        let ty = ty(name);
        for raw in patterns(ty) {
            let text = ty.show(raw);
            assert_eq!(ty.parse(&text), Ok(raw), "{name} {raw:#x} {text}");
            if let Ok(other) = text.parse::<f64>() {
                assert!(other.is_nan() || from_f64(other, Type::F64) == other.to_bits());
            }
        }
    }
    assert_eq!(Type::F16.show(0x2e66), "0.1");
    assert_eq!(Type::BF16.show(0x3dcd), "0.1");
    assert_eq!(Type::F32.show(f32::MAX.to_bits().into()), "3.4028235e38");
    assert_eq!(ty("fx16.8").show(0xff80), "-0.5");
    assert_eq!((ty("bool").show(1), Type::F64.show(0x8000_0000_0000_0000)), ("1".into(), "-0.0".into()));
}

#[test]
fn numbers_that_a_type_does_not_have_are_named() {
    for (name, text, want) in [
        ("i8", "128", Err(Misfit::OutOfRange)),
        ("i8", "-128", Ok(0x80)),
        ("i8", "1.5", Err(Misfit::Inexact)),
        ("i8", "2.", Ok(2)),
        ("i8", "1e2", Ok(100)),
        ("i8", "1200e-1", Ok(120)),
        ("i8", "1e-99999999999999999999", Err(Misfit::Inexact)),
        ("u64", "18446744073709551615", Ok(u64::MAX)),
        ("u64", "18446744073709551616", Err(Misfit::OutOfRange)),
        ("u8", "-1", Err(Misfit::OutOfRange)),
        ("u8", "-0", Ok(0)),
        ("i32", "inf", Err(Misfit::NotFinite)),
        ("u16s", "inf", Ok(0xffff)),
        ("i16s", "-Infinity", Ok(0x8000)),
        ("i16s", "nan", Err(Misfit::NotFinite)),
        ("bool", "true", Ok(1)),
        ("bool", "2", Err(Misfit::OutOfRange)),
        ("fx16.8", "0.001953125", Ok(0)),
        ("fx16.8", "0.001953126", Ok(1)),
        ("fx16.8", "0.005859375", Ok(2)),
        ("fx16.8", "128", Err(Misfit::OutOfRange)),
        ("fx16.8", "-128", Ok(0x8000)),
        ("f64", "1e999", Err(Misfit::OutOfRange)),
        ("f64", "-inf", Ok(0xfff0 << 48)),
        ("f64", "-1e-999", Ok(1 << 63)),
        ("f64", "+-1", Err(Misfit::NotNumber)),
        ("i8", "-+1", Err(Misfit::NotNumber)),
        ("f64", "NaN", Ok(0x7ff8 << 48)),
        ("f32", "1e39", Err(Misfit::OutOfRange)),
        ("f64", "1x", Err(Misfit::NotNumber)),
        ("f64", "", Err(Misfit::NotNumber)),
        ("f64", ".", Err(Misfit::NotNumber)),
        ("f64", "1e", Err(Misfit::NotNumber)),
        // Rounding through a double would lose what is above the tie.
        ("f16", "1.00048828125", Ok(0x3c00)),
        ("f16", "1.00048828125000000000000000001", Ok(0x3c01)),
        ("f16", "1.00146484375", Ok(0x3c02)),
        ("f16", "1.00146484374999999999999999999", Ok(0x3c01)),
        ("f16", "65519.999999999999999999", Ok(0x7bff)),
        ("f16", "65520", Err(Misfit::OutOfRange)),
    ] {
        assert_eq!(ty(name).parse(text), want, "{name} {text}");
    }
    assert_eq!(ty("fx16.8").parse_exact("0.1"), Err(Misfit::Inexact));
    assert_eq!(ty("fx16.8").parse_exact("-0.125"), Ok(0xffe0));
}

/// Every finite value of a 16-bit format from 0 up, then where rounding gives infinity.
fn ladder(ty: Type) -> Vec<f64> {
    let Type::Float { exp, man } = ty else { return Vec::new() };
    let least = 2 - (1i32 << (exp - 1)) - man as i32;
    (0..=ty.infinity())
        .map(|raw| {
            let (field, fraction) = ((raw >> man) as i32, raw & ((1 << man) - 1));
            let significand = if field == 0 { fraction } else { fraction | 1 << man };
            significand as f64 * 2f64.powi(least + (field - 1).max(0))
        })
        .collect()
}

#[test]
fn small_floats_round_to_the_nearest_of_all_their_values() {
    for small in [Type::F16, Type::BF16] {
        let values = ladder(small);
        let nearest = |x: f64| {
            let above = values.partition_point(|v| *v < x).min(values.len() - 1);
            let below = above.saturating_sub(1);
            let (down, up) = (x - values[below], values[above] - x);
            (if values[above] == x || up < down || up == down && above % 2 == 0 { above } else { below }) as u64
        };
        let mut tried: Vec<f64> = Vec::new();
        for pair in values.windows(2) {
            let middle = (pair[0] + pair[1]) / 2.0;
            tried.extend([pair[0], middle, middle.next_up(), middle.next_down()]);
        }
        tried.extend([1e300, f64::MIN_POSITIVE, 1e-60]);
        for x in tried {
            assert_eq!(from_f64(x, small), nearest(x), "{small} {x:e}");
            assert_eq!(from_f64(-x, small), nearest(x) | small.sign_bit(), "{small} -{x:e}");
        }
        for (raw, value) in values[..values.len() - 1].iter().enumerate() {
            assert_eq!(to_f64(raw as u64, small), *value);
        }
        assert_eq!(from_f64(f64::NAN, small), small.nan());
    }
}

#[test]
fn floats_convert_as_the_host_does() {
    for raw in patterns(Type::F64) {
        let x = f64::from_bits(raw);
        let single = x as f32;
        let want = if single.is_nan() { Type::F32.nan() } else { single.to_bits().into() };
        assert_eq!(convert(raw, Type::F64, Type::F32), want, "{x:e}");
        assert_eq!(convert(raw, Type::F64, ty("i32")), u64::from(x as i32 as u32), "{x:e}");
        assert_eq!(convert(raw, Type::F64, ty("u64")), x as u64, "{x:e}");
        assert_eq!(convert(raw, Type::F64, ty("i64s")), x as i64 as u64, "{x:e}");
    }
    for raw in patterns(Type::F32) {
        let x = f32::from_bits(raw as u32);
        let want = if x.is_nan() { Type::F64.nan() } else { f64::from(x).to_bits() };
        assert_eq!(convert(raw, Type::F32, Type::F64), want);
        assert_eq!(convert(raw, Type::F32, ty("i8")), u64::from(x as i8 as u8), "{x:e}");
    }
    for raw in patterns(ty("i64")) {
        let (signed, unsigned) = (raw as i64, raw);
        assert_eq!(convert(raw, ty("i64"), Type::F32), u64::from((signed as f32).to_bits()));
        assert_eq!(convert(raw, ty("u64"), Type::F32), u64::from((unsigned as f32).to_bits()));
        assert_eq!(convert(raw, ty("i64"), Type::F64), (signed as f64).to_bits());
        assert_eq!(convert(raw, ty("i64"), ty("u8")), raw & 0xff);
        assert_eq!(convert(raw, ty("i64"), ty("i8s")), u64::from(signed.clamp(-128, 127) as u8));
        assert_eq!(convert(raw, ty("u64"), Type::Bool), u64::from(raw != 0));
    }
}

#[test]
fn fixed_point_rounds_to_even_and_saturates() {
    let (wide, narrow) = (ty("fx32.16"), ty("fx8.2"));
    for (value, want) in
        [(0.125, 0.0), (0.375, 0.5), (0.13, 0.25), (-0.125, 0.0), (-0.375, -0.5), (99.0, 31.75), (-99.0, -32.0)]
    {
        let raw = from_f64(value, wide);
        assert_eq!(to_f64(convert(raw, wide, narrow), narrow), want, "{value}");
        assert_eq!(to_f64(from_f64(value, narrow), narrow), want, "{value}");
    }
    let half = from_f64(-3.5, wide);
    assert_eq!(ty("i32").value(convert(half, wide, ty("i32"))), -3);
    assert_eq!(to_f64(convert(5, ty("i32"), narrow), narrow), 5.0);
    assert_eq!(to_f64(convert(ty("i32").wrap(-5000), ty("i32"), narrow), narrow), -32.0);
    assert_eq!(from_f64(f64::INFINITY, narrow), 0x7f);
    assert_eq!(from_f64(f64::NAN, narrow), 0);
}

/// A number as m * 2^e; `None`: it is no number, or infinite.
fn exact(raw: u64, from: Type) -> Option<(i128, i32)> {
    let Type::Float { exp, man } = from else { return Some((from.value(raw), -(from.fraction() as i32))) };
    let (field, fraction) = (raw >> man & ((1 << exp) - 1), i128::from(raw & ((1 << man) - 1)));
    let least = 2 - (1 << (exp - 1)) - man as i32;
    let (size, e) = if field == 0 { (fraction, least) } else { (fraction | 1 << man, least + field as i32 - 1) };
    let finite = field != (1 << exp) - 1;
    finite.then_some((if raw & from.sign_bit() == 0 { size } else { -size }, e))
}

#[test]
fn every_pair_of_types_converts_as_the_page_says() {
    let more = ["i48", "u9", "i8s", "u16s", "i64s", "fx16.4", "fx8.8", "ufx8.4", "fx64.0", "ufx64.64"];
    let types: Vec<Type> = ALL.iter().chain(&more).map(|name| ty(name)).collect();
    for (&from, &to) in types.iter().flat_map(|from| types.iter().map(move |to| (from, to))) {
        if to.is_float() || from == to {
            continue;
        }
        let (lo, hi) = to.range();
        let whole = |ty: Type| ty.is_int() || ty == Type::Bool;
        for raw in patterns(from) {
            let got = convert(raw, from, to);
            let Some((m, e)) = exact(raw, from) else {
                let end = if raw & from.sign_bit() == 0 { hi } else { lo };
                let want = if to == Type::Bool {
                    1
                } else if from.is_nan(raw) {
                    0
                } else {
                    to.wrap(end)
                };
                assert_eq!(got, want, "{raw:x} of {from} as {to}");
                continue;
            };
            // In units of the target: all that is out of range is far out of it.
            let e = e + to.fraction() as i32;
            let raised = || m.checked_mul(1 << e.min(120)).unwrap_or(m.signum() << 120);
            let units = if e >= 0 { raised() } else { m >> (-e).min(126) };
            let rest = if !(-126..0).contains(&e) { 0 } else { m - (units << -e) };
            let up = match to {
                Type::Fixed { .. } => {
                    let half = if (-126..0).contains(&e) { 1i128 << (-e - 1) } else { 1 };
                    rest > half || rest == half && units & 1 == 1 || m < 0 && e < -126
                }
                _ => m < 0 && (rest > 0 || e < -126),
            };
            let nearest = units + i128::from(up);
            let want = match to {
                Type::Bool => u64::from(m != 0),
                _ if whole(from) && !to.saturates() => to.wrap(nearest),
                _ => to.wrap(nearest.clamp(lo, hi)),
            };
            assert_eq!(got, want, "{raw:x} of {from} as {to}");
        }
    }
}

#[test]
fn orders_and_bounds_are_those_of_the_numbers() {
    for name in ALL {
        let ty = ty(name);
        let all = patterns(ty);
        for pair in all.windows(2) {
            if ty.bits() <= 32 {
                let (a, b) = (to_f64(pair[0], ty), to_f64(pair[1], ty));
                assert_eq!(ty.order(pair[0], pair[1]), a.partial_cmp(&b), "{name} {a} {b}");
            }
        }
        for raw in all.into_iter().filter(|raw| !ty.is_nan(*raw)) {
            assert!(ty.order(ty.least(), raw).is_some_and(|o| o.is_le()));
            assert!(ty.order(ty.greatest(), raw).is_some_and(|o| o.is_ge()));
        }
    }
    assert_eq!(Type::F16.raw(2049), None);
    assert_eq!(Type::F16.raw(-2050), Some(0xe801));
    assert_eq!(ty("fx16.8").raw(128), None);
    assert_eq!(ty("fx16.8").raw(-128), Some(0x8000));
    assert_eq!(Type::F64.raw(1 << 100), Some(0x463 << 52));
}
