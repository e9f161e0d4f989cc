//! Earlier results that are read otherwise than they lie on the chip: in another order, backwards, at
//! computed coordinates.

use super::{Folder, Tensor, entries, scheduled, tensor};

const ROWS: usize = 5;
const COLUMNS: usize = 4;
const A: [i64; 20] = [0, 3, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 5, 6, 0, 0, 0, 0, 7];
const B: [i64; 20] = [1, 0, 0, 0, 4, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 9, 0, 8, 0, 0];

/// Twice what A has at these coordinates.
fn twice(i: usize, j: usize) -> i64 {
    2 * A[i * COLUMNS + j]
}

/// The values of a matrix of so many rows and columns.
fn matrix(rows: usize, columns: usize, value: impl Fn(usize, usize) -> i64) -> Vec<i64> {
    (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))).map(|(i, j)| value(i, j)).collect()
}

#[test]
fn values_are_those_of_the_result_in_any_order_level_and_schedule() {
    let (rows, columns) = (ROWS as u64, COLUMNS as u64);
    let turned = matrix(COLUMNS, ROWS, |p, q| twice(q, p) + B[p * ROWS + q]);
    let back = matrix(ROWS, COLUMNS, |p, q| twice(ROWS - 1 - p, q));
    let back_inside = matrix(ROWS, COLUMNS, |p, q| twice(p, COLUMNS - 1 - q));
    let both = matrix(COLUMNS, ROWS, |p, q| twice(ROWS - 1 - q, p));
    let there = matrix(COLUMNS, ROWS, |p, q| i64::from(twice(q, p) != 0) * B[p * ROWS + q]);
    let beside = matrix(ROWS, COLUMNS, |p, q| if p + 1 < ROWS { twice(p + 1, q) } else { 0 });
    let cases = [
        ("X(p,q) = T(q,p) + B(p,q)", &turned, [columns, rows]),
        ("X(p,q) = pres(T(q,p)) * B(p,q)", &there, [columns, rows]),
        ("X(r,s) = T(r[::-1],s)", &back, [rows, columns]),
        ("X(r,s) = T(r,s[::-1])", &back_inside, [rows, columns]),
        ("X(p,q) = T(q[::-1],p)", &both, [columns, rows]),
        ("X(r,s) = T(r + 1, s)", &beside, [rows, columns]),
    ];
    let plain = "schedule = { skip = [], wide = {} }\n";
    let axi = "hardware = { memory = \"axi\" }\n";
    for levels in [["compressed", "compressed"], ["dense", "dense"], ["dense", "bitvector"], ["run", "compressed"]] {
        for lines in [plain, axi, "schedule = { parallel = { p = 2 } }\n", "schedule = { fuse = {} }\n"] {
            for (second, expected, shape) in &cases {
                // All nonzero entries of a dense level are there, the others, too.
                let dense = levels[1] == "dense" && second.contains("pres");
                if dense || lines.contains("{ p") && !second.contains("(p,q)") {
                    continue;
                }
                let sparse = ["compressed", "compressed"];
                let mut tensors = vec![
                    tensor("A", &sparse, &[5, 4], &A),
                    tensor("T", &levels, &[5, 4], &[]),
                    tensor("X", &sparse, shape, &[]),
                ];
                if second.contains('B') {
                    tensors.push(tensor("B", &sparse, shape, &B));
                }
                scheduled(lines, &format!("T(i,j) = A(i,j) * 2; {second}"), "i32", &tensors, &[("X", *expected)]);
            }
        }
    }
}

