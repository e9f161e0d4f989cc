//! Kernels by hand. Variables are letters; formats are letters too, `d`ense or `c`ompressed.

use super::*;
use samhw_compiler::levels;
use samhw_compiler::stmt::{Expr, ExprId, Fun, Kernel, Statement, Tensor, TensorId, Var, VarId};
use samhw_compiler::types::Type;
use samhw_testing::kernels::Case;

/// A statement in the making, of type i32.
pub(super) struct Build {
    pub(super) kernel: Kernel,
    pub(super) dims: Vec<u64>,
    pub(super) data: BTreeMap<TensorId, Coo>,
}

/// A stored coordinate and its value.
pub(super) type Entry<'a> = (&'a [u64], i128);

pub(super) const I32: Type = Type::int(32, true);

impl Build {
    /// Over these variables with these sizes.
    pub(super) fn new(vars: &[(char, u64)]) -> Self {
        let kernel = Kernel {
            vars: vars.iter().map(|&(v, d)| Var { name: v.into(), max: d.max(1) }).collect(),
            ..Kernel::default()
        };
        Self { kernel, dims: vars.iter().map(|v| v.1).collect(), data: BTreeMap::new() }
    }
    pub(super) fn vars(&self, names: &str) -> Vec<VarId> {
        names.chars().filter_map(|c| self.kernel.vars.iter().position(|v| v.name == c.to_string()).map(VarId)).collect()
    }
    fn push(&mut self, e: Expr) -> ExprId {
        self.kernel.exprs.push(e);
        ExprId(self.kernel.exprs.len() - 1)
    }
    pub(super) fn tensor(&mut self, name: &str, indices: &str, levels: &str, fill: Option<i128>) -> TensorId {
        let shape = self.vars(indices).iter().map(|v| self.dims[v.0]).collect();
        let kind = |c| if c == 'd' { levels::DENSE } else { levels::COMPRESSED };
        self.kernel.tensors.push(Tensor {
            name: name.into(),
            ty: I32,
            shape,
            levels: levels.chars().map(kind).collect(),
            mode_order: (0..levels.len()).collect(),
            fill: fill.map(|f| I32.wrap(f)),
            nnz: None,
            runs: None,
            prune: false,
            span: 0..0,
            view: None,
        });
        TensorId(self.kernel.tensors.len() - 1)
    }
    /// A new operand accessed with `indices`, which stores `entries`.
    pub(super) fn operand(
        &mut self,
        name: &str,
        indices: &str,
        levels: &str,
        fill: Option<i128>,
        entries: &[Entry<'_>],
    ) -> ExprId {
        let t = self.tensor(name, indices, levels, fill);
        let shape = self.kernel.tensor(t).shape.clone();
        let coords = entries.iter().flat_map(|e| e.0.iter().copied()).collect();
        let values = entries.iter().map(|e| I32.wrap(e.1)).collect();
        self.data.insert(t, Coo::new(shape, coords, values).unwrap());
        self.again(t, indices)
    }
    pub(super) fn again(&mut self, t: TensorId, indices: &str) -> ExprId {
        let indices = self.vars(indices);
        self.push(Expr::Access(t, indices))
    }
    pub(super) fn literal(&mut self, value: i128) -> ExprId {
        self.push(Expr::Literal(I32.wrap(value)))
    }
    pub(super) fn map(&mut self, f: Fun, args: &[ExprId]) -> ExprId {
        self.push(Expr::Map(f, args.to_vec()))
    }
    pub(super) fn mul(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.map(Fun::Mul, &[a, b])
    }
    pub(super) fn add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.map(Fun::Add, &[a, b])
    }
    pub(super) fn reduce(&mut self, op: Fun, v: &str, body: ExprId) -> ExprId {
        let v = self.vars(v)[0];
        self.push(Expr::Reduce(op.into(), v, body))
    }
    pub(super) fn sum(&mut self, v: &str, body: ExprId) -> ExprId {
        self.reduce(Fun::Add, v, body)
    }
    /// `X(indices) = value`.
    pub(super) fn case(mut self, indices: &str, levels: &str, value: ExprId) -> Case {
        let result = self.tensor("X", indices, levels, None);
        let indices = self.vars(indices);
        let (settled, own) = Default::default();
        self.kernel.statements = vec![Statement { result, indices, value, ty: I32, span: 0..0, settled, own }];
        let order = (0..self.dims.len()).map(VarId).collect();
        Case { kernel: self.kernel, dims: self.dims, order, data: self.data }
    }
    /// What `X(indices) = value` stores, and its fill; the same in every loop order and as the
    /// dense evaluator has it.
    pub(super) fn result(self, indices: &str, levels: &str, value: ExprId) -> (Vec<(Vec<u64>, i128)>, i128) {
        let case = self.case(indices, levels, value);
        for order in orders(&case.order) {
            assert_eq!(difference(&case, Some(&order)), None, "{order:?}\n{case}");
        }
        assert_eq!(difference(&case, None), None, "{case}");
        let x = execute(&case.kernel, &case.dims, &case.data, None).unwrap().remove(&case.statement().result).unwrap();
        (x.stored.iter().map(|(c, v)| (c.to_vec(), I32.value(v))).collect(), I32.value(x.fill))
    }
}

/// All permutations.
fn orders(vars: &[VarId]) -> Vec<Vec<VarId>> {
    if vars.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for n in 0..vars.len() {
        let rest = [&vars[..n], &vars[n + 1..]].concat();
        all.extend(orders(&rest).into_iter().map(|o| [&[vars[n]], &o[..]].concat()));
    }
    all
}
