//! A lowered kernel with sizes and data: the contents of an engine's memories, and the results read from them.

use crate::arrays;
use crate::fills;
use crate::joined::{Piece, join};
use crate::parts;
use crate::tensor::{Coo, LevelData, Storage, Table, bank, codes, pack, unpack};
use crate::views;
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::graph::{Graph, Slice, Use, UseId};
use samhw_compiler::levels::Part;
use samhw_compiler::lower::Lowered;
use samhw_compiler::netlist::{self, Array, InParts, Meaning, Netlist, Sizes};
use samhw_compiler::stmt::{Kernel, Statement, TensorId, VarId};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Packed operands of a lowered kernel.
#[derive(Debug, Clone, Default)]
pub struct Packed {
    /// Run-time size of the dimension of each variable.
    pub dims: Vec<u64>,
    /// Storage of each use; `None` if the hardware writes it.
    pub storages: Vec<Option<Storage>>,
    /// Hash tables, by use and level.
    pub tables: BTreeMap<(usize, usize), Table>,
}

/// Tensors that some statement writes, with that statement.
fn writer(kernel: &Kernel, t: TensorId) -> Option<usize> {
    kernel.written_before(kernel.statements.len(), t)
}

/// True if the use's arrays are filled by the host: an operand, or the old value of a result.
fn from_host(lowered: &Lowered, u: UseId) -> bool {
    let graph = &lowered.graph;
    let reader = graph.nodes.iter().find(|n| match n.op {
        samhw_compiler::graph::Op::Scan(x, _)
        | samhw_compiler::graph::Op::ScanGroup(x, _)
        | samhw_compiler::graph::Op::ScanPart(x, ..)
        | samhw_compiler::graph::Op::Array(x) => x == u,
        _ => false,
    });
    match (reader, writer(&lowered.kernel, graph.uses[u.0].tensor)) {
        (None, Some(_)) => false,
        (Some(n), Some(w)) => w >= n.stage,
        (_, None) => true,
    }
}

/// Packs every operand in the formats of its uses.
pub fn pack_operands(lowered: &Lowered, dims: &[u64], data: &BTreeMap<TensorId, Coo>) -> Result<Packed, Diagnostic> {
    if let Some(v) = lowered.nonempty.iter().find(|v| dims[v.0] == 0) {
        let name = &lowered.kernel.var(*v).name;
        let message =
            format!("dimension {name} has size 0 in this run, and no loop visits what the reduction over it makes");
        let help = format!("choose an `order` with {name} inside of the indices that the reduction keeps");
        let way = "or give the reduction a statement of its own, with a dense result";
        return Err(Diagnostic::new(codes::SHAPE, message).help(help).help(way));
    }
    let mut storages = Vec::new();
    // Lanes read banks of one packing, or runs of one array.
    let mut whole: Vec<(&Use, Storage)> = Vec::new();
    let mut arrays = BTreeMap::new();
    for (n, used) in lowered.graph.uses.iter().enumerate() {
        if !from_host(lowered, UseId(n)) {
            storages.push(None);
            continue;
        }
        if used.slices.is_empty() || used.chunk.is_some() {
            storages.push(Some(packed_whole(&lowered.kernel, used, data, &mut arrays)?));
            continue;
        }
        let at = match whole.iter().position(|(u, _)| u.packs_as(used)) {
            Some(at) => at,
            None => {
                whole.push((used, packed_whole(&lowered.kernel, used, data, &mut arrays)?));
                whole.len() - 1
            }
        };
        let level = |slice: &Slice| used.mode_order.iter().position(|m| *m == slice.mode);
        let cut = used.slices.iter().filter_map(|slice| Some((slice, level(slice)?)));
        let part = cut.fold(Cow::Borrowed(&whole[at].1), |part, (slice, level)| Cow::Owned(bank(&part, level, slice)));
        storages.push(Some(part.into_owned()));
    }
    let tables = arrays::tables(lowered, &storages);
    Ok(Packed { dims: dims.to_vec(), storages, tables })
}

