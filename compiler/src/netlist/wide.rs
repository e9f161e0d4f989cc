//! Intersections that compare several coordinates a cycle: which joiners are wide, and the scanners that feed them.
//!
//! A join is wide where `[schedule] wide` says so and both of its two operands come straight from the scanners of compressed
//! levels of inputs, and are needed wherever something comes out. The scanners then give groups of coordinates, which exist only
//! between them and the joiner; what comes out of it is as of any other. Where the join skips, too, scanners that take hints
//! give the groups (`skipping.rs`). Where the kernel file says nothing, joins are wide by two ([`choose`]).

use super::Select;
use super::bits::{Bits, bits};
use super::map::{Mapped, port};
use super::realize::Builder;
use super::skipping::{logical_joiner, own_scanner, variable};
use crate::diag::{Diagnostic, Place};
use crate::graph::{NodeId, Op, Readers};
use crate::lower::Lowered;
use samhw_primitives as prim;
use samhw_primitives::join::joiner_wide::JoinerWide;
use samhw_primitives::scan::scanner_wide::{Group, ScannerWide};
use samhw_streams::Dir;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use toml::Spanned;

/// Coordinates of a group: what hardware there is for.
const WIDTHS: [u64; 2] = [2, 4];
/// Coordinates of a group where the kernel file does not say (docs/decisions/0041-wide-by-two.md).
const CHOSEN: u64 = 2;

/// Joiners and scanners of groups, with the log2 of their coordinates.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wide {
    /// Joiners.
    pub joins: BTreeMap<NodeId, u32>,
    /// Scanners.
    pub scans: BTreeMap<NodeId, u32>,
}

/// Names of the variables at which some join can be wide, memories on the chip.
pub fn widenable(lowered: &Lowered) -> BTreeSet<&str> {
    let joins = (0..lowered.graph.nodes.len()).map(NodeId).filter(|&n| is_join(lowered, n));
    let seen = Seen::of(lowered);
    joins.filter(|&n| scanners(lowered, &seen, n).is_ok()).filter_map(|n| variable(lowered, n)).collect()
}

/// Fills in what the kernel file leaves open: all joins that can be are wide by two, with memories on the chip. Nothing of it
/// stays open.
pub fn choose(lowered: &mut Lowered, on_chip: bool) {
    if lowered.kernel.schedule.wide.is_some() {
        return;
    }
    let names: Vec<String> =
        if on_chip { widenable(lowered).into_iter().map(str::to_owned).collect() } else { Vec::new() };
    let note = |v: &String| {
        format!("{v} is joined by groups of {CHOSEN} coordinates: both operands are compressed, and on the chip")
    };
    lowered.notes.extend(names.iter().map(note));
    let spanned = |v| (Spanned::new(0..0, v), Spanned::new(0..0, CHOSEN));
    lowered.kernel.schedule.wide = Some(names.into_iter().map(spanned).collect());
}

/// What of `lowered` is wide: as `[schedule] wide` says.
pub fn wide(lowered: &Lowered) -> Wide {
    let (mut out, seen) = (Wide::default(), Seen::of(lowered));
    for n in (0..lowered.graph.nodes.len()).map(NodeId) {
        let Some(wide) = asked(lowered, n) else { continue };
        if let Ok(scans) = scanners(lowered, &seen, n) {
            let log2 = wide.trailing_zeros();
            out.joins.insert(n, log2);
            out.scans.extend(scans.map(|s| (s, log2)));
        }
    }
    out
}

/// Coordinates of a group that the schedule wants at join `n`, or that are chosen where it leaves that open.
fn asked(lowered: &Lowered, n: NodeId) -> Option<u64> {
    let name = variable(lowered, n)?;
    let Some(wide) = &lowered.kernel.schedule.wide else { return Some(CHOSEN) };
    let entry = wide.iter().find(|(v, _)| v.get_ref() == name)?;
    Some(*entry.1.get_ref()).filter(|wide| WIDTHS.contains(wide))
}

/// What is looked up for every join.
struct Seen {
    /// What works on bit vectors.
    words: Bits,
    readers: Readers,
}

impl Seen {
    fn of(lowered: &Lowered) -> Self {
        Self { words: bits(lowered), readers: lowered.graph.readers() }
    }
}

