//! Expressions of indices, comparisons and masks as texts, and what they are: computed with exact
//! numbers, by what the pages say and nothing of the compiler's.

use samhw_compiler::types::Type;
use samhw_values::Rng;
use samhw_values::convert;
use std::fmt;

/// Numbers count in quarters.
pub const QUARTERS: i128 = 4;

/// Beyond this a number is left out of the tests: whole numbers have 64 bits at most.
const MOST: i128 = 1 << 60;

/// A whole number made of the coordinates i and j.
#[derive(Debug, Clone)]
pub enum Whole {
    I,
    J,
    Number(i128),
    One(&'static str, Box<Self>),
    Two(&'static str, Box<Self>, Box<Self>),
    /// Where the condition holds, else.
    Where(Box<Condition>, Box<Self>, Box<Self>),
}

/// What is compared.
#[derive(Debug, Clone)]
pub enum Operand {
    Whole(Whole),
    /// In quarters.
    Number(i128),
    /// A tensor with its indices, by number.
    Tensor(usize),
    /// The sum of the first tensor and a whole number.
    Moved(Whole),
}

/// A truth value.
#[derive(Debug, Clone)]
pub enum Condition {
    Compares(&'static str, Operand, Operand),
    Two(&'static str, Box<Self>, Box<Self>),
    Not(Box<Self>),
    /// Whether it is not 0.
    Truth(Whole),
}

/// A point: the coordinates, and the values of the tensors there, in quarters.
pub struct At {
    pub i: i128,
    pub j: i128,
    pub tensors: Vec<i128>,
}

impl Whole {
    /// A random one. `divides`: `/` rounds towards 0, as it does where the statement is one of
    /// whole numbers.
    pub fn random(rng: &mut Rng, depth: u32, divides: bool) -> Self {
        if depth == 0 || rng.chance(20) {
            return match rng.below(5) {
                0 | 1 => Self::I,
                2 => Self::J,
                _ => Self::Number(rng.pick(&[0, 1, 2, 3, 5, 7, 64, 127, 128, 255, 256, 300, 1000])),
            };
        }
        let one = |rng: &mut Rng| Box::new(Self::random(rng, depth - 1, divides));
        match rng.below(20) {
            0..3 => Self::One(rng.pick(&["-", "~", "abs", "sign", "square"]), one(rng)),
            3 => Self::Where(Box::new(Condition::random(rng, depth - 1, 0, divides)), one(rng), one(rng)),
            4 => Self::Two("**", one(rng), Box::new(Self::Number(rng.below(4).into()))),
            5 => Self::Two(rng.pick(&["<<", ">>"]), one(rng), Box::new(Self::Number(rng.below(6).into()))),
            6 if divides => Self::Two("/", one(rng), one(rng)),
            _ => {
                let op =
                    rng.pick(&["+", "-", "*", "+", "-", "*", "//", "%", "mod", "min", "max", "gcd", "&", "|", "^"]);
                Self::Two(op, one(rng), one(rng))
            }
        }
    }

    /// Is there a coordinate in it, outside of comparisons?
    pub fn counts(&self) -> bool {
        match self {
            Self::I | Self::J => true,
            Self::Number(_) => false,
            Self::One(_, a) => a.counts(),
            Self::Two(_, a, b) => a.counts() || b.counts(),
            Self::Where(_, a, b) => a.counts() || b.counts(),
        }
    }

    /// What it is; `None` if it, or a part, is too large, or is divided by a constant 0.
    pub fn value(&self, at: &At) -> Option<i128> {
        let value = match self {
            Self::I => at.i,
            Self::J => at.j,
            Self::Number(n) => *n,
            Self::One(op, a) => one(op, a.value(at)?),
            Self::Two("/" | "//" | "%" | "mod", _, b) if matches!(**b, Self::Number(0)) => return None,
            Self::Two(op, a, b) => two(op, a.value(at)?, b.value(at)?)?,
            Self::Where(c, a, b) => {
                let (c, a, b) = (c.holds(at)?, a.value(at)?, b.value(at)?);
                if c { a } else { b }
            }
        };
        (value.abs() < MOST).then_some(value)
    }
}

fn one(op: &str, a: i128) -> i128 {
    match op {
        "-" => -a,
        "~" => -a - 1,
        "abs" => a.abs(),
        "sign" => a.signum(),
        _ => a * a,
    }
}

fn two(op: &str, a: i128, b: i128) -> Option<i128> {
    Some(match op {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" | "//" | "%" | "mod" if b == 0 => 0,
        "/" => a / b,
        "//" => a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0),
        "%" => a - two("//", a, b)? * b,
        "mod" => a % b,
        "min" => a.min(b),
        "max" => a.max(b),
        "gcd" => {
            let (mut x, mut y) = (a.abs(), b.abs());
            while y != 0 {
                (x, y) = (y, x % y);
            }
            x
        }
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "<<" => a << b,
        ">>" => a >> b,
        _ => a.checked_pow(u32::try_from(b).ok()?)?,
    })
}

impl Operand {
    fn random(rng: &mut Rng, depth: u32, tensors: usize, divides: bool) -> Self {
        match rng.below(10) {
            0..3 => Self::Number(rng.pick(&[0, 4, 8, -4, 2, -2, 6, 10, 12, 1_200, -600, 160_000_000_000])),
            3..7 if tensors > 0 => Self::Tensor(rng.below(tensors as u64) as usize),
            7 if tensors > 0 => Self::Moved(Whole::random(rng, 1, divides)),
            _ => Self::Whole(Whole::random(rng, depth, divides)),
        }
    }

    fn value(&self, at: &At) -> Option<i128> {
        match self {
            Self::Whole(w) => w.value(at)?.checked_mul(QUARTERS),
            Self::Number(n) => Some(*n),
            Self::Tensor(t) => Some(at.tensors[*t]),
            Self::Moved(w) => Some(at.tensors[0] + w.value(at)? * QUARTERS),
        }
    }
}

impl Condition {
    /// A random one, of comparisons of this number of tensors, whole numbers and numbers.
    pub fn random(rng: &mut Rng, depth: u32, tensors: usize, divides: bool) -> Self {
        let inner = |rng: &mut Rng| Box::new(Self::random(rng, depth.saturating_sub(1), tensors, divides));
        match rng.below(10) {
            0 if depth > 0 => Self::Two(rng.pick(&["and", "or"]), inner(rng), inner(rng)),
            1 if depth > 0 => Self::Not(inner(rng)),
            2 => {
                let whole = Whole::random(rng, depth, divides);
                if whole.counts() { Self::Truth(whole) } else { Self::Truth(Whole::I) }
            }
            _ => {
                let op = rng.pick(&["==", "!=", "<", "<=", ">", ">="]);
                let mut operand = || Operand::random(rng, depth, tensors, divides);
                Self::Compares(op, operand(), operand())
            }
        }
    }

    pub fn holds(&self, at: &At) -> Option<bool> {
        Some(match self {
            Self::Compares(op, a, b) => {
                let order = a.value(at)?.cmp(&b.value(at)?);
                match *op {
                    "==" => order.is_eq(),
                    "!=" => order.is_ne(),
                    "<" => order.is_lt(),
                    "<=" => order.is_le(),
                    ">" => order.is_gt(),
                    _ => order.is_ge(),
                }
            }
            Self::Two(op, a, b) => {
                let (a, b) = (a.holds(at)?, b.holds(at)?);
                if *op == "and" { a && b } else { a || b }
            }
            Self::Not(a) => !a.holds(at)?,
            Self::Truth(w) => w.value(at)? != 0,
        })
    }
}

impl Condition {
    /// The whole numbers that the first tensor is moved by.
    pub fn moves(&self) -> Vec<&Whole> {
        match self {
            Self::Compares(_, a, b) => {
                [a, b].into_iter().filter_map(|x| if let Operand::Moved(by) = x { Some(by) } else { None }).collect()
            }
            Self::Two(_, a, b) => a.moves().into_iter().chain(b.moves()).collect(),
            Self::Not(a) => a.moves(),
            Self::Truth(_) => vec![],
        }
    }
}

/// A whole number as a value of a type.
pub fn raw(value: i128, ty: Type) -> u64 {
    let wide = Type::int(64, true);
    convert(wide.wrap(value), wide, ty)
}

impl fmt::Display for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::I => f.write_str("i"),
            Self::J => f.write_str("j"),
            Self::Number(n) => write!(f, "{n}"),
            Self::One(op @ ("-" | "~"), a) => write!(f, "({op}{a})"),
            Self::One(op, a) => write!(f, "{op}({a})"),
            Self::Two(op @ ("min" | "max" | "gcd" | "mod"), a, b) => write!(f, "{op}({a}, {b})"),
            Self::Two(op, a, b) => write!(f, "({a} {op} {b})"),
            Self::Where(c, a, b) => write!(f, "where({c}, {a}, {b})"),
        }
    }
}

/// Names of the tensors in conditions, with their indices.
pub const TENSORS: [&str; 3] = ["B(i,j)", "c(i)", "d(j)"];

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(w) => write!(f, "{w}"),
            Self::Number(n) if n % QUARTERS == 0 => write!(f, "{}", n / QUARTERS),
            Self::Number(n) => write!(f, "{}", *n as f64 / QUARTERS as f64),
            Self::Tensor(t) => f.write_str(TENSORS[*t]),
            Self::Moved(w) => write!(f, "({} + {w})", TENSORS[0]),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compares(op, a, b) => write!(f, "({a} {op} {b})"),
            Self::Two(op, a, b) => write!(f, "({a} {op} {b})"),
            Self::Not(a) => write!(f, "(not {a})"),
            Self::Truth(w) => write!(f, "({w})"),
        }
    }
}
