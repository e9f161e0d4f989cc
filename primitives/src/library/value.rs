//! Values of expressions over parameters, by the rules of Verilog for widths and signs.

use super::parse::Expr;
use std::collections::BTreeMap;

/// A vector without unknown bits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Value {
    /// Bits, the lowest first.
    bits: Vec<bool>,
    signed: bool,
}

/// Parameters and their values; `None` is a value that is not known.
pub type Scope = BTreeMap<String, Option<Value>>;

/// Bits of a number without a size.
const INTEGER: usize = 32;

impl Value {
    /// The vector of the lowest `width` bits of `words`, the lowest word first.
    pub fn vector(width: usize, words: &[u64]) -> Self {
        let bit = |k: usize| words.get(k / 64).is_some_and(|w| w >> (k % 64) & 1 == 1);
        Self { bits: (0..width).map(bit).collect(), signed: false }
    }
    /// A number without a size.
    pub fn integer(number: u64) -> Self {
        let width = if number >> (INTEGER - 1) == 0 { INTEGER } else { 64 };
        Self { signed: true, ..Self::vector(width, &[number]) }
    }
    fn truth(is: bool) -> Self {
        Self { bits: vec![is], signed: false }
    }
    fn sized(mut self, width: usize, signed: bool) -> Self {
        let fill = signed && self.bits.last().is_some_and(|b| *b);
        self.bits.resize(width, fill);
        Self { signed, ..self }
    }
    /// Whether it is not 0.
    pub fn is_true(&self) -> bool {
        self.bits.contains(&true)
    }
    /// The number; `None` if it has more than 64 bits.
    pub fn number(&self) -> Option<i128> {
        let fits = self.bits.iter().skip(64).all(|b| !b) || (self.signed && self.bits.len() <= 64);
        let sum: i128 = self.bits.iter().take(64).enumerate().map(|(k, b)| i128::from(*b) << k).sum();
        let negative = self.signed && self.bits.last().is_some_and(|b| *b);
        fits.then(|| if negative { sum - (1 << self.bits.len()) } else { sum })
    }
    fn of(number: i128, width: usize, signed: bool) -> Self {
        let bit = |k: usize| number >> k.min(127) & 1 == 1;
        Self { bits: (0..width).map(bit).collect(), signed }
    }
    /// The value of a parameter with these first and last bits, or without a width, that is set to this.
    pub fn assigned(self, range: Option<&(Expr, Expr)>, scope: &Scope) -> Option<Self> {
        let Some(range) = range else { return Some(self) };
        let signed = self.signed;
        Some(self.sized(width(range, scope)?, signed).unsigned())
    }
    fn unsigned(self) -> Self {
        Self { signed: false, ..self }
    }
    fn part(&self, low: i128, width: i128) -> Option<Self> {
        let (low, width) = (usize::try_from(low).ok()?, usize::try_from(width).ok()?);
        let bits = self.bits.get(low..low.checked_add(width)?)?.to_vec();
        Some(Self { bits, signed: false })
    }
}

/// A number as it is written.
fn literal(text: &str) -> Option<Value> {
    let text: String = text.chars().filter(|c| !" _".contains(*c)).collect();
    let Some((size, digits)) = text.split_once('\'') else { return text.parse().ok().map(Value::integer) };
    let signed = digits.starts_with(['s', 'S']);
    let digits = digits.trim_start_matches(['s', 'S']).to_ascii_lowercase();
    let width = if size.is_empty() { INTEGER } else { size.parse().ok()? };
    let log2 = match digits.chars().next()? {
        'b' => 1,
        'o' => 3,
        'h' => 4,
        _ => return Some(Value { signed, ..Value::vector(width, &[digits.strip_prefix('d')?.parse().ok()?]) }),
    };
    let mut bits = Vec::new();
    for digit in digits[1..].chars().rev() {
        let digit = digit.to_digit(1 << log2)?;
        bits.extend((0..log2).map(|k| digit >> k & 1 == 1));
    }
    bits.resize(width, false);
    Some(Value { bits, signed })
}

