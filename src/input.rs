//! Reading a kernel file, and the options that say where data come from.

use crate::{Failure, output};
use samhw_compiler::data::{DataSource, ValuePolicy};
use samhw_compiler::diag::{Diagnostic, Place, Source, render};
use samhw_compiler::frontend::{self, KernelFile};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads and resolves a kernel file. What may not be meant in it goes to standard error.
pub fn kernel(path: &Path) -> Result<KernelFile, Failure> {
    let problem = |what: String| {
        Diagnostic::new("K000", what)
            .at(Place::File(path.into(), None))
            .help("give a kernel file, such as examples/spmv.toml")
    };
    let size = std::fs::metadata(path).map_err(|e| problem(format!("cannot read the kernel file: {e}")))?;
    if !size.is_file() {
        return Err(problem("the kernel file is not a file".into()).into());
    }
    // What is too large is not read.
    if size.len() > frontend::MAX_BYTES {
        return Err(frontend::too_large(size.len()).at(Place::File(path.into(), None)).into());
    }
    let bytes = std::fs::read(path).map_err(|e| problem(format!("cannot read the kernel file: {e}")))?;
    let text = String::from_utf8(bytes).map_err(|e| problem(format!("the kernel file is not UTF-8: {e}")))?;
    let file = frontend::parse(Arc::new(Source { path: path.into(), text }))?;
    if !file.warnings.is_empty() {
        output::complain(&render(&file.warnings));
    }
    Ok(file)
}

/// Splits `NAME=VALUE` options.
pub fn pairs(option: &str, given: &[String]) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let mut out = BTreeMap::new();
    for g in given {
        let place = || Place::Option(format!("{option} {g}"));
        let Some((name, path)) = g.split_once('=').filter(|(n, p)| !n.is_empty() && !p.is_empty()) else {
            return Err(Diagnostic::new("R020", format!("{option} wants NAME=FILE"))
                .at(place())
                .help(format!("for example {option} B=data/B.mtx"))
                .into());
        };
        if out.insert(name.to_string(), PathBuf::from(path)).is_some() {
            return Err(Diagnostic::new("R020", format!("{option} names {name} twice"))
                .at(place())
                .help("give each tensor once")
                .into());
        }
    }
    Ok(out)
}

/// `--tensor` options as data sources.
pub fn tensors(given: &[String], policy: ValuePolicy) -> Result<BTreeMap<String, DataSource>, Failure> {
    Ok(pairs("--tensor", given)?.into_iter().map(|(n, path)| (n, DataSource::File { path, policy })).collect())
}
