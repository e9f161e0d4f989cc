//! Kernels that once gave wrong values, or were refused without a reason, with results written by hand,
//! through files.

mod diagonals;
mod exits;
mod growing;
mod messages;
mod neighbours;
mod rounds;
mod schedules;
mod shapes;
mod turned;
mod unstored;
mod values;
mod windows;

use crate::support::Folder;

/// A tensor: name, levels, sizes, the values of all coordinates, or none of a result, the value that is not
/// stored, and other lines that declare it.
struct Tensor<'t> {
    name: &'t str,
    levels: &'t [&'t str],
    shape: &'t [u64],
    values: &'t [i64],
    fill: i64,
    more: &'t str,
}

const fn tensor<'t>(name: &'t str, levels: &'t [&'t str], shape: &'t [u64], values: &'t [i64]) -> Tensor<'t> {
    Tensor { name, levels, shape, values, fill: 0, more: "" }
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
        out += format!("{} {value}\n", coordinates.join(" ")).trim_start();
    }
    out
}

/// Runs statements in numbers of this type, and compares the results, which are the tensors that `expected`
/// names.
fn gives(expr: &str, ty: &str, tensors: &[Tensor<'_>], expected: &[(&str, &[i64])]) {
    scheduled("", expr, ty, tensors, expected);
}

/// The same, with these other lines in the kernel file.
fn scheduled(lines: &str, expr: &str, ty: &str, tensors: &[Tensor<'_>], expected: &[(&str, &[i64])]) {
    let folder = Folder::new();
    let (mut text, mut args) = (format!("expr = \"{expr}\"\n{lines}"), vec!["run".to_owned(), "k.toml".to_owned()]);
    for Tensor { name, levels, shape, values, fill, more } in tensors {
        let own = if more.contains("type = ") { String::new() } else { format!("type = \"{ty}\"\n") };
        text += &format!("[tensors.{name}]\n{own}levels = {levels:?}\nshape = {shape:?}\n{more}\n");
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
        let entry = |line: &&str| !line.starts_with('#') && *line != "0" && !line.ends_with(" 0");
        let whole = out.lines().map(|line| line.strip_suffix(".0").unwrap_or(line));
        let lines: String = whole.filter(entry).map(|line| format!("{line}\n")).collect();
        let shape = tensors.iter().find(|t| t.name == *name).map_or(vec![values.len() as u64], |t| t.shape.to_vec());
        assert_eq!(lines, entries(&shape, values, 0), "{name} of {expr}");
    }
}
