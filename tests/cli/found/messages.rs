//! Messages name what the kernel file names: no tensor and no index that the compiler makes.

use crate::support::Folder;
use std::collections::HashSet;

/// Keys, types and values of the language, which help names.
const LANGUAGE: [&str; 12] =
    ["on_chip", "mode_order", "at_most", "compressed_nu", "i32", "i64", "u8", "f64", "f32", "f16", "bf16", "no_where"];

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// Words of messages that are names, and none of the file.
fn foreign(err: &str, kernel: &str) -> Vec<String> {
    let known: HashSet<&str> = words(kernel).collect();
    let mut found = Vec::new();
    for line in err.lines() {
        let said = match line.split_once("]: ") {
            Some((code, message)) if code.starts_with("error[") || code.starts_with("warning[") => message,
            _ if line.trim_start().starts_with("= help: ") => line,
            _ => continue,
        };
        let name = |word: &&str| {
            let digits = word.contains(|c: char| c.is_ascii_digit()) && !word.starts_with(|c: char| c.is_ascii_digit());
            // Of the parts of a split index the schedule may say something.
            let part = word.strip_suffix(['0', '1']).is_some_and(|index| known.contains(index));
            (digits || word.contains('_')) && !part && !known.contains(word) && !LANGUAGE.contains(word)
        };
        found.extend(words(said).filter(name).map(str::to_owned));
        found.extend(
            ["pieces(", " at 0:", " a between", " a joiner"]
                .iter()
                .filter(|text| said.contains(**text))
                .map(|text| (*text).to_owned()),
        );
    }
    found
}

/// Tensors of six coordinates in each mode, for the names that an expression has.
fn declared(expr: &str, levels: &[(&str, &str)]) -> String {
    let mut text = format!("expr = \"{expr}\"\n");
    for (name, levels) in levels {
        let order = levels.split(',').filter(|level| !level.is_empty()).count();
        let kinds: Vec<&str> = levels.split(',').filter(|level| !level.is_empty()).collect();
        text += &format!("[tensors.{name}]\ntype = \"i32\"\nlevels = {kinds:?}\nshape = {:?}\n", vec![6; order]);
    }
    text
}

const SPARSE: &str = "compressed,compressed";

