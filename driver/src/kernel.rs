//! Reading and resolving kernel files together with their data.

use samhw_compiler::data::DataSource;
use samhw_compiler::diag::{Diagnostic, Diagnostics, Place, Source};
use samhw_compiler::frontend::{self, KernelFile};
use samhw_sim::tensor::header;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Data sources by tensor, in addition to those of the kernel file.
pub type Sources = BTreeMap<String, DataSource>;

/// Reads the text of a kernel file.
pub fn text(path: &Path) -> Result<String, Diagnostic> {
    let problem = |what: String| {
        let place = Place::File(path.into(), None);
        Diagnostic::new("K000", what).at(place).help("give a kernel file, such as examples/spmv.toml")
    };
    let failed = |e: io::Error| problem(format!("cannot read the kernel file: {e}"));
    let size = std::fs::metadata(path).map_err(failed)?;
    if !size.is_file() {
        return Err(problem("the kernel file is not a file".into()));
    }
    // What is too large is not read.
    if size.len() > frontend::MAX_BYTES {
        return Err(frontend::too_large(size.len()).at(Place::File(path.into(), None)));
    }
    let bytes = std::fs::read(path).map_err(failed)?;
    String::from_utf8(bytes).map_err(|e| problem(format!("the kernel file is not UTF-8: {e}")))
}

/// Parses and resolves the text of a kernel file. Sizes and types that it does not say are those of the data.
pub fn parse(path: PathBuf, text: String, sources: &Sources) -> Result<KernelFile, Diagnostics> {
    let base = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let mut problems = Vec::new();
    let mut ask = |name: &str, written: Option<&DataSource>, needed: bool| {
        let found = match (sources.get(name), written) {
            (Some(given), _) => header(given, Path::new("")),
            (None, Some(written)) => header(written, &base),
            (None, None) => return None,
        };
        match found {
            Ok(header) => Some(header),
            Err(problem) => {
                if needed {
                    problems.push(problem);
                }
                None
            }
        }
    };
    let parsed = frontend::parse_with_data(Arc::new(Source { path, text }), &mut ask);
    // What is missing in the file would have followed from data that cannot be read.
    if problems.is_empty() { parsed } else { Err(problems) }
}
