//! FIFOs for paths of different length that meet again; docs/deadlock.md has the argument.
//!
//! Three reasons give a channel a FIFO. *Lag*: a primitive gives out one of its outputs only
//! after it has given out a whole list on another; where the two meet again, the early one
//! waits in a FIFO as long as the list. *Latency*: of two paths that meet, the shorter holds as many beats as
//! the longer has cycles, so that neither starves the other. *Elasticity*: between a filter and a scanner a few beats
//! keep the one busy while the other has nothing to give or to take; copies go on while it is not their turn (`turns`).

mod turns;

use crate::diag::Diagnostic;
use crate::netlist::{Cell, CellId, CellPlace, Channel, Ends, Netlist, Select};
use crate::stmt::Kernel;
use samhw_primitives::flow::fifo::Fifo;
use samhw_primitives::flow::relay::Relay;
use samhw_streams::{Class, Dir, Lag, Primitive, Rate, Shape};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The method that sizes FIFOs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Depths {
    /// By analysis, with the depths that avoid deadlock and stalls.
    #[default]
    Auto,
    /// By analysis, with the latency FIFOs multiplied by this factor, to measure the gain of deeper ones.
    Times(u32),
    /// By analysis, with at least this depth for every stream of the core, to measure the gain of unlimited FIFOs.
    AtLeast(u32),
    /// By analysis of lags and latencies, except that the channel with this number has this depth, to measure how tight
    /// the analysis is.
    Except(usize, u32),
}

/// Beats that one FIFO may hold on the chip.
const BUDGET: u32 = 1 << 20;

/// Inserts FIFOs into `net`.
///
/// # Errors
///
/// A FIFO that no chip has room for.
pub fn apply(net: &mut Netlist, kernel: &Kernel, depths: Depths) -> Result<(), Diagnostic> {
    insert(net, kernel, depths);
    // Deeper FIFOs than computed are for measurements, not for chips.
    if depths == Depths::Auto { within_budget(net) } else { Ok(()) }
}

/// Refuses a netlist with a FIFO that no chip has room for.
fn within_budget(net: &Netlist) -> Result<(), Diagnostic> {
    for (n, cell) in net.cells.iter().enumerate() {
        let Class::Fifo { depth } = cell.primitive.class() else { continue };
        if depth <= BUDGET {
            continue;
        }
        let why =
            net.channels.iter().find(|c| c.from.is_some_and(|(f, _)| f == CellId(n))).map_or("", |c| c.note.as_str());
        return Err(Diagnostic::new(
            "H003",
            format!("{} would have to hold {depth} beats, at most {BUDGET} are possible", cell.name),
        )
        .help(why)
        .help("choose a loop order that reduces further inside, another format of the result, or smaller dimensions"));
    }
    Ok(())
}

