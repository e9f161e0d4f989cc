//! Semantic traps, by number in the list of them in the project's design notes: 1 explicit
//! zeros, 5 reductions over fills, 6 the extent of a sum, 7 order of min and max, 8 position.

use super::build::{Build, Entry};
use super::*;
use samhw_compiler::stmt::Fun;

/// Shorthand for vectors of results.
fn at(rows: &[(u64, i128)]) -> Vec<(Vec<u64>, i128)> {
    rows.iter().map(|&(c, v)| (vec![c], v)).collect()
}

#[test]
fn trap_1_explicit_zeros_are_stored_and_stay() {
    let mut k = Build::new(&[('i', 4)]);
    let b = k.operand("B", "i", "c", None, &[(&[0], 0), (&[1], 5)]);
    let c = k.operand("C", "i", "c", None, &[(&[0], 7), (&[1], 0), (&[2], 0)]);
    let e = k.mul(b, c);
    assert_eq!(k.result("i", "c", e), (at(&[(0, 0), (1, 0)]), 0));
}

#[test]
fn trap_1_what_cancels_is_stored() {
    let mut k = Build::new(&[('i', 4)]);
    let b = k.operand("B", "i", "c", None, &[(&[1], 5), (&[3], 0)]);
    let e = k.map(Fun::Sub, &[b, b]);
    assert_eq!(k.result("i", "c", e), (at(&[(1, 0), (3, 0)]), 0));
}

#[test]
fn trap_1_a_sum_that_cancels_is_stored_and_an_empty_one_is_not() {
    let mut k = Build::new(&[('i', 3), ('j', 3)]);
    let a = k.operand("A", "ij", "dc", None, &[(&[0, 0], 2), (&[0, 2], -2), (&[2, 1], 0)]);
    let e = k.sum("j", a);
    assert_eq!(k.result("i", "c", e), (at(&[(0, 0), (2, 0)]), 0));
}

#[test]
fn trap_5_a_sum_over_a_fill_counts_the_absent_entries() {
    let mut k = Build::new(&[('i', 2), ('j', 4)]);
    let a = k.operand("A", "ij", "cc", Some(3), &[(&[0, 1], 10), (&[0, 2], 0)]);
    let e = k.sum("j", a);
    assert_eq!(k.result("i", "c", e), (at(&[(0, 16), (1, 12)]), 12));
}

#[test]
fn trap_5_min_includes_the_fill_iff_an_entry_is_absent() {
    let mut k = Build::new(&[('i', 3), ('j', 2)]);
    let a = k.operand("A", "ij", "cc", None, &[(&[0, 0], 4), (&[0, 1], 9), (&[1, 0], 4)]);
    let e = k.reduce(Fun::Min, "j", a);
    assert_eq!(k.result("i", "c", e), (at(&[(0, 4), (1, 0), (2, 0)]), 0));
}

#[test]
fn trap_5_min_over_its_identity_skips_what_is_absent() {
    let infinity = i128::from(i32::MAX);
    let mut k = Build::new(&[('i', 3), ('j', 2)]);
    let a = k.operand("A", "ij", "cc", Some(infinity), &[(&[0, 0], 4), (&[2, 1], infinity)]);
    let e = k.reduce(Fun::Min, "j", a);
    assert_eq!(k.result("i", "c", e), (at(&[(0, 4), (2, infinity)]), infinity));
}

#[test]
fn trap_5_an_empty_range_gives_the_identity_not_the_fill() {
    let mut k = Build::new(&[('i', 2), ('j', 0)]);
    let a = k.operand("A", "ij", "cc", None, &[]);
    let e = k.reduce(Fun::Max, "j", a);
    let least = i128::from(i32::MIN);
    assert_eq!(k.result("i", "c", e), (at(&[(0, least), (1, least)]), least));
}

#[test]
fn a_fill_that_depends_on_sizes_equals_no_constant() {
    // The inner sum is 0 only because there is no j; it still counts in the outer one.
    let mut k = Build::new(&[('i', 0), ('j', 0)]);
    let a = k.operand("A", "ij", "cc", Some(1), &[]);
    let e = k.sum("j", a);
    let e = k.sum("i", e);
    assert_eq!(k.result("", "", e), (vec![(vec![], 0)], 0));
}

