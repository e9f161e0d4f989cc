//! Operators of reductions: functions of the library or of the kernel file.

use crate::function::Function;
use crate::types::Type;
use samhw_values::{Fun, Routine};
use std::collections::HashSet;
use std::sync::{LazyLock, Mutex, PoisonError};

/// An operator with which a reduction folds values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// A function of the library.
    Fun(Fun),
    /// A function of the kernel file, for one type.
    Call(Shared),
}

/// A shared reference to a function of the kernel file, for graphs and plans. Equal functions are kept once, as long as
/// the process lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shared(&'static Function);

impl Shared {
    /// Stores the function for the rest of the process.
    pub fn new(function: &Function) -> Self {
        static ALL: LazyLock<Mutex<HashSet<&'static Function>>> = LazyLock::new(Mutex::default);
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all.get(function) {
            return Self(known);
        }
        let kept: &'static Function = Box::leak(Box::new(function.clone()));
        all.insert(kept);
        Self(kept)
    }
    /// Returns the function.
    pub fn get(self) -> &'static Function {
        self.0
    }
}

impl From<Fun> for Operator {
    fn from(f: Fun) -> Self {
        Self::Fun(f)
    }
}

impl Operator {
    /// Returns the operator's name in reductions.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fun(f) => crate::reduction_name(f),
            Self::Call(f) => &f.get().name,
        }
    }
    /// Returns the library function, if the operator is one.
    pub fn fun(self) -> Option<Fun> {
        if let Self::Fun(f) = self { Some(f) } else { None }
    }
    /// Evaluates the operator on raw arguments.
    pub fn apply(self, args: &[u64], ty: Type) -> u64 {
        match self {
            Self::Fun(f) => f.apply(args, ty),
            Self::Call(f) => f.get().apply(args),
        }
    }
    /// Returns the result of a reduction over no values.
    pub fn identity(self, ty: Type) -> Option<u64> {
        match self {
            Self::Fun(f) => f.identity(ty),
            Self::Call(f) => f.get().identity,
        }
    }
    /// Reduces `n` copies of `v`.
    pub fn repeated(self, v: u64, n: u64, ty: Type) -> u64 {
        match self {
            Self::Fun(f) => f.repeated(v, n, ty),
            Self::Call(f) => {
                // Of an associative function, by squaring.
                let (mut total, mut power, mut n) = (self.identity(ty).unwrap_or(0), v, n);
                while n > 0 {
                    if n & 1 == 1 {
                        total = f.get().apply(&[total, power]);
                    }
                    power = f.get().apply(&[power, power]);
                    n >>= 1;
                }
                total
            }
        }
    }
    /// Returns whether the operator is commutative. Functions of the kernel file reduce only if it does not.
    pub fn commutes(self) -> bool {
        self.fun().is_none_or(Fun::commutes)
    }
    /// Returns whether the operator is idempotent: for every type, many equal values reduce to the same result as one.
    pub fn repeats_once(self) -> bool {
        matches!(self.fun(), Some(Fun::Or | Fun::And | Fun::BitOr | Fun::BitAnd | Fun::Min | Fun::Max))
    }
    /// Returns the value that alone decides a reduction, if a function of the kernel file declares one.
    pub fn annihilator(self) -> Option<u64> {
        let Self::Call(f) = self else { return None };
        match f.get().annihilators[..] {
            [Some(a), Some(b)] if a == b => Some(a),
            _ => None,
        }
    }
    /// Returns the program that computes the operator, if there is one.
    pub fn routine(self, ty: Type) -> Option<Routine> {
        match self {
            Self::Fun(f) => Routine::library(f, ty),
            Self::Call(f) => f.get().routine(),
        }
    }
}
