//! Checks of the names in `fuse` of `[schedule]`.

use crate::diag::{Diagnostic, Place};
use crate::stmt::Kernel;

/// Refuses what nobody follows.
///
/// # Errors
///
/// S047: no later statement reads the tensor; S048: it does not have the index; S049: it has linked lists.
pub(super) fn check(kernel: &Kernel) -> Result<(), Diagnostic> {
    for (name, index) in kernel.schedule.fuse.iter().flatten() {
        let called = |t| kernel.tensor(t).name == *name.get_ref();
        let written = kernel.statements.iter().position(|s| called(s.result));
        let reads = |n: usize| {
            kernel.statements[n + 1..]
                .iter()
                .any(|s| kernel.reads(s.value).iter().any(|(t, _)| called(kernel.base(*t))))
        };
        let Some(n) = written.filter(|&n| reads(n)) else {
            let why = if written.is_some() { "no later statement reads it" } else { "no statement writes it" };
            let message = format!("{} cannot be fused: {why}", name.get_ref());
            let d = Diagnostic::new("S047", message).at(Place::Kernel(name.span()));
            return Err(d.help("name a result that a later statement reads, or leave it out of `fuse`"));
        };
        if kernel.tensor(kernel.statements[n].result).levels.iter().any(|level| level.is_linked()) {
            let message = format!("{} cannot be fused: it has linked lists", name.get_ref());
            let d = Diagnostic::new("S049", message).at(Place::Kernel(name.span()));
            return Err(d
                .help("a linked list can be read only when all of it is written")
                .help("leave it out of `fuse`, or store it `compressed` and write it in order"));
        }
        let indices = &kernel.statements[n].indices;
        if !indices.iter().any(|v| kernel.var(*v).name == *index.get_ref()) {
            let names: Vec<&str> = indices.iter().map(|v| kernel.var(*v).name.as_str()).collect();
            let message = format!("{} is not written along {}", name.get_ref(), index.get_ref());
            let d = Diagnostic::new("S048", message).at(Place::Kernel(index.span()));
            return Err(d.help(format!("its indices are: {}", names.join(", "))));
        }
    }
    Ok(())
}
