//! Parses the parts of a module that decide which modules it instantiates: parameters, `generate if` and `for`, and instances.

use super::REFUSED;
use super::tokens::{Token, tokens};

/// An expression over parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    /// A number as it is written.
    Number(String),
    /// A parameter.
    Name(String),
    /// Operator and operand.
    Unary(String, Box<Expr>),
    /// Operator and operands.
    Binary(String, Box<[Expr; 2]>),
    /// Condition, and what is chosen.
    Choice(Box<[Expr; 3]>),
    /// The most significant first.
    Concat(Vec<Expr>),
    /// How often, and what.
    Repeat(Box<[Expr; 2]>),
    /// A bit of a parameter.
    Bit(String, Box<Expr>),
    /// Some bits of a parameter: `[a:b]`, `[a+:b]` or `[a-:b]`, by the sign.
    Part(String, String, Box<[Expr; 2]>),
    /// A function.
    Call(String, Vec<Expr>),
    /// A text.
    Text,
}

/// A statement of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// A parameter, which an instance can set, or a local one.
    Parameter {
        /// Its name.
        name: String,
        /// Its first and last bit, if it is declared with them.
        range: Option<(Expr, Expr)>,
        /// Its value or default.
        value: Expr,
        /// It cannot be set.
        local: bool,
    },
    /// An instance of a module, with its parameters.
    Instance(String, Vec<(String, Expr)>),
    /// Condition, what is there if it holds, and if it does not.
    If(Expr, Vec<Statement>, Vec<Statement>),
    /// A variable, its first value, the condition to go on, its next value, and what is repeated.
    For(String, [Expr; 3], Vec<Statement>),
}

/// The part of a module's text that is not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown(pub String);

type Result<T> = std::result::Result<T, Unknown>;

/// Binary operators, those that bind least first.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^", "~^", "^~"],
    &["&"],
    &["==", "!=", "===", "!=="],
    &["<", "<=", ">", ">="],
    &["<<", ">>", "<<<", ">>>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// Returns the statements of a module that instantiates modules of `library`.
pub fn parse(text: &str, library: impl Fn(&str) -> bool) -> Result<Vec<Statement>> {
    let mut parser = Parser { tokens: tokens(text), at: 0, library };
    let mut items = Vec::new();
    while parser.at < parser.tokens.len() {
        parser.item(&mut items)?;
    }
    Ok(items)
}

fn instantiates(items: &[Statement]) -> bool {
    items.iter().any(|i| !matches!(i, Statement::Parameter { .. }))
}

struct Parser<'a, F> {
    tokens: Vec<Token<'a>>,
    at: usize,
    library: F,
}

