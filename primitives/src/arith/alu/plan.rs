//! The unit for a function on a type, with its parameters and arguments.

use super::routine::program_params;
use samhw_streams::Param;
use samhw_values::{Fun, Pipeline, Power, Program, Shape, Type, full_mul_depth, word_mul_depth};

/// The source of an argument of the unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnitArgument {
    /// An argument of the function.
    Arg(usize),
    /// A constant.
    Value(u64),
}

/// A unit that takes a value per cycle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Module of the unit, and of the ALU around it.
    pub unit: Unit,
    /// The unit's own parameters, in the order of its header; DEPTH left out.
    pub params: Vec<(&'static str, Param)>,
    /// The unit's arguments.
    pub args: Vec<UnitArgument>,
    /// Registers inside the unit, its parameter DEPTH.
    pub depth: u32,
}

/// Units, and the ALUs around them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Whole numbers, fixed point, bool.
    Word,
    /// IEEE floats.
    Float,
    /// Functions of real numbers by tables.
    Real,
    /// Products of whole numbers that are narrower than the result.
    Product,
    /// A program or units one after another, for each value.
    Program,
}

impl Unit {
    /// Returns the module of the ALU.
    pub const fn alu(self) -> &'static str {
        match self {
            Self::Word => "samhw_alu",
            Self::Float => "samhw_alu_float",
            Self::Real => "samhw_alu_real",
            Self::Product => "samhw_alu_product",
            Self::Program => "samhw_alu_program",
        }
    }
    /// Returns the module of the unit alone.
    #[cfg(test)]
    pub const fn module(self) -> &'static str {
        match self {
            Self::Word => "samhw_word_op",
            Self::Float => "samhw_float_op",
            Self::Real => "samhw_float_real",
            Self::Product => "samhw_narrow_mul",
            Self::Program => "samhw_routine",
        }
    }
}

/// The unit for `fun` on `ty`; `None` where there is none. `second`: its second argument, where that is a constant.
pub(crate) fn plan(fun: Fun, ty: Type, second: Option<u64>) -> Option<Plan> {
    let pipelined = match ty {
        _ if ty.bits() == 1 => Some(table(fun, ty)),
        Type::Int { .. } | Type::Fixed { .. } | Type::Bool => word(fun, ty, second),
        Type::Float { exp, man } => float(fun, exp, man).or_else(|| real(fun, ty)),
    };
    pipelined.or_else(|| program(fun, ty))
}

/// Returns the program that replaces a pipeline with a stage for each digit, if there is one.
pub(crate) fn iterative(fun: Fun, ty: Type) -> Option<Plan> {
    let digits = matches!(fun, Fun::Div | Fun::Idiv | Fun::Mod | Fun::PyMod | Fun::Recip | Fun::Sqrt);
    program(fun, ty).filter(|_| digits && plan(fun, ty, None).is_some_and(|p| p.depth > 0))
}

/// An operator of two values with registers inside: `samhw_pipelined_op`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pipelined {
    /// OP of its unit.
    pub op: u32,
    /// Registers inside.
    pub depth: u32,
    /// MUL of a float's unit.
    pub mul: u32,
    /// The value that leaves the other argument as it is, bit for bit.
    pub identity: u64,
}

impl Pipelined {
    /// Returns the parameters, except the width.
    pub fn params(self, ty: Type) -> Vec<(&'static str, Param)> {
        let (exp, man) = if let Type::Float { exp, man } = ty { (exp, man) } else { (0, 0) };
        vec![
            ("OP", Param::Int(self.op)),
            ("DEPTH", Param::Int(self.depth)),
            ("SIGNED", Param::Int(u32::from(ty.is_signed()))),
            ("SATURATE", Param::Int(u32::from(ty.saturates()))),
            ("FRAC", Param::Int(ty.fraction())),
            ("EXP", Param::Int(exp)),
            ("MAN", Param::Int(man)),
            ("MUL", Param::Int(self.mul)),
        ]
    }
}

