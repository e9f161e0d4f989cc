//! Values of constant expressions.

use super::token::Token;
use std::collections::BTreeMap;

/// A whole number; without a sign where one of what it was made of has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Value {
    /// The number.
    pub number: i128,
    /// It may be negative.
    pub signed: bool,
}

/// Values of names; `None`: unknown.
pub type Scope = BTreeMap<String, Option<Value>>;

impl Value {
    /// A signed number.
    pub fn of(number: i128) -> Self {
        Self { number, signed: true }
    }
    /// Is it not 0?
    pub fn holds(self) -> bool {
        self.number != 0
    }
}

/// An expression that is read from `at` on.
pub struct Reader<'r, 't> {
    tokens: &'r [Token<'t>],
    /// Where the next word is.
    pub at: usize,
    scope: &'r Scope,
}

/// Operators of two operands by how they bind, the loosest first.
const BINARY: [&[&str]; 11] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^", "~^"],
    &["&"],
    &["==", "!=", "===", "!=="],
    &["<", "<=", ">", ">="],
    &["<<", ">>", "<<<", ">>>"],
    &["+", "-"],
    &["*", "/", "%"],
    &["**"],
];

impl<'r, 't> Reader<'r, 't> {
    /// Reads the words from `at` on.
    pub fn new(tokens: &'r [Token<'t>], at: usize, scope: &'r Scope) -> Self {
        Self { tokens, at, scope }
    }
    fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).copied()
    }
    fn takes(&mut self, sign: &str) -> bool {
        let is = self.peek() == Some(Token::Sign(sign));
        self.at += usize::from(is);
        is
    }
    /// An expression.
    pub fn expression(&mut self) -> Option<Value> {
        let condition = self.binary(0);
        if !self.takes("?") {
            return condition;
        }
        let yes = self.expression();
        self.takes(":");
        let no = self.expression();
        match condition {
            Some(condition) => {
                if condition.holds() {
                    yes
                } else {
                    no
                }
            }
            None => yes.filter(|_| yes == no),
        }
    }
    fn binary(&mut self, level: usize) -> Option<Value> {
        let Some(signs) = BINARY.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1);
        while let Some(Token::Sign(sign)) = self.peek()
            && signs.contains(&sign)
        {
            self.at += 1;
            let right = self.binary(level + 1);
            left = both(sign, left, right);
        }
        left
    }
    fn unary(&mut self) -> Option<Value> {
        let Some(Token::Sign(sign @ ("!" | "-" | "+" | "~" | "|" | "&" | "^" | "~|" | "~&" | "~^"))) = self.peek()
        else {
            return self.primary();
        };
        self.at += 1;
        let value = self.unary()?;
        match sign {
            "!" | "~|" => Some(Value::of(i128::from(!value.holds()))),
            "|" => Some(Value::of(i128::from(value.holds()))),
            "+" => Some(value),
            "-" => checked(value.number.checked_neg()?, value.signed),
            // These depend on how many bits the operand has.
            _ => None,
        }
    }
    fn primary(&mut self) -> Option<Value> {
        let token = self.peek()?;
        self.at += 1;
        match token {
            Token::Number(text) => literal(text),
            Token::Sign("(") => {
                let value = self.expression();
                self.takes(")");
                value
            }
            Token::Sign("{") => self.concatenation(),
            Token::Name(name) if self.peek() == Some(Token::Sign("(")) => self.call(name),
            Token::Name(name) => {
                let value = self.scope.get(name).copied().flatten();
                self.selected(value)
            }
            Token::Sign(_) | Token::Text => None,
        }
    }
    /// Bits of a value, where some are selected.
    fn selected(&mut self, mut value: Option<Value>) -> Option<Value> {
        while self.takes("[") {
            let first = self.expression();
            let (high, low) = if self.takes(":") {
                (first, self.expression())
            } else if self.takes("+:") {
                let width = self.expression();
                (both("-", both("+", first, width), Some(Value::of(1))), first)
            } else {
                (first, first)
            };
            if !self.takes("]") {
                self.at = closing(self.tokens, self.at, "[", "]");
                value = None;
            }
            value = bits(value, high, low);
        }
        value
    }
    /// Known where all of it is 0: how many bits that are does not matter then.
    fn concatenation(&mut self) -> Option<Value> {
        let mut all = Some(Value { number: 0, signed: false });
        loop {
            let part = self.expression();
            // What stands before braces is how often they stand there.
            let part = if self.takes("{") { self.concatenation() } else { part };
            all = all.filter(|_| part.is_some_and(|part| !part.holds()));
            if !self.takes(",") {
                break;
            }
        }
        self.takes("}");
        all
    }
    fn call(&mut self, name: &str) -> Option<Value> {
        self.takes("(");
        let argument = self.expression();
        if !self.takes(")") {
            self.at = closing(self.tokens, self.at, "(", ")");
            return None;
        }
        match name {
            "$clog2" => {
                let n = argument?.number;
                Some(Value::of(i128::from(if n <= 1 { 0 } else { (n - 1).ilog2() + 1 })))
            }
            "$unsigned" => checked(argument?.number, false),
            // `$signed` depends on how many bits there are; functions are not followed.
            _ => None,
        }
    }
}