#[test]
fn trap_6_a_sum_of_sums_is_not_the_sum_over_both() {
    let b: &[Entry] = &[(&[0], 1), (&[2], 2)];
    let c: &[Entry] = &[(&[1], 10)];
    let mut k = Build::new(&[('i', 3), ('j', 4)]);
    let (b1, c1) = (k.operand("b", "i", "c", None, b), k.operand("c", "j", "c", None, c));
    let (b1, c1) = (k.sum("i", b1), k.sum("j", c1));
    let apart = k.add(b1, c1);
    assert_eq!(k.result("", "", apart), (vec![(vec![], 13)], 0));
    let mut k = Build::new(&[('i', 3), ('j', 4)]);
    let (b1, c1) = (k.operand("b", "i", "c", None, b), k.operand("c", "j", "c", None, c));
    let e = k.add(b1, c1);
    let e = k.sum("j", e);
    let together = k.sum("i", e);
    assert_eq!(k.result("", "", together), (vec![(vec![], 3 * 4 + 10 * 3)], 0));
}

#[test]
fn trap_6_what_stands_inside_a_sum_counts_once_per_step() {
    let mut k = Build::new(&[('i', 3), ('k', 3)]);
    let a = k.operand("A", "ik", "cc", None, &[(&[0, 0], 2), (&[0, 2], 3)]);
    let b = k.operand("b", "k", "d", None, &[(&[0], 1), (&[2], 1)]);
    let m = k.operand("m", "i", "c", None, &[(&[0], 1), (&[1], 1)]);
    let p = k.mul(a, b);
    let e = k.map(Fun::Sub, &[p, m]);
    let e = k.sum("k", e);
    assert_eq!(k.result("i", "c", e), (at(&[(0, 2), (1, -3)]), 0));
}

#[test]
fn trap_7_max_of_negated_is_not_negated_max() {
    for (outside, want) in [(true, -4), (false, 3)] {
        let mut k = Build::new(&[('k', 2)]);
        let b = k.operand("b", "k", "c", None, &[(&[0], 4), (&[1], -3)]);
        let minus = k.literal(-1);
        let e = if outside {
            let e = k.reduce(Fun::Max, "k", b);
            k.mul(e, minus)
        } else {
            let e = k.mul(b, minus);
            k.reduce(Fun::Max, "k", e)
        };
        assert_eq!(k.result("", "", e).0, [(vec![], want)]);
    }
}

#[test]
fn trap_7_min_of_max_is_not_max_of_min() {
    for (inner, outer, want) in [("j", "i", 4), ("i", "j", 3)] {
        let mut k = Build::new(&[('i', 2), ('j', 2)]);
        let entries: &[Entry] = &[(&[0, 0], 1), (&[0, 1], 4), (&[1, 0], 5), (&[1, 1], 3)];
        let a = k.operand("A", "ij", "cc", None, entries);
        let (inside, outside) = if inner == "j" { (Fun::Max, Fun::Min) } else { (Fun::Min, Fun::Max) };
        let e = k.reduce(inside, inner, a);
        let e = k.reduce(outside, outer, e);
        assert_eq!(k.result("", "", e).0, [(vec![], want)]);
    }
}

#[test]
fn trap_8_a_difference_negates_what_is_on_the_right_only() {
    let mut k = Build::new(&[('i', 4)]);
    let b = k.operand("B", "i", "c", None, &[(&[0], 5), (&[1], 5)]);
    let c = k.operand("C", "i", "c", None, &[(&[1], 7), (&[2], 7)]);
    let e = k.map(Fun::Sub, &[b, c]);
    assert_eq!(k.result("i", "c", e), (at(&[(0, 5), (1, -2), (2, -7)]), 0));
}

#[test]
fn trap_8_an_absent_factor_hides_only_if_its_own_fill_is_zero() {
    for swapped in [false, true] {
        let mut k = Build::new(&[('i', 4)]);
        let b = k.operand("B", "i", "c", Some(3), &[(&[0], 5), (&[1], 5)]);
        let c = k.operand("C", "i", "c", None, &[(&[1], 7), (&[2], 7)]);
        let e = if swapped { k.mul(c, b) } else { k.mul(b, c) };
        assert_eq!(k.result("i", "c", e), (at(&[(1, 35), (2, 21)]), 0));
    }
}

