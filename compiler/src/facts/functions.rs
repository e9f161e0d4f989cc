//! Functions and folds that the hardware offers for a type, and their cycles.

use crate::graph::AluFun;
use crate::stmt::{Division, Fun, Function, Operator, Prefix, Shared};
use crate::types::Type;
use samhw_primitives as prim;
use samhw_primitives::arith::alu::Pace;

/// The function of an ALU, or that of the kernel file.
pub(crate) fn alu_fun(f: AluFun) -> Result<Fun, Shared> {
    Ok(match f {
        AluFun::Fun(f) | AluFun::Truth(f, _) => f,
        AluFun::Id | AluFun::Convert(_) => Fun::Id,
        AluFun::Const => Fun::Second,
        AluFun::Product(_) => Fun::Mul,
        AluFun::Call(f) => return Err(f),
    })
}

/// Returns the throughput of the ALU for `f`; `second` is the second argument if it is constant.
pub fn pace(f: AluFun, ty: Type, second: Option<u64>, division: Division) -> Option<Pace> {
    if let AluFun::Product(from) = f {
        return prim::arith::alu::Alu::multiplies(from, ty);
    }
    let ty = if let AluFun::Truth(_, from) = f { from } else { ty };
    match alu_fun(f) {
        Ok(f) => prim::arith::alu::Alu::pace_of(f, ty, second, division == Division::Iterative),
        Err(f) => f.get().routine().map(|r| r.program.cycles()).map(|(least, most)| Pace::Program(least, most)),
    }
}

/// Returns the pace of the scan that folds with `f` from a first value on; `None` where there is none.
pub(crate) fn recurrence_pace(f: &Function) -> Option<Pace> {
    let alu = prim::arith::alu::Alu::recurrence((&f.name, &f.body), f.arity, 0, f.ty, 1)?;
    Some(alu.pace())
}

/// Returns whether an ALU for `f` exists.
pub fn computes(f: Fun, ty: Type) -> bool {
    prim::arith::alu::Alu::computes(f, ty)
}

/// Returns the fold of reducers of all kinds.
pub(crate) fn fold(op: Operator, ty: Type) -> Option<prim::blocks::Fold> {
    op.fun().and_then(|f| prim::blocks::Fold::of(f, ty))
}

/// Returns whether a reducer for `op` exists that takes one value per cycle or keeps indices.
pub fn folds(op: Operator, ty: Type) -> bool {
    fold(op, ty).is_some()
}

/// Returns whether any reducer for `op` exists, including iterative reducers, which keep no index.
pub fn reduces(op: Operator, ty: Type) -> bool {
    folds(op, ty) || op.routine(ty).is_some()
}

/// Returns the smallest and largest number of cycles per value of an iterative reducer for `op`.
pub fn fold_cycles(op: Operator, ty: Type) -> Option<(u64, u64)> {
    op.routine(ty).filter(|_| !folds(op, ty)).map(|r| r.program.cycles())
}

/// The cycles from one value to the next where a scan folds one at a time: of a program between the
/// fewest and the most.
pub(crate) fn scan_interval(how: Prefix, ty: Type) -> f64 {
    let of = |(least, most): (u64, u64)| (least as f64 * most as f64).sqrt();
    let op = match how {
        Prefix::Fold(Operator::Call(f), Some(_)) => {
            return match recurrence_pace(f.get()) {
                Some(Pace::Every(cycles)) => cycles as f64,
                Some(Pace::Program(least, most)) => of((least + 1, most + 1)),
                Some(Pace::Pipeline(_)) | None => 1.0,
            };
        }
        Prefix::Fold(op, _) => op,
        Prefix::Least | Prefix::Greatest => return 1.0,
    };
    match fold(op, ty) {
        Some(fold) => of(fold.interval()),
        None => fold_cycles(op, ty).map_or(1.0, of),
    }
}

/// Identity of a reduction.
pub(crate) fn identity(op: Operator, ty: Type) -> u64 {
    op.identity(ty).unwrap_or(0)
}
