//! What the structure of the compiler's sources promises: questions have one home.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// Files of the compiler, by their path below `src`, with their text.
fn compiler() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    sources(&root, &mut found);
    found.sort();
    let below = |p: &PathBuf| p.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
    found.iter().map(|p| (below(p), fs::read_to_string(p).unwrap())).collect()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Lines at which a match with arms of `of` has an arm for all others. What rustfmt gives is
/// assumed: arms stand one step further right than their match.
fn catch_alls(text: &str, of: &str) -> Vec<usize> {
    // Indent of the match, whether an arm is of `of`, the line of `_`.
    let mut open: Vec<(usize, bool, Option<usize>)> = Vec::new();
    let mut found = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let (at, code) = (indent(line), line.trim_start());
        if code.starts_with('}')
            && let Some((_, is, other)) = open.pop_if(|(indent, ..)| at <= *indent)
        {
            found.extend(other.filter(|_| is));
        }
        if let Some(here) = open.iter_mut().rev().find(|(indent, ..)| at == indent + 4) {
            here.1 |= code.trim_start_matches("| ").starts_with(of);
            if code.starts_with("_ =>") || code.starts_with("_ if ") {
                here.2 = Some(n + 1);
            }
        }
        if code.ends_with('{') && (code.starts_with("match ") || code.contains(" match ")) {
            open.push((at, false, None));
        }
    }
    found
}

/// A new operation must not be silently in the wrong class.
#[test]
fn no_match_over_operations_has_a_case_for_all_others() {
    for (path, text) in compiler() {
        assert_eq!(catch_alls(&text, "Op::"), [0; 0], "{path}");
        if path.starts_with("graph/") {
            assert_eq!(catch_alls(&text, "Self::"), [0; 0], "{path}");
        }
    }
}

/// Everyone else asks the trait.
#[test]
fn formats_are_told_apart_in_their_home_only() {
    let outside = |(path, text): &(String, String)| !path.starts_with("levels/") && text.contains("LevelKind::");
    let product: Vec<String> = compiler().into_iter().filter(outside).map(|(path, _)| path).collect();
    let product: Vec<&String> = product.iter().filter(|p| !p.contains("tests")).collect();
    assert_eq!(product, [""; 0]);
}

#[test]
fn a_case_for_all_others_is_found() {
    let text = "fn f() {\n    let x = match op {\n        Op::A(_) => {\n            1\n        }\n        _ => 0,\n    };\n    match y {\n        _ => 1,\n    }\n}\n";
    assert_eq!(catch_alls(text, "Op::"), [6]);
}
