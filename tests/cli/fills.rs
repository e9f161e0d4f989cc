//! Fills of results, in files and on the chip; what is visited where something is always there;
//! infinities and NaN.

use crate::support::{Folder, Ran};
use serde_json::Value;
use std::fmt::Write;

/// A vector or matrix: name, levels, further lines of its table.
type Table<'a> = (&'a str, &'a [&'a str], &'a str);

/// A kernel of f64 tensors over i, of size 6, and j, of size 4.
fn kernel(expr: &str, top: &str, tables: &[Table<'_>]) -> String {
    let mut text = format!("expr = \"{expr}\"\n{top}\n[dims]\ni = 6\n");
    if expr.contains('j') {
        text += "j = 4\n";
    }
    for (name, levels, more) in tables {
        let _ = write!(text, "[tensors.{name}]\ntype = \"f64\"\nlevels = {levels:?}\n{more}\n");
    }
    text
}

/// A .npy file of doubles.
fn npy(shape: &str, values: &[f64]) -> Vec<u8> {
    let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({shape}), }}\n");
    let mut content = b"\x93NUMPY\x01\x00".to_vec();
    content.extend((header.len() as u16).to_le_bytes());
    content.extend(header.bytes());
    content.extend(values.iter().flat_map(|v| v.to_le_bytes()));
    content
}

/// The doubles of a .npy file.
fn doubles(folder: &Folder, name: &str) -> Vec<f64> {
    let content = std::fs::read(folder.path().join(name)).unwrap();
    let start = 10 + usize::from(u16::from_le_bytes([content[8], content[9]]));
    content[start..].chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect()
}

fn runs(folder: &Folder, args: &[&str]) -> Ran {
    let ran = folder.run(&[&["run", "k.toml", "--json"], args].concat());
    assert_eq!(ran.status, 0, "{ran:?}");
    ran
}

/// Entries stored of a result, and cycles.
fn stored(ran: &Ran, result: &str) -> (u64, u64) {
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    (report["results"][result]["nnz"].as_u64().unwrap(), report["cycles"].as_u64().unwrap())
}

const D: &[&str] = &["dense"];
const C: &[&str] = &["compressed"];
const X: [f64; 6] = [0.0, 1.0, 2.0, 0.0, 1.0, -1.0];

