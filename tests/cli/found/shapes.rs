//! Slices, index sets and shape operators.

use super::{Tensor, gives, scheduled, tensor};
use crate::support::Folder;

const SIX: &[i64] = &[3, 1, 4, 1, 5, 9];

#[test]
fn scans_along_an_index_at_a_slice_on_the_left_begin_with_the_slice() {
    let b = &[7, 8, 3, 8];
    for (expr, expected) in [
        ("y(i) = 0; y(i[2:6]) = cummin[i](b(i))", [0, 0, 7, 7, 3, 3, 0, 0]),
        ("y(i) = 0; y(i[2:6]) = cumsum[i](b(i) + 1)", [0, 0, 8, 17, 21, 30, 0, 0]),
        ("y(i) = 1; y(i[2:6]) += cumsum[i](b(i) + 1)", [1, 1, 9, 18, 22, 31, 1, 1]),
        ("y(i) = 0; y(i[2:6]) = cummax[i](-b(i))", [0, 0, -7, -7, -3, -3, 0, 0]),
        ("y(i) = 0; y(i[0:8:2]) = scan(all, i, b(i))", [1, 0, 1, 0, 1, 0, 1, 0]),
        ("y(i) = 0; y(i[0:4]) = cumprod[i](b(i))", [7, 56, 168, 1344, 0, 0, 0, 0]),
    ] {
        let tensors = [tensor("b", &["dense"], &[4], b), tensor("y", &["dense"], &[8], &[])];
        gives(expr, "i32", &tensors, &[("y", &expected)]);
    }
    let folder = Folder::new();
    let kernel =
        "expr = \"y(i) = 0; y(i[5:1:-1]) = cumsum[i](b(i))\"\n[tensors.b]\nshape = [4]\n[tensors.y]\nshape = [8]\n";
    let ran = folder.write("k.toml", kernel).run(&["graph", "k.toml"]);
    assert!(ran.err.starts_with("error[E009]: a scan along an index at this slice"), "{}", ran.err);
}

#[test]
fn indices_at_a_slice_on_the_left_count_in_it_beside_computed_coordinates() {
    let a = &[4, 5, -4, 6, 1, -2, 3, 1, 2];
    let rows = |at: [usize; 3]| {
        let mut y = vec![0; 24];
        for (row, of) in at.into_iter().zip([[0, 4, 5], [0, 6, 1], [0, 3, 1]]) {
            y[3 * row..3 * row + 3].copy_from_slice(&of);
        }
        y
    };
    for (slice, at) in [("2:5", [2, 3, 4]), ("1:6:2", [1, 3, 5]), ("4:1:-1", [4, 3, 2]), ("{6,1,3}", [6, 1, 3])] {
        let expr = format!("y(m,k) = 0; y(j[{slice}], k) = a(j, k - 1)");
        let tensors = [tensor("a", &["dense", "dense"], &[3, 3], a), tensor("y", &["dense", "dense"], &[8, 3], &[])];
        gives(&expr, "i32", &tensors, &[("y", &rows(at))]);
    }
    // The value of an index counts in a set, too.
    let tensors = [tensor("c", &["dense"], &[3], &[5, 6, 7]), tensor("y", &["dense"], &[8], &[])];
    gives("y(i) = 0; y(i[{6,1,3}]) = c(i) + 10 * i", "i32", &tensors, &[("y", &[0, 16, 0, 27, 0, 0, 5, 0])]);
}

