//! The grammar: a random right-hand side over random tensors.

use super::{Case, Functions, Limits, choose, edit, scans, types};
use samhw_compiler::levels::{self, LevelKind};
use samhw_compiler::stmt::{
    Algebra, Expr, ExprId, Fun, FunctionId, Kernel, Operator, Settled, Statement, Tensor, TensorId, Var, VarId,
};
use samhw_compiler::types::Type;
use samhw_sim::tensor::Coo;
use samhw_values::Alone;
use samhw_values::Rng;
use std::collections::BTreeMap;

/// Names of variables in the order of their making.
const VARS: [&str; 12] = ["i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t"];

/// Generates the test case of a seed. At most 12 variables, whatever `limits` say.
pub fn generate(seed: u64, limits: &Limits) -> Case {
    let mut rng = Rng::new(seed);
    let ty = choose::ty(&mut rng, limits.functions);
    let least = u64::from(!limits.empty);
    let largest = limits.dim.max(least);
    let common = least + rng.below(largest + 1 - least);
    let mut maker = Maker {
        ty,
        result_ty: ty,
        common,
        least,
        largest,
        slack: rng.pick(&[0, 0, 1, 3]),
        accesses: rng.below(limits.accesses as u64 + 1).max(1).min(limits.accesses as u64) as usize,
        limits: *limits,
        dims: Vec::new(),
        kernel: Kernel { name: format!("random_{seed}"), ..Kernel::default() },
        data: BTreeMap::new(),
        rng,
    };
    let result = maker.tensor("X", Vec::new(), false);
    let left: Vec<VarId> = (0..maker.rng.below(4)).map_while(|_| maker.var()).collect();
    let depth = 1 + maker.rng.below(u64::from(limits.depth)) as u32;
    let value = maker.expr(depth, &mut left.clone());
    let mut case = maker.finish(result, left, value);
    // From numbers of its own: kernels are else the same.
    let mut rng = Rng::new(!seed);
    if limits.bit_vectors && rng.chance(40) {
        let levels = case.kernel.tensors.iter_mut().flat_map(|t| &mut t.levels);
        for level in levels.filter(|l| **l == levels::COMPRESSED) {
            if rng.chance(60) {
                *level = levels::in_words(rng.pick(&[8, 8, 16, 32, 64, 128, 256])).unwrap_or(*level);
            }
        }
    }
    if limits.bit_vectors {
        in_runs(&mut case, &mut Rng::new(seed ^ 0x0072_756e_7300));
        in_tables(&mut case, &mut Rng::new(seed ^ 0x7461_626c_6500));
    }
    // Where a sum rounds or a multiple wraps, what is the fill depends on its order.
    let result = &mut case.kernel.tensors[case.kernel.statements[0].result.0];
    let rounds =
        case.kernel.types.values().chain([&result.ty]).any(|ty| !matches!(ty, Type::Int { saturating: false, .. }));
    let wraps = case.kernel.exprs.iter().any(|e| matches!(e, Expr::Reduce(Operator::Fun(Fun::Lcm), ..)));
    result.prune = !rounds && !wraps && result.levels.iter().any(|l| !l.is_dense()) && rng.chance(25);
    if limits.fills {
        in_other_fills(&mut case, &mut Rng::new(seed ^ 0x6669_6c6c_7300), limits);
    }
    for e in 0..case.kernel.exprs.len() {
        let ty = case.kernel.type_of(0, ExprId(e));
        if let Expr::Reduce(op, ..) = &mut case.kernel.exprs[e]
            && limits.functions != Functions::Arithmetic
            && rng.chance(10)
            && let Some(own) = choose::user_operator(&mut rng, ty)
        {
            *op = own;
        }
    }
    for function in case.kernel.functions.iter_mut().filter(|_| limits.functions != Functions::Arithmetic) {
        if rng.chance(35) {
            choose::with_cases(&mut rng, limits.functions, function);
        }
        if rng.chance(40) {
            choose::with_loop(&mut rng, function);
        }
    }
    if limits.types && limits.functions != Functions::Arithmetic {
        types::own(&mut case, limits.functions, &mut Rng::new(seed ^ 0x7479_7065_7300));
    }
    if limits.scans {
        // What is there everywhere has no fill that follows from the expression.
        let result = case.kernel.statements[0].result;
        case.kernel.tensors[result.0].prune = false;
        scans::along(&mut case, limits.functions, &mut Rng::new(seed ^ 0x7363_616e_7300));
    }
    // As the frontend leaves kernels.
    case.kernel.settle();
    case
}

