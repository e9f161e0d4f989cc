//! Whether references come in the order in which they are stored.

use super::{Graph, Op, StreamId};

impl Graph {
    /// True if the references of a stream do not decrease over a whole run.
    pub fn ascends(&self, stream: StreamId) -> bool {
        let (from, output) = self.stream(stream).from;
        let node = self.node(from);
        match node.op {
            Op::Root => true,
            // Coordinates: of the outermost level there is one list.
            Op::Scan(..) | Op::Join { .. } if output == 0 => self.depth(stream) <= 1,
            Op::Scan(..) | Op::ScanGroup(..) | Op::ScanPart(..) => self.ascends(node.inputs[0]),
            // crd, ref0, ref1 .. of crd0, ref0, crd1, ref1 ..
            Op::Join { .. } => self.ascends(node.inputs[2 * output - 1]),
            Op::Deal { .. } => node.inputs.get(output % node.inputs.len()).is_some_and(|&s| self.ascends(s)),
            _ => false,
        }
    }
}
