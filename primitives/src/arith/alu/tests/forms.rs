//! Forms of the ALU.

use crate::arith::alu::{Alu, Operand};
use crate::every::forms::{Hosted, item};
use samhw_values::{Fun, Term, Type};

/// Functions of each unit and type: what all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
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
    all
}
