//! Bodies of functions that are composed of other functions: terms, and loops over terms. What a body is on values
//! stands here; what hardware runs for one with loops is its program (`program/body.rs`).

use super::{Fun, Type};

/// One term of a function's body.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Term {
    /// Argument number k of the function.
    Arg(usize),
    /// A constant, raw bits.
    Literal(u64),
    /// A function of earlier terms.
    Apply(Fun, Vec<usize>),
    /// A loop; [`Term::Left`] terms refer to its results. Its own value is not read.
    Loop(Box<Loop>),
    /// Final value of the loop's variable number k; the first number is the loop's term.
    Left(usize, usize),
}

/// A loop that repeats while its condition is not 0, for at most `limit` rounds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Loop {
    /// Outer terms that the loop reads: first the initial values of its variables, then its invariants.
    pub inputs: Vec<usize>,
    /// The terms computed in each round. The program computes those after the condition only if it holds.
    pub terms: Vec<Term>,
    /// The term that decides whether another round follows.
    pub condition: usize,
    /// The terms that hold the variables' values after a round.
    pub next: Vec<usize>,
    /// The largest number of rounds; after it the variables keep their values.
    pub limit: u64,
}

/// Evaluates `terms` on raw arguments of type `ty` and returns the last term's value; missing arguments count as 0.
pub fn eval(terms: &[Term], args: &[u64], ty: Type) -> u64 {
    values(terms, args, ty).last().copied().unwrap_or(0)
}

/// Returns whether `terms` contain a loop.
pub fn loops(terms: &[Term]) -> bool {
    terms.iter().any(|t| matches!(t, Term::Loop(_)))
}

/// Lists the functions that `terms` apply, including those inside loops.
pub fn applied(terms: &[Term]) -> Vec<Fun> {
    let of = |t: &Term| match t {
        Term::Apply(f, _) => vec![*f],
        Term::Loop(l) => applied(&l.terms),
        Term::Arg(_) | Term::Literal(_) | Term::Left(..) => vec![],
    };
    terms.iter().flat_map(of).collect()
}

/// Returns the set of arguments, as a bit mask, that the last term depends on.
pub fn reads(terms: &[Term]) -> u64 {
    let mut wanted = vec![false; terms.len()];
    if let Some(last) = wanted.last_mut() {
        *last = true;
    }
    let mut read = 0;
    for (n, term) in terms.iter().enumerate().rev() {
        let of: &[usize] = match term {
            _ if !wanted[n] => &[],
            Term::Arg(k) => {
                read |= 1 << k;
                &[]
            }
            Term::Literal(_) => &[],
            Term::Apply(_, of) => of,
            Term::Loop(l) => &l.inputs,
            Term::Left(of, _) => std::slice::from_ref(of),
        };
        of.iter().for_each(|&t| wanted[t] = true);
    }
    read
}

fn values(terms: &[Term], args: &[u64], ty: Type) -> Vec<u64> {
    let mut values: Vec<u64> = Vec::with_capacity(terms.len());
    // What loops leave, by the number of their terms.
    let mut left: Vec<(usize, Vec<u64>)> = Vec::new();
    for (n, term) in terms.iter().enumerate() {
        let value = match term {
            Term::Arg(k) => args.get(*k).copied().unwrap_or(0),
            Term::Literal(raw) => *raw,
            Term::Apply(f, of) => f.apply(&of.iter().map(|&t| values[t]).collect::<Vec<u64>>(), ty),
            Term::Loop(l) => {
                left.push((n, l.run(l.inputs.iter().map(|&t| values[t]).collect(), ty)));
                0
            }
            Term::Left(of, k) => left.iter().find(|(n, _)| n == of).map_or(0, |(_, values)| values[*k]),
        };
        values.push(value);
    }
    values
}

impl Loop {
    /// What it leaves of its changing values.
    fn run(&self, mut args: Vec<u64>, ty: Type) -> Vec<u64> {
        for _ in 0..self.limit {
            let all = values(&self.terms, &args, ty);
            if ty.is_zero(all[self.condition]) {
                break;
            }
            for (k, &t) in self.next.iter().enumerate() {
                args[k] = all[t];
            }
        }
        args.truncate(self.next.len());
        args
    }
}
