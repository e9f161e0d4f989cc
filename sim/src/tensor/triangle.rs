//! Symmetric tensors in their storage form: entries (i, j) with j <= i.

use super::codes;
use super::coo::Coo;
use samhw_compiler::diag::Diagnostic;

/// Returns the lower triangle of a symmetric matrix. Where (i, j) or (j, i) is not given, or is the fill, it is the
/// other one.
///
/// # Errors
///
/// Modes of two sizes; (i, j) and (j, i) with different values.
pub fn triangle(whole: &Coo, name: &str, fill: u64) -> Result<Coo, Diagnostic> {
    let shape = whole.shape().to_vec();
    if !matches!(shape[..], [rows, columns] if rows == columns) {
        let message = format!("{name} is symmetric, its data have the shape {shape:?}");
        return Err(Diagnostic::new(codes::SHAPE, message).help("a symmetric matrix has as many rows as columns"));
    }
    let (mut coords, mut values) = (Vec::new(), Vec::new());
    for (coord, value) in whole.iter() {
        let &[row, column] = coord else { continue };
        let mirrored = whole.get(&[column, row]);
        if mirrored.is_some_and(|other| other != value && other != fill && value != fill) {
            let (one, other) = (format!("({row}, {column})"), format!("({column}, {row})"));
            let message = format!("{name} is declared symmetric, and its values at {one} and {other} differ");
            return Err(Diagnostic::new(codes::TRIANGLES, message)
                .help("give one triangle, or both with equal values; coordinates are counted from 0"));
        }
        if column <= row || mirrored.is_none() {
            coords.extend([row.max(column), row.min(column)]);
            values.push(mirrored.filter(|_| value == fill).unwrap_or(value));
        }
    }
    let twice = |_| Diagnostic::new(codes::TRIANGLES, format!("{name} has a coordinate twice"));
    Coo::new(shape, coords, values).map_err(twice)
}
