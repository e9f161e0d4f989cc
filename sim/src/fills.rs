//! Fills of results at the sizes of a run, which are written in gaps of dense levels.

use samhw_compiler::facts::{declared_fill, fill};
use samhw_compiler::stmt::{Expr, ExprId, Kernel};
use samhw_values::convert;

/// Returns the fill of every statement's result: the declared fill, if it can leave something out, else the
/// value of the expression where no operand is there.
pub(crate) fn of_results(kernel: &Kernel, dims: &[u64]) -> Vec<u64> {
    let mut sized = Sized { kernel, dims, values: Vec::new() };
    for (n, statement) in kernel.statements.iter().enumerate() {
        let value = statement.settled.fill.unwrap_or_else(|| sized.fill(n, statement.value));
        sized.values.push(value);
    }
    let gap = |(n, value): (usize, &u64)| declared_fill(kernel, &kernel.statements[n]).unwrap_or(*value);
    sized.values.iter().enumerate().map(gap).collect()
}

struct Sized<'a> {
    kernel: &'a Kernel,
    dims: &'a [u64],
    /// Those of the statements so far.
    values: Vec<u64>,
}

impl Sized<'_> {
    /// Value of expression `e` of statement `n` where no operand is there.
    fn fill(&self, n: usize, e: ExprId) -> u64 {
        let kernel = self.kernel;
        let ty = kernel.type_of(n, e);
        let all = |args: &[ExprId]| -> Vec<u64> { args.iter().map(|&a| self.fill(n, a)).collect() };
        match kernel.expr(e) {
            Expr::Literal(v) => *v,
            Expr::Access(t, _) => match (kernel.tensor(*t).fill, kernel.written_before(n, *t)) {
                (Some(f), _) => f,
                (None, Some(w)) => self.values[w],
                (None, None) => 0,
            },
            // A coordinate, and what it leads to, is there everywhere: what it is elsewhere is nowhere read.
            Expr::Stored(..) | Expr::Index(_) | Expr::Read { .. } | Expr::At(..) | Expr::Prefix(..) => 0,
            Expr::Map(f, args) => fill(kernel, n, e).value.unwrap_or_else(|| f.apply(&all(args), ty)),
            Expr::Call(f, args) => fill(kernel, n, e).value.unwrap_or_else(|| {
                let there = |(k, &a): (usize, &ExprId)| u64::from(fill(kernel, n, a).value.is_none()) << k;
                kernel.function(*f).apply_where(&all(args), args.iter().enumerate().map(there).sum())
            }),
            Expr::Reduce(op, k, body) => op.repeated(self.fill(n, *body), self.dims[k.0], ty),
            Expr::Convert(body) => convert(self.fill(n, *body), kernel.type_of(n, *body), ty),
        }
    }
}
