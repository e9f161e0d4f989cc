//! Functions that a kernel file defines, compiled to programs.

use super::{Program, body};
use crate::{Fun, Term, Type};

/// A named function that a program computes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Routine {
    /// Name of the function.
    pub name: String,
    /// Number of arguments, at most [`Self::ARITY`].
    pub arity: usize,
    /// Type of the arguments and of the result.
    pub ty: Type,
    /// The program that computes the result.
    pub program: Program,
}

impl Routine {
    /// The largest number of arguments.
    pub const ARITY: usize = 4;

    /// Compiles a body to a routine; `None` if a function has no instructions on this type ([`Self::computes`]), or if
    /// the body exceeds the arguments, registers or 4096 instructions of a program.
    pub fn new(name: &str, arity: usize, terms: &[Term], ty: Type) -> Option<Self> {
        let program = body::program(terms, ty).filter(|_| arity <= Self::ARITY)?;
        Some(Self { name: name.to_owned(), arity, ty, program })
    }
    /// Wraps a library function as a routine.
    pub fn library(fun: Fun, ty: Type) -> Option<Self> {
        if let Some(program) = Program::unit(fun, ty) {
            return Some(Self { name: fun.name().to_owned(), arity: fun.arity(), ty, program });
        }
        let of: Vec<usize> = (0..fun.arity()).collect();
        let terms: Vec<Term> = of.iter().map(|&k| Term::Arg(k)).chain([Term::Apply(fun, of.clone())]).collect();
        Self::new(fun.name(), fun.arity(), &terms, ty)
    }
    /// Returns whether programs have instructions for `fun` on `ty`.
    pub fn computes(fun: Fun, ty: Type) -> bool {
        Self::library(fun, ty).is_some()
    }
    /// Runs the routine on raw arguments and returns its result and the cycles.
    pub fn run(&self, args: &[u64]) -> (u64, u64) {
        let (value, cycles) = self.program.run(args);
        (value & self.ty.mask(), cycles)
    }
}
