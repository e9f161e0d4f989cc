//! What the documentation says is so: links lead somewhere, codes are listed, numbers and forms are
//! those of the examples.

mod code;
mod diagnostics;
mod pages;
mod readability;
mod structure;
#[cfg(target_os = "linux")]
mod tutorials;

use pages::prose;
use samhw_compiler::diag::Source;
use samhw_compiler::emit::{Manifest, emit};
use samhw_compiler::facts::Density;
use samhw_compiler::frontend::parse;
use samhw_compiler::pipeline::{compile_file, declared_netlist};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

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
        let prose = prose(&text);
        for target in prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = target.split('#').next().unwrap_or_default();
            // Rustdoc resolves paths of items by itself.
            let elsewhere = file.is_empty() || file.contains("://") || file.contains("::") || structure::is_api(file);
            if !elsewhere && !page.parent().unwrap().join(file).exists() {
                broken.push(format!("{}: {target}", page.strip_prefix(root()).unwrap().display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// The manifest of an example with its memory on the chip.
fn manifest(path: &Path) -> Manifest {
    let source = Source { path: path.into(), text: std::fs::read_to_string(path).unwrap() };
    let file = parse(Arc::new(source)).unwrap();
    let compiled = compile_file(&file, &Density::default()).unwrap();
    emit(&compiled.lowered, &declared_netlist(&compiled.lowered).unwrap()).manifest
}

/// Parts of arrays, such as `crd`, with the beats of their requests and answers, as the table of
/// memory ports in hardware.md has them.
fn documented_ports() -> BTreeSet<(String, String)> {
    let page = std::fs::read_to_string(root().join("docs/hardware.md")).unwrap();
    let table = page.split("## Memory ports of the core").nth(1).unwrap().split("##").next().unwrap();
    let mut out = BTreeSet::new();
    for row in table.lines().filter(|l| l.starts_with("| `B_")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let named = [cells[1], cells[3]].concat();
        let parts = named.split("B_").skip(1).map(|n| n.chars().take_while(char::is_ascii_lowercase).collect());
        out.extend(parts.map(|part| (part, cells[2].replace(".., ", ""))));
    }
    out
}

#[test]
fn memory_ports_are_as_the_page_says() {
    let (documented, mut found) = (documented_ports(), BTreeSet::new());
    for path in all("toml").into_iter().filter(|p| p.parent().is_some_and(|p| p.ends_with("examples"))) {
        let m = manifest(&path);
        let fields = |wires: &str| m.streams.iter().find(|s| s.wires == wires).map(|s| s.fields.clone()).unwrap();
        for array in &m.arrays {
            for request in array.ports.iter().filter(|p| p.ends_with("_req")) {
                let asked: Vec<String> = fields(request).iter().rev().map(|f| f.name.clone()).collect();
                let answer = match fields(&request.replace("_req", "_rsp")).len() {
                    1 => "{word}",
                    _ => "{word at addr+1, word at addr}",
                };
                found.insert((array.part.clone(), format!("{{{}}}; {answer}", asked.join(", "))));
            }
        }
    }
    assert!(found.len() > 4, "{found:?}");
    let missing: Vec<_> = found.difference(&documented).collect();
    assert!(missing.is_empty(), "not in docs/hardware.md: {missing:?}");
}

/// Cycles of an example, as `samhw run` counts them.
fn cycles(example: &str) -> u64 {
    let path = root().join("examples").join(format!("{example}.toml"));
    let out = Command::new(env!("CARGO_BIN_EXE_samhw")).args(["run", "--json"]).arg(path).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    report["cycles"].as_u64().unwrap()
}

#[test]
fn cycles_in_the_guide_are_those_of_the_examples() {
    let guide = std::fs::read_to_string(root().join("docs/guide.md")).unwrap();
    for order in ["k, i, j", "i, k, j", "i, j, k"] {
        let row = guide.lines().find(|l| l.starts_with(&format!("| {order} |"))).unwrap();
        let said = row.trim_end_matches([' ', '|']).rsplit(' ').next().unwrap();
        let example = format!("spmspm_{}", order.replace(", ", ""));
        assert_eq!(said, cycles(&example).to_string(), "{example}");
    }
    let spmv = format!("cycles   {}\n", cycles("spmv"));
    for page in ["docs/guide.md", "README.md"] {
        assert!(std::fs::read_to_string(root().join(page)).unwrap().contains(&spmv), "{page}: {spmv}");
    }
}

/// Levels that the kernel files' page calls later ones are refused as such, and no others.
#[test]
fn later_levels_are_those_of_the_page() {
    let page = std::fs::read_to_string(root().join("docs/kernel-files.md")).unwrap();
    let later = page.split("## Later").nth(1).unwrap().split("(`K020`)").next().unwrap();
    let named: Vec<&str> = later.split('`').skip(1).step_by(2).collect();
    assert!(!named.is_empty());
    for level in ["dense", "compressed", "block", "run", "broadcast", "hash"].iter().chain(&named) {
        let text = format!(
            "expr = \"y(i) = a(i)\"\n[tensors.a]\nlevels = [\"{level}\"]\nshape = [8]\ntype = \"i32\"\n\
             [tensors.y]\nformat = \"dense\"\ntype = \"i32\"\n"
        );
        let refused = match parse(Arc::new(Source { path: "k.toml".into(), text })) {
            Ok(_) => false,
            Err(problems) => problems.iter().any(|p| p.code == "K020"),
        };
        assert_eq!(refused, named.contains(level), "{level}");
    }
}
