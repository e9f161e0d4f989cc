//! Kernels and data as Python gives them.

use crate::array::Buffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use samhw_compiler::data::{Coordinates, DataSource, HeldEntries, ValuePolicy, Words};
use samhw_compiler::diag::Diagnostics;
use samhw_compiler::frontend::KernelFile;
use samhw_compiler::types::Type;
use samhw_driver::kernel::{self, Sources};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The text of a kernel file and its path, below whose folder data files are looked for.
#[pyclass(frozen)]
#[derive(Debug, Clone)]
pub struct KernelText {
    text: String,
    path: PathBuf,
}

#[pymethods]
impl KernelText {
    #[new]
    fn new(text: String, path: PathBuf) -> Self {
        Self { text, path }
    }
}

impl KernelText {
    /// Resolves it.
    pub fn parse(&self, sources: &Sources) -> Result<KernelFile, Diagnostics> {
        kernel::parse(self.path.clone(), self.text.clone(), sources)
    }
}

/// Data of a tensor.
#[pyclass(frozen)]
#[derive(Debug, Clone)]
pub struct Data(DataSource);

/// Data by tensor.
pub type Given<'py> = HashMap<String, PyRef<'py, Data>>;

fn words(array: &Bound<'_, PyAny>) -> PyResult<Arc<dyn Words>> {
    Ok(Arc::new(Buffer::of(array)?))
}

impl Data {
    fn held(
        (shape, type_name): (Vec<u64>, &str),
        values: &Bound<'_, PyAny>,
        places: Coordinates,
        convert: &str,
    ) -> PyResult<Self> {
        let ty = Type::from_name(type_name).ok_or_else(|| PyValueError::new_err(format!("no type {type_name}")))?;
        let (values, policy) = (words(values)?, policy(convert)?);
        Ok(Self(DataSource::Held(Arc::new(HeldEntries { shape, ty, places, values, policy }))))
    }
}

fn policy(name: &str) -> PyResult<ValuePolicy> {
    ValuePolicy::from_name(name)
        .ok_or_else(|| PyValueError::new_err(format!("convert is one of {}", ValuePolicy::NAMES.join(", "))))
}

#[pymethods]
impl Data {
    /// A file.
    #[staticmethod]
    fn file(path: PathBuf, convert: &str) -> PyResult<Self> {
        Ok(Self(DataSource::File { path, policy: policy(convert)? }))
    }

    /// A value everywhere, row by row. Of each tensor: sizes, and the type of its elements.
    #[staticmethod]
    fn dense(of: (Vec<u64>, String), values: &Bound<'_, PyAny>, convert: &str) -> PyResult<Self> {
        Self::held((of.0, &of.1), values, Coordinates::All, convert)
    }

    /// Values with a list of coordinates for each mode.
    #[staticmethod]
    fn lists(
        of: (Vec<u64>, String),
        values: &Bound<'_, PyAny>,
        lists: Vec<Bound<'_, PyAny>>,
        convert: &str,
    ) -> PyResult<Self> {
        let lists = lists.iter().map(words).collect::<PyResult<_>>()?;
        Self::held((of.0, &of.1), values, Coordinates::Lists(lists), convert)
    }

    /// Values of a matrix line by line: the mode that counts lines, the first entry of each line and
    /// the end of the last, the other coordinate of each entry.
    #[staticmethod]
    fn lines(
        of: (Vec<u64>, String),
        values: &Bound<'_, PyAny>,
        lines: (usize, Bound<'_, PyAny>, Bound<'_, PyAny>),
        convert: &str,
    ) -> PyResult<Self> {
        let (mode, starts, others) = lines;
        let places = Coordinates::Lines { mode, starts: words(&starts)?, others: words(&others)? };
        Self::held((of.0, &of.1), values, places, convert)
    }
}

/// Data by tensor.
pub fn sources(data: &Given<'_>) -> Sources {
    data.iter().map(|(name, data)| (name.clone(), data.0.clone())).collect()
}
