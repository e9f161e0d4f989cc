//! The operations of samhw on kernels, without printing: the command line and the Python package are thin layers above.

pub mod bundle;
pub mod bus;
pub mod content;
pub mod coverage;
pub mod design;
pub mod edit;
pub mod einsum;
pub mod estimate;
pub mod explore;
pub mod forecast;
pub mod format;
pub mod generate;
pub mod kernel;
pub mod kernel_schema;
pub mod page;
pub mod report;
pub mod run;
pub mod schema;
pub mod spoken;
pub mod statements;
mod tokens;

/// The number of cycles after which a run is aborted.
pub const LIMIT: u64 = 1 << 40;

/// Every kernel file of the examples, those in folders, too.
#[cfg(test)]
fn example_files() -> Vec<std::path::PathBuf> {
    let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
            if path.is_dir() { &mut folders } else { &mut files }.push(path);
        }
    }
    files
}
