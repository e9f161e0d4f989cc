//! An assembler for programs, with an unlimited number of registers.

use super::registers::{Line, assign};
use super::{Op, Program};
use crate::Type;
use std::ops::Range;

/// A register, of as many as the program takes; [`assign`] says which of the 64 it becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reg(usize);

/// A place to jump to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Label(usize);

/// A program in the making.
pub(super) struct Build {
    lines: Vec<Line>,
    consts: Vec<u64>,
    /// Where labels are, once they are.
    labels: Vec<Option<usize>>,
    next: usize,
    /// Registers in all.
    most: usize,
    own: Type,
    /// Inside of another program: its registers in the place of arguments, where the result goes, and the end.
    around: Option<(Vec<Reg>, Reg, Label)>,
    /// Loops: their instructions, and how many rounds they have at most.
    loops: Vec<(Range<usize>, u64)>,
}

/// A double taken apart: x = man * 2^exp, `man` with its highest one at bit 52 (0 of zero).
pub(super) struct Parts {
    pub sign: Reg,
    pub exp: Reg,
    pub man: Reg,
}

impl Build {
    pub fn new(own: Type) -> Self {
        Self {
            lines: Vec::new(),
            consts: Vec::new(),
            labels: Vec::new(),
            next: 0,
            most: 0,
            own,
            around: None,
            loops: Vec::new(),
        }
    }
    /// Finishes a library program, which always fits.
    pub fn finish(self) -> Program {
        self.fitting().expect("the library's programs fit into 64 registers and 4096 instructions")
    }
    /// Finishes the program; `None` if it exceeds the registers or its constants exceed 12 bits.
    pub fn fitting(mut self) -> Option<Program> {
        if self.lines.len() > 1 << 12 || self.consts.len() > 1 << 12 {
            return None;
        }
        for line in self.lines.iter_mut().filter(|l| matches!(l.op, Op::Jump | Op::JumpZero)) {
            line.n = self.labels[usize::from(line.n)].unwrap_or(0) as u16;
        }
        let instrs = assign(&self.lines, self.most)?;
        Some(Program { instrs, consts: self.consts, own: self.own, loops: self.loops })
    }
    /// Allocates a new register.
    pub fn reg(&mut self) -> Reg {
        self.next += 1;
        self.most = self.most.max(self.next);
        Reg(self.next - 1)
    }
    /// Inlines a program with these arguments; `f` writes it as if it were separate. Gives its result.
    pub fn inside(&mut self, args: &[Reg], f: impl FnOnce(&mut Self)) -> Reg {
        self.scope(|p| {
            let (result, end) = (p.reg(), p.label());
            let around = p.around.replace((args.to_vec(), result, end));
            f(p);
            p.around = around;
            p.here(end);
            result
        })
    }
    /// Marks the instructions that `f` writes as a loop of at most `rounds` rounds.
    pub fn rounds(&mut self, rounds: u64, f: impl FnOnce(&mut Self)) {
        let first = self.open();
        f(self);
        self.close(first, rounds);
    }
    /// Opens a loop and returns the number of its first instruction.
    pub fn open(&self) -> usize {
        self.lines.len()
    }
    /// Closes the loop that starts at instruction `first`.
    pub fn close(&mut self, first: usize, rounds: u64) {
        self.loops.push((first..self.lines.len(), rounds));
    }
    /// Marks the current register, so that [`Self::drop_to`] and [`Self::settle`] can free those allocated later.
    pub fn mark(&self) -> usize {
        self.next
    }
    /// Frees the registers allocated since `mark`.
    pub fn drop_to(&mut self, mark: usize) {
        self.next = mark;
    }
    /// Copies r into d and frees all registers allocated since `mark`, including r.
    pub fn settle(&mut self, mark: usize, d: Reg, r: Reg) -> Reg {
        let here = self.lines.len();
        let reached = self.labels.contains(&Some(here));
        match self.lines.last_mut().filter(|i| i.d == r.0 && r.0 >= mark && !reached && i.op.writes()) {
            Some(last) => last.d = d.0,
            None => self.set(d, r),
        }
        self.next = mark;
        d
    }
    /// Frees all registers that `f` allocates, except the one that it returns.
    pub fn scope(&mut self, f: impl FnOnce(&mut Self) -> Reg) -> Reg {
        let keep = self.reg();
        let start = self.next;
        let r = f(self);
        self.set(keep, r);
        self.next = start;
        keep
    }
    fn push(&mut self, op: Op, d: Reg, of: [Reg; 3], n: u16) -> Reg {
        self.lines.push(Line { op, d: d.0, of: of.map(|r| r.0), n });
        d
    }
    /// Emits d = op(a, b, c).
    pub fn into(&mut self, d: Reg, op: Op, a: Reg, b: Reg, c: Reg) -> Reg {
        self.push(op, d, [a, b, c], 0)
    }
    /// Emits op(a, b) into a new register.
    pub fn op(&mut self, op: Op, a: Reg, b: Reg) -> Reg {
        let d = self.reg();
        self.into(d, op, a, b, a)
    }
    pub fn op3(&mut self, op: Op, a: Reg, b: Reg, c: Reg) -> Reg {
        let d = self.reg();
        self.into(d, op, a, b, c)
    }
    /// Emits d = a.
    pub fn set(&mut self, d: Reg, a: Reg) {
        self.into(d, Op::Or, a, a, a);
    }
    pub fn arg(&mut self, k: u16) -> Reg {
        let d = self.reg();
        if let Some(&given) = self.around.as_ref().and_then(|(args, ..)| args.get(usize::from(k))) {
            self.set(d, given);
            return d;
        }
        self.push(Op::Arg, d, [d; 3], k)
    }
    pub fn word(&mut self, value: u64) -> Reg {
        let d = self.reg();
        self.load(d, value)
    }
    pub fn load(&mut self, d: Reg, value: u64) -> Reg {
        let n = self.consts.iter().position(|&c| c == value).unwrap_or_else(|| {
            self.consts.push(value);
            self.consts.len() - 1
        });
        self.push(Op::Const, d, [d; 3], n as u16)
    }
    pub fn real(&mut self, value: f64) -> Reg {
        self.word(value.to_bits())
    }
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }
    /// Places the label before the next instruction.
    pub fn here(&mut self, l: Label) {
        self.labels[l.0] = Some(self.lines.len());
    }
    pub fn jump(&mut self, l: Label) {
        self.push(Op::Jump, Reg(0), [Reg(0); 3], l.0 as u16);
    }
    pub fn jump_zero(&mut self, a: Reg, l: Label) {
        self.push(Op::JumpZero, a, [a; 3], l.0 as u16);
    }
    pub fn end(&mut self, a: Reg) {
        if let Some((_, result, end)) = self.around {
            self.set(result, a);
            return self.jump(end);
        }
        self.push(Op::End, a, [a; 3], 0);
    }
    /// Ends the program with `value` if `truth` is not 0.
    pub fn end_if(&mut self, truth: Reg, value: Reg) {
        let on = self.label();
        self.jump_zero(truth, on);
        self.end(value);
        self.here(on);
    }
    /// Ends the program with `value` if `truth` is 0.
    pub fn end_if_not(&mut self, truth: Reg, value: Reg) {
        let not = self.not(truth);
        self.end_if(not, value);
    }
    pub fn select(&mut self, truth: Reg, yes: Reg, no: Reg) -> Reg {
        self.op3(Op::Select, truth, yes, no)
    }
    /// Emits op(a, value) into a new register.
    pub fn with(&mut self, op: Op, a: Reg, value: u64) -> Reg {
        let d = self.word(value);
        self.into(d, op, a, d, a)
    }
    pub fn not(&mut self, a: Reg) -> Reg {
        self.with(Op::Equal, a, 0)
    }
    pub fn negate(&mut self, a: Reg) -> Reg {
        let d = self.word(0);
        self.into(d, Op::Sub, d, a, a)
    }
    pub fn plus(&mut self, a: Reg, n: i64) -> Reg {
        self.with(Op::Add, a, n as u64)
    }
    pub fn up(&mut self, a: Reg, n: u64) -> Reg {
        self.with(Op::Shl, a, n)
    }
    pub fn down(&mut self, a: Reg, n: u64) -> Reg {
        self.with(Op::Shr, a, n)
    }
    pub fn mask(&mut self, a: Reg, bits: u64) -> Reg {
        self.with(Op::And, a, bits)
    }

    // Doubles.
    pub fn fma(&mut self, a: Reg, b: Reg, c: Reg) -> Reg {
        self.op3(Op::Fma, a, b, c)
    }
    pub fn fadd(&mut self, a: Reg, b: Reg) -> Reg {
        let d = self.real(1.0);
        self.into(d, Op::Fma, a, d, b)
    }
    pub fn fsub(&mut self, a: Reg, b: Reg) -> Reg {
        let d = self.real(-1.0);
        self.into(d, Op::Fma, b, d, a)
    }
    pub fn fmul(&mut self, a: Reg, b: Reg) -> Reg {
        let d = self.real(-0.0);
        self.into(d, Op::Fma, a, b, d)
    }
    pub fn size(&mut self, a: Reg) -> Reg {
        self.mask(a, u64::MAX >> 1)
    }
    /// Computes the raw bits of a float's absolute value; the result is 0 only for zeros.
    pub fn size_of(&mut self, a: Reg, ty: Type) -> Reg {
        self.mask(a, ty.sign_bit() - 1)
    }
    pub fn sign(&mut self, a: Reg) -> Reg {
        self.mask(a, 1 << 63)
    }
    pub fn with_sign(&mut self, size: Reg, sign: Reg) -> Reg {
        self.op(Op::Or, size, sign)
    }
    /// Tests whether |a| (a register from [`Self::size`]) is below `limit`.
    pub fn under(&mut self, size: Reg, limit: f64) -> Reg {
        self.with(Op::Below, size, limit.to_bits())
    }
    pub fn is_nan(&mut self, size: Reg) -> Reg {
        let d = self.real(f64::INFINITY);
        self.into(d, Op::Below, d, size, size)
    }
    /// Evaluates the polynomial `((c[n] x + c[n-1]) x + ..) x + c[0]`.
    pub fn poly(&mut self, x: Reg, coefficients: &[f64]) -> Reg {
        let Some((last, others)) = coefficients.split_last() else { return x };
        let (acc, next) = (self.real(*last), self.reg());
        for c in others.iter().rev() {
            self.load(next, c.to_bits());
            self.into(acc, Op::Fma, acc, x, next);
        }
        acc
    }
    /// Splits a finite double into sign, exponent and mantissa.
    pub fn parts(&mut self, x: Reg) -> Parts {
        let sign = self.down(x, 63);
        let (exp, man) = (self.reg(), self.reg());
        let start = self.next;
        let size = self.size(x);
        let field = self.down(size, 52);
        let fraction = self.mask(x, (1 << 52) - 1);
        let none = self.not(field);
        let hidden = self.not(none);
        let hidden = self.up(hidden, 52);
        self.into(man, Op::Or, fraction, hidden, hidden);
        self.into(exp, Op::Add, field, none, none);
        // Subnormal ones move up.
        let zeros = self.op(Op::Zeros, man, man);
        let by = self.plus(zeros, -11);
        self.into(man, Op::Shl, man, by, by);
        self.into(exp, Op::Sub, exp, by, by);
        let e = self.plus(exp, -1075);
        self.set(exp, e);
        self.next = start;
        Parts { sign, exp, man }
    }
    /// Divides finite doubles a / b, where b is not 0.
    pub fn ratio(&mut self, a: Reg, b: Reg) -> Reg {
        self.scope(|p| {
            let (x, y) = (p.parts(a), p.parts(b));
            let zero = p.word(0);
            let twice = p.up(y.man, 1);
            let q = p.op3(Op::Div, zero, twice, x.man);
            let rest = p.op(Op::Rest, q, q);
            let exact = p.not(rest);
            let sticky = p.not(exact);
            let q = p.op(Op::Or, q, sticky);
            let exp = p.op(Op::Sub, x.exp, y.exp);
            let exp = p.plus(exp, -63);
            let sign = p.op(Op::Xor, x.sign, y.sign);
            p.op3(Op::Round, q, exp, sign)
        })
    }
    /// Computes the square root of a finite double that is not negative.
    pub fn root(&mut self, square: Reg) -> Reg {
        self.scope(|p| {
            let x = p.parts(square);
            let odd = p.mask(x.exp, 1);
            let high = p.op(Op::Shl, x.man, odd);
            let low = p.word(0);
            let start = p.word(1 << 59);
            let root = p.isqrt(high, low, start);
            let q = p.op3(Op::Div, low, root, high);
            let rest = p.op(Op::Rest, q, q);
            let differs = p.op(Op::Xor, q, root);
            let inexact = p.op(Op::Or, differs, rest);
            let exact = p.not(inexact);
            let sticky = p.not(exact);
            let root = p.op(Op::Or, root, sticky);
            let exp = p.op(Op::Sub, x.exp, odd);
            let exp = p.plus(exp, -64);
            let one = p.word(1);
            let exp = p.op(Op::Sar, exp, one);
            let root = p.op3(Op::Round, root, exp, low);
            p.select(square, root, square)
        })
    }
    /// Computes the square root of high * 2^64 + low, rounded down; `start` must be at least the root and above `high`.
    pub fn isqrt(&mut self, high: Reg, low: Reg, start: Reg) -> Reg {
        let root = self.reg();
        self.set(root, start);
        let (again, done) = (self.label(), self.label());
        let one = self.word(1);
        let (next, less) = (self.reg(), self.reg());
        // Each round halves the distance at least.
        self.rounds(66, |p| {
            p.here(again);
            p.into(next, Op::Div, low, root, high);
            p.into(less, Op::Below, next, root, root);
            p.jump_zero(less, done);
            p.into(root, Op::Sub, root, next, next);
            p.into(root, Op::Shr, root, one, one);
            p.into(root, Op::Add, root, next, next);
            p.jump(again);
        });
        self.here(done);
        root
    }
}
