//! Warnings about fills: undeclared NaN fills, such as those of `b(i) / c(i)` with sparse operands, and declared fills
//! that make a result store every value.

use super::reader::Reader;
use crate::facts::{constant_fill, covers, each_fill};
use crate::stmt::{Expr, ExprId, Kernel};

/// Warns where that is so.
pub(super) fn warn(reader: &mut Reader, kernel: &Kernel) {
    no_numbers(reader, kernel);
    for statement in kernel.statements.iter().filter(|s| s.settled.forced) {
        let tensor = kernel.tensor(statement.result);
        if let (Some(declared), Some(own), false) = (tensor.fill, statement.settled.fill, tensor.prune) {
            let (declared, own) = (tensor.ty.show(declared), tensor.ty.show(own));
            let message = format!(
                "every coordinate of `{}` is stored: its fill is {declared}, and the expression is {own} where nothing is stored",
                tensor.name
            );
            let warning = reader.warning_at("W003", statement.span.clone(), message);
            reader.warn(warning.help(format!(
                "`prune = true` leaves out values that are {declared}; without `fill`, only values other than {own} are stored"
            )));
        }
    }
}

/// A NaN matters in a result that leaves something out, and in a reduction, which then visits
/// everything. A result that is stored everywhere has no fill that anyone reads.
fn no_numbers(reader: &mut Reader, kernel: &Kernel) {
    for (n, statement) in kernel.statements.iter().enumerate() {
        let (tensor, value, mut any) = (kernel.tensor(statement.result), statement.value, false);
        each_fill(kernel, n, value, &mut |e, fill| any |= fill.value.is_some_and(|v| kernel.type_of(n, e).is_nan(v)));
        if !any {
            continue;
        }
        let span = statement.span.clone();
        let sparse = tensor.levels.iter().any(|l| !l.is_dense());
        let (cause, what) = if let Some((cause, body)) = reduced(kernel, n, value) {
            let text = kernel.expression_text(statement, body);
            (
                cause,
                format!("`{text}`, which is reduced, is NaN where nothing is stored, and every coordinate is visited"),
            )
        } else if let Some(cause) = cause(kernel, n, value)
            && sparse
            && tensor.fill.is_none()
            && !covers(kernel, n, value)
        {
            (cause, format!("the fill of `{}` is NaN", tensor.name))
        } else {
            continue;
        };
        let fills = kernel.expr(cause).children().iter().map(|&a| {
            let fill = constant_fill(kernel, n, a).map_or("any value".into(), |v| kernel.type_of(n, a).show(v));
            format!("{fill} for `{}`", kernel.expression_text(statement, a))
        });
        let fills: Vec<String> = fills.collect();
        let text = kernel.expression_text(statement, cause);
        let warning = reader.warning_at("W001", span, what);
        reader.warn(
            warning
                .help(format!("it comes from `{text}`, with {}", fills.join(" and ")))
                .help("declare a `fill` for which it is a number, or give it a value there: `where(x != 0, y / x, 0)`"),
        );
    }
}

/// A reduction in `e` over what is NaN where nothing is stored: where that comes from, and what is reduced.
fn reduced(kernel: &Kernel, n: usize, e: ExprId) -> Option<(ExprId, ExprId)> {
    if let Expr::Reduce(_, _, body) = kernel.expr(e)
        && !covers(kernel, n, *body)
        && let Some(cause) = cause(kernel, n, *body)
    {
        return Some((cause, *body));
    }
    kernel.expr(e).children().iter().find_map(|&a| reduced(kernel, n, a))
}

/// The function in `e` that makes its fill NaN, of fills that are numbers.
fn cause(kernel: &Kernel, n: usize, e: ExprId) -> Option<ExprId> {
    let ty = kernel.type_of(n, e);
    if !constant_fill(kernel, n, e).is_some_and(|v| ty.is_nan(v)) {
        return None;
    }
    let inside = || {
        kernel
            .expr(e)
            .children()
            .iter()
            .filter(|&&a| constant_fill(kernel, n, a).is_some_and(|v| kernel.type_of(n, a).is_nan(v)))
    };
    match kernel.expr(e) {
        Expr::Map(..) | Expr::Call(..) if inside().next().is_none() => Some(e),
        _ => inside().find_map(|&a| cause(kernel, n, a)),
    }
}
