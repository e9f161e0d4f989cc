//! Programs for proofs of equality: gcd in what runs one, and between them all instructions but the
//! fused multiply-add and powers of floats, of which docs/proofs.md says why.
//!
//! Lines and constants are powers of two: what is behind the end of a memory is not defined, and a proof does not know that a
//! program stops before it.

use super::forms::Hosted;
use crate::arith::alu::{Alu, Operand, program_params};
use crate::memories::memory::Host;
use crate::reduce::reducer_iterative::ReducerIterative;
use samhw_streams::Param;
use samhw_values::{Fun, Instr, Op, Program, Routine, Type};
use std::sync::Arc;

const END: Instr = Instr { op: Op::End, d: 0, a: 0, n: 0 };

/// `program` with more lines and constants, which it does not come to.
fn filled(mut program: Program) -> Program {
    program.instrs.resize(program.instrs.len().next_power_of_two(), END);
    program.consts.resize(program.consts.len().next_power_of_two().max(2), 0);
    program
}

/// The ALU and the reducer that have a program.
pub(super) fn around() -> Vec<Hosted> {
    let mut gcd = Routine::library(Fun::Gcd, Type::from_name("u8").unwrap()).unwrap();
    gcd.program = filled(gcd.program);
    let gcd = Arc::new(gcd);
    let operands = vec![Operand::Stream { fill: 1 }; 2];
    vec![
        (Box::new(Alu::routine(gcd.clone(), operands, 0b1110, 1).unwrap()), Host::Absent),
        (Box::new(ReducerIterative::new(gcd, 1).unwrap()), Host::Absent),
    ]
}

/// A line; `b` and `c` are registers.
const fn line(op: Op, d: u8, a: u8, b: u16, c: u16) -> Instr {
    Instr { op, d, a, n: b << 6 | c }
}

/// Instructions behind two that take the arguments into registers 0 and 1, by what they need of the unit, and the bits of an argument.
const PARTS: [(&[Instr], u32); 5] = [
    (
        &[
            line(Op::Const, 2, 0, 0, 1),
            line(Op::Add, 3, 0, 1, 0),
            line(Op::Sub, 4, 3, 2, 0),
            line(Op::And, 5, 3, 4, 0),
            line(Op::Or, 6, 5, 2, 0),
            line(Op::Xor, 7, 6, 3, 0),
            line(Op::Below, 8, 0, 1, 0),
            line(Op::Less, 9, 3, 4, 0),
            line(Op::Equal, 10, 5, 6, 0),
            line(Op::Select, 11, 8, 7, 9),
            line(Op::Select, 12, 10, 11, 4),
            line(Op::JumpZero, 0, 12, 0, 0),
            line(Op::Jump, 0, 0, 0, 15),
            line(Op::End, 0, 11, 0, 0),
        ],
        8,
    ),
    (
        &[
            line(Op::Shl, 2, 0, 1, 0),
            line(Op::Shr, 3, 0, 1, 0),
            line(Op::Sar, 4, 2, 1, 0),
            line(Op::Zeros, 5, 4, 0, 0),
            line(Op::Xor, 6, 3, 5, 0),
            line(Op::End, 0, 6, 0, 0),
        ],
        8,
    ),
    (&[line(Op::Div, 2, 0, 1, 2), line(Op::Rest, 3, 0, 0, 0), line(Op::Xor, 3, 2, 3, 0), line(Op::End, 0, 3, 0, 0)], 8),
    (&[line(Op::Mul, 2, 0, 1, 0), line(Op::End, 0, 2, 0, 0)], 64),
    (&[line(Op::Round, 2, 0, 1, 0), line(Op::RoundOwn, 2, 2, 1, 0), line(Op::End, 0, 2, 0, 0)], 64),
];

/// Parameters of `samhw_program`.
pub(super) fn parts() -> Vec<Vec<(&'static str, Param)>> {
    let part = |&(instrs, bits): &(&[Instr], u32)| {
        let mut program = Program::of(Fun::Gcd, Type::from_name("u8").unwrap()).unwrap();
        program.instrs = [&[line(Op::Arg, 0, 0, 0, 0), line(Op::Arg, 1, 0, 0, 1)], instrs].concat();
        program.consts = vec![u64::MAX - 4, 5];
        program.own = Type::Float { exp: 3, man: 2 };
        let mut params = program_params(&filled(program));
        params.extend([("ARGS", Param::Int(2)), ("ARG_W", Param::Int(bits))]);
        params
    };
    PARTS.iter().map(part).collect()
}
