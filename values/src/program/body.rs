//! Translation of bodies into programs: each term's value stays in a register until its last use. Whole numbers lie
//! there with their signs in all 64 bits, floats as their own raw bits.

use super::build::{Build, Label, Reg};
use super::{Op, Program, float_term, whole_term};
use crate::{Fun, Loop, Term, Type};

/// Writes instructions for functions on values of a type.
pub(super) struct Values {
    pub p: Build,
    pub ty: Type,
    pub zero: Reg,
    pub one: Reg,
    /// Registers whose values are not read any more.
    free: Vec<Reg>,
}

/// The program of a body; `None` if a function has no instructions on `ty`, or it does not fit.
pub(super) fn program(terms: &[Term], ty: Type) -> Option<Program> {
    let mut v = Values::new(ty);
    let arguments = terms.iter().filter_map(|t| if let Term::Arg(k) = t { Some(k + 1) } else { None }).max();
    let args: Vec<Reg> = (0..arguments.unwrap_or(0))
        .map(|k| {
            let raw = v.p.arg(k as u16);
            if ty.is_float() { raw } else { whole_term::wrapped(&mut v, raw) }
        })
        .collect();
    let last = terms.len().checked_sub(1)?;
    let values = v.terms(terms, &args, &[last], None)?;
    v.p.end(values[last]);
    v.p.fitting()
}

impl Values {
    fn new(ty: Type) -> Self {
        let mut p = Build::new(if ty.is_float() { ty } else { Type::F64 });
        let zero = p.word(0);
        let one = p.word(if ty.is_float() { ty.one() } else { ty.value(ty.one()) as u64 });
        Self { p, ty, zero, one, free: Vec::new() }
    }
    fn take(&mut self) -> Reg {
        self.free.pop().unwrap_or_else(|| self.p.reg())
    }
    /// Applies `fun` to registers; `None` if the function has no instructions.
    pub fn apply(&mut self, fun: Fun, args: &[Reg]) -> Option<Reg> {
        // Only the value of a step stays in a register.
        let one = |me: &mut Self, fun, a: &[Reg]| {
            let (keep, mark) = (me.p.reg(), me.p.mark());
            let value = me.apply(fun, a)?;
            Some(me.p.settle(mark, keep, value))
        };
        Some(match fun {
            Fun::Id | Fun::First => args[0],
            Fun::Second => args[1],
            Fun::Square => one(self, Fun::Mul, &[args[0], args[0]])?,
            Fun::Cube => {
                let square = one(self, Fun::Mul, &[args[0], args[0]])?;
                one(self, Fun::Mul, &[square, args[0]])?
            }
            Fun::Relu => one(self, Fun::Max, &[args[0], self.zero])?,
            Fun::Clip => {
                let low = one(self, Fun::Max, &[args[0], args[1]])?;
                one(self, Fun::Min, &[low, args[2]])?
            }
            _ if self.ty.is_float() => float_term::apply(self, fun, args)?,
            _ => whole_term::apply(self, fun, args)?,
        })
    }
    /// Inlines a library function that has a program of its own.
    pub fn library(&mut self, fun: Fun, args: &[Reg]) -> Option<Reg> {
        let (ty, mut written) = (self.ty, None);
        let result = self.p.inside(args, |p| written = super::write(p, fun, ty));
        written.map(|()| result)
    }
    /// Computes 1 of the type where `truth` is not 0, otherwise 0.
    pub fn logical(&mut self, truth: Reg) -> Reg {
        self.p.select(truth, self.one, self.zero)
    }

