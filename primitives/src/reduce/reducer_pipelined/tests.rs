//! The pipelined scalar reducer against its meaning, and its Verilog.

use super::ReducerPipelined;
use crate::every::forms::{Hosted, item};
use samhw_streams::{Beat, Leaf, Nest, Primitive, encode};
use samhw_testing::bench::Stall;
use samhw_testing::bench::run_model;
use samhw_testing::nests::{N, fibers, leaf, nest, usual_lengths};
use samhw_testing::rtl::{Rtl, check_rtl, run_rtl, usual_stalls};
use samhw_values::{Fun, Rng, Type};

/// Operators that take cycles.
pub(crate) const PIPELINED: [(Fun, &str); 4] =
    [(Fun::Add, "f32"), (Fun::Mul, "i64"), (Fun::Mul, "i16"), (Fun::Add, "u8s")];

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    PIPELINED.map(|(fun, ty)| item(ReducerPipelined::new(fun, Type::from_name(ty).unwrap(), 3).unwrap())).into()
}

fn reducer(fun: Fun, ty: Type) -> ReducerPipelined {
    ReducerPipelined::new(fun, ty, 3).unwrap()
}

/// The meaning: each list of height 1 becomes a leaf.
fn meaning(x: &Nest<Leaf>, d: u8, p: &ReducerPipelined) -> Nest<Leaf> {
    let Nest::List(v) = x else { panic!("a leaf has no lists") };
    if d > 1 {
        return Nest::List(v.iter().map(|c| meaning(c, d - 1, p)).collect());
    }
    let value = |c: &Nest<Leaf>| if let Nest::Leaf(l) = c { l.present.then_some(l.p[0]) } else { None };
    let values: Vec<u64> = v.iter().filter_map(value).collect();
    Nest::Leaf(p.fold(&values).map_or(N, leaf))
}

/// Small numbers and their like, of either sign, infinities and NaN among them.
fn random(ty: Type, rng: &mut Rng) -> Leaf {
    let x = [rng.below(2000) as f64 / 8.0 - 100.0, 0.1, -0.0, 1e30, f64::INFINITY, f64::NAN];
    let x = x[[0, 0, 0, 0, 1, 2, 3, 0, 0, 0, 4, 5][rng.below(12) as usize]];
    if rng.happens(0.2) { N } else { leaf(samhw_values::from_f64(x, ty)) }
}

#[test]
fn folds_random_lists_as_its_meaning_says() {
    let cases = [
        (Fun::Add, Type::F32),
        (Fun::Mul, Type::F16),
        (Fun::Mul, Type::int(64, true)),
        (Fun::Add, Type::from_name("i16s").unwrap()),
        (Fun::Mul, Type::from_name("fx16.8").unwrap()),
        (Fun::Mul, Type::from_name("u64s").unwrap()),
    ];
    for (fun, ty) in cases {
        let p = reducer(fun, ty);
        let (mut feed, mut want) = (Vec::new(), Vec::new());
        let mut rng = Rng::new(u64::from(fun.code()) + 1);
        for run in 0..200 {
            let d = 1 + run % 4;
            let mut x = nest(&mut rng, d, &mut |r| random(ty, r));
            if run % 8 == 0 {
                x = Nest::List((0..rng.below(100)).map(|_| Nest::Leaf(random(ty, &mut rng))).collect());
            }
            let d = if run % 8 == 0 { 1 } else { d };
            feed.extend(encode(&x, d));
            want.extend(encode(&meaning(&x, d, &p), d - 1));
        }
        for out in check_rtl(&p, &[], &[feed], &Vec::new, &usual_stalls(3)) {
            assert_eq!(out.unwrap().beats(0), want, "{p:?}");
        }
    }
}

#[test]
fn takes_a_beat_per_cycle_whatever_the_lengths() {
    let cases = [(Fun::Add, Type::F32), (Fun::Mul, Type::F64), (Fun::Mul, Type::int(32, true)), (Fun::Add, Type::F16)];
    for (fun, ty) in cases.into_iter().chain([(Fun::Add, Type::from_name("i16s").unwrap())]) {
        let p = reducer(fun, ty);
        for lengths in
            usual_lengths(&mut Rng::new(4)).into_iter().chain([vec![1; 300], vec![9; 50], [17, 1, 1, 33].repeat(9)])
        {
            let feed = fibers(&lengths).repeat(2);
            let out = run_model(&p, &[], std::slice::from_ref(&feed), &mut [], Stall::NONE).unwrap();
            assert!(out.inputs[0].iter().copied().eq(0..feed.len() as u64), "{p:?} {lengths:?}");
        }
        let feed = [Beat::data(1, 0), Beat::DONE];
        let out = run_model(&p, &[], &[feed.to_vec()], &mut [], Stall::NONE).unwrap();
        assert_eq!(out.outputs[0][0].0, u64::from(p.latency()));
    }
}

/// In the Verilog, of lists of all lengths up to some above the ring's in any order, many of length 1.
#[test]
fn no_cycle_is_lost_between_fibers() {
    let p = reducer(Fun::Add, Type::F32);
    let Some(rtl) = Rtl::build(&p) else { return };
    let mut rng = Rng::new(8);
    let mixed: Vec<usize> = (0..4000).map(|_| if rng.happens(0.4) { 1 } else { 1 + rng.below(40) as usize }).collect();
    // Cycles in which a beat was offered and not taken.
    let stalled = |lengths: &[usize], stall| {
        let feed = fibers(lengths);
        let out = run_rtl(&rtl, &[], std::slice::from_ref(&feed), &mut [], stall).unwrap();
        assert_eq!(out.outputs[0].len(), lengths.len() + 1, "a sum for each list, and the end");
        out.inputs[0].last().unwrap() + 1 - feed.len() as u64
    };
    for lengths in [mixed, vec![1; 4000], [1, 40].repeat(100), (1..80).collect()] {
        assert_eq!(stalled(&lengths, Stall::NONE), 0, "{} lists", lengths.len());
    }
    // What the count is of a consumer that is slower than lists end: it can be something else.
    assert!(stalled(&[1; 4000], Stall::new(3, 0.0, 0.5)) > 3000);
}

#[test]
fn both_refuse_a_payload_on_an_empty_leaf() {
    let bad = Beat { p: [1, 0], ..Beat::empty(1) };
    let got = check_rtl(&reducer(Fun::Add, Type::F32), &[], &[vec![bad, Beat::DONE]], &Vec::new, &[Stall::NONE]);
    assert!(got[0].is_err());
}

#[test]
fn identities_change_no_bit() {
    let mut rng = Rng::new(2);
    for ty in [Type::F64, Type::F32, Type::F16, Type::BF16, Type::int(32, true), Type::from_name("u16s").unwrap()] {
        for fun in [Fun::Add, Fun::Mul] {
            let Some(p) = ReducerPipelined::new(fun, ty, 3) else { continue };
            for v in (0..500).map(|_| random(ty, &mut rng).p[0]).chain(0..8).chain([ty.sign_bit(), ty.greatest()]) {
                let v = ty.canonical(v);
                let i = p.op.identity;
                assert_eq!([fun.apply(&[i, v], ty), fun.apply(&[v, i], ty)], [v, v], "{p:?} {v:x}");
            }
        }
    }
}
