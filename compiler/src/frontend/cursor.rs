//! The position of the expression parser in the tokens, with lookahead.

use super::expression::Parser;
use super::syntax::Ident;
use super::token::{Kind, Token};
use std::ops::Range;

impl<'p> Parser<'p> {
    /// Returns whether the next token is `symbol`.
    pub(super) fn next_is(&self, symbol: &str) -> bool {
        self.beside(1) == symbol
    }

    /// The token this number of places after this one, or before it.
    fn token_beside(&self, by: isize) -> Option<&Token> {
        self.tokens.get(self.at.checked_add_signed(by)?)
    }

    /// The text of the token this number of places after this one, or before it; none where there is no
    /// token.
    pub(super) fn beside(&self, by: isize) -> &'p str {
        self.token_beside(by).map_or("", |token| self.text(token))
    }

    /// The kind of that token.
    pub(super) fn kind_beside(&self, by: isize) -> Kind {
        self.token_beside(by).map_or(Kind::End, |token| token.kind)
    }

    /// Returns whether the current token follows the previous one without a space.
    pub(super) fn touches(&self) -> bool {
        self.token_beside(-1).is_some_and(|before| before.range.end == self.tokens[self.at].range.start)
    }

    /// Skips to a `,` or a closing bracket of the list we are in, or to the end of the statement.
    pub(super) fn skip_item(&mut self) {
        let mut depth = 0_usize;
        while self.kind() != Kind::End && !self.is(";") {
            match self.text(&self.tokens[self.at]) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" | "," if depth == 0 => return,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Takes the name at the current token.
    pub(super) fn ident(&mut self) -> Ident {
        let ident = Ident { name: self.text(&self.tokens[self.at]).to_owned(), span: self.span_here() };
        self.at += 1;
        ident
    }

    /// Takes `symbol` if it is here.
    pub(super) fn eat(&mut self, symbol: &str) -> bool {
        let here = self.is(symbol);
        self.at += usize::from(here);
        here
    }

    pub(super) fn is(&self, symbol: &str) -> bool {
        self.text(&self.tokens[self.at]) == symbol
    }

    pub(super) fn kind(&self) -> Kind {
        self.tokens[self.at].kind
    }

    /// Index of the token here.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Goes back to token `position`.
    pub(super) fn rewind(&mut self, position: usize) {
        self.at = position;
    }

    /// Place in the file from token `start` up to the token before this one.
    pub(super) fn span_from(&self, start: usize) -> Range<usize> {
        self.literal.place(self.tokens[start].range.start..self.tokens[self.at.max(start + 1) - 1].range.end)
    }

    pub(super) fn span_here(&self) -> Range<usize> {
        self.literal.place(self.tokens[self.at].range.clone())
    }

    /// The text of the token here.
    pub(super) fn here(&self) -> &'p str {
        self.text(&self.tokens[self.at])
    }

    /// The text from one token up to before another.
    pub(super) fn text_of(&self, tokens: Range<usize>) -> &'p str {
        &self.literal.text[self.tokens[tokens.start].range.start..self.tokens[tokens.end - 1].range.end]
    }

    fn text(&self, token: &Token) -> &'p str {
        &self.literal.text[token.range.clone()]
    }
}
