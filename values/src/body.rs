//! Bodies of functions that are made of others: terms, and loops over them. What a body is on values stands here; what
//! hardware runs for one with loops is its program (`program/body.rs`).

use super::{Fun, Type};

/// A step of a body.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Term {
    /// Argument number k.
    Arg(usize),
    /// A constant, raw bits.
    Literal(u64),
    /// A function of earlier terms.
    Apply(Fun, Vec<usize>),
    /// A loop; what it leaves are the [`Term::Left`] of it. Its own value is not read.
    Loop(Box<Loop>),
    /// What the loop of this term leaves of its changing value number k.
    Left(usize, usize),
}

/// A loop: rounds while its condition is not 0, but `limit` at most.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Loop {
    /// Terms around the loop that are its terms' arguments: what the changing values start as, then what stays.
    pub inputs: Vec<usize>,
    /// The terms of a round. The program computes those after the condition only if it holds.
    pub terms: Vec<Term>,
    /// The term that says whether there is another round.
    pub condition: usize,
    /// The changing values after a round.
    pub next: Vec<usize>,
    /// Most rounds; then the values are left as they are.
    pub limit: u64,
}

/// Value of the last of `terms` on raw arguments of type `ty`; those that are missing count as 0.
pub fn eval(terms: &[Term], args: &[u64], ty: Type) -> u64 {
    values(terms, args, ty).last().copied().unwrap_or(0)
}

/// Does one of `terms` hold a loop?
pub fn loops(terms: &[Term]) -> bool {
    terms.iter().any(|t| matches!(t, Term::Loop(_)))
}

/// The functions that `terms` apply, those inside of loops too.
pub fn applied(terms: &[Term]) -> Vec<Fun> {
    let of = |t: &Term| match t {
        Term::Apply(f, _) => vec![*f],
        Term::Loop(l) => applied(&l.terms),
        Term::Arg(_) | Term::Literal(_) | Term::Left(..) => vec![],
    };
    terms.iter().flat_map(of).collect()
}

/// The arguments that the last of `terms` depends on, as bits.
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