/// A sparse result has any fill, in every kind of file: every value is that of the expression, and
/// what is pruned is the fill.
#[test]
fn results_have_the_fill_that_is_declared() {
    let (dc, cd, cc): (&[&str], &[&str], &[&str]) =
        (&["dense", "compressed"], &["compressed", "dense"], &["compressed", "compressed"]);
    for x in [D, C] {
        for fill in [0.0, 1.0, -1.0, 7.0] {
            for prune in [true, false] {
                let more = format!("fill = {fill:?}\nprune = {prune}");
                let folder = Folder::new();
                folder.write("x.npy", npy("6,", &X));
                folder.write("k.toml", kernel("y(i) = x(i) - 1", "", &[("x", x, ""), ("y", C, &more)]));
                let want = X.map(|x| x - 1.0);
                let files = ["--tensor", "x=x.npy", "--out", "y=y.npy"];
                let (nnz, _) = stored(&runs(&folder, &files), "y");
                assert_eq!(doubles(&folder, "y.npy"), want, "{x:?}, fill {fill}, prune {prune}");
                let others = want.iter().filter(|v| **v != fill).count() as u64;
                // What is stored anyway, where the fill is the expression's own.
                let all = if x == C && fill == -1.0 { 4 } else { 6 };
                assert_eq!(nnz, if prune { others } else { all }, "{x:?}, fill {fill}, prune {prune}");
                for (name, skipped) in [("y.tns", 0), ("y.mtx", 2)] {
                    runs(&folder, &["--tensor", "x=x.npy", "--out", &format!("y={name}")]);
                    let mut found = [0.0; 6];
                    for line in folder.read(name).lines().filter(|l| !l.starts_with('%')).skip(usize::from(skipped > 0))
                    {
                        let words: Vec<&str> = line.split_whitespace().collect();
                        let at: usize = words[0].parse().unwrap();
                        found[at - 1] = words[words.len() - 1].parse().unwrap();
                    }
                    assert_eq!(found, want, "{name} of {x:?}, fill {fill}, prune {prune}");
                }
            }
        }
    }
    // Matrices: dense levels above and below, a reduction in the outermost loop, and a statement
    // that reads the result.
    let a: Vec<f64> = (0..24).map(|n| if n % 5 == 0 { f64::from(n) } else { 0.0 }).collect();
    for levels in [dc, cd, cc] {
        for prune in ["prune = true", "prune = false"] {
            let more = format!("fill = 2\n{prune}");
            let tables: [Table<'_>; 3] = [("A", cc, ""), ("B", levels, &more), ("z", C, "")];
            let folder = Folder::new();
            folder.write("A.npy", npy("6, 4", &a));
            folder.write("k.toml", kernel("B(i,j) = A(i,j) + 1; z(i) = sum[j](B(i,j))", "", &tables));
            runs(&folder, &["--tensor", "A=A.npy", "--out", "B=B.npy", "--out", "z=z.npy"]);
            let want: Vec<f64> = a.iter().map(|v| v + 1.0).collect();
            assert_eq!(doubles(&folder, "B.npy"), want, "{levels:?} {prune}");
            let sums: Vec<f64> = want.chunks(4).map(|row| row.iter().sum()).collect();
            assert_eq!(doubles(&folder, "z.npy"), sums, "{levels:?} {prune}");
            let tables: [Table<'_>; 2] = [("A", cc, "mode_order = [1, 0]"), ("z", C, &more)];
            folder.write("k.toml", kernel("z(i) = sum[j](A(i,j))", "order = [\"j\", \"i\"]", &tables));
            runs(&folder, &["--tensor", "A=A.npy", "--out", "z=z.npy"]);
            let sums: Vec<f64> = a.chunks(4).map(|row| row.iter().sum()).collect();
            assert_eq!(doubles(&folder, "z.npy"), sums, "a sum by columns, {prune}");
        }
    }
}

/// The fill of a scalar is nobody's business, and so is that of a divisor that is there everywhere:
/// nothing becomes dense.
#[test]
fn what_is_always_there_does_not_make_others_dense() {
    let folder = Folder::new();
    let (b, c) = ([0.0, 2.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 4.0, 0.0, 0.0, 0.0]);
    folder.write("b.npy", npy("6,", &b)).write("c.npy", npy("6,", &c));
    let expr = "t = sum[i](b(i)); s = sum[i](c(i)); p(i) = b(i) + t / s * c(i); q(i) = p(i) * 2";
    let scalars: [Table<'_>; 2] = [("t", &[], ""), ("s", &[], "")];
    let vectors = ["b", "c", "p", "q"].map(|name| (name, C, ""));
    folder.write("k.toml", kernel(expr, "", &[&scalars[..], &vectors].concat()));
    let ran = runs(&folder, &["--tensor", "b=b.npy", "--tensor", "c=c.npy", "--out", "q=q.npy"]);
    assert_eq!((stored(&ran, "p").0, stored(&ran, "q").0, ran.err.as_str()), (2, 2, ""));
    assert_eq!(doubles(&folder, "q.npy"), [0.0, 4.0, 4.0, 0.0, 0.0, 0.0]);

    let m: Vec<f64> = (0..24).map(|n| f64::from(u8::from(n % 7 == 0))).collect();
    folder.write("M.npy", npy("6, 4", &m));
    let expr = "E(i,j) = mask(M(i,j), exp(M(i,j))); s(i) = sum[j](E(i,j)); P(i,j) = E(i,j) / s(i)";
    let csr: &[&str] = &["dense", "compressed"];
    folder.write("k.toml", kernel(expr, "", &[("M", csr, ""), ("E", csr, ""), ("s", D, ""), ("P", csr, "")]));
    let ran = runs(&folder, &["--tensor", "M=M.npy", "--out", "P=P.npy"]);
    assert_eq!(stored(&ran, "P").0, 4);
    assert_eq!(doubles(&folder, "P.npy"), m);
}

/// A fill is found once: each statement reads the one before three times, so a fill that is found
/// at each access takes 3^80 steps.
#[test]
fn fills_do_not_grow_with_statements() {
    let folder = Folder::new();
    let statements: Vec<String> = (0..80).map(|n| format!("x{}(i) = x{n}(i) * x{n}(i) + x{n}(i)", n + 1)).collect();
    let names: Vec<String> = (0..=80).map(|n| format!("x{n}")).collect();
    let tables: Vec<Table<'_>> = names.iter().map(|n| (n.as_str(), C, "")).collect();
    folder.write("x0.npy", npy("6,", &[0.0, 0.0, 0.5, 0.0, 0.0, 0.0]));
    folder.write("k.toml", kernel(&statements.join("; "), "", &tables));
    assert_eq!(stored(&runs(&folder, &["--tensor", "x0=x0.npy"]), "x80").0, 1);
    // One that depends on a size is found when the size is known.
    let top = kernel(&format!("x0(i) = sum[j](1 + A(i,j)); {}", statements.join("; ")), "", &tables);
    folder.write("k.toml", top + "[tensors.A]\ntype = \"f64\"\nlevels = [\"compressed\", \"compressed\"]\n");
    folder.write("A.npy", npy("6, 4", &[0.0; 24]));
    assert_eq!(stored(&runs(&folder, &["--tensor", "A=A.npy"]), "x80").0, 6);
}

/// A dense file's -0.0 is no entry of a sparse tensor, and keeps its sign in a dense one and where
/// nothing is taken for granted.
#[test]
fn zeros_of_dense_files() {
    let folder = Folder::new();
    folder.write("x.npy", npy("6,", &[-0.0, 0.0, 3.0, -0.0, 0.0, -0.0]));
    for (levels, top, nnz, negative) in
        [(C, "", 1, 0), (C, "ieee = true", 4, 3), (D, "", 6, 3), (D, "ieee = true", 6, 3)]
    {
        folder.write("k.toml", kernel("y(i) = 2 * x(i)", top, &[("x", levels, ""), ("y", levels, "")]));
        let ran = runs(&folder, &["--tensor", "x=x.npy", "--out", "y=y.npy"]);
        assert_eq!(stored(&ran, "y").0, nnz, "{levels:?} {top}");
        let found = doubles(&folder, "y.npy");
        assert_eq!(found, [0.0, 0.0, 6.0, 0.0, 0.0, 0.0], "{levels:?} {top}");
        let signs = found.iter().filter(|v| v.is_sign_negative()).count();
        assert_eq!(signs, negative, "{levels:?} {top}");
    }
}

/// The table of docs/functions.md: an absent operand against an infinity or NaN, without and with
/// `ieee = true`.
#[test]
fn absent_and_infinite_as_documented() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let x = [inf, -inf, nan, 2.0, 0.0, -3.0];
    let zeros = [0.0; 6];
    let of = |f: fn(f64, f64) -> f64, a: f64| x.map(|x| f(a, x));
    // Expression, fill of the absent a, value of every function of it where the algebra decides, and of IEEE.
    let cases: [(&str, f64, [f64; 6], [f64; 6]); 6] = [
        ("a(i) * x(i)", 0.0, zeros, of(|a, x| a * x, 0.0)),
        ("a(i) / x(i)", 0.0, zeros, of(|a, x| a / x, 0.0)),
        ("a(i) + x(i)", inf, [inf; 6], of(|a, x| a + x, inf)),
        ("x(i) - a(i)", inf, [-inf; 6], of(|a, x| x - a, inf)),
        ("min(a(i), x(i))", -inf, [-inf; 6], of(|a, x| if x.is_nan() { x } else { a }, -inf)),
        ("max(a(i), x(i))", inf, [inf; 6], of(|a, x| if x.is_nan() { x } else { a }, inf)),
    ];
    let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a == b || a.is_nan() && b.is_nan());
    for (value, fill, finite, ieee) in cases {
        for (top, want) in [("", finite), ("ieee = true", ieee)] {
            let folder = Folder::new();
            folder.write("x.npy", npy("6,", &x)).write("a.tns", "");
            let tables: [Table<'_>; 3] = [("a", C, &format!("fill = {fill:?}")), ("x", D, ""), ("y", C, "")];
            folder.write("k.toml", kernel(&format!("y(i) = {value}"), top, &tables));
            runs(&folder, &["--tensor", "x=x.npy", "--tensor", "a=a.tns", "--out", "y=y.npy"]);
            let found = doubles(&folder, "y.npy");
            assert!(same(&found, &want), "{value} {top}: {found:?} for {want:?}");
        }
    }
}
