//! Integers wrap, in every type and in engine and reference alike: against Rust's own arithmetic.

use crate::support::Folder;
use samhw_values::Rng;

/// `value` in the type of `bits`.
fn wrap(value: i128, bits: u32, signed: bool) -> i128 {
    let low = value & ((1 << bits) - 1);
    if signed && low >> (bits - 1) == 1 { low - (1 << bits) } else { low }
}

fn agrees(bits: u32, signed: bool) {
    const ROWS: usize = 12;
    const COLUMNS: usize = 5;
    let ty = format!("{}{bits}", if signed { 'i' } else { 'u' });
    let mut rng = Rng::new(u64::from(bits) + u64::from(signed));
    let extremes =
        [wrap(1 << (bits - 1), bits, signed), wrap((1 << (bits - 1)) - 1, bits, signed), wrap(-1, bits, signed), 1];
    let mut value = || {
        if rng.below(3) == 0 { rng.pick(&extremes) } else { wrap(rng.bits().into(), bits, signed) }
    };
    let mut vector = |n: usize| (0..n).map(|_| value()).collect::<Vec<i128>>();
    let (a, x, z) = (vector(ROWS * COLUMNS), vector(COLUMNS), vector(ROWS));

    let folder = Folder::new();
    let levels =
        [("A", "\"compressed\", \"compressed\""), ("x", "\"dense\""), ("z", "\"compressed\""), ("y", "\"dense\"")];
    let mut kernel = format!("expr = \"y(i) = z(i) * z(i) - A(i,j) * x(j)\"\n[dims]\ni = {ROWS}\nj = {COLUMNS}\n");
    for (name, levels) in levels {
        kernel += &format!("[tensors.{name}]\nlevels = [{levels}]\ntype = \"{ty}\"\n");
    }
    let lines = |v: &[i128], at: &dyn Fn(usize) -> String| -> String {
        v.iter().enumerate().map(|(n, v)| format!("{} {v}\n", at(n))).collect()
    };
    let one = |n: usize| (n + 1).to_string();
    folder.write("k.toml", kernel);
    folder.write("A.tns", lines(&a, &|n| format!("{} {}", n / COLUMNS + 1, n % COLUMNS + 1)));
    folder.write("x.tns", lines(&x, &one)).write("z.tns", lines(&z, &one));
    let tensors = ["--tensor", "A=A.tns", "--tensor", "x=x.tns", "--tensor", "z=z.tns"];
    folder.fine(&[&["run", "k.toml", "--out", "y=y.tns"][..], &tensors].concat());

    let expected: Vec<i128> = (0..ROWS)
        .map(|i| {
            let sum = (0..COLUMNS)
                .fold(0, |s, j| wrap(s + wrap(a[i * COLUMNS + j].wrapping_mul(x[j]), bits, signed), bits, signed));
            wrap(wrap(z[i].wrapping_mul(z[i]), bits, signed) - sum, bits, signed)
        })
        .collect();
    // A dense result stores what is not 0, in text.
    let found = folder.read("y.tns");
    let mut got = vec![0; ROWS];
    for line in found.lines() {
        let (at, v) = line.split_once(' ').unwrap();
        got[at.parse::<usize>().unwrap() - 1] = v.parse().unwrap();
    }
    assert_eq!(got, expected, "{ty}");
}

#[test]
fn every_type_wraps() {
    for bits in [8, 16, 32, 64] {
        agrees(bits, false);
        agrees(bits, true);
    }
}

