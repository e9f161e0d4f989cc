//! The ALU against its meaning, the shared vectors and its Verilog.

mod computed;
mod forms;
mod host;
mod narrow;
mod numbers;
mod programs;
mod recurrences;
mod side_by_side;
mod truth;
mod units;

pub(crate) use forms::forms;

use super::{Alu, AluError, Operand};
use samhw_streams::{Beat, Kind, Primitive, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::nests::{N, fibers, leaf, map, nest, usual_lengths};
use samhw_testing::rtl::{check_rtl, field, usual_stalls};
use samhw_testing::vectors::{Vector, VectorCase, check_cases, vectors};
use samhw_values::{Fun, Rng, Type};

const X: Operand = Operand::Stream { fill: 3 };
const Y: Operand = Operand::Stream { fill: u64::MAX };
const UNION: u64 = 0b1110;

fn alu(fun: Fun, operands: &[Operand], emit: u64, val_w: u32, signed: bool) -> Alu {
    Alu::new(fun, operands.to_vec(), emit, Type::int(val_w, signed), 3).unwrap()
}

/// Random streams through model and Verilog, against `f` on optional values.
fn check(p: &Alu, f: &dyn Fn(Option<u64>, Option<u64>) -> Option<u64>) {
    let mut rng = Rng::new(5);
    let mut feeds = vec![Vec::new(); p.streams()];
    let mut want = Vec::new();
    let mut random =
        |r: &mut Rng| if r.happens(0.25) { N } else { leaf(field(r.bits() as i64 >> r.below(64), p.ty.bits())) };
    for run in 0..80 {
        let d = run % 4;
        let x = nest(&mut rng, d, &mut random);
        let y = map(&x, &mut |_| random(&mut rng));
        let mut ys = samhw_testing::nests::leaves(&y).into_iter();
        let z = map(&x, &mut |a| {
            let value = |l: samhw_streams::Leaf| l.present.then_some(l.p[0]);
            f(value(a), ys.next().and_then(value)).map_or(N, leaf)
        });
        for (feed, stream) in feeds.iter_mut().zip([x, y]) {
            feed.extend(encode(&stream, d));
        }
        want.extend(encode(&z, d));
    }
    for out in check_rtl(p, &[], &feeds, &Vec::new, &usual_stalls(6)) {
        assert_eq!(out.unwrap().beats(0), want, "{p:?}");
    }
}

#[test]
fn products_of_every_depth_keep_the_low_bits() {
    for w in [16, 32, 64] {
        let p = alu(Fun::Mul, &[X, Y], UNION, w, true);
        check(&p, &|x, y| {
            x.or(y)?;
            let product = u128::from(x.unwrap_or(3)) * u128::from(y.unwrap_or(field(-1, w)));
            Some((product % (1 << w)) as u64)
        });
    }
}

#[test]
fn maximum_is_signed_where_it_says_so() {
    check(&alu(Fun::Max, &[X, X], 0b1000, 16, true), &|x, y| {
        Some((x? as u16 as i16).max(y? as u16 as i16) as u16 as u64)
    });
    check(&alu(Fun::Min, &[X, X], UNION, 8, false), &|x, y| {
        x.or(y)?;
        Some(x.unwrap_or(3).min(y.unwrap_or(3)))
    });
}

#[test]
fn a_constant_stands_where_it_was_put() {
    let seven = Operand::Const(7);
    check(&alu(Fun::Sub, &[seven, X], 0b10, 16, true), &|x, _| Some(field(7 - x? as i64, 16)));
    check(&alu(Fun::Sub, &[X, seven], 0b10, 16, true), &|x, _| Some(field(x? as i64 - 7, 16)));
}

#[test]
fn an_absent_leaf_may_get_a_value() {
    check(&alu(Fun::Id, &[X], 0b11, 16, true), &|x, _| Some(x.unwrap_or(3)));
    check(&alu(Fun::Second, &[X, Operand::Const(9)], 0b11, 16, true), &|_, _| Some(9));
    check(&alu(Fun::Neg, &[X], 0b01, 16, true), &|x, _| x.is_none().then_some(field(-3, 16)));
}

fn fills(v: &Vector) -> Vec<i64> {
    v.params["fills"].as_array().unwrap().iter().map(|f| f.as_i64().unwrap()).collect()
}

fn with_fills(fun: Fun, fills: &[i64]) -> Alu {
    let operands: Vec<Operand> = fills.iter().map(|&f| Operand::Stream { fill: field(f, 16) }).collect();
    alu(fun, &operands, UNION, 16, true)
}

fn case(v: &Vector) -> VectorCase {
    let feeds = (0..fills(v).len()).map(|k| v.input(&format!("val{k}"), 16)).collect();
    VectorCase { line: v.line, feeds, wants: vec![v.output("val", 16)] }
}

const NAMES: [(Fun, &str); 5] =
    [(Fun::Add, "add"), (Fun::Sub, "sub"), (Fun::Mul, "mul"), (Fun::Max, "max"), (Fun::Neg, "neg")];

#[test]
fn agrees_with_the_shared_vectors() {
    let vectors = vectors("alu");
    for (fun, name) in NAMES {
        for v in vectors.iter().filter(|v| v.params["function"] == name) {
            let stall = Stall::new(v.line as u64, 0.3, 0.3);
            let VectorCase { feeds, wants, .. } = case(v);
            let out = run_model(&with_fills(fun, &fills(v)), &[], &feeds, &mut [], stall).unwrap();
            assert_eq!(out.beats(0), wants[0], "line {}", v.line);
        }
    }
}

/// Fills are parameters: two modules of a function do for all vectors whose EMPTY leaves they
/// fill as the vector says, which is six of seven.
#[test]
fn verilog_agrees_with_the_shared_vectors() {
    let vectors = vectors("alu");
    let (mut left_out, mut all) = (0, 0);
    for (fun, name) in NAMES {
        let mut left: Vec<&Vector> = vectors.iter().filter(|v| v.params["function"] == name).collect();
        all += left.len();
        for _ in 0..2 {
            let fits = |v: &Vector, with: &[i64]| {
                let feeds = case(v).feeds;
                let mut operands = feeds.iter().zip(fills(v).into_iter().zip(with));
                operands.all(|(feed, (a, b))| a == *b || feed.iter().all(|x| x.kind != Kind::Empty))
            };
            let served = |with: &[i64]| left.iter().filter(|v| fits(v, with)).count();
            let Some(best) = left.iter().map(|v| fills(v)).max_by_key(|with| served(with)) else { break };
            let (now, later): (Vec<&Vector>, Vec<&Vector>) = left.into_iter().partition(|v| fits(v, &best));
            check_cases(&with_fills(fun, &best), &[], &now.into_iter().map(case).collect::<Vec<_>>());
            left = later;
        }
        left_out += left.len();
    }
    assert!(7 * left_out <= all, "{left_out} of {all} vectors were left out");
}

#[test]
fn takes_a_beat_per_cycle_with_the_latency_it_states() {
    for p in [alu(Fun::Add, &[X, Y], UNION, 16, true), alu(Fun::Mul, &[X, Y], UNION, 48, true)] {
        for lengths in usual_lengths(&mut Rng::new(8)) {
            let feed = fibers(&lengths).repeat(2);
            let out = run_model(&p, &[], &[feed.clone(), feed.clone()], &mut [], Stall::NONE).unwrap();
            let first = u64::from(p.latency());
            assert!(out.outputs[0].iter().map(|x| x.0).eq(first..first + feed.len() as u64), "{p:?} {lengths:?}");
        }
    }
}

#[test]
fn both_refuse_misaligned_streams() {
    let p = alu(Fun::Max, &[X, X], 0b1000, 16, true);
    for other in [vec![Beat::DONE], vec![Beat::nil(1, 1), Beat::DONE]] {
        let feeds = [vec![Beat::data(1, 4), Beat::DONE], other];
        assert!(check_rtl(&p, &[], &feeds, &Vec::new, &usual_stalls(1)).iter().all(Result::is_err));
    }
}

#[test]
fn operands_must_fit_the_function() {
    let ty = Type::int(16, true);
    let new = |fun, operands: &[Operand]| Alu::new(fun, operands.to_vec(), 0, ty, 3).unwrap_err();
    assert_eq!(new(Fun::Neg, &[X, X]), AluError::Operands { fun: "neg".into(), takes: 1, given: 2 });
    assert_eq!(new(Fun::Add, &[Operand::Const(1), Operand::Const(2)]), AluError::NoStream);
    assert_eq!(new(Fun::Exp, &[X]), AluError::NoUnit { fun: Fun::Exp, ty });
}
