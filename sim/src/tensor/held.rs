//! Entries in the program's memory, and the headers of all kinds of sources.

use std::path::Path;

use samhw_compiler::data::{DataSource, HeldEntries, Pattern};
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::frontend::{DataHeader, GivenNumbers};

use super::file::{file_header, held};
use super::{Loaded, Target};

/// Returns the sizes and types that a source declares; file names are relative to `base`.
pub fn header(source: &DataSource, base: &Path) -> Result<DataHeader, Diagnostic> {
    let square = |n: u64, power| {
        let size = n.saturating_pow(power);
        DataHeader { shape: Some(vec![size, size]), guessed: false, numbers: None }
    };
    Ok(match source {
        DataSource::File { path, .. } => file_header(&base.join(path))?,
        DataSource::Held(held) => {
            DataHeader { shape: Some(held.shape.clone()), guessed: false, numbers: Some(GivenNumbers::Typed(held.ty)) }
        }
        DataSource::Generated(generator) => match generator.pattern {
            Pattern::Poisson2d { n } => square(n, 2),
            Pattern::Poisson3d { n } => square(n, 3),
            _ => DataHeader { shape: None, guessed: false, numbers: None },
        },
        DataSource::Everywhere(_) => DataHeader { shape: None, guessed: false, numbers: None },
    })
}

/// The entries as data of `target`.
pub(super) fn read(entries: &HeldEntries, target: &Target) -> Result<Loaded, Diagnostic> {
    let mut said = held::read(entries, target);
    if let Err(problem) = &mut said {
        problem.message = format!("data of `{}`: {}", target.name, problem.message);
    }
    said
}
