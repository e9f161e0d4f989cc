//! Kernels that once gave wrong values, or were refused without a reason, with results written by hand, through files.

use crate::support::Folder;

/// A tensor: name, levels, sizes, and the values of all coordinates, or none of a result.
struct Tensor {
    name: &'static str,
    levels: &'static [&'static str],
    shape: &'static [u64],
    values: &'static [i64],
}

const fn tensor(
    name: &'static str,
    levels: &'static [&'static str],
    shape: &'static [u64],
    values: &'static [i64],
) -> Tensor {
    Tensor { name, levels, shape, values }
}

/// The lines of a .tns file.
fn entries(shape: &[u64], values: &[i64]) -> String {
    let mut out = String::new();
    for (n, value) in values.iter().enumerate().filter(|(_, v)| **v != 0) {
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
fn gives(expr: &str, ty: &str, tensors: &[Tensor], expected: &[(&str, &[i64])]) {
    let folder = Folder::new();
    let (mut text, mut args) = (format!("expr = \"{expr}\"\n"), vec!["run".to_owned(), "k.toml".to_owned()]);
    for Tensor { name, levels, shape, values } in tensors {
        text += &format!("[tensors.{name}]\ntype = \"{ty}\"\nlevels = {levels:?}\nshape = {shape:?}\n");
        if !values.is_empty() {
            folder.write(&format!("{name}.tns"), entries(shape, values));
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
        let lines: String = out.lines().filter(entry).map(|line| format!("{line}\n")).collect();
        let shape = tensors.iter().find(|t| t.name == *name).unwrap().shape;
        assert_eq!(lines, entries(shape, values), "{name} of {expr}");
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
