//! Arguments of functions in front of ALUs: streams, constants, and where the result is present.

use super::algebra::There;
use super::tree::{LeafId, Tree};
use super::{Lowering, Stop, table};
use crate::graph::{Arg, StreamId};

/// The arguments of a function.
pub(super) struct Arguments {
    /// One stream for each that is no constant.
    pub streams: Vec<StreamId>,
    /// All, in order, as an ALU takes them.
    pub args: Vec<Arg>,
    /// Whether each stream can be N.
    pub empties: Vec<bool>,
    /// Number of the argument that each stream is.
    pub places: Vec<usize>,
}

impl Lowering<'_> {
    /// Argument streams of a function, constants apart.
    pub(super) fn arguments(&mut self, args: &[Tree]) -> Result<Arguments, Stop> {
        let mut all = Arguments { streams: vec![], args: vec![], empties: vec![], places: vec![] };
        for (k, a) in args.iter().enumerate() {
            if let Tree::Literal(v, _) = a {
                all.args.push(Arg::Const(*v));
                continue;
            }
            let (stream, empty) = self.compute(a)?;
            all.streams.push(stream);
            all.empties.push(empty);
            all.places.push(k);
            all.args.push(Arg::Stream(self.absent(a)));
        }
        Ok(all)
    }

    /// Returns the known values of the arguments where exactly the streams in `p` have a value.
    pub(super) fn of_arguments(&self, args: &[Tree], values: &Arguments, p: u64) -> Vec<Option<u64>> {
        let known = |(k, a): (usize, &Tree)| match (values.places.iter().position(|&x| x == k), a) {
            (Some(i), _) if p >> i & 1 == 1 && a.is_structure() => self.known(a, &|_| There::Yes),
            (Some(i), _) if p >> i & 1 == 1 => None,
            _ => self.fill(a),
        };
        args.iter().enumerate().map(known).collect()
    }

    /// Truth table over `n` streams: where `t` is there, which is where it is not known to have its
    /// fill.
    pub(super) fn emits(&self, t: &Tree, n: usize, known: &dyn Fn(&Self, u64) -> Option<u64>) -> u64 {
        let (fill, ty) = (self.fill(t), self.type_of_tree(t));
        table(n, |p| p != 0 && self.is_there(ty, known(self, p), fill))[0]
    }

    /// Whether the value of `t` can be absent.
    pub(super) fn empties(&self, t: &Tree, values: &Arguments, emit: u64) -> bool {
        let sure = values.empties.iter().enumerate().filter(|(_, e)| !**e).fold(0u64, |m, (i, _)| m | 1 << i);
        let by_args = (0..1u64 << values.streams.len()).any(|p| p & sure == sure && emit >> p & 1 == 0);
        // Without reductions inside, the sets of leaves that can occur together say more.
        let by_leaves = match &self.patterns {
            Some(patterns) if !t.has_reduction() => {
                let there = |a: u64, o: LeafId| if a >> o & 1 == 1 { There::Yes } else { There::No };
                patterns.iter().any(|&a| !self.algebra(t, &|o| there(a, o)))
            }
            _ => true,
        };
        by_args && by_leaves
    }
}