/// The operand that a use reads, packed the way it reads it, all lanes together. `arrays` keeps what
/// tensors hold of which uses read runs.
fn packed_whole(
    kernel: &Kernel,
    used: &Use,
    data: &BTreeMap<TensorId, Coo>,
    arrays: &mut BTreeMap<TensorId, Coo>,
) -> Result<Storage, Diagnostic> {
    let base = kernel.base(used.tensor);
    let tensor = kernel.tensor(base);
    let fill = tensor.fill.unwrap_or(0);
    let Some(coo) = data.get(&base) else {
        return Err(Diagnostic::new(codes::OPEN, format!("no data for tensor {}", tensor.name))
            .help(format!("give a file with --tensor {}=FILE, or an entry under [data]", tensor.name)));
    };
    let declared = || pack(coo, &tensor.levels, &tensor.mode_order, fill);
    // Another packing holds what the declared one stores, dense levels' fills included, as far as a view shows it.
    let seen = || {
        let full = unpack(&declared()?, &tensor.mode_order)?;
        Ok::<Coo, Diagnostic>(match &kernel.tensor(used.tensor).view {
            Some(view) => views::seen(view, &full),
            None => full,
        })
    };
    if let Some(chunk) = used.chunk {
        let held = match arrays.entry(used.tensor) {
            Entry::Occupied(held) => held.into_mut(),
            Entry::Vacant(none) => none.insert(seen()?),
        };
        let part = parts::run(held, &used.mode_order, &chunk)?;
        return pack(&part, &used.levels, &used.mode_order, fill);
    }
    if !used.repacked {
        return declared();
    }
    pack(&seen()?, &used.levels, &used.mode_order, fill)
}

/// Number of positions per level of a storage.
fn positions(storage: &Storage) -> Vec<u64> {
    let mut above = 1;
    storage
        .levels
        .iter()
        .map(|l| {
            above = l.positions(above).unwrap_or(u64::MAX);
            above
        })
        .collect()
}

/// Returns the smallest sizes for these operands, and for results with `stored` entries per tensor, as counted by the
/// reference executor.
pub fn measured(lowered: &Lowered, packed: &Packed, stored: &BTreeMap<TensorId, Coo>) -> Result<Sizes, Diagnostic> {
    let mut stored_of: Vec<Cow<'_, Storage>> = Vec::new();
    for (used, storage) in lowered.graph.uses.iter().zip(&packed.storages) {
        stored_of.push(match storage {
            Some(s) => Cow::Borrowed(s),
            None => {
                let Some(coo) = stored.get(&used.tensor) else {
                    return Err(Diagnostic::new(codes::OPEN, format!("no reference for {}", used.name)));
                };
                let part =
                    used.slices.iter().fold(Cow::Borrowed(coo), |part, slice| Cow::Owned(parts::sliced(&part, slice)));
                Cow::Owned(pack(&part, &used.levels, &used.mode_order, 0)?)
            }
        });
    }
    let runs = |s: &Storage| s.levels.iter().map(LevelData::runs).collect();
    let mut sizes = Sizes {
        positions: stored_of.iter().map(|s| positions(s)).collect(),
        runs: stored_of.iter().map(|s| runs(s)).collect(),
    };
    for (&(u, l), table) in &packed.tables {
        sizes.runs[u][l] = table.last + 1;
    }
    for (u, used) in lowered.graph.uses.iter().enumerate() {
        // Copies of a writer cut the runs that the whole has; sums that round may cut runs of one value.
        let written = packed.storages[u].is_none();
        let of_it =
            lowered.graph.uses.iter().zip(&packed.storages).filter(|(w, s)| w.tensor == used.tensor && s.is_none());
        let tensor = lowered.kernel.tensor(used.tensor);
        // What a pruned sum that rounds leaves out, none can say before: it cuts runs, too.
        let cut = of_it.count() > 1 || tensor.prune && tensor.ty.is_float();
        let entries = stored.get(&used.tensor).map_or(0, |coo| coo.len() as u64);
        for (l, kind) in
            used.levels.iter().enumerate().filter(|(_, k)| written && (cut && k.in_runs() || k.shares_positions()))
        {
            sizes.runs[u][l] = entries;
            if kind.shares_positions() {
                sizes.positions[u][l] = entries;
            }
        }
    }
    Ok(sizes)
}

