//! Hints for notation of other tools that the grammar lacks: the help of E001.

use super::expression::{Broken, Parser};
use super::foreign;
use super::functions::{UPDATES, callee, reduce_op};
use super::syntax::Ident;
use super::token::{Kind, is_name};

impl Parser<'_> {
    /// Returns the samhw notation for the notation of another tool at the current token.
    pub(super) fn hint(&self) -> Option<String> {
        let (before, here, after) = (self.beside(-1), self.here(), self.beside(1));
        let fixed = match (before, here, after) {
            (_, "@", _) => "name the indices: `A @ x` is `A(i,k) * x(k)`, summed over `k`, which is only on the right",
            (_, "'", _) | (_, ".", "'" | "T" | "H" | "mT") => "a transpose is the indices in another order: `A(j,i)`",
            (_, ".", "*" | "/" | "+" | "-" | "^" | "**" | "//") => {
                "leave out the dot: `*` and `/` work on each pair of values"
            }
            ("=", ">", _) | (_, "=", ">") => "write `>=`",
            ("=", "<", _) | (_, "=", "<") => "write `<=`",
            ("-", ">", _) => "an arrow has no meaning here: a statement is `result(indices) = expression`",
            (_, "~", "=") | ("<", ">", _) => "write `!=`",
            ("==", "=", _) => "write `==`",
            ("&", "&", _) => "write `and`",
            ("|", "|", _) => "write `or`",
            (_, ":", "=") | (_, "<", "-") => "write `=`",
            ("(" | ",", ":", _) | (_, ":", "," | ")") | ("0", ":", _) => {
                "name the index, and then its part: `A(i,j)`, `A(i,j[2:8])`"
            }
            (_, "{", _) if reduce_op(before).is_some() => "indices of a reduction are in square brackets: `sum[j](..)`",
            (_, "?", _) => "write `if c then a else b`, or `where(c, a, b)`",
            (_, "if", _) => "write `if c then a else b`, with the condition first",
            (_, "for" | "forall", _) | ("for" | "forall", _, _) => {
                "there are no loops in statements: an index that is only on the right is summed, one on the left repeats"
            }
            (_, "\\", _) => "there is no left division: write `b / a`",
            (_, "=", _) if self.in_value() => "a statement has one `=`: write `==` to compare",
            _ => return self.hint_of_words(),
        };
        Some(fixed.to_owned())
    }

    /// Returns the samhw notation for a number, a name or a sign at the current token.
    fn hint_of_words(&self) -> Option<String> {
        let (before, here) = (self.beside(-1), self.here());
        if let Some(sign) = here.chars().next().and_then(foreign::sign) {
            return Some(format!("write {sign}"));
        }
        if here == "." && self.kind_beside(-1) == Kind::Name && self.kind_beside(1) == Kind::Name {
            let function = self.beside(1);
            return Some(match foreign::function(function) {
                Some(text) => text.to_owned(),
                None if reduce_op(function).is_some() && callee(function).is_none() => {
                    format!("write the value to reduce, with its indices: `{function}[k](A(i,k))`")
                }
                None => format!("functions are called by their names alone: `{function}(..)`"),
            });
        }
        let (number, name) = (self.kind_beside(-1) == Kind::Number, self.kind() == Kind::Name);
        if number && name && self.touches() {
            return Some(self.behind_number(before, here));
        }
        let value = number || before == ")" || self.kind_beside(-1) == Kind::Name;
        if value && name && callee(here).is_some() && self.beside(1) != "(" && self.in_value() {
            return Some(format!("a function stands before its arguments: `{here}(a, b)`"));
        }
        if value && (name || here == "(" || self.kind() == Kind::Number) && self.in_value() {
            return Some("an operator is missing; a product is written with `*`".to_owned());
        }
        None
    }

    /// A name right behind a number: an exponent as Fortran has it, a suffix as C has it, or a factor.
    fn behind_number(&self, number: &str, name: &str) -> String {
        let exponent = name.strip_prefix(['d', 'D']).map(|digits| {
            let sign = self.beside(1);
            let signed = digits.is_empty() && matches!(sign, "+" | "-") && self.kind_beside(2) == Kind::Number;
            if signed { format!("{sign}{}", self.beside(2)) } else { digits.to_owned() }
        });
        match exponent {
            Some(digits) if digits.ends_with(|c: char| c.is_ascii_digit()) => {
                format!("an exponent is written with `e`: `{number}e{digits}`")
            }
            _ if matches!(name.to_ascii_lowercase().as_str(), "f" | "l" | "u" | "ul" | "ll" | "ull" | "h") => {
                format!("numbers have no suffix: `{number}`; their type is that of the statement")
            }
            _ if number == "0" && name.starts_with(['x', 'b', 'o']) => "numbers are decimal".to_owned(),
            _ if name.starts_with('_') => "numbers are written without `_`".to_owned(),
            _ => format!("a product is written with `*`: `{number} * {name}`"),
        }
    }

    /// Is the token here on the right of a statement's `=`?
    fn in_value(&self) -> bool {
        let assigns = |text: &str| text == "=" || UPDATES.iter().any(|(update, _)| *update == text);
        let before = (1..=self.position()).map(|back| self.beside(-(back as isize)));
        before.take_while(|text| *text != ";").any(assigns)
    }

    /// Reports that the name before the bracket here has its indices in it.
    pub(super) fn square_brackets(&mut self, name: &Ident) -> Broken {
        let mut text = name.name.clone();
        let start = self.position();
        let (mut depth, mut at) = (0, 0);
        loop {
            let token = self.beside(at);
            depth += i32::from(token == "[") - i32::from(token == "]");
            match (token, depth) {
                _ if at > MOST_SHOWN || self.kind_beside(at) == Kind::End => {
                    text = format!("{}(i,j)", name.name);
                    break;
                }
                ("[", 1) => text.push('('),
                ("]", 0) if self.beside(at + 1) != "[" => {
                    text.push(')');
                    break;
                }
                // Of `A[i][j]`.
                ("]", 0) => {
                    text.push(',');
                    at += 1;
                    depth += 1;
                }
                _ => text.push_str(token),
            }
            at += 1;
        }
        let span = name.span.start..self.span_from(start).end;
        let problem = self.reader.at("E001", span, format!("the indices of `{}` are in square brackets", name.name));
        let help =
            format!("write parentheses: `{text}`; brackets are for slices, `A(i[2:8])`, and reductions, `sum[k](..)`");
        self.reader.report(problem.help(help));
        Broken
    }

    /// Reports a call of a reduction, which has its indices in brackets: `sum(j, e)` or `sum(e,
    /// j)`, after the name.
    pub(super) fn reduction_called(&mut self, name: &Ident) -> Broken {
        let open = self.position();
        let ours = REDUCED.iter().find(|(other, _)| *other == name.name).map_or(name.name.as_str(), |(_, ours)| ours);
        let closed = self.skip_list().is_ok();
        let items: Vec<&str> = if closed { self.items(open) } else { Vec::new() };
        let named = |item: &&str| is_name(item) && !self.tensors.contains(*item);
        let written = match items.as_slice() {
            [body] if !named(body) => format!("{ours}[k]({body})` with the indices to reduce for `k"),
            [index, body] if named(index) => format!("{ours}[{index}]({body})"),
            [body, index] if named(index) => format!("{ours}[{index}]({body})"),
            _ => format!("{ours}[k](A(i,k))"),
        };
        let span = self.span_from(open - 1);
        let problem = self.reader.at("E019", span, format!("`{}` names no indices in brackets", name.name));
        self.reader.report(problem.help(format!("write `{written}`")));
        Broken
    }

    /// The texts of the items of the list in parentheses that begins at token `open` and ends
    /// before the token here.
    fn items(&self, open: usize) -> Vec<&str> {
        let back = |token: usize| token as isize - self.position() as isize;
        let (mut items, mut depth, mut first) = (Vec::new(), 0, open + 1);
        for token in open..self.position() {
            let text = self.beside(back(token));
            depth += i32::from(matches!(text, "(" | "[")) - i32::from(matches!(text, ")" | "]"));
            if depth == 0 || depth == 1 && text == "," {
                if first < token {
                    items.push(self.text_of(first..token));
                }
                first = token + 1;
            }
        }
        items
    }
}

/// Most tokens of an index list that a message shows.
const MOST_SHOWN: isize = 40;

/// Reductions of other tools.
const REDUCED: &[(&str, &str)] = &[("plus", "sum"), ("times", "prod")];
