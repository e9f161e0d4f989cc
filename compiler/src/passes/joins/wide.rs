//! Wide intersections, which compare several coordinates per cycle, and their scanners.
//!
//! A join is wide where `[schedule] wide` says so and both of its two operands come straight from
//! the scanners of compressed levels of inputs, and are needed wherever something comes out. The
//! scanners then give groups of coordinates, which exist only between them and the joiner; what
//! comes out of it is as of any other. Where the join skips, too, scanners that take hints give the
//! groups. Where the kernel file says nothing, joins are wide by two.

use super::{joins_at, nodes, own_scanner, variable};
use crate::diag::{Diagnostic, Place};
use crate::graph::{Grouped, NodeId, Readers};
use crate::lower::Lowered;
use std::collections::BTreeSet;

/// Coordinates of a group: what hardware there is for.
const WIDTHS: [u64; 2] = [2, 4];
/// Coordinates of a group where the kernel file does not say
/// (docs/measurements/0041-wide-by-two.md).
const CHOSEN: u64 = 2;

/// Decides which joins are wide: as `[schedule] wide` says, or where it leaves that open all that
/// can be, with memories on the chip. After what works on words.
pub(in crate::passes) fn apply(lowered: &mut Lowered, on_chip: bool) {
    let (mut out, readers) = (Grouped::default(), lowered.graph.readers());
    let mut chosen = BTreeSet::new();
    for n in nodes(lowered) {
        let open = super::schedule(lowered, n).wide.is_none();
        if open && !on_chip {
            continue;
        }
        let (Some(wide), Some(name)) = (asked(lowered, n), variable(lowered, n)) else { continue };
        if let Ok(scans) = scanners(lowered, &readers, n) {
            let log2 = wide.trailing_zeros();
            out.joins.insert(n, log2);
            out.scans.extend(scans.map(|s| (s, log2)));
            chosen.extend(open.then(|| name.to_owned()));
        }
    }
    let note = |v: &String| {
        format!("{v} is joined by groups of {CHOSEN} coordinates: both operands are compressed, and on the chip")
    };
    lowered.notes.extend(chosen.iter().map(note));
    lowered.graph.joins.wide = out;
}

/// Returns the names of the variables at which a join can be wide, with memories on the chip.
pub fn widenable(lowered: &Lowered) -> BTreeSet<&str> {
    let readers = lowered.graph.readers();
    nodes(lowered).filter(|&n| scanners(lowered, &readers, n).is_ok()).filter_map(|n| variable(lowered, n)).collect()
}

/// Coordinates of a group that the schedule wants at join `n`, or that are chosen where it leaves
/// that open.
fn asked(lowered: &Lowered, n: NodeId) -> Option<u64> {
    let name = variable(lowered, n)?;
    let Some(wide) = &super::schedule(lowered, n).wide else { return Some(CHOSEN) };
    let entry = wide.iter().find(|(v, _)| v.get_ref() == name)?;
    Some(*entry.1.get_ref()).filter(|wide| WIDTHS.contains(wide))
}

/// Scanners of the operands of join `n`, or why it cannot be wide.
fn scanners(lowered: &Lowered, readers: &Readers, n: NodeId) -> Result<[NodeId; 2], String> {
    let joiner = lowered.graph.joiner(readers, n);
    if joiner.ref_w.len() != 2 {
        return Err(format!("{} operands are joined there, and groups of two are compared", joiner.ref_w.len()));
    }
    let both = |table: &[u64]| table.first().is_some_and(|t| t >> 3 & 1 == 1);
    let only_both = joiner.emit.first().is_some_and(|t| t & 0b1110 == 0b1000);
    if !only_both || !joiner.keep.iter().all(|k| both(k)) {
        return Err("coordinates that only one operand has count there, too, as in a sum".into());
    }
    let own = |k: usize| own_scanner(lowered, readers, n, k);
    let (Some(first), Some(second)) = (own(0), own(1)) else {
        return Err("not both operands come straight from a compressed level of an input".into());
    };
    if lowered.graph.joins.words.joins.contains_key(&n) {
        return Err("words of bits are joined there".into());
    }
    Ok([first, second])
}

/// Refuses wide joins of the schedule that are not possible; `on_chip`: operands are in memories on the chip.
pub(super) fn check(lowered: &Lowered, on_chip: bool) -> Result<(), Diagnostic> {
    let readers = lowered.graph.readers();
    for ((name, wide), statements) in lowered.kernel.asked(|s| s.wide.as_deref().unwrap_or_default()) {
        let refused = |why: String| {
            Diagnostic::new("S032", format!("joins at `{}` cannot be wide: {why}", name.get_ref()))
                .at(Place::Kernel(name.span()))
        };
        if !WIDTHS.contains(wide.get_ref()) {
            return Err(Diagnostic::new("S032", format!("groups of {} coordinates are not possible", wide.get_ref()))
                .at(Place::Kernel(wide.span()))
                .help("groups have 2 or 4 coordinates"));
        }
        if !on_chip {
            return Err(refused(
                "a group begins at any coordinate, and memory behind AXI gives one word at a time".into(),
            )
            .help(
                "leave this index out of `wide`, and one coordinate a cycle is compared; or set `memory = \"ram\"`",
            ));
        }
        let why = reasons(lowered, &readers, &joins_at(lowered, name.get_ref(), &statements));
        if let Some(why) = why {
            return Err(refused(why)
                .help("two operands are needed, multiplied, in compressed levels at this index, and neither located")
                .help("leave this index out of `wide`"));
        }
    }
    Ok(())
}

/// Why none of these joins can be wide, if none can.
fn reasons(lowered: &Lowered, readers: &Readers, joins: &[NodeId]) -> Option<String> {
    let mut why = "no operands are joined there".to_string();
    for &n in joins {
        match scanners(lowered, readers, n) {
            Ok(_) => return None,
            Err(reason) => why = reason,
        }
    }
    Some(why)
}
