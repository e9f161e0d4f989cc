//! The Pratt parser that turns expression text into [`Syntax`]. What a later version will understand is recognised and
//! reported with its place; what nobody understands ends its statement, and the next one is tried.

use super::declaration::Declaration;
use super::foreign;
use super::functions::{self, UPDATES, reduce_op, reducing};
use super::literal::Literal;
use super::operators::{COMPARISON, NOT, UNARY, binary};
use super::reader::Reader;
use super::syntax::shape::Shaped;
use super::syntax::{Assignment, Form, Syntax, SyntaxId, SyntaxNode};
use super::token::{Kind, Token, tokens};
use crate::stmt::Fun;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Largest height of an expression: later stages recurse over it.
pub(super) const MAX_HEIGHT: usize = 200;

/// The statement cannot be understood; the reason has been reported.
pub(super) struct Broken;

/// Parses all statements of `literal` into `syntax`, which may have nodes already. `declared` is what stands under
/// `[tensors]`, `functions` are the names under `[functions]`.
pub(super) fn parse<'p>(
    reader: &'p mut Reader,
    literal: &'p Literal<'p>,
    declared: &'p [Declaration],
    functions: &HashSet<String>,
    syntax: Syntax,
) -> Syntax {
    let tokens = tokens(literal.text);
    let starts =
        tokens.iter().enumerate().filter(|(n, _)| *n == 0 || &literal.text[tokens[n - 1].range.clone()] == ";");
    let mut parser = Parser::new(reader, literal, functions, syntax);
    parser.tensors = declared.iter().map(|d| d.name.clone()).collect();
    parser.declared = declared;
    for (n, token) in starts.filter(|(_, token)| token.kind == Kind::Name) {
        let name = &literal.text[token.range.clone()];
        parser.rewind(n + 1);
        if !parser.is_shape_on_left(name) {
            parser.tensors.insert(name.to_owned());
        }
    }
    parser.rewind(0);
    parser.orders = declared.iter().filter_map(|d| Some((d.name.clone(), d.order()?))).collect();
    let stored = |d: &Declaration| Some((d.name.clone(), d.stored()?));
    parser.stored = declared.iter().filter_map(stored).collect();
    parser.statements();
    parser.syntax
}

/// State of the parser; `call.rs` has the methods for names.
pub(super) struct Parser<'p> {
    pub(super) reader: &'p mut Reader,
    pub(super) literal: &'p Literal<'p>,
    pub(super) tokens: Vec<Token>,
    /// Index of the token here.
    pub(super) at: usize,
    /// Names that are tensors for sure: declared ones and results.
    pub(super) tensors: HashSet<String>,
    /// Numbers of modes of tensors, where declarations have them.
    pub(super) orders: HashMap<String, usize>,
    /// The modes of those that say in which order they are stored, outermost first.
    pub(super) stored: HashMap<String, Vec<usize>>,
    /// The file's declarations of tensors.
    pub(super) declared: &'p [Declaration],
    /// Names of functions of the kernel file.
    pub(super) functions: HashSet<String>,
    /// Depth of the operators and parentheses around the current place.
    pub(super) nesting: usize,
    /// Number of shape operators around the current place, in expressions that they are applied to.
    pub(super) inside_shape: usize,
    /// Shape operators without indices in such expressions, by the nodes in their place.
    pub(super) whole_shapes: HashMap<SyntaxId, Shaped>,
    /// Index lists cannot say what a shape operator makes.
    pub(super) conflict: bool,
    pub(super) syntax: Syntax,
}

impl<'p> Parser<'p> {
    /// Creates a parser at the start of `literal`; `functions` are those of the kernel file.
    pub(super) fn new(
        reader: &'p mut Reader,
        literal: &'p Literal<'p>,
        functions: &HashSet<String>,
        syntax: Syntax,
    ) -> Self {
        let (tokens, functions) = (tokens(literal.text), functions.clone());
        Self {
            reader,
            literal,
            tokens,
            at: 0,
            tensors: HashSet::new(),
            orders: HashMap::new(),
            stored: HashMap::new(),
            declared: &[],
            functions,
            nesting: 0,
            inside_shape: 0,
            whole_shapes: HashMap::new(),
            conflict: false,
            syntax,
        }
    }

    fn statements(&mut self) {
        if let Some(statement) = foreign::einsum(self.literal.text) {
            let span = self.literal.place(0..self.literal.text.len());
            let problem = self.reader.at("E002", span, "this is einsum's notation, not a statement");
            self.reader.report(problem.help(format!("write `{statement}`, with the names of your tensors")));
            return;
        }
        loop {
            while self.eat(";") {}
            if self.kind() == Kind::End {
                break;
            }
            let statement = self.statement();
            self.syntax.statements.extend(statement.ok());
            while !self.is(";") && self.kind() != Kind::End {
                self.at += 1;
            }
        }
        let nothing =
            self.tokens.iter().all(|token| token.kind == Kind::End || &self.literal.text[token.range.clone()] == ";");
        if nothing {
            let span = self.literal.place(0..self.literal.text.len());
            let problem = self.reader.at("E002", span, "the expression is empty");
            self.reader.report(problem.help("write a statement such as `y(i) = A(i,j) * x(j)`"));
        }
    }

