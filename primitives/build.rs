//! Collects the Verilog of the primitives' folders, and which module instantiates which, for `library::MODULES`.
//!
//! Modules there stand alone: in place of a line that includes a header are the lines of it that the module
//! needs, and no others, which tools would call parameters without a use.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Files `samhw_*` with `ending` below `folder`, by name.
fn collect(folder: &Path, ending: &str, found: &mut BTreeMap<String, PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, ending, found)?;
        } else if let Some(name) = path.file_name().and_then(|n| n.to_str()?.strip_suffix(ending))
            && name.starts_with("samhw_")
            && let Some(other) = found.insert(name.to_string(), path.clone())
        {
            return Err(io::Error::other(format!("two files for {name}: {} and {}", other.display(), path.display())));
        }
    }
    Ok(())
}

/// Words of Verilog, without those in comments and strings.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .flat_map(|code| code.split('"').step_by(2))
        .flat_map(|code| code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
}

/// The name that a line of a header declares.
fn declared(line: &str) -> Option<&str> {
    let code = line.trim_start().strip_prefix("localparam ")?.split('=').next()?;
    code.split_whitespace().last()
}

/// What of `header` a module with that `text` needs: lines whose name the text has, or another line that it
/// needs.
fn needed<'a>(text: &str, header: &'a str) -> Vec<&'a str> {
    let lines: Vec<&str> = header.lines().filter(|l| declared(l).is_some()).collect();
    let mut wanted: BTreeSet<&str> = BTreeSet::new();
    // A line stands behind those that it needs.
    for line in lines.iter().rev() {
        let name = declared(line).unwrap_or_default();
        if words(text).any(|w| w == name) || wanted.contains(name) {
            wanted.extend(words(line));
        }
    }
    lines.into_iter().filter(|l| declared(l).is_some_and(|name| wanted.contains(name))).collect()
}

/// `text` with headers in place of the lines that include them.
fn with_headers(text: &str, headers: &BTreeMap<String, PathBuf>) -> io::Result<String> {
    let mut out = String::new();
    for line in text.lines() {
        let Some(name) = line.trim().strip_prefix("`include \"").and_then(|l| l.strip_suffix(".vh\"")) else {
            out += &format!("{line}\n");
            continue;
        };
        let path = headers.get(name).ok_or_else(|| io::Error::other(format!("no header {name}")))?;
        let header = fs::read_to_string(path)?;
        let indent = &line[..line.len() - line.trim_start().len()];
        let lines = needed(text, &header);
        if lines.is_empty() {
            return Err(io::Error::other(format!("a module includes {name} and needs nothing of it")));
        }
        lines.iter().for_each(|l| out += &format!("{indent}{l}\n"));
    }
    Ok(out)
}

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=src");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let made = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let (mut files, mut headers) = (BTreeMap::new(), BTreeMap::new());
    collect(&root.join("src"), ".v", &mut files)?;
    collect(&root.join("src"), ".vh", &mut headers)?;
    let mut list = String::from("&[\n");
    for (name, path) in &files {
        let text =
            with_headers(&fs::read_to_string(path)?, &headers).map_err(|e| io::Error::other(format!("{name}: {e}")))?;
        let path = made.join(format!("{name}.v"));
        fs::write(&path, &text)?;
        let mut uses: Vec<&str> = words(&text).filter(|w| w != name && files.contains_key(*w)).collect();
        uses.sort_unstable();
        uses.dedup();
        writeln!(list, "    Source {{ name: {name:?}, text: include_str!({path:?}), uses: &{uses:?} }},")
            .map_err(io::Error::other)?;
    }
    list += "]\n";
    fs::write(made.join("modules.rs"), list)
}
