//! The scan against its meaning and its Verilog.

use super::Prefix;
use crate::arith::alu::Alu;
use crate::blocks::Fold;
use crate::every::forms::{Hosted, item};
use crate::reduce::reducer_iterative::tests::PROGRAMS;
use crate::reduce::reducer_pipelined::tests::PIPELINED;
use crate::reduce::reducer_vector::tests::program;
use samhw_streams::{Beat, Kind, Leaf, Nest, Primitive, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::nests::{N, fibers, leaf, nest, usual_lengths};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::{Fun, Rng, Type};

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for (op, signed, val_w, stop_w) in [(Fold::Add, true, 16, 3), (Fold::Min, false, 8, 1), (Fold::Max, true, 64, 4)] {
        all.push(item(Prefix { op, identity: 0, begun: false, val_w, signed, stop_w }));
    }
    for (fun, ty) in PIPELINED {
        let ty = Type::from_name(ty).unwrap();
        let (op, val_w) = (Fold::of(fun, ty).unwrap(), Alu::width(ty, 3));
        let (identity, signed) = (fun.identity(ty).unwrap(), ty.is_signed());
        all.push(item(Prefix { op, identity, begun: false, val_w, signed, stop_w: 3 }));
    }
    for (fun, ty) in PROGRAMS {
        let ty = Type::from_name(ty).unwrap();
        let (op, val_w) = (program(fun, ty), Alu::width(ty, 3));
        all.push(item(Prefix { op, identity: 1, begun: true, val_w, signed: true, stop_w: 3 }));
    }
    all
}

fn prefix(op: Fold, ty: Type, identity: u64, begun: bool) -> Prefix {
    Prefix { op, identity, begun, val_w: ty.bits(), signed: ty.is_signed(), stop_w: 3 }
}

/// The meaning: a list of height 1 becomes the folds of its beginnings.
fn meaning(x: &Nest<Leaf>, p: &Prefix, f: &dyn Fn(u64, u64) -> u64) -> Nest<Leaf> {
    let Nest::List(v) = x else { return x.clone() };
    let mut before = p.begun.then_some(p.identity);
    let each = |c: &Nest<Leaf>| match c {
        Nest::List(_) => meaning(c, p, f),
        Nest::Leaf(l) => {
            if l.present {
                before = Some(before.map_or(l.p[0], |b| f(b, l.p[0])));
            }
            Nest::Leaf(leaf(before.unwrap_or(p.identity)))
        }
    };
    Nest::List(v.iter().map(each).collect())
}

#[test]
fn folds_the_beginnings_of_random_lists() {
    let of = |fun, name: &str| (fun, Type::from_name(name).unwrap());
    let cases = [
        (of(Fun::Add, "i16"), None, false),
        (of(Fun::Min, "i16"), None, false),
        (of(Fun::Max, "u16"), None, true),
        (of(Fun::Min, "f16"), None, false),
        (of(Fun::BitXor, "i16"), None, false),
        (of(Fun::Add, "f16"), None, false),
        (of(Fun::Gcd, "u16"), Some(program(Fun::Gcd, Type::int(16, false))), true),
    ];
    for ((fun, ty), fold, begun) in cases {
        let identity = fun.identity(ty).unwrap();
        let p = prefix(fold.unwrap_or_else(|| Fold::of(fun, ty).unwrap()), ty, identity, begun);
        let slow = p.op.interval() != (1, 1);
        let (mut feed, mut want) = (Vec::new(), Vec::new());
        let mut rng = Rng::new(u64::from(fun.code()) + 1);
        for run in 0..if slow { 16 } else { 100 } {
            let d = 1 + run % 3;
            let x =
                nest(&mut rng, d, &mut |r| if r.happens(0.2) { N } else { leaf(ty.canonical(r.bits() & ty.mask())) });
            feed.extend(encode(&x, d));
            want.extend(encode(&meaning(&x, &p, &|a, b| fun.apply(&[a, b], ty)), d));
        }
        let stalls = usual_stalls(3);
        for out in check_rtl(&p, &[], &[feed], &Vec::new, if slow { &stalls[..3] } else { &stalls }) {
            assert_eq!(out.unwrap().beats(0), want, "{p:?}");
        }
    }
}

#[test]
fn takes_a_beat_per_cycle() {
    let p = prefix(Fold::Add, Type::int(16, true), 0, false);
    for lengths in usual_lengths(&mut Rng::new(4)) {
        let feed = fibers(&lengths).repeat(2);
        let out = run_model(&p, &[], std::slice::from_ref(&feed), &mut [], Stall::NONE).unwrap();
        let first = u64::from(p.latency());
        assert!(out.outputs[0].iter().map(|x| x.0).eq(first..first + feed.len() as u64), "{lengths:?}");
    }
}

#[test]
fn several_cycles_are_those_it_states() {
    let p = prefix(Fold::of(Fun::Add, Type::F16).unwrap(), Type::F16, 0x8000, false);
    let feed: Vec<Beat> = (0..9).map(|k| Beat::data(u8::from(k == 8), 0x3C00)).collect();
    let out = run_model(&p, &[], &[feed], &mut [], Stall::NONE).unwrap();
    let at: Vec<u64> = out.outputs[0].iter().map(|x| x.0).collect();
    assert!(at.windows(2).all(|w| w[1] - w[0] == p.op.interval().0), "{at:?}");
    assert_eq!(out.outputs[0].last().map(|x| x.1), Some(Beat::data(1, 0x4880)));
    assert_eq!(p.describe(), format!("{:?}, {} cycles for each value", p.op, p.op.interval().0));
}

#[test]
fn malformed_input_is_refused() {
    let p = prefix(Fold::Add, Type::int(16, true), 0, false);
    let feed = vec![Beat::new(Kind::Empty, 0, [1, 0])];
    assert!(run_model(&p, &[], &[feed], &mut [], Stall::NONE).is_err());
}
