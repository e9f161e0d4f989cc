//! Prefetch of tiles: where the outer levels of an operand are tiles of split indices, each visited position is
//! announced to the memory behind the bus, with the ranges of its words in the arrays below. After: the same graph with
//! readers of `Tiles` arrays, whose output nobody reads. What is told changes no result, only what is on the chip in
//! time.
//!
//! "The Sparse Abstract Machine", sections 4.1 and 6.4: the loops over tiles are the sequencing graph; their joins leave out
//! tiles that meet nothing.

use crate::frontend::AxiOptions;
use crate::graph::{Access, Graph, How, Leaves, Node, Op, Payload, StreamId, UseId};
use crate::levels::LevelKind;
use crate::lower::Lowered;
use crate::passes::split::SplitIndex;
use crate::stmt::{TensorId, VarId};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// Bits of a coordinate or a segment in memory.
const WORD_BITS: u32 = 32;

/// The memory on the chip for tiles, and what is known of their size.
pub struct Room<'a> {
    /// Options of the bus.
    pub axi: &'a AxiOptions,
    /// Number of stored values by tensor, where it is known.
    pub stored: HashMap<TensorId, u64>,
}

/// Adds the readers for every operand whose outermost levels are tiles of `split` indices and whose
/// inner levels have arrays that are not read in order. Of tiles in tiles those are fetched that
/// are the largest for which there is room, or the smallest.
pub fn apply(lowered: &mut Lowered, split: &[SplitIndex], room: &Room<'_>) {
    for u in (0..lowered.graph.uses.len()).map(UseId) {
        let graph = &lowered.graph;
        // Lanes that look up in one tile are told of it together.
        let told = |&tiles: &usize| {
            let visits: BTreeSet<StreamId> = reads(graph, u, tiles).map(|s| visited(graph, s)).collect();
            visits.len() == 1
        };
        let choices: Vec<usize> = depths(lowered, u, split).into_iter().filter(told).collect();
        let fitting = choices.iter().copied().find(|&tiles| room.holds(lowered, u, tiles));
        let Some(tiles) = fitting.or(choices.last().copied()) else { continue };
        let Some(stream) = reads(graph, u, tiles).map(|s| visited(graph, s)).min() else { continue };
        let levels = graph.uses[u.0].levels.len();
        let told: Vec<usize> = (tiles - 1..levels).filter(|&l| needed(graph, u, tiles, l)).collect();
        let (name, over) = (graph.uses[u.0].name.clone(), graph.stream(stream).over.clone());
        let stage = graph.node(graph.stream(stream).from.0).stage;
        if let ([largest, _, ..], false) = (&choices[..], told.is_empty()) {
            let why = match tiles == *largest {
                true => "the largest for which there is room",
                false => "there may be no room for larger ones",
            };
            let smallest = variable(lowered, u, tiles - 1).map(|v| lowered.kernel.var(v).name.clone());
            let smallest = smallest.unwrap_or_default();
            lowered.notes.push(format!("the tiles of {name} that are fetched are those down to {smallest}: {why}"));
        }
        for l in told {
            let out = Leaves::absent(Payload::Range(u, l), over.clone());
            lowered.graph.add(format!("tiles_{name}_{l}"), Op::Tiles(u, tiles - 1, l), vec![stream], vec![out], stage);
        }
    }
}

/// How many levels of an operand can be tiles that are fetched, largest tiles first.
fn depths(lowered: &Lowered, u: UseId, split: &[SplitIndex]) -> Vec<usize> {
    let levels = lowered.graph.uses[u.0].levels.len();
    let variables: Vec<Option<VarId>> = (0..levels).map(|l| variable(lowered, u, l)).collect();
    let most = split.iter().map(|index| index.sizes.len()).max().unwrap_or(0);
    let mut out = Vec::new();
    for deep in 1..=most {
        let tile = |v: VarId| split.iter().any(|index| index.tiles().iter().take(deep).any(|tile| *tile == v));
        let tiles = variables.iter().take_while(|v| v.is_some_and(tile)).count();
        if tiles > 0 && tiles < levels && !out.contains(&tiles) {
            out.push(tiles);
        }
    }
    out
}

