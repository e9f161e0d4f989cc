//! Planning of each array's access to memory: a window, an on-chip copy made before a run, or writes.

use super::bus::{Axi, PortMode, PortPlan, Watch};
use super::managers::deal;
use super::reads::{in_order, reader, reading};
use crate::diag::Diagnostic;
use crate::emit::address::int;
use crate::facts::coordinate_bits;
use crate::frontend::AxiOptions;
use crate::graph::{Op, Payload};
use crate::levels::Part;
use crate::lower::Lowered;
use crate::netlist::{CellId, Config, Meaning, Netlist};
use crate::stmt::VarId;
use samhw_primitives::axi::{Fiber, Here};
use samhw_primitives::memories::memory::Read;
use samhw_streams::{Class, Dir};

/// Cycles between asking for a line and getting it that windows are made for.
const LATENCY: u64 = 160;
/// Arrays at a manager that fill its bus with one burst each.
const CROWD: usize = 8;
/// log2 of the lines of their bursts where there are more.
const CROWD_BURST_LOG2: u32 = 2;

/// Plans the access for every array.
///
/// # Errors
///
/// Words wider than the bus, arrays larger than its addresses, managers of arrays that are not there.
pub fn plan(lowered: &Lowered, net: &Netlist, options: &AxiOptions) -> Result<Axi, Diagnostic> {
    let mut axi = Axi { options: options.clone(), ports: Vec::new(), registers: Vec::new(), hash: 0, probes: None };
    let (bus, burst) = (axi.bus_log2(), axi.burst_log2());
    for (k, array) in net.arrays.iter().enumerate().filter(|(_, a)| a.host_reads || a.host_writes) {
        if let Part::Bits(_, bits @ 65..) = array.part {
            return Err(Diagnostic::new(
                "H020",
                format!("words of {} have {bits} bits, but behind AXI a word has at most 64", array.name),
            )
            .help(
                "use words of 64 bits or fewer in `bitvector` and `levels`, or leave `[hardware] memory` at \"ram\"",
            ));
        }
        let size_log2 = (array.width.div_ceil(8)).next_power_of_two().trailing_zeros();
        if size_log2 > bus {
            return Err(Diagnostic::new(
                "H020",
                format!("words of {} have {} bits, but the bus has {}", array.name, array.width, options.data_width),
            )
            .help(format!("set `data_width = {}` under [hardware.axi]", 8 << size_log2)));
        }
        let addr_w = int(net, k, "ADDR_W");
        if addr_w + 3 > u64::from(options.address_width) {
            return Err(Diagnostic::new(
                "H021",
                format!("{} may need more words than {} address bits reach", array.name, options.address_width),
            )
            .help("set `address_width = 64` under [hardware.axi], or declare a smaller nnz"));
        }
        let mode = if array.host_reads {
            PortMode::Write
        } else {
            let bytes = array.words.saturating_mul(1 << size_log2);
            match told(lowered, net, k) {
                _ if in_order(lowered, net, k) => PortMode::Window(read(net, k)),
                _ if bytes <= options.on_chip => PortMode::Whole(read(net, k)),
                Some((starts, per_log2)) if options.tile > 0 => {
                    PortMode::Tiles { read: read(net, k), starts, hints_log2: told_ahead(net, starts), per_log2 }
                }
                _ => PortMode::Window(read(net, k)),
            }
        };
        let lines_log2 = match mode {
            PortMode::Write => burst + 1,
            PortMode::Tiles { .. } => {
                let bytes =
                    options.tile.max(two_tiles(lowered, net, k).saturating_mul(1 << size_log2).min(options.on_chip));
                (bytes >> bus).max(1).next_power_of_two().trailing_zeros().clamp(burst + 1, 16)
            }
            _ => window_log2(size_log2, bus, burst),
        };
        // They share a register with how many words there are, and one that is read in pairs has a word more.
        let alike = (0..net.arrays.len()).filter(|&other| net.first_like(other) == net.first_like(k));
        let room = alike.map(|other| int(net, other, "WORDS")).max().unwrap_or_default();
        let data_w = int(net, k, "DATA_W");
        let (addr_w, data_w) = (addr_w as u32, data_w as u32);
        let watch = watch(lowered, net, k);
        let shares = matches!(mode, PortMode::Whole(_) | PortMode::Tiles { .. });
        let same = |p: &&PortPlan| p.mode == mode && net.first_like(p.array) == net.first_like(k);
        let follows = axi.ports.iter().find(same).filter(|_| shares).map(|p| p.array);
        axi.ports.push(PortPlan {
            array: k,
            mode,
            master: 0,
            follows,
            addr_w,
            data_w,
            room,
            size_log2,
            lines_log2,
            burst_log2: burst,
            ahead: false,
            watch,
        });
    }
    deal(lowered, net, &mut axi.ports, options)?;
    begin_ahead(lowered, net, &mut axi.ports, (bus, burst));
    axi.ports.sort_by_key(PortPlan::place);
    Ok(axi)
}

