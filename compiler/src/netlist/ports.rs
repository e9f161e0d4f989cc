//! Who reads which memory: an array is stored once for all readers that its RAM's ports can serve. Readers of groups
//! of statements that run one after the other take turns at a port; those that run at the same time have a port each.
//! What the host stores has two ports to read, what the core writes one, at which the host reads a result, too.

use super::memories::widths;
use super::realize::NetlistBuilder;
use crate::graph::{NodeId, UseId};
use crate::levels::Part;
use crate::schedule::Sharing;
use samhw_primitives::memories::memory::Read;

/// How the core reads a memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MemoryAccess {
    /// As [`Memory`] does.
    Plain(Read),
    /// `1 << log2` neighbouring words at a time, from addresses of this number of bits: enough for the words beyond the last.
    Wide { log2: u32, addr_w: u32 },
}

impl MemoryAccess {
    /// How a port of a memory with several readers reads so, if it can.
    pub(super) fn at_port(&self) -> Option<Read> {
        match self {
            Self::Plain(read) => Some(*read),
            Self::Wide { log2: 1, .. } => Some(Read::Pair),
            Self::Wide { .. } => None,
        }
    }
}

impl ReadPort {
    /// Bits of an address that it asks for.
    pub(super) fn addr_w(&self, b: &NetlistBuilder<'_>) -> u32 {
        let own = widths(b, self.of, self.part).0;
        match self.read {
            MemoryAccess::Plain(_) => own,
            MemoryAccess::Wide { addr_w, .. } => own.max(addr_w),
        }
    }
}

/// Who reads a memory.
#[derive(Clone, Copy)]
pub(super) enum ReadBy {
    One,
    /// Several, in this number of banks.
    Sharing(usize, Sharing),
    /// Several, this number of them at the first port and the others at a second one.
    Ports(u32),
}

/// A read port of the core.
pub(super) struct ReadPort {
    pub node: NodeId,
    pub of: UseId,
    pub part: Part,
    pub read: MemoryAccess,
}

/// Most readers of a memory that copies share, and of one with ports.
const MOST_SHARING: usize = 32;
const MOST_AT_PORTS: usize = 31;

/// A memory to be made: its readers, and where its words come from.
pub(super) struct MemoryPlan {
    /// In the order of its ports.
    pub readers: Vec<ReadPort>,
    pub by: ReadBy,
    /// The write that fills it, if that is not the host's.
    pub source: Option<usize>,
    /// Whether the host reads what the core has written.
    pub kept: bool,
}

/// Whether two readers of arrays from the same source can read one.
fn one_array(b: &NetlistBuilder<'_>, x: &ReadPort, y: &ReadPort) -> bool {
    let of = |r: &ReadPort| &b.lowered.graph.uses[r.of.0];
    let array = |r: &ReadPort| (r.part, widths(b, r.of, r.part).1);
    array(x) == array(y) && (x.of == y.of || !x.part.has_seed() && of(x).holds_as(of(y)))
}

/// The readers, those together that share a memory: copies of one that read the same array in the same way.
pub(super) fn sharing(b: &NetlistBuilder<'_>, readers: Vec<ReadPort>) -> Vec<Vec<ReadPort>> {
    let family = |r: &ReadPort| b.lowered.graph.node(r.node).family.map(|f| f.number);
    let mut groups: Vec<Vec<ReadPort>> = Vec::new();
    for r in readers {
        let key = |r: &ReadPort| (family(r), r.of, r.part, r.read);
        let theirs = |g: &&mut Vec<ReadPort>| g.len() < MOST_SHARING && key(&g[0]) == key(&r);
        match family(&r).and_then(|_| groups.iter_mut().find(theirs)) {
            Some(group) => group.push(r),
            None => groups.push(vec![r]),
        }
    }
    groups
}

/// Memories for groups of readers, each with the write that fills its array; `kept` says whether the host reads
/// that, too, and in how many bits.
pub(super) fn memory_plans(
    b: &NetlistBuilder<'_>,
    groups: Vec<(Option<usize>, Vec<ReadPort>)>,
    kept: impl Fn(usize) -> Option<u32>,
) -> Vec<MemoryPlan> {
    let runs_in = |r: &ReadPort| b.groups.iter().position(|g| g.contains(&b.lowered.graph.node(r.node).stage));
    let mut plans: Vec<MemoryPlan> = Vec::new();
    // Of each plan that others may join the port of each of its readers.
    let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
    for (source, mut group) in groups {
        let first = &group[0];
        let plain = first.read.at_port().is_some() && !b.kernel().bus;
        match b.lowered.graph.node(first.node).family {
            Some(family) if group.len() > 1 => {
                let by = ReadBy::Sharing(group.len(), family.sharing);
                plans.push(MemoryPlan { readers: group, by, source, kept: false });
                continue;
            }
            _ if !plain => {
                plans.push(MemoryPlan { readers: group, by: ReadBy::One, source, kept: false });
                continue;
            }
            _ => {}
        }
        let ports = if source.is_some() { 1 } else { 2 };
        let free = |(plan, at): &(usize, Vec<usize>)| {
            let MemoryPlan { readers: there, source: from, .. } = &plans[*plan];
            let same = there.len() < MOST_AT_PORTS && *from == source && one_array(b, &there[0], first);
            let taken = |p: usize| there.iter().zip(at).any(|(r, &q)| q == p && runs_in(r) == runs_in(first));
            (0..ports).filter(|_| same).find(|&p| !taken(p))
        };
        let place = open.iter().enumerate().find_map(|(n, o)| Some((n, free(o)?)));
        let data_w = widths(b, first.of, first.part).1;
        let Some(r) = group.pop() else { continue };
        match place {
            Some((n, port)) => {
                let (plan, at) = &mut open[n];
                let place = at.partition_point(|&p| p <= port);
                at.insert(place, port);
                let plan = &mut plans[*plan];
                plan.readers.insert(place, r);
                plan.by = ReadBy::Ports(at.partition_point(|&p| p == 0) as u32);
            }
            None => {
                let alone = !open.iter().any(|(p, _)| plans[*p].source == source && plans[*p].kept);
                let kept = alone && source.and_then(&kept).is_some_and(|w| w == data_w);
                open.push((plans.len(), vec![0]));
                plans.push(MemoryPlan { readers: vec![r], by: ReadBy::One, source, kept });
            }
        }
    }
    plans
}
