//! The native part of the Python package: what the command line does, for values instead of files.
//! `python/samhw` holds what users see.

mod array;
mod data;
mod errors;
mod ran;
mod work;

use data::{Data, Given, KernelText, sources};
use errors::{refused, unknown};
use pyo3::prelude::*;
use ran::Ran;
use samhw_compiler::diag::Diagnostics;
use samhw_compiler::draw;
use samhw_compiler::facts::Density;
use samhw_compiler::pipeline::{at_statement, compile_file, declared_netlist};
use samhw_driver::bundle::Bundle;
use samhw_driver::explore::{Axis, Goal, Plan, explore as search};
use samhw_driver::generate::{self as generates, Wanted};
use samhw_driver::page::Drawn;
use samhw_driver::run::{self as runs, Engine, Options};
use samhw_driver::spoken::Spoken;
use samhw_driver::{edit, estimate as estimates};
use samhw_fpga::estimate::Top;
use samhw_sim::axi::Dram;
use samhw_sim::load::operands;
use serde_json::json;
use std::sync::atomic::Ordering;
use work::{Watch, apart};

/// Files by name.
type Files = Vec<(String, String)>;

/// The text of the kernel file that an expression stands for.
#[pyfunction]
fn spoken(py: Python<'_>, expr: String, formats: Vec<(String, String)>, operands: Vec<String>) -> PyResult<String> {
    Spoken { expr, formats, operands }.text().map_err(|d| refused(py, &d))
}

/// The text of a kernel file with choices made otherwise, `KEY=VALUE` each.
#[pyfunction]
fn edited(py: Python<'_>, text: &str, choices: Vec<String>) -> PyResult<String> {
    edit::edited(text, &choices).map_err(|d| refused(py, &[d]))
}

/// What a kernel is: name, tensors and warnings, as JSON.
#[pyfunction]
fn described(py: Python<'_>, kernel: &KernelText, data: Given<'_>) -> PyResult<String> {
    let (kernel, sources) = (kernel.clone(), sources(&data));
    let file = apart(py, &Watch::default(), None, move || kernel.parse(&sources))?.map_err(|d| refused(py, &d))?;
    let (read, written) = (operands(&file.kernel), file.kernel.results().collect::<Vec<_>>());
    let tensors = file.kernel.tensors.iter().enumerate().filter(|(_, tensor)| tensor.view.is_none());
    let tensors = tensors.map(|(n, tensor)| {
        json!({
            "name": tensor.name,
            "type": tensor.ty.to_string(),
            "shape": tensor.shape,
            "levels": tensor.levels.iter().map(|level| level.name()).collect::<Vec<_>>(),
            "mode_order": tensor.mode_order,
            "operand": read.iter().any(|t| t.0 == n),
            "result": written.iter().any(|t| t.0 == n),
        })
    });
    let all = json!({
        "name": file.kernel.name,
        "tensors": tensors.collect::<Vec<_>>(),
        "warnings": samhw_compiler::diag::json(&file.warnings),
    });
    Ok(all.to_string())
}

/// How a kernel is run.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct How {
    engine: String,
    latency: Option<u64>,
    memory: Option<String>,
    mhz: u64,
    stall: u64,
    seed: Option<u64>,
}

impl How {
    fn options(&self) -> PyResult<Options> {
        let engine = match self.engine.as_str() {
            "native" => Engine::Native,
            "verilator" => Engine::Verilator,
            other => return Err(unknown("engine", other, &["native", "verilator"])),
        };
        let dram = |name: &String| Dram::named(name, self.mhz).ok_or_else(|| unknown("memory", name, &Dram::NAMES));
        let dram = self.memory.as_ref().map(dram).transpose()?;
        let seed = self.seed.unwrap_or_default();
        Ok(Options { engine, latency: self.latency, dram, wave: None, stall: self.stall, seed })
    }
}

/// Runs a kernel; `tell` is called now and then meanwhile.
#[pyfunction]
fn run(
    py: Python<'_>,
    kernel: &KernelText,
    data: Given<'_>,
    how: How,
    watch: &Watch,
    tell: Option<Bound<'_, PyAny>>,
) -> PyResult<Ran> {
    let options = how.options()?;
    let (kernel, sources, seen) = (kernel.clone(), sources(&data), watch.clone());
    let ran = apart(py, watch, tell.as_ref(), move || {
        let mut file = kernel.parse(&sources)?;
        runs::reseed(&mut file, how.seed);
        let expected = |found: &samhw_sim::expected::Expected| {
            seen.expected.store(found.cycles as u64, Ordering::Relaxed);
        };
        runs::run(file, &sources, &options, seen.shared.clone(), expected)
    })?;
    ran.map(Ran::new).map_err(|d| refused(py, &d))
}

