//! Initial values of results that are updated and have no data: one number everywhere, which is not read.

use crate::tensor::Coo;
use samhw_compiler::frontend::KernelFile;
use samhw_compiler::stmt::{Expr, ExprId, Kernel, Operator, TensorId};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The kernel file on these data: old values that are the same everywhere are numbers. What a dense
/// result stores does not depend on it, and neither does a sparse one whose old values are absent.
pub(crate) fn begun<'f>(file: &'f KernelFile, data: &BTreeMap<TensorId, Coo>) -> Cow<'f, KernelFile> {
    let kernel = &file.kernel;
    if kernel.repeat.is_some() {
        // Old values are those of the round before.
        return Cow::Borrowed(file);
    }
    let dense = |t: TensorId| kernel.tensor(t).levels.iter().all(|l| l.is_dense());
    let result = |t: TensorId| kernel.statements.iter().any(|s| s.result == t);
    let (mut begun, mut any) = (kernel.clone(), false);
    for (n, s) in kernel.statements.iter().enumerate() {
        let old = |t: TensorId| {
            let read = result(t) && kernel.written_before(n, t).is_none();
            let number = |coo: &&Coo| if dense(t) { dense(s.result) } else { coo.is_empty() };
            let fill = kernel.tensor(t).fill.unwrap_or(0);
            data.get(&t).filter(|_| read).filter(number).and_then(|coo| everywhere(coo, fill))
        };
        let mut here = false;
        for e in below(kernel, s.value) {
            if let Expr::Access(t, _) = kernel.expr(e)
                && let Some(value) = old(*t)
            {
                begun.exprs[e.0] = Expr::Literal(value);
                here = true;
            }
        }
        if here {
            alone(&mut begun, n);
        }
        any |= here;
    }
    if any { Cow::Owned(KernelFile { kernel: begun, ..file.clone() }) } else { Cow::Borrowed(file) }
}

/// The value at every coordinate, if it is the same.
fn everywhere(coo: &Coo, fill: u64) -> Option<u64> {
    let cells = coo.shape().iter().fold(1u64, |n, &size| n.saturating_mul(size));
    match coo.values() {
        [] => Some(fill),
        [first, rest @ ..] => (coo.len() as u64 == cells && rest.iter().all(|v| v == first)).then_some(*first),
    }
}

/// An update of what its reduction begins with anyway is the reduction.
fn alone(kernel: &mut Kernel, n: usize) {
    let (ty, value) = (kernel.statements[n].ty, kernel.statements[n].value);
    let Expr::Map(fun, args) = kernel.expr(value) else { return };
    if let [old, new] = args[..]
        && let (Expr::Literal(fill), Expr::Reduce(Operator::Fun(op), ..)) = (kernel.expr(old), kernel.expr(new))
        && op == fun
        && fun.identity(ty) == Some(*fill)
        && kernel.type_of(n, new) == ty
    {
        kernel.statements[n].value = new;
    }
}

/// The expressions that `e` is made of, itself included.
fn below(kernel: &Kernel, e: ExprId) -> Vec<ExprId> {
    let (mut open, mut all) = (vec![e], Vec::new());
    while let Some(e) = open.pop() {
        all.push(e);
        open.extend(kernel.expr(e).children());
    }
    all
}
