//! Assignment of arrays to managers: first those that the file assigns, then the rest according to their traffic. An
//! array that follows another one moves nothing.

use super::bus::{PortMode, PortPlan};
use super::reads::reader;
use crate::diag::{Diagnostic, Place};
use crate::frontend::AxiOptions;
use crate::graph::{Node, Op};
use crate::lower::Lowered;
use crate::netlist::Netlist;
use std::cmp::Reverse;
use toml::Spanned;

/// An array that others follow counts as so many of its size where lanes have runs of entries, or
/// are in one of its tiles: no lane begins before it is there, so its manager gets less to do
/// besides.
const AHEAD: u64 = 8;

/// Gives every port its manager: those the file assigns, then the largest first, each to the manager that has least to move so far.
pub(super) fn deal(
    lowered: &Lowered,
    net: &Netlist,
    ports: &mut [PortPlan],
    options: &AxiOptions,
) -> Result<(), Diagnostic> {
    let bytes = |p: &PortPlan| {
        let words = net.arrays[p.array].words.saturating_mul(passes(lowered, net, p.mode));
        words.saturating_mul(1 << p.size_log2)
    };
    let mut assigned = vec![None; ports.len()];
    // What names an array comes after what names its tensor.
    let mut named: Vec<_> = options.managers.iter().collect();
    named.sort_by_key(|(name, _)| ports.iter().any(|p| net.arrays[p.array].name == *name.get_ref()));
    for (name, manager) in named {
        let of = meant(lowered, net, ports, name)?;
        of.into_iter().for_each(|k| assigned[k] = Some(*manager.get_ref() as usize));
    }
    follow(ports, &assigned);
    let ports_before: Vec<PortPlan> = ports.to_vec();
    // Lanes' runs of entries wait for nothing but what they share; copies are dealt rows as they come.
    let runs = net.arrays.iter().any(|a| lowered.graph.uses[a.of.0].chunk.is_some());
    let waited = |p: &PortPlan| runs || matches!(p.mode, PortMode::Tiles { .. });
    let followed = |p: &PortPlan| waited(p) && ports_before.iter().any(|other| other.follows == Some(p.array));
    let all: u64 = ports_before.iter().filter(|p| p.follows.is_none()).map(bytes).fold(0, u64::saturating_add);
    let share = all / u64::from(options.masters.max(1));
    let weight = |p: &PortPlan| match bytes(p) {
        own if followed(p) => own.max(own.saturating_mul(AHEAD).min(share)),
        own => own,
    };
    let mut order: Vec<usize> = (0..ports.len()).filter(|&k| ports[k].follows.is_none()).collect();
    let leaders = order.len();
    order.sort_by_key(|&k| (assigned[k].is_none(), Reverse(weight(&ports[k]))));
    let mut loads = vec![(0u64, 0usize); options.masters.max(1) as usize];
    for k in order {
        let least = || (0..loads.len()).min_by_key(|&m| loads[m]).unwrap_or(0);
        let manager = assigned[k].unwrap_or_else(least);
        ports[k].master = manager;
        loads[manager] = (loads[manager].0.saturating_add(weight(&ports[k])), loads[manager].1 + 1);
    }
    for k in 0..ports.len() {
        let source = ports[k].follows.and_then(|array| ports.iter().find(|p| p.array == array));
        ports[k].master = source.map_or(ports[k].master, |p| p.master);
    }
    // As many as are asked for, or as arrays could serve; and those below one that has an array.
    let last = ports.iter().map(|p| p.master + 1).max().unwrap_or(0);
    let wanted = last.max(loads.len().min(leaders));
    match (loads[..wanted].iter().position(|l| l.1 == 0), options.managers.first()) {
        (Some(idle), Some((name, _))) => {
            let what = format!("manager {idle} has no array: `managers` leaves none for it");
            Err(Diagnostic::new("H024", what)
                .at(Place::Kernel(name.span()))
                .help("assign it one, or have fewer `masters`"))
        }
        _ => Ok(()),
    }
}

/// How often all of an array comes to the chip: one that is read tile by tile, as often as the
/// loops outside of its tiles walk these.
fn passes(lowered: &Lowered, net: &Netlist, mode: PortMode) -> u64 {
    let PortMode::Tiles { starts, .. } = mode else { return 1 };
    let Some(Node { op: Op::Tiles(u, tile, _), inputs, .. }) = reader(lowered, net, starts) else { return 1 };
    let (kernel, used) = (&lowered.kernel, &lowered.graph.uses[u.0]);
    let over = lowered.graph.stream(inputs[0]).over.iter();
    let visits = over.map(|v| kernel.var(*v).max).fold(1, u64::saturating_mul);
    let tiles = (0..=*tile).map(|l| used.size(kernel, l)).fold(1, u64::saturating_mul);
    (visits / tiles.max(1)).max(1)
}

/// What is assigned a manager that the one it follows does not have asks that manager itself.
fn follow(ports: &mut [PortPlan], assigned: &[Option<usize>]) {
    for k in 0..ports.len() {
        let source = ports[k].follows.and_then(|array| ports.iter().position(|p| p.array == array));
        if assigned[k].is_some() && source.is_some_and(|source| assigned[source] != assigned[k]) {
            ports[k].follows = None;
        }
    }
}

/// Ports of the array, or of all arrays of the tensor, of this name.
fn meant(
    lowered: &Lowered,
    net: &Netlist,
    ports: &[PortPlan],
    name: &Spanned<String>,
) -> Result<Vec<usize>, Diagnostic> {
    let array = |p: &PortPlan| &net.arrays[p.array];
    let tensor = |p: &PortPlan| lowered.kernel.tensor(lowered.graph.uses[array(p).of.0].tensor).name.as_str();
    let those =
        |holds: &dyn Fn(&PortPlan) -> bool| -> Vec<usize> { (0..ports.len()).filter(|&k| holds(&ports[k])).collect() };
    let text = name.get_ref();
    let own = those(&|p| array(p).name == *text);
    let found = if own.is_empty() { those(&|p| tensor(p) == text) } else { own };
    if !found.is_empty() {
        return Ok(found);
    }
    let here = net.arrays.iter().any(|a| a.name == *text);
    let what = if here {
        format!("`{text}` stays on the chip: no manager moves it")
    } else {
        format!("no array or tensor at the bus is called `{}`", text.escape_debug())
    };
    let mut tensors: Vec<&str> = ports.iter().map(tensor).collect();
    tensors.sort_unstable();
    tensors.dedup();
    let arrays: Vec<&str> = ports.iter().map(|p| array(p).name.as_str()).collect();
    Err(Diagnostic::new("H023", what)
        .at(Place::Kernel(name.span()))
        .help(format!("tensors: {}", tensors.join(", ")))
        .help(format!("arrays: {}", arrays.join(", "))))
}
