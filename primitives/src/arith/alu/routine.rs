//! The properties of a program that `samhw_routine` needs: its lines, its constants, and the operations that it has.

use super::plan::packed;
use samhw_streams::Param;
use samhw_values::{Program, Type, mask};

/// The properties of a program that `samhw_routine` needs.
#[derive(Debug)]
pub(crate) struct RoutineNeeds {
    /// The program's lines.
    pub lines: Vec<u32>,
    /// Constants of the program, at least one.
    pub consts: Vec<u64>,
    /// Exponent and fraction bits of the floats it works with.
    pub float: (u32, u32),
    /// A bit per operation that it has.
    pub has: u64,
}

impl RoutineNeeds {
    pub fn of(program: &Program) -> Self {
        // Powers of floats are seen in PROG, and a unit in the place of a program has none of its ops.
        let has = program.instrs.iter().fold(0, |has, i| has | 1 << i.op as u32) & mask(24);
        Self {
            lines: program.instrs.iter().map(|i| i.word()).collect(),
            consts: if program.consts.is_empty() { vec![0] } else { program.consts.clone() },
            float: if let Type::Float { exp, man } = program.own { (exp, man) } else { (11, 52) },
            has,
        }
    }
}

/// Parameters of `samhw_routine`, its arguments' apart.
pub(crate) fn program_params(program: &Program) -> Vec<(&'static str, Param)> {
    let RoutineNeeds { lines, consts, float: (exp, man), has } = RoutineNeeds::of(program);
    let words: Vec<u128> = lines.iter().map(|l| u128::from(*l)).collect();
    vec![
        ("LINES", Param::Int(lines.len() as u32)),
        ("PROG", packed(&words, 32)),
        ("WORDS", Param::Int(consts.len() as u32)),
        ("CONSTS", Param::Bits(64 * consts.len() as u32, consts)),
        ("EXP", Param::Int(exp)),
        ("MAN", Param::Int(man)),
        ("HAS", Param::Bits(24, vec![has])),
    ]
}