#[test]
fn three_modes_are_turned_in_every_order() {
    let (shape, size) = ([2u64, 3, 4], 24);
    let c: Vec<i64> = (0..size).map(|k| if k % 3 == 0 { k + 1 } else { 0 }).collect();
    let sparse = ["compressed"; 3];
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let names = order.map(|m| ["p", "q", "r"][m]).join(",");
        // Mode m of X is mode order[m] of T.
        let turned: [u64; 3] = order.map(|m| shape[m]);
        let expected: Vec<i64> = (0..size as u64)
            .map(|k| {
                let at = [k / (turned[1] * turned[2]), k / turned[2] % turned[1], k % turned[2]];
                let mut of = [0; 3];
                order.iter().zip(at).for_each(|(&m, c)| of[m] = c);
                c[((of[0] * shape[1] + of[1]) * shape[2] + of[2]) as usize]
            })
            .collect();
        let tensors =
            [tensor("C", &sparse, &shape, &c), tensor("T", &sparse, &shape, &[]), tensor("X", &sparse, &turned, &[])];
        let expr = format!("T(i,j,k) = C(i,j,k); X({names}) = T(p,q,r)");
        scheduled("", &expr, "i32", &tensors, &[("X", &expected)]);
    }
}

#[test]
fn readers_in_one_order_share_a_copy() {
    let folder = Folder::new();
    let square: Vec<i64> = A[..16].to_vec();
    folder.write("a.tns", entries(&[4, 4], &square, 0));
    let sparse = "{ levels = [\"compressed\", \"compressed\"], type = \"i32\" }";
    let text = format!(
        "expr = \"T(i,j) = A(i,j) * 2; X(i,j) = T(j,i) + A(i,j); Y(i,j) = T(j,i) * X(i,j) + T(i,j)\"\n\
         dims = {{ i = 4, j = 4 }}\n[tensors]\nA = {sparse}\nT = {sparse}\nX = {sparse}\nY = {sparse}\n\
         [data]\nA = \"a.tns\"\n"
    );
    let said = folder.write("k.toml", text).fine(&["graph", "k.toml"]).out;
    let copies = said.lines().filter(|line| line.contains("T cannot be read as it lies on the chip")).count();
    assert_eq!(copies, 1, "{said}");
    assert_eq!(said.matches("graph of tmp").count(), 1, "{said}");
    let ran = folder.fine(&["run", "k.toml", "--out", "Y=y.tns"]);
    assert!(ran.out.contains("matches  the reference"), "{}", ran.out);
    let t = |i: usize, j: usize| 2 * square[i * 4 + j];
    let y = matrix(4, 4, |i, j| t(j, i) * (t(j, i) + square[i * 4 + j]) + t(i, j));
    let out: String = folder.read("y.tns").lines().filter(|l| !l.starts_with('#')).map(|l| format!("{l}\n")).collect();
    assert_eq!(out, entries(&[4, 4], &y, 0));
}

#[test]
fn an_order_that_avoids_copies_is_chosen() {
    // No table says how T is stored: its modes lie as X reads them.
    let folder = Folder::new();
    let text = "expr = \"T(i,j) = A(i,j) * 2; X(i,j) = T(j,i)\"\ndims = { i = 9, j = 9 }\n[tensors]\n\
                A = { format = \"csr\", type = \"i32\" }\nX = { format = \"csr\", type = \"i32\" }\n";
    let said = folder.write("k.toml", text).fine(&["graph", "k.toml"]).out;
    assert!(!said.contains("tmp"), "{said}");
}

