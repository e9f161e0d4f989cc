//! Random kernels of which values land at computed coordinates.

use crate::reads::{coordinate, push};
use samhw_compiler::stmt::{Expr, Fun, Var, VarId};
use samhw_testing::kernels::Case;
use samhw_values::Rng;

/// The case with the values of a result landing at coordinates that are computed: of the mode that
/// one is stored at, and of all below.
pub fn landed(case: &Case, rng: &mut Rng) -> Option<Case> {
    let mut out = case.clone();
    let n = rng.below(out.kernel.statements.len() as u64) as usize;
    let statement = out.kernel.statements[n].clone();
    let tensor = &mut out.kernel.tensors[statement.result.0];
    let modes = tensor.mode_order.clone();
    tensor.prune = false;
    let op = rng.pick(&[Fun::Add, Fun::Add, Fun::Max, Fun::Min]);
    let (ty, first) = (statement.ty, rng.below(modes.len().max(1) as u64) as usize);
    let identity = op.identity(ty).filter(|_| !modes.is_empty())?;
    let mut value = statement.value;
    let mut reduced = Vec::new();
    for &m in modes[first..].iter().rev() {
        let from = statement.indices[m];
        let at = coordinate(&mut out, case.dims[from.0], &statement.indices, rng);
        let to = VarId(out.kernel.vars.len());
        out.kernel.vars.push(Var { name: format!("at{m}_of_{n}"), max: case.kernel.var(from).max });
        out.dims.push(case.dims[from.0]);
        let here = push(&mut out, Expr::At(to, at), ty);
        let nothing = push(&mut out, Expr::Literal(identity), ty);
        value = push(&mut out, Expr::Map(Fun::Where, vec![here, value, nothing]), ty);
        out.kernel.statements[n].indices[m] = to;
        reduced.push((from, to));
    }
    let added: Vec<VarId> = reduced.iter().rev().map(|(_, to)| *to).collect();
    if let Some(names) = &mut out.kernel.order {
        names.extend(added.iter().map(|v| out.kernel.vars[v.0].name.clone()));
    }
    out.order.extend(added);
    for (from, _) in reduced {
        value = push(&mut out, Expr::Reduce(op.into(), from, value), ty);
    }
    out.kernel.statements[n].value = value;
    Some(out)
}
