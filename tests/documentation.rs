//! What the documentation says is so: links lead somewhere, codes are listed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Files with this extension in the repository's own folders below `dir`, `dir` itself included.
fn files(dir: &Path, extension: &str, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()) {
        let hidden = entry.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.'));
        if entry.is_dir() && !hidden && entry != root().join("target") {
            files(&entry, extension, out);
        } else if entry.extension().is_some_and(|e| e == extension) {
            out.push(entry);
        }
    }
}

fn all(extension: &str) -> Vec<PathBuf> {
    let mut out = Vec::new();
    files(root(), extension, &mut out);
    out.sort();
    assert!(!out.is_empty());
    out
}

#[test]
fn links_lead_to_files() {
    let mut broken = Vec::new();
    for page in all("md") {
        let text = std::fs::read_to_string(&page).unwrap();
        // Between backquotes stands code, such as `sum[k](e)`.
        let prose: String = text.split('`').step_by(2).collect();
        for target in prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = target.split('#').next().unwrap_or_default();
            // Rustdoc resolves paths of items by itself.
            let elsewhere = file.is_empty() || file.contains("://") || file.contains("::");
            if !elsewhere && !page.parent().unwrap().join(file).exists() {
                broken.push(format!("{}: {target}", page.strip_prefix(root()).unwrap().display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// A code such as K001: a capital letter and three digits, in quotes.
fn codes(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').filter(|s| {
        let mut c = s.chars();
        s.len() == 4 && c.next().is_some_and(|c| c.is_ascii_uppercase()) && c.all(|c| c.is_ascii_digit())
    })
}

#[test]
fn every_code_is_listed() {
    let pages: String = ["diagnostics", "data-files"]
        .map(|p| std::fs::read_to_string(root().join(format!("docs/{p}.md"))).unwrap())
        .concat();
    let mut missing = BTreeSet::new();
    for source in all("rs").into_iter().filter(|p| !p.strip_prefix(root()).unwrap().to_string_lossy().contains("test"))
    {
        let text = std::fs::read_to_string(&source).unwrap();
        let code = text.split("mod tests {").next().unwrap_or_default();
        missing.extend(codes(code).filter(|c| !pages.contains(&format!("| {c} |"))).map(str::to_string));
    }
    assert!(missing.is_empty(), "not in docs/diagnostics.md or docs/data-files.md: {missing:?}");
}