/// Returns the values of the netlist's run-time inputs.
pub fn config(lowered: &Lowered, net: &Netlist, packed: &Packed) -> Vec<u64> {
    let dim = |v: &VarId| packed.dims[v.0];
    let fills = fills::of_results(&lowered.kernel, &packed.dims);
    net.config
        .iter()
        .map(|c| match &c.meaning {
            Meaning::Dim(v) => dim(v),
            Meaning::Chunk(vs) => vs.iter().map(dim).fold(1, u64::saturating_mul),
            Meaning::Words(vs, v, width) => {
                vs.iter().map(dim).fold(netlist::bits::words(dim(v), *width), u64::saturating_mul)
            }
            Meaning::Capacity(_, _, words) => *words,
            Meaning::Setting(u, l, setting) => packed.tables.get(&(u.0, *l)).map_or(0, |t| t.setting(*setting)),
            Meaning::Fill(s) => fills[*s],
        })
        .collect()
}

/// Words that a scanner that reads several at a time may get with the last coordinate.
const BEYOND: u64 = 7;

/// Returns the contents of an operand's array. After coordinates come zeros where there is room: a scanner that reads
/// several gets them with the last one and ignores them, and all engines shall see the same.
pub fn array_words<'a>(array: &Array, packed: &'a Packed) -> Option<Cow<'a, [u64]>> {
    let table = array.part.level().and_then(|l| packed.tables.get(&(array.of.0, l)));
    let words = arrays::words(array, packed.storages[array.of.0].as_ref()?, table)?;
    let room = array.words.saturating_sub(words.len() as u64).min(BEYOND) as usize;
    let reads_on = matches!(array.part, Part::Crd(_)) && room > 0;
    Some(if reads_on { words.iter().copied().chain(std::iter::repeat_n(0, room)).collect() } else { words })
}

/// Describes in sentences the parts of tensors that the host packs because the hardware cannot read them in place.
pub fn packed_views(lowered: &Lowered, packed: &Packed, net: &Netlist) -> Vec<String> {
    let sentence = |(n, used): (usize, &samhw_compiler::graph::Use)| {
        let storage = packed.storages[n].as_ref().filter(|_| used.repacked)?;
        lowered.kernel.tensor(used.tensor).view.as_ref()?;
        let arrays = net.arrays.iter().filter(|array| array.of == UseId(n));
        let table = |array: &Array| array.part.level().and_then(|l| packed.tables.get(&(n, l)));
        let words: usize = arrays.filter_map(|a| arrays::words(a, storage, table(a))).map(|words| words.len()).sum();
        Some(format!("the host packs what is read of {}: {words} words", used.name))
    };
    lowered.graph.uses.iter().enumerate().filter_map(sentence).collect()
}

/// Returns the words that are written into each array of a result, by the array's number. `words(array)` gives what is
/// in one.
pub fn written(
    lowered: &Lowered,
    dims_of: &[u64],
    net: &Netlist,
    mut words: impl FnMut(&Array) -> Vec<u64>,
) -> Result<BTreeMap<usize, Vec<u64>>, Diagnostic> {
    let mut out = BTreeMap::new();
    for u in (0..lowered.graph.uses.len()).map(UseId) {
        let arrays: Vec<usize> =
            (0..net.arrays.len()).filter(|&k| net.arrays[k].of == u && net.arrays[k].host_reads).collect();
        if arrays.is_empty() {
            continue;
        }
        let storage = result_storage(&lowered.graph, u, &lowered.kernel, dims_of, net, &mut words)?;
        out.extend(
            arrays
                .into_iter()
                .filter_map(|k| arrays::words(&net.arrays[k], &storage, None).map(|words| (k, words.into_owned()))),
        );
    }
    Ok(out)
}

/// Returns the coordinates of the values of a part of a result in the lowered kernel, by their place
/// in the array of values.
pub fn value_coordinates(
    lowered: &Lowered,
    u: UseId,
    dims_of: &[u64],
    net: &Netlist,
    words: impl FnMut(&Array) -> Vec<u64>,
) -> Result<Vec<(Vec<u64>, usize)>, Diagnostic> {
    let used = &lowered.graph.uses[u.0];
    let part = places(result_storage(&lowered.graph, u, &lowered.kernel, dims_of, net, words)?, &used.mode_order)?;
    let whole = used.slices.iter().fold(part, |part, slice| parts::spread(&part, slice, dims_of));
    Ok(listed(&whole))
}

/// The coordinates of the values of a storage, each with its place in the array of values.
fn places(mut storage: Storage, mode_order: &[usize]) -> Result<Coo, Diagnostic> {
    storage.values = (0..storage.values.len() as u64).collect();
    unpack(&storage, mode_order)
}

