//! Signatures of operations: name, packing, depths of the streams, grouping of inputs and outputs. Checks, drawings,
//! copies and lanes derive from it.

use super::{Measured, NodeKind, Op, UseId};
use crate::stmt::VarId;

/// An operation's access to a packing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// The accessed packing.
    pub of: UseId,
    /// The accessed level; `None` for the values.
    pub level: Option<usize>,
    /// The kind of access.
    pub how: How,
}

/// The kind of an operation's access to a level or to values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Scans the coordinates of fibers.
    Scan,
    /// Locates coordinates.
    Locate,
    /// Reads values.
    Read,
    /// Reads the bounds of tiles.
    Fetch,
    /// Packs the words that a writer stores.
    Pack,
    /// Writes the level or the values.
    Write,
}

/// The signature of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Input {
    /// Depth relative to the first input.
    pub deeper: isize,
    /// Whether the input has the variables of the first input, and possibly more below them.
    pub meets: bool,
    /// Whether this input and the next one form one bundle.
    pub bundled: bool,
}

/// The signature of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Output {
    /// Depth relative to the first input; without inputs, the depth.
    pub deeper: isize,
    /// Whether this output and the next one form one bundle.
    pub bundled: bool,
    /// The input whose leaves the output forwards, possibly not all of them or each several times.
    pub passes: Option<usize>,
}

/// The signature of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// Family of the operation.
    pub kind: NodeKind,
    /// Signatures of the inputs.
    pub inputs: Vec<Input>,
    /// Signatures of the outputs.
    pub outputs: Vec<Output>,
}

impl Signature {
    fn new(kind: NodeKind, inputs: Vec<Input>, outputs: Vec<Output>) -> Self {
        Self { kind, inputs, outputs }
    }
}

/// An input so much deeper than the first.
fn deeper(deeper: isize) -> Input {
    Input { deeper, meets: false, bundled: false }
}

/// An input that meets the first.
const MEETS: Input = Input { deeper: 0, meets: true, bundled: false };

/// An output so much deeper than the first input.
fn made(deeper: isize) -> Output {
    Output { deeper, bundled: false, passes: None }
}

/// The same, of the leaves of an input.
fn passed(deeper: isize, input: usize) -> Output {
    Output { deeper, bundled: false, passes: Some(input) }
}

impl Input {
    fn bundled(self) -> Self {
        Self { bundled: true, ..self }
    }
}

impl Output {
    fn bundled(self) -> Self {
        Self { bundled: true, ..self }
    }
}

