//! Arrays of NumPy that are read where they are, and lists of a run that NumPy reads where they are.
//! Both know each other by the array interface, a dictionary that needs no NumPy to be made or read.

use crate::ran::Ran;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use samhw_compiler::data::Words;

/// Which byte of a word is first here, as NumPy writes it.
const ENDIAN: char = if cfg!(target_endian = "big") { '>' } else { '<' };

/// An array of NumPy of one dimension, whose elements follow each other.
#[derive(Debug)]
pub struct Buffer {
    /// Keeps the memory.
    _owner: Py<PyAny>,
    address: usize,
    count: usize,
    bytes: usize,
}

impl Buffer {
    /// Takes an array of Python.
    pub fn of(array: &Bound<'_, PyAny>) -> PyResult<Self> {
        let wrong = |what: &str| PyValueError::new_err(format!("an array that {what}"));
        let interface = array.getattr("__array_interface__")?;
        let interface = interface.cast::<PyDict>().map_err(|_| wrong("is none of NumPy"))?;
        let get = |key: &str| interface.get_item(key)?.ok_or_else(|| wrong(&format!("does not say its {key}")));
        let (address, _): (usize, bool) = get("data")?.extract()?;
        let kind: String = get("typestr")?.extract()?;
        let shape: Vec<usize> = get("shape")?.extract()?;
        let strides: Option<Vec<isize>> = interface.get_item("strides")?.map_or(Ok(None), |s| s.extract())?;
        let bytes: usize = kind.get(2..).and_then(|n| n.parse().ok()).ok_or_else(|| wrong("has no numbers"))?;
        let [count] = shape[..] else { return Err(wrong("has other than one dimension")) };
        if ![1, 2, 4, 8].contains(&bytes) || !kind.starts_with([ENDIAN, '|']) {
            return Err(wrong(&format!("has elements of type {kind}")));
        }
        if strides.is_some_and(|strides| strides != [bytes as isize]) {
            return Err(wrong("has gaps"));
        }
        Ok(Self { _owner: array.clone().unbind(), address, count, bytes })
    }
}

impl Words for Buffer {
    fn count(&self) -> usize {
        self.count
    }

    fn word(&self, n: usize) -> u64 {
        assert!(n < self.count, "element {n} of {}", self.count);
        let at = std::ptr::with_exposed_provenance::<u8>(self.address + n * self.bytes);
        // SAFETY: the array has `count` elements of `bytes` bytes from `address` on, one after the
        // other, and neither moves nor frees them while it is referred to.
        unsafe {
            match self.bytes {
                1 => at.read().into(),
                2 => at.cast::<u16>().read_unaligned().into(),
                4 => at.cast::<u32>().read_unaligned().into(),
                _ => at.cast::<u64>().read_unaligned(),
            }
        }
    }
}

/// A list of a result.
#[derive(Debug, Clone, Copy)]
pub enum List {
    /// Coordinates, one after the other.
    Coordinates,
    /// Raw bits of values.
    Values,
}

/// A list of a result in words of 64 bits; `numpy.asarray` reads it where it is.
#[pyclass(frozen)]
pub struct Listed {
    /// The run, which keeps it.
    pub ran: Py<Ran>,
    /// Name of the result.
    pub name: String,
    /// The list of it.
    pub list: List,
}

#[pymethods]
impl Listed {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let coo = self.ran.get().entries(&self.name)?;
        let list = match self.list {
            List::Coordinates => coo.coords(),
            List::Values => coo.values(),
        };
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", (list.len(),))?;
        interface.set_item("typestr", format!("{ENDIAN}u8"))?;
        // Whoever reads it does not write it.
        interface.set_item("data", (list.as_ptr().expose_provenance(), true))?;
        Ok(interface)
    }
}
