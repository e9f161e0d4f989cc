//! Memories behind the core, with the channels to their readers and writers.

use super::groups::follows;
use super::ports::{MemoryAccess, ReadBy, ReadPort, memory_plans, sharing};
use super::realize::NetlistBuilder;
use super::{Array, Cell, CellId, CellPlace, Channel, End, Select};
use crate::graph::{self, How, NodeId, Op, Over, UseId};
use crate::levels::Part;
use crate::schedule::Sharing;
use crate::stmt::Fun;
use samhw_primitives::blocks::Fold;
use samhw_primitives::memories::banks::Banks;
use samhw_primitives::memories::follower::Follower;
use samhw_primitives::memories::memory::{Host, Memory, Read};
use samhw_primitives::memories::memory_fold::MemoryFold;
use samhw_primitives::memories::memory_ports::MemoryPorts;
use samhw_primitives::memories::memory_shared::MemoryShared;
use samhw_primitives::memories::memory_wide::MemoryWide;
use samhw_primitives::scan::locator_hash::LocatorHash;
use samhw_streams::{Dir, Primitive};
use std::sync::Arc;

/// A memory as it is asked for.
struct Wanted<'a> {
    of: UseId,
    part: Part,
    readers: &'a [ReadPort],
    by: ReadBy,
    host: Host,
    stage: usize,
}

/// Name and words of an array.
pub(super) fn array_of(b: &NetlistBuilder, u: UseId, part: Part) -> (String, u64) {
    let used = &b.lowered.graph.uses[u.0];
    let words = b.sizes.words(u, part, |l| used.size(&b.lowered.kernel, l));
    (part.name(&used.name), words)
}

/// Bits of an address and of a word of an array.
pub(super) fn widths(b: &NetlistBuilder, u: UseId, part: Part) -> (u32, u32) {
    let kernel = &b.lowered.kernel;
    let used = &b.lowered.graph.uses[u.0];
    match part {
        Part::Seg(l) => (b.parent_w(u, l), b.segment_w(u, l)),
        Part::Crd(l) | Part::Runs(l, _) => (b.segment_w(u, l), b.entry_w(u, l)),
        Part::Ends(l) => (b.parent_w(u, l), 2 * b.pos_w(u, l)),
        Part::Next(l) => (b.pos_w(u, l), b.pos_w(u, l)),
        Part::Bits(l, w) => (b.bit_addr_w(u, l, w), w),
        Part::Rank(l, w) => (b.bit_addr_w(u, l, w), b.pos_w(u, l)),
        Part::Way(l, _, key) => (b.slot_number_w(u, l), LocatorHash::slot_w(key.crd_w, key.parent_w, b.pos_w(u, l))),
        Part::Tiles(tile, l) => (b.pos_w(u, tile), b.pos_w(u, l)),
        Part::Values => (b.parent_w(u, used.levels.len()), b.payload_w(kernel.tensor(used.tensor).ty)),
    }
}

