//! What a module instantiates, for given values of its parameters.

use super::Parameters;
use super::token::Token;
use super::value::{Reader, Scope, Value, closing};

/// Rounds of a generate loop that are followed; of more the rest is taken as it may be.
const ROUNDS: usize = 1024;

/// The instances in the module of that name: modules, and their parameters as far as they are known.
pub fn instances(tokens: &[Token], name: &str, given: &Parameters) -> Vec<(String, Parameters)> {
    let begins = |k: &usize| tokens[*k] == Token::Name("module") && tokens.get(k + 1) == Some(&Token::Name(name));
    let Some(begin) = (0..tokens.len()).find(begins) else { return Vec::new() };
    let end = tokens[begin..].iter().position(|t| *t == Token::Name("endmodule")).map_or(tokens.len(), |n| begin + n);
    let mut walk = Walk { tokens: &tokens[..end], at: begin + 2, scope: Scope::new(), given, found: Vec::new() };
    walk.header();
    while walk.at < walk.tokens.len() {
        walk.item(true);
    }
    walk.found
}

struct Walk<'w, 't> {
    tokens: &'w [Token<'t>],
    at: usize,
    scope: Scope,
    given: &'w Parameters,
    found: Vec<(String, Parameters)>,
}

impl<'t> Walk<'_, 't> {
    fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).copied()
    }
    fn takes(&mut self, token: Token) -> bool {
        let is = self.peek() == Some(token);
        self.at += usize::from(is);
        is
    }
    fn expression(&mut self) -> Option<Value> {
        let mut reader = Reader::new(self.tokens, self.at, &self.scope);
        let value = reader.expression();
        self.at = reader.at;
        value
    }
    /// Goes behind the next `;` outside of brackets.
    fn skip(&mut self) {
        let mut depth = 0usize;
        while let Some(token) = self.peek() {
            self.at += 1;
            match token {
                Token::Sign("(" | "[" | "{") => depth += 1,
                Token::Sign(")" | "]" | "}") => depth = depth.saturating_sub(1),
                Token::Sign(";") if depth == 0 => return,
                Token::Name(_) | Token::Number(_) | Token::Text | Token::Sign(_) => {}
            }
        }
    }
    /// Parameters and ports.
    fn header(&mut self) {
        if self.takes(Token::Sign("#")) {
            self.takes(Token::Sign("("));
            while self.takes(Token::Name("parameter")) || self.takes(Token::Sign(",")) {
                self.constant(true);
            }
            self.takes(Token::Sign(")"));
        }
        self.skip();
    }
    /// `signed [5:0] NAME = VALUE`: what is given counts, if it can be.
    fn constant(&mut self, can_be_given: bool) {
        self.takes(Token::Name("parameter"));
        let mut signed = self.takes(Token::Name("integer")) | self.takes(Token::Name("signed"));
        let mut width = None;
        if self.takes(Token::Sign("[")) {
            let high = self.expression();
            self.takes(Token::Sign(":"));
            let low = self.expression();
            self.takes(Token::Sign("]"));
            width = Some(high.zip(low).and_then(|(high, low)| u32::try_from(high.number - low.number + 1).ok()));
        } else {
            signed = true;
        }
        let Some(Token::Name(name)) = self.peek() else { return self.skip() };
        self.at += 1;
        self.takes(Token::Sign("="));
        let own = self.expression();
        let value = if can_be_given { self.given.get(name).copied().unwrap_or(own) } else { own };
        let value = match width {
            None => value,
            Some(width) => value.zip(width).and_then(|(value, width)| fitted(value, width, signed)),
        };
        self.scope.insert(name.to_string(), value);
    }
    /// An item of a module or a generate block. Where it is not `taken`, it is only passed.
    fn item(&mut self, taken: bool) {
        let Some(token) = self.peek() else { return };
        self.at += 1;
        match token {
            Token::Name("generate" | "endgenerate") | Token::Sign(";") => {}
            Token::Name("localparam" | "parameter") => {
                self.constant(false);
                while self.takes(Token::Sign(",")) {
                    self.constant(false);
                }
                self.takes(Token::Sign(";"));
            }
            Token::Name("if") => self.condition(taken),
            Token::Name("for") => self.rounds(taken),
            Token::Name("begin") => {
                self.at -= 1;
                self.block(taken);
            }
            Token::Name("function") => self.until("endfunction"),
            Token::Name("task") => self.until("endtask"),
            Token::Name("always" | "initial") => {
                if self.takes(Token::Sign("@")) && !self.takes(Token::Sign("*")) && self.takes(Token::Sign("(")) {
                    self.at = closing(self.tokens, self.at, "(", ")");
                }
                self.statement();
            }
            Token::Name(module) if matches!(self.peek(), Some(Token::Name(_) | Token::Sign("#"))) => {
                self.instance(module, taken);
            }
            Token::Name(_) | Token::Number(_) | Token::Text | Token::Sign(_) => self.skip(),
        }
    }
    /// `begin : NAME .. end`, or one item.
    fn block(&mut self, taken: bool) {
        if !self.takes(Token::Name("begin")) {
            return self.item(taken);
        }
        if self.takes(Token::Sign(":")) {
            self.at += 1;
        }
        // What is named in it is known in it only.
        let outside = self.scope.clone();
        while self.at < self.tokens.len() && !self.takes(Token::Name("end")) {
            self.item(taken);
        }
        self.scope = outside;
    }
    fn condition(&mut self, taken: bool) {
        self.takes(Token::Sign("("));
        let condition = self.expression();
        self.takes(Token::Sign(")"));
        self.block(taken && condition.is_none_or(Value::holds));
        if self.takes(Token::Name("else")) {
            self.block(taken && condition.is_none_or(|condition| !condition.holds()));
        }
    }
    /// `(k = 0; k < N; k = k + 1) BLOCK`
    fn rounds(&mut self, taken: bool) {
        self.takes(Token::Sign("("));
        let Some(Token::Name(name)) = self.peek() else { return self.skip() };
        self.at += 2;
        let mut value = self.expression();
        self.takes(Token::Sign(";"));
        let limit = self.at;
        for round in 0..=ROUNDS {
            if round == ROUNDS {
                value = None;
            }
            self.scope.insert(name.to_string(), value);
            self.at = limit;
            let goes_on = self.expression();
            // `; k =`
            self.at += 3;
            let next = self.expression();
            self.takes(Token::Sign(")"));
            let is_there = goes_on.is_none_or(Value::holds);
            self.block(taken && is_there);
            if !is_there || goes_on.is_none() {
                break;
            }
            value = next;
        }
        self.scope.remove(name);
    }
    /// `MODULE #(.NAME(VALUE), ..) NAME (..);` or a declaration.
    fn instance(&mut self, module: &str, taken: bool) {
        let mut parameters = Parameters::new();
        if self.takes(Token::Sign("#")) {
            self.takes(Token::Sign("("));
            while self.takes(Token::Sign(".")) || self.takes(Token::Sign(",")) {
                let Some(Token::Name(name)) = self.peek() else { continue };
                self.at += 1;
                self.takes(Token::Sign("("));
                let value = self.expression();
                if !self.takes(Token::Sign(")")) {
                    self.at = closing(self.tokens, self.at, "(", ")");
                }
                parameters.insert(name.to_string(), value);
            }
        }
        self.skip();
        if taken {
            self.found.push((module.to_string(), parameters));
        }
    }
    /// A statement of a process: nothing in it instantiates.
    fn statement(&mut self) {
        let Some(token) = self.peek() else { return };
        match token {
            Token::Name("begin") => {
                let mut depth = 0usize;
                while let Some(token) = self.peek() {
                    self.at += 1;
                    match token {
                        Token::Name("begin" | "case" | "casez" | "casex") => depth += 1,
                        Token::Name("end" | "endcase") => depth -= 1,
                        Token::Name(_) | Token::Number(_) | Token::Text | Token::Sign(_) => {}
                    }
                    if depth == 0 {
                        return;
                    }
                }
            }
            Token::Name("case" | "casez" | "casex") => self.until("endcase"),
            Token::Name("if" | "for" | "while" | "repeat") => {
                self.at += 2;
                self.at = closing(self.tokens, self.at, "(", ")");
                self.statement();
                if token == Token::Name("if") && self.takes(Token::Name("else")) {
                    self.statement();
                }
            }
            Token::Name(_) | Token::Number(_) | Token::Text | Token::Sign(_) => self.skip(),
        }
    }
    fn until(&mut self, word: &str) {
        while self.at < self.tokens.len() && !self.takes(Token::Name(word)) {
            self.at += 1;
        }
    }
}

/// A value in so many bits, if it is the same there.
fn fitted(value: Value, width: u32, signed: bool) -> Option<Value> {
    let fits = value.number >= 0 && (width > 126 || value.number < 1 << width);
    fits.then_some(Value { number: value.number, signed })
}
