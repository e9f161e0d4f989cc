//! Bit-vector joins: the scanners that emit words, and the joins that take them.
//!
//! A join works on words where every operand comes straight from the scanner of a level of words,
//! or, at an index of `[schedule] bitvector`, of a compressed level of an input, which the host
//! then packs as words. Next to each word stands the position of its first bit; what comes out of
//! the join is as of any other.

use super::{joins_at, nodes, scanner_of, variable};
use crate::diag::{Diagnostic, Place};
use crate::graph::{Grouped, NodeId, Op, Readers};
use crate::levels::LevelKind;
use crate::lower::Lowered;

/// Bits of a word: what hardware there is for.
const WIDTHS: [u64; 6] = [8, 16, 32, 64, 128, 256];

/// Decides what works on words: as `[schedule] bitvector` and the operands' levels say.
pub(in crate::passes) fn apply(lowered: &mut Lowered) {
    let (mut out, readers) = (Grouped::default(), lowered.graph.readers());
    for n in nodes(lowered) {
        if let Some((scans, width)) = scanners(lowered, &readers, n, wanted(lowered, n)) {
            out.joins.insert(n, width);
            out.scans.extend(scans.into_iter().map(|s| (s, width)));
        }
        if let Op::Scan(u, l) = lowered.graph.node(n).op {
            out.scans.extend(lowered.graph.uses[u.0].levels[l].words().map(|width| (n, width)));
        }
    }
    lowered.graph.joins.words = out;
}

/// Whether join `n` works on words, or will when it is decided.
pub(super) fn on_words(lowered: &Lowered, readers: &Readers, n: NodeId) -> bool {
    scanners(lowered, readers, n, wanted(lowered, n)).is_some()
}

/// Scanners of the operands of join `n`, if all can give words of one size, and that size: `width`
/// where the schedule says one, else that of levels declared so.
fn scanners(lowered: &Lowered, readers: &Readers, n: NodeId, width: Option<u32>) -> Option<(Vec<NodeId>, u32)> {
    let Op::Join { keep, .. } = &lowered.graph.node(n).op else { return None };
    let operands: Option<Vec<(NodeId, LevelKind)>> =
        (0..keep.len()).map(|k| scanner_of(lowered, readers, n, k)).collect();
    let operands = operands?;
    let width = width.or(operands.first()?.1.words())?;
    let asked = wanted(lowered, n).is_some();
    let fits = |kind: LevelKind| kind.words() == Some(width) || asked && kind.lists_coordinates();
    operands.iter().all(|&(_, kind)| fits(kind)).then(|| (operands.into_iter().map(|(s, _)| s).collect(), width))
}

/// Bits of the words that the schedule wants at join `n`.
fn wanted(lowered: &Lowered, n: NodeId) -> Option<u32> {
    let name = variable(lowered, n)?;
    let entry = super::schedule(lowered, n).bitvector.iter().find(|(v, _)| v.get_ref() == name)?;
    u32::try_from(*entry.1.get_ref()).ok()
}

/// Refuses bit vectors of the schedule that are not possible.
pub(super) fn check(lowered: &Lowered) -> Result<(), Diagnostic> {
    let readers = lowered.graph.readers();
    for ((name, width), statements) in lowered.kernel.asked(|s| &s.bitvector) {
        if !WIDTHS.contains(width.get_ref()) {
            return Err(Diagnostic::new("S031", format!("words of {} bits are not possible", width.get_ref()))
                .at(Place::Kernel(width.span()))
                .help("words have 8, 16, 32, 64, 128 or 256 bits"));
        }
        let at = joins_at(lowered, name.get_ref(), &statements);
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
