//! Functions that a kernel file defines, as programs.

use super::{Program, body};
use crate::{Fun, Term, Type};

/// A function with a name whose value a program computes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Routine {
    /// Its name.
    pub name: String,
    /// How many arguments it takes, at most [`Self::ARITY`].
    pub arity: usize,
    /// Type of its arguments and its value.
    pub ty: Type,
    /// What runs.
    pub program: Program,
}

impl Routine {
    /// Most arguments.
    pub const ARITY: usize = 4;

    /// The routine of a body; `None` if a function has no instructions on this type ([`Self::computes`]), there are
    /// too many arguments, or the body does not fit into the registers and the 4096 instructions of a program.
    pub fn new(name: &str, arity: usize, terms: &[Term], ty: Type) -> Option<Self> {
        let program = body::program(terms, ty).filter(|_| arity <= Self::ARITY)?;
        Some(Self { name: name.to_owned(), arity, ty, program })
    }
    /// A function of the library as a routine.
    pub fn library(fun: Fun, ty: Type) -> Option<Self> {
        if let Some(program) = Program::unit(fun, ty) {
            return Some(Self { name: fun.name().to_owned(), arity: fun.arity(), ty, program });
        }
        let of: Vec<usize> = (0..fun.arity()).collect();
        let terms: Vec<Term> = of.iter().map(|&k| Term::Arg(k)).chain([Term::Apply(fun, of.clone())]).collect();
        Self::new(fun.name(), fun.arity(), &terms, ty)
    }
    /// Are there instructions for `fun` on `ty`?
    pub fn computes(fun: Fun, ty: Type) -> bool {
        Self::library(fun, ty).is_some()
    }
    /// Its value on raw arguments, and the cycles it takes.
    pub fn run(&self, args: &[u64]) -> (u64, u64) {
        let (value, cycles) = self.program.run(args);
        (value & self.ty.mask(), cycles)
    }
}
