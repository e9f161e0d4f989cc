//! `[repeat]`: repeats the statements on the chip as long as a scalar result is not 0. What a round reads of what the
//! one before wrote lies on the chip as it was written.

use crate::stmt::{Kernel, TensorId};

/// The condition of the rounds and the values carried between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    /// The scalar result that requests another round.
    pub condition: TensorId,
    /// Largest number of rounds, at least 1.
    pub at_most: u32,
    /// Operands and the results that replace them from the second round on. A tensor that a statement updates is
    /// carried to itself.
    pub carry: Vec<(TensorId, TensorId)>,
}

impl Kernel {
    /// Returns the result that replaces operand `t` from the second round on.
    pub fn carried(&self, t: TensorId) -> Option<TensorId> {
        let base = self.base(t);
        self.repeat.iter().flat_map(|r| &r.carry).find(|(operand, _)| *operand == base).map(|(_, result)| *result)
    }

    /// Returns whether statement `n` reads `t` on the chip, as written by an earlier statement or in the previous
    /// round.
    pub fn on_chip(&self, n: usize, t: TensorId) -> bool {
        self.written_before(n, t).is_some() || self.carried(t).is_some()
    }

    /// Returns whether the chip reads the result of statement `n`: in a later statement, in the next round, or in the
    /// condition.
    pub fn read_again(&self, n: usize) -> bool {
        let result = self.statements[n].result;
        let later = &self.statements[n + 1..];
        let reads = |t: TensorId| self.base(t) == result;
        later.iter().any(|s| self.reads(s.value).iter().any(|(t, _)| reads(*t)))
            || self
                .repeat
                .iter()
                .any(|r| r.condition == result || r.carry.iter().any(|(_, carried)| *carried == result))
    }
}
