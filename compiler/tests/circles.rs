//! No circle of imports between the modules of one folder: each can be read after those it uses.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Folders below `compiler/src` whose modules import each other in one direction only.
const FOLDERS: [&str; 3] = ["frontend", "lower", "emit/axi"];

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true if path.file_name().is_some_and(|n| n == "tests") => {}
            true => sources(&path, out),
            false if path.extension().is_some_and(|e| e == "rs") => out.push(path),
            false => {}
        }
    }
}

/// The first names of what stands behind a path: of `{a::b, c}` a and c.
fn first_names(rest: &str) -> Vec<String> {
    let name = |text: &str| text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let Some(list) = rest.strip_prefix('{') else { return vec![name(rest)] };
    let (mut depth, mut names, mut item) = (0, Vec::new(), String::new());
    for c in list.chars() {
        match c {
            '}' if depth == 0 => break,
            ',' if depth == 0 => names.push(name(&std::mem::take(&mut item))),
            c => {
                depth += i32::from(c == '{') - i32::from(c == '}');
                item.push(c);
            }
        }
    }
    names.push(name(&item));
    names
}

/// What the text of a module that stands `depth` modules below the folder names in the folder.
fn named(text: &str, depth: usize, folder: &str) -> Vec<String> {
    let code: String = text.lines().map(|l| l.split("//").next().unwrap_or_default().to_owned() + "\n").collect();
    let code = code.split("#[cfg(test)]").next().unwrap_or_default();
    let own = ["super::".repeat(depth), format!("crate::{}::", folder.replace('/', "::"))];
    let mut out = Vec::new();
    for prefix in &own {
        for (at, _) in code.match_indices(prefix.as_str()) {
            let rest = &code[at + prefix.len()..];
            if !code[..at].ends_with("super::") && !rest.starts_with("super::") {
                out.extend(first_names(rest));
            }
        }
    }
    out
}

/// Per module of the folder the others that it names.
fn imports(folder: &str) -> BTreeMap<String, BTreeSet<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder);
    let mut files = Vec::new();
    sources(&root, &mut files);
    let modules = |path: &PathBuf| -> Vec<String> {
        let below = path.strip_prefix(&root).expect("it is below").with_extension("");
        let parts = below.components().map(|c| c.as_os_str().to_string_lossy().into_owned());
        parts.filter(|part| part != "mod").collect()
    };
    let files: Vec<(Vec<String>, String)> = files
        .iter()
        .map(|path| (modules(path), std::fs::read_to_string(path).expect("text")))
        .filter(|(modules, _)| !modules.is_empty())
        .collect();
    let all: BTreeSet<&String> = files.iter().map(|(modules, _)| &modules[0]).collect();
    let mut out: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (modules, text) in &files {
        let others = named(text, modules.len(), folder).into_iter().filter(|n| all.contains(n) && *n != modules[0]);
        out.entry(modules[0].clone()).or_default().extend(others);
    }
    out
}

#[test]
fn modules_of_a_folder_import_each_other_in_one_direction() {
    for folder in FOLDERS {
        let mut left = imports(folder);
        assert!(left.len() > 10 && left.values().any(|others| others.len() > 1), "{folder}: {left:?}");
        // Those that name nothing that is left go, until none is left, or a circle.
        loop {
            let there: BTreeSet<String> = left.keys().cloned().collect();
            let before = left.len();
            left.retain(|_, others| others.iter().any(|o| there.contains(o)));
            if left.len() == before {
                break;
            }
        }
        let there: BTreeSet<&String> = left.keys().collect();
        let circle: Vec<String> = left
            .iter()
            .map(|(m, others)| format!("{m} -> {:?}", others.iter().filter(|o| there.contains(o)).collect::<Vec<_>>()))
            .collect();
        assert!(circle.is_empty(), "a circle of imports in {folder}:\n{}", circle.join("\n"));
    }
}
