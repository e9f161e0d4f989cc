//! Conversion between levels and the arrays that store them.

use crate::tensor::{LevelData, Runs, Storage, Table};
use crate::words;
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::graph::UseId;
use samhw_compiler::levels::{LevelKind, Lookup, Part, StoredAs};
use samhw_compiler::lower::Lowered;
use samhw_compiler::netlist::{self, Array, bits};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Returns the words of one array of a packed tensor; `table` holds the level's table, if it is looked up in one.
pub fn words<'a>(array: &Array, storage: &'a Storage, table: Option<&Table>) -> Option<Cow<'a, [u64]>> {
    match array.part {
        Part::Way(_, way, key) => {
            let key_w = key.crd_w + key.parent_w;
            table.map(|table| Cow::from(table.words(way, key_w, array.width.saturating_sub(key_w + 1))))
        }
        part => of_part(part, storage),
    }
}

/// Returns the words of an array of a packed tensor, if they are those of the packing alone.
pub fn of_part(part: Part, storage: &Storage) -> Option<Cow<'_, [u64]>> {
    match part {
        Part::Values => Some(Cow::from(&storage.values)),
        Part::Tiles(tile, l) => Some(Cow::from(storage.starts(tile, l))),
        Part::Bits(l, width) => words::packed(storage, l, width).map(|p| Cow::from(p.words)),
        Part::Rank(l, width) => words::packed(storage, l, width).map(|p| Cow::from(p.ranks)),
        Part::Runs(l, crd_w) => match &storage.levels[l] {
            LevelData::Runs(runs) => Some(Cow::from(runs.packed(crd_w))),
            _ => None,
        },
        // Tables are made of a packing, and only the core has lists in the order of writing.
        Part::Way(..) | Part::Ends(_) | Part::Next(_) => None,
        Part::Seg(l) | Part::Crd(l) => match (&storage.levels[l], part) {
            (LevelData::Runs(runs), Part::Seg(_)) => Some(Cow::from(&runs.seg)),
            (LevelData::Compressed { seg, .. } | LevelData::CompressedNu { seg, .. }, Part::Seg(_)) => {
                Some(Cow::from(seg))
            }
            (
                LevelData::Compressed { crd, .. } | LevelData::CompressedNu { crd, .. } | LevelData::Singleton { crd },
                Part::Crd(_),
            ) => Some(Cow::from(crd)),
            _ => None,
        },
    }
}

/// Builds the hash tables of packed operands, by use and level.
pub fn tables(lowered: &Lowered, storages: &[Option<Storage>]) -> BTreeMap<(usize, usize), Table> {
    let mut out = BTreeMap::new();
    for (u, storage) in storages.iter().enumerate() {
        let kinds = lowered.graph.uses[u].levels.iter().enumerate();
        for (l, _) in kinds.filter(|(_, kind)| kind.lookup() == Some(Lookup::Table)) {
            if let Some(LevelData::Compressed { seg, crd }) = storage.as_ref().map(|s| &s.levels[l]) {
                out.insert((u, l), Table::of(seg, crd, netlist::level_crd_w(lowered, UseId(u), l)));
            }
        }
    }
    out
}

/// Decodes level `l` of this kind, with coordinates of `crd_w` bits, from arrays that the hardware wrote, below `above`
/// positions and for a mode of size `dim`. `read` gives the first words of an array.
///
/// # Errors
///
/// Words that make no level.
pub fn level(
    kind: LevelKind,
    (l, crd_w): (usize, u32),
    (above, dim): (u64, u64),
    read: &mut dyn FnMut(Part, u64) -> Vec<u64>,
) -> Result<LevelData, Diagnostic> {
    if let Some(width) = kind.words() {
        let n = above.saturating_mul(bits::words(dim, width));
        let [bits, ranks] = Part::words(l, width);
        let words = read(bits, n.saturating_mul(words::parts(width)));
        return words::unpacked(above, &words::PackedWords { words, ranks: read(ranks, n) }, dim, width);
    }
    let mut fibers = |entries: Part| {
        let seg = read(Part::Seg(l), above + 1);
        let entries = read(entries, seg.last().copied().unwrap_or(0));
        (seg, entries)
    };
    Ok(match kind.stored_as() {
        StoredAs::Dense => LevelData::Dense { dim },
        StoredAs::Single => LevelData::Singleton { crd: read(Part::Crd(l), above) },
        StoredAs::Runs => {
            let (seg, words) = fibers(Part::Runs(l, crd_w));
            LevelData::Runs(Runs::unpacked(seg, &words, crd_w, kind.shares_positions())?)
        }
        StoredAs::Lists => {
            let (seg, crd) = fibers(Part::Crd(l));
            LevelData::Compressed { seg, crd }
        }
        StoredAs::Chain => {
            let (seg, crd) = fibers(Part::Crd(l));
            LevelData::CompressedNu { seg, crd }
        }
    })
}
