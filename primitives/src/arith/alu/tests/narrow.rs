//! Products of narrow numbers: exactly what the converted factors' product is, and the Verilog.

use crate::arith::alu::{Alu, Operand};
use samhw_streams::{Beat, Leaf, encode};
use samhw_testing::nests::{N, leaf, leaves, map, nest};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::{Fun, Rng, Type, convert};

fn ty(name: &str) -> Type {
    Type::accumulator_from_name(name).unwrap()
}

/// A number that is often at an end of its type, or small.
fn word(of: Type, rng: &mut Rng) -> u64 {
    let raw = match rng.below(4) {
        0 => [of.least(), of.greatest(), 0, 1][rng.below(4) as usize],
        1 => rng.below(9).wrapping_sub(4),
        _ => rng.bits() >> rng.below(64),
    };
    raw & of.mask()
}

/// Factors, the result, and whether the second factor is a constant.
const CASES: [(&str, &str, &str, bool); 9] = [
    ("i16", "i16", "i32", false),
    ("i8", "u8", "i16", false),
    ("u17", "i18", "i64", false),
    ("i16", "i32", "i48", false),
    ("u18", "bool", "i32", false),
    ("i32", "i32", "i64", false),
    ("u34", "i35", "u64", false),
    ("u8", "i8", "i32s", true),
    ("i20", "i16", "u28", false),
];

#[test]
fn verilog_multiplies_as_the_converted_factors_would_be() {
    for (seed, (a, b, to, fixed)) in CASES.into_iter().enumerate() {
        let (from, to) = ([ty(a), ty(b)], ty(to));
        let mut rng = Rng::new(seed as u64 + 1);
        let fills = from.map(|of| word(of, &mut rng));
        let second = if fixed { Operand::Const(fills[1]) } else { Operand::Stream { fill: fills[1] } };
        let operands = vec![Operand::Stream { fill: fills[0] }, second];
        let emit = if fixed { 0b11 } else { 0b1110 };
        let p = Alu::product(from, operands, emit, to, 3).unwrap();
        let product = |x: u64, y: u64| Fun::Mul.apply(&[convert(x, from[0], to), convert(y, from[1], to)], to);
        let mut feeds = vec![Vec::new(); p.streams()];
        let mut want = Vec::new();
        for run in 0..40 {
            let d = run % 3;
            let some = |of: Type, r: &mut Rng| if r.happens(0.2) { N } else { leaf(word(of, r)) };
            let x = nest(&mut rng, d, &mut |r| some(from[0], r));
            let y = map(&x, &mut |_| some(from[1], &mut rng));
            let mut seconds = leaves(&y).into_iter();
            let z = map(&x, &mut |l| {
                let value = |l: Leaf, fill| if l.present { l.p[0] } else { fill };
                let (first, second) = (l, seconds.next().unwrap());
                match (fixed, first.present || second.present) {
                    (true, _) => leaf(product(value(first, fills[0]), fills[1])),
                    (false, true) => leaf(product(value(first, fills[0]), value(second, fills[1]))),
                    (false, false) => N,
                }
            });
            for (feed, stream) in feeds.iter_mut().zip([&x, &y]) {
                feed.extend(encode(stream, d));
            }
            want.extend(encode(&z, d));
        }
        // One list of many values.
        let long: Vec<[u64; 2]> = (0..2000).map(|_| from.map(|of| word(of, &mut rng))).collect();
        let list = |f: &dyn Fn(&[u64; 2]) -> u64| -> Vec<Beat> {
            let beat = |(k, v)| Beat::data(u8::from(k + 1 == long.len()), f(v));
            long.iter().enumerate().map(beat).chain([Beat::DONE]).collect()
        };
        for (k, feed) in feeds.iter_mut().enumerate() {
            feed.extend(list(&|v| v[k]));
        }
        want.extend(list(&|v| product(v[0], if fixed { fills[1] } else { v[1] })));
        for out in check_rtl(&p, &[], &feeds, &Vec::new, &usual_stalls(2)[..2]) {
            assert_eq!(out.unwrap().beats(0), want, "{p:?}");
        }
    }
}

#[test]
fn a_square_takes_its_operand_twice() {
    let (from, to) = ([ty("i12"); 2], ty("i24"));
    let p = Alu::product(from, vec![Operand::Stream { fill: 0 }], 0b10, to, 3).unwrap();
    let mut rng = Rng::new(3);
    let numbers: Vec<u64> = (0..500).map(|_| word(from[0], &mut rng)).collect();
    let feed = |f: &dyn Fn(u64) -> u64| -> Vec<Beat> {
        let beat = |(k, &v)| Beat::data(u8::from(k + 1 == numbers.len()), f(v));
        numbers.iter().enumerate().map(beat).chain([Beat::DONE]).collect()
    };
    let square = |v| Fun::Square.apply(&[convert(v, from[0], to)], to);
    for out in check_rtl(&p, &[], &[feed(&|v| v)], &Vec::new, &usual_stalls(2)[..2]) {
        assert_eq!(out.unwrap().beats(0), feed(&square));
    }
}

#[test]
fn there_is_one_only_where_it_is_exact_and_takes_no_more_multipliers() {
    let stages = |a: &str, b: &str, to: &str| Alu::multiplies([ty(a), ty(b)], ty(to)).map(|pace| format!("{pace:?}"));
    let some = |n: u32| Some(format!("Pipeline({n})"));
    assert_eq!(stages("i16", "i16", "i32"), some(2));
    assert_eq!(stages("i16", "i32", "i48"), some(3));
    assert_eq!(stages("i32", "i32", "i64"), some(4));
    // Nothing is narrower; too long; four multipliers instead of three.
    assert_eq!(stages("i32", "i32", "i32"), None);
    assert_eq!(stages("i40", "i16", "i64"), None);
    assert_eq!(stages("i32", "i32", "i36"), None);
    // A saturating product that may saturate, or a factor that does.
    assert_eq!(stages("i16", "i16", "i32s"), some(2));
    assert_eq!(stages("u16", "u17", "i32s"), None);
    assert_eq!(stages("i8", "u8", "u32s"), None);
    // No whole numbers.
    assert_eq!(stages("fx8.4", "i8", "i32"), None);
    assert_eq!(stages("i8", "i8", "fx32.16"), None);
}
