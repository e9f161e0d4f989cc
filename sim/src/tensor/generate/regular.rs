//! Matrices of regular structure: bands, stencils, the identity.

use samhw_compiler::diag::Diagnostic;

use super::{Places, affordable};

/// Row i holds columns i - lower ..= i + upper.
pub(super) fn banded(shape: &[u64], lower: u64, upper: u64) -> Result<Places, Diagnostic> {
    let (rows, columns) = (shape[0], shape[1]);
    let rows = rows.min(columns.saturating_add(lower));
    affordable(rows as f64 * (lower as f64 + upper as f64 + 1.0).min(columns as f64), 2)?;
    let mut places = Places::default();
    for i in 0..rows {
        for j in i.saturating_sub(lower)..i.saturating_add(upper).saturating_add(1).min(columns) {
            places.push(&[i, j]);
        }
    }
    Ok(places)
}

/// 1 wherever all coordinates are equal.
pub(super) fn identity(shape: &[u64]) -> Result<Places, Diagnostic> {
    let n = shape.iter().copied().min().unwrap_or(0);
    affordable(n as f64, shape.len())?;
    let mut places = Places::default();
    (0..n).for_each(|i| places.push(&vec![i; shape.len()]));
    places.values = Some(vec![1; places.count]);
    Ok(places)
}

/// The Laplacian on a grid of `n` points in each of `modes` directions, boundary values 0.
pub(super) fn poisson(n: u64, modes: u32) -> Result<Places, Diagnostic> {
    let points = (n as f64).powi(modes as i32);
    affordable(points * f64::from(2 * modes + 1), 2)?;
    let (mut places, mut values) = (Places::default(), Vec::new());
    let strides: Vec<u64> = (0..modes).rev().map(|m| n.pow(m)).collect();
    for point in 0..n.pow(modes) {
        let at = |stride: u64| point / stride % n;
        let mut put = |other: u64, value: i64| {
            places.push(&[point, other]);
            values.push(value);
        };
        strides.iter().filter(|&&s| at(s) > 0).for_each(|s| put(point - s, -1));
        put(point, 2 * i64::from(modes));
        strides.iter().rev().filter(|&&s| at(s) + 1 < n).for_each(|s| put(point + s, -1));
    }
    places.values = Some(values);
    Ok(places)
}
