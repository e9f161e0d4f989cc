//! Entries in memory to the tensor's type.

use std::path::Path;

use samhw_compiler::data::HeldEntries;
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
    let order = held.shape.len();
    if held.values.len().checked_mul(order) != Some(held.coords.len()) {
        let message = format!("{} values with {} coordinates", held.values.len(), held.coords.len());
        return Err(Diagnostic::new(codes::CONTRADICTION, message).help("give each entry a number per mode"));
    }
    let values = Converter { ty: target.ty, policy: held.policy };
    let entries = Entries::new(modes).counting(Counting::Elements);
    let (mut entries, dense) = (entries, Dense::new(target));
    let none = [];
    for (n, &raw) in held.values.iter().enumerate() {
        let coord = if order == 0 { &none[..] } else { &held.coords[n * order..][..order] };
        if coord.iter().zip(&held.shape).any(|(c, size)| c >= size) {
            let message = format!("entry {coord:?} lies outside of the shape {:?}", held.shape);
            return Err(Diagnostic::new(codes::COORDINATE, message).help("coordinates count from 0"));
        }
        let number = match held.ty {
            Type::Float { .. } | Type::Fixed { .. } => Number::from_float(to_f64(raw, held.ty)),
            Type::Int { .. } | Type::Bool => Number::whole(held.ty.value(raw)),
        };
        let text = || format!("{} at {coord:?}", held.ty.show(raw));
        if held.dense {
            dense.push(&mut entries, coord, values.dense(number, text)?, n as u64)?;
        } else {
            entries.push(coord, values.raw(number, text)?, n as u64)?;
        }
    }
    Ok(Loaded { coo: entries.finish(shape, Path::new("memory"))?, sized: true })
}
