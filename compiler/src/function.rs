//! Functions that a kernel file defines: their bodies and their algebraic properties. The algebra does not look into
//! the body.

use crate::types::Type;
use samhw_values::{Routine, body};

pub use samhw_values::{Loop, Term};

/// A function of the kernel file for one element type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Function {
    /// Name in the source.
    pub name: String,
    /// Number of arguments.
    pub arity: usize,
    /// Type of the arguments and of the result.
    pub ty: Type,
    /// Terms of the body; the last term is the result.
    pub body: Vec<Term>,
    /// Alternative bodies for certain sets of present arguments.
    pub cases: Vec<Case>,
    /// The value of each argument that alone decides the result.
    pub annihilators: Vec<Option<u64>>,
    /// The identity value, which leaves the other argument unchanged on either side.
    pub identity: Option<u64>,
    /// Explicit iteration algebra: bit P says whether the result can differ from its fill where exactly the arguments
    /// in P are present.
    pub iterate: Option<u64>,
}

/// The body for certain sets of present arguments; the absent ones read as their fills.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Case {
    /// Set of argument sets: bit P is set if the case applies where exactly the arguments in P are present.
    pub holds: u64,
    /// Terms of the body in this case.
    pub body: Vec<Term>,
}

impl Function {
    /// Evaluates the function on raw arguments that are all present.
    pub fn apply(&self, args: &[u64]) -> u64 {
        self.apply_where(args, self.all())
    }

    /// Evaluates the function on raw arguments of which only those in set `p` are present.
    pub fn apply_where(&self, args: &[u64], p: u64) -> u64 {
        body::eval(self.body_where(p), args, self.ty)
    }

    /// Returns the body that applies where exactly the arguments in `p` are present.
    pub fn body_where(&self, p: u64) -> &[Term] {
        self.case_where(p).map_or(&self.body, |case| &case.body)
    }

    fn case_where(&self, p: u64) -> Option<&Case> {
        self.cases.iter().find(|case| case.holds >> p & 1 == 1)
    }

    /// Returns the set of all arguments.
    pub fn all(&self) -> u64 {
        (1 << self.arity) - 1
    }

    /// Returns all bodies, the usual one first.
    pub fn bodies(&self) -> impl Iterator<Item = &[Term]> {
        std::iter::once(&self.body[..]).chain(self.cases.iter().map(|case| &case.body[..]))
    }

    /// Returns whether a body contains loops, so that a program computes the function.
    pub fn iterates(&self) -> bool {
        self.bodies().any(body::loops)
    }

    /// Compiles the function to a program; `None` if that is impossible.
    pub fn routine(&self) -> Option<Routine> {
        Routine::new(&self.name, self.arity, &self.body, self.ty)
    }

    /// Returns the result if the known arguments decide it; `fills` are the fills of the arguments. An argument that is
    /// known to have its fill is absent, all others are there.
    pub fn partial(&self, known: &[Option<u64>], fills: &[Option<u64>]) -> Option<u64> {
        self.partial_of(known, fills, there(known, fills))
    }

    /// Returns the result as [`Self::partial`] does; arguments that are not in `sure` may also be absent.
    pub fn partial_of(&self, known: &[Option<u64>], fills: &[Option<u64>], sure: u64) -> Option<u64> {
        let most = there(known, fills);
        let mut sets = (0..1u64 << known.len()).filter(|p| p & !most == 0 && p & sure & most == sure & most);
        if !self.cases.is_empty() {
            let first = self.partial_where(known, fills, sets.next()?)?;
            return sets.all(|p| self.partial_where(known, fills, p) == Some(first)).then_some(first);
        }
        if let Some(values) = all(known) {
            return Some(self.apply(&values));
        }
        if let Some(table) = self.iterate {
            return all(fills).filter(|_| sets.all(|p| table >> p & 1 == 0)).map(|fills| self.apply_where(&fills, 0));
        }
        self.annihilated(known)
    }

    /// Evaluates `partial` for the body where exactly the arguments in `p` are present.
    fn partial_where(&self, known: &[Option<u64>], fills: &[Option<u64>], p: u64) -> Option<u64> {
        if self.iterate.is_some_and(|table| table >> p & 1 == 0) {
            return all(fills).map(|fills| self.apply_where(&fills, 0));
        }
        let here = |k: usize| if p >> k & 1 == 1 { known[k] } else { fills[k] };
        let args: Vec<Option<u64>> = (0..known.len()).map(here).collect();
        if let Some(values) = all(&args) {
            return Some(self.apply_where(&values, p));
        }
        let Some(case) = self.case_where(p) else { return self.annihilated(&args) };
        // A case whose body reads only what is known is known.
        let read = body::reads(&case.body);
        let needed = |(k, v): (usize, &Option<u64>)| if read >> k & 1 == 1 { *v } else { Some(v.unwrap_or(0)) };
        let values = args.iter().enumerate().map(needed).collect::<Option<Vec<u64>>>()?;
        Some(self.apply_where(&values, p))
    }

    /// The value of the usual body where an argument decides it alone.
    fn annihilated(&self, known: &[Option<u64>]) -> Option<u64> {
        let decides = |k: usize| known[k].filter(|v| self.annihilators.get(k) == Some(&Some(*v)));
        (0..known.len()).find_map(|k| {
            let value = decides(k)?;
            let mut args = vec![0; self.arity];
            args[k] = value;
            Some(body::eval(&self.body, &args, self.ty))
        })
    }
}

fn all(of: &[Option<u64>]) -> Option<Vec<u64>> {
    of.iter().copied().collect()
}

/// The arguments that are not known to have their fill.
fn there(known: &[Option<u64>], fills: &[Option<u64>]) -> u64 {
    let there = (0..known.len()).filter(|&k| known[k].is_none() || known[k] != fills[k]);
    there.fold(0, |p, k| p | 1 << k)
}
