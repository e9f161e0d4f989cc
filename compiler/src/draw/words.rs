//! Truth tables in words: sums of products, minimised by a cover of prime implicants.

/// More operands than this are not put into words; joiners and ALUs have fewer.
const MOST: usize = 6;

/// The words or symbols of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wording {
    and: &'static str,
    or: &'static str,
    not: &'static str,
}

/// Conditions in words, for text.
pub(super) const WORDS: Wording = Wording { and: " and ", or: " or ", not: "not " };
/// Conditions in symbols, for drawings, where room is short.
pub(super) const SYMBOLS: Wording = Wording { and: " ∧ ", or: " ∨ ", not: "¬" };

/// Operands that have to be there (`value` 1) or away (0), where `mask` is 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Product {
    mask: u64,
    value: u64,
}

impl Product {
    fn covers(self, row: u64) -> bool {
        row & self.mask == self.value
    }
    /// Sort key: few operands first, then few absent ones, then in operand order.
    fn weight(self) -> (u32, u32, u64) {
        (self.mask.count_ones(), (self.mask & !self.value).count_ones(), self.mask.reverse_bits())
    }
}

/// Whether bit `row` of a table is set.
pub(super) fn bit(table: &[u64], row: u64) -> bool {
    table.get((row / 64) as usize).is_some_and(|w| w >> (row % 64) & 1 == 1)
}

/// The condition under which `on` holds, of the operands called `names`. Rows without `care`
/// (bit k of a row: operand k is there) cannot occur and may come out either way.
pub(super) fn condition(
    names: &[String],
    style: Wording,
    care: impl Fn(u64) -> bool,
    on: impl Fn(u64) -> bool,
) -> String {
    if names.len() > MOST {
        return format!("a table over {} operands", names.len());
    }
    let products = cover(names.len(), &care, &on);
    let several = products.len() > 1;
    let terms: Vec<String> = products.iter().map(|p| product_text(*p, names, style, several)).collect();
    if terms.is_empty() { "never".into() } else { terms.join(style.or) }
}

fn product_text(p: Product, names: &[String], style: Wording, bracket: bool) -> String {
    let literal = |k: usize| format!("{}{}", if p.value >> k & 1 == 1 { "" } else { style.not }, names[k]);
    let literals: Vec<String> = (0..names.len()).filter(|k| p.mask >> k & 1 == 1).map(literal).collect();
    match literals.len() {
        0 => "always".into(),
        n if n > 1 && bracket => format!("({})", literals.join(style.and)),
        _ => literals.join(style.and),
    }
}

/// Prime implicants that cover every row that is on: those no other can replace, then the
/// one that covers most of what is left.
fn cover(n: usize, care: &dyn Fn(u64) -> bool, on: &dyn Fn(u64) -> bool) -> Vec<Product> {
    let rows = 1u64 << n;
    let holds = |p: Product| (0..rows).all(|r| !p.covers(r) || !care(r) || on(r));
    let shorter = |p: Product| {
        (0..n)
            .filter(move |k| p.mask >> k & 1 == 1)
            .map(move |k| Product { mask: p.mask & !(1 << k), value: p.value & !(1 << k) })
    };
    let all =
        (0..rows).flat_map(|mask| (0..rows).filter(move |v| v & !mask == 0).map(move |value| Product { mask, value }));
    let mut primes: Vec<Product> = all.filter(|&p| holds(p) && !shorter(p).any(holds)).collect();
    primes.sort_by_key(|p| p.weight());
    let mut left: Vec<u64> = (0..rows).filter(|&r| care(r) && on(r)).collect();
    let alone = |r: u64| {
        let mut covering = primes.iter().filter(|p| p.covers(r));
        covering.next().filter(|_| covering.next().is_none())
    };
    let mut chosen: Vec<Product> = Vec::new();
    for p in left.iter().filter_map(|&r| alone(r)) {
        if !chosen.contains(p) {
            chosen.push(*p);
        }
    }
    left.retain(|&r| !chosen.iter().any(|p| p.covers(r)));
    while !left.is_empty() {
        let gain = |p: &Product| left.iter().filter(|&&r| p.covers(r)).count();
        // The first of the best: primes are sorted, shortest first.
        let Some(best) = primes.iter().rev().max_by_key(|p| gain(p)).copied() else { break };
        chosen.push(best);
        left.retain(|&r| !best.covers(r));
    }
    chosen.sort_by_key(|p| p.mask.trailing_zeros());
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(n: usize, on: impl Fn(u64) -> bool) -> String {
        let names: Vec<String> = (0..n).map(|k| k.to_string()).collect();
        condition(&names, WORDS, |_| true, on)
    }

    #[test]
    fn tables_read_as_short_conditions() {
        let has = |r: u64, k: u64| r >> k & 1 == 1;
        assert_eq!(say(3, |r| has(r, 0) && has(r, 1) || has(r, 2)), "(0 and 1) or 2");
        assert_eq!(say(2, |r| has(r, 0) && !has(r, 1)), "0 and not 1");
        assert_eq!(say(2, |r| has(r, 0) != has(r, 1)), "(0 and not 1) or (not 0 and 1)");
        assert_eq!(say(2, |_| false), "never");
        assert_eq!(say(3, |r| r != 0), "0 or 1 or 2");
        assert_eq!(say(3, |r| r.count_ones() >= 2), "(0 and 1) or (0 and 2) or (1 and 2)");
        assert_eq!(say(3, |_| true), "always");
        assert_eq!(say(7, |_| true), "a table over 7 operands");
    }

    #[test]
    fn every_table_of_three_operands_is_covered_exactly() {
        for table in 0..256u64 {
            let products = cover(3, &|_| true, &|r| table >> r & 1 == 1);
            for r in 0..8 {
                assert_eq!(products.iter().any(|p| p.covers(r)), table >> r & 1 == 1, "table {table:08b} row {r}");
            }
        }
    }
}
