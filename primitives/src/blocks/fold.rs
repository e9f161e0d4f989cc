//! Operators with which reducers fold two values.

use crate::arith::alu::{Pipelined, RoutineNeeds, pipelined};
use samhw_streams::Param;
use samhw_values::{Fun, Routine, Type};
use std::collections::HashSet;
use std::fmt;
use std::sync::{LazyLock, Mutex, PoisonError};

/// A shared reference to a routine that folds. Equal ones are kept once, as long as the process lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kept(&'static Routine);

impl Kept {
    /// Stores the routine for the rest of the process; `None` if it does not take two arguments.
    pub fn new(routine: Routine) -> Option<Self> {
        static ALL: LazyLock<Mutex<HashSet<&'static Routine>>> = LazyLock::new(Mutex::default);
        if routine.arity != 2 {
            return None;
        }
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all.get(&routine) {
            return Some(Self(known));
        }
        let kept: &'static Routine = Box::leak(Box::new(routine));
        all.insert(kept);
        Some(Self(kept))
    }
    /// Returns the routine.
    pub fn get(self) -> &'static Routine {
        self.0
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.0.name, self.0.ty)
    }
}

/// An associative operator on raw bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fold {
    /// Wrapping sum.
    Add,
    /// Minimum of integers.
    Min,
    /// Maximum of integers.
    Max,
    /// A function of a type, computed within one cycle.
    Of(Fun, Type),
    /// A function of a type, pipelined over several cycles.
    Pipelined(Fun, Type),
    /// A program, which folds one value at a time.
    Program(Kept),
}

