//! NumPy (.npy), versions 1 to 3: a dense array in binary.

use std::io::BufRead;
use std::path::Path;

use samhw_compiler::diag::Diagnostic;

use super::cannot_read;
use super::convert::Converter;
use super::dense::Dense;
use super::entries::Entries;
use super::npy_header::Header;
use crate::tensor::{Loaded, Target, codes};

/// Reads a file; what is stored are the values that are not the fill (see [`Target::keep_fill`]).
pub(super) fn read(
    mut input: impl BufRead,
    path: &Path,
    values: Converter,
    target: &Target,
) -> Result<Loaded, Diagnostic> {
    let header = Header::read(&mut input)?;
    let modes = target.modes(&header.shape)?;
    let shape = modes.iter().map(|&m| header.shape[m]).collect();
    let (mut entries, dense) = (Entries::new(modes), Dense::new(target));
    let mut bytes = [0; 8];
    let bytes = &mut bytes[..header.dtype.size()];
    let mut read: u64 = 0;
    let mut position = Some(vec![0; header.shape.len()]).filter(|_| !header.shape.contains(&0));
    while let Some(coord) = &mut position {
        input.read_exact(bytes).map_err(|e| match e.kind() {
            std::io::ErrorKind::UnexpectedEof => {
                let all = header.shape.iter().fold(1u128, |n, &size| n.saturating_mul(size.into()));
                Diagnostic::new(codes::COUNT, format!("the file ends after {read} of {all} elements"))
                    .help("was it written or downloaded completely?")
            }
            _ => cannot_read(path, &e),
        })?;
        read += 1;
        let (number, text) = header.dtype.number(bytes);
        let raw = values.dense(number, || format!("{text} at {coord:?}"))?;
        dense.push(&mut entries, coord, raw, 0);
        if !step(coord, &header.shape, header.fortran) {
            position = None;
        }
    }
    if !input.fill_buf().map_err(|e| cannot_read(path, &e))?.is_empty() {
        return Err(Diagnostic::new(codes::COUNT, format!("the file goes on after its {read} elements"))
            .help("it may hold several arrays: save one array per file"));
    }
    Ok(Loaded { coo: entries.finish(shape, path)?, sized: true })
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
