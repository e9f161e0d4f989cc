//! Conversions against their meaning and their Verilog.

use super::Convert;
use crate::every::forms::{Hosted, item};
use samhw_streams::{Primitive, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::nests::{N, fibers, leaf, map, nest, usual_lengths};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::{Rng, Type, convert};

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    let conversions = [
        ("i8", "i48", 3),
        ("i48", "bool", 1),
        ("i32", "u8s", 3),
        ("bool", "fx16.8", 3),
        ("fx16.8", "i32", 4),
        ("fx32.16", "ufx8.4", 3),
        ("i64", "f16", 3),
        ("bool", "f32", 3),
        ("f32", "u8", 3),
        ("f64", "i64", 3),
        ("f16", "fx64.64", 3),
        ("f16", "f64", 3),
        ("f64", "bf16", 3),
        ("f32", "bool", 3),
    ];
    for (from, to, stop_w) in conversions {
        let of = |name: &str| Type::accumulator_from_name(name).unwrap();
        all.push(item(Convert { from: of(from), to: of(to), fill: 1, emit: 0b11, stop_w }));
    }
    all
}

fn ty(name: &str) -> Type {
    Type::accumulator_from_name(name).unwrap()
}

/// Bits that are often near what is special in either type.
fn word(from: Type, to: Type, rng: &mut Rng) -> u64 {
    let near = |rng: &mut Rng, raw: u64| raw.wrapping_add(rng.below(5)).wrapping_sub(2);
    let raw = match rng.below(8) {
        0 => [0, from.least(), from.greatest(), from.one(), from.sign_bit()][rng.below(5) as usize],
        1 => {
            let end = [to.least(), to.greatest(), to.one()][rng.below(3) as usize];
            let end = convert(end, to, from);
            near(rng, end)
        }
        2 => {
            let some = rng.bits() >> rng.below(64) & to.mask();
            let some = convert(some, to, from);
            near(rng, some)
        }
        3 => rng.below(9),
        4 => rng.bits() >> rng.below(64),
        5 if from.is_float() => {
            // A number with few bits, for ties.
            let some = convert(rng.bits() >> 40 & 0xfff, Type::int(64, true), Type::F64);
            convert(f64::to_bits(f64::from_bits(some) / f64::powi(2.0, rng.below(40) as i32 - 12)), Type::F64, from)
        }
        _ => rng.bits(),
    };
    from.canonical(raw & from.mask())
}

/// What differs in the unit: each way to convert, up and down.
const PAIRS: [(&str, &str); 9] = [
    ("i48", "i16"),
    ("i32", "u8s"),
    ("fx16.8", "i32"),
    ("fx16.4", "u8"),
    ("fx32.16", "ufx8.4"),
    ("i64", "f16"),
    ("f32", "i16"),
    ("f64", "f16"),
    ("bf16", "bool"),
];

const MORE: [(&str, &str); 28] = [
    ("i8", "i48"),
    ("u8", "i16"),
    ("i32", "u8"),
    ("i32", "i16s"),
    ("i16", "u16s"),
    ("u32s", "i8s"),
    ("bool", "i32"),
    ("bool", "fx16.8"),
    ("bool", "f16"),
    ("i16", "bool"),
    ("fx16.8", "u8s"),
    ("fx16.8", "fx32.16"),
    ("i64", "fx16.8"),
    ("ufx64.64", "fx64.0"),
    ("i8", "f16"),
    ("u64", "f16"),
    ("i64", "f64"),
    ("i64", "f32"),
    ("fx32.16", "bf16"),
    ("ufx64.64", "f16"),
    ("f32", "u8"),
    ("f64", "i64"),
    ("f16", "u64"),
    ("f32", "fx16.8"),
    ("bf16", "ufx8.4"),
    ("f16", "f32"),
    ("f32", "bf16"),
    ("f64", "f32"),
];

#[test]
fn verilog_converts_as_the_definition_says() {
    let more = if std::env::var_os("SAMHW_FULL").is_some() { &MORE[..] } else { &[] };
    let pairs = PAIRS.iter().chain(more).copied();
    for (seed, (from, to)) in pairs.enumerate() {
        let (from, to) = (ty(from), ty(to));
        let p = Convert { from, to, fill: from.one(), emit: 2 + seed as u64 % 2, stop_w: 3 };
        let mut rng = Rng::new(seed as u64 + 1);
        let (mut feed, mut want) = (Vec::new(), Vec::new());
        for run in 0..40 {
            let d = run % 3;
            let x = nest(&mut rng, d, &mut |r| if r.happens(0.1) { N } else { leaf(word(from, to, r)) });
            let y = map(&x, &mut |l| match (l.present, p.emit & 1) {
                (true, _) => leaf(convert(l.p[0], from, to)),
                (false, 1) => leaf(convert(p.fill, from, to)),
                _ => N,
            });
            feed.extend(encode(&x, d));
            want.extend(encode(&y, d));
        }
        // One list of many values, of all sizes.
        let long: Vec<u64> = (0..3000).map(|_| word(from, to, &mut rng)).collect();
        let beats = |f: &dyn Fn(u64) -> u64| -> Vec<samhw_streams::Beat> {
            let last = long.len() - 1;
            let beat = |(k, &v): (usize, &u64)| samhw_streams::Beat::data(u8::from(k == last), f(v));
            long.iter().enumerate().map(beat).chain([samhw_streams::Beat::DONE]).collect()
        };
        feed.extend(beats(&|v| v));
        want.extend(beats(&|v| convert(v, from, to)));
        for out in check_rtl(&p, &[], &[feed], &Vec::new, &usual_stalls(2)[..2]) {
            assert_eq!(out.unwrap().beats(0), want, "{p:?}");
        }
    }
}

#[test]
fn takes_a_beat_per_cycle_with_the_latency_it_states() {
    for (from, to) in [("i16", "i48"), ("f32", "i16"), ("f64", "f16")] {
        let p = Convert { from: ty(from), to: ty(to), fill: 0, emit: 2, stop_w: 3 };
        for lengths in usual_lengths(&mut Rng::new(8)) {
            let feed = fibers(&lengths).repeat(2);
            let out = run_model(&p, &[], std::slice::from_ref(&feed), &mut [], Stall::NONE).unwrap();
            let first = u64::from(p.latency());
            assert!(out.outputs[0].iter().map(|x| x.0).eq(first..first + feed.len() as u64), "{p:?} {lengths:?}");
        }
    }
}
