//! NumPy (.npy), versions 1 to 3: a dense array in binary.

use std::io::{BufRead, ErrorKind};
use std::path::Path;

use samhw_compiler::diag::Diagnostic;

use super::cannot_read;
use super::convert::Converter;
use super::dense::Dense;
use super::entries::Entries;
use super::npy_header::NpyHeader;
use super::npy_type::{Dtype, Numeric};
use super::number::{Class, Number};
use crate::memory;
use crate::tensor::{Loaded, MAX_POSITIONS, Target, codes};

/// The array that `input` holds; what is stored are the values that are not the fill (see [`Target::keep`]).
pub(super) fn read(input: impl BufRead, path: &Path, values: Converter, target: &Target) -> Result<Loaded, Diagnostic> {
    entries(Array::begin(input)?, path, values, target)
}

/// The entries of an array.
pub(super) fn entries(
    array: Array<impl BufRead>,
    path: &Path,
    values: Converter,
    target: &Target,
) -> Result<Loaded, Diagnostic> {
    let modes = target.modes(array.shape())?;
    let shape = modes.iter().map(|&m| array.shape()[m]).collect();
    let (mut entries, dense) = (Entries::new(modes), Dense::new(target));
    array.each(|coord, element| {
        let raw = values.dense(element.number(), || format!("{} at {coord:?}", element.text()))?;
        dense.push(&mut entries, coord, raw, 0)
    })?;
    Ok(Loaded { coo: entries.finish(shape, path)?, sized: true })
}

/// The help for an archive that is not as scipy writes it.
pub(super) const BY_SCIPY: &str = "write it with `scipy.sparse.save_npz(\"A.npz\", A)`";

/// An array whose header has been read.
pub(super) struct Array<R> {
    input: R,
    header: NpyHeader,
}

/// An element of an array.
pub(super) struct Element<'e> {
    ty: Numeric,
    bytes: &'e [u8],
}

impl Element<'_> {
    /// Returns the value.
    pub(super) fn number(&self) -> Number<'static> {
        self.ty.number(self.bytes)
    }
    /// Returns the value as text for messages.
    pub(super) fn text(&self) -> String {
        self.ty.text(self.bytes)
    }
}

impl<R: BufRead> Array<R> {
    /// Reads the header.
    pub(super) fn begin(mut input: R) -> Result<Self, Diagnostic> {
        let header = NpyHeader::read(&mut input)?;
        Ok(Self { input, header })
    }

    /// Returns the type of the elements.
    pub(super) fn numeric(&self) -> Result<Numeric, Diagnostic> {
        self.header.dtype.numeric()
    }

    /// Size of each mode.
    pub(super) fn shape(&self) -> &[u64] {
        &self.header.shape
    }

    /// Returns the number of elements.
    pub(super) fn count(&self) -> u128 {
        self.header.shape.iter().fold(1, |n, &size| n.saturating_mul(size.into()))
    }

    /// Reads all elements, each with its coordinate, in the order of the file. Nothing may come after them.
    pub(super) fn each(
        mut self,
        mut visit: impl FnMut(&[u64], Element<'_>) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let all = self.count();
        let NpyHeader { dtype, fortran, ref shape } = self.header;
        let ty = dtype.numeric()?;
        let mut bytes = [0; 8];
        let bytes = &mut bytes[..ty.size()];
        let mut read: u64 = 0;
        let mut position = Some(vec![0; shape.len()]).filter(|_| all > 0);
        while let Some(coord) = &mut position {
            self.input.read_exact(bytes).map_err(|e| ended(&e, read, all))?;
            read += 1;
            visit(coord, Element { ty, bytes })?;
            if !step(coord, shape, fortran) {
                position = None;
            }
        }
        self.nothing_more(read)
    }

    /// All elements of an array of one mode or none, which are whole numbers.
    pub(super) fn whole(self) -> Result<Vec<i64>, Diagnostic> {
        if self.shape().len() > 1 {
            let message = format!("an array of order {}, not of 1", self.shape().len());
            return Err(Diagnostic::new(codes::CONTRADICTION, message).help(BY_SCIPY));
        }
        let mut all = Vec::new();
        self.each(|_, element| {
            length(all.len() as u64 + 1)?;
            if all.len() == all.capacity() {
                memory::fits(|| "an array of the archive".into(), 2 * all.len() as u64, size_of::<i64>() as u64)?;
            }
            all.push(whole(&element)?);
            Ok(())
        })?;
        Ok(all)
    }

    /// The text of an array that is one string.
    pub(super) fn text(mut self) -> Result<String, Diagnostic> {
        let (Dtype::Text(size), []) = (self.header.dtype, self.shape()) else {
            return Err(Diagnostic::new(codes::CONTRADICTION, "this is not a string").help(BY_SCIPY));
        };
        let mut bytes = vec![0; size];
        self.input.read_exact(&mut bytes).map_err(|e| ended(&e, 0, 1))?;
        self.nothing_more(1)?;
        // Characters of one byte, or of four of which three are 0.
        Ok(bytes.iter().filter(|&&byte| byte != 0).map(|&byte| char::from(byte)).collect())
    }

    fn nothing_more(mut self, read: u64) -> Result<(), Diagnostic> {
        if self.input.fill_buf().map_err(|e| cannot_read(&e))?.is_empty() {
            return Ok(());
        }
        Err(Diagnostic::new(codes::COUNT, format!("the file continues after its {read} elements"))
            .help("it may hold several arrays: save one array per file"))
    }
}

/// The value of an element that is a whole number.
pub(super) fn whole(element: &Element<'_>) -> Result<i64, Diagnostic> {
    let value = match element.number().class {
        Class::Whole(value) => i64::try_from(value).ok(),
        _ => None,
    };
    value.ok_or_else(|| {
        let message = format!("{} is not a whole number below 2^63", element.text());
        Diagnostic::new(codes::CONTRADICTION, message).help(BY_SCIPY)
    })
}

/// `count` as a length of a list, unless it is more than a tensor can have.
pub(super) fn length(count: u64) -> Result<usize, Diagnostic> {
    if count <= MAX_POSITIONS { Ok(count as usize) } else { Err(super::entries::too_many()) }
}

fn ended(error: &std::io::Error, read: u64, all: u128) -> Diagnostic {
    match error.kind() {
        ErrorKind::UnexpectedEof => {
            Diagnostic::new(codes::COUNT, format!("the file ends after {read} of {all} elements"))
                .help("was it written or downloaded completely?")
        }
        _ => cannot_read(error),
    }
}

/// Goes to the next element; false after the last.
fn step(coord: &mut [u64], shape: &[u64], first_fastest: bool) -> bool {
    let order = coord.len();
    for n in 0..order {
        let m = if first_fastest { n } else { order - 1 - n };
        coord[m] += 1;
        if coord[m] < shape[m] {
            return true;
        }
        coord[m] = 0;
    }
    false
}
