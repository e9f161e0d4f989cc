//! ALUs that run programs, against their meaning and their Verilog.

use super::{X, Y};
use crate::arith::alu::{Alu, Operand};
use samhw_streams::{Beat, Leaf, encode};
use samhw_testing::bench::{Stall, collatz, run_model};
use samhw_testing::drawn::drawn;
use samhw_testing::nests::{N, leaf, leaves, map, nest};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::body::eval;
use samhw_values::{Fun, Rng, Routine, Term, Type, from_f64};
use std::sync::Arc;

/// Numbers of all sizes.
pub(super) fn random(ty: Type, rng: &mut Rng) -> Leaf {
    let small = rng.below(2000) as f64 / 100.0 - if ty.is_signed() { 10.0 } else { 0.0 };
    match rng.below(5) {
        0 => N,
        1 => leaf(rng.bits() >> rng.below(64) & ty.mask()),
        2 => leaf(from_f64(small.round(), ty)),
        _ => leaf(from_f64(small, ty)),
    }
}

#[test]
fn programs_and_stages_of_digits_do_what_their_function_is() {
    let cases = [
        (Fun::Gcd, Type::int(16, false)),
        (Fun::PyMod, Type::int(64, true)),
        (Fun::Pow, Type::int(32, true)),
        (Fun::Pow, Type::F64),
        (Fun::Atan2, Type::BF16),
        (Fun::Sqrt, Type::F64),
        (Fun::Log, Type::F64),
        (Fun::Idiv, Type::F32),
        (Fun::Div, Type::Fixed { bits: 16, frac: 8, signed: true }),
    ];
    for (fun, ty) in drawn(cases, 1) {
        let fill = [Operand::Stream { fill: 3 }, Operand::Stream { fill: ty.one() }];
        let p =
            Alu::new(fun, fill[..fun.arity()].to_vec(), if fun.arity() == 1 { 0b10 } else { 0b1110 }, ty, 3).unwrap();
        let slow = p.clone().iterative();
        assert!(slow.program().is_some());
        let mut rng = Rng::new(u64::from(fun.code()));
        let (mut feeds, mut want) = (vec![Vec::new(); fun.arity()], Vec::new());
        for run in 0..24 {
            let d = run % 3;
            let x = nest(&mut rng, d, &mut |r| random(ty, r));
            let y = map(&x, &mut |_| random(ty, &mut rng));
            let mut others = leaves(&y).into_iter();
            let value = |l: Leaf, fill: u64| if l.present { l.p[0] } else { fill };
            let z = map(&x, &mut |a| match (others.next(), fun.arity()) {
                (Some(b), 2) if a.present || b.present => leaf(fun.apply(&[value(a, 3), value(b, ty.one())], ty)),
                (_, 1) if a.present => leaf(fun.apply(&[a.p[0]], ty)),
                _ => N,
            });
            for (feed, stream) in feeds.iter_mut().zip([x, y]) {
                feed.extend(encode(&stream, d));
            }
            want.extend(encode(&z, d));
        }
        // Both forms, where there are two.
        for p in [&p, &slow][usize::from(p == slow)..].iter().copied() {
            for out in check_rtl(p, &[], &feeds, &Vec::new, &usual_stalls(1)[..2]) {
                assert_eq!(out.unwrap().beats(0), want, "{p:?}");
            }
        }
    }
}

#[test]
fn a_value_takes_its_run_and_a_cycle() {
    let p = Alu::new(Fun::Div, vec![X, Y], 0b1110, Type::int(16, true), 3).unwrap().iterative();
    let feed: Vec<Beat> = (1..20).map(|k| Beat::data(0, k)).chain([Beat::data(1, 20), Beat::DONE]).collect();
    let out = run_model(&p, &[], &[feed.clone(), feed], &mut [], Stall::NONE).unwrap();
    let run = p.program().unwrap().run(&[1, 1]).1;
    let steps: Vec<u64> = out.outputs[0].windows(2).map(|w| w[1].0 - w[0].0).collect();
    assert!(steps[..18].iter().all(|&s| s == run + 1), "{steps:?}, not {run}");
    assert_eq!(out.outputs[0][0].0, 2 + run);
}

/// Collatz: how many steps from x to 1, of 40 at most; a second value is added, a third decides by how much.
fn steps() -> Vec<Term> {
    use Term::{Apply, Arg, Left, Literal};
    let all = collatz([0, 4], 40);
    vec![
        Arg(0),
        Arg(1),
        Arg(2),
        Arg(3),
        Literal(0),
        Term::Loop(Box::new(all)),
        Left(5, 1),
        Apply(Fun::Where, vec![2, 1, 3]),
        Apply(Fun::Add, vec![6, 7]),
    ]
}

#[test]
fn loops_of_four_arguments_end_at_their_limit() {
    let ty = Type::int(16, false);
    let routine = Arc::new(Routine::new("steps", 4, &steps(), ty).unwrap());
    let fill = Operand::Stream { fill: 7 };
    let p = Alu::routine(routine, vec![fill, fill, Operand::Const(1), fill], 0b1111_1110, 3).unwrap();
    assert_eq!(p.streams(), 3);
    let mut rng = Rng::new(11);
    let (mut feeds, mut want) = (vec![Vec::new(); 3], Vec::new());
    for run in 0..12 {
        let d = run % 3;
        let mut random = |r: &mut Rng| if r.happens(0.3) { N } else { leaf(r.below(100)) };
        let x = nest(&mut rng, d, &mut random);
        let others = [map(&x, &mut |_| random(&mut rng)), map(&x, &mut |_| random(&mut rng))];
        let mut rest = others.each_ref().map(|y| leaves(y).into_iter());
        let z = map(&x, &mut |a| {
            let [b, c] = rest.each_mut().map(|r| r.next().unwrap());
            let value = |l: Leaf| if l.present { l.p[0] } else { 7 };
            let there = a.present || b.present || c.present;
            if there { leaf(eval(&steps(), &[value(a), value(b), 1, value(c)], ty)) } else { N }
        });
        for (feed, stream) in feeds.iter_mut().zip([&x, &others[0], &others[1]]) {
            feed.extend(encode(stream, d));
        }
        want.extend(encode(&z, d));
    }
    for out in check_rtl(&p, &[], &feeds, &Vec::new, &usual_stalls(3)[..2]) {
        assert_eq!(out.unwrap().beats(0), want);
    }
}
