//! Levels that are iterated as bit vectors: which scanners give words, and which joiners take them.
//!
//! A join works on words where every operand comes straight from the scanner of a level of words, or, at an index of
//! `[schedule] bitvector`, of a compressed level of an input, which the host then packs as words. Beside each word stands the
//! position of its first bit; what comes out of the join is as of any other.

use super::map::{Mapped, port};
use super::realize::Builder;
use super::skipping::{scanner_of, variable};
use super::{Meaning, Part, Select, coordinate_bits};
use crate::diag::{Diagnostic, Place};
use crate::graph::{NodeId, Op, Payload, Readers, UseId};
use crate::lower::Lowered;
use crate::stmt::{LevelKind, VarId};
use samhw_primitives as prim;
use samhw_streams::Dir;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bits of a word: what hardware there is for.
const WIDTHS: [u64; 6] = [8, 16, 32, 64, 128, 256];

/// Joiners and scanners of words, with the bits of a word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bits {
    /// Joiners.
    pub joins: BTreeMap<NodeId, u32>,
    /// Scanners.
    pub scans: BTreeMap<NodeId, u32>,
}

/// Scanners of the operands of join `n`, if all can give words of one size, and that size: `width` where the schedule
/// says one, else that of levels declared so.
fn scanners(lowered: &Lowered, readers: &Readers, n: NodeId, width: Option<u32>) -> Option<(Vec<NodeId>, u32)> {
    let Op::Join { keep, .. } = &lowered.graph.node(n).op else { return None };
    let operands: Option<Vec<(NodeId, LevelKind)>> =
        (0..keep.len()).map(|k| scanner_of(lowered, readers, n, k)).collect();
    let operands = operands?;
    let declared = |kind: LevelKind| match kind {
        LevelKind::Bitvector(bits) => Some(u32::from(bits)),
        _ => None,
    };
    let width = width.or(declared(operands.first()?.1))?;
    let asked = wanted(lowered, n).is_some();
    let fits = |kind: LevelKind| declared(kind) == Some(width) || asked && kind == LevelKind::Compressed;
    operands.iter().all(|&(_, kind)| fits(kind)).then(|| (operands.into_iter().map(|(s, _)| s).collect(), width))
}

/// Bits of the words that the schedule wants at join `n`.
fn wanted(lowered: &Lowered, n: NodeId) -> Option<u32> {
    let name = variable(lowered, n)?;
    let entry = lowered.kernel.schedule.bitvector.iter().find(|(v, _)| v.get_ref() == name)?;
    u32::try_from(*entry.1.get_ref()).ok()
}

/// What of `lowered` works on words: as `[schedule] bitvector` and the operands' levels say.
pub fn bits(lowered: &Lowered) -> Bits {
    let (mut out, readers) = (Bits::default(), lowered.graph.readers());
    for n in (0..lowered.graph.nodes.len()).map(NodeId) {
        match lowered.graph.node(n).op {
            Op::Join { .. } => {
                if let Some((scans, width)) = scanners(lowered, &readers, n, wanted(lowered, n)) {
                    out.joins.insert(n, width);
                    out.scans.extend(scans.into_iter().map(|s| (s, width)));
                }
            }
            Op::Scan(u, l) => {
                if let LevelKind::Bitvector(width) = lowered.graph.uses[u.0].levels[l] {
                    out.scans.insert(n, u32::from(width));
                }
            }
            _ => {}
        }
    }
    out
}

/// What the schedule wants as bit vectors and cannot be.
pub fn check(lowered: &Lowered) -> Result<(), Diagnostic> {
    let readers = lowered.graph.readers();
    for (name, width) in &lowered.kernel.schedule.bitvector {
        if !WIDTHS.contains(width.get_ref()) {
            return Err(Diagnostic::new("S031", format!("words of {} bits are not possible", width.get_ref()))
                .at(Place::Kernel(width.span()))
                .help("words have 8, 16, 32, 64, 128 or 256 bits"));
        }
        let all = (0..lowered.graph.nodes.len()).map(NodeId);
        let at: Vec<NodeId> = all.filter(|&n| variable(lowered, n) == Some(name.get_ref())).collect();
        if at.iter().any(|&n| scanners(lowered, &readers, n, wanted(lowered, n)).is_some()) {
            continue;
        }
        let why = match at.as_slice() {
            [] => "no operands are joined there",
            _ => {
                "not all operands that are joined there come straight from a compressed level of an input, or from words of \
                 this size"
            }
        };
        return Err(Diagnostic::new("S031", format!("`{}` cannot be iterated as bit vectors: {why}", name.get_ref()))
            .at(Place::Kernel(name.span()))
            .help("store the operands in compressed levels at this index, with `locate = []` if some are located")
            .help("leave this index out of `bitvector`"));
    }
    Ok(())
}

/// Words of a fiber of `dim` coordinates.
pub fn words(dim: u64, width: u32) -> u64 {
    dim.div_ceil(u64::from(width))
}

