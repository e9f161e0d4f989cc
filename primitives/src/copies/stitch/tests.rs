//! The stitch against its meaning, its Verilog, and its promise of one item a cycle.

use super::Stitch;
use crate::arith::alu::Alu;
use crate::blocks::{Fold, Kept};
use crate::every::forms::{Hosted, WIDTHS, item};
use samhw_streams::{Beat, Leaf, Nest, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::{Fun, Rng, Routine, Type};

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, _, ref_w, stop_w] in WIDTHS {
        for (next, prev) in [(true, true), (true, false), (false, true), (false, false)] {
            all.push(item(Stitch { crd_w, op: Fold::Add, val_w: ref_w, signed: true, stop_w, next, prev }));
        }
    }
    for (fun, ty) in [
        (Fun::Min, "i16"),
        (Fun::Max, "u16"),
        (Fun::Or, "f16"),
        (Fun::Min, "f32"),
        (Fun::BitXor, "i8"),
        (Fun::Add, "f32"),
    ] {
        let ty = Type::from_name(ty).unwrap();
        let (op, val_w) = (Fold::of(fun, ty).unwrap(), Alu::width(ty, 3));
        all.push(item(Stitch { crd_w: 8, op, val_w, signed: ty.is_signed(), stop_w: 3, next: true, prev: true }));
    }
    all
}

fn stitch(next: bool, prev: bool) -> Stitch {
    Stitch { crd_w: 7, op: Fold::Add, val_w: 9, signed: true, stop_w: 2, next, prev }
}

fn beats(items: &[[u64; 2]]) -> Vec<Beat> {
    let leaf = |&p: &[u64; 2]| Nest::Leaf(Leaf { present: true, p });
    encode(&Nest::List(items.iter().map(leaf).collect()), 1)
}

/// The list with what comes back at its end; then its first item apart, if it goes back.
fn meaning(p: &Stitch, own: &[[u64; 2]], next: Option<[u64; 2]>) -> (Vec<[u64; 2]>, Vec<[u64; 2]>) {
    let mut all = own.to_vec();
    match (all.last_mut(), next) {
        (Some(last), Some(n)) if last[0] == n[0] => last[1] = p.op.apply(last[1], n[1], p.val_w, p.signed),
        (_, n) => all.extend(n),
    }
    let back = all.drain(..all.len().min(usize::from(p.prev))).collect();
    (all, back)
}

fn check(p: &Stitch, rng: &mut Rng, stalls: &[Stall], rtl: bool) {
    let (mut feeds, mut wants) = (vec![Vec::new(); 1 + usize::from(p.next)], [Vec::new(), Vec::new()]);
    for _ in 0..5 {
        let mut crd = 0;
        let mut item = |rng: &mut Rng, least| {
            crd += least + rng.below(4);
            [crd, rng.below(512)]
        };
        let own: Vec<[u64; 2]> = (0..[0, 1, 1, 2, 3, 9][rng.below(6) as usize]).map(|_| item(rng, 1)).collect();
        let next = (p.next && rng.happens(0.7)).then(|| if rng.happens(0.5) { item(rng, 0) } else { item(rng, 1) });
        let (out, back) = meaning(p, &own, next);
        feeds[0].extend(beats(&own));
        if p.next {
            feeds[1].extend(beats(&next.into_iter().collect::<Vec<_>>()));
        }
        wants[0].extend(beats(&out));
        wants[1].extend(beats(&back));
    }
    let outcomes = match rtl {
        true => check_rtl(p, &[], &feeds, &Vec::new, stalls),
        false => stalls.iter().map(|&s| run_model(p, &[], &feeds, &mut [], s)).collect(),
    };
    for out in outcomes {
        let out = out.unwrap();
        for (k, want) in wants.iter().enumerate().take(1 + usize::from(p.prev)) {
            assert_eq!(&out.beats(k), want, "{p:?} output {k} of {feeds:?}");
        }
    }
}

fn samples() -> [Stitch; 10] {
    let with = |op, signed| Stitch { op, signed, ..stitch(true, true) };
    let or = Fold::of(Fun::BitOr, Type::int(9, false)).unwrap();
    let [min, max, or] = [with(Fold::Min, true), with(Fold::Max, false), with(or, false)];
    let [sum, product] = [(Fun::Add, "f16"), (Fun::Mul, "i16s")].map(|(fun, ty)| {
        let ty = Type::from_name(ty).unwrap();
        Stitch { val_w: ty.bits(), ..with(Fold::of(fun, ty).unwrap(), ty.is_signed()) }
    });
    let gcd = Kept::new(Routine::library(Fun::Gcd, Type::int(9, false)).unwrap()).unwrap();
    let gcd = with(Fold::Program(gcd), false);
    let ends = [stitch(true, true), stitch(false, true), stitch(true, false), stitch(false, false)];
    let [both, first, last, alone] = ends;
    [both, first, last, sum, product, gcd, alone, min, max, or]
}

#[test]
fn model_means_what_it_says() {
    let mut rng = Rng::new(8);
    for round in 0..600 {
        check(&samples()[round % 10], &mut rng, &usual_stalls(round as u64), false);
    }
}

#[test]
fn verilog_moves_as_the_model() {
    let mut rng = Rng::new(9);
    for p in &samples()[..6] {
        for seed in 0..15 {
            check(p, &mut rng, &usual_stalls(seed), true);
        }
    }
}

#[test]
fn one_item_a_cycle() {
    let own: Vec<[u64; 2]> = (0..100).map(|c| [c, c]).collect();
    for p in samples() {
        let feeds = [beats(&own), beats(&[[99, 5]])];
        let out = run_model(&p, &[], &feeds[..1 + usize::from(p.next)], &mut [], Stall::NONE).unwrap();
        let taken = &out.inputs[0];
        assert_eq!(taken[99] - taken[0], 99, "{p:?}");
        let left = &out.outputs[0];
        assert_eq!(
            left[left.len() - 1].0 - left[0].0,
            left.len() as u64 + p.op.run(99, 5, p.val_w, p.signed).1,
            "{p:?}"
        );
    }
}

#[test]
fn both_refuse_what_is_no_list_of_sums() {
    let feeds = [vec![Beat::empty(1), Beat::DONE], vec![Beat::nil(1, 1), Beat::DONE]];
    let got = check_rtl(&stitch(true, true), &[], &feeds, &Vec::new, &usual_stalls(1));
    assert!(got.iter().all(Result::is_err));
}
