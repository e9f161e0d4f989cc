//! Checks that functions of the kernel file have hardware. Those of the library have it on every type; what is one
//! program, as loops and reducers are, is refused where it cannot be, before lowering.

use crate::diag::Diagnostic;
use crate::facts::recurrence_pace;
use crate::stmt::{Expr, ExprId, Function, Kernel, Operator, Prefix, Statement, Term};
use samhw_values::Routine;
use samhw_values::body::{applied, loops};

/// Has every function of `statement` hardware for its type?
pub(super) fn check(kernel: &Kernel, statement: &Statement) -> Result<(), Diagnostic> {
    walk(kernel, statement.value)
}

fn walk(kernel: &Kernel, e: ExprId) -> Result<(), Diagnostic> {
    match kernel.expr(e) {
        Expr::Call(f, _) => {
            let function = kernel.function(*f);
            let mut bodies = function.bodies().filter(|body| loops(body));
            bodies.try_for_each(|body| program(function, body, "has a loop"))?;
        }
        Expr::Reduce(Operator::Call(f), ..) => program(f.get(), &f.get().body, "reduces")?,
        Expr::Prefix(Prefix::Fold(Operator::Call(f), Some(_)), ..) if recurrence_pace(f.get()).is_some() => {}
        Expr::Prefix(Prefix::Fold(Operator::Call(f), _), ..) => program(f.get(), &f.get().body, "scans")?,
        _ => {}
    }
    kernel.expr(e).children().iter().try_for_each(|&a| walk(kernel, a))
}

/// Is this body a program? `does` says why it must be one.
fn program(function: &Function, body: &[Term], does: &str) -> Result<(), Diagnostic> {
    let (name, ty) = (&function.name, function.ty);
    if let Some(f) = applied(body).into_iter().find(|f| !Routine::computes(*f, ty)) {
        let f = f.name();
        let message = format!("{name} {does} and computes {f} of type {ty}, which is a pipeline's only");
        let help = format!(
            "what {does} is a program, and {f} of {ty} is a pipeline with tables: call {name} on f64, which has a program \
            for {f}, as in `{ty}({name}(f64(x)))`, or apply {f} outside of it"
        );
        return Err(Diagnostic::new("H004", message).help(help));
    }
    if Routine::new(name, function.arity, body, ty).is_some() {
        return Ok(());
    }
    let message = if function.arity > Routine::ARITY {
        format!("{name} {does} and has {} arguments; programs take {}", function.arity, Routine::ARITY)
    } else {
        format!("{name} {does} and is too long for one program: 64 registers and 4096 instructions")
    };
    Err(Diagnostic::new("H004", message).help("write two functions, and apply one to the result of the other"))
}
