//! What reductions fold with: a function of the library, or one of the kernel file.

use crate::function::Function;
use crate::types::Type;
use samhw_values::{Fun, Routine};
use std::collections::HashSet;
use std::sync::{LazyLock, Mutex, PoisonError};

/// An operator of reductions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// A function of the library.
    Fun(Fun),
    /// A function of the kernel file, for one type.
    Call(Shared),
}

/// A function of the kernel file that graphs and plans pass on as they do those of the library. Equal functions are
/// kept once, as long as the process lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shared(&'static Function);

impl Shared {
    /// The function, kept.
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
    /// The function.
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
    /// Its name in reductions.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fun(f) => crate::reduction_name(f),
            Self::Call(f) => &f.get().name,
        }
    }
    /// The function, if it is one of the library.
    pub fn fun(self) -> Option<Fun> {
        if let Self::Fun(f) = self { Some(f) } else { None }
    }
    /// Its value on raw arguments.
    pub fn apply(self, args: &[u64], ty: Type) -> u64 {
        match self {
            Self::Fun(f) => f.apply(args, ty),
            Self::Call(f) => f.get().apply(args),
        }
    }
    /// What it gives over nothing.
    pub fn identity(self, ty: Type) -> Option<u64> {
        match self {
            Self::Fun(f) => f.identity(ty),
            Self::Call(f) => f.get().identity,
        }
    }
    /// It over `n` values that are all `v`.
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
    /// Does the order of its arguments not matter? Functions of the kernel file reduce only if it does not.
    pub fn commutes(self) -> bool {
        self.fun().is_none_or(Fun::commutes)
    }
    /// Is it the same over one value as over many that are the same, of every type?
    pub fn repeats_once(self) -> bool {
        matches!(self.fun(), Some(Fun::Or | Fun::And | Fun::BitOr | Fun::BitAnd | Fun::Min | Fun::Max))
    }
    /// The value that alone decides a reduction, if that is declared of a function of the kernel file.
    pub fn annihilator(self) -> Option<u64> {
        let Self::Call(f) = self else { return None };
        match f.get().annihilators[..] {
            [Some(a), Some(b)] if a == b => Some(a),
            _ => None,
        }
    }
    /// The program that computes it, if there is one.
    pub fn routine(self, ty: Type) -> Option<Routine> {
        match self {
            Self::Fun(f) => Routine::library(f, ty),
            Self::Call(f) => f.get().routine(),
        }
    }
}