/// The unit that folds two values by `fun` in several cycles; `None` where one cycle does, or there is none.
pub(crate) fn pipelined(fun: Fun, ty: Type) -> Option<Pipelined> {
    let Plan { params, depth, .. } = plan(fun, ty, None)?;
    let mul = if let Type::Float { man, .. } = ty { full_mul_depth(man + 1) } else { 0 };
    let identity = match (fun, ty) {
        // -0 leaves both zeros as they are.
        (Fun::Add, Type::Float { .. }) => ty.sign_bit(),
        (Fun::Add, _) if ty.saturates() => 0,
        (Fun::Mul, _) if !ty.saturates() || ty.has_one() => ty.one(),
        _ => return None,
    };
    match params[0] {
        ("OP", Param::Int(op)) if depth > 0 => Some(Pipelined { op, depth, mul, identity }),
        _ => None,
    }
}

fn program(fun: Fun, ty: Type) -> Option<Plan> {
    Program::shared(fun, ty).map(|program| program_plan(&program, fun.arity(), ty))
}

/// A program, and what of the unit it needs.
pub(crate) fn program_plan(program: &Program, arity: usize, ty: Type) -> Plan {
    let (width, mut params) = (ty.bits(), program_params(program));
    params.push(("W", Param::Int(width)));
    Plan { unit: Unit::Program, params, args: (0..arity).map(UnitArgument::Arg).collect(), depth: 0 }
}

/// `words` side by side, the first one lowest.
pub(super) fn packed(words: &[u128], width: u32) -> Param {
    let all = width * words.len() as u32;
    let mut bits = vec![0u64; all.div_ceil(64) as usize];
    for (k, word) in words.iter().enumerate() {
        for n in (0..width).filter(|n| word >> n & 1 == 1) {
            let at = k as u32 * width + n;
            bits[at as usize / 64] |= 1 << (at % 64);
        }
    }
    Param::Bits(all, bits)
}

/// A function of real numbers that has a pipeline.
fn real(fun: Fun, ty: Type) -> Option<Plan> {
    if let (Fun::Pow, Some(_), Type::Float { exp, man }) = (fun, Power::of(ty), ty) {
        let params = vec![("EXP", Param::Int(exp)), ("MAN", Param::Int(man)), ("SHAPE", Param::Int(4))];
        return Some(Plan {
            unit: Unit::Real,
            params,
            args: vec![UnitArgument::Arg(0), UnitArgument::Arg(1)],
            depth: Power::DEPTH,
        });
    }
    let p = Pipeline::shared(fun, ty)?;
    let (exp, man) = p.format();
    let (table, [w0, w1, w2]) = (&p.table, p.table.widths());
    let pieces = table.pieces.len() as u32;
    let bias = (1 << (exp - 1)) - 1;
    let biased = |e: i32| Param::Int((bias + e) as u32);
    let mul = match p.shape {
        Shape::Exp => full_mul_depth(exp + table.frac),
        _ => full_mul_depth(table.frac + 2),
    };
    let table_mul = full_mul_depth((w1 + 1).max(table.x));
    let (shape, turned, depth) = match p.shape {
        Shape::Exp => (0, false, mul + 14),
        Shape::Log => (1, false, mul + 13),
        Shape::Sine { turned } => (2, turned, mul + 19),
        Shape::Tanh => (3, false, 11),
    };
    let none = [0];
    let words = if p.words.is_empty() { &none[..] } else { &p.words };
    let column = |k: usize, w: u32| packed(&table.pieces.iter().map(|c| c[k].into()).collect::<Vec<_>>(), w);
    let params = vec![
        ("EXP", Param::Int(exp)),
        ("MAN", Param::Int(man)),
        ("SHAPE", Param::Int(shape)),
        ("TURNED", Param::Int(turned.into())),
        ("FRAC", Param::Int(table.frac)),
        ("LEAST", biased(p.least)),
        ("MOST", biased(p.most)),
        ("FACTOR", packed(&[p.factor.into()], exp + table.frac)),
        ("LINES", Param::Int(words.len() as u32)),
        ("WORD_W", Param::Int(p.word_bits)),
        ("WORDS", packed(words, p.word_bits)),
        ("MUL", Param::Int(mul)),
        ("X", Param::Int(table.x)),
        ("PIECES", Param::Int(pieces)),
        ("PIECE_W", Param::Int(pieces.next_power_of_two().ilog2())),
        ("W0", Param::Int(w0)),
        ("W1", Param::Int(w1)),
        ("W2", Param::Int(w2)),
        ("C0", column(0, w0)),
        ("C1", column(1, w1)),
        ("C2", column(2, w2)),
        ("FALLS", Param::Int(table.falls.into())),
        ("BENDS", Param::Int(table.bends.into())),
        ("P_MUL", Param::Int(table_mul)),
    ];
    Some(Plan { unit: Unit::Real, params, args: vec![UnitArgument::Arg(0)], depth: depth + table_mul })
}

