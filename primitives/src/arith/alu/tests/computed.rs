//! Which functions of which types have an ALU, and tables of the Verilog.

use crate::arith::alu::{Alu, Operand};
use samhw_values::{Fun, Power, Type};

#[test]
fn every_function_of_every_type_is_computed() {
    let names = [
        "i8", "u8", "i32", "u32", "i64", "u64", "i13", "bool", "i1", "u1", "i16s", "u32s", "i64s", "u64s", "i63s",
        "fx16.8", "ufx32.5", "fx64.40", "ufx64.64", "fx8.8", "f16", "f32", "bf16", "f64",
    ];
    for ty in names.map(|n| Type::accumulator_from_name(n).unwrap()) {
        for &fun in Fun::ALL.iter().filter(|fun| ty.is_float() || !fun.needs_float()) {
            assert!(Alu::computes(fun, ty), "{fun:?} of {ty}");
        }
    }
}

#[test]
fn powers_of_small_floats_take_a_cycle() {
    for ty in [Type::F32, Type::F16, Type::BF16] {
        let alu = Alu::new(Fun::Pow, vec![Operand::Stream { fill: 0 }; 2], 0b1110, ty, 3).unwrap();
        assert!(alu.program().is_none(), "a power of {ty} a cycle");
    }
}

#[test]
fn the_verilog_has_the_tables_of_powers() {
    let text = include_str!("../../real/samhw_pow_tables.v");
    let tables = Power::tables();
    let digit = |four: &[u8]| char::from_digit(four.iter().fold(0, |n, b| 2 * n + u32::from(b - b'0')), 16).unwrap();
    // Lines of pieces, whose bits are a multiple of four.
    let lines = |column: usize, table: usize| {
        let (pieces, width) = (&tables[table].pieces, tables[table].widths()[column] as usize);
        let bits: String = pieces.iter().rev().map(|p| format!("{:0width$b}", p[column])).collect();
        let of_a_line = width * if width < 20 { 16 } else { 8 };
        let line = |bits: &[u8]| format!("{of_a_line}'h{}", bits.chunks(4).map(digit).collect::<String>());
        bits.as_bytes().chunks(of_a_line).map(line).collect::<Vec<_>>().join(&format!(",\n{}", " ".repeat(20)))
    };
    for (column, table) in [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)] {
        let wanted = format!(".C{column}({{\n{}{}\n{}}})", " ".repeat(20), lines(column, table), " ".repeat(16));
        assert!(text.contains(&wanted), "samhw_pow_tables.v needs\n{wanted}");
    }
}
