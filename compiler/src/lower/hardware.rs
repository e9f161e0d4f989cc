//! Which functions and reductions have hardware, by element type. What has none is refused before lowering.

use crate::diag::Diagnostic;
use crate::netlist::{computes, reduces};
use crate::stmt::{Expr, ExprId, Kernel, Statement, Term};

/// Has every function of `statement` hardware for its type?
pub(super) fn check(kernel: &Kernel, statement: &Statement) -> Result<(), Diagnostic> {
    walk(kernel, statement.value, statement)
}

fn walk(kernel: &Kernel, e: ExprId, statement: &Statement) -> Result<(), Diagnostic> {
    let ty = kernel.type_in(statement, e);
    let missing = |what: String| {
        Err(Diagnostic::new("H004", format!("there is no hardware for {what} of type {ty}"))
            .help("give the tensors an integer type that wraps, such as i32, or use another function"))
    };
    match kernel.expr(e) {
        Expr::Literal(_) | Expr::Access(..) | Expr::Stored(..) => Ok(()),
        Expr::Index(_) if !ty.is_int() => missing("an index as a value".into()),
        Expr::Index(_) => Ok(()),
        Expr::Map(f, _) if !computes(*f, ty) => missing(f.name().into()),
        Expr::Call(f, args) => {
            let function = kernel.function(*f);
            let applied = |term: &Term| if let Term::Apply(f, _) = term { Some(*f) } else { None };
            match function.body.iter().filter_map(applied).find(|f| !computes(*f, ty)) {
                Some(f) => missing(format!("{}, which {} uses,", f.name(), function.name)),
                None => args.iter().try_for_each(|&a| walk(kernel, a, statement)),
            }
        }
        Expr::Map(_, args) => args.iter().try_for_each(|&a| walk(kernel, a, statement)),
        Expr::Reduce(op, ..) if !reduces(*op, ty) => missing(format!("the reduction {}", crate::reduction_name(*op))),
        Expr::Reduce(_, _, body) | Expr::Convert(body) => walk(kernel, *body, statement),
    }
}