/// The word behind the bracket that closes what is open at `at`.
pub fn closing(tokens: &[Token], at: usize, open: &str, close: &str) -> usize {
    let mut depth = 1;
    for (k, token) in tokens.iter().enumerate().skip(at) {
        if *token == Token::Sign(open) {
            depth += 1;
        } else if *token == Token::Sign(close) {
            depth -= 1;
            if depth == 0 {
                return k + 1;
            }
        }
    }
    tokens.len()
}

/// Without a sign, what is negative depends on how many bits there are.
fn checked(number: i128, signed: bool) -> Option<Value> {
    (signed || number >= 0).then_some(Value { number, signed })
}

fn bits(value: Option<Value>, high: Option<Value>, low: Option<Value>) -> Option<Value> {
    let (value, high, low) = (value?.number, high?.number, low?.number);
    let (low, width) = (u32::try_from(low).ok()?, u32::try_from(high - low + 1).ok()?);
    if value < 0 || low > 126 || width > 126 {
        return None;
    }
    Some(Value { number: value >> low & ((1 << width) - 1), signed: false })
}

/// The bits of a number: its size, if it says one, and its value.
fn literal(text: &str) -> Option<Value> {
    let text = text.replace('_', "");
    let Some((_, digits)) = text.split_once('\'') else { return text.parse().ok().map(Value::of) };
    let signed = digits.starts_with(['s', 'S']);
    let digits = digits.trim_start_matches(['s', 'S']);
    let mut letters = digits.chars();
    let base = match letters.next()?.to_ascii_lowercase() {
        'd' => 10,
        'h' => 16,
        'b' => 2,
        'o' => 8,
        _ => return None,
    };
    // A sign in the highest bit is nothing that conditions have.
    i128::from_str_radix(letters.as_str(), base).ok().map(|number| Value { number, signed })
}

fn both(sign: &str, left: Option<Value>, right: Option<Value>) -> Option<Value> {
    // One of two may decide.
    match (sign, left.map(Value::holds), right.map(Value::holds)) {
        ("&&", Some(false), _) | ("&&", _, Some(false)) => return Some(Value::of(0)),
        ("||", Some(true), _) | ("||", _, Some(true)) => return Some(Value::of(1)),
        _ => {}
    }
    let (left, right) = (left?, right?);
    let signed = left.signed && right.signed;
    let (a, b) = (left.number, right.number);
    let shift = || u32::try_from(b).ok().filter(|&b| b < 120);
    let number = match sign {
        "||" | "&&" => {
            i128::from(if sign == "&&" { left.holds() && right.holds() } else { left.holds() || right.holds() })
        }
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "==" | "===" => i128::from(a == b),
        "!=" | "!==" => i128::from(a != b),
        "<" => i128::from(a < b),
        "<=" => i128::from(a <= b),
        ">" => i128::from(a > b),
        ">=" => i128::from(a >= b),
        "<<" | "<<<" => return checked(a.checked_mul(1i128.checked_shl(shift()?)?)?, left.signed),
        ">>" | ">>>" if a >= 0 => return checked(a >> shift()?, left.signed),
        "+" => a.checked_add(b)?,
        "-" => a.checked_sub(b)?,
        "*" => a.checked_mul(b)?,
        "/" => a.checked_div(b)?,
        "%" => a.checked_rem(b)?,
        "**" => a.checked_pow(u32::try_from(b).ok()?)?,
        _ => return None,
    };
    checked(number, signed)
}
