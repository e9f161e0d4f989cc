//! ALUs of recurrences, against their meaning and their Verilog.

use crate::arith::alu::{Alu, Pace};
use samhw_streams::{Beat, Leaf, Nest, encode};
use samhw_testing::bench::{Stall, collatz, run_model};
use samhw_testing::drawn::drawn;
use samhw_testing::nests::{leaf, leaves, map, nest};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::body::eval;
use samhw_values::{Fun, Rng, Term, Type, from_f64};

use Term::{Apply, Arg, Literal};

/// `c * y + a`, of y, c and a.
fn linear() -> Vec<Term> {
    vec![Arg(0), Arg(1), Arg(2), Apply(Fun::Mul, vec![1, 0]), Apply(Fun::Add, vec![3, 2])]
}

/// The last of three where the second is less than what stands before, else the second of both.
fn chosen() -> Vec<Term> {
    vec![
        Arg(0),
        Arg(1),
        Arg(2),
        Apply(Fun::Gt, vec![0, 1]),
        Apply(Fun::Max, vec![0, 2]),
        Apply(Fun::Where, vec![3, 2, 4]),
    ]
}

/// The meaning: each list of height 1 from its first leaf on.
fn meaning(
    x: &Nest<Leaf>,
    others: &mut dyn Iterator<Item = Vec<u64>>,
    begin: u64,
    f: &dyn Fn(&[u64]) -> u64,
) -> Nest<Leaf> {
    let Nest::List(all) = x else { return x.clone() };
    let mut before = begin;
    let each = |x: &Nest<Leaf>| match x {
        Nest::List(_) => meaning(x, others, begin, f),
        Nest::Leaf(l) => {
            before = f(&[&[before, l.p[0]], &others.next().unwrap()[..]].concat());
            Nest::Leaf(leaf(before))
        }
    };
    Nest::List(all.iter().map(each).collect())
}

#[test]
fn lists_begin_anew_and_go_on_from_each_value() {
    let of = |name: &str| Type::accumulator_from_name(name).unwrap();
    let twice = vec![Arg(0), Literal(2), Apply(Fun::Sub, vec![1, 0])];
    let cases = [
        ("linear", 3, linear(), of("i16")),
        ("linear", 3, linear(), Type::F16),
        ("linear", 3, linear(), of("u9s")),
        ("chosen", 3, chosen(), of("fx12.4")),
        ("chosen", 3, chosen(), Type::BF16),
        ("twice", 2, twice, of("u8")),
        ("before", 2, vec![Arg(1), Arg(0)], of("i8")),
        ("gcd", 2, vec![Arg(0), Arg(1), Apply(Fun::Gcd, vec![0, 1])], of("u16")),
        ("bits", 2, vec![Arg(0), Arg(1), Apply(Fun::Xor, vec![0, 1])], Type::Bool),
    ];
    for (name, arity, body, ty) in drawn(cases, 2) {
        let begin = from_f64(1.0, ty);
        let p = Alu::recurrence((name, &body), arity, begin, ty, 3).unwrap();
        let mut rng = Rng::new(7);
        let mut random = || leaf(ty.canonical(from_f64(rng.below(40) as f64 / 4.0 - 3.0, ty)));
        let (mut feeds, mut want) = (vec![Vec::new(); arity - 1], Vec::new());
        let mut shapes = Rng::new(3);
        for run in 0..12 {
            let d = 1 + run % 3;
            let x = nest(&mut shapes, d, &mut |_| random());
            let others: Vec<Nest<Leaf>> = (2..arity).map(|_| map(&x, &mut |_| random())).collect();
            let rows: Vec<Vec<u64>> = others.iter().map(|y| leaves(y).iter().map(|l| l.p[0]).collect()).collect();
            let mut rest = (0..).map(|k: usize| rows.iter().map(|row| row[k]).collect());
            want.extend(encode(&meaning(&x, &mut rest, begin, &|args| eval(&body, args, ty)), d));
            for (feed, stream) in feeds.iter_mut().zip([x].iter().chain(&others)) {
                feed.extend(encode(stream, d));
            }
        }
        for out in check_rtl(&p, &[], &feeds, &Vec::new, &usual_stalls(3)[..2]) {
            assert_eq!(out.unwrap().beats(0), want, "{p:?}");
        }
    }
}

#[test]
fn a_value_comes_every_so_many_cycles() {
    let sum = vec![Arg(0), Arg(1), Apply(Fun::Sub, vec![1, 0])];
    for (body, arity, ty, every) in [(sum, 2, Type::int(16, true), 1), (linear(), 3, Type::int(16, true), 3)] {
        let p = Alu::recurrence(("f", &body), arity, 0, ty, 3).unwrap();
        let feed: Vec<Beat> = (1..20).map(|k| Beat::data(0, k)).chain([Beat::data(1, 20), Beat::DONE]).collect();
        let out = run_model(&p, &[], &vec![feed; arity - 1], &mut [], Stall::NONE).unwrap();
        let steps: Vec<u64> = out.outputs[0].windows(2).map(|w| w[1].0 - w[0].0).collect();
        assert!(steps[..18].iter().all(|&s| s == every), "{steps:?}, not {every}");
        assert!(p.pace() == Pace::Every(every) || every == 1, "{:?}", p.pace());
    }
}

#[test]
fn what_has_no_units_is_a_program() {
    let ty = Type::int(16, false);
    let mut body = vec![Arg(0), Arg(1), Term::Loop(Box::new(collatz([0, 1], 40))), Term::Left(2, 1)];
    assert!(Alu::recurrence(("steps", &body), 2, 0, ty, 3).unwrap().program().is_some());
    body.push(Apply(Fun::Add, vec![3, 0]));
    assert!(Alu::recurrence(("steps", &body), 2, 0, ty, 3).unwrap().program().is_some());
    assert!(Alu::recurrence(("f", &linear()), 3, 0, ty, 3).unwrap().program().is_none());
}
