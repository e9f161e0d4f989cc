//! Sparse matrices in scipy's archives: `scipy.sparse.save_npz` of csr, csc, bsr, coo and dia. An archive of one array
//! is that array.

use std::io::{Read, Seek};
use std::path::Path;

use samhw_compiler::diag::Diagnostic;

use super::convert::Converter;
use super::dense::Dense;
use super::entries::{Counting, Entries};
use super::npy::{self, BY_SCIPY, Element};
use super::npz::Archive;
use crate::tensor::target::times;
use crate::tensor::{Loaded, Target, codes};

/// Reads an archive that unpacks to `most` bytes at most.
pub(super) fn read(
    input: impl Read + Seek,
    path: &Path,
    values: Converter,
    target: &Target,
    most: u64,
) -> Result<Loaded, Diagnostic> {
    let mut archive = Archive::open(input, most)?;
    if !archive.has("format") {
        let names = archive.names();
        if let [only] = names.as_slice() {
            return archive.array(only, |array| npy::entries(array, path, values, target));
        }
        let message = format!("an archive of {} arrays, of which none says the `format` of a matrix", names.len());
        return Err(Diagnostic::new(codes::UNSUPPORTED, message)
            .help(BY_SCIPY)
            .help("or save one array alone: `numpy.save(\"A.npy\", array)`"));
    }
    let format = archive.array("format", |array| array.text())?;
    let shape = shape(&mut archive)?;
    let modes = target.modes(&shape)?;
    let sizes = modes.iter().map(|&m| shape[m]).collect();
    let mut read = Reading {
        archive,
        entries: Entries::new(modes).counting(Counting::Elements),
        values,
        dense: Dense::new(target),
        shape,
    };
    match (format.as_str(), read.shape.len()) {
        ("csr", 1 | 2) => read.compressed(read.shape.len() - 1)?,
        ("csc", 2) => read.compressed(0)?,
        ("bsr", 2) => read.blocks()?,
        ("coo", _) => read.coordinates()?,
        ("dia", 2) => read.diagonals()?,
        (format, order) => {
            let message = format!("scipy's format `{format}` of order {order} is not supported");
            return Err(Diagnostic::new(codes::UNSUPPORTED, message).help("save `A.tocsr()`"));
        }
    }
    Ok(Loaded { coo: read.entries.finish(sizes, path)?, sized: true })
}

/// The sizes of the matrix of an archive.
pub(super) fn shape<R: Read + Seek>(archive: &mut Archive<R>) -> Result<Vec<u64>, Diagnostic> {
    let shape = whole(archive, "shape")?;
    Ok(shape.into_iter().map(|size| u64::try_from(size).unwrap_or(u64::MAX)).collect())
}

/// A matrix of the archive on its way to entries.
struct Reading<R> {
    archive: Archive<R>,
    entries: Entries,
    values: Converter,
    dense: Dense,
    shape: Vec<u64>,
}

impl<R: Read + Seek> Reading<R> {
    /// Rows (`minor` is the last mode) or columns, one after the other: those of entry n of `data`
    /// are `indices[n]`, and those of row r are from `indptr[r]` up to `indptr[r + 1]`.
    fn compressed(&mut self, minor: usize) -> Result<(), Diagnostic> {
        let order = self.shape.len();
        let major = if order == 2 { self.shape[1 - minor] } else { 1 };
        let indices = self.coordinates_in("indices", minor, self.shape[minor])?;
        let majors = self.majors(major, indices.len())?;
        let at = |n: usize| match (order, minor) {
            (1, _) => vec![indices[n]],
            (_, 0) => vec![indices[n], majors[n]],
            _ => vec![majors[n], indices[n]],
        };
        self.stored(majors.len(), at)
    }

    /// Coordinates of every mode: `row` and `col`, or `coords` with a row for each mode.
    fn coordinates(&mut self) -> Result<(), Diagnostic> {
        let order = self.shape.len();
        let mut coords = vec![Vec::new(); order];
        if self.archive.has("coords") {
            let raw = self.archive.array("coords", |array| {
                let [modes, count] = *array.shape() else { return Err(lengths("it is not of order 2")) };
                if modes != order as u64 {
                    return Err(lengths(&format!("it has {modes} rows, the matrix is of order {order}")));
                }
                npy::length(count)?;
                // Each row from its beginning, in both orders that an array may have.
                let mut raw = vec![Vec::new(); order];
                array.each(|coord, element| {
                    raw[coord[0] as usize].push(npy::whole(&element)?);
                    Ok(())
                })?;
                Ok(raw)
            })?;
            for (mode, raw) in raw.iter().enumerate() {
                coords[mode] = inside(raw, "coords", mode, self.shape[mode])?;
            }
        } else {
            for (mode, name) in ["row", "col"].into_iter().enumerate().take(order) {
                let raw = whole(&mut self.archive, name)?;
                coords[mode] = inside(&raw, name, mode, self.shape[mode])?;
            }
        }
        let count = coords.first().map_or(0, Vec::len);
        if coords.iter().any(|mode| mode.len() != count) {
            return Err(lengths("the modes have different numbers of coordinates"));
        }
        self.stored(count, |n| coords.iter().map(|mode| mode[n]).collect())
    }