/// Functions of bits are tables.
fn table(fun: Fun, ty: Type) -> Plan {
    let args = (0..fun.arity()).map(UnitArgument::Arg).collect();
    word_plan(29, ty, args, 0, fun.table(ty))
}

fn word(fun: Fun, ty: Type, second: Option<u64>) -> Option<Plan> {
    use UnitArgument::{Arg, Value};
    let (saturates, wide) = (u32::from(ty.saturates()), u32::from(ty.bits() > 32));
    let (bits, frac, product) = (ty.bits(), ty.fraction(), word_mul_depth(ty));
    // Sizes, a stage for each bit of the quotient, and what is rounded.
    let nearest = u32::from(frac > 0);
    let quotient = |half: u32, rounds: u32| 1 + bits + half + rounds;
    let (op, args, depth): (u32, &[UnitArgument], u32) = match fun {
        Fun::Add => (0, &[Arg(0), Arg(1)], saturates),
        Fun::Sub => (1, &[Arg(0), Arg(1)], saturates),
        Fun::Mul => (if ty.saturates() { 30 } else { 2 }, &[Arg(0), Arg(1)], product),
        Fun::Square => (if ty.saturates() { 30 } else { 2 }, &[Arg(0), Arg(0)], product),
        // As two products, without one with 1.
        Fun::Cube => return Some(chain(3, true, ty)),
        Fun::Pow => return power(ty.value(second?).div_euclid(1 << frac), ty),
        Fun::Div => (38, &[Arg(0), Arg(1)], quotient(nearest, 2 * nearest)),
        Fun::Sqrt => (39, &[Arg(0)], 1 + (bits - u32::from(ty.is_signed()) + frac).div_ceil(2)),
        Fun::Idiv => (40, &[Arg(0), Arg(1)], quotient(0, 1 + saturates)),
        Fun::Mod => (41, &[Arg(0), Arg(1)], quotient(0, 0)),
        Fun::PyMod => (42, &[Arg(0), Arg(1)], quotient(0, 1)),
        Fun::Recip if frac == 0 => (31, &[Arg(0)], 0),
        Fun::Recip => (43, &[Value(0), Arg(0)], quotient(1, 2)),
        Fun::Neg => (3, &[Arg(0)], saturates),
        Fun::Min => (4, &[Arg(0), Arg(1)], wide),
        Fun::Max => (5, &[Arg(0), Arg(1)], wide),
        Fun::Relu => (5, &[Arg(0), Value(0)], wide),
        Fun::Id | Fun::First => (6, &[Arg(0)], 0),
        Fun::Second => (6, &[Arg(1)], 0),
        Fun::Floor | Fun::Ceil | Fun::Trunc | Fun::Rint if frac == 0 => (6, &[Arg(0)], 0),
        Fun::Floor => (32, &[Arg(0)], 1),
        Fun::Ceil => (33, &[Arg(0)], 1),
        Fun::Trunc => (34, &[Arg(0)], 1),
        Fun::Rint => (35, &[Arg(0)], 1),
        Fun::IsNan | Fun::IsInf => (6, &[Value(0)], 0),
        Fun::SignBit => (11, &[Arg(0), Value(0)], 0),
        Fun::CopySign => (44, &[Arg(0), Arg(1)], saturates),
        Fun::PopCount => (45, &[Arg(0)], 1),
        Fun::Abs => (7, &[Arg(0)], saturates),
        Fun::Sign if ty.has_one() => (8, &[Arg(0)], 0),
        Fun::Eq => (9, &[Arg(0), Arg(1)], 0),
        Fun::Ne => (10, &[Arg(0), Arg(1)], 0),
        Fun::Lt => (11, &[Arg(0), Arg(1)], 0),
        Fun::Gt => (11, &[Arg(1), Arg(0)], 0),
        Fun::Le => (12, &[Arg(0), Arg(1)], 0),
        Fun::Ge => (12, &[Arg(1), Arg(0)], 0),
        Fun::And => (13, &[Arg(0), Arg(1)], 0),
        Fun::Or => (14, &[Arg(0), Arg(1)], 0),
        Fun::Xor => (15, &[Arg(0), Arg(1)], 0),
        Fun::Not => (16, &[Arg(0)], 0),
        Fun::ToBool => (17, &[Arg(0)], 0),
        Fun::BitAnd => (18, &[Arg(0), Arg(1)], 0),
        Fun::BitOr => (19, &[Arg(0), Arg(1)], 0),
        Fun::BitXor => (20, &[Arg(0), Arg(1)], 0),
        Fun::BitNot => (21, &[Arg(0)], 0),
        Fun::Shl => (22, &[Arg(0), Arg(1)], 1),
        Fun::Shr => (23, &[Arg(0), Arg(1)], 1),
        Fun::Where => (24, &[Arg(0), Arg(1), Arg(2)], 0),
        Fun::Clip => (25, &[Arg(0), Arg(1), Arg(2)], 1),
        Fun::Heaviside => (26, &[Arg(0), Arg(1)], 0),
        Fun::Ldexp => (27, &[Arg(0), Arg(1)], 1 + saturates),
        _ => return None,
    };
    Some(word_plan(op, ty, args.to_vec(), depth, 0))
}

