//! Kernels that once gave wrong values, or were refused without a reason, with results written by hand, through files.

use crate::support::Folder;

/// A tensor: name, levels, sizes, the values of all coordinates, or none of a result, and the value that is not stored.
struct Tensor<'t> {
    name: &'t str,
    levels: &'t [&'t str],
    shape: &'t [u64],
    values: &'t [i64],
    fill: i64,
}

const fn tensor<'t>(name: &'t str, levels: &'t [&'t str], shape: &'t [u64], values: &'t [i64]) -> Tensor<'t> {
    Tensor { name, levels, shape, values, fill: 0 }
}

/// The lines of a .tns file of what is not the fill.
fn entries(shape: &[u64], values: &[i64], fill: i64) -> String {
    let mut out = String::new();
    for (n, value) in values.iter().enumerate().filter(|(_, v)| **v != fill) {
        let (mut coordinates, mut rest) = (Vec::new(), n as u64);
        for size in shape.iter().rev() {
            coordinates.push((rest % size + 1).to_string());
            rest /= size;
        }
        coordinates.reverse();
        out += &format!("{} {value}\n", coordinates.join(" "));
    }
    out
}

/// Runs statements in numbers of this type, and compares the results, which are the tensors that `expected` names.
fn gives(expr: &str, ty: &str, tensors: &[Tensor<'_>], expected: &[(&str, &[i64])]) {
    scheduled("", expr, ty, tensors, expected);
}

/// The same, with these other lines in the kernel file.
fn scheduled(lines: &str, expr: &str, ty: &str, tensors: &[Tensor<'_>], expected: &[(&str, &[i64])]) {
    let folder = Folder::new();
    let (mut text, mut args) = (format!("expr = \"{expr}\"\n{lines}"), vec!["run".to_owned(), "k.toml".to_owned()]);
    for Tensor { name, levels, shape, values, fill } in tensors {
        text += &format!("[tensors.{name}]\ntype = \"{ty}\"\nlevels = {levels:?}\nshape = {shape:?}\n");
        if !values.is_empty() {
            text += &format!("fill = {fill}\n");
            folder.write(&format!("{name}.tns"), entries(shape, values, *fill));
            args.extend(["--tensor".to_owned(), format!("{name}={name}.tns")]);
        }
    }
    for (name, _) in expected {
        args.extend(["--out".to_owned(), format!("{name}={name}_out.tns")]);
    }
    let ran = folder.write("k.toml", &text).fine(&args);
    assert!(ran.out.contains("matches  the reference"), "{expr}: {}", ran.out);
    for (name, values) in expected {
        let out = folder.read(&format!("{name}_out.tns"));
        let entry = |line: &&str| !line.starts_with('#') && !line.ends_with(" 0");
        let whole = out.lines().map(|line| line.strip_suffix(".0").unwrap_or(line));
        let lines: String = whole.filter(entry).map(|line| format!("{line}\n")).collect();
        let shape = tensors.iter().find(|t| t.name == *name).map_or(vec![values.len() as u64], |t| t.shape.to_vec());
        assert_eq!(lines, entries(&shape, values, 0), "{name} of {expr}");
    }
}

const V: &[i64] = &[0, 4, 5, 0, 0, 7, 8, 9, 0];

#[test]
fn statements_share_a_scanner_of_blocks_that_one_joins_by_intervals() {
    for levels in [&["compressed"], &["dense"], &["bitvector8"], &["block"], &["run"]] {
        let tensors = [
            tensor("v", &["block"], &[9], V),
            tensor("t", &["block"], &[9], &[3, 2, 0, 0, 1, 1, 1, 0, 6]),
            tensor("x", &["compressed"], &[9], &[]),
            tensor("y", levels, &[9], &[]),
        ];
        let product = [0, 8, 0, 0, 0, 7, 8, 0, 0];
        gives("x(j) = v(j) * t(j); y(j) = v(j)", "i16", &tensors, &[("x", &product), ("y", V)]);
    }
}

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
fn what_rounds_carry_is_read_at_computed_coordinates_where_it_is_dense() {
    let folder = Folder::new();
    let kernel = |level: &str| {
        format!(
            "expr = \"y(i) = x(p(i)) * x(i); more = any[i](y(i) != 0)\"\n[dims]\ni = 4\n[tensors]\n\
             x = {{ levels = [\"{level}\"], type = \"i32\" }}\np = {{ format = \"dense\", type = \"i32\" }}\n\
             y = {{ levels = [\"{level}\"], type = \"i32\", fill = 0 }}\nmore = {{ type = \"bool\" }}\n\
             [repeat]\nwhile = \"more\"\nat_most = 3\ncarry = {{ x = \"y\" }}\n[data]\n\
             x = {{ random = {{ density = 0.5, seed = 2 }} }}\n\
             p = {{ random = {{ density = 1.0, seed = 3, values = [1, 3] }} }}\n"
        )
    };
    let ran = folder.write("k.toml", kernel("compressed")).run(&["run", "k.toml"]);
    assert!(ran.err.starts_with("error[S022]: x is read at computed coordinates"), "{}", ran.err);
    folder.write("k.toml", kernel("dense")).fine(&["run", "k.toml"]);
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
fn lanes_in_step_have_banks_of_one_size() {
    // Seven columns in three lanes: two banks have one beyond the end, which takes nothing from the rows below.
    let (b, x) = (&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14], &[10, 20]);
    for memory in ["ram", "axi"] {
        let more = format!("\"\n[schedule]\nlanes = {{ k = 3 }}\n[hardware]\nmemory = \"{memory}");
        let tensors = [
            tensor("b", &["dense", "dense"], &[2, 7], b),
            tensor("x", &["dense"], &[2], x),
            tensor("y", &["dense", "dense"], &[2, 7], &[]),
        ];
        let expected = [11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31, 32, 33, 34];
        gives(&format!("y(i,k) = b(i,k) + x(i){more}"), "i32", &tensors, &[("y", &expected)]);
    }
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

const SIX: &[i64] = &[3, 1, 4, 1, 5, 9];

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
fn names_of_packings_and_versions_are_different_ones() {
    let tensors = [tensor("R", &["compressed"], &[6], &[]), tensor("a", &["compressed"], &[6], &[0, 0, 0, 0, 0, 1])];
    gives("R(k) min= 1; R(k) = 1; R(k) = a(k)", "i32", &tensors, &[("R", &[0, 0, 0, 0, 0, 1])]);
}

#[test]
fn lanes_read_no_rows_that_lanes_left_out() {
    const A: &[i64] = &[0, 0, 0, 1];
    for levels in [&["compressed", "dense"], &["compressed", "compressed"]] {
        let tensors = [
            tensor("A", &["compressed", "compressed"], &[2, 2], A),
            tensor("Q", levels, &[2, 2], &[]),
            tensor("R", levels, &[2, 2], &[]),
        ];
        let lanes = "schedule = { lanes = { i = 2 } }\n";
        scheduled(lanes, "Q(j,i) = A(j,i); R(j,i) = Q(j,i) * 2", "i32", &tensors, &[("R", &[0, 0, 0, 2])]);
        let [a, _, r] = tensors;
        scheduled(lanes, "R(j,i) = A(j,i); R(j,i) += A(j,i)", "i32", &[a, r], &[("R", &[0, 0, 0, 2])]);
    }
}

#[test]
fn lanes_do_not_cut_what_rounds_carry_as_the_host_would() {
    let rounds =
        "schedule = { lanes = { i = 2 } }\nrepeat = { while = \"more\", at_most = 2, carry = { A = \"R\" } }\n";
    let pattern = &[0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0];
    for lanes in ["2", "3", "4"] {
        let rounds = rounds.replace("i = 2", &format!("i = {lanes}"));
        let two = ["compressed", "compressed"];
        let tensors =
            [tensor("A", &two, &[4, 4], pattern), tensor("R", &two, &[4, 4], &[]), tensor("more", &[], &[], &[])];
        scheduled(&rounds, "R(j,i) = A(j,i); more = 1", "i32", &tensors, &[("R", pattern)]);
    }
    // Of one index there is no row that could have the lanes instead.
    let folder = Folder::new();
    let vector = "type = \"i32\"\nlevels = [\"compressed\"]\nshape = [5]\n";
    let scalar = "type = \"i32\"\nlevels = []\n";
    let tables = [("A", vector), ("b", vector), ("R", vector), ("Q", scalar), ("more", scalar)];
    let tables: String = tables.iter().map(|(name, table)| format!("[tensors.{name}]\n{table}")).collect();
    folder.write("k.toml", format!("expr = \"R(j) = b(j) * 2; Q = A(i); more = 1\"\n{rounds}{tables}"));
    let ran = folder.run(&["graph", "k.toml"]);
    assert!(ran.err.contains("error[S020]") && ran.err.contains("rounds carry R to A"), "{}", ran.err);
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
fn what_is_written_behind_a_bus_is_read_when_it_is_there() {
    for size in [57, 64, 73, 80, 96, 137] {
        let (seven, all, shape) = (vec![7; size], vec![21; size], [size as u64]);
        let tensors = [
            tensor("R", &["dense"], &shape, &[]),
            tensor("b", &["dense"], &[1], &[3]),
            tensor("Q", &["dense"], &shape, &[]),
        ];
        for (ty, width) in [("i32", 32), ("i64", 64)] {
            let bus = format!("hardware = {{ memory = \"axi\", axi = {{ data_width = {width} }} }}\n");
            let expected = [("R", &seven[..]), ("Q", &all[..])];
            scheduled(&bus, "R(j) = 7; Q(j) = R(j) * b(i)", ty, &tensors, &expected);
        }
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