impl Op {
    /// Returns the signature of the operation with this number of inputs.
    pub fn signature(&self, inputs: usize) -> Signature {
        let meet = |n: usize| vec![MEETS; n];
        let scans = |refs: Option<usize>| {
            Signature::new(NodeKind::Scanner, vec![MEETS], vec![made(1).bundled(), Output { passes: refs, ..made(1) }])
        };
        let positions = |chain: u8, below: isize| {
            [MEETS].into_iter().chain((chain > 0).then_some(deeper(-below))).collect::<Vec<_>>()
        };
        match self {
            Self::Root => Signature::new(NodeKind::Root, vec![], vec![made(0)]),
            Self::Scan(..) if inputs > 1 => Signature { inputs: meet(inputs), ..scans(None) },
            Self::Scan(..) | Self::ScanGroup(..) | Self::ScanPart(..) => scans(None),
            Self::Broadcast(_) => scans(Some(0)),
            Self::Unpack(_) => Signature::new(NodeKind::Scanner, meet(2), vec![made(0), made(0)]),
            Self::Origin | Self::Expand { .. } => {
                Signature::new(NodeKind::Scanner, vec![MEETS.bundled(), MEETS], vec![made(0).bundled(), made(0)])
            }
            Self::Pack(..) => Signature::new(NodeKind::Writer, meet(inputs), vec![made(0); inputs]),
            Self::Repeat => {
                Signature::new(NodeKind::Repeater, vec![MEETS, Input { deeper: 1, ..MEETS }], vec![passed(1, 0)])
            }
            Self::Join { keep, .. } => {
                let pair = [MEETS.bundled(), MEETS];
                let refs = (0..keep.len()).map(|k| passed(0, 2 * k + 1));
                Signature::new(NodeKind::Joiner, pair.repeat(keep.len()), [made(0)].into_iter().chain(refs).collect())
            }
            Self::Locate(..) | Self::Place(..) => Signature::new(NodeKind::Locator, meet(2), vec![made(0)]),
            Self::Within(_) => Signature::new(NodeKind::Within, meet(1), vec![made(0)]),
            Self::Span(..) => {
                let bundled = |k: usize| if k + 1 < inputs { MEETS.bundled() } else { MEETS };
                Signature::new(NodeKind::Scanner, (0..inputs).map(bundled).collect(), vec![made(1)])
            }
            Self::Between(..) => {
                // Its bounds stand above the lists.
                let bounds = inputs.saturating_sub(2);
                let bundled = |k: usize| if k + 1 < bounds { MEETS.bundled() } else { MEETS };
                let below = Input { deeper: 1, ..MEETS };
                let ins = (0..bounds).map(bundled).chain([below.bundled(), below]);
                Signature::new(NodeKind::Between, ins.collect(), vec![made(1).bundled(), passed(1, bounds + 1)])
            }
            Self::Single => Signature::new(NodeKind::Single, meet(1), vec![passed(1, 0)]),
            Self::Array(_) | Self::Tiles(..) => Signature::new(NodeKind::Array, meet(1), vec![made(0)]),
            Self::Slice(_) => {
                Signature::new(NodeKind::Slice, vec![MEETS.bundled(), MEETS], vec![made(0).bundled(), passed(0, 1)])
            }
            Self::Constant(..) => Signature::new(NodeKind::Coordinate, meet(1), vec![made(0)]),
            Self::Alu { .. } => Signature::new(NodeKind::Alu, meet(inputs), vec![made(0)]),
            Self::Reduce { kept, .. } => reducer(*kept),
            Self::Collapse(_) => Signature::new(
                NodeKind::Collapse,
                vec![MEETS, deeper(1).bundled(), deeper(1)],
                vec![made(0).bundled(), passed(0, 2)],
            ),
            Self::Divide(_) => Signature::new(
                NodeKind::Divide,
                vec![MEETS.bundled(), deeper(0)],
                vec![made(0), made(1).bundled(), passed(1, 1)],
            ),
            Self::Measure(Measured::First) => Signature::new(NodeKind::First, meet(1), vec![made(0)]),
            Self::Measure(Measured::Length | Measured::Parity) => {
                Signature::new(NodeKind::Length, meet(1), vec![made(0)])
            }
            Self::Prefix { .. } => Signature::new(NodeKind::Prefix, meet(inputs), vec![made(0)]),
            Self::Exit(..) => Signature::new(NodeKind::EarlyExit, meet(1), vec![passed(0, 0)]),
            Self::Zip => {
                Signature::new(NodeKind::Zip, vec![MEETS, deeper(0)], vec![passed(0, 0).bundled(), passed(0, 1)])
            }
            Self::Drop { list, .. } => {
                let inner = isize::from(*list);
                Signature::new(NodeKind::Dropper, vec![MEETS, deeper(inner)], vec![passed(0, 0), passed(inner, 1)])
            }
            Self::WriteLevel { chain, seg_height, .. } => {
                let inputs = positions(*chain, (*seg_height).into());
                Signature::new(NodeKind::Writer, inputs, vec![])
            }
            Self::WriteValues { chain, .. } => Signature::new(NodeKind::Writer, positions(*chain, 0), vec![]),
            Self::Deal { copies, split, .. } => {
                let below = isize::from(*split);
                let dealt = (0..*copies).flat_map(|_| (0..inputs).map(|k| passed(below, k)));
                Signature::new(NodeKind::Parallelizer, meet(inputs), dealt.chain(split.then_some(made(0))).collect())
            }
            Self::Stitch { next, prev, .. } => {
                let pairs = |more: bool| 2 + 2 * usize::from(more);
                let pair = [made(0).bundled(), made(0)];
                Signature::new(NodeKind::Stitch, meet(pairs(*next)), pair.repeat(pairs(*prev) / 2))
            }
            Self::Serialize { height } => {
                let items = isize::from(*height);
                let copies = [deeper(items + 1)].repeat(inputs.saturating_sub(1));
                Signature::new(NodeKind::Serializer, [MEETS].into_iter().chain(copies).collect(), vec![made(items)])
            }
        }
    }
    /// Returns the family of the operation.
    pub fn kind(&self) -> NodeKind {
        self.signature(0).kind
    }
    /// Returns the operation's access to a packing, if it has one.
    pub fn access(&self) -> Option<Access> {
        let (of, level, how) = match self {
            Self::Scan(u, l) | Self::ScanGroup(u, l) | Self::ScanPart(u, l, ..) => (u, Some(*l), How::Scan),
            Self::Pack(u, l) => (u, Some(*l), How::Pack),
            Self::Locate(u, l) | Self::Place(u, l) => (u, Some(*l), How::Locate),
            Self::Array(u) => (u, None, How::Read),
            Self::Tiles(u, _, l) => (u, Some(*l), How::Fetch),
            Self::WriteLevel { level: (u, l), .. } => (u, Some(*l), How::Write),
            Self::WriteValues { of, .. } => (of, None, How::Write),
            Self::Root
            | Self::Broadcast(_)
            | Self::Unpack(_)
            | Self::Origin
            | Self::Expand { .. }
            | Self::Repeat
            | Self::Join { .. }
            | Self::Within(_)
            | Self::Span(..)
            | Self::Between(..)
            | Self::Single
            | Self::Slice(_)
            | Self::Constant(..)
            | Self::Alu { .. }
            | Self::Reduce { .. }
            | Self::Collapse(_)
            | Self::Divide(_)
            | Self::Measure(_)
            | Self::Prefix { .. }
            | Self::Exit(..)
            | Self::Zip
            | Self::Drop { .. }
            | Self::Deal { .. }
            | Self::Stitch { .. }
            | Self::Serialize { .. } => return None,
        };
        Some(Access { of: *of, level, how })
    }
    /// Returns the packing whose values the operation writes.
    pub fn written(&self) -> Option<UseId> {
        self.access().filter(|access| (access.how, access.level) == (How::Write, None)).map(|access| access.of)
    }
    /// Returns the variable that the operation refers to, to be changed.
    pub fn var_mut(&mut self) -> Option<&mut VarId> {
        match self {
            Self::Broadcast(v)
            | Self::Within(v)
            | Self::Span(v, _)
            | Self::Between(v, _)
            | Self::ScanPart(_, _, v, _)
            | Self::Constant(v, _) => Some(v),
            Self::Root
            | Self::Scan(..)
            | Self::ScanGroup(..)
            | Self::Unpack(_)
            | Self::Origin
            | Self::Expand { .. }
            | Self::Pack(..)
            | Self::Repeat
            | Self::Join { .. }
            | Self::Locate(..)
            | Self::Single
            | Self::Place(..)
            | Self::Array(_)
            | Self::Tiles(..)
            | Self::Slice(_)
            | Self::Alu { .. }
            | Self::Reduce { .. }
            | Self::Collapse(_)
            | Self::Divide(_)
            | Self::Measure(_)
            | Self::Prefix { .. }
            | Self::Exit(..)
            | Self::Zip
            | Self::Drop { .. }
            | Self::WriteLevel { .. }
            | Self::WriteValues { .. }
            | Self::Deal { .. }
            | Self::Stitch { .. }
            | Self::Serialize { .. } => None,
        }
    }
    /// Returns the operation with its variable replaced.
    #[must_use]
    pub fn with_var(&self, of: impl Fn(VarId) -> VarId) -> Self {
        let mut op = self.clone();
        if let Some(v) = op.var_mut() {
            *v = of(*v);
        }
        op
    }
    /// Returns the operation with its packing replaced.
    #[must_use]
    pub fn with_use(&self, of: impl Fn(UseId) -> UseId) -> Self {
        let mut op = self.clone();
        let used = match &mut op {
            Self::Scan(u, _)
            | Self::ScanGroup(u, _)
            | Self::ScanPart(u, ..)
            | Self::Pack(u, _)
            | Self::Locate(u, _)
            | Self::Place(u, _)
            | Self::Array(u)
            | Self::Tiles(u, ..)
            | Self::WriteLevel { level: (u, _), .. }
            | Self::WriteValues { of: u, .. } => u,
            Self::Root
            | Self::Broadcast(_)
            | Self::Unpack(_)
            | Self::Origin
            | Self::Expand { .. }
            | Self::Repeat
            | Self::Join { .. }
            | Self::Within(_)
            | Self::Span(..)
            | Self::Between(..)
            | Self::Single
            | Self::Slice(_)
            | Self::Constant(..)
            | Self::Alu { .. }
            | Self::Reduce { .. }
            | Self::Collapse(_)
            | Self::Divide(_)
            | Self::Measure(_)
            | Self::Prefix { .. }
            | Self::Exit(..)
            | Self::Zip
            | Self::Drop { .. }
            | Self::Deal { .. }
            | Self::Stitch { .. }
            | Self::Serialize { .. } => return op,
        };
        *used = of(*used);
        op
    }
}

/// The signature of a reducer that keeps this number of coordinates.
fn reducer(kept: usize) -> Signature {
    // The values are as deep as the innermost coordinates that are kept.
    let depth = |k: usize| k.min(kept.saturating_sub(1)) as isize;
    let output = |k: usize| Output { bundled: kept > 0 && k == kept - 1, ..made(depth(k) - 1) };
    let (ins, outs) = ((0..=kept).map(depth).map(deeper), (0..=kept).map(output));
    Signature::new(NodeKind::Reducer, ins.collect(), outs.collect())
}