#[test]
fn shape_operators_at_a_slice_on_the_left_count_in_it() {
    let b = &[4, 5, -4, 6, 1, -2];
    for source in ["b", "t"] {
        for (operator, expected) in [
            ("y(k[1:4]) = repeat(T, 0, 2)(k[5:8])", [0, -4, 6, 6, 0, 0]),
            ("y(k[3:0:-1]) = repeat(T, 0, 2)(k[5:8])", [0, 6, 6, -4, 0, 0]),
            ("y(k[1:4]) = roll(T, 0, 2)(k[0:3])", [0, 1, -2, 4, 0, 0]),
            ("y(k[1:4]) = reshape(T, 2, 3)(1, k)", [0, 6, 1, -2, 0, 0]),
            ("y(k[{4,0,2}]) = reshape(T, 2, 3)(1, k)", [1, 0, -2, 0, 6, 0]),
        ] {
            let before = if source == "t" { "t(m) = b(m); " } else { "" };
            let expr = format!("{before}y(n) = 0; {}", operator.replace('T', source));
            let (b, t) = (tensor("b", &["dense"], &[6], b), tensor("t", &["dense"], &[6], &[]));
            let y = tensor("y", &["dense"], &[6], &[]);
            let tensors = if source == "t" { vec![b, t, y] } else { vec![b, y] };
            gives(&expr, "i32", &tensors, &[("y", &expected)]);
        }
    }
}

#[test]
fn a_slice_shares_no_loop_with_a_statement_over_the_whole_level() {
    for v in [&[-7, -2, -3, -4], &[-1, -5, -6, -2]] {
        let tensors = [
            tensor("v", &["compressed"], &[4], v),
            tensor("u", &["compressed"], &[4], &[]),
            tensor("y", &["dense"], &[4], &[]),
        ];
        let most = [v[1]; 4];
        gives("u(k) = v(k); y(k) = max[l](v(l[1:2]))", "i32", &tensors, &[("u", v), ("y", &most)]);
    }
}

#[test]
fn the_operator_on_the_left_is_one_in_other_statements() {
    let tensors =
        [tensor("b", &["dense"], &[6], SIX), tensor("y", &["dense"], &[6], &[]), tensor("z", &["dense"], &[6], &[])];
    let (turned, back) = ([9, 3, 1, 4, 1, 5], [1, 4, 1, 5, 9, 3]);
    for (first, y, second, z) in [
        ("y(i) = expand(reshape(b, 6), 0)(0, i)", SIX, "reshape(z, 6)(l) = b(l)", SIX),
        ("y(i) = expand(roll(b, 0, 1), 0)(0, i)", &turned, "roll(z, 0, 1)(l) = b(l)", &back),
        ("y(i) = roll(roll(b, 0, 2), 0, -1)(i)", &turned, "roll(z, 0, 1)(l) = b(l)", &back),
        ("y(i) = collapse(split(b, 0, 3), 0)(i)", SIX, "collapse(split(z, 0, 2), 0)(l) = b(l)", SIX),
        ("y(i) = squeeze(transpose(expand(b, 0), 1, 0), 1)(i)", SIX, "transpose(z, 0)(l) = b(l)", SIX),
    ] {
        let expected = [("y", y), ("z", z)];
        gives(&format!("{first}; {second}"), "i32", &tensors, &expected);
        gives(&format!("{second}; {first}"), "i32", &tensors, &expected);
    }
}

#[test]
fn the_diagonal_of_what_is_no_square_has_the_shorter_size() {
    const B: &[i64] = &[1, 2, 3, 4, 5, 6];
    for levels in [&["dense", "dense"], &["dense", "compressed"], &["compressed", "compressed"]] {
        for (of, values) in [
            ("roll(b, 1, 1)", [3, 4]),
            ("roll(b, 0, 1)", [4, 2]),
            ("flip(b, 0)", [4, 2]),
            ("flip(b, 1)", [3, 5]),
            ("flip(c, 0)", [5, 4]),
            ("transpose(flip(c, 0), 1, 0)", [5, 4]),
            ("flip(transpose(c, 1, 0), 1)", [5, 4]),
            ("slice(c, 0, 1, 3)", [3, 6]),
            ("slice(b, 1, 0, 3, 2)", [1, 6]),
            ("pad(b, 1, 0, 2)", [1, 5]),
            ("concat(1, b, b)", [1, 5]),
            ("reshape(c, 2, 3)", [1, 5]),
            ("split(reshape(b, 6), 0, 3)", [1, 5]),
        ] {
            let (name, shape): (_, &[u64]) = if of.contains("(c, ") { ("c", &[3, 2]) } else { ("b", &[2, 3]) };
            let tensors = [tensor(name, levels, shape, B), tensor("y", &["dense"], &[2], &[])];
            gives(&format!("y(i) = diag({of})(i)"), "i32", &tensors, &[("y", &values)]);
            gives(&format!("y(i) = diag({of}, 0)(i)"), "i32", &tensors, &[("y", &values)]);
        }
    }
}

