//! Levels that are iterated as bit vectors: which scanners give words, and which joiners take them.
//!
//! A join at an index of `[schedule] bitvector` works on words where every operand comes straight from the scanner of a
//! compressed level of an input. The host packs those levels as words with the position of their first bit; what
//! comes out of the join is as of any other.

use super::map::{Mapped, port};
use super::realize::Builder;
use super::skipping::{own_scanner, variable};
use super::{Meaning, Part, Select, coordinate_bits};
use crate::diag::{Diagnostic, Place};
use crate::graph::{NodeId, Op, Payload, UseId};
use crate::lower::Lowered;
use samhw_primitives as prim;
use samhw_primitives::Dir;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bits of a word: what hardware there is for.
const WIDTHS: [u64; 4] = [8, 16, 32, 64];

/// Joiners and scanners of words, with the bits of a word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bits {
    /// Joiners.
    pub joins: BTreeMap<NodeId, u32>,
    /// Scanners.
    pub scans: BTreeMap<NodeId, u32>,
}

/// Operands of join `n`, if all are scanners that can give words.
fn scanners(lowered: &Lowered, n: NodeId) -> Option<Vec<NodeId>> {
    let Op::Join { keep, .. } = &lowered.graph.node(n).op else { return None };
    (0..keep.len()).map(|k| own_scanner(lowered, n, k)).collect()
}

/// The joins at the variable of this name.
fn joins<'a>(lowered: &'a Lowered, name: &'a str) -> impl Iterator<Item = NodeId> + 'a {
    (0..lowered.graph.nodes.len()).map(NodeId).filter(move |&n| variable(lowered, n) == Some(name))
}

/// What of `lowered` works on words: as `[schedule] bitvector` says.
pub fn bits(lowered: &Lowered) -> Bits {
    let mut out = Bits::default();
    for (name, width) in &lowered.kernel.schedule.bitvector {
        let width = *width.get_ref() as u32;
        for n in joins(lowered, name.get_ref()) {
            if let Some(scans) = scanners(lowered, n) {
                out.joins.insert(n, width);
                out.scans.extend(scans.into_iter().map(|s| (s, width)));
            }
        }
    }
    out
}

/// What the schedule wants as bit vectors and cannot be.
pub fn check(lowered: &Lowered) -> Result<(), Diagnostic> {
    for (name, width) in &lowered.kernel.schedule.bitvector {
        if !WIDTHS.contains(width.get_ref()) {
            return Err(Diagnostic::new("S031", format!("words of {} bits are not possible", width.get_ref()))
                .at(Place::Kernel(width.span()))
                .help("so far words have 8, 16, 32 or 64 bits"));
        }
        let at: Vec<NodeId> = joins(lowered, name.get_ref()).collect();
        if at.iter().any(|&n| scanners(lowered, n).is_some()) {
            continue;
        }
        let why = match at.as_slice() {
            [] => "no operands are joined there",
            _ => "not all operands that are joined there come straight from a compressed level of an input",
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

    /// Bits of an address of the words of a level, of their number and of a fiber's.
    pub(super) fn bit_addr_w(&self, u: UseId, l: usize, width: u32) -> u32 {
        coordinate_bits(self.bit_words(u, l, width).saturating_add(2)).max(self.stop_w)
    }

    /// A scanner that gives words.
    pub(super) fn bits_scanner(&self, n: NodeId, (u, l): (UseId, usize), width: u32) -> Mapped {
        let node = self.graph().node(n);
        let Payload::Crd(v) = self.graph().stream(node.outputs[0]).payload else {
            unreachable!("scanners put out coordinates")
        };
        let p = prim::scanner_bits::ScannerBits {
            ref_in_w: self.width(node.inputs[0]),
            addr_w: self.bit_addr_w(u, l, width),
            ref_w: self.pos_w(u, l),
            crd_w: self.crd_w(v),
            stop_w: self.stop_w,
            width,
            queue_log2: prim::memory::ON_CHIP_QUEUE_LOG2,
        };
        let out = port(&p, Dir::Out, "out");
        let outs = vec![(out, Select::First), (out, Select::Second)];
        Mapped { primitive: Arc::new(p), ins: vec![(0, Select::All)], outs, config: vec![Meaning::Dim(v)] }
    }
}

/// The two arrays of a level in words of `width` bits: the words, and their ranks.
pub(super) fn parts(l: usize, width: u32) -> [Part; 2] {
    [Part::Bits(l, width), Part::Rank(l, width)]
}
