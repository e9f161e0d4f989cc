//! Configuration of all kinds of joiners.

use super::Select;
use super::map::{Mapped, Tap, one};
use super::realize::NetlistBuilder;
use crate::graph::NodeId;
use samhw_primitives as prim;
use samhw_primitives::join::joiner::Joiner;
use samhw_streams::Primitive;
use std::sync::Arc;

impl NetlistBuilder<'_> {
    /// Maps the join of the operands of node `n`.
    pub(super) fn join(&self, n: NodeId) -> Mapped {
        let p = self.joiner(n);
        if self.graph().joins_intervals(n) {
            return self.interval_joiner(n, p);
        }
        let words = self.graph().joins.words.joins.get(&n).copied();
        let (ins, outs) = joined(&p);
        let p: Arc<dyn Primitive> = match (words, self.group(n, p.crd_w)) {
            (Some(width), _) => {
                Arc::new(prim::join::joiner_bits::JoinerBits { joiner: p, width, tag_w: self.exit_tag_w(n) })
            }
            (None, Some(group)) => Arc::new(self.wide_joiner(group, &p)),
            (None, None) => Arc::new(p),
        };
        Mapped { primitive: p, ins, outs, config: vec![] }
    }

    /// The joiner of node `n`.
    fn joiner(&self, n: NodeId) -> Joiner {
        let node = self.graph().node(n);
        let w = |k: usize| self.width(node.inputs[k]);
        let joiner = self.graph().joiner(&self.readers, n);
        Joiner {
            crd_w: w(0),
            ref_w: (0..joiner.keep.len()).map(|i| w(2 * i + 1)).collect(),
            stop_w: self.stop_w,
            skips: self.graph().joins.skipping.joins.get(&n).copied().unwrap_or(0),
            ..joiner
        }
    }
}

/// Returns the ports for the streams of a joiner.
pub(super) fn joined(p: &Joiner) -> (Vec<Tap>, Vec<Tap>) {
    let mut port = 0;
    let mut out = |i: usize| {
        // An output that nobody reads has no port.
        let used = p.used >> i & 1 == 1;
        port += usize::from(used);
        one(if used { port - 1 } else { usize::MAX })
    };
    let operands = p.ref_w.len();
    let ins = (0..operands).flat_map(|i| [(i, Select::First), (i, Select::Second)]).collect();
    (ins, (0..=operands).map(&mut out).collect())
}
