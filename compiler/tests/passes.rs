//! What CONTRIBUTING.md says of passes: a pass is its file and its entry in the table.

use samhw_compiler::passes::PASSES;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Steps of the table that are stages of their own.
const STAGES: [&str; 3] = ["lower", "prune", "realize"];
/// Entries of the table that others refer to.
const SHARED: [&str; 2] = ["banks", "asked"];
/// Files that passes share.
const HELPERS: [&str; 3] = ["copies", "joins", "mod"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

#[test]
fn the_table_names_the_files() {
    let names: BTreeSet<&str> = PASSES.iter().map(|p| p.name).collect();
    assert_eq!(names.len(), PASSES.len(), "two passes have one name");
    let stem = |path: PathBuf| path.file_stem().expect("a name").to_string_lossy().into_owned();
    let inside = |folder: &str| {
        let entries = std::fs::read_dir(root().join(folder)).expect("a folder");
        entries.map(|e| stem(e.expect("an entry").path())).collect::<Vec<_>>()
    };
    let files: BTreeSet<String> =
        ["compiler/src/passes", "compiler/src/passes/joins"].into_iter().flat_map(inside).collect();
    for file in files.iter().map(String::as_str).filter(|f| !HELPERS.contains(f)) {
        assert!(names.contains(file), "passes/{file} is not in the table");
    }
    for name in names.iter().filter(|n| !STAGES.contains(n) && !SHARED.contains(n)) {
        assert!(files.contains(*name), "`{name}` has no file in passes");
    }
    for pass in PASSES {
        assert!(pass.why.ends_with('.'), "`{}`: {}", pass.name, pass.why);
    }
}

#[test]
fn an_optional_pass_is_two_places() {
    let mut all = Vec::new();
    sources(&root().join("compiler/src"), &mut all);
    sources(&root().join("sim/src"), &mut all);
    sources(&root().join("src"), &mut all);
    for pass in PASSES.iter().filter(|p| p.optional && !SHARED.contains(&p.name)) {
        let used = [format!("passes::{}", pass.name), format!("{}::apply", pass.name)];
        let files = all.iter().filter(|path| {
            let text = std::fs::read_to_string(path).expect("text");
            used.iter().any(|u| text.contains(u))
        });
        let files: Vec<&PathBuf> = files.filter(|f| !f.starts_with(root().join("compiler/src/passes"))).collect();
        assert!(files.is_empty(), "`{}` is named in {files:?}", pass.name);
    }
    let page = std::fs::read_to_string(root().join("CONTRIBUTING.md")).expect("a page");
    let section = page.split("## ").find(|s| s.starts_with("Adding a pass")).expect("a section");
    for place in ["compiler/src/passes/NAME.rs", "compiler/src/passes/mod.rs"] {
        assert!(section.contains(place), "{place}");
    }
}
