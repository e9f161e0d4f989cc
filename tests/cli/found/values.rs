//! Values: recurrences, updates, fills, masks.

use super::{Tensor, gives, scheduled, tensor};
use crate::support::Folder;

#[test]
fn recurrences_stay_such_where_a_later_statement_writes_the_result_again() {
    let (a, b) = (&[0, 2, 0, 1, 0], &[50, 51, 52, 53, 3]);
    for (expr, expected) in [
        ("y(i) = y(i - 1) + a(i) + 1; y(i) min= b(i)", [1, 4, 5, 7, 3]),
        ("y(i) = y(i - 1) + a(i) + 1; y(i) += b(i)", [51, 55, 57, 60, 11]),
        ("y(i) = y(i - 1) + a(i) + 1; y(i[2:4]) = b(i)", [1, 4, 50, 51, 8]),
    ] {
        let shape = [if expr.contains("[2:4]") { 2 } else { 5 }];
        let b = tensor("b", &["dense"], &shape, &b[..shape[0] as usize]);
        let tensors = [tensor("a", &["dense"], &[5], a), b, tensor("y", &["dense"], &[5], &[])];
        gives(expr, "i32", &tensors, &[("y", &expected)]);
    }
}

#[test]
fn kernel_files_that_once_ended_the_program_are_read_or_refused() {
    let folder = Folder::new();
    let ran = folder.write("k.toml", "expr = 日本\n").run(&["graph", "k.toml"]);
    assert_eq!((ran.status, ran.err.starts_with("error[K001]")), (2, true), "{}", ran.err);
    let scalar = "expr = \"z = 1; y(i) = i\"\n[dims]\ni = 8\n[tensors]\nz = { type = \"i32\" }\ny = { format = \"dense\", type = \"i32\" }\n[order]\nz = []\n";
    folder.write("k.toml", scalar).fine(&["run", "k.toml"]);
}

#[test]
fn recurrences_of_the_type_of_their_coordinates() {
    for ty in ["i8", "i8s", "i16"] {
        let tensors = [tensor("a", &["dense"], &[5], &[3, 1, 4, 1, 5]), tensor("y", &["dense"], &[5], &[])];
        for (expr, values) in [
            ("y(i) = y(i - 1) + a(i)", [3, 4, 8, 9, 14]),
            ("y(i) = max(y(i - 1) - 1, a(i))", [3, 2, 4, 3, 5]),
            ("y(i) = a(i) * y(i - 1) + 1", [1, 2, 9, 10, 51]),
            ("y(i) = coalesce(y(-1 + i), 2) + a(i)", [5, 6, 10, 11, 16]),
        ] {
            gives(expr, ty, &tensors, &[("y", &values)]);
        }
    }
}

#[test]
fn recurrences_along_more_coordinates_than_a_byte_has() {
    let ones = [1; 300];
    let sums: Vec<i64> = (1..=300).collect();
    let tensors = [tensor("a", &["dense"], &[300], &ones), tensor("y", &["dense"], &[300], &[])];
    gives("y(i) = y(i - 1) + a(i)", "i16", &tensors, &[("y", &sums)]);
}

#[test]
fn bounds_of_sums_of_floats_end_where_whole_numbers_wrap() {
    let tensors = [
        tensor("A", &["dense", "dense"], &[2, 3], &[8_388_608, -8_388_608, 10, 8_388_608, 10, -8_388_608]),
        tensor("x", &["dense"], &[2], &[12, -12]),
        tensor("y", &["dense"], &[2], &[]),
    ];
    for (expr, values) in [
        ("y(i) = f32(i8(sum[j](A(i,j))) * i8(x(i)))", [120, -120]),
        ("y(i) = f32(square(i8(sum[j](A(i,j)))) + i8(x(i)))", [112, 88]),
        ("y(i) = f32(sum[k](i8(sum[j](A(i,j))) + i8(0 * x(k))))", [20, 20]),
    ] {
        gives(expr, "f32", &tensors, &[("y", &values)]);
    }
}

#[test]
fn updates_begin_with_what_their_function_does_where_nothing_is_declared() {
    let pruned = "tensors.R = { levels = [\"compressed\"], type = \"i32\", shape = [5], prune = true }\n";
    let a = [tensor("a", &["compressed"], &[5], &[0, -2, 0, 4, 0])];
    for (expr, values) in [
        ("R(i) min= i + 1", [1, 2, 3, 4, 5]),
        ("R(i) min= a(i) + i", [0, -1, 2, 7, 4]),
        ("R(i) max= a(i)", [0, -2, 0, 4, 0]),
    ] {
        let read = &a[..usize::from(expr.contains('a'))];
        scheduled(pruned, expr, "i32", read, &[("R", &values)]);
    }
}

