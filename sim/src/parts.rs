//! A result that several copies of the graph have written, each its part, as one tensor.

use crate::tensor::Coo;
use samhw_compiler::diag::Diagnostic;

/// Adds `part` to what is there of the result called `name`.
pub fn joined(there: Option<Coo>, part: Coo, name: &str) -> Result<Coo, Diagnostic> {
    let Some(there) = there else { return Ok(part) };
    let shape = there.shape().to_vec();
    let (mut coords, mut values) = (Vec::new(), Vec::new());
    for (coord, value) in there.iter().chain(part.iter()) {
        coords.extend_from_slice(coord);
        values.push(value);
    }
    Coo::new(shape, coords, values).map_err(|clash| {
        Diagnostic::new("R011", format!("two copies of the graph wrote the same entry of {name}: {clash:?}"))
            .help("this is a fault of samhw, not of your kernel: please report it with the kernel file and its data")
    })
}
