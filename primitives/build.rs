//! Collects the Verilog of the primitives' folders, and which module instantiates which, for `library::MODULES`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Files `samhw_*.v` below `folder`, by module.
fn collect(folder: &Path, found: &mut BTreeMap<String, PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, found)?;
        } else if let Some(name) = path.file_name().and_then(|n| n.to_str()?.strip_suffix(".v"))
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

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=src");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut files = BTreeMap::new();
    collect(&root.join("src"), &mut files)?;
    let mut list = String::from("&[\n");
    for (name, path) in &files {
        let text = fs::read_to_string(path)?;
        let mut uses: Vec<&str> = words(&text).filter(|w| w != name && files.contains_key(*w)).collect();
        uses.sort_unstable();
        uses.dedup();
        writeln!(list, "    Source {{ name: {name:?}, text: include_str!({path:?}), uses: &{uses:?} }},")
            .map_err(io::Error::other)?;
    }
    list += "]\n";
    fs::write(PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("modules.rs"), list)
}
