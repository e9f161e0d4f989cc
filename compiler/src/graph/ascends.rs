//! Order of references: whether a stream gives them in storage order.

use super::{Access, Graph, How, Op, StreamId};

impl Graph {
    /// Returns true if the references of a stream never decrease during a run.
    pub fn ascends(&self, stream: StreamId) -> bool {
        let (from, output) = self.stream(stream).from;
        let node = self.node(from);
        if output == 0 && matches!(node.op, Op::Scan(..) | Op::Unpack(_) | Op::Join { .. }) {
            // Coordinates: of the outermost level there is one list.
            return self.depth(stream) <= 1;
        }
        let signature = node.op.signature(node.inputs.len());
        let of = match node.op.access() {
            Some(Access { how: How::Scan, .. }) => Some(0),
            // Items of a word lie one after the other, from the position that the word has.
            _ if matches!(node.op, Op::Unpack(_)) => Some(1),
            _ if matches!(node.op, Op::Join { .. } | Op::Deal { .. }) => signature.outputs[output].passes,
            _ => None,
        };
        node.op == Op::Root || of.is_some_and(|input| self.ascends(node.inputs[input]))
    }
}
