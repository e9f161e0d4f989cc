//! Bit-vector levels: the primitives that scan, unpack, locate and write words of bits.

use super::map::Mapped;
use super::realize::NetlistBuilder;
use super::{Meaning, Select};
use crate::facts::coordinate_bits;
use crate::graph::{NodeId, Op, Payload, UseId};
use crate::levels::Part;
use crate::stmt::VarId;
use samhw_primitives as prim;
use samhw_streams::{Dir, Primitive};
use std::sync::Arc;

/// Returns the number of words in a fiber of `dim` coordinates.
pub fn words(dim: u64, width: u32) -> u64 {
    dim.div_ceil(u64::from(width))
}

impl NetlistBuilder<'_> {
    /// Words that level `l` of use `u` has at most.
    pub(super) fn bit_words(&self, u: UseId, l: usize, width: u32) -> u64 {
        let most = self.graph().uses[u.0].size(self.kernel(), l);
        self.parents(u, l).saturating_mul(words(most, width))
    }

    /// Bits of an address of the words of a level, of their number, of a fiber's and of a chunk's.
    pub(super) fn bit_addr_w(&self, u: UseId, l: usize, width: u32) -> u32 {
        let (used, kernel) = (&self.graph().uses[u.0], self.kernel());
        let dense = (0..l).rev().take_while(|&m| used.levels[m].is_dense());
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
            exit: self.exit(n, self.bit_addr_w(u, l, width)),
        };
        let out = p.handshake(Dir::Out, "out");
        let outs = vec![(out, Select::First), (out, Select::Second)];
        Mapped { primitive: Arc::new(p), ins: vec![(0, Select::All)], outs, config: vec![Meaning::Dim(v)] }
    }

    /// Maps the node that makes coordinates of words.
    pub(super) fn unpacker(&self, n: NodeId, width: u32) -> Mapped {
        let (node, pair) = (self.graph().node(n), vec![(0, Select::First), (0, Select::Second)]);
        let w = |k: usize| self.width(node.outputs[k]);
        let p = prim::scan::bits_unpack::BitsUnpack {
            width,
            crd_w: w(0),
            ref_w: w(1),
            stop_w: self.stop_w,
            tag_w: self.exit_tag_w(n),
        };
        Mapped { primitive: Arc::new(p), ins: pair.clone(), outs: pair, config: vec![] }
    }

    /// A writer of words. `above`: the variables of the dense levels that give its positions; `v`:
    /// its own.
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