/// Scanners of the operands of join `n`, or why it cannot be wide.
fn scanners(lowered: &Lowered, seen: &Seen, n: NodeId) -> Result<[NodeId; 2], String> {
    let joiner = logical_joiner(&lowered.graph, &seen.readers, n);
    if joiner.ref_w.len() != 2 {
        return Err(format!("{} operands are joined there, and groups of two are compared", joiner.ref_w.len()));
    }
    let both = |table: &[u64]| table.first().is_some_and(|t| t >> 3 & 1 == 1);
    let only_both = joiner.emit.first().is_some_and(|t| t & 0b1110 == 0b1000);
    if !only_both || !joiner.keep.iter().all(|k| both(k)) {
        return Err("what one operand has alone counts there, too, as in a sum".into());
    }
    let own = |k: usize| own_scanner(lowered, &seen.readers, n, k);
    let (Some(first), Some(second)) = (own(0), own(1)) else {
        return Err("not both operands come straight from a compressed level of an input".into());
    };
    if seen.words.joins.contains_key(&n) {
        return Err("words of bits are joined there".into());
    }
    Ok([first, second])
}

/// What the schedule wants wide and cannot be; `on_chip`: operands are in memories on the chip.
pub fn check(lowered: &Lowered, on_chip: bool) -> Result<(), Diagnostic> {
    let seen = Seen::of(lowered);
    for (name, wide) in lowered.kernel.schedule.wide.iter().flatten() {
        let refused = |why: String| {
            Diagnostic::new("S032", format!("joins at `{}` cannot be wide: {why}", name.get_ref()))
                .at(Place::Kernel(name.span()))
        };
        if !WIDTHS.contains(wide.get_ref()) {
            return Err(Diagnostic::new("S032", format!("groups of {} coordinates are not possible", wide.get_ref()))
                .at(Place::Kernel(wide.span()))
                .help("so far groups have 2 or 4 coordinates"));
        }
        if !on_chip {
            return Err(refused(
                "a group begins at any coordinate, and memory behind AXI gives one word at a time".into(),
            )
            .help(
                "leave this index out of `wide`, and one coordinate a cycle is compared; or have `memory = \"ram\"`",
            ));
        }
        let why = reasons(lowered, &seen, name);
        if let Some(why) = why {
            return Err(refused(why)
                .help("two operands are needed, multiplied, in compressed levels at this index, and neither located")
                .help("leave this index out of `wide`"));
        }
    }
    Ok(())
}

/// Why no join at the variable of this name can be wide, if none can.
fn reasons(lowered: &Lowered, seen: &Seen, name: &Spanned<String>) -> Option<String> {
    let all = (0..lowered.graph.nodes.len()).map(NodeId);
    let joins = all.filter(|&n| is_join(lowered, n));
    let mut why = "no operands are joined there".to_string();
    for n in joins.filter(|&n| variable(lowered, n) == Some(name.get_ref())) {
        match scanners(lowered, seen, n) {
            Ok(_) => return None,
            Err(reason) => why = reason,
        }
    }
    Some(why)
}

fn is_join(lowered: &Lowered, n: NodeId) -> bool {
    matches!(lowered.graph.node(n).op, Op::Join { .. })
}

impl Builder<'_> {
    /// The group that scanner or joiner `n` works on, if it is wide.
    pub(super) fn group(&self, n: NodeId, crd_w: u32) -> Option<Group> {
        let log2 = self.wide.joins.get(&n).or_else(|| self.wide.scans.get(&n));
        log2.map(|&wide_log2| Group { crd_w, wide_log2 })
    }

    /// A scanner that gives groups.
    pub(super) fn wide_scanner(&self, group: Group, ref_in_w: u32, ref_w: u32) -> Mapped {
        let queue_log2 = prim::memories::memory::ON_CHIP_QUEUE_LOG2;
        let p = ScannerWide { ref_in_w, ref_w, stop_w: self.stop_w, queue_log2, group };
        let out = port(&p, Dir::Out, "out");
        let outs = vec![(out, Select::First), (out, Select::Second)];
        Mapped { primitive: Arc::new(p), ins: vec![(0, Select::All)], outs, config: vec![] }
    }

    /// The joiner `j` of groups.
    pub(super) fn wide_joiner(&self, group: Group, j: &prim::join::joiner::Joiner) -> JoinerWide {
        JoinerWide { group, ref_w: [j.ref_w[0], j.ref_w[1]], stop_w: j.stop_w, used: j.used, skips: j.skips }
    }
}
