//! FIFOs around serializers: a copy continues with further items out of turn while there is room for its results, the
//! turns, and the streams that bypass the copies. docs/decisions/0054-turns.md.

use super::reach;
use crate::netlist::{CellId, Ends, Netlist};
use crate::stmt::{Kernel, VarId};
use samhw_streams::Class;
use std::collections::{HashMap, HashSet};

/// Items that a copy can have made while it is not its turn: one that waits, one that comes.
const ITEMS: u32 = 2;
/// Beats that there is room for at least, since items differ: what a block RAM of 36 bits takes without more cost than one of 16.
const LEAST: u32 = 64;
/// Most beats.
const MOST: u32 = 1024;

/// Channels that are to hold what waits for its turn, with the depth and the reason.
pub(super) fn turns(net: &Netlist, ends: &Ends, kernel: &Kernel) -> HashMap<usize, (u32, String)> {
    let list = |over: &[VarId]| over.iter().map(|v| kernel.var(*v).max).fold(1u64, u64::saturating_mul);
    let mut out: HashMap<usize, (u32, String)> = HashMap::new();
    let mut want = |k: usize, beats: u64, why: &str| {
        let beats = beats.min(u64::from(MOST)) as u32;
        let entry = out.entry(k).or_insert((0, why.to_owned()));
        entry.0 = entry.0.max(beats);
    };
    let serializes = |c: CellId| matches!(net.cell(c).primitive.class(), Class::Serializer { .. });
    let after = behind(net, ends, serializes);
    for c in (0..net.cells.len()).map(CellId) {
        let Class::Serializer { copies, height } = net.cell(c).primitive.class() else { continue };
        let inputs: Vec<usize> =
            (0..net.channels.len()).filter(|&k| net.channels[k].to.is_some_and(|(t, _)| t == c)).collect();
        let (mut items, mut turn) = (1, None);
        for k in inputs {
            let channel = &net.channels[k];
            match channel.to.map_or(0, |(_, port)| port) {
                0 => turn = Some(k),
                port => {
                    let inner = channel.over.len().saturating_sub(height as usize);
                    let item = list(&channel.over[inner..]).max(1);
                    let beats = item.saturating_mul(u64::from(ITEMS)).max(u64::from(LEAST));
                    items = items.max(beats / item);
                    want(k, beats, &format!("elastic: copy {} makes further items while it is not its turn", port - 1));
                }
            }
        }
        // In the copies themselves is one more of each, and the one that is dealt.
        let waiting = (items + 2).saturating_mul(u64::from(copies));
        let why = format!("elastic: the items of {copies} copies that wait for their turn");
        let Some((turn, v)) = turn.and_then(|k| Some((k, net.channels[k].over.last()?))) else { continue };
        want(turn, waiting, &why);
        let mine = behind(net, ends, |s| s == c);
        // What comes out of other serializers does not go past the copies.
        for (k, channel) in net.channels.iter().enumerate().filter(|(k, _)| !after.contains(k)) {
            let met = |b: &usize| net.channels[*b].to.zip(channel.to).is_some_and(|((a, _), (b, _))| a == b);
            if let Some(at) = channel.over.iter().rposition(|w| w == v)
                && mine.iter().any(met)
            {
                want(k, waiting.saturating_mul(list(&channel.over[at + 1..])), &why);
            }
        }
    }
    out
}

/// Channels that what these cells put out leads to.
fn behind(net: &Netlist, ends: &Ends, cells: impl Fn(CellId) -> bool) -> HashSet<usize> {
    let from = |k: &usize| net.channels[*k].from.is_some_and(|(f, _)| cells(f));
    (0..net.channels.len()).filter(from).flat_map(|k| reach(net, ends, k)).collect()
}
