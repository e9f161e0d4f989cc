//! Forms of what computes with values: functions, conversions, reducers.

use super::{Hosted, item};
use crate::arith::alu::{Alu, Operand};
use crate::arith::convert::Convert;
use crate::blocks::Fold;
use crate::reduce::prefix::Prefix;
use crate::reduce::prefix_first::PrefixFirst;
use crate::reduce::reducer_iterative::ReducerIterative;
use crate::reduce::reducer_matrix::ReducerMatrix;
use crate::reduce::reducer_pipelined::ReducerPipelined;
use crate::reduce::reducer_scalar::ReducerScalar;
use crate::reduce::reducer_vector::ReducerVector;
use crate::reduce::reducer_vector::tests::program;
use samhw_values::{Fun, Routine, Term, Type};
use std::sync::Arc;

/// Functions and conversions of each unit and type.
pub(super) fn arithmetic() -> Vec<Hosted> {
    use Fun::*;
    let (x, y, five) = (Operand::Stream { fill: 3 }, Operand::Stream { fill: u64::MAX }, Operand::Const(5));
    let alu = |fun, operands: &[Operand], emit, ty: &str, stop_w| {
        let ty = Type::accumulator_from_name(ty).unwrap();
        item(Alu::new(fun, operands.to_vec(), emit, ty, stop_w).unwrap())
    };
    let mut all = Vec::new();
    let some = [Add, Mul, Abs, Min, Cube, Shl, Shr, Ldexp, Clip, Heaviside, Where];
    let types = ["u8", "i64", "i48", "i32s", "u16s", "fx16.8", "bool"].map(|ty| (ty, &some[..]));
    for (ty, funs) in [("i16", Fun::ALL), ("f32", Fun::ALL), ("bf16", &some)].into_iter().chain(types) {
        let of_type = Type::accumulator_from_name(ty).unwrap();
        for &fun in funs.iter().filter(|f| Alu::computes(**f, of_type)) {
            let (operands, emit) = match fun.arity() {
                1 => (vec![x], 0b10),
                2 => (vec![x, y], 0b1110),
                _ => (vec![x, y, x], 0b1111_1110),
            };
            let p = Alu::new(fun, operands, emit, of_type, 3).unwrap();
            // Programs differ in nothing but their words: some below.
            if p.program().is_none() {
                all.push(item(p));
            }
        }
    }
    for (fun, ty) in [(Gcd, "u8"), (Pow, "i16"), (Sqrt, "f64"), (Expm1, "f32"), (Cbrt, "f16")] {
        let operands = vec![x; fun.arity()];
        all.push(item(Alu::new(fun, operands, 0b1110, Type::from_name(ty).unwrap(), 3).unwrap()));
    }
    all.extend(["i18", "i19", "i36", "i37", "i54", "i55"].map(|ty| alu(Mul, &[x, five], 0b10, ty, 1)));
    for (a, b, to) in [("i8", "u16", "i48"), ("i18", "bool", "i20"), ("i16", "u32", "i32"), ("i35", "u34", "i64")] {
        let [a, b, to] = [a, b, to].map(|name| Type::accumulator_from_name(name).unwrap());
        let small = |v: u64| Operand::Stream { fill: v & 1 };
        all.push(item(Alu::product([a, b], vec![small(0), small(1)], 0b1110, to, 3).unwrap()));
    }
    for (fun, from, to) in [(Lt, "u9", "i32"), (Eq, "f32", "bool"), (And, "bool", "f16"), (Ge, "i64", "fx8.8")] {
        let [from, to] = [from, to].map(|name| Type::accumulator_from_name(name).unwrap());
        all.push(item(Alu::truth((fun, from), vec![x, x], 0b1110, to, 3).unwrap()));
    }
    let after = |f| vec![Term::Arg(0), Term::Arg(1), Term::Apply(f, vec![1, 0]), Term::Apply(Max, vec![2, 1])];
    for (fun, ty) in [(Mul, "i8"), (Sub, "u40s"), (Add, "f16"), (Or, "bool"), (Gcd, "i16"), (Mul, "fx16.8")] {
        let ty = Type::accumulator_from_name(ty).unwrap();
        all.push(item(Alu::recurrence(("f", &after(fun)), 2, 1, ty, 3).unwrap()));
    }
    all.push(alu(Sub, &[five, x], 0b10, "i8", 3));
    all.push(alu(Second, &[x, five], 0b10, "i64", 3));
    all.push(alu(Clip, &[x, five, five], 0b10, "i8", 3));
    let conversions = [
        ("i8", "i48", 3),
        ("i48", "bool", 1),
        ("i32", "u8s", 3),
        ("bool", "fx16.8", 3),
        ("fx16.8", "i32", 4),
        ("fx32.16", "ufx8.4", 3),
        ("i64", "f16", 3),
        ("bool", "f32", 3),
        ("f32", "u8", 3),
        ("f64", "i64", 3),
        ("f16", "fx64.64", 3),
        ("f16", "f64", 3),
        ("f64", "bf16", 3),
        ("f32", "bool", 3),
    ];
    for (from, to, stop_w) in conversions {
        let of = |name: &str| Type::accumulator_from_name(name).unwrap();
        all.push(item(Convert { from: of(from), to: of(to), fill: 1, emit: 0b11, stop_w }));
    }
    all
}