fn readers(b: &NetlistBuilder) -> Vec<ReadPort> {
    let (mut out, joins) = (Vec::new(), &b.lowered.graph.joins);
    for (n, node) in b.lowered.graph.nodes.iter().enumerate() {
        let node_id = NodeId(n);
        let mut add = |of, part, read| out.push(ReadPort { node: node_id, of, part, read });
        let plain = MemoryAccess::Plain;
        let Some(graph::Access { of: u, level, how }) = node.op.access() else { continue };
        let ports = b.net.handshakes(CellId(n), Dir::Out);
        match (how, level) {
            (How::Scan | How::Locate, Some(l)) => {
                let parts = match joins.words.scans.get(&node_id) {
                    Some(&width) => Part::words(l, width).to_vec(),
                    None => b.arrays(u, l),
                };
                for part in parts {
                    let request = part.ports().request;
                    let Some(port) = ports.iter().find(|p| p.name == request) else { continue };
                    // One that skips, or stops at a bound, reads two coordinates, or groups, at a time.
                    let told = joins.skipping.scans.contains_key(&node_id) && !joins.exits(node_id);
                    let skips = told || joins.until.contains_key(&node_id);
                    let read = match (part, joins.wide.scans.get(&node_id)) {
                        (Part::Seg(_), _) => plain(Read::Pair),
                        (Part::Crd(_) | Part::Runs(..), Some(&log2)) => {
                            MemoryAccess::Wide { log2: log2 + u32::from(skips), addr_w: port.shape.width() }
                        }
                        (Part::Crd(_) | Part::Runs(..), None) if skips => plain(Read::Pair),
                        (Part::Way(..) | Part::Ends(_) | Part::Next(_), _) => plain(Read::Single),
                        (Part::Crd(_), _) if b.lowered.graph.uses[u.0].levels[l].is_linked() => plain(Read::Single),
                        (Part::Crd(_) | Part::Runs(..), _) if b.grows(node_id) => plain(Read::Single),
                        (Part::Bits(..) | Part::Rank(..), _) if matches!(node.op, Op::Locate(..)) => {
                            plain(Read::Single)
                        }
                        _ => plain(Read::Burst),
                    };
                    add(u, part, read);
                }
            }
            (How::Read, _) => add(u, Part::Values, plain(Read::Single)),
            (How::Fetch, Some(l)) => {
                if let Op::Tiles(_, tile, _) = node.op {
                    add(u, Part::Tiles(tile, l), plain(Read::Pair));
                }
            }
            (How::Pack | How::Write, _) | (How::Scan | How::Locate | How::Fetch, None) => {}
        }
    }
    out
}

