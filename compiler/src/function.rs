//! Functions that a kernel file defines: a body over the library's functions, and what the iteration algebra
//! may take for granted of them. The algebra does not look into the body.

use crate::types::Type;
use samhw_primitives::value::Fun;

/// A step of a function's body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    /// Argument number k.
    Arg(usize),
    /// A constant, raw bits.
    Literal(u64),
    /// A function of earlier terms.
    Apply(Fun, Vec<usize>),
}

/// A function of the kernel file, for one element type.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// Explicit iteration algebra: bit P says whether the result can differ from its fill where
    /// just the arguments in P do.
    pub iterate: Option<u64>,
}

impl Function {
    /// Its value on raw arguments.
    pub fn apply(&self, args: &[u64]) -> u64 {
        let mut values: Vec<u64> = Vec::with_capacity(self.body.len());
        for term in &self.body {
            values.push(match term {
                Term::Arg(k) => args.get(*k).copied().unwrap_or(0),
                Term::Literal(raw) => *raw,
                Term::Apply(f, of) => {
                    let args: Vec<u64> = of.iter().map(|&t| values[t]).collect();
                    f.apply(&args, self.ty)
                }
            });
        }
        values.last().copied().unwrap_or(0)
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