#[test]
fn messages_name_what_the_kernel_file_names() {
    let matrices = &[("R", SPARSE), ("A", SPARSE), ("T", "dense,dense"), ("z", "dense"), ("y", "compressed")];
    let x = &[("x", "compressed"), ("p", "dense"), ("b", "block"), ("s", ""), ("c", "")];
    let cases: &[(&str, &str, &str)] = &[
        ("K013", "reshape(y, 2, 3)(i,j) = q(i)", ""),
        ("E028", "reshape(y, 2, 4)(i,j) = A(i,j)", ""),
        ("E028", "y(i) = x(i); reshape(y, 2, 4)(i,j) = A(i,j) + T(i,j)", ""),
        ("E028", "roll(y, 2, 1)(i) = x(i) + x(i+1)", ""),
        ("S001", "R(i,j) = A(i,j); R(i,j) = A(i,j) + T(i,j); z(i) = max[j](flip(R,1)(j,i))", "order = ['j','i']"),
        ("S001", "y(i+1) = x(i); R(i,j) = A(i,j); z(i) = max[j](flip(R,1)(j,i))", "order = ['i','j']"),
        ("S006", "R(i,j) = A(i,j); T(i,j) = transpose(R,1,0)(i,j)", "large = 40000000"),
        ("S007", "R(i,j) = A(i,j); T(i,j) = roll(transpose(R,1,0),0,1)(i,j)", "large = 40000000"),
        ("S007", "y(i) = x(i[::-1]); z(i[::-1]) = y(i)", "large = 200000000"),
        ("S022", "y(i) = x(i); z(i) = y(2 * i)", "large = 200000000"),
        ("S009", "y(i) = sum[j](A(i,j)); z(i) = y(i)", "y: prune = true"),
        ("S009", "y(i) = sum[j](j * x(i)); z(i) = y(i)", "x: fill = 2; y: prune = true; dims = { j = 6 }"),
        ("S009", "y(i) = sum[j](i * j); z(i) = y(i)", "y: prune = true; dims = { j = 6 }"),
        ("S009", "y(i) = sum[j](A(i,j)); y(i) min= x(i); z(i) = y(i)", "y: prune = true"),
        ("S009", "z(i) = sum[j](A(i,j)); y(i) = z(i); c = sum[i](y(i))", "y: prune = true"),
        ("S020", "s = sum[i](mask(i <= 4 and i >= c, b(i)))", "schedule.lanes = { i = 3 }"),
        ("S020", "s = sum[i](mask((i <= 2 or i == 5) and i >= c, x(i)))", "schedule.lanes = { i = 3 }"),
        (
            "S042",
            "R(i,j) = mask(j == 7, A(i,j)); T(i,j) = R(i,j)",
            "A: fill = 2; R: prune = true; schedule.split = { j = 4 }",
        ),
        ("S042", "y(i+1) = x(i); y(i[0:5]) += x(i[0:5]); y(k) += x(k)", "schedule.split = { i = 2 }"),
        ("S042", "R(i,p(j)) = A(i,j); z(j) = R(i,j)", "schedule.split = { j = 2 }"),
        ("S042", "z(i) = max[j](A(i,j)); y(j) = z(j) + x(j)", "A: symmetric = true; schedule.split = { j = 2 }"),
        ("S043", "R(i,p(j)) = A(i,j); z(p(j)) = x(j)", "schedule.scatter = ['z', 'R']"),
        ("S043", "R(i,p(j)) = A(i,j); z(i) = x(i); T(i,j) = A(i,j)", "schedule.scatter = ['T']"),
        ("S047", "z(i) = x(i); c = z(i)", "schedule.fuse = { x = 'i' }"),
        ("S104", "flip(y,0)(i) = x(i) * x(i)", "schedule.lanes = { k = 3 }"),
    ];
    let folder = Folder::new();
    for (code, expr, more) in cases {
        let used = matrices.iter().chain(x).filter(|(name, _)| words(expr).any(|word| word == *name));
        let mut text = declared(expr, &used.copied().collect::<Vec<_>>());
        for line in more.replace('\'', "\"").split("; ").filter(|line| !line.is_empty()) {
            text = match line.split_once(": ") {
                _ if line.starts_with("large = ") => {
                    text.replace("[6", &format!("[{}", &line[8..])).replace(", 6]", &format!(", {}]", &line[8..]))
                }
                Some((tensor, line)) => {
                    text.replace(&format!("[tensors.{tensor}]"), &format!("[tensors.{tensor}]\n{line}"))
                }
                None => text.replacen('\n', &format!("\n{line}\n"), 1),
            };
        }
        if *code == "S009" {
            text = text.replace("i32", "f32");
        }
        let ran = folder.write("k.toml", &text).run(&["graph", "k.toml"]);
        let foreign = foreign(&ran.err, &text);
        assert!(foreign.is_empty(), "{foreign:?} in {}\nof {text}", ran.err);
        assert!(ran.err.contains(&format!("error[{code}]")), "{code}: {}\nof {text}", ran.err);
    }
}

#[test]
fn a_diagonal_that_levels_cannot_look_up_is_named() {
    let text = declared("R(i,j) = A(i,j); y(i) = R(i,i)", &[("A", SPARSE), ("R", "block,run"), ("y", "dense")]);
    let ran = Folder::new().write("k.toml", text).run(&["graph", "k.toml"]);
    assert!(ran.err.contains("S006]: a diagonal of R") && ran.err.contains("dense, compressed"), "{}", ran.err);
}
