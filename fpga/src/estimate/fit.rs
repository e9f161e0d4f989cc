//! Least squares with non-negative coefficients, because size never decreases with width.

use super::features::Features;
use std::collections::BTreeMap;

/// Rounds of coordinate descent; it has long converged by then.
const ROUNDS: usize = 4000;

/// Weight of the penalty on large coefficients, which keeps few samples from being fitted exactly.
const RIDGE: f64 = 2.5e-3;

/// Fits coefficients by feature to the samples.
pub fn fit(samples: &[(Features, f64)]) -> BTreeMap<String, f64> {
    fit_with(samples, RIDGE)
}

fn fit_with(samples: &[(Features, f64)], ridge: f64) -> BTreeMap<String, f64> {
    let mut scale: BTreeMap<&str, f64> = BTreeMap::new();
    for (name, v) in samples.iter().flat_map(|(f, _)| f) {
        let s = scale.entry(name).or_insert(0.0);
        *s = s.max(*v);
    }
    scale.retain(|_, s| *s > 0.0);
    let names: Vec<&str> = scale.keys().copied().collect();
    let row = |f: &Features| names.iter().map(|n| f.get(*n).copied().unwrap_or(0.0) / scale[n]).collect::<Vec<f64>>();
    let rows: Vec<Vec<f64>> = samples.iter().map(|(f, _)| row(f)).collect();
    let mut weights = vec![0.0; names.len()];
    // What is left to explain of each sample.
    let mut rest: Vec<f64> = samples.iter().map(|(_, y)| *y).collect();
    let ridge = ridge * samples.len() as f64;
    let squares: Vec<f64> = (0..names.len()).map(|k| rows.iter().map(|r| r[k] * r[k]).sum::<f64>() + ridge).collect();
    for _ in 0..ROUNDS {
        for k in 0..names.len() {
            let pull: f64 = rows.iter().zip(&rest).map(|(r, y)| r[k] * y).sum::<f64>() - ridge * weights[k];
            let new = f64::max(0.0, weights[k] + pull / squares[k]);
            let change = new - weights[k];
            if change != 0.0 {
                weights[k] = new;
                rows.iter().zip(&mut rest).for_each(|(r, y)| *y -= r[k] * change);
            }
        }
    }
    let found = names.iter().zip(weights).filter(|(_, w)| *w > 1e-6);
    // Three digits are more than the fit is worth, and keep the table readable.
    found.map(|(n, w)| (n.to_string(), (w / scale[n] * 1e3).round() / 1e3)).filter(|(_, w)| *w > 0.0).collect()
}

/// Evaluates the linear model with `coefficients`.
pub fn apply(coefficients: &BTreeMap<String, f64>, features: &Features) -> f64 {
    coefficients.iter().map(|(n, c)| c * features.get(n).copied().unwrap_or(0.0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_and_nothing_grows_downwards() {
        let sample = |w: f64, y: f64| (Features::from([("1".to_string(), 1.0), ("W".to_string(), w)]), y);
        let up: Vec<_> = (1..20).map(|w| sample(f64::from(w), 7.0 + 3.0 * f64::from(w))).collect();
        // Without the penalty the line itself, with it a line that is a little flatter.
        for (ridge, error) in [(0.0, 1e-3), (RIDGE, 0.1)] {
            let found = fit_with(&up, ridge);
            for (f, y) in &up {
                assert!((apply(&found, f) / y - 1.0).abs() < error, "{found:?}");
            }
        }
        let down = [sample(1.0, 10.0), sample(2.0, 5.0)];
        assert!(fit(&down).values().all(|c| *c > 0.0));
    }
}