/// Returns the value of an expression; `None` if it is not known.
pub fn value(e: &Expr, scope: &Scope) -> Option<Value> {
    let (width, signed) = natural(e, scope)?;
    at(e, width, signed, scope)
}

/// The value of an expression that is assigned to a vector from bit 0 to `high`, or to what has no width.
pub fn assigned(e: &Expr, range: Option<&(Expr, Expr)>, scope: &Scope) -> Option<Value> {
    let Some(range) = range else { return value(e, scope) };
    let width = width(range, scope)?;
    let (own, signed) = natural(e, scope)?;
    at(e, own.max(width), signed, scope).map(|v| v.sized(width, false))
}

/// Bits of what is declared from `high` to `low`, which must be 0.
fn width((high, low): &(Expr, Expr), scope: &Scope) -> Option<usize> {
    usize::try_from(number(high, scope)? + 1).ok().filter(|_| number(low, scope) == Some(0))
}

fn number(e: &Expr, scope: &Scope) -> Option<i128> {
    value(e, scope)?.number()
}

/// Width and sign of an expression on its own.
fn natural(e: &Expr, scope: &Scope) -> Option<(usize, bool)> {
    match e {
        Expr::Unary(sign, x) if ["~", "-", "+"].contains(&sign.as_str()) => natural(x, scope),
        Expr::Binary(sign, two) => {
            let (l, r) = (natural(&two[0], scope), natural(&two[1], scope));
            match sign.as_str() {
                "<<" | ">>" | "<<<" | ">>>" | "**" => l,
                "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "~^" | "^~" => {
                    l.zip(r).map(|(l, r)| (l.0.max(r.0), l.1 && r.1))
                }
                _ => Some((1, false)),
            }
        }
        Expr::Choice(three) => {
            let (l, r) = (natural(&three[1], scope)?, natural(&three[2], scope)?);
            Some((l.0.max(r.0), l.1 && r.1))
        }
        _ => own(e, scope).map(|v| (v.bits.len(), v.signed)),
    }
}

/// The value of an expression whose width does not depend on where it is.
fn own(e: &Expr, scope: &Scope) -> Option<Value> {
    match e {
        Expr::Number(text) => literal(text),
        Expr::Name(name) => scope.get(name)?.clone(),
        Expr::Unary(sign, x) => {
            let x = value(x, scope)?;
            let ones = x.bits.iter().filter(|b| **b).count();
            Some(Value::truth(match sign.as_str() {
                "!" | "~|" => ones == 0,
                "|" => ones > 0,
                "&" => ones == x.bits.len(),
                "~&" => ones < x.bits.len(),
                "^" => ones % 2 == 1,
                "~^" => ones % 2 == 0,
                _ => return None,
            }))
        }
        Expr::Binary(sign, two) => compared(sign, &two[0], &two[1], scope).map(Value::truth),
        Expr::Concat(parts) => {
            let parts: Option<Vec<Value>> = parts.iter().map(|p| value(p, scope)).collect();
            Some(Value { bits: parts?.into_iter().rev().flat_map(|p| p.bits).collect(), signed: false })
        }
        Expr::Repeat(two) => {
            let (often, what) = (usize::try_from(number(&two[0], scope)?).ok()?, value(&two[1], scope)?);
            Some(Value { bits: what.bits.repeat(often), signed: false })
        }
        Expr::Bit(name, at) => scope.get(name)?.as_ref()?.part(number(at, scope)?, 1),
        Expr::Part(name, sign, two) => {
            let (a, b) = (number(&two[0], scope)?, number(&two[1], scope)?);
            let (low, width) = match sign.as_str() {
                ":" => (b, a - b + 1),
                "+:" => (a, b),
                _ => (a - b + 1, b),
            };
            scope.get(name)?.as_ref()?.part(low, width)
        }
        Expr::Call(name, of) => match (name.as_str(), of.as_slice()) {
            ("$clog2", [x]) => {
                let x = number(x, scope)?;
                Some(Value::integer(if x <= 1 { 0 } else { u64::from(128 - (x - 1).leading_zeros()) }))
            }
            ("$signed", [x]) => value(x, scope).map(|v| Value { signed: true, ..v }),
            ("$unsigned", [x]) => value(x, scope).map(Value::unsigned),
            _ => None,
        },
        Expr::Choice(_) | Expr::Text => None,
    }
}

