//! Expressions: what can stand in an assignment or at a port of an instance.

use std::fmt;

/// A declared net, by name and width.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Signal {
    /// Name.
    pub name: String,
    /// Bits.
    pub width: u32,
}

impl Signal {
    /// A signal.
    pub fn new(name: impl Into<String>, width: u32) -> Self {
        Self { name: name.into(), width }
    }
    /// All of it.
    pub fn all(&self) -> Expr {
        self.bits(0, self.width)
    }
    /// `width` bits from bit `low` on.
    pub fn bits(&self, low: u32, width: u32) -> Expr {
        Expr::Bits { of: self.clone(), low, width }
    }
}

/// An expression. Widths are explicit: operands are as wide as their context wants.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Expr {
    /// Some bits of a signal.
    Bits {
        /// The signal.
        of: Signal,
        /// Lowest bit.
        low: u32,
        /// Number of bits, at least 1.
        width: u32,
    },
    /// A number without width: the value of an integer parameter.
    Integer(u32),
    /// A number of the given width, in decimal if that is short, else in hexadecimal; least
    /// significant word first.
    Literal(u32, Vec<u64>),
    /// The expressions side by side, the first on top.
    Concat(Vec<Expr>),
    /// The expression so many times side by side.
    Repeat(u32, Box<Expr>),
    /// `!a` of one bit.
    Not(Box<Expr>),
    /// Two operands and the operator between them.
    Binary(Box<Expr>, &'static str, Box<Expr>),
    /// `if ? then : else`.
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// An output that is left open.
    Open,
}

impl Expr {
    /// A number of `width` bits that fits one word.
    pub fn literal(width: u32, value: u64) -> Self {
        Self::Literal(width, vec![value])
    }
    /// `width` zeros.
    pub fn zeros(width: u32) -> Self {
        if width <= 4 { Self::literal(width, 0) } else { Self::Repeat(width, Box::new(Self::literal(1, 0))) }
    }
    /// Side by side; parts of no bits are left out.
    pub fn concat(parts: impl IntoIterator<Item = Option<Expr>>) -> Self {
        let mut parts: Vec<Expr> = parts.into_iter().flatten().collect();
        if parts.len() == 1 { parts.remove(0) } else { Self::Concat(parts) }
    }
    /// `self op other`.
    pub fn binary(self, op: &'static str, other: Expr) -> Self {
        Self::Binary(Box::new(self), op, Box::new(other))
    }
    /// Signals in it.
    pub fn signals(&self) -> Vec<&Signal> {
        match self {
            Self::Bits { of, .. } => vec![of],
            Self::Integer(_) | Self::Literal(..) | Self::Open => vec![],
            Self::Concat(parts) => parts.iter().flat_map(Self::signals).collect(),
            Self::Repeat(_, e) | Self::Not(e) => e.signals(),
            Self::Binary(a, _, b) => [a.signals(), b.signals()].concat(),
            Self::Choice(a, b, c) => [a.signals(), b.signals(), c.signals()].concat(),
        }
    }
    /// With parentheses where it stands next to an operator.
    fn operand(&self) -> String {
        match self {
            Self::Binary(..) | Self::Choice(..) => format!("({self})"),
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bits { of, low, width } => {
                if *low == 0 && *width == of.width {
                    write!(f, "{}", of.name)
                } else if *width == 1 {
                    write!(f, "{}[{low}]", of.name)
                } else {
                    write!(f, "{}[{}:{low}]", of.name, low + width - 1)
                }
            }
            Self::Integer(n) => write!(f, "{n}"),
            Self::Literal(width, words) => literal(f, *width, words),
            Self::Concat(parts) => {
                let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
                write!(f, "{{{}}}", parts.join(", "))
            }
            Self::Repeat(n, e) => write!(f, "{{{n}{{{e}}}}}"),
            Self::Not(e) => write!(f, "!{}", e.operand()),
            Self::Binary(a, op, b) => write!(f, "{} {op} {}", a.operand(), b.operand()),
            Self::Choice(a, b, c) => write!(f, "{} ? {} : {}", a.operand(), b.operand(), c.operand()),
            Self::Open => Ok(()),
        }
    }
}

fn literal(f: &mut fmt::Formatter<'_>, width: u32, words: &[u64]) -> fmt::Result {
    let low = words.first().copied().unwrap_or(0);
    if width < 64 && low < 10 && words.iter().skip(1).all(|w| *w == 0) {
        return write!(f, "{width}'d{low}");
    }
    let digits: String = words.iter().rev().map(|w| format!("{w:016x}")).collect();
    let keep = (width.div_ceil(4) as usize).min(digits.len());
    write!(f, "{width}'h{}", &digits[digits.len() - keep..])
}
