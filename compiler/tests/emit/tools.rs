//! External tools: skipped with a line where missing, unless `SAMHW_REQUIRE_TOOLS` is set.

use samhw_compiler::emit::Design;
use samhw_rtlsim as rtl;
use std::path::PathBuf;

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
