//! Forms for proofs of equality alone, of modules that others use in wide forms only.

use super::forms::Hosted;
use super::programs;
use crate::arith::alu::{Alu, Operand};
use crate::blocks::Fold;
use crate::memories::memory::Host;
use crate::memories::memory_wide::MemoryWide;
use crate::reduce::reducer_matrix::ReducerMatrix;
use crate::reduce::reducer_vector::ReducerVector;
use samhw_streams::Primitive;
use samhw_values::{Fun, Term, Type};

/// An array of eight words, a byte each, two of them in a line.
const LINES: [(&str, u128); 7] = [
    ("ADDR_W", 3),
    ("DATA_W", 3),
    ("SIZE_LOG2", 0),
    ("BUS_LOG2", 1),
    ("AXI_W", 10),
    ("BURST_LOG2", 1),
    ("LINES_LOG2", 2),
];

/// The same with one more parameter.
const fn and(name: &'static str, value: u128) -> [(&'static str, u128); 8] {
    let [a, b, c, d, e, f, g] = LINES;
    [a, b, c, d, e, f, g, (name, value)]
}

/// The same array whole on the chip, to be read as `kind` says.
const fn whole(kind: u128) -> [(&'static str, u128); 8] {
    let [a, b, c, d, e, f, _] = LINES;
    [a, b, c, d, e, f, ("WORDS", 8), ("KIND", kind)]
}

/// FOLD of products of signed numbers, which take a cycle (`samhw_fold.vh`).
const PRODUCTS: u128 = 1 << 64 | 1 << 56 | 1 << 16 | 2 << 8 | 4;

/// Modules that no primitive is, or none in a form narrow enough, with parameters.
pub(super) const ALONE: &[(&str, &[(&str, u128)])] = &[
    ("samhw_axi_bounds", &[("DATA_W", 2), ("LIMIT_W", 3)]),
    ("samhw_axi_order", &[("ADDR_W", 2), ("DATA_W", 2), ("LIMIT_W", 3), ("WAIT_LOG2", 2)]),
    ("samhw_axi_order", &[("ADDR_W", 2), ("DATA_W", 2), ("LIMIT_W", 3), ("WAIT_LOG2", 2), ("KIND", 1)]),
    ("samhw_axi_order", &[("ADDR_W", 2), ("DATA_W", 4), ("LIMIT_W", 3), ("WAIT_LOG2", 2), ("KIND", 2)]),
    ("samhw_axi_ranks", &[("ADDR_W", 2), ("RANK_W", 3), ("WIDTH", 4), ("WAIT_LOG2", 2)]),
    ("samhw_axi_ranks", &[("ADDR_W", 2), ("RANK_W", 3), ("WIDTH", 4), ("WAIT_LOG2", 2), ("BURSTS", 0)]),
    ("samhw_axi_places", &[("ADDR_W", 2), ("DATA_W", 2), ("LIMIT_W", 3), ("WAIT_LOG2", 2)]),
    ("samhw_axi_places", &[("ADDR_W", 2), ("DATA_W", 2), ("LIMIT_W", 3), ("WAIT_LOG2", 2), ("PAIRS", 1)]),
    ("samhw_axi_places", &[("ADDR_W", 2), ("DATA_W", 2), ("LIMIT_W", 3), ("WAIT_LOG2", 2), ("REPEATS", 1)]),
    ("samhw_axi_read_mux", &[("N", 2), ("BUS_LOG2", 0), ("AXI_W", 3), ("ID_W", 1)]),
    ("samhw_axi_write_mux", &[("N", 2), ("BUS_LOG2", 0), ("AXI_W", 3), ("ID_W", 1)]),
    ("samhw_axi_share", &[("N", 2), ("BUS_LOG2", 0), ("AXI_W", 3), ("WAIT_LOG2", 2), ("OPEN_LOG2", 1)]),
    ("samhw_axi_reader", &and("KIND", 0)),
    ("samhw_axi_reader", &and("KIND", 1)),
    ("samhw_axi_reader", &and("KIND", 2)),
    ("samhw_axi_tiles", &and("HINTS_LOG2", 1)),
    ("samhw_axi_whole", &whole(0)),
    ("samhw_axi_whole", &whole(1)),
    ("samhw_axi_whole", &whole(2)),
    ("samhw_axi_writer", &LINES),
    ("samhw_axi_regs", &[("CONFIG", 1), ("STATUS", 1), ("READERS", 1), ("WRITERS", 1), ("ID_W", 1)]),
    (
        "samhw_axi_regs",
        &[("CONFIG", 1), ("STATUS", 1), ("READERS", 1), ("WRITERS", 1), ("ID_W", 1), ("NODES", 1), ("STREAMS", 1)],
    ),
    ("samhw_list_writer", &[("CRD_W", 2), ("REF_IN_W", 2), ("REF_W", 2), ("STOP_W", 2), ("WORDS", 2)]),
    ("samhw_list_writer", &[("CRD_W", 2), ("REF_IN_W", 2), ("REF_W", 3), ("STOP_W", 2), ("WORDS", 4)]),
    ("samhw_float_fma", &[("EXP", 3), ("MAN", 2), ("DEPTH", 0)]),
    // With no level of bits in RAM, with one, with two, and where an arrival waits.
    ("samhw_mem_fold", &[("ADDR_W", 2), ("DATA_W", 2), ("WORDS", 4)]),
    ("samhw_mem_fold", &[("ADDR_W", 2), ("DATA_W", 2), ("WORDS", 4), ("LEVEL_W", 1)]),
    ("samhw_mem_fold", &[("ADDR_W", 3), ("DATA_W", 2), ("WORDS", 8), ("LEVEL_W", 1)]),
    ("samhw_mem_fold", &[("ADDR_W", 3), ("DATA_W", 2), ("WORDS", 8), ("LEVEL_W", 1), ("FOLD", PRODUCTS)]),
    ("samhw_mul_low", &[("A_W", 3), ("LIMBS", 2)]),
    ("samhw_power", &[("W", 3)]),
    ("samhw_power", &[("W", 3), ("SATURATE", 1)]),
    ("samhw_reciprocal", &[("W", 3), ("FRAC", 1)]),
    ("samhw_gcd_parts", &[("EXP", 3), ("MAN", 2), ("PART_W", 3)]),
    (
        "samhw_workspace_issue",
        &[("ADDR_W", 2), ("BANK_W", 1), ("VAL_W", 1), ("END_W", 1), ("LATE", 2), ("PARK_LOG2", 1), ("AGE_W", 1)],
    ),
    // With its level of bits as if that were in block RAM.
    ("samhw_workspace", &[("CRD_W", 6), ("VAL_W", 1), ("STOP_W", 2), ("WORDS", 64), ("BANK_W", 1), ("LUT_BITS", 8)]),
    ("samhw_digits", &[("KEY_W", 4), ("SIZE0", 3), ("CRD1_W", 3), ("REST_W", 3), ("STOP_W", 2)]),
];

/// Primitives of numbers of three bits or so where there is a choice, and of small memories.
pub(super) fn narrow() -> Vec<Hosted> {
    use Fun::*;
    let item = |p: Box<dyn Primitive>| (p, Host::Absent);
    let operand = Operand::Stream { fill: 1 };
    let alu = |fun: Fun, ty: Type| {
        let emit = if fun.arity() == 1 { 0b10 } else { 0b1110 };
        item(Box::new(Alu::new(fun, vec![operand; fun.arity()], emit, ty, 1).unwrap()))
    };
    let float = Type::Float { exp: 3, man: 2 };
    let mut all = vec![(Box::new(MemoryWide { addr_w: 3, data_w: 2, words: 8, wide_log2: 2 }) as _, Host::Writes)];
    for (ty, funs) in [
        ("i3", &[Add, Mul, Cube, Div, PyMod, Shl, Ldexp][..]),
        ("i3s", &[Add, Mul, Idiv, Abs]),
        ("fx4.2", &[Mul, Div, Sqrt, Rint, Recip]),
    ] {
        let ty = Type::accumulator_from_name(ty).unwrap();
        all.extend(funs.iter().map(|&fun| alu(fun, ty)));
    }
    all.extend([Add, Mul, Min, Ldexp, Rint, Div, Sqrt].map(|fun| alu(fun, float)));
    // As small as their tables and products may be.
    all.extend(
        [(Exp, 3, 3), (Log, 3, 4), (Sin, 4, 6), (Cos, 4, 6), (Tanh, 4, 6)]
            .map(|(fun, exp, man)| alu(fun, Type::Float { exp, man })),
    );
    all.extend(programs::around());
    // The last one has a level of its bitmap in RAM.
    for (op, val_w, crd_w) in [(Fold::Add, 2, 2), (Fold::Of(Xor, Type::Bool), 1, 2), (Fold::Of(Or, Type::Bool), 1, 6)] {
        let words = 1 << crd_w;
        all.push(item(Box::new(ReducerVector { op, crd_w, val_w, signed: true, stop_w: 1, words, banks: 2 })));
    }
    for (crd0_w, dim1) in [(2, 4), (2, 2)] {
        let (op, val_w) = (Fold::Add, 2);
        all.push(item(Box::new(ReducerMatrix {
            op,
            crd1_w: 2,
            crd0_w,
            val_w,
            signed: true,
            stop_w: 2,
            dim1,
            banks: 2,
        })));
    }
    all
}

/// An ALU with units one after another in the place of a program, and its value before.
pub(super) fn steps() -> Hosted {
    let body = [Term::Arg(0), Term::Arg(1), Term::Apply(Fun::Add, vec![1, 0]), Term::Apply(Fun::Max, vec![2, 1])];
    let i3 = Type::accumulator_from_name("i3").unwrap();
    (Box::new(Alu::recurrence(("f", &body), 2, 1, i3, 1).unwrap()), Host::Absent)
}
