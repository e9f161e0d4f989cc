//! `[repeat]`: the statements run again, on the chip, as long as a scalar that they write is not 0.
//! What a round reads of what the one before wrote lies on the chip as it was written.

use crate::stmt::{Kernel, TensorId};

/// How often, and what goes from one round to the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    /// The scalar result that asks for another round.
    pub condition: TensorId,
    /// Most rounds, at least 1.
    pub at_most: u32,
    /// Operands with the results that they are from the second round on. A tensor that a statement
    /// updates is carried to itself.
    pub carry: Vec<(TensorId, TensorId)>,
}

impl Kernel {
    /// The result that the data of `t` are from the second round on.
    pub fn carried(&self, t: TensorId) -> Option<TensorId> {
        let base = self.base(t);
        self.repeat.iter().flat_map(|r| &r.carry).find(|(operand, _)| *operand == base).map(|(_, result)| *result)
    }

    /// Whether the data of `t` lie on the chip as a statement wrote them, where statement `n` reads
    /// them: an earlier one, or one of the round before.
    pub fn on_chip(&self, n: usize, t: TensorId) -> bool {
        self.written_before(n, t).is_some() || self.carried(t).is_some()
    }

    /// Whether the chip reads the result of statement `n` again: a later statement, the next round,
    /// or the decision whether there is one.
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