#[test]
fn shape_operators_on_the_chip_give_what_they_give_on_the_host() {
    // Row by row, T is 20 values: T(i,j) = values[4 * i + j].
    let values: Vec<i64> = A.iter().map(|a| 2 * a).collect();
    let rolled: Vec<i64> = (0..20).map(|k| values[(k + 17) % 20]).collect();
    let turned = matrix(COLUMNS, ROWS, |j, i| twice(i, j));
    let inside = matrix(ROWS, 2, |i, j| twice(i, j + 1));
    let joined: Vec<i64> = values.iter().chain(&values).copied().collect();
    let product: Vec<i64> = values.iter().zip(&B).map(|(t, b)| t * b).collect();
    let sums: Vec<i64> = values.chunks(10).map(|row| row.iter().sum()).collect();
    let twice_each = matrix(2 * ROWS, COLUMNS, |i, j| twice(i / 2, j));
    let cases: [(&str, &[u64], &[i64]); 11] = [
        ("x(k) = collapse(T,0)(k)", &[20], &values),
        ("x(p,q) = reshape(T,2,10)(p,q)", &[2, 10], &values),
        ("x(p,q,r) = split(reshape(T,2,10),1,5)(p,q,r)", &[2, 2, 5], &values),
        ("x(k) = roll(collapse(T,0),0,3)(k)", &[20], &rolled),
        ("x(k) = collapse(transpose(T,1,0),0)(k)", &[20], &turned),
        ("x(p,q) = reshape(slice(T,1,1,3),5,2)(p,q)", &[5, 2], &inside),
        ("x(k) = collapse(concat(0,T,T),0)(k)", &[40], &joined),
        ("x(k) = collapse(repeat(T,0,2),0)(k)", &[40], &twice_each),
        ("x(k) = collapse(T,0)(k) * collapse(C,0)(k)", &[20], &product),
        ("x(p,q) = reshape(T,2,10)(p,q) * reshape(C,2,10)(p,q)", &[2, 10], &product),
        ("x(p) = sum[q](reshape(T,2,10)(p,q))", &[2], &sums),
    ];
    let sparse = ["compressed", "compressed", "compressed"];
    for levels in [["compressed", "compressed"], ["dense", "compressed"], ["bitvector", "run"]] {
        for lines in ["", "hardware = { memory = \"axi\" }\n", "schedule = { parallel = { p = 2 } }\n"] {
            for (second, shape, expected) in &cases {
                if lines.contains("{ p") && !second.contains("(p,q)") {
                    continue;
                }
                let own = [tensor("A", &levels, &[5, 4], &A), tensor("T", &levels, &[5, 4], &[])];
                let mut tensors = own.into_iter().collect::<Vec<_>>();
                tensors.push(tensor("x", &sparse[..shape.len()], shape, &[]));
                if second.contains('C') {
                    tensors.push(tensor("C", &levels, &[5, 4], &B));
                }
                // A result of a statement before, and an operand that stays as it is stored.
                scheduled(lines, &format!("T(i,j) = A(i,j) * 2; {second}"), "i32", &tensors, &[("x", *expected)]);
                let of_operand = second.replace('T', "A").replace("x(", "y(");
                let halved: Vec<i64> = expected.iter().map(|v| v / 2).collect();
                let mut tensors: Vec<_> = tensors.into_iter().filter(|t| !["T", "x"].contains(&t.name)).collect();
                tensors.push(tensor("y", &sparse[..shape.len()], shape, &[]));
                let lines = match lines.strip_suffix(" }\n").filter(|lines| lines.contains("schedule")) {
                    Some(open) => format!("{open}, reshape = \"chip\" }}\n"),
                    None => format!("{lines}schedule = {{ reshape = \"chip\" }}\n"),
                };
                scheduled(&lines, &of_operand, "i32", &tensors, &[("y", &halved)]);
            }
        }
    }
}

#[test]
fn coordinates_of_what_is_repeated_have_the_bits_that_they_need() {
    let a: Vec<i64> = (1..=100).collect();
    let tensors = [tensor("a", &["dense"], &[100], &a), tensor("x", &["dense"], &[2], &[])];
    let expr = "t(i) = a(i) * 2; x(j) = slice(repeat(t,0,3),0,-5,-1,2)(j)";
    super::gives(expr, "i32", &tensors, &[("x", &[198, 200])]);
}

