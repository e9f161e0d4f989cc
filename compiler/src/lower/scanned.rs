//! Scanned lists, and bounds that limit them. Decision 103.

use super::Lowering;
use super::tree::LeafId;
use crate::facts::coordinate_bits;
use crate::graph::{AluFun, Arg, Leaves, Op, Over, Payload, Stream, StreamId, UseId};
use crate::levels::LevelKind;
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

    /// Whether a level has a list of coordinates at each position above, and all of it is read.
    pub(super) fn lists_alone(&self, used: UseId, level: usize) -> bool {
        let kinds = &self.graph.uses[used.0].levels;
        let plain = |kind: &LevelKind| !kind.repeats() && !kind.is_singleton();
        kinds[level].lists_coordinates() && kinds[level..].iter().all(plain) && !self.parts.contains_key(&(used, level))
    }

    /// The entries on a diagonal: of each list below `positions`, which is read from there on, the one at its own `crd`,
    /// if there is one.
    pub(super) fn matched(
        &mut self,
        (used, level): (UseId, usize),
        v: VarId,
        (crd, positions): (StreamId, StreamId),
    ) -> (StreamId, StreamId) {
        let Stream { over, may_be_empty, .. } = self.graph.stream(crd).clone();
        let ty = Type::int(coordinate_bits(self.kernel.var(v).max).max(LEAST_BITS), false);
        let number = Op::Alu { fun: AluFun::Id, args: vec![Arg::Stream(0)], emit: 0b10 };
        let output = Leaves::maybe(Payload::Val(ty), over.clone(), may_be_empty);
        let at = self.node(format!("number_{}", self.var_name(v)), number, vec![crd], vec![output])[0];
        let (lo, hi) = self.zip(at, at);
        let name = format!("scan_{}_{}", self.graph.uses[used.0].name, self.var_name(v));
        let below: Over = over.iter().copied().chain([v]).collect();
        let payload = Payload::Ref(used, level);
        let outputs = vec![Leaves::absent(Payload::Crd(v), below.clone()), Leaves::sure(payload, below)];
        let list = self.node(name.clone(), Op::Scan(used, level), vec![positions], outputs);
        let list = Scanned { leaf: None, crd: list[0], stream: list[1], full: false };
        let kept = self.between((list, &name), v, [SpanEnd::Closed; 2], &[lo, hi]);
        let outputs = vec![Leaves::absent(Payload::Crd(v), over.clone()), Leaves::sure(payload, over)];
        let out =
            self.node(name.replacen("scan", "match", 1), Op::Collapse(0), vec![crd, kept.crd, kept.stream], outputs);
        (out[0], out[1])
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
