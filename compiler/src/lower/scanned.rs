//! Scanned lists, and bounds that limit them. Decision 103.

use super::Lowering;
use super::tree::LeafId;
use crate::facts::coordinate_bits;
use crate::graph::{AluFun, Arg, Leaves, Op, Payload, Stream, StreamId};
use crate::stmt::VarId;
use crate::types::Type;
use samhw_primitives::scan::scanner_span::SpanEnd;

/// Fewer bits of a bound would not hold a stop.
pub(super) const LEAST_BITS: u32 = 8;

/// A scanned operand of a join.
pub(super) struct Scanned {
    pub leaf: Option<LeafId>,
    pub crd: StreamId,
    pub stream: StreamId,
    /// Whether its fiber is never empty where the operand is there.
    pub full: bool,
}

/// The way in which the coordinates of a loop are kept inside of bounds.
pub(super) enum Inside {
    /// These are all that a dense level has there.
    Dense(StreamId),
    /// A level that lists coordinates is cut: each end, and the streams of those that are bounds.
    Listed([SpanEnd; 2], Vec<StreamId>),
}

impl Lowering<'_> {
    /// Applies bounds, one after another, to a list that is scanned.
    pub(super) fn between(
        &mut self,
        (s, name): (Scanned, &str),
        v: VarId,
        ends: [SpanEnd; 2],
        bounds: &[StreamId],
    ) -> Scanned {
        let inputs = bounds.iter().copied().chain([s.crd, s.stream]).collect();
        let [crd, stream] = [s.crd, s.stream].map(|s| self.graph.stream(s).leaves());
        let outputs = vec![Leaves { may_be_empty: true, ..crd }, stream];
        let out = self.node(name.replacen("scan", "between", 1), Op::Between(v, ends), inputs, outputs);
        Scanned { crd: out[0], stream: out[1], full: false, ..s }
    }

    /// A bound, the same below every position of `parent`.
    pub(super) fn number_below(&mut self, bound: u64, parent: StreamId) -> StreamId {
        let ty = Type::int(coordinate_bits(bound + 1).max(LEAST_BITS), false);
        let Stream { over, may_be_empty, .. } = self.graph.stream(parent).clone();
        let constant = Op::Alu { fun: AluFun::Const, args: vec![Arg::Const(bound)], emit: 0b10 };
        let output = Leaves::maybe(Payload::Val(ty), over, may_be_empty);
        self.node(format!("end_{bound}"), constant, vec![parent], vec![output])[0]
    }
}
