//! A run that has ended.

use crate::array::{List, Listed};
use crate::errors::refused;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use samhw_driver::page::{Drawn, heat};
use samhw_driver::run::Ran as Run;
use samhw_sim::tensor::Coo;

/// A run that has ended.
#[pyclass(frozen)]
pub struct Ran(Run);

impl Ran {
    /// Wraps a run.
    pub fn new(run: Run) -> Self {
        Self(run)
    }

    /// The entries of a result.
    pub fn entries(&self, name: &str) -> PyResult<&Coo> {
        let found = self.0.results.iter().find(|(n, _)| n == name).and_then(|(_, t)| self.0.found.get(t));
        found.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }
}

/// A result: type, shape, names of levels, mode of each level, raw bits of the fill.
type Stored = (String, Vec<u64>, Vec<&'static str>, Vec<usize>, u64);

#[pymethods]
impl Ran {
    /// The report of `samhw run --json`.
    fn json(&self) -> String {
        self.0.json().to_string()
    }

    /// The report of `samhw run`.
    fn text(&self) -> String {
        self.0.text()
    }

    /// How results differ from the reference.
    fn wrong(&self) -> Vec<String> {
        self.0.wrong.clone()
    }

    /// The graph, coloured by what the run did, as `svg` or `html`.
    fn graph(&self, py: Python<'_>, form: &str) -> PyResult<String> {
        let (problem, heat) = (&self.0.problem, heat(&self.0.counts));
        let drawn = Drawn { lowered: &problem.lowered, net: &self.0.net, choice: &problem.choice, heat: Some(&heat) };
        match form {
            "html" => drawn.page(&self.0.file).map_err(|d| refused(py, &d)),
            _ => Ok(drawn.svg()),
        }
    }

    /// How a result is stored.
    fn stored(&self, name: &str) -> PyResult<Stored> {
        let shape = self.entries(name)?.shape().to_vec();
        let named = self.0.results.iter().find(|(n, _)| n == name);
        let (_, t) = named.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        let tensor = self.0.file.kernel.tensor(*t);
        let fill = self.0.problem.wanted(*t).map_or(0, |output| output.fill);
        let levels = tensor.levels.iter().map(|level| level.name()).collect();
        Ok((tensor.ty.to_string(), shape, levels, tensor.mode_order.clone(), fill))
    }

    /// Coordinates of a result, one after the other, row by row.
    fn coordinates(slf: Py<Self>, name: String) -> Listed {
        Listed { ran: slf, name, list: List::Coordinates }
    }

    /// Raw bits of the values of a result, row by row.
    fn values(slf: Py<Self>, name: String) -> Listed {
        Listed { ran: slf, name, list: List::Values }
    }
}
