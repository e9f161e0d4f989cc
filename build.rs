//! Collects the pages below `docs/diagnostics`, a page for each code, for `samhw explain`.

use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=docs/diagnostics");
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("docs/diagnostics");
    let mut pages: Vec<PathBuf> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    let mut list = String::from("&[\n");
    for page in &pages {
        let code = page.file_stem().unwrap_or_default().to_string_lossy();
        writeln!(list, "    ({code:?}, include_str!({page:?})),").map_err(io::Error::other)?;
    }
    list += "]\n";
    fs::write(PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("diagnostics.rs"), list)
}
