//! Functions of fibers, translated to earlier statements with temporaries: `softmax[j](e)` to each fiber's maximum,
//! exponentials and sum; `topk[j](e, n)` to the rank of each value. They are of what is stored: nothing is elsewhere.
//! After this no expression has one.

mod argument;

use super::declaration::{Declaration, Storage};
use super::reader::Reader;
use super::syntax::{Assignment, Form, Ident, Index, Reducer, Selects, Syntax, SyntaxId, SyntaxNode};
use super::versions::taken;
use crate::levels::{self, LevelKind};
use crate::stmt::Fun;
use crate::types::Type;
use std::collections::HashSet;
use std::ops::Range;
use toml::Spanned;

/// Writes functions of fibers as statements; `declarations` gets those of temporaries. Returns the
/// names of these.
pub(super) fn apply(reader: &mut Reader, syntax: &mut Syntax, declarations: &mut Vec<Declaration>) -> Vec<String> {
    for node in syntax.statements.iter().flat_map(|s| s.nodes.clone()) {
        let within = fiber(syntax, node).is_some_and(|(_, _, body)| has_top(syntax, body));
        if within {
            let help = "write `topk` in a statement of its own, and give its result `prune = true`: without it, the other values are stored as 0 and count";
            let span = syntax.nodes[node].span.clone();
            reader.unsupported("E009", span, "`topk` within a function of fibers is", help);
            return Vec::new();
        }
    }
    let mut made = Vec::new();
    let mut n = 0;
    while n < syntax.statements.len() {
        let found = syntax.statements[n].nodes.clone().find(|&node| fiber(syntax, node).is_some());
        let Some(node) = found else {
            n += 1;
            continue;
        };
        let taken = taken(syntax, declarations);
        let mut rewriting = Rewriting { syntax, declarations, n, taken, made: Vec::new() };
        // Children come before their parents: nothing within has one.
        n = rewriting.rewrite(node);
        made.extend(rewriting.made);
    }
    made
}

/// What a function of fibers is, goes along, and is of.
fn fiber(syntax: &Syntax, node: SyntaxId) -> Option<(Reducer, Ident, SyntaxId)> {
    match &syntax.nodes[node].form {
        Form::Reduce(op @ (Reducer::Softmax | Reducer::Top(_)), vars, body) => {
            Some((op.clone(), vars.first()?.clone(), *body))
        }
        _ => None,
    }
}

/// Does a part of the expression keep the greatest values?
fn has_top(syntax: &Syntax, node: SyntaxId) -> bool {
    let form = &syntax.nodes[node].form;
    matches!(form, Form::Reduce(Reducer::Top(_), ..)) || form.children().into_iter().any(|child| has_top(syntax, child))
}

/// A tensor with indices.
#[derive(Clone)]
struct Of {
    tensor: Ident,
    indices: Vec<Index>,
}

/// What a function is of.
struct Fiber {
    /// The values.
    of: Of,
    /// Their indices.
    all: Vec<Index>,
    /// That along which the function goes.
    var: Ident,
    /// Levels of temporaries with all of these.
    levels: Vec<LevelKind>,
    /// Everything is stored.
    dense: bool,
    /// Where the function stands.
    span: Range<usize>,
}

/// One function of one statement.
struct Rewriting<'a> {
    syntax: &'a mut Syntax,
    declarations: &'a mut Vec<Declaration>,
    n: usize,
    taken: HashSet<String>,
    made: Vec<String>,
}