#[test]
fn old_values_of_lists_come_in_order() {
    let tensors = [
        tensor("A", &["compressed"], &[3], &[0, 5, 0]),
        tensor("R", &["dense", "linked_list"], &[3, 3], &[]),
        tensor("Q", &["compressed"], &[3], &[]),
    ];
    gives("R(j,l) max= A(l) - 1; Q(l) = R(l,j)", "i32", &tensors, &[("Q", &[2, 2, 2])]);
    gives("R(j,l) min= A(l) + 2; Q(l) = sum[j](R(l,j) + 1)", "i32", &tensors, &[("Q", &[14, 14, 14])]);
    let [a, r, q] = tensors;
    let old = Tensor { values: &[0, 7, 0, 5, 0, 0, 0, 0, 0], ..r };
    gives("R(j,l) += A(l); Q(l) = R(l,j)", "i32", &[a, old, q], &[("Q", &[12, 10, 5])]);
}

#[test]
fn one_coordinate_of_a_pruned_result_is_there_where_that_has_a_value() {
    let mut a = [0; 81];
    (a[2 * 9 + 2], a[4 * 9 + 1]) = (4, 3);
    let pruned =
        "tensors.R = { levels = [\"compressed\", \"compressed\"], type = \"i32\", shape = [9, 9], prune = true }\n";
    let tensors = [tensor("A", &["compressed", "compressed"], &[9, 9], &a), tensor("Q", &["compressed"], &[9], &[])];
    for expr in ["R(i,j) = cumsum[j](A(i,j)); Q(i) = R(i,2)", "R(i,j) = max(A(i,j), i - 20); Q(i) = R(i,2)"] {
        let second = if expr.contains("cumsum") { 3 } else { 0 };
        scheduled(pruned, expr, "i32", &tensors, &[("Q", &[0, 0, 4, 0, second, 0, 0, 0, 0])]);
    }
}

#[test]
fn of_operands_that_decide_alone_one_stays() {
    for (both, values) in [
        ("pres(b(1)) or pres(b(1)) or pres(c(0))", [4, 1]),
        ("pres(b(1)) or pres(c(2))", [4, 1]),
        ("pres(b(0)) or pres(c(2))", [4, 1]),
        ("pres(b(0)) or pres(c(1))", [3, 0]),
        ("pres(b(1)) or pres(c(1)) or pres(c(2))", [4, 1]),
    ] {
        let tensors = [
            tensor("a", &["dense"], &[2], &[3, 0]),
            tensor("b", &["compressed"], &[4], &[0, 5, 0, 0]),
            tensor("c", &["compressed"], &[4], &[0, 0, 5, 0]),
            tensor("y", &["dense"], &[2], &[]),
        ];
        gives(&format!("y(i) = ({both}) + a(i)"), "i16", &tensors, &[("y", &values)]);
    }
}

#[test]
fn several_numbers_bound_a_loop_on_one_side() {
    const A: &[i64] = &[3, 1, 4, 1, 5, 9];
    for (mask, values) in [
        ("j > 1 and j == 4", [0, 0, 0, 0, 5, 0]),
        ("j < 3 and j < 4", [3, 1, 4, 0, 0, 0]),
        ("j >= 2 and j > 3 and j < 5", [0, 0, 0, 0, 5, 0]),
        ("j == 4 and j == 2", [0, 0, 0, 0, 0, 0]),
        ("j > 1 and j == 4 or j == 3", [0, 0, 0, 1, 5, 0]),
        ("j == 4 or j == 2", [0, 0, 4, 0, 5, 0]),
        ("j < 1 or j < 2 and j > 0", [3, 1, 0, 0, 0, 0]),
        ("j > s and j > 1 and j > 2", [0, 0, 0, 1, 5, 9]),
    ] {
        for levels in ["dense", "compressed"] {
            let levels = [levels];
            let tensors = [
                tensor("A", &levels, &[6], A),
                tensor("s", &[], &[], &[1]),
                tensor("y", &["dense"], &[6], &[]),
                tensor("t", &[], &[], &[]),
            ];
            let sum = [values.iter().sum()];
            let [a, s, y, t] = tensors;
            let all = if mask.contains('s') { vec![a, s, y, t] } else { vec![a, y, t] };
            let expr = format!("y(j) = mask({mask}, A(j)); t = sum[j](mask({mask}, A(j)))");
            gives(&expr, "i32", &all, &[("y", &values), ("t", &sum)]);
        }
    }
}

#[test]
fn disjunctions_bound_loops_of_numbers_of_every_type() {
    for ty in ["i32", "i8", "f32", "bf16", "fx16.8"] {
        let folder = Folder::new();
        let table = |name| format!("[tensors.{name}]\ntype = \"{ty}\"\nformat = \"dense\"\n");
        let tables = [table("y"), table("A")].concat();
        let data = "[data]\nA = { random = { density = 1.0 } }\n";
        let expr = "expr = \"y(i) = mask(j == i + 2 or j == i, A(i,j))\"\ndims = { i = 64, j = 64 }\n";
        let out = folder.write("k.toml", format!("{expr}{tables}{data}")).fine(&["run", "k.toml"]).out;
        let cycles = out.lines().find_map(|line| line.strip_prefix("cycles")).unwrap().trim();
        assert!(out.contains("matches  the reference") && cycles.parse::<u64>().unwrap() < 400, "{ty}: {out}");
    }
}