    /// Blocks, each dense, of a matrix of blocks that is compressed by rows.
    fn blocks(&mut self) -> Result<(), Diagnostic> {
        let size = self.archive.array("data", |array| match *array.shape() {
            [_, rows, columns] if rows > 0 && columns > 0 => Ok([rows, columns]),
            ref other => Err(lengths(&format!("it is {}, not blocks of a size", times(other)))),
        })?;
        if (0..2).any(|m| !self.shape[m].is_multiple_of(size[m])) {
            return Err(lengths(&format!("blocks of {} in a matrix of {}", times(&size), times(&self.shape))));
        }
        let columns = self.coordinates_in("indices", 1, self.shape[1] / size[1])?;
        let rows = self.majors(self.shape[0] / size[0], columns.len())?;
        let at = |coord: &[u64]| {
            let block = coord[0] as usize;
            Some([rows[block] * size[0] + coord[1], columns[block] * size[1] + coord[2]])
        };
        self.dense((rows.len(), 3), at)
    }

    /// Diagonals: column j of row k of `data` is the entry in column j of the diagonal `offsets[k]`
    /// above the main one.
    fn diagonals(&mut self) -> Result<(), Diagnostic> {
        let offsets = whole(&mut self.archive, "offsets")?;
        let [rows, columns] = [self.shape[0], self.shape[1]];
        let at = |coord: &[u64]| {
            let row = u64::try_from(i64::try_from(coord[1]).ok()?.checked_sub(offsets[coord[0] as usize])?).ok()?;
            (row < rows && coord[1] < columns).then_some([row, coord[1]])
        };
        self.dense((offsets.len(), 2), at)
    }

    /// Reads `data`, whose element n is an entry at `at(n)`, zeros too.
    fn stored(&mut self, count: usize, at: impl Fn(usize) -> Vec<u64>) -> Result<(), Diagnostic> {
        let Self { archive, entries, values, .. } = self;
        archive.array("data", |array| {
            if array.shape() != [count as u64] {
                return Err(lengths(&format!("it has shape {}, there are {count} coordinates", times(array.shape()))));
            }
            array.each(|coord, element| {
                let at = at(coord[0] as usize);
                let raw = values.raw(element.number(), || text(&element, &at))?;
                entries.push(&at, raw, coord[0])
            })
        })
    }

    /// Reads `data`, an array of this order of `count` parts that are dense: the element at a
    /// coordinate is at `at` of it in the matrix.
    fn dense(
        &mut self,
        (count, order): (usize, usize),
        at: impl Fn(&[u64]) -> Option<[u64; 2]>,
    ) -> Result<(), Diagnostic> {
        let Self { archive, entries, values, dense, .. } = self;
        let mut place = 0;
        archive.array("data", |array| {
            if array.shape().len() != order || array.shape()[0] != count as u64 {
                return Err(lengths(&format!("it has shape {}, there are {count} parts", times(array.shape()))));
            }
            array.each(|coord, element| {
                place += 1;
                let Some(at) = at(coord) else { return Ok(()) };
                let raw = values.dense(element.number(), || text(&element, &at))?;
                dense.push(entries, &at, raw, place - 1)
            })
        })
    }

    /// The row of each of `entries` entries, as `indptr` says; there are `count` rows.
    fn majors(&mut self, count: u64, entries: usize) -> Result<Vec<u64>, Diagnostic> {
        let pointers = whole(&mut self.archive, "indptr")?;
        if pointers.len() as u64 != count + 1 {
            return Err(lengths(&format!("`indptr` has {} elements, not {}", pointers.len(), count + 1)));
        }
        if pointers[0] != 0 || !pointers.is_sorted() {
            return Err(lengths("`indptr` does not begin at 0, or decreases"));
        }
        let last = pointers[pointers.len() - 1];
        if last != entries as i64 {
            return Err(lengths(&format!("`indptr` ends at {last}, `indices` has {entries} elements"))
                .help("if an array has more elements than the matrix needs: `A.prune()`"));
        }
        let mut majors = Vec::with_capacity(entries);
        for (row, ends) in pointers.windows(2).enumerate() {
            majors.extend((ends[0]..ends[1]).map(|_| row as u64));
        }
        Ok(majors)
    }

    /// The coordinates of mode `mode`, of size `size`, in the array `name`.
    fn coordinates_in(&mut self, name: &str, mode: usize, size: u64) -> Result<Vec<u64>, Diagnostic> {
        inside(&whole(&mut self.archive, name)?, name, mode, size)
    }
}

/// The whole numbers in the array `name`.
fn whole<R: Read + Seek>(archive: &mut Archive<R>, name: &str) -> Result<Vec<i64>, Diagnostic> {
    archive.array(name, |array| array.whole())
}

/// `raw` as coordinates of a mode of this size.
fn inside(raw: &[i64], name: &str, mode: usize, size: u64) -> Result<Vec<u64>, Diagnostic> {
    let coordinate = |(n, &raw): (usize, &i64)| {
        u64::try_from(raw).ok().filter(|&c| c < size).ok_or_else(|| {
            let message = format!("`{name}[{n}]` is {raw}, mode {} has size {size} there", mode + 1);
            Diagnostic::new(codes::COORDINATE, message).help("coordinates count from 0 in an archive").help(BY_SCIPY)
        })
    };
    raw.iter().enumerate().map(coordinate).collect()
}

/// How messages call the element at `at`.
fn text(element: &Element<'_>, at: &[u64]) -> String {
    format!("{} at {at:?}", element.text())
}

/// Arrays that do not suit each other.
fn lengths(message: &str) -> Diagnostic {
    Diagnostic::new(codes::CONTRADICTION, message).help(BY_SCIPY)
}
