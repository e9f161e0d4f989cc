//! Suggestions for misspelt names.

/// Names longer than this are not compared: nobody misspells them by a letter or two.
const LONGEST: usize = 64;

/// Most names that are compared.
const MOST: usize = 200;

/// Returns the known name with the smallest edit distance to `name`, if the distance is small enough.
pub fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let typed: Vec<char> = name.chars().take(LONGEST + 1).collect();
    if typed.len() > LONGEST {
        return None;
    }
    let candidates = known.iter().take(MOST).map(|k| (distance(&typed, k), *k));
    let (distance, near) = candidates.min_by_key(|(distance, _)| *distance)?;
    let longer = near.chars().count().max(typed.len());
    // Names of one letter are near only if their case differs.
    let tolerance = if longer == 1 { 0 } else { longer.div_ceil(3) };
    (distance <= tolerance).then_some(near)
}

/// Optimal string alignment distance: insertions, deletions, replacements, swaps of neighbours.
fn distance(typed: &[char], known: &str) -> usize {
    let known: Vec<char> = known.chars().collect();
    let mut rows = vec![(0..=known.len()).collect::<Vec<_>>()];
    for (i, a) in typed.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in known.iter().enumerate() {
            let replaced = rows[i][j] + usize::from(!a.eq_ignore_ascii_case(b));
            let mut best = replaced.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == known[j - 1] && typed[i - 1] == *b {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[typed.len()][known.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_what_was_meant_and_nothing_far_fetched() {
        let known = ["name", "expr", "order", "tensors"];
        assert_eq!(nearest("exrp", &known), Some("expr"));
        assert_eq!(nearest("tensor", &known), Some("tensors"));
        assert_eq!(nearest("Order", &known), Some("order"));
        assert_eq!(nearest("X", &["i", "x"]), Some("x"));
        assert_eq!(nearest("k", &["i", "j"]), None);
        assert_eq!(nearest("zzzz", &known), None);
        assert_eq!(nearest("", &[]), None);
        assert_eq!(nearest(&"x".repeat(100_000), &known), None);
    }
}