#[test]
fn data_for_a_part_that_is_not_read_are_not_used() {
    let tensors = [
        tensor("a", &["dense"], &[6], SIX),
        tensor("b", &["dense"], &[6], &[1, 2, 3, 4, 5, 6]),
        tensor("y", &["dense"], &[6], &[]),
    ];
    for part in ["stack(0, a, b)(0, i)", "stack(1, stack(0, b, a), stack(0, b, b))(1, 0, i)"] {
        gives(&format!("y(i) = {part}"), "i32", &tensors, &[("y", SIX)]);
    }
}

#[test]
fn a_kronecker_product_beside_others_is_there_where_its_parts_say() {
    for (a, b, c) in [(0, 0, 0), (-1, 1, -1), (0, -1, 0), (-1, 0, 0), (2, -1, -2)] {
        let (with, beside) = ([3, a], [b, 5]);
        let expected = [3 * b, 15, a * b, 5 * a, 7, c];
        let last = [7, c];
        for [one, other] in [["compressed", "compressed"], ["dense", "compressed"], ["compressed", "bitvector"]] {
            let (one, other) = ([one], [other]);
            let tensors = [
                Tensor { fill: a, ..tensor("a", &one, &[2], &with) },
                Tensor { fill: b, ..tensor("b", &other, &[2], &beside) },
                Tensor { fill: c, ..tensor("c", &["compressed"], &[2], &last) },
                tensor("y", &["dense"], &[6], &[]),
            ];
            let turned: Vec<i64> = expected[4..].iter().chain(&expected[..4]).copied().collect();
            gives("y(i) = concat(0, kron(a, b), c)(i)", "i32", &tensors, &[("y", &expected)]);
            gives("y(i) = concat(0, c, kron(a, b))(i)", "i32", &tensors, &[("y", &turned)]);
        }
    }
}

#[test]
fn shape_operators_at_numbers_know_what_is_stored() {
    let cases: [(&str, [i64; 2]); 15] = [
        ("roll(b, 0, 1)(1)", [6, 3]),
        ("roll(b, 0, 1)(2)", [8, 5]),
        ("concat(0, b, a)(0)", [6, 3]),
        ("concat(0, b, a)(1)", [8, 5]),
        ("concat(0, b, roll(a, 0, 1))(5)", [6, 3]),
        ("reshape(b, 2, 2)(1, 1)", [6, 3]),
        ("flip(reshape(b, 2, 2), 1)(0, 0)", [8, 5]),
        ("reshape(roll(pad(b, 0, 1, 1), 0, 1), 2, 3)(0, 1)", [6, 3]),
        ("reshape(roll(pad(b, 0, 1, 1), 0, 1), 2, 3)(1, 0)", [8, 5]),
        ("pad(b, 0, 1, 1)(0)", [6, 3]),
        ("slice(roll(b, 0, 1), 0, 1, 3)(0)", [6, 3]),
        ("repeat(b, 0, 2)(4)", [6, 3]),
        ("diag(b)(1, 2)", [6, 3]),
        ("tile(b + b, 2)(5)", [13, 10]),
        ("stack(0, b, b)(1, 3)", [6, 3]),
    ];
    for (of, values) in cases {
        let tensors = [
            tensor("a", &["dense"], &[2], &[3, 0]),
            tensor("b", &["compressed"], &[4], &[0, 5, 0, 0]),
            tensor("y", &["dense"], &[2], &[]),
        ];
        gives(&format!("y(i) = where(pres({of}), {of}, 3) + a(i)"), "i16", &tensors, &[("y", &values)]);
    }
    let matrix =
        [tensor("B", &["dense", "compressed"], &[2, 3], &[0, 4, 0, 5, 0, 6]), tensor("y", &["dense"], &[2], &[])];
    for (of, more, values) in [
        ("roll(B, 1, 1)(i, 2)", "", [4, 9]),
        ("roll(B, 1, 1)(i, 1)", "", [9, 5]),
        ("flip(roll(B, 1, 1), 0)(i, 0)", "", [6, 9]),
        ("roll(reshape(B, 3, 2), 0, 1)(1, 1)", " + i", [4, 5]),
        ("roll(reshape(B, 3, 2), 0, 1)(1, 0)", " + i", [9, 10]),
    ] {
        gives(&format!("y(i) = where(pres({of}), {of}, 9){more}"), "i16", &matrix, &[("y", &values)]);
    }
}

