//! Variables that a stream's keys add to the variables of its lists.

use super::{Graph, Op, Payload, StreamId};
use crate::stmt::VarId;

impl Graph {
    /// Returns, for each stream, the variables of its [`super::Payload::Key`], or of the key that accompanies its
    /// values, after the last of its `over`. A list of such a stream is as long as the product of all of them.
    pub fn keyed(&self) -> Vec<Vec<VarId>> {
        let mut keyed: Vec<Vec<VarId>> = vec![Vec::new(); self.streams.len()];
        // Nodes are in the order of the streams between them.
        for node in &self.nodes {
            if let Op::Collapse(_) = node.op {
                // What is the coordinate of a loop is no key.
                if let Payload::Key(_) = self.stream(node.outputs[0]).payload {
                    let inner = self.stream(node.inputs[1]).over.iter().next_back();
                    let both = keyed[node.inputs[0].0].iter().chain(inner).chain(&keyed[node.inputs[1].0]);
                    let both: Vec<VarId> = both.copied().collect();
                    node.outputs.iter().for_each(|s| keyed[s.0].clone_from(&both));
                }
            } else if let Op::Divide(_) = node.op {
                let rest: Vec<VarId> = keyed[node.inputs[0].0].iter().skip(1).copied().collect();
                node.outputs.iter().skip(1).for_each(|s| keyed[s.0].clone_from(&rest));
            } else {
                node.outputs.iter().for_each(|&s| keyed[s.0] = self.longest(node.inputs.as_slice(), s, &keyed));
            }
        }
        keyed
    }

    /// What the inputs that range over the same variable last hold in keys.
    fn longest(&self, inputs: &[StreamId], s: StreamId, keyed: &[Vec<VarId>]) -> Vec<VarId> {
        let last = self.stream(s).over.last();
        let same = inputs.iter().filter(|i| self.stream(**i).over.last() == last);
        same.map(|i| &keyed[i.0]).max_by_key(|k| k.len()).cloned().unwrap_or_default()
    }
}
