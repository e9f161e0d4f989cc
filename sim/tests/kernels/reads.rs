//! Random kernels in which some accesses become reads at computed coordinates.

use samhw_compiler::levels;
use samhw_compiler::stmt::{Expr, ExprId, Fun, Gives, Tensor, TensorId, Var, VarId};
use samhw_compiler::types::Type;
use samhw_sim::tensor::Coo;
use samhw_testing::kernels::Case;
use samhw_values::Rng;

/// The case with about half of the accesses that have indices read at coordinates that are computed
/// from these.
pub fn computed(case: &Case, rng: &mut Rng) -> Case {
    let mut out = case.clone();
    for e in 0..out.kernel.exprs.len() {
        if let Expr::Access(t, indices) = out.kernel.exprs[e].clone()
            && !indices.is_empty()
            && out.data.contains_key(&t)
            && rng.chance(50)
        {
            out.kernel.exprs[e] = read(&mut out, t, &indices, rng);
        }
    }
    out
}

fn read(case: &mut Case, t: TensorId, indices: &[VarId], rng: &mut Rng) -> Expr {
    let shape = case.data[&t].shape().to_vec();
    let (mut at, mut sizes) = (Vec::new(), Vec::new());
    for (m, &size) in shape.iter().enumerate() {
        at.push(coordinate(case, size, indices, rng));
        let name = format!("mode{m}_of_{}_{}", case.kernel.tensor(t).name, case.kernel.vars.len());
        case.kernel.vars.push(Var { name, max: case.kernel.tensor(t).shape[m] });
        case.dims.push(size);
        sizes.push(VarId(case.kernel.vars.len() - 1));
    }
    let gives = match rng.below(10) {
        0..4 => Gives::ValueOr(case.kernel.tensor(t).ty.wrap(i128::from(rng.below(4)))),
        4 => Gives::Inside,
        _ => Gives::Value,
    };
    Expr::Read { tensor: t, at, sizes, gives }
}

/// Something that is now and then outside of `0..size`.
pub fn coordinate(case: &mut Case, size: u64, indices: &[VarId], rng: &mut Rng) -> ExprId {
    let (v, w) = (rng.pick(indices), rng.pick(indices));
    if rng.chance(25) {
        let (t, ty) = positions(case, size, v, rng);
        return push(case, Expr::Access(t, vec![v]), ty);
    }
    let ty = Type::int(8 + rng.below(20) as u32, true);
    let of = |case: &mut Case, f, a, b| push(case, Expr::Map(f, vec![a, b]), ty);
    let number = |case: &mut Case, n: i64| push(case, Expr::Literal(ty.wrap(n.into())), ty);
    let (index, shift) = (push(case, Expr::Index(v), ty), rng.below(7) as i64 - 3);
    let shift = number(case, shift);
    match rng.below(5) {
        0 => index,
        1 => of(case, Fun::Sub, shift, index),
        2 => {
            let two = number(case, 2);
            let twice = of(case, Fun::Mul, two, index);
            of(case, Fun::Add, twice, shift)
        }
        3 => {
            let other = push(case, Expr::Index(w), ty);
            let both = of(case, Fun::Add, index, other);
            of(case, Fun::Sub, both, shift)
        }
        _ => of(case, Fun::Add, index, shift),
    }
}

/// A new operand over `v` whose values are coordinates, most of them below `size`.
fn positions(case: &mut Case, size: u64, v: VarId, rng: &mut Rng) -> (TensorId, Type) {
    let t = TensorId(case.kernel.tensors.len());
    let ty = Type::int(rng.pick(&[8, 16, 32, 64]), rng.chance(70));
    let level = rng.pick(&[levels::DENSE, levels::COMPRESSED, levels::in_words(8).expect("a level")]);
    case.kernel.tensors.push(Tensor {
        name: format!("P{}", t.0),
        ty,
        shape: vec![case.kernel.var(v).max],
        levels: vec![level],
        mode_order: vec![0],
        fill: rng.chance(20).then(|| ty.wrap(i128::from(rng.below(3)))),
        nnz: None,
        runs: None,
        prune: false,
        span: 0..0,
        view: None,
    });
    let least = if ty.is_signed() { 2 } else { 0 };
    let stored: Vec<u64> = (0..case.dims[v.0]).filter(|_| rng.chance(80)).collect();
    let values = stored.iter().map(|_| ty.wrap(i128::from(rng.below(size + 4)) - least)).collect();
    case.data.insert(t, Coo::new(vec![case.dims[v.0]], stored, values).expect("each coordinate once"));
    (t, ty)
}

/// Adds an expression of this type.
pub fn push(case: &mut Case, expr: Expr, ty: Type) -> ExprId {
    let e = ExprId(case.kernel.exprs.len());
    case.kernel.exprs.push(expr);
    case.kernel.types.insert(e, ty);
    e
}