fn insert(net: &mut Netlist, kernel: &Kernel, depths: Depths) {
    let mut ends = Ends::of(net);
    smooth(net, &mut ends, kernel.bus);
    let first = first_beats(net, &ends, kernel.bus);
    let lags = lags(net, &ends, kernel);
    // They would hide how tight the analysis of lags is.
    let bursts = if matches!(depths, Depths::Except(..)) { HashMap::new() } else { bursts(net, &ends, kernel) };
    let turns = if matches!(depths, Depths::Except(..)) { HashMap::new() } else { turns::turns(net, &ends, kernel) };
    let mut depth_of = vec![(0u32, String::new()); net.channels.len()];
    for (k, ch) in net.channels.iter().enumerate() {
        let (Some(from), Some(to)) = (ch.from, ch.to) else { continue };
        if net.cell(from.0).place == CellPlace::Memory
            || net.cell(to.0).place == CellPlace::Memory
            || !ends.is_stream(from)
        {
            continue;
        }
        let slack = first[to.0.0].arrives.saturating_sub(first[from.0.0].leaves);
        if slack > 0 {
            let p = &net.cell(from.0).primitive;
            let elastic = if p.rate() == Rate::Filters { ELASTIC } else { u32::from(p.lag().is_some()) };
            depth_of[k] = (
                slack + elastic,
                format!("latency: the other path to {} is {slack} cycles longer", net.cell(to.0).name),
            );
        }
    }
    for (k, (depth, why)) in depth_of.iter_mut().enumerate() {
        if let Some((lag, cause)) = lags.get(&k) {
            *depth = lag.saturating_add(*depth).saturating_add(LAG_MARGIN);
            *why = format!("lag: {cause} comes only after a whole list of up to {lag} of these");
        }
        if let Some((beats, waiting)) = turns.get(&k).filter(|(beats, _)| beats > depth) {
            *depth = *beats;
            if !lags.contains_key(&k) {
                why.clone_from(waiting);
            }
        }
        if let (0, Some((list, writer))) = (*depth, bursts.get(&k)) {
            *depth = *list;
            *why = format!("elastic: {writer} fills gaps while the next list is folded");
        }
    }
    for (k, (depth, why)) in depth_of.into_iter().enumerate() {
        let (from, to) = (net.channels[k].from, net.channels[k].to);
        let in_core = |end: Option<(CellId, usize)>| end.is_some_and(|(c, _)| net.cell(c).place == CellPlace::Core);
        let is_core = in_core(from) && in_core(to) && from.is_some_and(|f| ends.is_stream(f));
        let depth = match depths {
            Depths::Auto => depth,
            Depths::Times(n) => depth.saturating_mul(n),
            Depths::AtLeast(n) if is_core => depth.max(n),
            Depths::Except(channel, n) if channel == k => n,
            Depths::AtLeast(_) | Depths::Except(..) => depth,
        };
        // A scanner that skips is no further ahead than hints can tell.
        let skips = from.is_some_and(|(f, _)| net.cell(f).primitive.class() == Class::SkippingScanner);
        let depth = if skips { depth.min(MOST_AHEAD) } else { depth };
        if depth > 0 {
            split(net, &mut ends, k, depth, why);
        }
    }
}

/// Most beats between a scanner that skips and its joiner: with them the fibers that both are at differ by less than
/// half of what a hint can number (docs/deadlock.md).
const MOST_AHEAD: u32 = 16;

/// Beats that ride over the gaps a filter leaves: while it drops items what follows works on those stored here.
/// (Deeper ones gain nothing on the corpus; memories of this size are 16 deep anyway.)
const ELASTIC: u32 = 5;

/// Most beats that wait for a writer that fills gaps.
const BURST: u32 = 48;

/// Channels on which a reducer gives a whole list at once and a writer fills gaps behind them: with room for the list
/// the one folds the next while the other fills. With the length of the list, at most [`BURST`], and the writer's name.
fn bursts(net: &Netlist, ends: &Ends, kernel: &Kernel) -> HashMap<usize, (u32, String)> {
    let early = |c: &Channel| {
        let (from, port) = c.from?;
        let lag = net.cell(from).primitive.lag()?;
        (lag.early == port && net.cell(from).primitive.class() == Class::Workspace).then_some(from)
    };
    let gaps = |k: usize| {
        let cells = reach(net, ends, k).into_iter().filter_map(|b| net.channels[b].to.map(|(t, _)| net.cell(t)));
        let mut writers = cells.filter(|c| c.primitive.class() == Class::GapFiller);
        writers.next().map(|c| c.name.clone())
    };
    let list = |c: &Channel| {
        let folded = c.over.len().saturating_sub(2);
        c.over.iter().skip(folded).map(|v| kernel.var(*v).max).fold(1u64, u64::saturating_mul)
    };
    let channels = net.channels.iter().enumerate().filter(|(_, c)| early(c).is_some());
    channels.filter_map(|(k, c)| Some((k, (list(c).clamp(1, u64::from(BURST)) as u32, gaps(k)?)))).collect()
}

