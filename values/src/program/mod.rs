//! Programs for functions that take more than one cycle per value. A program is a sequence of instructions on 64-bit
//! words, run by the interpreter here and, cycle for cycle, by `samhw_program`; so a function defined by one is the
//! same number in models, folding, reference and hardware.

mod body;
mod build;
mod elementary;
mod fixed;
mod float_term;
mod float_whole;
mod hyperbolic;
mod number;
mod power;
mod real;
mod registers;
mod rest;
mod rounding;
mod routine;
#[cfg(test)]
mod tests;
mod trigonometric;
mod unit;
mod whole;
mod whole_term;

use super::{Fun, Power, Type, round_float};
use build::Build;
pub use routine::Routine;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The operation of an instruction. `d`, `a`, `b`, `c` are registers, `n` is a number in the place of b and c.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    /// d = argument n
    Arg = 0,
    /// d = constant n
    Const = 1,
    /// d = a + b
    Add = 2,
    /// d = a - b
    Sub = 3,
    /// d = a AND b, bitwise
    And = 4,
    /// d = a OR b, bitwise
    Or = 5,
    /// d = a XOR b, bitwise
    Xor = 6,
    /// d = a << b (the low 6 bits of b)
    Shl = 7,
    /// d = a >> b, filled with zeros
    Shr = 8,
    /// d = a >> b, filled with the sign
    Sar = 9,
    /// d = a < b, unsigned
    Below = 10,
    /// d = a < b, signed
    Less = 11,
    /// d = a == b
    Equal = 12,
    /// d = b where a is not 0, otherwise c
    Select = 13,
    /// d = number of leading zeros of a (64 for 0)
    Zeros = 14,
    /// d = the low 64 bits of a * b
    Mul = 15,
    /// d = (c * 2^64 + a) / b, c < b
    Div = 16,
    /// d = remainder of the last division
    Rest = 17,
    /// d = a * b + c of doubles, rounded once
    Fma = 18,
    /// d = the double nearest to a * 2^b, negative if c is odd
    Round = 19,
    /// Rounds as [`Op::Round`] does, but to the program's own format.
    RoundOwn = 20,
    /// Jumps to instruction n if a is 0.
    JumpZero = 21,
    /// Jumps to instruction n.
    Jump = 22,
    /// Ends the program with result a.
    End = 23,
    /// d = a to the power b, both of the program's own format, which has at most 32 bits
    PowOwn = 24,
    /// A separate unit: greatest common divisor of two arguments of n bits, signed if bit 0 of d is set.
    Gcd = 25,
    /// A separate unit: the first argument to the power of the second. They have n bits, a of them after
    /// the point, signs if bit 0 of d is set, and products saturate if bit 1 is.
    Power = 26,
    /// A separate unit: greatest common divisor of the whole parts of two arguments of the program's own
    /// format, as 64-bit integers.
    GcdOwn = 27,
}

impl Op {
    /// Returns the cycles that the operation takes in `samhw_program`, including operand fetch and result selection.
    pub const fn cycles(self) -> u64 {
        3 + match self {
            Self::Shl | Self::Shr | Self::Sar => 2,
            Self::Mul => 4,
            Self::Div => 65,
            Self::Fma => 14,
            Self::Round | Self::RoundOwn => 5,
            Self::PowOwn => 1 + Power::DEPTH as u64,
            _ => 1,
        }
    }
    /// Does it write register d?
    const fn writes(self) -> bool {
        !matches!(self, Self::JumpZero | Self::Jump | Self::End)
    }
}

/// An instruction; its fields are d, a, b, c, or d, a and a 12-bit number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Instr {
    /// The operation.
    pub op: Op,
    /// Register d, the destination.
    pub d: u8,
    /// Register a.
    pub a: u8,
    /// Registers b and c, 6 bits each, or a 12-bit number.
    pub n: u16,
}

impl Instr {
    /// Encodes the instruction for `samhw_program`: op, d, a, b, c, from the top of 30 bits.
    pub fn word(self) -> u32 {
        (self.op as u32) << 24 | u32::from(self.d) << 18 | u32::from(self.a) << 12 | u32::from(self.n)
    }
}

/// A program of the hardware's program unit.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Program {
    /// The instructions; execution starts with the first.
    pub instrs: Vec<Instr>,
    /// The constants that instructions load.
    pub consts: Vec<u64>,
    /// The float format of [`Op::RoundOwn`].
    pub own: Type,
    /// Loops, inner ones before those around them: their instructions, and how many rounds they have at most.
    loops: Vec<(Range<usize>, u64)>,
}