    /// Registers of the values of `terms`, of which those in `keep` are read later. Inside of a loop, its condition is one of
    /// them; where that is 0 we leave for the label.
    fn terms(
        &mut self,
        terms: &[Term],
        args: &[Reg],
        keep: &[usize],
        leave: Option<(usize, Label)>,
    ) -> Option<Vec<Reg>> {
        let last = last_reads(terms, keep);
        let mut values: Vec<Reg> = Vec::with_capacity(terms.len());
        // Registers that are free once a term is not read any more; a loop has those of all that it leaves.
        let mut owned: Vec<Vec<Reg>> = vec![vec![]; terms.len()];
        for (n, term) in terms.iter().enumerate() {
            let value = match term {
                Term::Arg(k) => args[*k],
                Term::Left(of, k) => owned[*of][*k],
                Term::Literal(raw) => {
                    let value = if self.ty.is_float() { *raw } else { self.ty.value(*raw) as u64 };
                    let d = self.take();
                    owned[n].push(d);
                    self.p.load(d, value)
                }
                Term::Apply(f, of) => {
                    let of: Vec<Reg> = of.iter().map(|&t| values[t]).collect();
                    // The last instruction reads its operands before it writes.
                    self.release(&mut owned[..n], &last, n);
                    let d = self.take();
                    owned[n].push(d);
                    let mark = self.p.mark();
                    let value = self.apply(*f, &of)?;
                    self.p.settle(mark, d, value)
                }
                Term::Loop(l) => {
                    let inputs: Vec<Reg> = l.inputs.iter().map(|&t| values[t]).collect();
                    owned[n] = self.rounds(l, inputs)?;
                    self.zero
                }
            };
            values.push(value);
            self.release(&mut owned[..=n], &last, n);
            if let Some((_, end)) = leave.filter(|(condition, _)| *condition == n) {
                let mark = self.p.mark();
                let truth = if self.ty.is_float() { self.p.size_of(value, self.ty) } else { value };
                self.p.jump_zero(truth, end);
                self.p.drop_to(mark);
            }
        }
        Some(values)
    }

    /// Registers of terms that are not read after term `n` become free.
    fn release(&mut self, owned: &mut [Vec<Reg>], last: &[usize], n: usize) {
        for regs in owned.iter_mut().zip(last).filter(|(_, last)| **last <= n).map(|(regs, _)| regs) {
            self.free.append(regs);
        }
    }

    /// A loop; gives the registers of its changing values.
    fn rounds(&mut self, l: &Loop, inputs: Vec<Reg>) -> Option<Vec<Reg>> {
        let mut args = inputs;
        let changing: Vec<Reg> = l.next.iter().map(|_| self.take()).collect();
        for (arg, &own) in args.iter_mut().zip(&changing) {
            self.p.set(own, *arg);
            *arg = own;
        }
        let (left, minus) = (self.take(), self.take());
        self.p.load(left, l.limit);
        self.p.load(minus, u64::MAX);
        let (again, end) = (self.p.label(), self.p.label());
        let first = self.p.open();
        self.p.here(again);
        self.p.jump_zero(left, end);
        let mut keep = l.next.clone();
        keep.push(l.condition);
        let values = self.terms(&l.terms, &args, &keep, Some((l.condition, end)))?;
        let mut next: Vec<Reg> = l.next.iter().map(|&t| values[t]).collect();
        // One changing value may become what another was.
        let mut copies = vec![];
        for (value, own) in next.iter_mut().zip(&changing).filter(|(value, own)| *value != *own) {
            if changing.contains(value) && *value != *own {
                let copy = self.take();
                self.p.set(copy, *value);
                *value = copy;
                copies.push(copy);
            }
        }
        for (&value, &own) in next.iter().zip(&changing).filter(|(value, own)| value != own) {
            self.p.set(own, value);
        }
        let p = &mut self.p;
        p.into(left, Op::Add, left, minus, minus);
        p.jump(again);
        p.close(first, l.limit);
        p.here(end);
        self.free.append(&mut copies);
        self.free.extend([left, minus]);
        Some(changing)
    }
}

/// The last term that reads each.
fn last_reads(terms: &[Term], keep: &[usize]) -> Vec<usize> {
    let mut last: Vec<usize> = (0..terms.len()).collect();
    for (n, term) in terms.iter().enumerate() {
        match term {
            Term::Apply(_, of) => of.iter().for_each(|&t| last[t] = n),
            Term::Loop(l) => l.inputs.iter().for_each(|&t| last[t] = n),
            Term::Arg(_) | Term::Literal(_) | Term::Left(..) => {}
        }
    }
    keep.iter().for_each(|&t| last[t] = usize::MAX);
    for (n, term) in terms.iter().enumerate() {
        if let Term::Left(of, _) = term {
            last[*of] = last[*of].max(last[n]);
        }
    }
    last
}