#[test]
fn whether_entries_are_stored_is_not_asked_of_a_dense_copy() {
    let sparse = ["compressed", "compressed"];
    let stored: Vec<i64> = A.iter().map(|a| i64::from(*a != 0)).collect();
    let tensors =
        [tensor("A", &sparse, &[5, 4], &A), tensor("T", &sparse, &[5, 4], &[]), tensor("x", &["dense"], &[20], &[])];
    super::gives("T(i,j) = A(i,j) * 2; x(k) = pres(collapse(T,0)(k))", "i32", &tensors, &[("x", &stored)]);
    let upper: Vec<i64> = (0..20).map(|k| if k % 4 >= k / 4 { stored[k] } else { 0 }).collect();
    super::gives("T(i,j) = A(i,j) * 2; x(k) = pres(collapse(triu(T,0),0)(k))", "i32", &tensors, &[("x", &upper)]);
    let back: Vec<i64> = (0..20).map(|k| stored[k / 4 * 4 + 3 - k % 4]).collect();
    super::gives("T(i,j) = A(i,j) * 2; x(k) = pres(collapse(flip(T,1),0)(k))", "i32", &tensors, &[("x", &back)]);
    let on: Vec<i64> = (0..441).map(|k| if k % 22 == 1 { stored[k / 22] } else { 0 }).collect();
    let square = [tensor("A", &sparse, &[5, 4], &A), tensor("T", &sparse, &[5, 4], &[])];
    let tensors: Vec<_> = square.into_iter().chain([tensor("x", &["dense"], &[441], &[])]).collect();
    super::gives(
        "T(i,j) = A(i,j) * 2; x(k) = pres(collapse(diag(collapse(T,0),1),0)(k))",
        "i32",
        &tensors,
        &[("x", &on)],
    );
    let square = [tensor("A", &sparse, &[5, 4], &A), tensor("T", &sparse, &[5, 4], &[])];
    let tensors: Vec<_> = square.into_iter().chain([tensor("X", &["dense", "dense"], &[5, 4], &[])]).collect();
    super::gives("T(i,j) = A(i,j) * 2; X(i,j) = pres(T(i,j[::-1]))", "i32", &tensors, &[("X", &back)]);
    for (second, code) in
        [("x(k) = pres(T(k * 2 % 5, k % 4))", "E009"), ("x(k) = pres(T(k[::-1],0)) + pres(T(k, 3))", "S007")]
    {
        let folder = Folder::new();
        let kernel = format!(
            "expr = \"T(i,j) = A(i,j) * 2; {second}\"\n[tensors]\nA = {{ levels = {sparse:?}, shape = [5, 4] }}\n\
             T = {{ levels = {sparse:?} }}\nx.levels = [\"dense\"]\n"
        );
        let ran = folder.write("k.toml", kernel).run(&["graph", "k.toml"]);
        assert!(ran.err.starts_with(&format!("error[{code}]")), "{second}: {}", ran.err);
    }
}

#[test]
fn the_graph_says_which_operators_need_a_copy_between_them() {
    let folder = Folder::new();
    let kernel = "expr = \"T(i,j) = A(i,j) * 2; x(k) = collapse(transpose(T,1,0),0)(k)\"\n[tensors]\n\
                  A = { format = \"csr\", shape = [5, 4] }\nT.format = \"csr\"\nx.levels = [\"compressed\"]\n";
    let ran = folder.write("k.toml", kernel).run(&["graph", "k.toml"]);
    let said = "stores transpose(T, 1, 0): collapse needs another order than transpose leaves";
    assert!(ran.out.contains(said), "{}{}", ran.out, ran.err);
}