impl Rewriting<'_> {
    /// Puts the statements before, and what they make in place of the function. Returns the number
    /// of the statement.
    fn rewrite(&mut self, node: SyntaxId) -> usize {
        let Some((op, var, body)) = fiber(self.syntax, node) else { return self.n };
        let span = self.syntax.nodes[node].span.clone();
        let all = self.indices(body, &var);
        let dense = self.is_dense(body);
        let levels = self.levels(body, &all, &var, dense);
        let mut statements = Vec::new();
        let of = self.plain(body, &all).unwrap_or_else(|| {
            let of = self.temporary("of", &all, &levels, &span);
            statements.push(self.statement(&of, |me| me.copied(body, None)));
            of
        });
        let fiber = Fiber { of, all, levels, var, dense, span };
        let made = match &op {
            Reducer::Top(_) => vec![self.rank(&fiber, &mut statements)],
            Reducer::Softmax | Reducer::Fun(_) | Reducer::Call(_) | Reducer::Place(_) => {
                let parts = self.shares(&fiber, &mut statements);
                // Loops over more than the fibers take the shares as they are: each is divided
                // once.
                if self.further(body, &fiber.all) {
                    let share = self.temporary("share", &fiber.all, &fiber.levels, &fiber.span);
                    statements.push(self.statement(&share, |me| me.share(&fiber, &parts)));
                    vec![share]
                } else {
                    parts.to_vec()
                }
            }
        };
        let start = self.syntax.nodes.len();
        let value = match (&op, &made[..]) {
            (Reducer::Top(count), [rank]) => self.first(&fiber, rank, *count),
            (_, [share]) => self.access(share),
            (_, parts) => self.share(&fiber, parts),
        };
        let value = self.copied(self.syntax.statements[self.n].value, Some((node, value)));
        let statement = &mut self.syntax.statements[self.n];
        (statement.value, statement.nodes) = (value, start..self.syntax.nodes.len());
        // What finds the last value that lands comes right before the statement that takes it.
        let lands = |node: &SyntaxNode| matches!(node.form, Form::Part(..) | Form::IsLast(..) | Form::Taken(_));
        let landed = self.syntax.nodes[self.syntax.statements[self.n].nodes.clone()].iter().any(lands);
        let at = self.n - usize::from(landed);
        self.n += statements.len();
        self.syntax.statements.splice(at..at, statements);
        self.n
    }

    /// The exponentials of a fiber's values, and their sum.
    fn shares(&mut self, fiber: &Fiber, statements: &mut Vec<Assignment>) -> [Of; 2] {
        let Fiber { of, all, levels, var, span, .. } = fiber;
        let along = |index: &&Index| index.ident().is_some_and(|ident| ident.name == var.name);
        let outer: Vec<Index> = all.iter().filter(|index| !along(index)).cloned().collect();
        let most = self.temporary("max", &outer, &vec![levels::DENSE; outer.len()], span);
        statements.push(self.statement(&most, |me| {
            let value = me.access(of);
            let value = me.stored(fiber, of, value, Form::Identity(Fun::Max));
            me.node(Form::Reduce(Reducer::Fun(Fun::Max), vec![var.clone()], value), span)
        }));
        let power = self.temporary("exp", all, levels, span);
        statements.push(self.statement(&power, |me| {
            let args = vec![me.access(of), me.access(&most)];
            let less = me.node(Form::Map(Fun::Sub, args), span);
            let value = me.node(Form::Map(Fun::Exp, vec![less]), span);
            me.stored(fiber, of, value, Form::Number("0".into()))
        }));
        let total = self.temporary("sum", &outer, &vec![levels::DENSE; outer.len()], span);
        statements.push(self.statement(&total, |me| {
            let value = me.access(&power);
            me.node(Form::Reduce(Reducer::Fun(Fun::Add), vec![var.clone()], value), span)
        }));
        [power, total]
    }

    /// The quotient of exponentials and their sum.
    fn share(&mut self, fiber: &Fiber, parts: &[Of]) -> SyntaxId {
        let args = parts.iter().map(|part| self.access(part)).collect();
        let share = self.node(Form::Map(Fun::Div, args), &fiber.span);
        self.stored(fiber, &parts[0], share, Form::Number("0".into()))
    }

    /// How many values of its fiber are before each: greater ones, and equal ones at smaller
    /// coordinates.
    fn rank(&mut self, fiber: &Fiber, statements: &mut Vec<Assignment>) -> Of {
        let Fiber { of, all, levels, var, dense, span } = fiber;
        let rank = self.temporary("rank", all, levels, span);
        if let Some(declaration) = self.declarations.last_mut() {
            declaration.ty = Some(Type::int(32, true));
        }
        let name = self.free(format!("{}_before", var.name));
        self.syntax.unnamed.insert(name.clone());
        let other = Ident { name, span: var.span.clone() };
        let mut before = of.clone();
        for index in &mut before.indices {
            if let Selects::All(ident) = &mut index.selects
                && ident.name == var.name
            {
                *ident = other.clone();
            }
        }
        statements.push(self.statement(&rank, |me| {
            let compare = |me: &mut Self, fun| {
                let args = vec![me.access(&before), me.access(of)];
                me.node(Form::Map(fun, args), span)
            };
            let (greater, same) = (compare(me, Fun::Gt), compare(me, Fun::Eq));
            let places = [&other, var].map(|of| Form::Access { tensor: of.clone(), indices: Vec::new() });
            let places = places.into_iter().map(|place| me.node(place, span)).collect();
            let earlier = me.node(Form::Map(Fun::Lt, places), span);
            let equal = me.node(Form::Map(Fun::And, vec![same, earlier]), span);
            let mut counts = me.node(Form::Map(Fun::Or, vec![greater, equal]), span);
            if !dense {
                let there =
                    me.node(Form::Stored { tensor: before.tensor.clone(), indices: before.indices.clone() }, span);
                counts = me.node(Form::Map(Fun::And, vec![there, counts]), span);
            }
            let one = me.node(Form::Convert(Type::int(32, true), counts), span);
            let count = me.node(Form::Reduce(Reducer::Fun(Fun::Add), vec![other.clone()], one), span);
            me.stored(fiber, of, count, Form::Number("0".into()))
        }));
        rank
    }

    /// The values of which fewer than `count` are before.
    fn first(&mut self, fiber: &Fiber, rank: &Of, count: SyntaxId) -> SyntaxId {
        let Fiber { of, dense, span, .. } = fiber;
        let args = vec![self.access(rank), self.copied(count, None)];
        let mut taken = self.node(Form::Map(Fun::Lt, args), span);
        if !dense {
            let there = self.node(Form::Stored { tensor: of.tensor.clone(), indices: of.indices.clone() }, span);
            taken = self.node(Form::Map(Fun::And, vec![there, taken]), span);
        }
        let args = vec![taken, self.access(of), self.node(Form::Number("0".into()), span)];
        self.node(Form::Map(Fun::Where, args), span)
    }

    /// `value` where a tensor stores something, elsewhere `nothing`.
    fn stored(&mut self, fiber: &Fiber, of: &Of, value: SyntaxId, nothing: Form) -> SyntaxId {
        if fiber.dense {
            return value;
        }
        let stored = Form::Stored { tensor: of.tensor.clone(), indices: of.indices.clone() };
        let args = vec![self.node(stored, &fiber.span), value, self.node(nothing, &fiber.span)];
        self.node(Form::Map(Fun::Where, args), &fiber.span)
    }

    fn node(&mut self, form: Form, span: &Range<usize>) -> SyntaxId {
        let height = form.children().iter().map(|&child| self.syntax.nodes[child].height).max().unwrap_or(0);
        self.syntax.nodes.push(SyntaxNode { form, span: span.clone(), height: height + 1 });
        self.syntax.nodes.len() - 1
    }

    fn access(&mut self, of: &Of) -> SyntaxId {
        let form = Form::Access { tensor: of.tensor.clone(), indices: of.indices.clone() };
        self.node(form, &of.tensor.span)
    }

    /// A copy of a tree, with another node in place of one.
    fn copied(&mut self, node: SyntaxId, instead: Option<(SyntaxId, SyntaxId)>) -> SyntaxId {
        if let Some((_, other)) = instead.filter(|(of, _)| *of == node) {
            return other;
        }
        let (mut form, span) = (self.syntax.nodes[node].form.clone(), self.syntax.nodes[node].span.clone());
        for child in form.children_mut() {
            *child = self.copied(*child, instead);
        }
        let copy = self.node(form, &span);
        if self.syntax.joined.contains(&node) {
            self.syntax.joined.insert(copy);
        }
        copy
    }

    /// A statement that writes a temporary.
    fn statement(&mut self, of: &Of, value: impl FnOnce(&mut Self) -> SyntaxId) -> Assignment {
        let start = self.syntax.nodes.len();
        let value = value(self);
        Assignment {
            target: of.tensor.clone(),
            called: of.tensor.name.clone(),
            keeps: None,
            indices: Some(of.indices.clone()),
            value,
            nodes: start..self.syntax.nodes.len(),
            span: self.syntax.statements[self.n].span.clone(),
        }
    }

    /// A temporary with a level for each index, in their order.
    fn temporary(&mut self, what: &str, indices: &[Index], levels: &[LevelKind], span: &Range<usize>) -> Of {
        let name = self.free(format!("{}_{what}", self.syntax.statements[self.n].called));
        self.made.push(name.clone());
        let storage = Spanned::new(span.clone(), Storage::Levels(levels.to_vec()));
        self.declarations.push(Declaration::temporary(name.clone(), span.clone(), storage));
        Of { tensor: Ident { name, span: span.clone() }, indices: indices.to_vec() }
    }

    /// A name that nothing has.
    fn free(&mut self, called: String) -> String {
        let mut numbered = (1..).map(|n| if n == 1 { called.clone() } else { format!("{called}{n}") });
        let name = numbered.find(|name| !self.taken.contains(name)).unwrap_or(called);
        self.taken.insert(name.clone());
        name
    }
}