impl Program {
    /// Returns the program of `fun` on `ty`; `None` if there is none.
    pub fn of(fun: Fun, ty: Type) -> Option<Self> {
        if let Some(unit) = Self::unit(fun, ty) {
            return Some(unit);
        }
        let mut p = Build::new(if ty.is_float() { ty } else { Type::F64 });
        match write(&mut p, fun, ty) {
            Some(()) => Some(p.finish()),
            None => Routine::library(fun, ty).map(|r| r.program),
        }
    }
    /// The unit that computes `fun` on `ty`, where there is one, as a program.
    fn unit(fun: Fun, ty: Type) -> Option<Self> {
        let instrs = vec![unit::whole(fun, ty)?];
        Some(Self { instrs, consts: vec![], own: if ty.is_float() { ty } else { Type::F64 }, loops: vec![] })
    }
    /// Returns the result of [`Self::of`] from a cache.
    pub fn shared(fun: Fun, ty: Type) -> Option<Arc<Self>> {
        type All = HashMap<(Fun, Type), Option<Arc<Program>>>;
        static ALL: LazyLock<Mutex<All>> = LazyLock::new(Mutex::default);
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry((fun, ty)).or_insert_with(|| Self::of(fun, ty).map(Arc::new)).clone()
    }
    /// Runs the program on these arguments and returns the 64-bit result and the cycles; callers truncate to the type.
    pub fn run(&self, args: &[u64]) -> (u64, u64) {
        let mut r = [0u64; 64];
        let (mut pc, mut rest, mut cycles) = (0usize, 0u64, 1u64);
        loop {
            let i = self.instrs[pc];
            let (a, b, c) = (r[usize::from(i.a)], r[usize::from(i.n >> 6)], r[usize::from(i.n & 63)]);
            let n = usize::from(i.n);
            pc += 1;
            cycles += i.op.cycles();
            r[usize::from(i.d)] = match i.op {
                Op::Arg => args.get(n).copied().unwrap_or(0),
                Op::Const => self.consts[n],
                Op::Add => a.wrapping_add(b),
                Op::Sub => a.wrapping_sub(b),
                Op::And => a & b,
                Op::Or => a | b,
                Op::Xor => a ^ b,
                Op::Shl => a << (b & 63),
                Op::Shr => a >> (b & 63),
                Op::Sar => ((a as i64) >> (b & 63)) as u64,
                Op::Below => u64::from(a < b),
                Op::Less => u64::from((a as i64) < b as i64),
                Op::Equal => u64::from(a == b),
                Op::Select => [c, b][usize::from(a != 0)],
                Op::Zeros => a.leading_zeros().into(),
                Op::Mul => a.wrapping_mul(b),
                Op::Div => {
                    let quotient;
                    (quotient, rest) = divide(c, a, b);
                    quotient
                }
                Op::Rest => rest,
                Op::Fma => {
                    let y = f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c));
                    Type::F64.canonical(y.to_bits())
                }
                Op::Round => round_float(Type::F64, c & 1 == 1, a.into(), b as i64, false),
                Op::RoundOwn => round_float(self.own, c & 1 == 1, a.into(), b as i64, false),
                Op::PowOwn => Power::of(self.own).map_or(0, |p| p.apply(a & self.own.mask(), b & self.own.mask())),
                Op::JumpZero | Op::Jump => {
                    if i.op == Op::Jump || a == 0 {
                        pc = n;
                    }
                    continue;
                }
                Op::End => return (a, cycles),
                Op::Gcd | Op::Power | Op::GcdOwn => return unit::run(i, args, self.own),
            };
        }
    }
    /// Returns the smallest and the largest number of cycles of a run.
    pub fn cycles(&self) -> (u64, u64) {
        if let [i @ Instr { op: Op::Gcd | Op::Power | Op::GcdOwn, .. }] = self.instrs[..] {
            return unit::cycles(i);
        }
        let times = |n: usize| {
            let around = self.loops.iter().filter(|(l, _)| l.contains(&n));
            // A round more, that ends the loop.
            around.fold(1u64, |times, (_, rounds)| times.saturating_mul(rounds + 1))
        };
        let most = |(n, i): (usize, &Instr)| i.op.cycles().saturating_mul(times(n));
        let most = self.instrs.iter().enumerate().map(most).fold(1, u64::saturating_add);
        // Jumps back only add to a run.
        let mut least = vec![u64::MAX; self.instrs.len() + 1];
        for (n, i) in self.instrs.iter().enumerate().rev() {
            let to = usize::from(i.n);
            let jump = || if to > n { least[to] } else { u64::MAX };
            let rest = match i.op {
                Op::End => 0,
                Op::Jump => jump(),
                Op::JumpZero => jump().min(least[n + 1]),
                _ => least[n + 1],
            };
            least[n] = rest.saturating_add(i.op.cycles());
        }
        (least[0].saturating_add(1), most)
    }
}

/// Writes the program of a function of the library; `None` if it has none.
fn write(p: &mut Build, fun: Fun, ty: Type) -> Option<()> {
    match ty {
        Type::Float { .. } => real::write(p, fun, ty),
        _ if ty.bits() == 1 => {
            table(p, fun, ty);
            Some(())
        }
        _ => whole::write(p, fun, ty),
    }
}

/// Functions of bits are tables.
fn table(p: &mut Build, fun: Fun, ty: Type) {
    let mut row = p.word(0);
    for k in 0..fun.arity() {
        let arg = p.arg(k as u16);
        let bit = p.mask(arg, 1);
        let bit = p.up(bit, k as u64);
        row = p.op(Op::Or, row, bit);
    }
    let rows = p.word(fun.table(ty));
    let y = p.op(Op::Shr, rows, row);
    let y = p.mask(y, 1);
    p.end(y);
}

/// (high * 2^64 + low) / b and what is left, bit by bit as hardware does it where `high` is not below `b`.
fn divide(high: u64, low: u64, b: u64) -> (u64, u64) {
    let whole = u128::from(high) << 64 | u128::from(low);
    if high < b {
        return ((whole / u128::from(b)) as u64, (whole % u128::from(b)) as u64);
    }
    let (mut rest, mut quotient) = (high, low);
    for _ in 0..64 {
        let next = u128::from(rest) << 1 | u128::from(quotient >> 63);
        let fits = next >= u128::from(b);
        rest = if fits { next - u128::from(b) } else { next } as u64;
        quotient = quotient << 1 | u64::from(fits);
    }
    (quotient, rest)
}
