//! Bounds hold for every order of summation, and are narrow enough to notice what is wrong.

use super::arith::Arith;
use super::near::Near;
use super::value::Value;
use samhw_compiler::stmt::Fun;
use samhw_compiler::types::Type;
use samhw_values::Rng;
use samhw_values::{from_f64, to_f64};

/// A reduction as the executor does it.
fn reduced(ty: Type, op: Fun, values: &[u64]) -> Near {
    let arith = Arith::new(ty);
    let exact = values.iter().map(|&v| Near::exact(v));
    exact.reduce(|a, b| Near::combine(arith, op.into(), a, b)).unwrap_or_default().settle(arith, op.into())
}

/// A reduction in a random tree.
fn otherwise(ty: Type, op: Fun, values: &[u64], rng: &mut Rng) -> u64 {
    let mut left = values.to_vec();
    while left.len() > 1 {
        let a = left.swap_remove(rng.below(left.len() as u64) as usize);
        let b = left.swap_remove(rng.below(left.len() as u64) as usize);
        left.push(op.apply(&[a, b], ty));
    }
    left[0]
}

fn types() -> [Type; 6] {
    ["f64", "f32", "bf16", "f16", "fx16.8", "i16s"].map(|name| Type::from_name(name).unwrap())
}

#[test]
fn every_order_is_within_and_a_lost_term_is_not() {
    let mut rng = Rng::new(11);
    let (mut noticed, mut bounded) = (0, 0);
    for ty in types() {
        for round in 0..400 {
            let count = 1 + rng.below(30);
            let scale = [1.0, 100.0, 0.001][round % 3];
            let term = |rng: &mut Rng| from_f64((rng.below(2001) as f64 / 1000.0 - 1.0) * scale, ty);
            let values: Vec<u64> = (0..count).map(|_| term(&mut rng)).collect();
            for op in [Fun::Add, Fun::Mul] {
                let near = reduced(ty, op, &values);
                for _ in 0..5 {
                    let other = otherwise(ty, op, &values, &mut rng);
                    assert_ne!(near.allows(ty, other), Some(false), "{ty} {op:?} {values:x?}: {other:x} {near:?}");
                }
                let lost = reduced(ty, op, &values[1..]);
                if op == Fun::Add && ty.is_float() && ty.bits() >= 32 && to_f64(values[0], ty).abs() > 0.1 * scale {
                    bounded += 1;
                    noticed += usize::from(near.allows(ty, lost.raw) == Some(false));
                }
            }
        }
    }
    assert!(bounded > 400 && noticed == bounded, "{noticed} of {bounded} lost terms noticed");
}

#[test]
fn functions_of_bounded_values_are_bounded() {
    let mut rng = Rng::new(12);
    for ty in [Type::F32, Type::F16] {
        let arith = Arith::new(ty);
        for _ in 0..300 {
            let values: Vec<u64> = (0..9).map(|_| from_f64(rng.below(2001) as f64 / 500.0 - 2.0, ty)).collect();
            let c = from_f64(rng.below(2001) as f64 / 500.0 - 2.0, ty);
            let sum = reduced(ty, Fun::Add, &values);
            for f in Fun::ALL {
                let args = [sum, Near::exact(c), Near::exact(ty.one())];
                let near = Near::apply(arith, *f, &args[..f.arity()]);
                for _ in 0..4 {
                    let other = otherwise(ty, Fun::Add, &values, &mut rng);
                    let raw = f.apply(&[other, c, ty.one()][..f.arity()], ty);
                    assert_ne!(near.allows(ty, raw), Some(false), "{ty} {f:?} of {other:x}, {c:x}: {raw:x} {near:?}");
                }
            }
        }
    }
}

#[test]
fn special_values_decide_sums_in_every_order() {
    let ty = Type::F64;
    let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<u64>>();
    let sum = |values: &[f64]| reduced(ty, Fun::Add, &bits(values));
    assert!(sum(&[1.0, f64::INFINITY, -3.0]).is_exact());
    assert!(sum(&[1.0, f64::INFINITY, f64::NEG_INFINITY]).is_exact());
    assert!(sum(&[1.0, f64::NAN, 2.0]).is_exact());
    // In some order this overflows.
    assert_eq!(sum(&[1e308, 1e308, -1e308]).allows(ty, 0), None);
    // One addition has one result.
    assert_eq!(sum(&[0.1, 0.2]).allows(ty, (0.1f64 + 0.2).to_bits()), Some(true));
    assert_eq!(sum(&[0.1, 0.2]).allows(ty, 0.3f64.to_bits()), Some(false));
}