impl<'a, F: Fn(&str) -> bool> Parser<'a, F> {
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }
    fn next(&mut self) -> Result<Token<'a>> {
        let token = self.peek().ok_or_else(|| Unknown("the end".into()))?;
        self.at += 1;
        Ok(token)
    }
    fn unknown<T>(&self) -> Result<T> {
        let from = self.at.saturating_sub(4);
        Err(Unknown(format!("{:?}", self.tokens[from..].iter().take(8).collect::<Vec<_>>())))
    }
    /// Takes the next word if it is `word`.
    fn takes(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Name(w) | Token::Sign(w)) if w == word);
        self.at += usize::from(found);
        found
    }
    fn expect(&mut self, word: &str) -> Result<()> {
        if self.takes(word) { Ok(()) } else { self.unknown() }
    }
    fn name(&mut self) -> Result<String> {
        match self.next()? {
            Token::Name(name) => Ok(name.to_string()),
            _ => self.unknown(),
        }
    }
    /// Goes behind the next `word` outside of parentheses.
    fn skip(&mut self, word: &str) -> Result<()> {
        let mut depth = 0;
        while depth > 0 || !self.takes(word) {
            match self.next()? {
                Token::Sign("(" | "[" | "{") => depth += 1,
                Token::Sign(")" | "]" | "}") => depth -= 1,
                _ => {}
            }
        }
        Ok(())
    }
    fn parentheses(&mut self) -> Result<()> {
        self.expect("(")?;
        self.skip(")")
    }

    /// A statement of an `always` block.
    fn statement(&mut self) -> Result<()> {
        if self.takes("begin") {
            while !self.takes("end") {
                self.statement()?;
            }
            Ok(())
        } else if self.takes("if") {
            self.parentheses()?;
            self.statement()?;
            if self.takes("else") { self.statement() } else { Ok(()) }
        } else if self.takes("for") || self.takes("while") {
            self.parentheses()?;
            self.statement()
        } else if self.takes("case") || self.takes("casez") {
            let mut depth = 1;
            while depth > 0 {
                match self.next()? {
                    Token::Name("case" | "casez") => depth += 1,
                    Token::Name("endcase") => depth -= 1,
                    _ => {}
                }
            }
            Ok(())
        } else if self.takes("@") {
            if self.takes("*") { Ok(()) } else { self.parentheses() }?;
            self.statement()
        } else if self.takes(":") {
            // The name of a block.
            self.name().map(|_| ())
        } else {
            self.skip(";")
        }
    }

    /// A block of items, or one.
    fn block(&mut self) -> Result<Vec<Statement>> {
        let mut items = Vec::new();
        if self.takes("begin") {
            if self.takes(":") {
                self.name()?;
            }
            while !self.takes("end") {
                self.item(&mut items)?;
            }
        } else {
            self.item(&mut items)?;
        }
        Ok(items)
    }

    fn item(&mut self, items: &mut Vec<Statement>) -> Result<()> {
        let Token::Name(word) = self.next()? else { return self.unknown() };
        match word {
            "module" => {
                self.name()?;
                if self.takes("#") {
                    self.expect("(")?;
                    while !self.takes(")") {
                        self.takes("parameter");
                        items.push(self.parameter(false)?);
                        self.takes(",");
                    }
                }
                self.skip(";")
            }
            "localparam" => {
                self.takes("integer");
                let range = self.range()?;
                loop {
                    items.push(self.value(range.clone(), true)?);
                    if !self.takes(",") {
                        return self.expect(";");
                    }
                }
            }
            "endmodule" | "generate" | "endgenerate" => Ok(()),
            "always" | "initial" => self.statement(),
            "function" => self.skip("endfunction"),
            "if" => {
                self.expect("(")?;
                let condition = self.expression()?;
                self.expect(")")?;
                let then = self.block()?;
                let otherwise = if self.takes("else") { self.block()? } else { Vec::new() };
                if instantiates(&then) || instantiates(&otherwise) {
                    items.push(Statement::If(condition, then, otherwise));
                }
                Ok(())
            }
            "for" => {
                self.expect("(")?;
                let variable = self.name()?;
                self.expect("=")?;
                let first = self.expression()?;
                self.expect(";")?;
                let condition = self.expression()?;
                self.expect(";")?;
                if self.name()? != variable {
                    return self.unknown();
                }
                self.expect("=")?;
                let next = self.expression()?;
                self.expect(")")?;
                let body = self.block()?;
                if instantiates(&body) {
                    items.push(Statement::For(variable, [first, condition, next], body));
                }
                Ok(())
            }
            "wire" | "reg" | "integer" | "genvar" | "assign" | REFUSED => self.skip(";"),
            module if (self.library)(module) => {
                let mut parameters = Vec::new();
                if self.takes("#") {
                    self.expect("(")?;
                    while !self.takes(")") {
                        self.expect(".")?;
                        let name = self.name()?;
                        self.expect("(")?;
                        parameters.push((name, self.expression()?));
                        self.expect(")")?;
                        self.takes(",");
                    }
                }
                items.push(Statement::Instance(module.to_string(), parameters));
                self.skip(";")
            }
            _ => self.unknown(),
        }
    }

    fn range(&mut self) -> Result<Option<(Expr, Expr)>> {
        if !self.takes("[") {
            return Ok(None);
        }
        let high = self.expression()?;
        self.expect(":")?;
        let low = self.expression()?;
        self.expect("]")?;
        Ok(Some((high, low)))
    }
    fn parameter(&mut self, local: bool) -> Result<Statement> {
        let range = self.range()?;
        self.value(range, local)
    }
    fn value(&mut self, range: Option<(Expr, Expr)>, local: bool) -> Result<Statement> {
        let name = self.name()?;
        self.expect("=")?;
        Ok(Statement::Parameter { name, range, value: self.expression()?, local })
    }

    fn expression(&mut self) -> Result<Expr> {
        let condition = self.binary(0)?;
        if !self.takes("?") {
            return Ok(condition);
        }
        let then = self.expression()?;
        self.expect(":")?;
        Ok(Expr::Choice(Box::new([condition, then, self.expression()?])))
    }
    fn binary(&mut self, level: usize) -> Result<Expr> {
        let Some(signs) = LEVELS.get(level) else { return self.power() };
        let mut left = self.binary(level + 1)?;
        while let Some(Token::Sign(sign)) = self.peek().filter(|t| matches!(t, Token::Sign(s) if signs.contains(s))) {
            self.at += 1;
            left = Expr::Binary(sign.to_string(), Box::new([left, self.binary(level + 1)?]));
        }
        Ok(left)
    }
    fn power(&mut self) -> Result<Expr> {
        let mut left = self.unary()?;
        while self.takes("**") {
            left = Expr::Binary("**".into(), Box::new([left, self.unary()?]));
        }
        Ok(left)
    }
    fn unary(&mut self) -> Result<Expr> {
        match self.next()? {
            Token::Sign(sign @ ("!" | "~" | "-" | "+" | "&" | "|" | "^" | "~&" | "~|" | "~^")) => {
                Ok(Expr::Unary(sign.to_string(), Box::new(self.unary()?)))
            }
            Token::Sign("(") => {
                let inside = self.expression()?;
                self.expect(")")?;
                Ok(inside)
            }
            Token::Sign("{") => self.braces(),
            Token::Sign("\"") => Ok(Expr::Text),
            Token::Number(text) => Ok(Expr::Number(text.to_string())),
            Token::Name(name) => self.named(name.to_string()),
            Token::Sign(_) => self.unknown(),
        }
    }
    fn list(&mut self, mut found: Vec<Expr>, end: &str) -> Result<Vec<Expr>> {
        while !self.takes(end) {
            found.push(self.expression()?);
            self.takes(",");
        }
        Ok(found)
    }
    fn braces(&mut self) -> Result<Expr> {
        let first = self.expression()?;
        if self.takes("{") {
            let inside = self.list(Vec::new(), "}")?;
            self.expect("}")?;
            return Ok(Expr::Repeat(Box::new([first, Expr::Concat(inside)])));
        }
        self.takes(",");
        Ok(Expr::Concat(self.list(vec![first], "}")?))
    }
    fn named(&mut self, name: String) -> Result<Expr> {
        if self.takes("(") {
            return Ok(Expr::Call(name, self.list(Vec::new(), ")")?));
        }
        if !self.takes("[") {
            return Ok(Expr::Name(name));
        }
        let first = self.expression()?;
        if self.takes("]") {
            return Ok(Expr::Bit(name, Box::new(first)));
        }
        let Token::Sign(sign @ (":" | "+:" | "-:")) = self.next()? else { return self.unknown() };
        let second = self.expression()?;
        self.expect("]")?;
        Ok(Expr::Part(name, sign.to_string(), Box::new([first, second])))
    }
}