/// FIFOs between a filter and a scanner that the filter's other outputs do not wait for anyway: one drops items
/// while the other is busy with a long list, and each would wait for the other in turn. So too between a scanner that
/// makes one item of several and a joiner.
fn smooth(net: &mut Netlist, ends: &mut Ends, bus: bool) {
    let first = first_beats(net, ends, bus);
    for k in 0..net.channels.len() {
        let (Some(from), Some(to)) = (net.channels[k].from, net.channels[k].to) else { continue };
        let (source, sink) = (&net.cell(from.0).primitive, &net.cell(to.0).primitive);
        let uneven = match source.rate() {
            Rate::Filters => sink.rate() == Rate::Expands && ends.is_stream(from),
            _ => source.class() == Class::Grouping && sink.rate() == Rate::Filters && ends.is_stream(from),
        };
        if uneven && first[to.0.0].arrives == first[from.0.0].leaves {
            let why = match source.rate() {
                Rate::Filters => {
                    format!("elastic: {} drops items, {} has lists of many", net.cell(from.0).name, net.cell(to.0).name)
                }
                _ => format!("elastic: {} makes one item of several", net.cell(from.0).name),
            };
            split(net, ends, k, ELASTIC, why);
        }
    }
}

/// Beats beyond the list itself: the first of the next list, which tells that this one is over.
const LAG_MARGIN: u32 = 1;

/// Channels that must hold a whole list, with its largest length and the late stream's name.
fn lags(net: &Netlist, ends: &Ends, kernel: &Kernel) -> HashMap<usize, (u32, String)> {
    let mut out: HashMap<usize, (u32, String)> = HashMap::new();
    for c in (0..net.cells.len()).map(CellId) {
        let Some(Lag { late, early }) = net.cell(c).primitive.lag() else { continue };
        let leaving = |port| ends.leaving(c).iter().copied().find(|&k| net.channels[k].from == Some((c, port)));
        let (Some(first), Some(second)) = (leaving(late), leaving(early)) else { continue };
        let (behind, ahead) = (reach(net, ends, first), reach(net, ends, second));
        let outer = &net.channels[first].over;
        let (mut is_behind, mut met) = (vec![false; net.channels.len()], vec![false; net.cells.len()]);
        for &b in &behind {
            is_behind[b] = true;
            net.channels[b].to.iter().for_each(|(t, _)| met[t.0] = true);
        }
        for &k in &ahead {
            let Some((to, port)) = net.channels[k].to else { continue };
            // By variable, not by depth: a copy's streams have the index of the copies twice, what they come together to once.
            let over = &net.channels[k].over;
            let common = over.iter().rposition(|v| Some(v) == outer.last()).map_or(outer.len(), |at| at + 1);
            let below = over.get(common..).unwrap_or_default();
            // A list directly below the late leaves is taken at once where they are not waited for.
            let waits = net.cell(to).primitive.waits(port) || below.len() > 1;
            if met[to.0] && waits && !is_behind[k] {
                let below = below.iter().chain(&net.channels[k].keyed);
                let list =
                    below.map(|v| kernel.var(*v).max).fold(1u64, u64::saturating_mul).clamp(1, u64::from(u32::MAX / 2))
                        as u32;
                let entry = out.entry(k).or_insert((0, String::new()));
                if list > entry.0 {
                    *entry = (list, net.channels[first].name.clone());
                }
            }
        }
    }
    out
}

/// Channel `k` and every channel of the core that its beats lead to.
fn reach(net: &Netlist, ends: &Ends, k: usize) -> Vec<usize> {
    let mut found = vec![k];
    let mut is_found = vec![false; net.channels.len()];
    is_found[k] = true;
    let mut next = 0;
    while next < found.len() {
        if let Some((to, _)) = net.channels[found[next]].to.filter(|(t, _)| net.cell(*t).place == CellPlace::Core) {
            let more = ends.leaving(to).iter().copied().filter(|&n| !net.channels[n].over.is_empty());
            found.extend(more.filter(|&n| !std::mem::replace(&mut is_found[n], true)));
        }
        next += 1;
    }
    found
}

