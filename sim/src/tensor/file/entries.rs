//! Entries as they are read, with the line each came from.

use std::path::Path;

use samhw_compiler::diag::Diagnostic;

use super::lines::{Lines, place, show, unsigned};
use crate::tensor::{Clash, Coo, codes};

/// Entries in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Entries {
    /// The tensor's modes, as modes of the file.
    modes: Vec<usize>,
    coords: Vec<u64>,
    values: Vec<u64>,
    lines: Vec<u64>,
}

impl Entries {
    /// No entries yet. `modes[m]` is the mode of the file that is the tensor's mode `m`.
    pub(super) fn new(modes: Vec<usize>) -> Self {
        Self { modes, ..Self::default() }
    }

    /// Adds an entry at `coord` (from 0, modes of the file).
    pub(super) fn push(&mut self, coord: &[u64], value: u64, line: u64) {
        self.coords.extend(self.modes.iter().map(|&m| coord[m]));
        self.values.push(value);
        self.lines.push(line);
    }

    /// Sorted, unless a coordinate stands twice.
    pub(super) fn finish(self, shape: Vec<u64>, path: &Path) -> Result<Coo, Diagnostic> {
        let lines = self.lines;
        Coo::new(shape, self.coords, self.values).map_err(|clash| match clash {
            Clash::Twice { coord, first, second } => Diagnostic::new(
                codes::DUPLICATE,
                format!("{} stands twice: in line {} and in line {}", entry_name(&coord), lines[first], lines[second]),
            )
            .at(place(path, lines[second]))
            .help("remove one of the two, or add them up: samhw does not guess which is meant"),
            Clash::Outside { .. } | Clash::Lengths => {
                Diagnostic::new(codes::COORDINATE, "the entries do not suit the tensor's shape")
                    .help("check the sizes and the coordinates of the file")
            }
        })
    }
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
            .help("correct the coordinate, or the size (in the file's header, else in the kernel file)")),
        Ok(c) => Ok(c - 1),
        Err(why) => Err(outside(format!("{why}: `{}`", show(token))).help("coordinates are whole numbers from 1")),
    }
}