impl Fold {
    /// Returns the operator for `fun` on `ty`; `None` if there is none.
    pub fn of(fun: Fun, ty: Type) -> Option<Self> {
        match (fun, ty) {
            (Fun::Add, Type::Int { saturating: false, .. }) => Some(Self::Add),
            (Fun::Min, Type::Int { .. } | Type::Fixed { .. } | Type::Bool) => Some(Self::Min),
            (Fun::Max, Type::Int { .. } | Type::Fixed { .. } | Type::Bool) => Some(Self::Max),
            _ if unit(fun, ty).is_some() => Some(Self::Of(fun, ty)),
            _ => pipelined(fun, ty).map(|_| Self::Pipelined(fun, ty)),
        }
    }
    /// Returns the value of the module's parameter `OP`.
    pub const fn code(self) -> u32 {
        match self {
            Self::Add => 0,
            Self::Min => 1,
            Self::Max => 2,
            Self::Of(..) => 3,
            Self::Pipelined(..) => 4,
            Self::Program(_) => 5,
        }
    }
    /// Returns the parameters that say what folds, FOLD_W and FOLD; `signed` matters to Min and Max. FOLD's
    /// fields are those of `samhw_fold.vh` and, of a program, of `samhw_fold_program.vh`.
    pub fn params(self, signed: bool) -> Vec<(&'static str, Param)> {
        let (mut unit_op, mut float, mut truth, mut halves) = (0, (0, 0), 0, Vec::new());
        match self {
            Self::Add | Self::Min | Self::Max => {}
            Self::Of(fun, ty) => (unit_op, float, truth) = (unit(fun, ty).unwrap_or(0), format(ty), ty.one()),
            Self::Pipelined(_, ty) => {
                float = format(ty);
                (unit_op, truth) = self.pipelined().map_or((0, 0), |p| (p.op, p.identity));
            }
            Self::Program(routine) => {
                let needs = RoutineNeeds::of(&routine.get().program);
                (float, truth) = (needs.float, routine.get().ty.mask());
                halves = vec![needs.has as u32, needs.lines.len() as u32 | (needs.consts.len() as u32) << 16];
                halves.extend(needs.lines);
                halves.extend(needs.consts.iter().flat_map(|c| [*c as u32, (c >> 32) as u32]));
            }
        }
        let late = self.pipelined();
        let (depth, mul) = late.map_or((0, 0), |p| (p.depth, p.mul));
        let (fraction, saturates) = match self {
            Self::Pipelined(_, ty) => (ty.fraction(), ty.saturates()),
            _ => (0, false),
        };
        let flags = u32::from(signed) | u32::from(saturates) << 1;
        let bytes = [self.code(), unit_op, depth, mul, float.0, float.1, fraction, flags];
        debug_assert!(bytes.iter().all(|b| *b < 256), "fields have a byte: {bytes:?}");
        let fields = bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
        let mut words = vec![fields, truth];
        words.extend(halves.chunks(2).map(|h| h.iter().rev().fold(0, |all, half| all << 32 | u64::from(*half))));
        let width = 128 + 32 * halves.len() as u32;
        vec![("FOLD_W", Param::Int(width)), ("FOLD", Param::Bits(width, words))]
    }
    /// Returns what the lowest word of a parameter FOLD says, by the names of `samhw_fold.vh`.
    pub fn fields(word: u64) -> Vec<(&'static str, u64)> {
        let names = ["OP", "UNIT", "DEPTH", "MUL", "EXP", "MAN", "FRAC"];
        let bytes = names.into_iter().zip(word.to_le_bytes().map(u64::from));
        bytes.chain([("SIGNED", word >> 56 & 1), ("SATURATE", word >> 57 & 1)]).collect()
    }
    /// The unit of an operator of several cycles.
    pub(crate) fn pipelined(self) -> Option<Pipelined> {
        if let Self::Pipelined(fun, ty) = self { pipelined(fun, ty) } else { None }
    }
    /// The most cycles that a value takes, if a program folds.
    pub(crate) fn silence(self) -> Option<u64> {
        if let Self::Program(routine) = self { Some(routine.get().program.cycles().1.max(1 << 14)) } else { None }
    }
    /// Returns the smallest and largest number of cycles between two values that are folded one at a time.
    pub fn interval(self) -> (u64, u64) {
        match self {
            Self::Add | Self::Min | Self::Max | Self::Of(..) => (1, 1),
            Self::Pipelined(..) => {
                let cycles = self.pipelined().map_or(0, |p| u64::from(p.depth)) + 1;
                (cycles, cycles)
            }
            Self::Program(routine) => {
                let (least, most) = routine.get().program.cycles();
                (least + 1, most + 1)
            }
        }
    }
    /// Returns the result for `b` as the first value, bit for bit.
    #[inline]
    pub fn first(self, b: u64) -> u64 {
        match self {
            Self::Pipelined(_, ty) => ty.canonical(b),
            _ => b,
        }
    }
    /// Folds as [`Self::apply`] does, and returns the cycles that `samhw_fold_once` takes too.
    pub fn run(self, a: u64, b: u64, width: u32, signed: bool) -> (u64, u64) {
        match self {
            Self::Program(routine) => {
                let (value, cycles) = routine.get().run(&[a, b]);
                (value, cycles.max(1))
            }
            _ => (self.apply(a, b, width, signed), self.pipelined().map_or(0, |p| p.depth.into())),
        }
    }
    /// Folds `a` (the accumulated value) with `b` (the new one), both of `width` bits; `signed` matters to Min and Max.
    #[inline]
    pub fn apply(self, a: u64, b: u64, width: u32, signed: bool) -> u64 {
        // Moved to the top, values of any width compare as 64-bit ones do.
        let up = 64 - width;
        let flip = u64::from(signed) << 63;
        let less = ((b << up) ^ flip) < ((a << up) ^ flip);
        match self {
            Self::Add => (a.wrapping_add(b) << up) >> up,
            Self::Min if less => b,
            Self::Max if !less => b,
            Self::Min | Self::Max => a,
            Self::Of(fun, ty) | Self::Pipelined(fun, ty) => fun.apply(&[a, b], ty),
            Self::Program(routine) => routine.get().run(&[a, b]).0,
        }
    }
}

/// Exponent and fraction bits of floats, else none.
fn format(ty: Type) -> (u32, u32) {
    if let Type::Float { exp, man } = ty { (exp, man) } else { (0, 0) }
}

/// OP of `samhw_fold` for `fun`; `None` where there is none.
fn unit(fun: Fun, ty: Type) -> Option<u32> {
    // Of bits, what counts is whether they are 0.
    let op = match (fun, ty) {
        (Fun::Mul | Fun::And | Fun::BitAnd, Type::Bool) => 13,
        (Fun::Add | Fun::Or | Fun::BitOr, Type::Bool) => 14,
        (Fun::Sub | Fun::Xor | Fun::BitXor, Type::Bool) => 15,
        (Fun::Min, Type::Float { .. }) => 4,
        (Fun::Max, Type::Float { .. }) => 5,
        (Fun::And, _) => 13,
        (Fun::Or, _) => 14,
        (Fun::Xor, _) => 15,
        (Fun::BitAnd, Type::Int { .. } | Type::Fixed { .. }) => 18,
        (Fun::BitOr, Type::Int { .. } | Type::Fixed { .. }) => 19,
        (Fun::BitXor, Type::Int { .. } | Type::Fixed { .. }) => 20,
        (Fun::First | Fun::Id, _) => 6,
        _ => return None,
    };
    Some(op)
}