#[test]
fn tiles_triangles_and_neighbours_of_results_store_what_they_store_without_a_schedule() {
    let upper = matrix(ROWS, COLUMNS, |i, j| if j + 1 >= i { twice(i, j) } else { 0 });
    let rows = matrix(ROWS - 2, COLUMNS, |i, j| twice(i + 2, j));
    let moved = matrix(ROWS, COLUMNS, |i, j| twice((i + 3) % ROWS, j));
    let back = matrix(ROWS, COLUMNS, |i, j| twice(i, COLUMNS - 1 - j));
    let first = matrix(ROWS, 3, |i, j| twice(i, 2 - j));
    let cases: [(&str, &[u64], &[i64]); 7] = [
        ("x(p,q) = triu(T,-1)(p,q)", &[5, 4], &upper),
        ("x(k,q) = reshape(triu(T,-1),10,2)(k,q)", &[10, 2], &upper),
        ("x(p,q) = T(p+2,q)", &[3, 4], &rows),
        ("x(p,q) = T(p[2:5],q)", &[3, 4], &rows),
        ("x(p,q) = roll(T,0,2)(p,q)", &[5, 4], &moved),
        ("x(p,q) = flip(T,1)(p,q)", &[5, 4], &back),
        ("x(p,q) = T(p,q[2::-1])", &[5, 3], &first),
    ];
    for (second, shape, expected) in cases {
        let mut stored = Vec::new();
        for own in ["", "split = { p = 2, q = 3 }", "split = { q = 2 }", "lanes = { p = 2 }", "parallel = { p = 3 }"] {
            if second.contains("(k") && own.contains(" p ") {
                continue;
            }
            let folder = Folder::new();
            let text = format!(
                "expr = \"T(i,j) = A(i,j) * 2; {second}\"\n[tensors]\n\
                 A = {{ format = \"csr\", type = \"i32\", shape = [5, 4] }}\n\
                 T = {{ format = \"csr\", type = \"i32\" }}\n\
                 x = {{ format = \"csr\", type = \"i32\", shape = {shape:?} }}\n[schedule.x]\n{own}\n"
            );
            folder.write("A.tns", entries(&[5, 4], &A, 0)).write("k.toml", text);
            let ran = folder.fine(&["run", "k.toml", "--tensor", "A=A.tns", "--out", "x=x.tns"]);
            stored.extend(ran.out.lines().find(|line| line.starts_with("result   x")).map(str::to_owned));
            let out: String =
                folder.read("x.tns").lines().filter(|l| !l.starts_with('#')).map(|l| format!("{l}\n")).collect();
            assert_eq!(out, entries(shape, expected, 0), "{second} {own}");
        }
        stored.dedup();
        assert_eq!(stored.len(), 1, "{second}: {stored:?}");
    }
}

#[test]
fn results_are_written_and_read_in_tiles_of_any_sizes() {
    let tensors = [
        tensor("A", &["compressed", "compressed"], &[5, 4], &A),
        tensor("T", &["compressed", "compressed"], &[5, 4], &[]),
        tensor("D", &["dense", "dense"], &[4, 5], &B),
        tensor("x", &["dense", "dense"], &[5, 5], &[]),
    ];
    let products = matrix(ROWS, ROWS, |i, k| (0..COLUMNS).map(|j| twice(i, j) * B[j * ROWS + k]).sum());
    for split in ["j = 3, l = 2", "l = 3", "i = 2, j = 2", "p = 4, i = 3"] {
        let lines = format!("schedule = {{ split = {{ {split} }} }}\n");
        let expr = "T(i,j) = A(i,j) * 2; x(p,k) = T(p,l) * D(l,k)";
        scheduled(&lines, expr, "i32", &tensors, &[("x", &products)]);
        // Computed coordinates, some of them outside.
        let below = matrix(ROWS, ROWS, |i, k| {
            (0..COLUMNS)
                .filter(|j| 2 * i < ROWS + 1 && 2 * i >= 1 && *j < COLUMNS)
                .map(|j| twice(2 * i - 1, j) * B[j * ROWS + k])
                .sum()
        });
        let expr = "T(i,j) = A(i,j) * 2; x(p,k) = T(2 * p - 1, l) * D(l,k)";
        scheduled(&lines, expr, "i32", &tensors, &[("x", &below)]);
    }
}

#[test]
fn tiles_of_what_bytes_point_at_are_found() {
    // Neither the size nor a tile is a number of the coordinates' type.
    let a: Vec<i64> = (0..300).map(|i| i % 7 + i % 11).collect();
    let p: Vec<i64> = (0..40).map(|i| (i * 37) % 256).collect();
    let expected: Vec<i64> = p.iter().map(|&c| 2 * a[usize::try_from(c).unwrap()]).collect();
    let tensors = [
        tensor("A", &["dense"], &[300], &a),
        tensor("T", &["dense"], &[300], &[]),
        Tensor { more: "type = \"u8\"\n", ..tensor("p", &["dense"], &[40], &p) },
        tensor("y", &["dense"], &[40], &[]),
    ];
    for tile in [7, 16, 256, 300, 1000] {
        let lines = format!("schedule = {{ split = {{ i = {tile} }} }}\n");
        scheduled(&lines, "T(i) = A(i) * 2; y(k) = T(p(k))", "i32", &tensors, &[("y", &expected)]);
    }
}