/// Declares a fill for some results, and takes nothing for granted of some floats.
fn in_other_fills(case: &mut Case, rng: &mut Rng, limits: &Limits) {
    let result = case.kernel.statements[0].result;
    if rng.chance(20) {
        let tensor = &mut case.kernel.tensors[result.0];
        tensor.fill = Some(choose::value(rng, tensor.ty));
    }
    if limits.functions == Functions::Arithmetic || !rng.chance(50) {
        return;
    }
    case.kernel.algebra = Algebra::Ieee;
    for (t, data) in &mut case.data {
        let tensor = &mut case.kernel.tensors[t.0];
        if !tensor.ty.is_float() {
            continue;
        }
        if *t != result && rng.chance(20) {
            tensor.fill = Some(choose::special(rng, tensor.ty));
        }
        let values: Vec<u64> = data.values().to_vec();
        let drawn = values.iter().map(|&v| if rng.chance(20) { choose::special(rng, tensor.ty) } else { v });
        let coords = data.iter().flat_map(|(coord, _)| coord.to_vec()).collect();
        *data = edit::coo(data.shape().to_vec(), coords, drawn.collect());
    }
}

/// Stores some levels of operands with tables.
fn in_tables(case: &mut Case, rng: &mut Rng) {
    if !rng.chance(20) {
        return;
    }
    let result = case.kernel.statements[0].result;
    for (_, tensor) in case.kernel.tensors.iter_mut().enumerate().filter(|(t, _)| *t != result.0) {
        for level in tensor.levels.iter_mut().filter(|l| **l == levels::COMPRESSED) {
            if rng.chance(60) {
                *level = levels::HASH;
            }
        }
    }
}

/// Stores some levels as blocks and runs, and repeats values, as runs have them.
fn in_runs(case: &mut Case, rng: &mut Rng) {
    if !rng.chance(25) {
        return;
    }
    for tensor in &mut case.kernel.tensors {
        for level in tensor.levels.iter_mut().filter(|l| **l == levels::COMPRESSED) {
            if rng.chance(60) {
                *level = rng.pick(&[levels::BLOCK, levels::RUN]);
            }
        }
        levels::settle(&mut tensor.levels);
    }
    for data in case.data.values_mut() {
        let mut values = data.values().to_vec();
        for k in 1..values.len() {
            if rng.chance(50) {
                values[k] = values[k - 1];
            }
        }
        let coords = data.iter().flat_map(|(coord, _)| coord.to_vec()).collect();
        *data = edit::coo(data.shape().to_vec(), coords, values);
    }
}

struct Maker {
    rng: Rng,
    /// Type of the expression that is being made.
    ty: Type,
    /// Type of the statement.
    result_ty: Type,
    limits: Limits,
    /// Size that most dimensions have, so that tensors can be transposed and used again.
    common: u64,
    least: u64,
    largest: u64,
    /// How much larger than the run's sizes the hardware's are.
    slack: u64,
    /// Accesses that may still be made.
    accesses: usize,
    dims: Vec<u64>,
    kernel: Kernel,
    data: BTreeMap<TensorId, Coo>,
}

impl Maker {
    fn var(&mut self) -> Option<VarId> {
        let n = self.kernel.vars.len();
        let name = VARS.get(n).filter(|_| n < self.limits.vars)?;
        let any = self.least + self.rng.below(self.largest + 1 - self.least);
        let dim = if self.rng.chance(70) { self.common } else { any };
        self.kernel.vars.push(Var { name: (*name).into(), max: self.max(dim) });
        self.dims.push(dim);
        Some(VarId(n))
    }

