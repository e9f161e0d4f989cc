//! Power-law graphs: "R-MAT: A Recursive Model for Graph Mining" (Chakrabarti, Zhan, Faloutsos, SDM 2004).

use samhw_compiler::diag::Diagnostic;

use super::{Places, affordable, wrong};
use samhw_values::Rng;

/// `edges` draws; each halves the rows and the columns until one coordinate is left. What is drawn twice counts once.
pub(super) fn rmat(shape: &[u64], edges: u64, quadrants: [f64; 3], rng: &mut Rng) -> Result<Places, Diagnostic> {
    let [a, b, c] = quadrants;
    if !quadrants.iter().all(|p| (0.0..=1.0).contains(p)) || a + b + c > 1.0 + 1e-9 {
        return Err(wrong(format!("quadrants = [{a}, {b}, {c}] are not probabilities"))
            .help("each is between 0 and 1, together at most 1, e.g. [0.57, 0.19, 0.19]"));
    }
    affordable(edges as f64, 2)?;
    let mut places = Places::default();
    if shape.contains(&0) {
        return Ok(places);
    }
    let mut drawn: Vec<[u64; 2]> = (0..edges)
        .map(|_| {
            let (mut row, mut column) = ((0, shape[0]), (0, shape[1]));
            while row.1 > 1 || column.1 > 1 {
                let u = rng.unit();
                let (low, right) = (u >= a + b, (u >= a && u < a + b) || u >= a + b + c);
                row = half(row, low);
                column = half(column, right);
            }
            [row.0, column.0]
        })
        .collect();
    drawn.sort_unstable();
    drawn.dedup();
    drawn.iter().for_each(|coord| places.push(coord));
    Ok(places)
}

/// The first (larger) or second half of a range (begin, length); a range of length 1 stays.
fn half((begin, length): (u64, u64), second: bool) -> (u64, u64) {
    let first = length - length / 2;
    if second && length > 1 { (begin + first, length - first) } else { (begin, first) }
}