#[test]
fn trap_8_a_fill_shifts_the_result_fill() {
    let mut k = Build::new(&[('i', 3)]);
    let b = k.operand("B", "i", "c", None, &[(&[1], 5)]);
    let two = k.literal(2);
    let e = k.map(Fun::Sub, &[two, b]);
    assert_eq!(k.result("i", "c", e), (at(&[(1, -3)]), 2));
}

#[test]
fn literals_alone_store_nothing_except_in_dense_levels() {
    for (levels, want) in [("c", at(&[])), ("d", at(&[(0, 2), (1, 2)]))] {
        let mut k = Build::new(&[('i', 2)]);
        let two = k.literal(2);
        assert_eq!(k.result("i", levels, two), (want, 2));
    }
}

#[test]
fn a_variable_on_the_left_alone_repeats_the_rest() {
    let mut k = Build::new(&[('i', 3), ('j', 2)]);
    let b = k.operand("B", "i", "c", None, &[(&[1], 5)]);
    assert_eq!(k.result("ij", "cc", b), (vec![(vec![1, 0], 5), (vec![1, 1], 5)], 0));
}

#[test]
fn innermost_dense_levels_store_below_what_is_stored() {
    let mut k = Build::new(&[('i', 3), ('j', 2)]);
    let b = k.operand("B", "ij", "cd", None, &[(&[1, 1], 5)]);
    assert_eq!(k.result("ij", "cc", b), (vec![(vec![1, 0], 0), (vec![1, 1], 5)], 0));
}

#[test]
fn statements_read_earlier_results_and_old_values() {
    let mut k = Build::new(&[('i', 3), ('j', 3)]);
    let y_old = k.operand("y", "i", "c", None, &[(&[0], 1)]);
    let a = k.operand("A", "ij", "cc", None, &[(&[0, 1], 2), (&[2, 2], 3)]);
    let row = k.sum("j", a);
    let first = k.add(y_old, row);
    let y = TensorId(0);
    let again = k.again(y, "i");
    let second = k.mul(again, again);
    let case = k.case("i", "c", second);
    let mut kernel = case.kernel;
    let squares = kernel.statements[0].clone();
    kernel.statements.insert(0, Statement { result: y, value: first, ..squares.clone() });
    let results = execute(&kernel, &case.dims, &case.data, None).unwrap();
    let rows = |t| results[&t].stored.iter().map(|(c, v)| (c[0], v)).collect::<Vec<_>>();
    assert_eq!(rows(y), [(0, 3), (2, 3)]);
    assert_eq!(rows(squares.result), [(0, 9), (2, 9)]);
}

#[test]
fn missing_and_misfit_data_are_errors() {
    let mut k = Build::new(&[('i', 3)]);
    let b = k.operand("B", "i", "c", None, &[(&[1], 5)]);
    let mut case = k.case("i", "c", b);
    case.dims[0] = 4;
    let run = |case: &Case| execute(&case.kernel, &case.dims, &case.data, None).unwrap_err().message;
    assert_eq!(run(&case), "tensor B has shape [3] and is accessed with sizes [4]");
    case.data.clear();
    assert_eq!(run(&case), "no data for tensor B");
    case.dims.clear();
    assert_eq!(run(&case), "0 sizes for 1 variables");
}

#[test]
fn sizes_beyond_memory_are_errors() {
    for levels in ["cc", "dd"] {
        let mut k = Build::new(&[('i', 1 << 20), ('j', 1 << 20)]);
        let a = k.operand("A", "ij", "cc", Some(1), &[]);
        let e = k.reduce(Fun::Max, "j", a);
        let b = k.operand("B", "ij", "cc", None, &[]);
        let e = k.add(e, b);
        let case = k.case("ij", levels, e);
        let error = execute_within(&case.kernel, &case.dims, &case.data, None, 1 << 16).unwrap_err();
        assert_eq!(error.code, TOO_LARGE);
    }
}