#[test]
fn shape_operators_on_the_left_take_values_without_an_index() {
    for (expr, values) in [
        ("flip(y, 0)(i) = 1 + s", [6, 6, 6, 6]),
        ("roll(y, 0, 1)(i) = s", [5, 5, 5, 5]),
        ("reshape(y, 2, 2)(i, j) = 1 + s", [6, 6, 6, 6]),
        ("flip(y, 0)(i) = i + s", [8, 7, 6, 5]),
    ] {
        let tensors = [tensor("s", &[], &[], &[5]), tensor("y", &["dense"], &[4], &[])];
        gives(expr, "i16", &tensors, &[("y", &values)]);
    }
}

#[test]
fn a_slice_on_the_left_that_is_all_of_a_mode_leaves_nothing_outside() {
    let a = &[2, 0, 3];
    let rows = |rows: [i64; 3]| rows.iter().flat_map(|&more| a.iter().map(move |v| v + more)).collect::<Vec<i64>>();
    for slice in ["::-1", "2::-1", "{2,0,1}", "0:3", ":"] {
        for (value, expected) in [
            ("a(i)", rows([0, 0, 0])),
            ("a(i) + 1", rows([1, 1, 1])),
            (
                "a(i) + j",
                rows(match slice {
                    "::-1" | "2::-1" => [2, 1, 0],
                    "{2,0,1}" => [1, 2, 0],
                    _ => [0, 1, 2],
                }),
            ),
        ] {
            for levels in [["dense", "compressed"], ["compressed", "dense"]] {
                let tensors = [tensor("a", &["compressed"], &[3], a), tensor("y", &levels, &[3, 3], &[])];
                gives(&format!("y(j[{slice}],i) = {value}"), "i32", &tensors, &[("y", &expected)]);
            }
        }
    }
}

#[test]
fn shape_operators_stand_on_both_sides_with_a_schedule() {
    let a: Vec<i64> = (0..12).map(|at| if at % 3 == 1 { 0 } else { at + 1 }).collect();
    let at = |i: usize, j: usize| a[i * 4 + j];
    // x is 3 x 4: rolled by a row, its rows are those of `A` from the last one on, each backwards.
    let rolled: Vec<i64> = (0..12).map(|k| at((k / 4 + 1) % 3, 3 - k % 4)).collect();
    let turned: Vec<i64> = (0..12).map(|k| at(k % 3, 3 - k / 3)).collect();
    for (left, right, shape, expected) in [
        ("roll(x, 0, 1)(i,j)", "flip(A, 1)(i,j)", [3, 4], &rolled),
        ("transpose(x, 1, 0)(i,j)", "flip(A, 1)(i,j)", [4, 3], &turned),
    ] {
        for schedule in ["", "lanes = { i = 2 }", "lanes = { j = 2 }", "parallel = { i = 2 }", "split = { j = 2 }"] {
            let tensors = [tensor("A", &["dense", "compressed"], &[3, 4], &a), tensor("x", &["dense"; 2], &shape, &[])];
            let lines = format!("schedule = {{ x = {{ {schedule} }} }}\n");
            scheduled(&lines, &format!("{left} = {right}"), "i32", &tensors, &[("x", expected)]);
        }
    }
}