/// The graph as `text`, `dot`, `svg` or `html`.
#[pyfunction]
fn graph(py: Python<'_>, kernel: &KernelText, data: Given<'_>, form: String) -> PyResult<String> {
    let (kernel, sources) = (kernel.clone(), sources(&data));
    let drawn = apart(py, &Watch::default(), None, move || {
        let file = kernel.parse(&sources)?;
        let compiled = compile_file(&file, &Density::default())?;
        let net = declared_netlist(&compiled.lowered).map_err(|d| at_statement(&file, d))?;
        let (lowered, choice) = (&compiled.lowered, &compiled.choice);
        let drawn = Drawn { lowered, net: &net, choice, heat: None };
        Ok::<_, Diagnostics>(match form.as_str() {
            "dot" => draw::dot(lowered, &net),
            "svg" => drawn.svg(),
            "html" => drawn.page(&file)?,
            _ => draw::text(lowered, &net, choice),
        })
    })?;
    drawn.map_err(|d| refused(py, &d))
}

/// The files of `samhw gen`.
#[pyfunction]
fn generate(
    py: Python<'_>,
    kernel: &KernelText,
    data: Given<'_>,
    wanted: (Option<String>, bool, bool, String),
) -> PyResult<Files> {
    let (board, with_data, single_file, prefix) = wanted;
    let wanted = Wanted { board, data: with_data, bundle: Bundle { prefix, single_file } };
    let (kernel, sources) = (kernel.clone(), sources(&data));
    let made =
        apart(py, &Watch::default(), None, move || generates::generated(&kernel.parse(&sources)?, &sources, &wanted))?;
    made.map(|made| made.files).map_err(|d| refused(py, &d))
}

/// The report of `samhw estimate`, as JSON.
#[pyfunction]
fn estimate(
    py: Python<'_>,
    kernel: &KernelText,
    data: Given<'_>,
    board: String,
    top: Option<String>,
) -> PyResult<String> {
    let top = match top.as_deref() {
        None => None,
        Some("board") => Some(Top::Board),
        Some("core") => Some(Top::Core),
        Some(other) => return Err(unknown("top", other, &["board", "core"])),
    };
    let (kernel, sources) = (kernel.clone(), sources(&data));
    let estimated = move || estimates::estimated(&kernel.parse(&sources)?, &sources, &board, top);
    let found = apart(py, &Watch::default(), None, estimated)?;
    found.map(|found| found.json().to_string()).map_err(|d| refused(py, &d))
}

/// The report of `samhw explore`, as JSON, and the kernel files of the front.
#[pyfunction]
fn explore(
    py: Python<'_>,
    kernel: &KernelText,
    data: Given<'_>,
    how: (String, String, Vec<String>, usize),
    watch: &Watch,
    tell: Option<Bound<'_, PyAny>>,
) -> PyResult<(String, Files)> {
    let (board, size, axes, most) = how;
    let axis = |name: &String| match name.as_str() {
        "orders" => Ok(Axis::Orders),
        "formats" => Ok(Axis::Formats),
        "schedules" => Ok(Axis::Schedules),
        other => Err(unknown("vary", other, &["orders", "formats", "schedules"])),
    };
    let axes: Vec<Axis> = axes.iter().map(axis).collect::<PyResult<_>>()?;
    let size = match size.as_str() {
        "luts" => Goal::Luts,
        "brams" => Goal::Brams,
        other => return Err(unknown("size", other, &["luts", "brams"])),
    };
    let plan = Plan::new(&board, size, axes, most).map_err(|d| refused(py, &d))?;
    let (kernel, sources, seen) = (kernel.clone(), sources(&data), watch.shared.clone());
    let found = apart(py, watch, tell.as_ref(), move || {
        let found = search(kernel.parse(&sources)?, sources, plan, &seen)?;
        Ok::<_, Diagnostics>((found.json().to_string(), found.files()?))
    })?;
    found.map_err(|d| refused(py, &d))
}

/// The native module.
#[pymodule]
fn _samhw(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("Error", module.py().get_type::<errors::Error>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<KernelText>()?;
    module.add_class::<Data>()?;
    module.add_class::<Ran>()?;
    module.add_class::<Watch>()?;
    module.add_function(wrap_pyfunction!(spoken, module)?)?;
    module.add_function(wrap_pyfunction!(edited, module)?)?;
    module.add_function(wrap_pyfunction!(described, module)?)?;
    module.add_function(wrap_pyfunction!(run, module)?)?;
    module.add_function(wrap_pyfunction!(graph, module)?)?;
    module.add_function(wrap_pyfunction!(generate, module)?)?;
    module.add_function(wrap_pyfunction!(estimate, module)?)?;
    module.add_function(wrap_pyfunction!(explore, module)?)?;
    Ok(())
}