#[test]
fn products_of_lists_take_a_cycle_for_each_product() {
    let small = [5, 0, 0, -2];
    let product = matrix(2 * ROWS, 2 * COLUMNS, |i, j| A[(i / 2) * COLUMNS + j / 2] * small[(i % 2) * 2 + j % 2]);
    let there: Vec<i64> = product.iter().map(|v| i64::from(*v != 0)).collect();
    for levels in [["dense", "compressed"], ["compressed", "compressed"], ["compressed", "dense"], ["dense", "run"]] {
        let tensors = [
            tensor("A", &levels, &[5, 4], &A),
            tensor("C", &["dense", "compressed"], &[2, 2], &small),
            tensor("x", &["dense", "compressed"], &[10, 8], &[]),
        ];
        for lines in ["", "schedule = { parallel = { i = 2 } }\n", "schedule = { split = { i = 3, j = 2 } }\n"] {
            scheduled(lines, "x(i,j) = kron(A,C)(i,j)", "i32", &tensors, &[("x", &product)]);
        }
        if levels[1] != "dense" {
            scheduled("", "x(i,j) = pres(kron(A,C)(i,j))", "i32", &tensors, &[("x", &there)]);
        }
    }
    let folder = Folder::new();
    let table = |name: &str, format: &str, n: usize| {
        format!("[tensors.{name}]\nformat = \"{format}\"\ntype = \"i32\"\nshape = [{n}, {n}]\n")
    };
    let text = format!(
        "expr = \"x(i,j) = kron(A,C)(i,j)\"\n{}{}{}[data]\nA = {{ random = {{ density = 0.2 }} }}\nC = {{ random = {{ density = 0.4 }} }}\n",
        table("A", "csr", 32),
        table("C", "csr", 4),
        table("x", "csr", 128)
    );
    let ran = folder.write("k.toml", text).fine(&["run", "k.toml"]);
    let number = |line: Option<&str>| line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    let cycles = number(ran.out.lines().find_map(|line| line.strip_prefix("cycles")));
    let products = number(ran.out.lines().find_map(|line| line.strip_prefix("result   x: 128 x 128, ")));
    let most = products.map(|products| products * 11 / 10 + 2 * 128 + 100);
    assert!(cycles.zip(most).is_some_and(|(cycles, most)| cycles <= most), "{}", ran.out);
}

#[test]
fn statements_that_share_a_pass_take_other_parts_of_it() {
    let a: Vec<i64> = (0..400).map(|i| if i % 5 == 0 { 0 } else { i + 1 }).collect();
    let part = |from: usize| a[from..from + 40].iter().map(|v| 2 * v).collect::<Vec<i64>>();
    let (low, high) = (part(0), part(200));
    let list = ["compressed"];
    let tensors = [
        tensor("A", &list, &[400], &a),
        tensor("T", &list, &[400], &[]),
        tensor("x", &list, &[40], &[]),
        tensor("y", &list, &[40], &[]),
    ];
    let backwards: Vec<i64> = high.iter().rev().copied().collect();
    let expr = "T(i) = A(i) * 2; x(p) = T(p[0:40]); y(p) = T(p[200:240])";
    super::gives(expr, "i32", &tensors, &[("x", &low), ("y", &high)]);
    let expr = "T(i) = A(i) * 2; x(p) = T(p[200:240]); y(p) = T(p[239:199:-1])";
    super::gives(expr, "i32", &tensors, &[("x", &high), ("y", &backwards)]);
    let folder = Folder::new();
    let text = "expr = \"T(i) = A(i) * 2; y(p) = T(p[::-1])\"\ndims = { i = 9 }\ntensors.A.levels = [\"compressed\"]\n\
                tensors.T.levels = [\"compressed\"]\ntensors.y.levels = [\"compressed\"]\n";
    let said = folder.write("k.toml", text).fine(&["graph", "k.toml"]).out;
    assert!(said.contains("T_2 level 0 (p), compressed, from the end"), "{said}");
}