/// A reduction over a mode of size 0 is its operator's identity, also where it is computed with,
/// reduced again or stored compressed.
#[test]
fn a_reduction_over_nothing_is_the_identity() {
    let empty = "%%MatrixMarket matrix coordinate integer general\n4 0 0\n";
    let (least, greatest) = (i64::from(i32::MIN), i64::from(i32::MAX));
    let cases = [
        ("all[j](A(i,j))", 1),
        ("prod[j](A(i,j))", 1),
        ("band[j](A(i,j))", -1),
        ("min[j](A(i,j))", greatest),
        ("max[j](A(i,j))", least),
        ("sum[j](A(i,j) + 1)", 0),
        ("2 * all[j](A(i,j)) + b(i)", 7),
        ("where(b(i) == 5, prod[j](A(i,j)), 3)", 1),
        ("sum[k](all[j](A(k,j))) + b(i)", 9),
        ("i32(prod[j](A(i,j))) - b(i)", -4),
    ];
    for (expr, value) in cases {
        for level in ["dense", "compressed"] {
            let folder = Folder::new();
            let kernel = format!(
                "expr = \"y(i) = {expr}\"\n[dims]\ni = 4\nj = 4\n{}[tensors]\n\
                 A = {{ levels = [\"dense\", \"{level}\"], type = \"i32\" }}\ny = {{ levels = [\"{level}\"], type = \"i32\" }}\n{}",
                if expr.contains("[k]") { "k = 4\n" } else { "" },
                if expr.contains("b(i)") { "b = { levels = [\"dense\"], type = \"i32\" }\n" } else { "" },
            );
            folder.write("k.toml", kernel).write("A.mtx", empty).write("b.tns", "1 5\n2 5\n3 5\n4 5\n");
            let mut args = vec!["run", "k.toml", "--out", "y=y.tns", "--tensor", "A=A.mtx"];
            if expr.contains("b(i)") {
                args.extend(["--tensor", "b=b.tns"]);
            }
            folder.fine(&args);
            let found: Vec<i64> =
                folder.read("y.tns").lines().map(|line| line.split_once(' ').unwrap().1.parse().unwrap()).collect();
            let expected = if value == 0 && found.is_empty() { vec![] } else { vec![value; 4] };
            assert_eq!(found, expected, "{expr}, {level}");
        }
    }
}

/// Where a reducer keeps coordinates and gets none, nobody would store what the reduction makes: it
/// is refused, unless the expression is there everywhere anyway.
#[test]
fn a_reduction_over_nothing_that_no_loop_visits_is_refused() {
    for (expr, more, refused) in [
        ("sum[k](A(k,i))", "fill = 7, ", false),
        ("prod[k](A(k,i))", "", true),
        ("max[k](A(k,i) + 1)", "", true),
        ("min[j](sum[k](A(k,i) + A(k,j)))", "", true),
    ] {
        let folder = Folder::new();
        let (inner, size) = if expr.contains("[j]") { ("\"j\", ", "j = 4\n") } else { ("", "") };
        let kernel = format!(
            "expr = \"y(i) = {expr}\"\norder = [\"k\", {inner}\"i\"]\n[dims]\nk = 4\ni = 4\n{size}[tensors]\n\
             A = {{ levels = [\"dense\", \"compressed\"], type = \"i32\" }}\n\
             y = {{ levels = [\"compressed\"], {more}type = \"i32\" }}\n"
        );
        folder.write("k.toml", kernel).write("A.mtx", "%%MatrixMarket matrix coordinate integer general\n0 4 0\n");
        let ran = folder.run(&["run", "k.toml", "--tensor", "A=A.mtx", "--out", "y=y.tns"]);
        if refused {
            ran.failed(2, "T012");
        } else {
            assert_eq!((ran.status, folder.read("y.tns").as_str()), (0, "1 0\n2 0\n3 0\n4 0\n"), "{expr}: {ran:?}");
        }
    }
}

/// An update reduces with its own operator, and begins at the old value, at the declared fill, or
/// at what the operator gives for nothing.
#[test]
fn updates_fold_with_their_operator() {
    let cases = [
        ("max", "", "", [-1, -2, 9]),
        ("min", "", "", [-7, -4, 3]),
        ("+", "", "", [-8, -6, 12]),
        ("mul", "", "", [7, 8, 27]),
        ("max", ", fill = 1", "", [1, 1, 9]),
        ("min", "", "1 -9\n3 1\n", [-9, -4, 1]),
        ("max", "", "1 -9\n3 1\n", [-1, 0, 9]),
    ];
    for (op, fill, old, expected) in cases {
        let folder = Folder::new();
        let kernel = format!(
            "expr = \"y(k) {op}= W(k,j)\"\n[dims]\nk = 3\nj = 2\n[tensors]\n\
             W = {{ levels = [\"dense\", \"dense\"], type = \"i32\" }}\ny = {{ levels = [\"dense\"], type = \"i32\"{fill} }}\n"
        );
        let w = "1 1 -1\n1 2 -7\n2 1 -2\n2 2 -4\n3 1 9\n3 2 3\n";
        folder.write("k.toml", kernel).write("W.tns", w).write("y.tns", old);
        let mut args = vec!["run", "k.toml", "--out", "y=o.tns", "--tensor", "W=W.tns"];
        if !old.is_empty() {
            args.extend(["--tensor", "y=y.tns"]);
        }
        folder.fine(&args);
        let mut found = [0; 3];
        for line in folder.read("o.tns").lines() {
            let (at, value) = line.split_once(' ').unwrap();
            found[at.parse::<usize>().unwrap() - 1] = value.parse().unwrap();
        }
        assert_eq!(found, expected, "{op}{fill}, {old:?}");
    }
}
