//! Tensors with a level of linked lists: results that only the chip has, between the statement that writes them and those
//! that read them.

use super::reader::Reader;
use crate::stmt::{Kernel, TensorId};

/// Marks what has linked lists as temporary, and reports it where it cannot have them.
pub(super) fn apply(reader: &mut Reader, kernel: &mut Kernel) {
    for t in (0..kernel.tensors.len()).map(TensorId) {
        let tensor = kernel.tensor(t);
        let Some(list) = tensor.levels.iter().rposition(|level| level.is_linked()) else { continue };
        match refusal(kernel, t, list) {
            Some((message, help)) => {
                let problem = reader.at("K037", tensor.span.clone(), message);
                reader.report(problem.help(help));
            }
            None if tensor.view.is_none() && !kernel.temporaries.contains(&t) => kernel.temporaries.push(t),
            None => {}
        }
    }
}

/// Why level `list` of `t` cannot be one of linked lists, and what helps.
fn refusal(kernel: &Kernel, t: TensorId, list: usize) -> Option<(String, &'static str)> {
    let tensor = kernel.tensor(t);
    let name = &tensor.name;
    let carried = kernel
        .repeat
        .iter()
        .any(|r| r.condition == t || r.carry.iter().any(|(operand, result)| [*operand, *result].contains(&t)));
    if list == 0 || !tensor.levels[..list].iter().all(|level| level.is_dense()) {
        let message = format!("level {list} of `{name}` is a linked list, and what is above it is not dense");
        return Some((
            message,
            "a list hangs below a position of dense levels: write `levels = [\"dense\", \"linked_list\", ..]`",
        ));
    }
    if carried {
        let message = format!("`{name}` has linked lists, and rounds carry it");
        return Some((message, "values that rounds carry are stored in order: use `compressed`"));
    }
    let Some(n) = kernel.statements.iter().position(|s| s.result == kernel.base(t)) else {
        let message = format!("`{name}` has linked lists, and is not a result");
        return Some((
            message,
            "linked lists exist only on the chip, between two statements: store operands `compressed`",
        ));
    };
    if !kernel.read_again(n) {
        let message = format!("`{name}` has linked lists, and no later statement reads it");
        return Some((
            message,
            "linked lists exist only on the chip, between two statements: store the last result `compressed`",
        ));
    }
    None
}