/// Reducers and prefixes with operators of each kind.
pub(super) fn reducers() -> Vec<Hosted> {
    use Fun::*;
    let mut all = Vec::new();
    for (op, signed, val_w, stop_w) in [(Fold::Add, true, 16, 3), (Fold::Min, false, 8, 1), (Fold::Max, true, 64, 4)] {
        all.push(item(ReducerScalar { op, val_w, signed, stop_w }));
        all.push(item(Prefix { op, identity: 0, begun: false, val_w, signed, stop_w }));
    }
    for (fun, ty) in [(Add, "f32"), (Mul, "i64"), (Mul, "i16"), (Add, "u8s")] {
        let ty = Type::from_name(ty).unwrap();
        let (op, val_w) = (Fold::of(fun, ty).unwrap(), Alu::width(ty, 3));
        all.push(item(ReducerPipelined::new(fun, ty, 3).unwrap()));
        let (identity, signed) = (fun.identity(ty).unwrap(), ty.is_signed());
        all.push(item(Prefix { op, identity, begun: false, val_w, signed, stop_w: 3 }));
        all.push(item(ReducerVector { op, crd_w: 4, val_w, signed: true, stop_w: 3, words: 16, banks: 2 }));
    }
    for (n, ty) in ["i16", "u8", "f32", "bool", "fx16.8"].into_iter().enumerate() {
        let (ty, crd_w) = (Type::accumulator_from_name(ty).unwrap(), [1, 9, 12][n % 3]);
        let in_w = if n % 2 == 0 { crd_w.max(3) } else { 2 * crd_w };
        all.push(item(PrefixFirst { greatest: n % 2 == 1, ty, crd_w, in_w, stop_w: 3 }));
    }
    for (fun, ty) in [(Gcd, "i16"), (Mul, "fx16.8"), (Lcm, "u64")] {
        let ty = Type::from_name(ty).unwrap();
        all.push(item(ReducerIterative::new(Arc::new(Routine::library(fun, ty).unwrap()), 3).unwrap()));
        let (op, val_w) = (program(fun, ty), Alu::width(ty, 3));
        all.push(item(Prefix { op, identity: 1, begun: true, val_w, signed: true, stop_w: 3 }));
        all.push(item(ReducerVector { op, crd_w: 4, val_w, signed: true, stop_w: 3, words: 16, banks: 2 }));
    }
    for (fun, ty) in [(Min, "f32"), (Or, "f16"), (Xor, "bool"), (And, "i32"), (BitAnd, "u8"), (First, "i16")] {
        let ty = Type::from_name(ty).unwrap();
        let (op, val_w) = (Fold::of(fun, ty).unwrap(), Alu::width(ty, 3));
        all.push(item(ReducerScalar { op, val_w, signed: true, stop_w: 3 }));
        all.push(item(ReducerVector { op, crd_w: 4, val_w, signed: true, stop_w: 3, words: 16, banks: 2 }));
    }
    for (op, crd_w, words, banks) in
        [(Fold::Add, 4, 16, 2), (Fold::Min, 8, 256, 2), (Fold::Max, 12, 1500, 4), (Fold::Add, 17, 1 << 17, 2)]
    {
        all.push(item(ReducerVector { op, crd_w, val_w: 16, signed: op == Fold::Min, stop_w: 3, words, banks }));
    }
    for (op, crd1_w, crd0_w, dim1, banks) in [(Fold::Add, 3, 3, 6, 2), (Fold::Max, 6, 6, 64, 4)] {
        all.push(item(ReducerMatrix { op, crd1_w, crd0_w, val_w: 16, signed: true, stop_w: 3, dim1, banks }));
    }
    all
}