/// Cycles between the first beat into each cell of the core and its first one out. An adapter of a
/// bus has a word in a register that a memory on the chip does not have.
fn latencies(net: &Netlist, bus: bool) -> Vec<u32> {
    let mut latencies: Vec<u32> = net.cells.iter().map(|c| c.primitive.latency()).collect();
    let read: HashSet<CellId> = net.arrays.iter().filter(|a| bus && a.host_writes).map(|a| a.cell).collect();
    for (from, to) in net.channels.iter().filter_map(|ch| ch.from.zip(ch.to)) {
        if read.contains(&from.0) && net.cell(to.0).place == CellPlace::Core {
            latencies[to.0.0] += 1;
        }
    }
    latencies
}

/// The first cycles in which a beat can reach a cell, on its slowest input, and leave it.
#[derive(Clone, Copy)]
struct FirstBeats {
    arrives: u32,
    leaves: u32,
}

/// Finds the first beats of each cell.
fn first_beats(net: &Netlist, ends: &Ends, bus: bool) -> Vec<FirstBeats> {
    let mut first: Vec<FirstBeats> =
        latencies(net, bus).into_iter().map(|latency| FirstBeats { arrives: 0, leaves: latency }).collect();
    let (mut leaving, mut waits) = (vec![Vec::new(); net.cells.len()], vec![0u32; net.cells.len()]);
    for channel in &net.channels {
        let Some((f, t)) = channel.from.zip(channel.to) else { continue };
        let in_core = |c: CellId| net.cell(c).place == CellPlace::Core;
        if in_core(f.0) && in_core(t.0) && ends.is_stream(f) {
            leaving[f.0.0].push(t.0);
            waits[t.0.0] += 1;
        }
    }
    // Streams form no cycle: each cell's turn comes when those before it have had theirs.
    let mut ready: Vec<CellId> = (0..net.cells.len()).map(CellId).filter(|c| waits[c.0] == 0).collect();
    while let Some(c) = ready.pop() {
        let at = first[c.0].leaves;
        for &to in &leaving[c.0] {
            let to_first = &mut first[to.0];
            let later = at.saturating_sub(to_first.arrives);
            (to_first.arrives, to_first.leaves) = (to_first.arrives + later, to_first.leaves + later);
            waits[to.0] -= 1;
            if waits[to.0] == 0 {
                ready.push(to);
            }
        }
    }
    first
}

/// Puts a FIFO into channel `k`, in front of its consumer.
fn split(net: &mut Netlist, ends: &mut Ends, k: usize, depth: u32, why: String) {
    let channel = net.channels[k].clone();
    let Some(from) = channel.from else { return };
    let Some(Shape::Stream { stop_w, fields }) = net.port(from, Dir::Out).map(|p| p.shape) else { return };
    // The FIFO stands behind the selection, so that it holds only what the consumer reads.
    let fields = match channel.select {
        Select::All => fields,
        Select::First => vec![fields[0].clone()],
        Select::Second => vec![fields[1].clone()],
    };
    let cell = CellId(net.cells.len());
    let stage = net.cell(from.0).stage;
    let shape = Shape::Stream { stop_w, fields };
    let primitive: Arc<dyn Primitive> =
        if depth == 1 { Arc::new(Relay { shape }) } else { Arc::new(Fifo { shape, depth: depth + 1 }) };
    net.cells.push(Cell {
        name: ["fifo_", &channel.name].concat(),
        primitive,
        config: vec![],
        place: CellPlace::Core,
        stage,
    });
    let name = [&channel.name, "_late"].concat();
    net.channels.push(Channel {
        name,
        from: Some((cell, 0)),
        to: channel.to,
        select: Select::All,
        over: channel.over,
        keyed: channel.keyed,
        note: why,
    });
    net.channels[k].to = Some((cell, 0));
    ends.divided(net, k);
}