/// Adds every memory with its channels.
pub(super) fn attach(b: &mut NetlistBuilder) {
    // Core writes: (writer port, use, part).
    let mut writes: Vec<(End, UseId, Part, usize)> = Vec::new();
    for (n, node) in b.lowered.graph.nodes.iter().enumerate() {
        let port = |name: &str| {
            let ports = b.net.handshakes(CellId(n), Dir::Out);
            ports.iter().position(|p| p.name == name).map(|p| (CellId(n), p))
        };
        let mut add = |end: Option<End>, u, part| writes.extend(end.map(|e| (e, u, part, node.stage)));
        if let Op::WriteLevel { level: (u, l), .. } = node.op {
            for part in b.arrays(u, l) {
                add(port(part.ports().write), u, part);
            }
        }
        // What is scattered goes into a memory of its own.
        if let Op::WriteValues { of, scatter: None, .. } = node.op {
            add(port(Part::Values.ports().write), of, Part::Values);
        }
    }
    let tensor = |b: &NetlistBuilder, u: UseId| b.lowered.graph.uses[u.0].tensor;
    let mut targets: Vec<Vec<(End, Select)>> = vec![Vec::new(); writes.len()];
    if let Some(repeat) = &b.lowered.kernel.repeat {
        let condition = writes.iter().position(|&(_, u, ..)| tensor(b, u) == repeat.condition);
        let rounds = condition.map(|w| (w, b.add_rounds(repeat.at_most, writes[w].1)));
        rounds.into_iter().for_each(|(w, end)| targets[w].push((end, Select::All)));
    }
    let mut by_source: Vec<(Option<usize>, Vec<ReadPort>)> = Vec::new();
    for group in sharing(b, readers(b)) {
        let r = &group[0];
        let stage = b.lowered.graph.node(r.node).stage;
        // Written by an earlier statement: the same array, filled by the core.
        let slice = |b: &NetlistBuilder, u: UseId| b.lowered.graph.uses[u.0].parts();
        let same = |b: &NetlistBuilder, u, part| part == r.part && slice(b, u) == slice(b, r.of);
        let source =
            writes.iter().position(|&(_, u, part, s)| s < stage && tensor(b, u) == tensor(b, r.of) && same(b, u, part));
        // Written in the round before: the banks of the array.
        let carried = b.lowered.kernel.carried(tensor(b, r.of)).filter(|_| source.is_none());
        if let Some(t) = carried
            && let Some(w) = writes.iter().position(|&(_, u, part, _)| tensor(b, u) == t && same(b, u, part))
        {
            targets[w].extend(group.iter().map(|r| ((carry(b, r, stage), 2), Select::All)));
            continue;
        }
        by_source.push((source, group));
    }
    let temporary = |b: &NetlistBuilder, w: usize| b.lowered.temporaries.contains(&tensor(b, writes[w].1));
    let kept = |w: usize| (!temporary(b, w)).then(|| widths(b, writes[w].1, writes[w].2).1);
    for plan in memory_plans(b, by_source, kept) {
        let r = &plan.readers[0];
        let (of, host, stage) = match plan.source {
            Some(w) if plan.kept => (writes[w].1, Host::Reads, writes[w].3),
            source => {
                (r.of, if source.is_some() { Host::Absent } else { Host::Writes }, b.lowered.graph.node(r.node).stage)
            }
        };
        let cell = add_memory(b, &Wanted { of, part: r.part, readers: &plan.readers, by: plan.by, host, stage });
        if let Some(w) = plan.source {
            let end = ((cell, plan.readers.len()), Select::All);
            if plan.kept { targets[w].insert(0, end) } else { targets[w].push(end) }
        }
        let name = b.net.cell(cell).name.clone();
        for (k, r) in plan.readers.iter().enumerate() {
            let port = if plan.readers.len() > 1 { k.to_string() } else { String::new() };
            let node = b.lowered.graph.node(r.node);
            if let Some(w) = plan.source
                && b.grows(r.node)
                && matches!(r.part, Part::Crd(0) | Part::Runs(0, _))
            {
                let scanner = CellId(r.node.0);
                targets[w].push(((scanner, b.net.cell(scanner).primitive.handshake(Dir::In, "written")), Select::All));
                b.followers.push((scanner, writes[w].3));
            } else if let Some(w) = plan.source
                && follows(b.lowered, node)
                && b.run_together(node.stage, writes[w].3)
            {
                targets[w].push(((follow(b, r, ((cell, k), port), writes[w].3), 2), Select::All));
                continue;
            }
            let node = CellId(r.node.0);
            let (reader, ports) = (&b.net.cell(node).primitive, r.part.ports());
            let (request, response) =
                (reader.handshake(Dir::Out, ports.request), reader.handshake(Dir::In, ports.response));
            b.net.channels.push(channel(format!("{name}_req{port}"), (node, request), (cell, k)));
            b.net.channels.push(channel(format!("{name}_rsp{port}"), (cell, k), (node, response)));
        }
    }
    for n in (0..b.lowered.graph.nodes.len()).map(NodeId) {
        if let Op::WriteValues { of, scatter: Some(op), .. } = b.lowered.graph.node(n).op {
            attach_fold(b, n, of, op);
        }
    }
    for (k, (end, u, part, stage)) in writes.into_iter().enumerate() {
        let kept = b.net.arrays.iter().any(|a| (a.of, a.part) == (u, part) && a.host_reads);
        if !kept && !b.lowered.temporaries.contains(&tensor(b, u)) {
            let wanted = Wanted { of: u, part, readers: &[], by: ReadBy::One, host: Host::Reads, stage };
            let cell = add_memory(b, &wanted);
            targets[k].insert(0, ((cell, 0), Select::All));
        }
        b.written(end, std::mem::take(&mut targets[k]), stage);
    }
}

/// A reader that follows statement `writer`, which fills its memory, at this port, whose channels are named so;
/// what it must see of the writes comes at the third input.
fn follow(b: &mut NetlistBuilder, r: &ReadPort, (memory, port): (End, String), writer: usize) -> CellId {
    let (addr_w, data_w) = widths(b, r.of, r.part);
    let (burst, pair) = (MemoryAccess::Plain(Read::Burst), MemoryAccess::Plain(Read::Pair));
    let primitive = Arc::new(Follower { addr_w, data_w, burst: r.read == burst, pair: r.read == pair });
    let (cell, reader, ports) = (CellId(b.net.cells.len()), CellId(r.node.0), r.part.ports());
    let node = &b.net.cell(reader).primitive;
    let (request, response) = (node.handshake(Dir::Out, ports.request), node.handshake(Dir::In, ports.response));
    let name = b.net.cell(memory.0).name.clone();
    let (asks, asked) = (primitive.handshake(Dir::In, "read_req"), primitive.handshake(Dir::Out, "req"));
    b.net.channels.extend([
        channel(format!("{name}_asked{port}"), (reader, request), (cell, asks)),
        channel(format!("{name}_req{port}"), (cell, asked), memory),
        channel(format!("{name}_rsp{port}"), memory, (reader, response)),
    ]);
    let (name, stage) = (format!("{name}_follow{port}"), b.net.cell(reader).stage);
    b.net.cells.push(Cell { name, primitive, config: vec![], place: CellPlace::Core, stage });
    b.followers.push((cell, writer));
    cell
}

