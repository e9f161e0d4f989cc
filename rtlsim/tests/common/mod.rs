//! What the tests of this crate share.

use samhw_rtlsim::{Error, Result};
use std::path::PathBuf;

/// Folder of compiled designs: `SAMHW_CACHE`, else `.cache` of the workspace.
pub fn cache() -> PathBuf {
    let own = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.cache"));
    std::env::var_os("SAMHW_CACHE").map_or_else(own, PathBuf::from)
}

/// `None` where a tool is missing, with a printed line; an error if `SAMHW_REQUIRE_TOOLS` is set.
pub fn tool<T>(result: Result<T>) -> Option<Result<T>> {
    match result {
        Err(e @ Error::ToolMissing { .. }) if std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none() => {
            eprintln!("skipped: {e}");
            None
        }
        other => Some(other),
    }
}
