//! Functions that a kernel file defines: a body over the library's functions, and what the iteration algebra
//! may take for granted of them. The algebra does not look into the body.

use crate::types::Type;
use samhw_values::{Routine, body};

pub use samhw_values::{Loop, Term};

/// A function of the kernel file, for one element type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Function {
    /// Name in the source.
    pub name: String,
    /// How many arguments it takes.
    pub arity: usize,
    /// Type of its arguments and its value.
    pub ty: Type,
    /// Its body; the last term is the value.
    pub body: Vec<Term>,
    /// Other bodies for some sets of arguments that are there.
    pub cases: Vec<Case>,
    /// Per argument the value that alone decides the result.
    pub annihilators: Vec<Option<u64>>,
    /// What it leaves as it is, as either argument.
    pub identity: Option<u64>,
    /// Explicit iteration algebra: bit P says whether the result can differ from its fill where
    /// just the arguments in P do.
    pub iterate: Option<u64>,
}

/// What a function is where just some of its arguments are there; the others read as their fills.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Case {
    /// Bit P: it is this where just the arguments in P are there.
    pub holds: u64,
    /// Its body there.
    pub body: Vec<Term>,
}

impl Function {
    /// Its value on raw arguments that are all there.
    pub fn apply(&self, args: &[u64]) -> u64 {
        self.apply_where(args, self.all())
    }

    /// ... where just the arguments in `p` are there, and the others have their fills.
    pub fn apply_where(&self, args: &[u64], p: u64) -> u64 {
        body::eval(self.body_where(p), args, self.ty)
    }

    /// The body where just the arguments in `p` are there.
    pub fn body_where(&self, p: u64) -> &[Term] {
        self.case_where(p).map_or(&self.body, |case| &case.body)
    }

    fn case_where(&self, p: u64) -> Option<&Case> {
        self.cases.iter().find(|case| case.holds >> p & 1 == 1)
    }

    /// All arguments.
    pub fn all(&self) -> u64 {
        (1 << self.arity) - 1
    }

    /// All its bodies, the usual one first.
    pub fn bodies(&self) -> impl Iterator<Item = &[Term]> {
        std::iter::once(&self.body[..]).chain(self.cases.iter().map(|case| &case.body[..]))
    }

    /// Does some body have loops, so that a program computes it?
    pub fn iterates(&self) -> bool {
        self.bodies().any(body::loops)
    }

    /// The program that computes it; `None` if it cannot be one.
    pub fn routine(&self) -> Option<Routine> {
        Routine::new(&self.name, self.arity, &self.body, self.ty)
    }

    /// The result where only some arguments are known, if they decide it; `fills` are the arguments' fills. An
    /// argument that is known to have its fill is absent, all others are there.
    pub fn partial(&self, known: &[Option<u64>], fills: &[Option<u64>]) -> Option<u64> {
        self.partial_of(known, fills, there(known, fills))
    }

    /// ... where arguments that are not in `sure` may also be absent.
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

    /// ... where just the arguments in `p` are there.
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
