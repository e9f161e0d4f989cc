//! The part of the expression parser for one item of an index list: `i`, `i[lo:hi:step]`, `i[{1,3,5}]`, `2`.

use super::expression::{Broken, Parser};
use super::syntax::{Bounds, Index, Selects};
use super::token::Kind;

impl Parser<'_> {
    /// The item here; `None` if it begins as none of those known.
    pub(super) fn index(&mut self) -> Result<Option<Index>, Broken> {
        let start = self.position();
        let selects = if self.kind() == Kind::Name {
            let ident = self.ident();
            if !self.is("[") {
                Selects::All(ident)
            } else {
                let bracket = self.position();
                self.eat("[");
                let selects = if self.is("{") || self.is("[") {
                    Selects::Set(ident, self.index_set()?)
                } else {
                    Selects::Slice(ident, Bounds::Slice(self.bounds()?))
                };
                self.close(bracket, "]")?;
                selects
            }
        } else {
            match self.coordinate() {
                Some(coordinate) => Selects::At(coordinate),
                None => return Ok(None),
            }
        };
        Ok(Some(Index { selects, span: self.span_from(start) }))
    }

    /// `lo:hi:step`, each of them optional, at least one colon.
    fn bounds(&mut self) -> Result<[Option<i64>; 3], Broken> {
        let mut bounds = [self.coordinate(), None, None];
        if !self.eat(":") {
            return Err(self.unexpected("`:`, as in `i[2:6]`"));
        }
        bounds[1] = self.coordinate();
        if self.eat(":") {
            bounds[2] = self.coordinate();
        }
        Ok(bounds)
    }

    /// `{1,3,5}`, or with square brackets.
    fn index_set(&mut self) -> Result<Vec<i64>, Broken> {
        let open = self.position();
        let end = if self.eat("{") { "}" } else { "]" };
        if end == "]" {
            self.eat("[");
        }
        let mut set = Vec::new();
        while !self.is(end) {
            let Some(coordinate) = self.coordinate() else { return Err(self.unexpected("a coordinate")) };
            set.push(coordinate);
            if !self.eat(",") {
                break;
            }
        }
        self.close(open, end)?;
        Ok(set)
    }

    /// A whole number, maybe with a minus.
    pub(super) fn coordinate(&mut self) -> Option<i64> {
        let start = self.position();
        let negative = self.eat("-");
        let number = if self.kind() == Kind::Number { self.ident().name.parse::<i64>().ok() } else { None };
        if number.is_none() {
            self.rewind(start);
        }
        number.map(|n| if negative { -n } else { n })
    }
}
