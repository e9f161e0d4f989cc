//! Parser of function bodies: `let`, assignments, loops and the final value.

use super::expression::{Broken, Parser};
use super::literal::Literal;
use super::reader::Reader;
use super::syntax::{Definition, Step, Syntax};
use super::token::Kind;
use std::collections::HashSet;
use std::ops::Range;

/// Most rounds of a loop, those of loops around it multiplied.
pub(super) const MOST_ROUNDS: u64 = 1 << 16;

/// Parses the body of a function. `None` if it has been reported.
pub(super) fn parse_body(
    reader: &mut Reader,
    literal: &Literal<'_>,
    functions: &HashSet<String>,
    syntax: Syntax,
) -> (Syntax, Option<Definition>) {
    let mut parser = Parser::new(reader, literal, functions, syntax);
    let definition = parser.body().ok();
    (parser.syntax, definition)
}

impl Parser<'_> {
    fn body(&mut self) -> Result<Definition, Broken> {
        let mut steps = Vec::new();
        while let Some(step) = self.step()? {
            steps.push(step);
        }
        let value = self.whole()?;
        if self.kind() != Kind::End {
            return Err(self.unexpected("an operator or the end"));
        }
        Ok(Definition { steps, value })
    }

    /// The step that starts here, if one does.
    fn step(&mut self) -> Result<Option<Step>, Broken> {
        let start = self.position();
        if self.eat("let") {
            let name = self.name()?;
            return self.value_of(name).map(|(name, value)| Some(Step::Let(name, value)));
        }
        if self.kind() == Kind::Name && self.next_is("=") {
            let name = self.ident();
            return self.value_of(name).map(|(name, value)| Some(Step::Set(name, value)));
        }
        if self.eat("while") {
            let condition = self.whole()?;
            let limit = self.limit()?;
            let span = self.span_from(start);
            let Some(limit) = limit else {
                let problem = self.reader.at("E025", span, "this loop may not end: it has no limit");
                self.reader.report(problem.help(
                    "give a limit of rounds, as in `while y != 0 limit 64 { .. }`; after that many rounds it ends, with the values that it has then",
                ));
                return Err(Broken);
            };
            return Ok(Some(Step::While { condition, limit, steps: self.block()?, span }));
        }
        if self.eat("for") {
            let name = self.name()?;
            if !self.eat("in") {
                return Err(self.unexpected("`in`"));
            }
            let from = self.whole()?;
            if !self.eat(":") {
                return Err(self.unexpected("an operator or `:`"));
            }
            let to = self.whole()?;
            let limit = self.limit()?;
            let span = self.span_from(start);
            return Ok(Some(Step::For { name, from, to, limit, steps: self.block()?, span }));
        }
        Ok(None)
    }

    fn name(&mut self) -> Result<super::syntax::Ident, Broken> {
        if self.kind() == Kind::Name { Ok(self.ident()) } else { Err(self.unexpected("a name")) }
    }

    /// `= e;`
    fn value_of(
        &mut self,
        name: super::syntax::Ident,
    ) -> Result<(super::syntax::Ident, super::syntax::SyntaxId), Broken> {
        if !self.eat("=") {
            return Err(self.unexpected("`=`"));
        }
        let value = self.whole()?;
        if !self.eat(";") {
            return Err(self.unexpected("an operator or `;`"));
        }
        Ok((name, value))
    }

    /// `limit n`, if it is here.
    fn limit(&mut self) -> Result<Option<u64>, Broken> {
        if !self.eat("limit") {
            return Ok(None);
        }
        if self.kind() != Kind::Number {
            return Err(self.unexpected("a number of rounds"));
        }
        let number = self.ident();
        match number.name.parse() {
            Ok(n) if (1..=MOST_ROUNDS).contains(&n) => Ok(Some(n)),
            _ => Err(self.too_many_rounds(number.span, &number.name)),
        }
    }

    fn too_many_rounds(&mut self, span: Range<usize>, limit: &str) -> Broken {
        let message = format!("a loop takes 1 to {MOST_ROUNDS} rounds, not {limit}");
        let problem = self.reader.at("E025", span, message);
        self.reader.report(problem);
        Broken
    }

    /// `{ steps }`, with a `;` behind or not.
    fn block(&mut self) -> Result<Vec<Step>, Broken> {
        let open = self.position();
        if !self.eat("{") {
            return Err(self.unexpected("an operator or `{`"));
        }
        let mut steps = Vec::new();
        while let Some(step) = self.step()? {
            steps.push(step);
        }
        if !self.is("}") && self.kind() != Kind::End {
            return Err(self.unexpected("`let`, an assignment, a loop or `}`"));
        }
        self.close(open, "}")?;
        self.eat(";");
        Ok(steps)
    }
}
