//! Names of types: whoever reads one knows which type it is, as no crate has two of that name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Rust sources below `folder`, without tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).into_iter().flatten().map(|e| e.unwrap().path()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            sources(&path, found);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            found.push(path);
        }
    }
}

/// The type that a line of code defines; types of traits and implementations are none.
fn defined(line: &str) -> Option<&str> {
    let code = line.trim_start();
    let code = match code.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => code,
    };
    let (word, rest) = code.split_once(' ')?;
    let defines = matches!(word, "struct" | "enum" | "trait") || word == "type" && !line.starts_with(' ');
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    defines.then_some(&rest[..end])
}

/// Names of types that more than one file of a crate defines, with the files.
fn twice(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let (mut files, mut all) = (Vec::new(), BTreeMap::<String, Vec<String>>::new());
    sources(folder, &mut files);
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let names: BTreeSet<&str> = code.lines().filter_map(defined).collect();
        for name in names {
            all.entry(name.into()).or_default().push(path.display().to_string());
        }
    }
    all.retain(|_, files| files.len() > 1);
    all
}

#[test]
fn no_two_types_of_a_crate_have_one_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = fs::read_dir(root).unwrap().map(|e| e.unwrap().path());
    let crates = crates.filter(|path| path.join("Cargo.toml").exists()).map(|path| path.join("src"));
    for folder in crates.chain([root.join("src")]) {
        let found = twice(&folder);
        assert!(found.is_empty(), "{found:#?}");
    }
}
