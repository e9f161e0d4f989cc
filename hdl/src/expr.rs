//! Verilog expressions for assignments and for the ports of instances.

use std::fmt;

/// A declared net, with its name and width.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Signal {
    /// Name of the net.
    pub name: String,
    /// Width in bits.
    pub width: u32,
}

impl Signal {
    /// Creates a signal.
    pub fn new(name: impl Into<String>, width: u32) -> Self {
        Self { name: name.into(), width }
    }
    /// Returns an expression for the whole signal.
    pub fn all(&self) -> Expr {
        self.bits(0, self.width)
    }
    /// Returns an expression for `width` bits from bit `low` on.
    pub fn bits(&self, low: u32, width: u32) -> Expr {
        Expr::Bits { of: self.clone(), low, width }
    }
}

/// A Verilog expression. Widths are explicit: operands are as wide as their context wants.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A range of bits of a signal.
    Bits {
        /// The signal.
        of: Signal,
        /// Lowest bit.
        low: u32,
        /// Number of bits, at least 1.
        width: u32,
    },
    /// A number without a width, used as the value of an integer parameter.
    Integer(u32),
    /// Bits of the given width, in hexadecimal, least significant word first.
    Literal(u32, Vec<u64>),
    /// A number of the given width, in decimal.
    Number(u32, u64),
    /// A concatenation; the first expression is the most significant.
    Concat(Vec<Expr>),
    /// A replication: the expression, concatenated with itself this number of times.
    Repeat(u32, Box<Expr>),
    /// `!a` of one bit.
    Not(Box<Expr>),
    /// Two operands and the operator between them.
    Binary(Box<Expr>, &'static str, Box<Expr>),
    /// `if ? then : else`.
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// An output without a connection.
    Open,
}

impl Expr {
    /// Creates a literal of `width` bits from a value that fits into one word.
    pub fn literal(width: u32, value: u64) -> Self {
        Self::Literal(width, vec![value])
    }
    /// Creates a literal of `width` zeros.
    pub fn zeros(width: u32) -> Self {
        if width <= 4 { Self::literal(width, 0) } else { Self::Repeat(width, Box::new(Self::literal(1, 0))) }
    }
    /// Concatenates the parts, without those that have no bits.
    pub fn concat(parts: impl IntoIterator<Item = Option<Expr>>) -> Self {
        let mut parts: Vec<Expr> = parts.into_iter().flatten().collect();
        if parts.len() == 1 { parts.remove(0) } else { Self::Concat(parts) }
    }
    /// Creates the expression `self op other`.
    pub fn binary(self, op: &'static str, other: Expr) -> Self {
        Self::Binary(Box::new(self), op, Box::new(other))
    }
    /// Lists the signals that the expression uses.
    pub fn signals(&self) -> Vec<&Signal> {
        match self {
            Self::Bits { of, .. } => vec![of],
            Self::Integer(_) | Self::Literal(..) | Self::Number(..) | Self::Open => vec![],
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
            Self::Number(width, value) => write!(f, "{width}'d{value}"),
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
    if width == 1 {
        return write!(f, "1'b{low}");
    }
    let digits: String = words.iter().rev().map(|w| format!("{w:016x}")).collect();
    let digits = digits.trim_start_matches('0');
    write!(f, "{width}'h{}", if digits.is_empty() { "0" } else { digits })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_have_their_width() {
        assert_eq!(Expr::literal(1, 1).to_string(), "1'b1");
        assert_eq!(Expr::literal(40, 0).to_string(), "40'h0");
        assert_eq!(Expr::Literal(96, vec![1, 0xAB]).to_string(), "96'hab0000000000000001");
        assert_eq!(Expr::Number(6, 40).to_string(), "6'd40");
        assert_eq!(Expr::zeros(4).to_string(), "4'h0");
        assert_eq!(Expr::zeros(5).to_string(), "{5{1'b0}}");
    }

    #[test]
    fn bits_are_as_short_as_possible() {
        let s = Signal::new("x", 8);
        assert_eq!(s.all().to_string(), "x");
        assert_eq!(s.bits(3, 1).to_string(), "x[3]");
        assert_eq!(s.bits(2, 4).to_string(), "x[5:2]");
        assert_eq!(Signal::new("y", 1).all().to_string(), "y");
    }

    #[test]
    fn operators_get_parentheses_where_they_meet() {
        let x = || Signal::new("x", 1).all();
        let both = x().binary("&&", x());
        assert_eq!(both.clone().binary("||", x()).to_string(), "(x && x) || x");
        assert_eq!(Expr::Not(Box::new(both)).to_string(), "!(x && x)");
        assert_eq!(Expr::concat([Some(x()), None]).to_string(), "x");
    }
}