    fn statement(&mut self) -> Result<Assignment, Broken> {
        self.nesting = 0;
        let (start, start_token) = (self.tokens[self.at].range.start, self.at);
        if self.kind() != Kind::Name {
            return Err(self.unexpected("a result such as `y(i)`"));
        }
        let target = self.ident();
        let first = self.syntax.nodes.len();
        if self.is_shape_on_left(&target.name) {
            return self.shape_on_left(&target, (start, start_token));
        }
        if self.is("[") {
            return Err(self.square_brackets(&target));
        }
        let mut indices = if self.eat("(") { self.indices(&target)? } else { Some(Vec::new()) };
        let update = self.assign((start, start_token))?;
        let landing = match &mut indices {
            Some(indices) => self.landing(&target, indices)?,
            None => None,
        };
        let last = match (update, &landing, &indices) {
            (None, Some(on), Some(indices)) if self.collides(&target, on) => {
                Some(self.last_landed((&target, indices), on, (first, start_token))?)
            }
            _ => None,
        };
        let first = last.as_ref().map_or(first, |_| self.syntax.nodes.len());
        let here = self.at;
        let mut value = self.expr(0)?;
        value = match (update, landing, &last, &indices) {
            (Some(fun), Some(on), ..) => self.landed(reducing(fun), on, value, here)?,
            (None, Some(on), Some(last), _) => self.taken(last, (&target, on), value, here)?,
            (None, Some(on), None, Some(indices)) => self.placed((&target, indices), on, value, here)?,
            _ => value,
        };
        if let (Some(fun), Some(indices)) = (update, &indices) {
            let form = Form::Access { tensor: target.clone(), indices: indices.clone() };
            let old = self.push(form, target.span.clone(), &[])?;
            value = self.node(Form::Update(fun, Some(old), value), here, &[old, value])?;
        }
        if !self.is(";") && self.kind() != Kind::End {
            return Err(self.unexpected("an operator, `;` or the end"));
        }
        self.syntax.statements.extend(last);
        let span = self.literal.place(start..self.tokens[self.at - 1].range.end);
        let (called, nodes) = (target.name.clone(), first..self.syntax.nodes.len());
        Ok(Assignment { target, called, keeps: None, indices, value, nodes, span })
    }

    /// The `=`, or the function of an update: `+=`, `min=`.
    pub(super) fn assign(&mut self, (start, first): (usize, usize)) -> Result<Option<Fun>, Broken> {
        if self.eat("=") {
            return Ok(None);
        }
        if let Some((text, fun)) = UPDATES.iter().find(|(text, _)| self.is(text)) {
            let span = self.span_here();
            self.at += 1;
            if fun.is_none() {
                let (operator, target) = (text.trim_end_matches('='), self.text_of(first..self.at - 1));
                let message = format!("`{text}` is not an update: `{operator}` reduces nothing");
                let problem = self.reader.at("E021", span, message);
                self.reader.report(problem.help(match operator {
                    "@" => format!("name the indices, as in `{target} += A(i,k) * x(k)`"),
                    _ => format!("write `{target} = {target} {operator} ..`"),
                }));
            }
            return Ok(*fun);
        }
        let named = self.kind() == Kind::Name && self.next_is("=");
        if named {
            let op = self.ident();
            self.at += 1;
            let fun = reduce_op(&op.name);
            if fun.is_none() {
                let message = format!("`{}` is not an update", op.name);
                self.reader.unknown("E021", op.span, message, &op.name, &functions::REDUCTIONS);
            }
            return Ok(fun);
        }
        if self.kind() != Kind::End && !self.is(";") {
            return Err(self.unexpected("`=`"));
        }
        let span = self.literal.place(start..self.tokens[self.at].range.start.max(start + 1));
        let problem = self.reader.at("E002", span, "this is not a statement: it has no `=`");
        self.reader.report(problem.help("a statement is `result(indices) = expression`"));
        Err(Broken)
    }

    /// An expression that is not part of another.
    pub(super) fn whole(&mut self) -> Result<SyntaxId, Broken> {
        self.nesting = 0;
        self.expr(0)
    }

    /// An expression of operators that bind more tightly than `least`.
    pub(super) fn expr(&mut self, least: u8) -> Result<SyntaxId, Broken> {
        self.nesting += 1;
        if self.nesting > MAX_HEIGHT {
            let span = self.span_here();
            return Err(self.too_high(span));
        }
        let mut left = self.operand()?;
        // What a chained comparison compares next: `a < b < c` is `a < b and b < c`.
        let mut chained = None;
        while let Some((strength, fun)) = self.operator().filter(|(strength, _)| *strength > least) {
            self.at += 1;
            // `**` groups to the right, everything else to the left.
            let right = self.expr(if fun == Fun::Pow { UNARY - 1 } else { strength })?;
            left = match chained {
                Some(middle) if strength == COMPARISON => {
                    let next = self.join(Form::Map(fun, vec![middle, right]), &[middle, right])?;
                    self.join(Form::Map(Fun::And, vec![left, next]), &[left, next])?
                }
                _ => self.join(Form::Map(fun, vec![left, right]), &[left, right])?,
            };
            chained = (strength == COMPARISON).then_some(right);
        }
        self.nesting -= 1;
        Ok(left)
    }

