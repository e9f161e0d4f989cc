//! What each operation is, said once: its name, what it touches, the depths of its streams, which
//! of them come together and which leaves pass. Checks, drawings, copies and lanes derive from it.

use super::{NodeKind, Op, UseId};
use crate::stmt::VarId;

/// What an operation does with a packing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// The packing.
    pub of: UseId,
    /// Its level; `None`: the values below all of them.
    pub level: Option<usize>,
    /// What is done.
    pub how: How,
}

/// Ways to touch a level, or values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Goes through the coordinates of fibers.
    Scan,
    /// Looks coordinates up.
    Locate,
    /// Reads values.
    Read,
    /// Tells where tiles begin and end.
    Fetch,
    /// Makes the words that a writer stores.
    Pack,
    /// Writes.
    Write,
}

/// An input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Input {
    /// Its depth less that of the first input.
    pub deeper: isize,
    /// It ranges over what the first one does, and further below that.
    pub meets: bool,
    /// It and the next one come as one bundle.
    pub bundled: bool,
}

/// An output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Output {
    /// Its depth less that of the first input; of what has none its depth.
    pub deeper: isize,
    /// It and the next one come as one bundle.
    pub bundled: bool,
    /// The input whose leaves it gives, some of them or each several times.
    pub passes: Option<usize>,
}

/// What there is to say of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// Its family.
    pub kind: NodeKind,
    /// Its inputs.
    pub inputs: Vec<Input>,
    /// Its outputs.
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
    /// The signature of an operation with so many inputs.
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
            Self::Array(_) => Signature::new(NodeKind::Array, meet(1), vec![made(0)]),
            Self::Tiles(..) => Signature::new(NodeKind::Array, meet(1), vec![made(0)]),
            Self::Slice(_) => {
                Signature::new(NodeKind::Slice, vec![MEETS.bundled(), MEETS], vec![made(0).bundled(), passed(0, 1)])
            }
            Self::Constant(..) => Signature::new(NodeKind::Coordinate, meet(1), vec![made(0)]),
            Self::Alu { .. } => Signature::new(NodeKind::Alu, meet(inputs), vec![made(0)]),
            Self::Reduce { kept, .. } => {
                // The values are as deep as the innermost coordinates that are kept.
                let depth = |k: usize| k.min(kept.saturating_sub(1)) as isize;
                let output = |k: usize| {
                    let bundled = *kept > 0 && k == kept - 1;
                    Output { bundled, ..made(depth(k) - 1) }
                };
                let (ins, outs) = ((0..=*kept).map(depth).map(deeper), (0..=*kept).map(output));
                Signature::new(NodeKind::Reducer, ins.collect(), outs.collect())
            }
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
            Self::Length { .. } => Signature::new(NodeKind::Length, meet(1), vec![made(0)]),
            Self::Prefix { .. } => Signature::new(NodeKind::Prefix, meet(inputs), vec![made(0)]),
            Self::Exit(_) => Signature::new(NodeKind::EarlyExit, meet(1), vec![passed(0, 0)]),
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
    /// Its family.
    pub fn kind(&self) -> NodeKind {
        self.signature(0).kind
    }
    /// The packing that it touches.
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
            | Self::Length { .. }
            | Self::Prefix { .. }
            | Self::Exit(_)
            | Self::Zip
            | Self::Drop { .. }
            | Self::Deal { .. }
            | Self::Stitch { .. }
            | Self::Serialize { .. } => return None,
        };
        Some(Access { of: *of, level, how })
    }
    /// The packing of a result whose values it writes.
    pub fn written(&self) -> Option<UseId> {
        self.access().filter(|access| (access.how, access.level) == (How::Write, None)).map(|access| access.of)
    }
    /// The variable that it names.
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
            | Self::Length { .. }
            | Self::Prefix { .. }
            | Self::Exit(_)
            | Self::Zip
            | Self::Drop { .. }
            | Self::WriteLevel { .. }
            | Self::WriteValues { .. }
            | Self::Deal { .. }
            | Self::Stitch { .. }
            | Self::Serialize { .. } => None,
        }
    }
    /// The same with another variable.
    #[must_use]
    pub fn with_var(&self, of: impl Fn(VarId) -> VarId) -> Self {
        let mut op = self.clone();
        if let Some(v) = op.var_mut() {
            *v = of(*v);
        }
        op
    }
    /// The same with another packing.
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
            | Self::Length { .. }
            | Self::Prefix { .. }
            | Self::Exit(_)
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