/// The memories of an array that rounds carry and what leads its reader to the one of the round, which
/// takes writes at its third input.
fn carry(b: &mut NetlistBuilder, r: &ReadPort, stage: usize) -> CellId {
    let (addr_w, data_w) = widths(b, r.of, r.part);
    let (burst, pair) = (MemoryAccess::Plain(Read::Burst), MemoryAccess::Plain(Read::Pair));
    let memories = [Host::Writes, Host::Absent, Host::Absent].map(|host| {
        add_memory(
            b,
            &Wanted { of: r.of, part: r.part, readers: std::slice::from_ref(r), by: ReadBy::One, host, stage },
        )
    });
    let given = b.net.cell(memories[0]).name.clone();
    let primitive = Arc::new(Banks { addr_w, data_w, burst: r.read == burst, pair: r.read == pair });
    let (banks, reader, ports) = (CellId(b.net.cells.len()), CellId(r.node.0), r.part.ports());
    let node = &b.net.cell(reader).primitive;
    let (request, response) = (node.handshake(Dir::Out, ports.request), node.handshake(Dir::In, ports.response));
    let port = |dir, name: &str| (banks, primitive.handshake(dir, name));
    let mut channels = vec![
        channel(format!("{given}_asked"), (reader, request), port(Dir::In, "read_req")),
        channel(format!("{given}_given"), port(Dir::Out, "read_rsp"), (reader, response)),
    ];
    for (k, &memory) in memories.iter().enumerate() {
        let name = &b.net.cell(memory).name;
        channels.push(channel(format!("{name}_req"), port(Dir::Out, &format!("req{k}")), (memory, 0)));
        channels.push(channel(format!("{name}_rsp"), (memory, 0), port(Dir::In, &format!("rsp{k}"))));
    }
    for (k, &memory) in memories[1..].iter().enumerate() {
        let name = &b.net.cell(memory).name;
        channels.push(channel(format!("{name}_write"), port(Dir::Out, &format!("put{k}")), (memory, 1)));
    }
    b.net.channels.extend(channels);
    let name = format!("{given}_banks");
    b.net.cells.push(Cell { name, primitive, config: vec![], place: CellPlace::Core, stage });
    b.banks.push(banks);
    banks
}

/// The memory that folds what writer `n` scatters into a result.
fn attach_fold(b: &mut NetlistBuilder, n: NodeId, of: UseId, op: Fun) {
    let (name, words) = array_of(b, of, Part::Values);
    let (addr_w, data_w) = widths(b, of, Part::Values);
    let (ty, stage) = (b.value_type(n), b.lowered.graph.node(n).stage);
    let op = Fold::of(op, ty).expect("lowering refuses what nothing folds");
    let words = words.max(1);
    let memory =
        MemoryFold { addr_w, data_w, words: u32::try_from(words).unwrap_or(u32::MAX), op, signed: ty.is_signed() };
    let cell = CellId(b.net.cells.len());
    let (primitive, writer) = (Arc::new(memory), CellId(n.0));
    b.net.cells.push(Cell { name: name.clone(), primitive, config: vec![], place: CellPlace::Memory, stage });
    let scatter = &b.net.cell(writer).primitive;
    let (write, settled) = (scatter.handshake(Dir::Out, "write"), scatter.handshake(Dir::In, "settled"));
    b.net.channels.push(channel(format!("{name}_write"), (writer, write), (cell, 0)));
    b.net.channels.push(channel(format!("{name}_settled"), (cell, 0), (writer, settled)));
    let part = Part::Values;
    b.net.arrays.push(Array { name, cell, of, part, words, width: data_w, host_writes: false, host_reads: true });
}

fn channel(name: String, from: End, to: End) -> Channel {
    Channel {
        name,
        from: Some(from),
        to: Some(to),
        select: Select::All,
        over: Over::default(),
        keyed: vec![],
        note: "memory".into(),
    }
}