fn listed(places: &Coo) -> Vec<(Vec<u64>, usize)> {
    places.iter().map(|(coord, place)| (coord.to_vec(), place as usize)).collect()
}

/// A result in parts as one.
pub struct Whole {
    /// All of it, in the format that it has without copies and lanes.
    pub storage: Storage,
    /// Coordinates of the values, by their place in the array of values.
    pub coordinates: Vec<(Vec<u64>, usize)>,
}

/// Joins the parts of a result; `fill` is what no part has, `words(array)` gives what is in an array.
pub fn whole(
    lowered: &Lowered,
    result: &InParts,
    dims_of: &[u64],
    net: &Netlist,
    fill: u64,
    mut words: impl FnMut(&Array) -> Vec<u64>,
) -> Result<Whole, Diagnostic> {
    let piece = |&u: &UseId| {
        let used = &lowered.graph.uses[u.0];
        let storage = result_storage(&lowered.graph, u, &lowered.kernel, dims_of, net, &mut words)?;
        // What is wrong in the arrays is found here.
        unpack(&storage, &used.mode_order)?;
        let at = used.mode_order.iter().map(|&m| used.slice_of(m).map_or((0, 1), |s| (s.lane, s.lanes)));
        Ok::<Piece, Diagnostic>(Piece { storage, at: at.collect() })
    };
    let pieces = result.parts.iter().map(piece).collect::<Result<Vec<_>, _>>()?;
    let shape = result.vars.iter().map(|v| dims_of[v.0]).collect();
    let storage = join(&result.name, &result.levels, shape, &pieces, fill)?;
    let coordinates = listed(&places(storage.clone(), &result.mode_order)?);
    Ok(Whole { storage, coordinates })
}

/// Decodes a result from its arrays. `words(array)` gives the words of one.
pub fn unpack_result(
    graph: &Graph,
    u: UseId,
    kernel: &Kernel,
    dims_of: &[u64],
    net: &Netlist,
    words: impl FnMut(&Array) -> Vec<u64>,
) -> Result<Coo, Diagnostic> {
    let used = &graph.uses[u.0];
    let part = unpack(&result_storage(graph, u, kernel, dims_of, net, words)?, &used.mode_order)?;
    Ok(used.slices.iter().fold(part, |part, slice| parts::spread(&part, slice, dims_of)))
}

/// Size of each level of a result's packing.
pub fn result_shape(used: &Use, kernel: &Kernel, dims_of: &[u64]) -> Vec<u64> {
    let size = |s: &Statement, m: usize| match used.slice_of(m) {
        Some(slice) => dims_of[slice.var.0],
        None => dims_of[s.indices[m].0],
    };
    let statement = kernel.statements.iter().find(|s| s.result == used.tensor);
    statement.map_or_else(Vec::new, |s| used.mode_order.iter().map(|&m| size(s, m)).collect())
}

/// A result as its arrays hold it.
fn result_storage(
    graph: &Graph,
    u: UseId,
    kernel: &Kernel,
    dims_of: &[u64],
    net: &Netlist,
    mut words: impl FnMut(&Array) -> Vec<u64>,
) -> Result<Storage, Diagnostic> {
    let used = &graph.uses[u.0];
    let shape = result_shape(used, kernel, dims_of);
    let mut array = |part: Part| {
        net.arrays.iter().find(|a| a.of == u && a.part == part && a.host_reads).map(&mut words).unwrap_or_default()
    };
    let mut above = 1u64;
    let mut levels = Vec::new();
    for (l, kind) in used.levels.iter().enumerate() {
        let mut cut = |part, n: u64| {
            let mut w = array(part);
            w.truncate(usize::try_from(n).unwrap_or(usize::MAX));
            w
        };
        // Coordinates of runs have the bits that the array of their words says.
        let crd_w = net.arrays.iter().find_map(|a| match a.part {
            Part::Runs(m, crd_w) if m == l && a.of == u && a.host_reads => Some(crd_w),
            _ => None,
        });
        let data = arrays::level(*kind, (l, crd_w.unwrap_or(1)), (above, shape[l]), &mut cut)?;
        above = data.positions(above).unwrap_or(0);
        levels.push(data);
    }
    let mut values = array(Part::Values);
    values.truncate(usize::try_from(above).unwrap_or(usize::MAX));
    Ok(Storage { shape, levels, values })
}
