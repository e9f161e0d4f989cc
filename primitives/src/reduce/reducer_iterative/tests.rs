//! The iterative reducer against its meaning and its Verilog.

use super::ReducerIterative;
use crate::every::forms::{Hosted, item};
use samhw_streams::{Beat, Leaf, Nest, Primitive, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::nests::{N, leaf, nest};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::{Fun, Rng, Routine, Type};
use std::sync::Arc;

/// Operators that are programs.
pub(crate) const PROGRAMS: [(Fun, &str); 3] = [(Fun::Gcd, "i16"), (Fun::Mul, "fx16.8"), (Fun::Lcm, "u64")];

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let routine = |(fun, ty)| Routine::library(fun, Type::from_name(ty).unwrap()).unwrap();
    PROGRAMS.map(|of| item(ReducerIterative::new(Arc::new(routine(of)), 3).unwrap())).into()
}

fn reducer(fun: Fun, ty: Type) -> ReducerIterative {
    ReducerIterative::new(Arc::new(Routine::library(fun, ty).unwrap()), 3).unwrap()
}

/// The meaning: each list of height 1 becomes a leaf, its values folded from left to right.
fn meaning(x: &Nest<Leaf>, d: u8, f: &dyn Fn(u64, u64) -> u64) -> Nest<Leaf> {
    let Nest::List(v) = x else { panic!("a leaf has no lists") };
    if d > 1 {
        return Nest::List(v.iter().map(|c| meaning(c, d - 1, f)).collect());
    }
    let values = v.iter().filter_map(|c| match c {
        Nest::Leaf(l) => l.present.then_some(l.p[0]),
        Nest::List(_) => None,
    });
    Nest::Leaf(values.reduce(f).map_or(N, leaf))
}

#[test]
fn folds_random_lists_as_its_meaning_says() {
    let cases = [
        (Fun::Gcd, Type::int(32, true)),
        (Fun::Lcm, Type::int(16, false)),
        (Fun::Mul, Type::from_name("fx16.8").unwrap()),
    ];
    for (fun, ty) in cases {
        let p = reducer(fun, ty);
        let (mut feed, mut want) = (Vec::new(), Vec::new());
        let mut rng = Rng::new(u64::from(fun.code()) + 1);
        for run in 0..24 {
            let d = 1 + run % 3;
            let mut value = |r: &mut Rng| match r.below(4) {
                0 => N,
                1 => leaf(r.bits() & ty.mask()),
                _ => leaf(r.below(200) & ty.mask()),
            };
            let x = nest(&mut rng, d, &mut value);
            feed.extend(encode(&x, d));
            want.extend(encode(&meaning(&x, d, &|a, b| fun.apply(&[a, b], ty)), d - 1));
        }
        for out in check_rtl(&p, &[], &[feed], &Vec::new, &usual_stalls(3)[..3]) {
            assert_eq!(out.unwrap().beats(0), want, "{p:?}");
        }
    }
}

#[test]
fn a_value_takes_what_its_description_says() {
    let p = reducer(Fun::Gcd, Type::int(16, false));
    let (least, most) = Routine::library(Fun::Gcd, Type::int(16, false)).unwrap().program.cycles();
    let values = [46368, 28657, 17711];
    let feed: Vec<Beat> = values.iter().enumerate().map(|(k, &v)| Beat::data(u8::from(k == 2), v)).collect();
    let out = run_model(&p, &[], &[feed], &mut [], Stall::NONE).unwrap();
    let (cycle, beat) = out.outputs[0][0];
    assert_eq!(beat, Beat::data(0, 1));
    assert!((2 * least..=2 * most + 6).contains(&cycle), "{cycle} of {least} to {most}");
    assert_eq!(p.describe(), format!("gcd of u16, {least} to {most} cycles for each value"));
}

#[test]
fn malformed_input_is_refused() {
    let p = reducer(Fun::Gcd, Type::int(16, false));
    let feed = vec![Beat::new(samhw_streams::Kind::Empty, 0, [1, 0])];
    assert!(run_model(&p, &[], &[feed], &mut [], Stall::NONE).is_err());
}