fn add_memory(b: &mut NetlistBuilder, wanted: &Wanted) -> CellId {
    let &Wanted { of, part, readers, by, host, stage } = wanted;
    let (mut name, words) = array_of(b, of, part);
    let another =
        |a: &&Array| a.name.strip_prefix(&*name).is_some_and(|rest| rest.is_empty() || rest.starts_with("_r"));
    let same = b.net.arrays.iter().filter(another).count();
    if same > 0 {
        name = format!("{name}_r{same}");
    }
    let (addr_w, data_w) = widths(b, of, part);
    let (reads, bits): (Vec<_>, Vec<_>) = readers.iter().map(|r| (r.read, r.addr_w(b))).unzip();
    // The last coordinate is read with the words that follow it.
    let beyond = |read: &MemoryAccess| match read {
        MemoryAccess::Wide { log2, .. } => (1 << log2) - 1,
        MemoryAccess::Plain(read) => u64::from(*read == Read::Pair && matches!(part, Part::Crd(_))),
    };
    let words = words.saturating_add(reads.iter().map(beyond).max().unwrap_or(0));
    let size = u32::try_from(words.max(1)).unwrap_or(u32::MAX);
    let (at_ports, write) =
        (reads.iter().filter_map(MemoryAccess::at_port).collect::<Vec<Read>>(), host != Host::Writes);
    let ports = |first| {
        let addr_w = bits.iter().copied().fold(addr_w, u32::max);
        MemoryPorts { addr_w, data_w, words: size, readers: at_ports.clone(), first, host }
    };
    let (primitive, parts_log2): (Arc<dyn Primitive>, u32) = match (by, &reads[..]) {
        (ReadBy::Sharing(count, sharing), [read, ..]) => {
            let memory = shared((addr_w, data_w, size), *read, (count, sharing), write);
            let parts_log2 = memory.parts_log2();
            (Arc::new(memory), parts_log2)
        }
        (ReadBy::One, [_]) if host == Host::Reads => (Arc::new(ports(1)), ports(1).parts_log2()),
        (ReadBy::One, [MemoryAccess::Wide { log2: wide_log2, addr_w }]) => {
            (Arc::new(MemoryWide { addr_w: *addr_w, data_w, words: size, wide_log2: *wide_log2 }), 0)
        }
        (ReadBy::Ports(first), _) => (Arc::new(ports(first)), ports(first).parts_log2()),
        (ReadBy::One | ReadBy::Sharing(..), _) => {
            let read = at_ports.first().copied().unwrap_or(Read::None);
            let memory = Memory { addr_w, data_w, words: size, read, write };
            let parts_log2 = memory.parts_log2();
            (Arc::new(memory), parts_log2)
        }
    };
    let cell = CellId(b.net.cells.len());
    b.net.cells.push(Cell { name: name.clone(), primitive, config: vec![], place: CellPlace::Memory, stage });
    b.net.arrays.push(Array {
        name,
        cell,
        of,
        part,
        words: words << parts_log2,
        width: data_w >> parts_log2,
        host_writes: host == Host::Writes,
        host_reads: host == Host::Reads,
    });
    cell
}

/// A memory that several readers share: of that many bits of an address and of a word, and words. Where an answer has several words
/// they come from banks of their own already.
fn shared(
    (addr_w, data_w, words): (u32, u32, u32),
    read: MemoryAccess,
    (count, sharing): (usize, Sharing),
    write: bool,
) -> MemoryShared {
    let (addr_w, wide_log2) = match read {
        MemoryAccess::Wide { log2, addr_w } => (addr_w, log2),
        MemoryAccess::Plain(Read::Pair) => (addr_w, 1),
        MemoryAccess::Plain(_) => (addr_w, 0),
    };
    let banks_log2 = match sharing {
        Sharing::Banked if wide_log2 == 0 => count.next_power_of_two().trailing_zeros().min(addr_w),
        _ => 0,
    };
    let burst = read == MemoryAccess::Plain(Read::Burst);
    MemoryShared { readers: count as u32, addr_w, data_w, words, burst, wide_log2, banks_log2, write }
}