/// Most products that a power with a constant exponent is made of.
const PRODUCTS: u32 = 16;

/// A power with this exponent, as products; `None` if they are too many, or one is to be divided by.
fn power(n: i128, ty: Type) -> Option<Plan> {
    let n = u32::try_from(n).ok().filter(|n| n.count_ones() + n.checked_ilog2().unwrap_or(0) <= PRODUCTS + 1)?;
    Some(match n {
        0 => word_plan(6, ty, vec![UnitArgument::Value(ty.one())], 0, 0),
        _ => chain(n, ty.has_one(), ty),
    })
}

/// A power with this exponent, from 1 up. `unit`: what is multiplied by 1 stays as it is.
fn chain(n: u32, unit: bool, ty: Type) -> Plan {
    let (top, mul) = (n.ilog2(), word_mul_depth(ty));
    let levels = if unit && n.is_power_of_two() { top } else { top + 1 };
    let mut plan = word_plan(28, ty, vec![UnitArgument::Arg(0)], levels * mul, 0);
    plan.params.extend([("EXPONENT", Param::Int(n)), ("UNIT", Param::Int(unit.into())), ("MUL", Param::Int(mul))]);
    plan
}

fn word_plan(op: u32, ty: Type, args: Vec<UnitArgument>, depth: u32, table: u64) -> Plan {
    let w = ty.bits();
    let params = vec![
        ("OP", Param::Int(op)),
        ("W", Param::Int(w)),
        ("SIGNED", Param::Int(u32::from(ty.is_signed()))),
        ("SATURATE", Param::Int(u32::from(ty.saturates()))),
        ("FRAC", Param::Int(ty.fraction())),
        ("ONE", Param::Bits(w, vec![ty.one()])),
        ("TABLE", Param::Bits(8, vec![table])),
    ];
    Plan { unit: Unit::Word, params, args, depth }
}

