//! Functions that a kernel file defines: a body over the library's functions, and what the iteration algebra
//! may take for granted of them. The algebra does not look into the body.

use crate::types::Type;
use samhw_primitives::value::{Routine, body};

pub use samhw_primitives::value::{Loop, Term};

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
    /// Per argument the value that alone decides the result.
    pub annihilators: Vec<Option<u64>>,
    /// What it leaves as it is, as either argument.
    pub identity: Option<u64>,
    /// Explicit iteration algebra: bit P says whether the result can differ from its fill where
    /// just the arguments in P do.
    pub iterate: Option<u64>,
}

impl Function {
    /// Its value on raw arguments.
    pub fn apply(&self, args: &[u64]) -> u64 {
        body::eval(&self.body, args, self.ty)
    }

    /// Does it have loops, so that a program computes it?
    pub fn iterates(&self) -> bool {
        body::loops(&self.body)
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
        let all = |of: &[Option<u64>]| of.iter().copied().collect::<Option<Vec<u64>>>();
        if let Some(values) = all(known) {
            return Some(self.apply(&values));
        }
        if let Some(table) = self.iterate {
            let most = there(known, fills);
            let mut sets = (0..1u64 << known.len()).filter(|p| p & !most == 0 && p & sure & most == sure & most);
            return all(fills).filter(|_| sets.all(|p| table >> p & 1 == 0)).map(|fills| self.apply(&fills));
        }
        let decides = |k: usize| known[k].filter(|v| self.annihilators.get(k) == Some(&Some(*v)));
        (0..known.len()).find_map(|k| {
            let value = decides(k)?;
            let mut args = vec![0; self.arity];
            args[k] = value;
            Some(self.apply(&args))
        })
    }
}

/// The arguments that are not known to have their fill.
fn there(known: &[Option<u64>], fills: &[Option<u64>]) -> u64 {
    let there = (0..known.len()).filter(|&k| known[k].is_none() || known[k] != fills[k]);
    there.fold(0, |p, k| p | 1 << k)
}
