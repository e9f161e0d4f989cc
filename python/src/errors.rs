//! Problems as exceptions with code, place and help.

use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use samhw_compiler::diag::{self, Diagnostic, render};

pyo3::create_exception!(samhw, Error, PyException, "Something is wrong with a kernel, its data or its run.");

/// The exception that says this.
pub fn refused(py: Python<'_>, all: &[Diagnostic]) -> PyErr {
    let error = Error::new_err(render(all).trim_end().to_owned());
    match attributes(py, &error, all) {
        Ok(()) => error,
        Err(other) => other,
    }
}

/// An argument that is none of those that there are.
pub fn unknown(argument: &str, given: &str, known: &[&str]) -> PyErr {
    PyValueError::new_err(format!("{argument} is one of {}, not {given}", known.join(", ")))
}

fn attributes(py: Python<'_>, error: &PyErr, all: &[Diagnostic]) -> PyResult<()> {
    let problems = py.import("json")?.call_method1("loads", (diag::json(all).to_string(),))?;
    let value = error.value(py);
    let first = all.first();
    value.setattr("code", first.map(|d| d.code))?;
    value.setattr("message", first.map(|d| d.message.as_str()))?;
    value.setattr("help", first.map(|d| d.help.clone()).unwrap_or_default())?;
    let place = match problems.try_iter()?.next() {
        Some(problem) => {
            let problem = problem?;
            (problem.call_method1("get", ("file",))?, problem.call_method1("get", ("line",))?)
                .into_pyobject(py)?
                .into_any()
        }
        None => py.None().into_bound(py),
    };
    value.setattr("place", place)?;
    value.setattr("problems", problems)
}
