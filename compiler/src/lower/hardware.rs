//! Which functions and reductions have hardware, by element type. What has none is refused before lowering.

use crate::diag::Diagnostic;
use crate::graph::AluFun;
use crate::netlist::{pace, reduces};
use crate::stmt::{Expr, ExprId, Fun, Function, Kernel, Statement, Term};
use crate::types::Type;
use samhw_primitives::value::Routine;
use samhw_primitives::value::body::{applied, loops};

/// Has every function of `statement` hardware for its type?
pub(super) fn check(kernel: &Kernel, statement: &Statement) -> Result<(), Diagnostic> {
    walk(kernel, statement.value, statement)
}

/// A function of the kernel file: a pipeline of ALUs, or a program if it has loops.
fn check_function(kernel: &Kernel, function: &Function) -> Result<(), Diagnostic> {
    function.bodies().try_for_each(|body| check_body(kernel, function, body))
}

/// Is there an ALU for `f`? `second`: its second argument, where that is a constant.
fn runs(kernel: &Kernel, f: Fun, ty: Type, second: Option<u64>) -> bool {
    pace(AluFun::Fun(f), ty, second, kernel.division).is_some()
}

/// The second one of arguments, if it is a constant.
fn second(kernel: &Kernel, args: &[ExprId]) -> Option<u64> {
    if let Expr::Literal(v) = kernel.expr(*args.get(1)?) { Some(*v) } else { None }
}

/// The first function of a body without loops that has no hardware.
fn missing(kernel: &Kernel, body: &[Term], ty: Type) -> Option<Fun> {
    let constant = |t: &usize| if let Term::Literal(v) = body[*t] { Some(v) } else { None };
    body.iter().find_map(|term| match term {
        Term::Apply(f, of) if !runs(kernel, *f, ty, of.get(1).and_then(constant)) => Some(*f),
        _ => None,
    })
}

/// One of its bodies.
fn check_body(kernel: &Kernel, function: &Function, body: &[Term]) -> Result<(), Diagnostic> {
    let (name, ty, loops) = (&function.name, function.ty, loops(body));
    let none =
        if loops { applied(body).into_iter().find(|f| !Routine::computes(*f, ty)) } else { missing(kernel, body, ty) };
    if let Some(f) = none {
        let place = if loops { "in a loop" } else { "" };
        let message = format!("there is no hardware for {} of type {ty}, which {name} uses {place}", f.name());
        let help = "give the tensors an integer type that wraps, such as i32, or use another function";
        return Err(Diagnostic::new("H004", message.trim_end()).help(help));
    }
    if !loops || Routine::new(name, function.arity, body, ty).is_some() {
        return Ok(());
    }
    let message = if function.arity > Routine::ARITY {
        format!("{name} has a loop and {} arguments; hardware with loops takes {}", function.arity, Routine::ARITY)
    } else {
        format!("{name} has a loop and is too long for one program: 64 registers and 4096 instructions")
    };
    Err(Diagnostic::new("H004", message).help("make two functions of it, and apply one to what the other gives"))
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
        Expr::Map(f, args) if !runs(kernel, *f, ty, second(kernel, args)) => missing(f.name().into()),
        Expr::Call(f, args) => {
            let function = kernel.function(*f);
            check_function(kernel, function)?;
            args.iter().try_for_each(|&a| walk(kernel, a, statement))
        }
        Expr::Map(_, args) => args.iter().try_for_each(|&a| walk(kernel, a, statement)),
        Expr::Reduce(op, ..) if !reduces(*op, ty) => missing(format!("the reduction {}", op.name())),
        Expr::Reduce(_, _, body) | Expr::Convert(body) => walk(kernel, *body, statement),
    }
}
