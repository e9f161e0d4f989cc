//! Trap 10: every combination of a mask's kinds is another result.

use super::case;
use std::collections::BTreeMap;

/// Mask, new and old values. Each of true, stored false and absent meets each of there and absent, twice.
const M: &str = "1 0 . 1 0 . 1 0 . 1 0 .";
const NEW: &str = "10 20 30 . . . 40 50 60 . . .";
const OLD: &str = "1 2 3 4 5 6 . . . . . .";

fn numbers(text: &str) -> Vec<Option<i128>> {
    text.split(' ').map(|x| x.parse().ok()).collect()
}

/// What the GraphBLAS says: C<M> = T, or C<M> += T, of each coordinate alone.
fn wanted(complemented: bool, structural: bool, replace: bool, accumulate: bool) -> Vec<i128> {
    let both = numbers(NEW).into_iter().zip(numbers(OLD));
    let of = |(mask, (new, old)): (Option<i128>, (Option<i128>, Option<i128>))| {
        let takes = if structural { mask.is_some() } else { mask.is_some_and(|v| v != 0) } != complemented;
        let z = match (new, old) {
            (Some(new), Some(old)) if accumulate => Some(new + old),
            (None, old) if accumulate => old,
            (new, _) => new,
        };
        let kept = if replace { None } else { old };
        (if takes { z } else { kept }).unwrap_or(0)
    };
    numbers(M).into_iter().zip(both).map(of).collect()
}

#[test]
fn trap_10_every_combination_is_another_result() {
    let operands = [("m", "", M), ("t", "", NEW), ("c", "", OLD)];
    let mut all: BTreeMap<Vec<i128>, String> = BTreeMap::new();
    for k in 0..16 {
        let [complemented, structural, replace, accumulate] = [0, 1, 2, 3].map(|b| k >> b & 1 == 1);
        let m = if structural { "pres(m(i))" } else { "m(i)" };
        let m = if complemented { format!("lnot({m})") } else { m.to_string() };
        let z = if accumulate { "c(i) + t(i)" } else { "t(i)" };
        let expr = if replace { format!("y(i) = mask({m}, {z})") } else { format!("y(i) = where({m}, {z}, c(i))") };
        let used: Vec<_> = operands.into_iter().filter(|(name, ..)| expr.contains(&format!("{name}(i"))).collect();
        let found = case("i32", &expr, &used).values(M);
        assert_eq!(found, wanted(complemented, structural, replace, accumulate), "{expr}");
        if let Some(other) = all.insert(found, expr.clone()) {
            panic!("{expr} and {other} are told apart by nothing here");
        }
    }
}

#[test]
fn trap_10_what_is_masked_off_is_the_semirings_fill() {
    let a = ("A", "inf", "1 4 . / . 2 1 / 3 . .");
    let x = ("x", "inf", "5 . 2");
    case("u16s", "y(i) = mask(m(i), min[j](A(i,j) + x(j)), inf)", &[a, x, ("m", "", "1 1 .")]).gives("6 3 .", "65535");
    case("u16s", "y(i) = mask(m(i), min[j](A(i,j) + x(j)))", &[a, x, ("m", "", "1 1 .")]).gives("6 3 .", "0");
}

#[test]
fn trap_10_a_mask_may_be_an_operand() {
    // C<A> = A A, the step that counts triangles, and one of a search: neighbours not seen so far.
    let a = ("A", "", ". 1 1 . / 1 . 1 . / 1 1 . 1 / . . 1 .");
    case("i32", "Y(i,j) = mask(pres(A(i,j)), sum[k](A(i,k) * A(k,j)))", &[a])
        .gives(". 1 1 . / 1 . 1 . / 1 1 . . / . . . .", "0");
    case("i32", "y(i) = nmask(pres(s(i)), any[j](A(i,j) and s(j)))", &[a, ("s", "", "1 . . .")]).gives(". 1 1 .", "0");
}