/// log2 of the lines of a window whose bursts have at most `2**burst` lines.
fn window_log2(size_log2: u32, bus: u32, burst: u32) -> u32 {
    let ahead = ((LATENCY << size_log2) >> bus) + (1 << burst);
    ahead.next_power_of_two().trailing_zeros().max(burst + 1)
}

/// Where lanes share an array on the chip, or its tiles, lets windows begin with the run that hold
/// all of an array: no lane begins before those of outer levels have something. So do windows of
/// runs of entries, which are short where many share a manager: before anything else comes they are
/// all filled, one after the other.
fn begin_ahead(lowered: &Lowered, net: &Netlist, ports: &mut [PortPlan], (bus, burst): (u32, u32)) {
    if ports.iter().all(|p| p.follows.is_none()) {
        return;
    }
    let served: Vec<usize> = ports.iter().filter(|p| p.follows.is_none()).map(|p| p.master).collect();
    let used = |p: &PortPlan| &lowered.graph.uses[net.arrays[p.array].of.0];
    for p in ports.iter_mut().filter(|p| matches!(p.mode, PortMode::Window(_))) {
        let run = used(p).chunk.is_some();
        let words = 1u64 << (p.lines_log2 + bus - p.size_log2);
        p.ahead = run || net.arrays[p.array].words <= words && in_order(lowered, net, p.array);
        if run && served.iter().filter(|&&master| master == p.master).count() > CROWD {
            p.burst_log2 = burst.min(CROWD_BURST_LOG2);
            p.lines_log2 = window_log2(p.size_log2, bus, p.burst_log2);
        }
    }
}

/// The array that tells where the tiles of this one begin, and log2 of the words at a position that it tells.
fn told(lowered: &Lowered, net: &Netlist, array: usize) -> Option<(usize, u32)> {
    let a = &net.arrays[array];
    let tells = |part: Part| match (part, a.part) {
        (Part::Tiles(_, of), Part::Crd(l)) => (of == l).then_some((of, 0)),
        (Part::Tiles(_, of), Part::Seg(l)) => (of + 1 == l).then_some((of, 0)),
        (Part::Tiles(_, of), Part::Bits(l, w) | Part::Rank(l, w)) if of + 1 == l => {
            let words = lowered.graph.uses[a.of.0].size(&lowered.kernel, l).div_ceil(u64::from(w));
            words.is_power_of_two().then_some((of, words.trailing_zeros()))
        }
        // Values lie at the positions of the last level.
        (Part::Tiles(_, of), Part::Values) => Some((of, 0)),
        _ => None,
    };
    let of = |k: usize| tells(net.arrays[k].part).filter(|_| net.arrays[k].of == a.of);
    let starts = (0..net.arrays.len()).filter(|&k| of(k).is_some()).max_by_key(|&k| of(k))?;
    Some((starts, of(starts)?.1))
}

/// Words of two tiles of an array that lies dense below its tiles: the one in use, and the next.
fn two_tiles(lowered: &Lowered, net: &Netlist, array: usize) -> u64 {
    let a = &net.arrays[array];
    let used = &lowered.graph.uses[a.of.0];
    let tile = |k: &usize| match net.arrays[*k].part {
        Part::Tiles(tile, _) if net.arrays[*k].of == a.of => Some(tile),
        _ => None,
    };
    let Some(tile) = told(lowered, net, array).and_then(|(starts, _)| tile(&starts)) else { return 0 };
    let inside = tile + 1..used.levels.len();
    if a.part != Part::Values || !used.levels[inside.clone()].iter().all(|l| l.is_dense()) {
        return 0;
    }
    inside.map(|l| used.size(&lowered.kernel, l)).fold(2, u64::saturating_mul)
}

/// Returns the number of words of a tile beyond the announced end; for segments, the end of the last fiber.
pub fn extra(net: &Netlist, array: usize) -> u64 {
    u64::from(matches!(net.arrays[array].part, Part::Seg(_)))
}