    fn operand(&mut self) -> Result<SyntaxId, Broken> {
        let start = self.at;
        if self.eat("+") {
            return self.expr(UNARY);
        }
        if self.eat("-") {
            let inner = self.expr(UNARY)?;
            return self.node(Form::Map(Fun::Neg, vec![inner]), start, &[inner]);
        }
        if self.eat("~") {
            let inner = self.expr(UNARY)?;
            return self.node(Form::Map(Fun::BitNot, vec![inner]), start, &[inner]);
        }
        if self.eat("!") {
            let inner = self.expr(UNARY)?;
            return self.node(Form::Map(Fun::Not, vec![inner]), start, &[inner]);
        }
        if self.eat("not") {
            let inner = self.expr(NOT)?;
            return self.node(Form::Map(Fun::Not, vec![inner]), start, &[inner]);
        }
        if self.eat("if") {
            return self.choice(start);
        }
        if self.eat("(") {
            let inner = self.expr(0)?;
            self.close(start, ")")?;
            return Ok(inner);
        }
        match self.kind() {
            Kind::Number => self.number(),
            Kind::Name => self.named(),
            _ => Err(self.unexpected("a tensor, a number or `(`")),
        }
    }

    /// `if c then a else b`, after `if`.
    fn choice(&mut self, start: usize) -> Result<SyntaxId, Broken> {
        let condition = self.expr(0)?;
        if !self.eat("then") {
            return Err(self.unexpected("an operator or `then`"));
        }
        let yes = self.expr(0)?;
        if !self.eat("else") {
            return Err(self.unexpected("an operator or `else`"));
        }
        let all = vec![condition, yes, self.expr(0)?];
        self.node(Form::Map(Fun::Where, all.clone()), start, &all)
    }

    fn operator(&self) -> Option<(u8, Fun)> {
        binary(self.here())
    }

    fn number(&mut self) -> Result<SyntaxId, Broken> {
        let (text, start) = (self.here().to_owned(), self.at);
        self.at += 1;
        self.node(Form::Number(text), start, &[])
    }

    /// A node over the tokens from `start` to here.
    pub(super) fn node(&mut self, form: Form, start: usize, children: &[SyntaxId]) -> Result<SyntaxId, Broken> {
        let span = self.literal.place(self.tokens[start].range.start..self.tokens[self.at - 1].range.end);
        self.push(form, span, children)
    }

    /// A node that reaches from its first child to its last.
    fn join(&mut self, form: Form, children: &[SyntaxId; 2]) -> Result<SyntaxId, Broken> {
        let span = self.syntax.nodes[children[0]].span.start..self.syntax.nodes[children[1]].span.end;
        self.push(form, span, children)
    }

    pub(super) fn push(&mut self, form: Form, span: Range<usize>, children: &[SyntaxId]) -> Result<SyntaxId, Broken> {
        let height = 1 + children.iter().map(|&child| self.syntax.nodes[child].height).max().unwrap_or(0);
        if height > MAX_HEIGHT {
            return Err(self.too_high(span));
        }
        self.syntax.nodes.push(SyntaxNode { form, span, height });
        Ok(self.syntax.nodes.len() - 1)
    }

    pub(super) fn too_high(&mut self, span: Range<usize>) -> Broken {
        let problem = self.reader.at("E003", span, format!("more than {MAX_HEIGHT} operators or parentheses deep"));
        self.reader.report(problem.help("split the expression into several statements, separated by `;`"));
        Broken
    }

    /// Reports the token here, which should have been `expected`.
    pub(super) fn unexpected(&mut self, expected: &str) -> Broken {
        let token = &self.tokens[self.at];
        let found = if token.kind == Kind::End { "the end".to_owned() } else { format!("`{}`", self.here()) };
        let span = if token.kind == Kind::End {
            let end = self.literal.place(token.range.clone()).start;
            end..end
        } else {
            self.span_here()
        };
        let mut problem = self.reader.at("E001", span, format!("expected {expected}, found {found}"));
        problem.help.extend(self.hint());
        self.reader.report(problem);
        Broken
    }

    /// Takes the bracket that closes the one at token `open`.
    pub(super) fn close(&mut self, open: usize, symbol: &str) -> Result<(), Broken> {
        if self.eat(symbol) {
            return Ok(());
        }
        if self.kind() != Kind::End && !self.is(";") {
            return Err(self.unexpected(&format!("an operator or `{symbol}`")));
        }
        let (span, text) = (self.literal.place(self.tokens[open].range.clone()), self.text_of(open..open + 1));
        let problem = self.reader.at("E001", span, format!("this `{text}` is never closed"));
        self.reader.report(problem);
        Err(Broken)
    }
}