#[test]
fn blocks_of_a_pruned_sum_have_room_for_what_it_leaves_out_of_them() {
    let a = &[0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 2, 3, 0, 4, 1, 0, 1, 0, 0, 0, 0, 0];
    for level in ["block", "run", "compressed"] {
        let (levels, ty) = (["compressed", level], "f32");
        let tensors = [
            Tensor { more: "prune = true", ..tensor("R", &levels, &[3, 4], &[]) },
            tensor("A", &["compressed", "compressed", "dense"], &[2, 3, 4], a),
        ];
        let sums = [2, 3, 0, 4, 2, 0, 1, 1, 0, 0, 0, 0];
        gives("R(j,k) = A(i,j,k)", ty, &tensors, &[("R", &sums)]);
    }
}

#[test]
fn what_lands_alone_at_its_place_is_no_sum_that_rounds() {
    // Rows 1, 3, 1 of a, at their own columns.
    let (a, p, there) = (&[5, 0, 7], &[1, 3, 1], &[0, 0, 0, 5, 0, 7, 0, 0, 0, 0, 0, 0]);
    let there_turned = &[0, 5, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0];
    for (expr, sizes, expected) in [
        ("R(p(j),j) = a(j); Q(i,j) = R(i,j)", [4, 3], there),
        ("R(j,p(j)) = a(j); Q(i,j) = R(i,j)", [3, 4], there_turned),
    ] {
        let sparse = ["compressed", "compressed"];
        let tensors = [
            tensor("a", &["compressed"], &[3], a),
            Tensor { more: "type = \"i32\"", ..tensor("p", &["dense"], &[3], p) },
            Tensor { more: "prune = true", ..tensor("R", &sparse, &sizes, &[]) },
            tensor("Q", &sparse, &sizes, &[]),
        ];
        gives(expr, "f32", &tensors, &[("R", expected), ("Q", expected)]);
    }
}

#[test]
fn bounds_leave_out_nothing_that_a_pruned_result_does_not_stand_for() {
    let c = &[5, 0, 6, 7, 0, 8];
    for (condition, expected) in [
        ("k > 3", [0, 0, 0, 0, 0, 8]),
        ("k == 2 or k < 1", [5, 0, 6, 0, 0, 0]),
        ("lnot(k > 0 and k < 4)", [5, 0, 0, 0, 0, 8]),
    ] {
        for fill in [0, 2] {
            let more = format!("prune = true\nfill = {fill}");
            let tensors =
                [tensor("c", &["dense"], &[6], c), Tensor { more: &more, ..tensor("Q", &["compressed"], &[6], &[]) }];
            gives(&format!("Q(k) = mask({condition}, c(k))"), "i32", &tensors, &[("Q", &expected)]);
        }
    }
}

#[test]
fn intervals_between_numbers_bound_a_loop_within_values() {
    // From a on, and below 1 or from 3 on.
    let d = &[1, 2, 0, 4, 5, 6];
    for (condition, a, sum) in [
        ("i >= a and (i < 1 or 1 <= i and i < 1 or i >= 3)", [1], 15),
        ("i >= a and (i < 1 or 1 <= i and i < 1 or i >= 3)", [-1], 16),
        ("(i == 4 or 5 <= i and i < 3 or i <= 0) and i <= a", [4], 6),
    ] {
        let tensors = [tensor("a", &[], &[], &a), tensor("d", &["dense"], &[6], d), tensor("t", &[], &[], &[])];
        gives(&format!("t = sum[i](mask({condition}, d(i)))"), "i32", &tensors, &[("t", &[sum])]);
    }
}

#[test]
fn loops_do_not_begin_where_a_condition_without_an_index_does_not_hold() {
    const A: &[i64] = &[3, 1, 0, 1, 5, 9];
    for (condition, holds) in [
        ("s", true),
        ("s > 2", true),
        ("s > 3", false),
        ("lnot(s)", false),
        ("(s == 3 and s > 3)", false),
        ("s != r", true),
    ] {
        for levels in ["dense", "compressed"] {
            let levels = [levels];
            for (value, within, outside) in [
                (format!("mask({condition}, A(j))"), 0, 0),
                (format!("where({condition}, A(j), 7)"), 0, 7),
                (format!("mask({condition}, A(j) + 2)"), 2, 0),
                (format!("mask({condition} and j < 9, A(j))"), 0, 0),
            ] {
                let all = [
                    tensor("A", &levels, &[6], A),
                    tensor("s", &[], &[], &[3]),
                    tensor("r", &[], &[], &[2]),
                    tensor("y", &["dense"], &[6], &[]),
                    tensor("t", &[], &[], &[]),
                ];
                let all = all.into_iter().filter(|t| t.name != "r" || condition.contains('r')).collect::<Vec<_>>();
                let y: Vec<i64> = A.iter().map(|a| if holds { a + within } else { outside }).collect();
                let t = if holds { A.iter().sum() } else { 4 };
                let expr = format!("y(j) = {value}; t = where({condition}, sum[j](A(j)), 4)");
                gives(&expr, "i32", &all, &[("y", &y), ("t", &[t])]);
            }
        }
    }
}