fn float(fun: Fun, exp: u32, man: u32) -> Option<Plan> {
    use UnitArgument::{Arg, Value};
    let (mul, one) = (full_mul_depth(man + 1), Type::Float { exp, man }.one());
    let (op, args, depth): (u32, &[UnitArgument], u32) = match fun {
        Fun::Add => (0, &[Arg(0), Arg(1)], 7),
        Fun::Sub => (1, &[Arg(0), Arg(1)], 7),
        Fun::Mul => (2, &[Arg(0), Arg(1)], mul + 6),
        Fun::Square => (2, &[Arg(0), Arg(0)], mul + 6),
        Fun::Ldexp => (27, &[Arg(0), Arg(1)], 7),
        Fun::Cube => (28, &[Arg(0)], 2 * (mul + 6) + 1),
        Fun::Neg => (3, &[Arg(0)], 0),
        Fun::Min => (4, &[Arg(0), Arg(1)], 1),
        Fun::Max => (5, &[Arg(0), Arg(1)], 1),
        Fun::Relu => (5, &[Arg(0), Value(0)], 1),
        Fun::Id | Fun::First => (6, &[Arg(0)], 0),
        Fun::Second => (6, &[Arg(1)], 0),
        Fun::Abs => (7, &[Arg(0)], 0),
        Fun::Sign => (8, &[Arg(0)], 0),
        Fun::Eq => (9, &[Arg(0), Arg(1)], 1),
        Fun::Ne => (10, &[Arg(0), Arg(1)], 1),
        Fun::Lt => (11, &[Arg(0), Arg(1)], 1),
        Fun::Gt => (11, &[Arg(1), Arg(0)], 1),
        Fun::Le => (12, &[Arg(0), Arg(1)], 1),
        Fun::Ge => (12, &[Arg(1), Arg(0)], 1),
        Fun::And => (13, &[Arg(0), Arg(1)], 0),
        Fun::Or => (14, &[Arg(0), Arg(1)], 0),
        Fun::Xor => (15, &[Arg(0), Arg(1)], 0),
        Fun::Not => (16, &[Arg(0)], 0),
        Fun::ToBool => (17, &[Arg(0)], 0),
        Fun::Where => (24, &[Arg(0), Arg(1), Arg(2)], 0),
        Fun::Clip => (25, &[Arg(0), Arg(1), Arg(2)], 1),
        Fun::Heaviside => (26, &[Arg(0), Arg(1)], 0),
        Fun::Floor => (32, &[Arg(0)], 2),
        Fun::Ceil => (33, &[Arg(0)], 2),
        Fun::Trunc => (34, &[Arg(0)], 2),
        Fun::Rint => (35, &[Arg(0)], 2),
        Fun::IsNan => (36, &[Arg(0)], 0),
        Fun::IsInf => (37, &[Arg(0)], 0),
        Fun::CopySign => (44, &[Arg(0), Arg(1)], 0),
        Fun::SignBit => (46, &[Arg(0)], 0),
        // A stage for each bit.
        Fun::Div => (38, &[Arg(0), Arg(1)], man + 10),
        Fun::Recip => (38, &[Value(one), Arg(0)], man + 10),
        Fun::Sqrt => (39, &[Arg(0)], man + 8),
        _ => return None,
    };
    let params =
        vec![("OP", Param::Int(op)), ("EXP", Param::Int(exp)), ("MAN", Param::Int(man)), ("MUL", Param::Int(mul))];
    Some(Plan { unit: Unit::Float, params, args: args.to_vec(), depth })
}