/// A comparison, or a logical operator, one side of which can be enough.
fn compared(sign: &str, l: &Expr, r: &Expr, scope: &Scope) -> Option<bool> {
    if sign == "&&" || sign == "||" {
        let (l, r) = (value(l, scope).map(|v| v.is_true()), value(r, scope).map(|v| v.is_true()));
        let enough = sign == "||";
        return if l == Some(enough) || r == Some(enough) { Some(enough) } else { l.zip(r).map(|_| !enough) };
    }
    let ((lw, ls), (rw, rs)) = (natural(l, scope)?, natural(r, scope)?);
    let (width, signed) = (lw.max(rw), ls && rs);
    let (l, r) = (at(l, width, signed, scope)?, at(r, width, signed, scope)?);
    let equal = l.bits == r.bits;
    let less = || Some(l.number()? < r.number()?);
    match sign {
        "==" | "===" => Some(equal),
        "!=" | "!==" => Some(!equal),
        "<" => less(),
        ">=" => less().map(|is| !is),
        "<=" => less().map(|is| is || equal),
        ">" => less().map(|is| !is && !equal),
        _ => None,
    }
}

/// The value of an expression where `width` bits are wanted.
fn at(e: &Expr, width: usize, signed: bool, scope: &Scope) -> Option<Value> {
    let here = |e: &Expr| at(e, width, signed, scope);
    match e {
        Expr::Unary(sign, x) if ["~", "-", "+"].contains(&sign.as_str()) => {
            let x = here(x)?;
            match sign.as_str() {
                "~" => Some(Value { bits: x.bits.iter().map(|b| !b).collect(), signed }),
                "-" => Some(Value::of(-x.number()?, width, signed)),
                _ => Some(x),
            }
        }
        Expr::Binary(sign, two) => {
            let bitwise = |of: fn(bool, bool) -> bool| {
                let (l, r) = (here(&two[0])?, here(&two[1])?);
                Some(Value { bits: l.bits.iter().zip(&r.bits).map(|(l, r)| of(*l, *r)).collect(), signed })
            };
            let sum = |of: fn(i128, i128) -> Option<i128>| {
                Some(Value::of(of(here(&two[0])?.number()?, here(&two[1])?.number()?)?, width, signed))
            };
            let moved = |down: bool, filled: bool| {
                let (x, by) = (here(&two[0])?, usize::try_from(number(&two[1], scope)?).ok()?.min(width));
                let fill = filled && x.bits.last().is_some_and(|b| *b);
                let mut bits = x.bits;
                if down {
                    bits.drain(..by);
                    bits.resize(width, fill);
                } else {
                    bits.splice(..0, std::iter::repeat_n(false, by));
                    bits.truncate(width);
                }
                Some(Value { bits, signed })
            };
            match sign.as_str() {
                "+" => sum(i128::checked_add),
                "-" => sum(i128::checked_sub),
                "*" => sum(i128::checked_mul),
                "/" => sum(i128::checked_div),
                "%" => sum(i128::checked_rem),
                "&" => bitwise(|l, r| l && r),
                "|" => bitwise(|l, r| l || r),
                "^" => bitwise(|l, r| l != r),
                "~^" | "^~" => bitwise(|l, r| l == r),
                "<<" | "<<<" => moved(false, false),
                ">>" => moved(true, false),
                ">>>" => moved(true, signed),
                "**" => {
                    let (x, by) = (here(&two[0])?.number()?, number(&two[1], scope)?);
                    Some(Value::of(x.checked_pow(u32::try_from(by).ok()?)?, width, signed))
                }
                _ => own(e, scope).map(|v| v.sized(width, signed)),
            }
        }
        Expr::Choice(three) => here(&three[if value(&three[0], scope)?.is_true() { 1 } else { 2 }]),
        _ => own(e, scope).map(|v| v.sized(width, signed)),
    }
}
