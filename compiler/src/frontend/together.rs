//! Correlated arguments of a call: an operand used in several arguments is present in all or none, with one value.

use crate::facts::constant_fill;
use crate::stmt::{Expr, ExprId, Kernel, TensorId, VarId};
use samhw_values::convert;

/// Most operands whose sets are looked at; of more, arguments are taken for independent.
const MOST: usize = 10;

/// The operands below the arguments of a call of statement `n`.
pub(super) struct Together<'k> {
    kernel: &'k Kernel,
    n: usize,
    args: &'k [ExprId],
    operands: Vec<FreeOperand<'k>>,
    /// Whether each argument is an operand of its own.
    independent: bool,
}

/// Something that is there or not whatever else is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FreeOperand<'k> {
    Stored(TensorId, &'k [VarId]),
    /// An expression that is not analysed: a reduction, a coordinate.
    Other(ExprId),
}

/// An expression where some operands are there.
#[derive(Clone, Copy)]
struct PresentWith {
    value: u64,
    there: bool,
    known: Option<u64>,
}

impl<'k> Together<'k> {
    pub fn new(kernel: &'k Kernel, n: usize, args: &'k [ExprId]) -> Self {
        let mut found = Self { kernel, n, args, operands: Vec::new(), independent: false };
        args.iter().for_each(|&a| found.collect(a));
        if found.operands.len() > MOST {
            found.independent = true;
            found.operands = args.iter().map(|&a| FreeOperand::Other(a)).collect();
        }
        found
    }

    fn collect(&mut self, e: ExprId) {
        let kernel = self.kernel;
        match kernel.expr(e) {
            Expr::Literal(_) => {}
            Expr::Map(_, args) | Expr::Call(_, args) => args.iter().for_each(|&a| self.collect(a)),
            Expr::Convert(body) => self.collect(*body),
            _ => {
                let own = operand(kernel, e);
                if !self.operands.contains(&own) {
                    self.operands.push(own);
                }
            }
        }
    }

    /// Iterates over the sets of operands that can be present, each with the set of present arguments.
    pub fn sets(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        (0..1u64 << self.operands.len()).filter_map(|q| {
            let nothing = vec![0; self.operands.len()];
            let there = |(k, &a): (usize, &ExprId)| Some(u64::from(self.eval(a, q, &nothing)?.there) << k);
            Some((q, self.args.iter().enumerate().map(there).try_fold(0, |p, bit| bit.map(|bit| p | bit))?))
        })
    }

    /// Returns values of the arguments where the operands in `q` are present, with values from `draw`, and fills
    /// elsewhere.
    pub fn draw(&self, q: u64, mut draw: impl FnMut() -> u64) -> Option<Vec<u64>> {
        let values: Vec<u64> = (0..self.operands.len()).map(|o| if q >> o & 1 == 1 { draw() } else { 0 }).collect();
        self.args.iter().map(|&a| Some(self.eval(a, q, &values)?.value)).collect()
    }

    /// `None` where an operand would be absent that has no fill: it is there at every coordinate.
    fn eval(&self, e: ExprId, q: u64, values: &[u64]) -> Option<PresentWith> {
        let (kernel, fill, ty) = (self.kernel, constant_fill(self.kernel, self.n, e), self.kernel.type_of(self.n, e));
        let all = |args: &[ExprId]| args.iter().map(|&a| self.eval(a, q, values)).collect::<Option<Vec<PresentWith>>>();
        let known_of = |found: &[PresentWith]| found.iter().map(|x| x.known).collect::<Vec<_>>();
        let values_of = |found: &[PresentWith]| found.iter().map(|x| x.value).collect::<Vec<_>>();
        // Where nothing of it is there it has its fill, and where it is known to be that.
        let made = |of: &[PresentWith], known: Option<u64>, value: u64| {
            let same = known.zip(fill).is_some_and(|(known, fill)| kernel.algebra.same(ty, known, fill));
            match fill.filter(|_| same || of.iter().all(|x| !x.there)) {
                Some(fill) => PresentWith { value: fill, there: false, known: Some(fill) },
                None => PresentWith { value, there: true, known },
            }
        };
        Some(match kernel.expr(e) {
            Expr::Literal(v) => PresentWith { value: *v, there: false, known: Some(*v) },
            Expr::Map(f, args) if !self.independent => {
                let found = all(args)?;
                made(&found, kernel.partial(*f, &known_of(&found), ty), f.apply(&values_of(&found), ty))
            }
            Expr::Call(f, args) if !self.independent => {
                let (found, f) = (all(args)?, kernel.function(*f));
                let fills: Vec<_> = args.iter().map(|&a| constant_fill(kernel, self.n, a)).collect();
                let there = found.iter().enumerate().fold(0, |p, (k, x)| p | u64::from(x.there) << k);
                made(&found, f.partial(&known_of(&found), &fills), f.apply_where(&values_of(&found), there))
            }
            Expr::Convert(body) if !self.independent => {
                let (found, from) = (self.eval(*body, q, values)?, kernel.type_of(self.n, *body));
                let [known, value] = [found.known, Some(found.value)].map(|v| Some(convert(v?, from, ty)));
                made(&[found], known, value?)
            }
            other => {
                let own = if self.independent { FreeOperand::Other(e) } else { operand(kernel, e) };
                let place = self.operands.iter().position(|o| *o == own)?;
                let there = q >> place & 1 == 1;
                let structure = matches!(other, Expr::Stored(..));
                let value = match (there, structure) {
                    (true, true) => ty.one(),
                    (true, false) => values[place],
                    (false, _) => fill?,
                };
                PresentWith { value, there, known: Some(value).filter(|_| !there || structure) }
            }
        })
    }
}

/// What `e` is as an operand: two accesses of one tensor with the same indices are one, asked for
/// its value or for its presence.
fn operand(kernel: &Kernel, e: ExprId) -> FreeOperand<'_> {
    match kernel.expr(e) {
        Expr::Access(t, indices) | Expr::Stored(t, indices) => FreeOperand::Stored(*t, indices),
        _ => FreeOperand::Other(e),
    }
}