impl Builder<'_> {
    /// Words that level `l` of use `u` has at most.
    pub(super) fn bit_words(&self, u: UseId, l: usize, width: u32) -> u64 {
        let most = self.graph().uses[u.0].size(self.kernel(), l);
        self.parents(u, l).saturating_mul(words(most, width))
    }

    /// Bits of an address of the words of a level, of their number, of a fiber's and of a chunk's.
    pub(super) fn bit_addr_w(&self, u: UseId, l: usize, width: u32) -> u32 {
        let (used, kernel) = (&self.graph().uses[u.0], self.kernel());
        let dense = (0..l).rev().take_while(|&m| used.levels[m] == LevelKind::Dense);
        let chunk = dense.map(|m| used.size(kernel, m)).fold(words(used.size(kernel, l), width), u64::saturating_mul);
        coordinate_bits(self.bit_words(u, l, width).max(chunk).saturating_add(2)).max(self.stop_w)
    }

    /// A scanner that gives words.
    pub(super) fn bits_scanner(&self, n: NodeId, (u, l): (UseId, usize), width: u32) -> Mapped {
        let node = self.graph().node(n);
        let Payload::Crd(v) = self.graph().stream(node.outputs[0]).payload else {
            unreachable!("scanners put out coordinates")
        };
        let p = prim::scan::scanner_bits::ScannerBits {
            ref_in_w: self.width(node.inputs[0]),
            addr_w: self.bit_addr_w(u, l, width),
            ref_w: self.pos_w(u, l),
            crd_w: self.crd_w(v),
            stop_w: self.stop_w,
            width,
            queue_log2: prim::memories::memory::ON_CHIP_QUEUE_LOG2,
        };
        let out = port(&p, Dir::Out, "out");
        let outs = vec![(out, Select::First), (out, Select::Second)];
        Mapped { primitive: Arc::new(p), ins: vec![(0, Select::All)], outs, config: vec![Meaning::Dim(v)] }
    }

    /// What makes coordinates of words.
    pub(super) fn unpacker(&self, n: NodeId, width: u16) -> Mapped {
        let (node, pair) = (self.graph().node(n), vec![(0, Select::First), (0, Select::Second)]);
        let w = |k: usize| self.width(node.outputs[k]);
        let p =
            prim::scan::bits_unpack::BitsUnpack { width: width.into(), crd_w: w(0), ref_w: w(1), stop_w: self.stop_w };
        Mapped { primitive: Arc::new(p), ins: pair.clone(), outs: pair, config: vec![] }
    }

    /// A lookup in words.
    pub(super) fn bits_locator(&self, n: NodeId, (u, l): (UseId, usize), width: u32) -> Mapped {
        let node = self.graph().node(n);
        let Payload::Crd(v) = self.graph().stream(node.inputs[0]).payload else {
            unreachable!("locators take coordinates")
        };
        let p = prim::scan::locator::LocatorBits {
            width,
            crd_w: self.crd_w(v),
            ref_in_w: self.width(node.inputs[1]),
            addr_w: self.bit_addr_w(u, l, width),
            ref_w: self.pos_w(u, l),
            stop_w: self.stop_w,
            queue_log2: prim::memories::memory::ON_CHIP_QUEUE_LOG2,
        };
        let (ins, outs) = (vec![(0, Select::All), (1, Select::All)], vec![(port(&p, Dir::Out, "found"), Select::All)]);
        Mapped { primitive: Arc::new(p), ins, outs, config: vec![Meaning::Words(vec![], v, width)] }
    }

    /// A writer of words. `above`: the variables of the dense levels that give its positions; `v`: its own.
    pub(super) fn bits_writer(&self, n: NodeId, width: u32, above: Vec<VarId>, v: VarId) -> Mapped {
        let node = self.graph().node(n);
        let Op::WriteLevel { level: (u, l), chain, skip_empty, .. } = node.op else {
            unreachable!("it writes a level")
        };
        let p = prim::write::bits_writer::BitsWriter {
            width,
            crd_w: self.width(node.inputs[0]),
            ref_in_w: self.parent_w(u, l),
            addr_w: self.bit_addr_w(u, l, width),
            ref_w: self.pos_w(u, l),
            stop_w: self.stop_w,
            chain: chain.into(),
            skip_empty,
        };
        let mut config = vec![self.capacity(u, Part::Bits(l, width)), Meaning::Words(above, v, width)];
        if chain > 0 {
            config.push(Meaning::Words(vec![], v, width));
        }
        let ins = (0..node.inputs.len()).map(|k| (k, Select::All)).collect();
        Mapped { primitive: Arc::new(p), ins, outs: vec![], config }
    }
}

/// The two arrays of a level in words of `width` bits: the words, and their ranks.
pub(super) fn parts(l: usize, width: u32) -> [Part; 2] {
    [Part::Bits(l, width), Part::Rank(l, width)]
}