impl Room<'_> {
    /// Whether there is room for two tiles of the mean size, the one in use and the next, of each
    /// array below the outer `tiles` levels. Without a number of stored values a tile may be full.
    fn holds(&self, lowered: &Lowered, u: UseId, tiles: usize) -> bool {
        let (kernel, used) = (&lowered.kernel, &lowered.graph.uses[u.0]);
        let count = |levels: Range<usize>| levels.map(|l| used.size(kernel, l)).fold(1, u64::saturating_mul);
        let inside = tiles..used.levels.len();
        let dense = used.levels[inside.clone()].iter().all(|level| level.is_dense());
        let tensor = kernel.tensor(used.tensor);
        let stored = self.stored.get(&used.tensor).copied().or(tensor.nnz).filter(|_| !dense);
        let mean = stored.map_or(u64::MAX, |stored| stored.div_ceil(count(0..tiles).max(1)));
        let words = count(inside).min(mean);
        let bytes = u64::from(tensor.ty.bits().max(WORD_BITS) / 8);
        // What lies dense has room for two tiles, if they are not larger than what is copied as a whole.
        let most = if dense { self.axi.tile.max(self.axi.on_chip) } else { self.axi.tile };
        words.saturating_mul(2 * bytes) <= most
    }
}

/// Whether an array below the tiles is read at positions of level `l`, and not in order.
fn needed(graph: &Graph, u: UseId, tiles: usize, l: usize) -> bool {
    let levels = &graph.uses[u.0].levels;
    let stored = |k: &LevelKind| !k.is_dense() && k.words().is_none() && !k.in_runs();
    let fibers = |k: &LevelKind| !k.is_dense() && !k.is_singleton();
    let jumps = |l: usize| reads(graph, u, l).any(|s| !graph.ascends(s));
    let own = l >= tiles && stored(&levels[l]) && jumps(l);
    let below = levels.get(l + 1).map_or(jumps(l + 1), |k| fibers(k) && jumps(l + 1));
    own || below
}

/// The index of level `l` of an operand from outside.
fn variable(lowered: &Lowered, u: UseId, l: usize) -> Option<VarId> {
    let (kernel, used) = (&lowered.kernel, &lowered.graph.uses[u.0]);
    if kernel.statements.iter().any(|s| s.result == used.tensor) || kernel.carried(used.tensor).is_some() {
        return None;
    }
    let mut accesses = kernel.statements.iter().flat_map(|s| kernel.accesses(s.value));
    let (_, indices) = accesses.find(|(t, _)| *t == used.tensor)?;
    // What is packed as a view has the view's modes.
    indices.get(used.mode_order[l]).copied()
}

/// The references at which each node reads level `l`, or the values below all levels.
fn reads(graph: &Graph, u: UseId, l: usize) -> impl Iterator<Item = StreamId> + '_ {
    let level = move |access: Access| access.level.unwrap_or(graph.uses[u.0].levels.len());
    let of = move |node: &Node| {
        let access = node.op.access().filter(|access| (access.of, level(*access)) == (u, l))?;
        match access.how {
            How::Scan | How::Read => Some(node.inputs[0]),
            How::Locate if matches!(node.op, Op::Locate(..)) => Some(node.inputs[1]),
            How::Locate | How::Fetch | How::Pack | How::Write => None,
        }
    };
    graph.nodes.iter().filter_map(of)
}

/// The same references, each once where one is repeated.
fn visited(graph: &Graph, mut stream: StreamId) -> StreamId {
    while let Op::Repeat = graph.node(graph.stream(stream).from.0).op {
        stream = graph.node(graph.stream(stream).from.0).inputs[0];
    }
    stream
}