    /// Equal run-time sizes have equal largest sizes, so that modes agree.
    fn max(&self, dim: u64) -> u64 {
        dim.max(1) + self.slack
    }

    fn push(&mut self, e: Expr) -> ExprId {
        let id = ExprId(self.kernel.exprs.len());
        if self.ty != self.result_ty {
            self.kernel.types.insert(id, self.ty);
        }
        self.kernel.exprs.push(e);
        id
    }

    fn expr(&mut self, depth: u32, bound: &mut Vec<VarId>) -> ExprId {
        if depth == 0 || self.accesses == 0 || self.rng.chance(12) {
            return self.leaf(bound);
        }
        let functions = self.limits.functions;
        if self.rng.chance(35)
            && let Some(op) = choose::operator(&mut self.rng, functions, self.ty)
            && let Some(v) = self.var()
        {
            bound.push(v);
            let mut body = self.expr(depth - 1, bound);
            bound.pop();
            match op.alone(self.ty) {
                Alone::Itself => {}
                Alone::Of(f) => body = self.push(Expr::Map(f, vec![body])),
                Alone::WithIdentity => {
                    let identity = self.push(Expr::Literal(op.identity(self.ty).unwrap_or(0)));
                    body = self.push(Expr::Map(op, vec![body, identity]));
                }
            }
            return self.push(Expr::Reduce(op.into(), v, body));
        }
        if functions != Functions::Arithmetic && self.rng.chance(8) {
            let around = self.ty;
            self.ty = choose::other_type(&mut self.rng, functions, around);
            let from = self.ty;
            let body = self.expr(depth - 1, bound);
            self.ty = around;
            return if from == around { body } else { self.push(Expr::Convert(body)) };
        }
        if functions != Functions::Arithmetic
            && self.rng.chance(8)
            && let Some(f) = choose::user_function(&mut self.rng, functions, self.ty, self.kernel.functions.len())
        {
            let (id, arity) = (FunctionId(self.kernel.functions.len()), f.arity);
            self.kernel.functions.push(f);
            let args = (0..arity).map(|_| self.expr(depth - 1, bound)).collect();
            return self.push(Expr::Call(id, args));
        }
        let Some(f) = choose::function(&mut self.rng, functions, self.ty) else { return self.leaf(bound) };
        let args = (0..f.arity()).map(|_| self.expr(depth - 1, bound)).collect();
        self.push(Expr::Map(f, args))
    }

    fn leaf(&mut self, bound: &[VarId]) -> ExprId {
        if self.accesses == 0 || self.rng.chance(10) {
            if self.limits.literals {
                let value = self.rng.pick(&["0", "1", "1", "2", "3", "127"]);
                let value = self.ty.parse(value).unwrap_or(self.ty.one());
                return self.push(Expr::Literal(value));
            }
            if let Some(again) = self.again(bound) {
                return self.push(again);
            }
        }
        if self.limits.functions != Functions::Arithmetic
            && !bound.is_empty()
            && (self.limits.functions == Functions::All || self.ty.is_int())
            && self.rng.chance(4)
        {
            let v = self.rng.pick(bound);
            return self.push(Expr::Index(v));
        }
        self.accesses = self.accesses.saturating_sub(1);
        if self.rng.chance(35)
            && let Some(again) = self.again(bound)
        {
            return self.push(again);
        }
        let indices = self.indices(bound);
        let shape = indices.iter().map(|v| self.dims[v.0]).collect();
        let name = format!("T{}", self.kernel.tensors.len());
        let t = self.tensor(&name, shape, true);
        let stored = self.rng.chance(6);
        self.push(if stored { Expr::Stored(t, indices) } else { Expr::Access(t, indices) })
    }

    /// Up to three bound variables, now and then one of them twice.
    fn indices(&mut self, bound: &[VarId]) -> Vec<VarId> {
        let mut indices = bound.to_vec();
        self.rng.shuffle(&mut indices);
        let rank = self.rng.pick(&[0, 1, 1, 2, 2, 2, 3]);
        indices.truncate(rank);
        if indices.len() > 1 && self.rng.chance(8) {
            indices[1] = indices[0];
        }
        indices
    }

