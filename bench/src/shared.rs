//! The shared folder with other tools' inputs and results: `SAMHW_SHARED`, otherwise next to the workspace.

use samhw_compiler::data::ValuePolicy;
use samhw_compiler::types::Type;
use samhw_sim::tensor::{Coo, Keep, Target, read_file};
use std::path::{Path, PathBuf};

/// Returns the path of `name` in the folder if it exists; otherwise reports that `what` is skipped.
pub fn find(name: &str, what: &str) -> Option<PathBuf> {
    let own = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared"));
    let root = std::env::var_os("SAMHW_SHARED").map_or_else(own, PathBuf::from);
    let path = root.join(name);
    if path.exists() {
        return Some(path);
    }
    println!("skipped {what}: {name} is not in the shared folder (set SAMHW_SHARED to it)");
    None
}

/// Reads a matrix, or only its pattern if its values are not integers.
pub fn matrix(path: &Path) -> Option<Coo> {
    let ty = Type::int(16, true);
    let target = Target { name: "A".into(), max: vec![1 << 40; 2], ty, fill: 0, keep: Keep::Others };
    let read = |p| read_file(path, p, &target).ok().map(|loaded| loaded.coo);
    let coo = [ValuePolicy::Exact, ValuePolicy::Ones].into_iter().find_map(read)?;
    (coo.order() == 2 && !coo.is_empty()).then_some(coo)
}
