//! The functions of the language: their names and arities, their evaluation (`apply`), and their algebraic properties
//! (`algebra`).

mod algebra;
mod apply;
mod real;
#[cfg(test)]
mod tests;

use super::Type;
pub use algebra::{Algebra, Alone};
use smallvec::SmallVec;

/// A list of one item for each argument of a function. There are rarely more than three, which take no memory
/// of the heap.
pub type Args<T> = SmallVec<[T; 3]>;

macro_rules! functions {
    ($($(#[$doc:meta])* $fun:ident = $name:literal / $arity:literal,)*) => {
        /// A function of one or more values. Its discriminant is its code in hardware.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Fun {
            $($(#[$doc])* $fun,)*
        }

        impl Fun {
            /// Every function, in the order of the codes.
            pub const ALL: &[Self] = &[$(Self::$fun,)*];
            /// Returns the name used in expressions and graphs.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$fun => $name,)*
                }
            }
            /// Returns the number of arguments.
            pub const fn arity(self) -> usize {
                match self {
                    $(Self::$fun => $arity,)*
                }
            }
        }
    };
}

functions! {
    /// a + b
    Add = "add" / 2,
    /// a - b
    Sub = "sub" / 2,
    /// a * b
    Mul = "mul" / 2,
    /// -a
    Neg = "neg" / 1,
    /// The smaller one; NaN if one is.
    Min = "min" / 2,
    /// The larger one; NaN if one is.
    Max = "max" / 2,
    /// a itself.
    Id = "id" / 1,
    /// b, whatever a is.
    Second = "second" / 2,
    /// a, whatever b is.
    First = "first" / 2,
    /// Absolute value of a.
    Abs = "abs" / 1,
    /// Sign of a: -1, 0 or 1.
    Sign = "sign" / 1,
    /// a * a
    Square = "square" / 1,
    /// a * a * a
    Cube = "cube" / 1,
    /// The larger of a and 0.
    Relu = "relu" / 1,
    /// 1 / a
    Recip = "recip" / 1,
    /// a / b. Of integers: towards 0, and 0 where b is 0.
    Div = "div" / 2,
    /// a / b rounded down. Of integers: 0 where b is 0.
    Idiv = "idiv" / 2,
    /// Remainder of a / b rounded towards 0; it has the sign of a. Of integers: 0 where b is 0.
    Mod = "mod" / 2,
    /// Remainder of a / b rounded down; it has the sign of b. Of integers: 0 where b is 0.
    PyMod = "pymod" / 2,
    /// a to the power b, rounded down for types other than floats. Products and 1 / a^-b as elsewhere: of integers
    /// towards 0, 1 / 0 is 0.
    Pow = "pow" / 2,
    /// a * 2^b, rounded towards 0 for types other than floats.
    Ldexp = "ldexp" / 2,
    /// Greatest common divisor of the absolute values, in units of fixed point; gcd(0, 0) is 0. Of floats: of their
    /// whole parts. [`Fun::settled_by`] saturates it.
    Gcd = "gcd" / 2,
    /// Least common multiple of the absolute values, in the units of [`Self::Gcd`].
    Lcm = "lcm" / 2,
    /// 1 if a = b, otherwise 0.
    Eq = "eq" / 2,
    /// 1 if a differs from b, otherwise 0.
    Ne = "ne" / 2,
    /// 1 if a < b, otherwise 0.
    Lt = "lt" / 2,
    /// 1 if a <= b, otherwise 0.
    Le = "le" / 2,
    /// 1 if a > b, otherwise 0.
    Gt = "gt" / 2,
    /// 1 if a >= b, otherwise 0.
    Ge = "ge" / 2,
    /// 1 if both a and b differ from 0, otherwise 0.
    And = "land" / 2,
    /// 1 if a or b differs from 0, otherwise 0.
    Or = "lor" / 2,
    /// 1 if exactly one of a and b differs from 0, otherwise 0.
    Xor = "lxor" / 2,
    /// 1 if a is 0, otherwise 0.
    Not = "lnot" / 1,
    /// 1 if a differs from 0, otherwise 0.
    ToBool = "bool" / 1,
    /// Bitwise AND; floats use their integer parts.
    BitAnd = "band" / 2,
    /// Bitwise OR; floats use their integer parts.
    BitOr = "bor" / 2,
    /// Bitwise XOR; floats use their integer parts.
    BitXor = "bxor" / 2,
    /// Bitwise NOT; floats use their integer parts.
    BitNot = "bnot" / 1,
    /// a shifted left by b bits; 0 if b is negative or too large.
    Shl = "shl" / 2,
    /// a shifted right by b bits with sign extension; only the sign remains if b is negative or too large.
    Shr = "shr" / 2,
    /// b where a differs from 0, otherwise c.
    Where = "where" / 3,
    /// a limited to the range from b to c: min(max(a, b), c).
    Clip = "clip" / 3,
    /// Step function: 0 if a is below 0, 1 if a is above 0, b if a is 0.
    Heaviside = "heaviside" / 2,
    /// Rounded down.
    Floor = "floor" / 1,
    /// Rounded up.
    Ceil = "ceil" / 1,
    /// Rounded towards 0.
    Trunc = "trunc" / 1,
    /// Rounded to the nearest whole number, ties to even.
    Rint = "rint" / 1,
    /// Square root. Of integers and fixed point: rounded down, 0 of negative ones.
    Sqrt = "sqrt" / 1,
    /// 1 if a is NaN, otherwise 0.
    IsNan = "isnan" / 1,
    /// 1 if a is infinite, else 0.
    IsInf = "isinf" / 1,
    /// The size of a with the sign of b; of floats that of NaN is +.
    CopySign = "copysign" / 2,
    /// 1 if a is negative, else 0. Of floats -0 is, NaN is not.
    SignBit = "signbit" / 1,
    /// Number of bits of a that are 1; floats use their integer parts.
    PopCount = "popcount" / 1,
    /// Cube root.
    Cbrt = "cbrt" / 1,
    /// Length of the vector (a, b).
    Hypot = "hypot" / 2,
    /// Angle of the vector (b, a).
    Atan2 = "atan2" / 2,
    /// e^a
    Exp = "exp" / 1,
    /// e^a - 1
    Expm1 = "expm1" / 1,
    /// 2^a
    Exp2 = "exp2" / 1,
    /// Natural logarithm.
    Log = "log" / 1,
    /// Natural logarithm of 1 + a.
    Log1p = "log1p" / 1,
    /// Logarithm to the base 2.
    Log2 = "log2" / 1,
    /// Decimal logarithm.
    Log10 = "log10" / 1,
    /// Sine.
    Sin = "sin" / 1,
    /// Cosine.
    Cos = "cos" / 1,
    /// Tangent.
    Tan = "tan" / 1,
    /// Inverse sine.
    Asin = "arcsin" / 1,
    /// Inverse cosine.
    Acos = "arccos" / 1,
    /// Inverse tangent.
    Atan = "arctan" / 1,
    /// Hyperbolic sine.
    Sinh = "sinh" / 1,
    /// Hyperbolic cosine.
    Cosh = "cosh" / 1,
    /// Hyperbolic tangent.
    Tanh = "tanh" / 1,
    /// Inverse hyperbolic sine.
    Asinh = "arcsinh" / 1,
    /// Inverse hyperbolic cosine.
    Acosh = "arccosh" / 1,
    /// Inverse hyperbolic tangent.
    Atanh = "arctanh" / 1,
}

impl Fun {
    /// Finds the function with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|f| f.name() == name)
    }
    /// Returns the function's code in hardware.
    pub const fn code(self) -> u32 {
        self as u32
    }
    /// Returns the truth table on a one-bit type: bit 4 c + 2 b + a holds the result for arguments a, b, c.
    pub fn table(self, ty: Type) -> u64 {
        let row = |p: u64| self.apply(&[p & 1, p >> 1 & 1, p >> 2 & 1], ty) << p;
        (0..8).map(row).fold(0, |a, b| a | b)
    }
    /// Returns whether the function needs real numbers, so that only floats have it.
    pub const fn needs_float(self) -> bool {
        self.code() >= Self::Cbrt.code()
    }
    /// Returns whether the function uses only the integer parts of floats.
    pub const fn is_of_parts(self) -> bool {
        matches!(
            self,
            Self::Gcd
                | Self::Lcm
                | Self::BitAnd
                | Self::BitOr
                | Self::BitXor
                | Self::BitNot
                | Self::Shl
                | Self::Shr
                | Self::PopCount
        )
    }
    /// Returns whether the function is a logical AND, OR or XOR.
    pub const fn is_truth(self) -> bool {
        matches!(self, Self::And | Self::Or | Self::Xor)
    }
    /// Returns whether every result is 0 or 1.
    pub const fn is_logical(self) -> bool {
        self.tests() || self.is_truth() || matches!(self, Self::Not | Self::ToBool)
    }
    /// Returns whether the function is a comparison or a test for NaN, infinity or sign.
    pub const fn tests(self) -> bool {
        matches!(
            self,
            Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge | Self::IsNan | Self::IsInf | Self::SignBit
        )
    }
    /// Returns the comparison that gives the same result with its arguments exchanged.
    pub const fn mirrored(self) -> Self {
        match self {
            Self::Lt => Self::Gt,
            Self::Gt => Self::Lt,
            Self::Le => Self::Ge,
            Self::Ge => Self::Le,
            other => other,
        }
    }
}
