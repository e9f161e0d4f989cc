//! Conversion of entries in memory to the tensor's type.

use std::path::Path;

use samhw_compiler::data::{Coordinates, HeldEntries};
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::types::Type;
use samhw_values::to_f64;

use super::convert::Converter;
use super::dense::Dense;
use super::entries::{Counting, Entries};
use super::number::Number;
use crate::tensor::{Loaded, Target, codes};

/// The entries as data of `target`.
pub(in crate::tensor) fn read(held: &HeldEntries, target: &Target) -> Result<Loaded, Diagnostic> {
    let modes = target.modes(&held.shape)?;
    let shape = modes.iter().map(|&m| held.shape[m]).collect();
    let values = Converter { ty: target.ty, policy: held.policy };
    let entries = Entries::new(modes).counting(Counting::Elements);
    let (mut entries, dense) = (entries, Dense::new(target));
    let everywhere = matches!(held.places, Coordinates::All);
    each(held, |n, coord| {
        if coord.iter().zip(&held.shape).any(|(c, size)| c >= size) {
            let message = format!("entry {coord:?} lies outside of the shape {:?}", held.shape);
            return Err(Diagnostic::new(codes::COORDINATE, message).help("coordinates count from 0"));
        }
        let raw = held.values.word(n);
        let number = match held.ty {
            Type::Float { .. } | Type::Fixed { .. } => Number::from_float(to_f64(raw, held.ty)),
            Type::Int { .. } | Type::Bool => Number::whole(held.ty.value(raw)),
        };
        let text = || format!("{} at {coord:?}", held.ty.show(raw));
        if everywhere {
            dense.push(&mut entries, coord, values.dense(number, text)?, n as u64)
        } else {
            entries.push(coord, values.raw(number, text)?, n as u64)
        }
    })?;
    Ok(Loaded { coo: entries.finish(shape, Path::new("memory"))?, sized: true })
}

/// Calls `with` for each entry, with its number and its coordinate.
fn each(held: &HeldEntries, mut with: impl FnMut(usize, &[u64]) -> Result<(), Diagnostic>) -> Result<(), Diagnostic> {
    let (shape, count) = (&held.shape, held.values.count());
    let agree = |well: bool| match well {
        true => Ok(()),
        false => Err(Diagnostic::new(codes::CONTRADICTION, format!("{count} values do not match their coordinates"))
            .help("give each value a number per mode, or the lines of a matrix with their starts")),
    };
    let mut coord = vec![0; shape.len()];
    match &held.places {
        Coordinates::All => {
            let size = shape.iter().try_fold(1, |all: u64, &n| all.checked_mul(n));
            agree(size == Some(count as u64))?;
            for n in 0..count {
                with(n, &coord)?;
                // The next one, row by row.
                for (c, &size) in coord.iter_mut().zip(shape).rev() {
                    *c += 1;
                    if *c < size {
                        break;
                    }
                    *c = 0;
                }
            }
        }
        Coordinates::Lists(lists) => {
            agree(lists.len() == shape.len() && lists.iter().all(|list| list.count() == count))?;
            for n in 0..count {
                coord.iter_mut().zip(lists).for_each(|(c, list)| *c = list.word(n));
                with(n, &coord)?;
            }
        }
        Coordinates::Lines { mode, starts, others } => {
            let lines = starts.count().saturating_sub(1);
            agree(shape.len() == 2 && *mode < 2 && shape[*mode] == lines as u64 && others.count() == count)?;
            for line in 0..lines {
                let [from, to] = [line, line + 1].map(|n| starts.word(n));
                agree(from <= to && to <= count as u64)?;
                for n in from as usize..to as usize {
                    coord[*mode] = line as u64;
                    coord[1 - mode] = others.word(n);
                    with(n, &coord)?;
                }
            }
        }
    }
    Ok(())
}
