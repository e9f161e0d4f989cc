//! Entries in a file, each with its position in the file.

use std::path::Path;

use samhw_compiler::diag::{Diagnostic, Place};

use super::lines::{Lines, place, show, unsigned};
use crate::memory;
use crate::tensor::{Clash, Coo, MAX_POSITIONS, codes};

/// The unit that the places of entries are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Counting {
    /// Lines, from 1.
    #[default]
    Lines,
    /// Elements of the array `data`, from 0.
    Elements,
}

/// Entries in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Entries {
    /// The tensor's modes, as modes of the file.
    modes: Vec<usize>,
    coords: Vec<u64>,
    values: Vec<u64>,
    /// Line or element of each.
    places: Vec<u64>,
    counting: Counting,
}

impl Entries {
    /// No entries yet. `modes[m]` is the mode of the file that is the tensor's mode `m`.
    pub(super) fn new(modes: Vec<usize>) -> Self {
        Self { modes, ..Self::default() }
    }

    /// Sets the unit that the file's places are counted in.
    pub(super) fn counting(self, counting: Counting) -> Self {
        Self { counting, ..self }
    }

    /// Adds an entry at `coord` (from 0, modes of the file), which the file has at `place`.
    pub(super) fn push(&mut self, coord: &[u64], value: u64, place: u64) -> Result<(), Diagnostic> {
        if self.values.len() as u64 == MAX_POSITIONS {
            return Err(too_many());
        }
        // Before they are moved into a place of twice the size.
        let len = self.values.len();
        if len == self.values.capacity() {
            memory::fits(|| "entries that are read".into(), 2 * len as u64, memory::reading(self.modes.len()))?;
        }
        self.coords.extend(self.modes.iter().map(|&m| coord[m]));
        self.values.push(value);
        self.places.push(place);
        Ok(())
    }

    /// Sorted, unless a coordinate stands twice.
    pub(super) fn finish(self, shape: Vec<u64>, path: &Path) -> Result<Coo, Diagnostic> {
        let (places, counting) = (self.places, self.counting);
        Coo::new(shape, self.coords, self.values).map_err(|clash| match clash {
            Clash::Twice { coord, first, second } => {
                let (a, b) = (places[first], places[second]);
                let (message, at) = match counting {
                    Counting::Lines => {
                        (format!("{} occurs twice: in line {a} and in line {b}", entry_name(&coord)), place(path, b))
                    }
                    Counting::Elements => (
                        format!("entry {coord:?} occurs twice: as elements {a} and {b} of `data`"),
                        Place::File(path.into(), None),
                    ),
                };
                Diagnostic::new(codes::DUPLICATE, message)
                    .at(at)
                    .help("remove one of the two, or add them up: samhw does not guess which is meant")
                    .help("scipy adds them up: `A.sum_duplicates()` before the file is written")
            }
            Clash::Outside { .. } | Clash::Lengths => {
                Diagnostic::new(codes::COORDINATE, "the entries do not fit the tensor's shape")
                    .help("check the sizes and the coordinates of the file")
            }
        })
    }
}

/// More entries than a tensor can have.
pub(super) fn too_many() -> Diagnostic {
    Diagnostic::new(codes::TOO_LARGE, format!("more than {MAX_POSITIONS} entries, the most that a tensor can have"))
        .help("choose smaller data")
}

/// How messages call the entry at `coord` (from 0).
fn entry_name(coord: &[u64]) -> String {
    let numbers: Vec<_> = coord.iter().map(|c| (c + 1).to_string()).collect();
    if coord.is_empty() { "the scalar".into() } else { format!("entry ({})", numbers.join(", ")) }
}

/// Coordinate `token` of the current line: from 1 in the file, from 0 here, below `size`.
pub(super) fn coordinate<R: std::io::BufRead>(
    lines: &Lines<R>,
    token: &[u8],
    mode: usize,
    size: u64,
) -> Result<u64, Diagnostic> {
    let outside = |why: String| lines.error(codes::COORDINATE, format!("coordinate {} {why}", mode + 1));
    match unsigned(token) {
        Ok(0) => Err(outside("is 0, coordinates count from 1".into())
            .help("if the file counts from 0, add 1 to every coordinate")),
        Ok(c) if c > size => Err(outside(format!("is {c}, the size of mode {} is {size}", mode + 1))
            .help("correct the coordinate, or the size (in the file's header or in the kernel file)")),
        Ok(c) => Ok(c - 1),
        Err(why) => Err(outside(format!("{why}: `{}`", show(token))).help("coordinates are whole numbers from 1")),
    }
}