/// log2 of the tiles that may be told before the core asks for words of the first of them: those in FIFOs between the loops over tiles and what
/// reads a tile, and what its scanners have taken.
fn told_ahead(net: &Netlist, starts: usize) -> u32 {
    let from = |cell: CellId| net.channels.iter().find(|c| c.to == Some((cell, 0))).and_then(|c| c.from).map(|f| f.0);
    let mut open: Vec<CellId> = from(net.arrays[starts].cell).and_then(from).into_iter().collect();
    let mut seen = open.clone();
    let mut depth = 16;
    while let Some(cell) = open.pop() {
        let next = net.channels.iter().filter(|c| c.from.is_some_and(|f| f.0 == cell)).filter_map(|c| c.to);
        for (next, _) in next {
            let passes = match net.cell(next).primitive.class() {
                Class::Fifo { depth: beats } => {
                    depth += beats;
                    true
                }
                Class::Relay | Class::Fork | Class::Repeater => true,
                _ => false,
            };
            if passes && !seen.contains(&next) {
                seen.push(next);
                open.push(next);
            }
        }
    }
    depth.next_power_of_two().trailing_zeros().clamp(4, 7)
}

/// How the core reads an array.
fn read(net: &Netlist, array: usize) -> Read {
    let ports = net.handshakes(net.arrays[array].cell, Dir::Out);
    let asks = net.handshakes(net.arrays[array].cell, Dir::In);
    match (ports.first().map(|p| p.shape.width()), asks.first().map(|p| p.shape.width())) {
        (Some(answer), _) if answer > net.arrays[array].width => Read::Pair,
        (_, Some(ask)) if u64::from(ask) > int(net, array, "ADDR_W") => Read::Burst,
        _ => Read::Single,
    }
}

/// The dimension of the coordinates, or bits, that the core reads of an operand, in order or in searches.
fn watched(lowered: &Lowered, net: &Netlist, array: usize) -> Option<VarId> {
    let a = &net.arrays[array];
    let node = reader(lowered, net, array).filter(|_| a.host_writes)?;
    let stream = match a.part {
        // A lookup reads words alone, and does not know which is a fiber's last.
        Part::Bits(..) if read(net, array) != Read::Burst => None,
        Part::Crd(_) | Part::Bits(..) if matches!(node.op, Op::Locate(..)) => Some(node.inputs[0]),
        Part::Crd(_) | Part::Bits(..) => Some(node.outputs[0]),
        _ => None,
    }?;
    let Payload::Crd(v) = lowered.graph.stream(stream).payload else { return None };
    Some(v)
}

/// What must hold of an operand's words.
fn watch(lowered: &Lowered, net: &Netlist, array: usize) -> Option<Watch> {
    let a = &net.arrays[array];
    let reads = reading(net, array).filter(|_| a.host_writes)?;
    // Another array of the level that the same cell reads.
    let beside = |fits: &dyn Fn(Part) -> bool| {
        let same = |k: usize| net.arrays[k].of == a.of && fits(net.arrays[k].part) && reading(net, k) == Some(reads);
        (0..net.arrays.len()).find(|&k| same(k))
    };
    let size = || {
        let v = watched(lowered, net, array)?;
        net.config.iter().position(|c| c.meaning == Meaning::Dim(v))
    };
    match a.part {
        Part::Seg(level) => beside(&|part| part.holds_entries(level)).map(Watch::Segments),
        Part::Rank(level, width) => beside(&|part| part == Part::Bits(level, width))
            .map(|words| Watch::Ranks { words, bursts: read(net, array) == Read::Burst }),
        Part::Bits(_, width) => Some(Watch::Fibers { size: size()?, fiber: Fiber::Bits(width.trailing_zeros()) }),
        Part::Crd(level) => {
            let size = size()?;
            let repeats = lowered.graph.uses[a.of.0].levels[level].repeats();
            let pairs = read(net, array) == Read::Pair;
            let searches = net.cell(reads).primitive.class() == Class::Search;
            match beside(&|part| part == Part::Seg(level)).filter(|_| pairs || searches) {
                Some(segments) => Some(Watch::Places { size, here: Here { pairs, repeats }, segments }),
                None => Some(Watch::Fibers { size, fiber: if repeats { Fiber::Repeats } else { Fiber::Rises } }),
            }
        }
        _ => None,
    }
}

/// A netlist as it is behind AXI: with queues of `2**queue_log2` words for what waits for memory, and the sizes of dimensions that
/// coordinates are compared with.
pub(super) fn behind(lowered: &Lowered, net: &Netlist, queue_log2: u32) -> Netlist {
    let mut net = net.queued(queue_log2);
    for v in (0..net.arrays.len()).filter_map(|k| watched(lowered, &net, k)).collect::<Vec<_>>() {
        let meaning = Meaning::Dim(v);
        if net.config.iter().all(|c| c.meaning != meaning) {
            let var = lowered.kernel.var(v);
            let width = coordinate_bits(var.max.saturating_add(1));
            net.config.push(Config { name: format!("dim_{}", var.name), meaning, width });
        }
    }
    net
}
