//! Which functions and reductions have hardware, by element type. What has none is refused before lowering.

use crate::diag::Diagnostic;
use crate::stmt::{Expr, ExprId, Kernel, ReduceOp, Statement};
use crate::types::Type;

/// Has every function of `statement` hardware for its type?
pub(super) fn check(kernel: &Kernel, statement: &Statement) -> Result<(), Diagnostic> {
    walk(kernel, statement.value, statement.ty)
}

fn walk(kernel: &Kernel, e: ExprId, ty: Type) -> Result<(), Diagnostic> {
    let missing = |what: String| {
        Err(Diagnostic::new("H004", format!("there is no hardware for {what} of type {ty}"))
            .help("give the tensors an integer type that wraps, such as i32"))
    };
    match kernel.expr(e) {
        Expr::Literal(_) | Expr::Access(..) => Ok(()),
        Expr::Map(f, _) if !wraps(ty) => missing(format!("{f:?}")),
        Expr::Map(_, args) => args.iter().try_for_each(|&a| walk(kernel, a, ty)),
        Expr::Reduce(op, ..) if !reduces(*op, ty) => missing(format!("the reduction {}", op.name())),
        Expr::Reduce(_, _, body) => walk(kernel, *body, ty),
    }
}

fn wraps(ty: Type) -> bool {
    matches!(ty, Type::Int { saturating: false, .. })
}

/// Order does not depend on whether sums wrap.
fn reduces(op: ReduceOp, ty: Type) -> bool {
    wraps(ty) || !ty.is_float() && op != ReduceOp::Add
}
