//! Quotients and remainders of integers by a power of two: shifts and masks take one cycle, where division takes a
//! stage for each bit.
//!
//! Before: `a // 16` is a divider. After: `a >> 4`, which gives the same for every whole number: both round down. So do rests that have the divisor's
//! sign (`a % 16` of Python) and a mask; quotients that round towards 0 and rests with the dividend's sign do for numbers without a sign alone.

use crate::graph::{AluFun, Arg, Graph, NodeId, Op};
use crate::stmt::Fun;
use crate::types::Type;

/// Replaces quotients and remainders by powers of two.
pub fn apply(graph: &mut Graph) {
    for n in 0..graph.nodes.len() {
        let ty = graph.value_type(NodeId(n));
        if let (Op::Alu { fun: AluFun::Fun(fun), args, .. }, Some(ty)) = (&mut graph.nodes[n].op, ty)
            && let [Arg::Stream(_), Arg::Const(by)] = &mut args[..]
            && let Some((simple, with)) = simplified(*fun, *by, ty)
        {
            (*fun, *by) = (simple, with);
        }
    }
}

/// What `fun(x, by)` is for every x of `ty`: another function, and its second argument.
fn simplified(fun: Fun, by: u64, ty: Type) -> Option<(Fun, u64)> {
    let Type::Int { bits, signed, .. } = ty else { return None };
    let negative = signed && by >> (bits - 1) & 1 == 1;
    if negative || !by.is_power_of_two() {
        return None;
    }
    match fun {
        Fun::Idiv => Some((Fun::Shr, by.trailing_zeros().into())),
        Fun::Div if !signed => Some((Fun::Shr, by.trailing_zeros().into())),
        Fun::PyMod => Some((Fun::BitAnd, by - 1)),
        Fun::Mod if !signed => Some((Fun::BitAnd, by - 1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_eight_bits_gives_the_same() {
        let mut found = 0;
        for signed in [false, true] {
            for saturating in [false, true] {
                let ty = Type::Int { bits: 8, signed, saturating };
                for fun in [Fun::Div, Fun::Idiv, Fun::Mod, Fun::PyMod, Fun::Add] {
                    for by in 0..256 {
                        let Some((simple, with)) = simplified(fun, by, ty) else { continue };
                        found += 1;
                        for x in 0..256 {
                            assert_eq!(fun.apply(&[x, by], ty), simple.apply(&[x, with], ty), "{x} {fun:?} {by}");
                        }
                    }
                }
            }
        }
        // Powers up to 64 with a sign, up to 128 without.
        assert_eq!(found, 2 * (2 * 7 + 4 * 8));
    }
}
