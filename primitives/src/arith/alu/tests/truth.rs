//! The truth of functions in other types than the operands': their 0 and 1, and the Verilog.

use crate::arith::alu::{Alu, Operand};
use samhw_streams::{Leaf, encode};
use samhw_testing::nests::{N, leaf, leaves, map, nest};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::{Fun, Rng, Type};

/// The function, the operands' type, the result's.
const CASES: [(Fun, &str, &str); 9] = [
    (Fun::Lt, "u9", "bool"),
    (Fun::Ge, "i64", "i8"),
    (Fun::Gt, "f32", "i32"),
    (Fun::Eq, "f16", "f64"),
    (Fun::IsNan, "bf16", "u8"),
    (Fun::And, "bool", "f32"),
    (Fun::Not, "bool", "i48"),
    (Fun::Ne, "i8", "fx8.8"),
    (Fun::Le, "fx8.8", "f16"),
];

#[test]
fn verilog_gives_the_one_of_the_result_s_type() {
    for (seed, (fun, from, to)) in CASES.into_iter().enumerate() {
        let ty = |name: &str| Type::accumulator_from_name(name).unwrap();
        let (from, to) = (ty(from), ty(to));
        let mut rng = Rng::new(seed as u64 + 1);
        let word = |r: &mut Rng| match r.below(3) {
            0 => [from.least(), from.greatest(), 0, from.one(), from.nan()][r.below(5) as usize],
            1 => r.below(3) & from.mask(),
            _ => from.canonical(r.bits() & from.mask()),
        };
        // The second operand is now and then a constant.
        let (fill, fixed) = (from.one(), seed % 3 == 1 && fun.arity() == 2);
        let second = if fixed { Operand::Const(fill) } else { Operand::Stream { fill } };
        let operands = [Operand::Stream { fill: 0 }, second][..fun.arity()].to_vec();
        let streams = if fixed { 1 } else { fun.arity() };
        let emit = if streams == 1 { 0b10 } else { 0b1110 };
        let p = Alu::truth((fun, from), operands, emit, to, 3).unwrap();
        let (mut feeds, mut want) = (vec![Vec::new(); streams], Vec::new());
        for run in 0..60 {
            let d = run % 3;
            let some = |r: &mut Rng| if r.happens(0.2) { N } else { leaf(word(r)) };
            let x = nest(&mut rng, d, &mut |r| some(r));
            let y = map(&x, &mut |_| some(&mut rng));
            let mut seconds = leaves(&y).into_iter();
            let z = map(&x, &mut |first| {
                let second = seconds.next().unwrap();
                let value = |l: Leaf, fill| if l.present { l.p[0] } else { fill };
                let args = [value(first, 0), if fixed { fill } else { value(second, fill) }];
                let truth = fun.apply(&args[..fun.arity()], from);
                let there = first.present || streams == 2 && second.present;
                if there { leaf(if from.is_zero(truth) { 0 } else { to.one() }) } else { N }
            });
            for (feed, stream) in feeds.iter_mut().zip([&x, &y]) {
                feed.extend(encode(stream, d));
            }
            want.extend(encode(&z, d));
        }
        for out in check_rtl(&p, &[], &feeds, &Vec::new, &usual_stalls(2)[..2]) {
            assert_eq!(out.unwrap().beats(0), want, "{p:?}");
        }
    }
}

#[test]
fn only_truth_has_one() {
    let two = vec![Operand::Stream { fill: 0 }; 2];
    assert!(Alu::truth((Fun::Add, Type::F32), two, 0b1110, Type::Bool, 3).is_err());
}