    /// An operand that is there already, accessed with whatever bound variables have its sizes.
    fn again(&mut self, bound: &[VarId]) -> Option<Expr> {
        let known: Vec<TensorId> = self.data.keys().copied().filter(|t| self.kernel.tensor(*t).ty == self.ty).collect();
        let t = known.get(self.rng.below(known.len().max(1) as u64) as usize)?;
        let shape = self.data[t].shape().to_vec();
        let mut indices = Vec::new();
        for size in shape {
            let fit: Vec<VarId> = bound.iter().copied().filter(|v| self.dims[v.0] == size).collect();
            indices.push(*fit.get(self.rng.below(fit.len() as u64) as usize)?);
        }
        Some(Expr::Access(*t, indices))
    }

    /// A tensor of run-time size `shape`; with data if it is an operand.
    fn tensor(&mut self, name: &str, shape: Vec<u64>, operand: bool) -> TensorId {
        let t = TensorId(self.kernel.tensors.len());
        let (levels, mode_order) = self.format(shape.len());
        let fill = operand && self.limits.fills && self.rng.chance(25);
        let fill = fill.then(|| choose::value(&mut self.rng, self.ty));
        self.kernel.tensors.push(Tensor {
            name: name.into(),
            ty: if operand { self.ty } else { self.result_ty },
            shape: shape.iter().map(|&d| self.max(d)).collect(),
            levels,
            mode_order,
            fill,
            nnz: None,
            runs: None,
            prune: false,
            span: 0..0,
            view: None,
        });
        if operand {
            let density = self.rng.pick(&[0, 10, 30, 50, 80, 100]);
            let mut coords = vec![Vec::new()];
            for &size in &shape {
                coords = coords.iter().flat_map(|c| (0..size).map(move |x| [&c[..], &[x]].concat())).collect();
            }
            coords.retain(|_| self.rng.chance(density));
            let values = coords.iter().map(|_| choose::value(&mut self.rng, self.ty)).collect();
            let data = Coo::new(shape.clone(), coords.concat(), values).unwrap_or_else(|_| Coo::empty(shape));
            self.data.insert(t, data);
        }
        t
    }

    fn format(&mut self, rank: usize) -> (Vec<LevelKind>, Vec<usize>) {
        let mut modes: Vec<usize> = (0..rank).collect();
        if self.limits.mode_orders && self.rng.chance(50) {
            self.rng.shuffle(&mut modes);
        }
        if rank > 1 && self.limits.coordinate_lists && self.rng.chance(15) {
            let mut levels = vec![levels::SINGLETON_NU; rank];
            levels[0] = levels::COMPRESSED_NU;
            levels[rank - 1] = levels::SINGLETON;
            return (levels, modes);
        }
        let kinds = [levels::COMPRESSED, levels::COMPRESSED, levels::DENSE];
        let kinds = if self.limits.dense { &kinds[..] } else { &kinds[..2] };
        ((0..rank).map(|_| self.rng.pick(kinds)).collect(), modes)
    }

    fn finish(mut self, result: TensorId, left: Vec<VarId>, value: ExprId) -> Case {
        let (levels, mode_order) = self.format(left.len());
        let shape = left.iter().map(|v| self.kernel.vars[v.0].max).collect();
        let x = &mut self.kernel.tensors[result.0];
        (x.levels, x.mode_order, x.shape) = (levels, mode_order, shape);
        self.kernel.statements.push(Statement {
            result,
            indices: left,
            value,
            ty: self.result_ty,
            span: 0..0,
            settled: Settled::default(),
            own: Default::default(),
        });
        let mut order: Vec<VarId> = (0..self.kernel.vars.len()).map(VarId).collect();
        self.rng.shuffle(&mut order);
        let mut case = Case { kernel: self.kernel, dims: self.dims, order, data: self.data };
        case.name_order();
        case
    }
}
