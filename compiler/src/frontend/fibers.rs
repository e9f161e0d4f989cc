//! Functions of fibers: `softmax[j](e)` is what earlier statements make of e, over temporaries: the
//! greatest value of each fiber, the exponentials, their sum. It is of what is stored: nothing is
//! elsewhere. After this no expression has one.

use super::declaration::{Declaration, Storage};
use super::syntax::{Assignment, Form, Ident, Index, Reducer, Selects, Syntax, SyntaxId, SyntaxNode, idents};
use super::uses::index_names;
use super::versions::taken;
use crate::levels;
use crate::stmt::Fun;
use std::collections::HashSet;
use std::ops::Range;
use toml::Spanned;

/// Writes functions of fibers as statements; `declarations` gets those of temporaries. Returns the
/// names of these.
pub(super) fn apply(syntax: &mut Syntax, declarations: &mut Vec<Declaration>) -> Vec<String> {
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

/// What `softmax[j](e)` goes along, and what it is of.
fn fiber(syntax: &Syntax, node: SyntaxId) -> Option<(&Ident, SyntaxId)> {
    match &syntax.nodes[node].form {
        Form::Reduce(Reducer::Softmax, vars, body) => Some((vars.first()?, *body)),
        _ => None,
    }
}

/// A tensor with indices.
#[derive(Clone)]
struct Of {
    tensor: Ident,
    indices: Vec<Index>,
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
    /// Puts the statements before, and the quotient in place of the function. Returns the number of the statement.
    fn rewrite(&mut self, node: SyntaxId) -> usize {
        let Some((var, body)) = fiber(self.syntax, node) else { return self.n };
        let (var, span) = (var.clone(), self.syntax.nodes[node].span.clone());
        let all = self.indices(body, &var);
        let along = |index: &&Index| index.ident().is_some_and(|ident| ident.name == var.name);
        let outer: Vec<Index> = all.iter().filter(|index| !along(index)).cloned().collect();
        let dense = self.is_dense(body);
        let mut statements = Vec::new();
        let of = self.plain(body, &all).unwrap_or_else(|| {
            let of = self.temporary("of", &all, dense, &span);
            statements.push(self.statement(&of, |me| me.copied(body, None)));
            of
        });
        let most = self.temporary("max", &outer, true, &span);
        let stored = |me: &mut Self, of: &Of, value: SyntaxId, nothing: Form| {
            if dense {
                return value;
            }
            let stored = Form::Stored { tensor: of.tensor.clone(), indices: of.indices.clone() };
            let (stored, nothing) = (me.node(stored, &span), me.node(nothing, &span));
            me.node(Form::Map(Fun::Where, vec![stored, value, nothing]), &span)
        };
        statements.push(self.statement(&most, |me| {
            let value = me.access(&of);
            let value = stored(me, &of, value, Form::Identity(Fun::Max));
            me.node(Form::Reduce(Reducer::Fun(Fun::Max), vec![var.clone()], value), &span)
        }));
        let power = self.temporary("exp", &all, dense, &span);
        statements.push(self.statement(&power, |me| {
            let args = vec![me.access(&of), me.access(&most)];
            let less = me.node(Form::Map(Fun::Sub, args), &span);
            let value = me.node(Form::Map(Fun::Exp, vec![less]), &span);
            stored(me, &of, value, Form::Number("0".into()))
        }));
        let total = self.temporary("sum", &outer, true, &span);
        statements.push(self.statement(&total, |me| {
            let value = me.access(&power);
            me.node(Form::Reduce(Reducer::Fun(Fun::Add), vec![var.clone()], value), &span)
        }));
        let start = self.syntax.nodes.len();
        let args = vec![self.access(&power), self.access(&total)];
        let share = self.node(Form::Map(Fun::Div, args), &span);
        let share = stored(self, &power, share, Form::Number("0".into()));
        let value = self.copied(self.syntax.statements[self.n].value, Some((node, share)));
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

    /// A temporary: dense, or with what is stored in order of its indices.
    fn temporary(&mut self, what: &str, indices: &[Index], dense: bool, span: &Range<usize>) -> Of {
        let called = format!("{}_{what}", self.syntax.statements[self.n].called);
        let numbered = (1..).map(|n| if n == 1 { called.clone() } else { format!("{called}{n}") });
        let name = numbered.into_iter().find(|name| !self.taken.contains(name)).unwrap_or(called);
        self.taken.insert(name.clone());
        self.made.push(name.clone());
        let level = if dense { levels::DENSE } else { levels::COMPRESSED };
        let storage = Spanned::new(span.clone(), Storage::Levels(vec![level; indices.len()]));
        self.declarations.push(Declaration::temporary(name.clone(), span.clone(), storage));
        Of { tensor: Ident { name, span: span.clone() }, indices: indices.to_vec() }
    }

    /// The indices that the function's argument has, in the order of the result's: that along which
    /// it goes, and all that the statement has elsewhere, too. It is summed over the others.
    fn indices(&self, body: SyntaxId, var: &Ident) -> Vec<Index> {
        let statement = &self.syntax.statements[self.n];
        let mut inside = Vec::new();
        self.names(body, &mut Vec::new(), &mut inside);
        let mut outside: Vec<Ident> = idents(statement.indices.as_deref().unwrap_or_default()).cloned().collect();
        self.outside(statement.value, body, &mut outside);
        let whole = |ident: &Ident| Index { selects: Selects::All(ident.clone()), span: ident.span.clone() };
        let mut all: Vec<&Ident> = Vec::new();
        for ident in &inside {
            let has = |other: &Ident| other.name == ident.name;
            if !has(var) && outside.iter().any(has) && !all.iter().any(|other| has(other)) {
                all.push(ident);
            }
        }
        all.push(var);
        // Temporaries are written in the order in which the result is, so that one order fits all.
        let left: Vec<&Ident> = idents(statement.indices.as_deref().unwrap_or_default()).collect();
        all.sort_by_key(|ident| left.iter().position(|other| other.name == ident.name).unwrap_or(left.len()));
        all.into_iter().map(whole).collect()
    }

    /// Indices in `node` that nothing within binds.
    fn names(&self, node: SyntaxId, bound: &mut Vec<String>, found: &mut Vec<Ident>) {
        let form = &self.syntax.nodes[node].form;
        let depth = bound.len();
        match form {
            Form::Reduce(_, vars, _) => bound.extend(vars.iter().map(|var| var.name.clone())),
            Form::Turn { index, .. } if !bound.contains(&index.name) => found.push(index.clone()),
            Form::Scan(_, var, _) if !bound.contains(&var.name) => found.push(var.clone()),
            Form::Access { tensor, indices } if indices.is_empty() => {
                let known = index_names(self.syntax, &self.syntax.statements[self.n]);
                let bare = known.contains(&tensor.name.as_str()) && !self.is_tensor(&tensor.name);
                found.extend((bare && !bound.contains(&tensor.name)).then(|| tensor.clone()));
            }
            Form::Access { indices, .. } | Form::Stored { indices, .. } => {
                found.extend(idents(indices).filter(|ident| !bound.contains(&ident.name)).cloned());
            }
            _ => {}
        }
        form.children().into_iter().for_each(|child| self.names(child, bound, found));
        bound.truncate(depth);
    }

    /// Indices of the statement that stand outside of `body`, those that are bound there, too.
    fn outside(&self, node: SyntaxId, body: SyntaxId, found: &mut Vec<Ident>) {
        if node == body {
            return;
        }
        match &self.syntax.nodes[node].form {
            Form::Reduce(_, vars, _) => found.extend(vars.iter().cloned()),
            Form::Access { tensor, indices } if indices.is_empty() => found.push(tensor.clone()),
            Form::Access { indices, .. } | Form::Stored { indices, .. } => found.extend(idents(indices).cloned()),
            _ => {}
        }
        let children = self.syntax.nodes[node].form.children();
        children.into_iter().for_each(|child| self.outside(child, body, found));
    }

    fn is_tensor(&self, name: &str) -> bool {
        self.declarations.iter().any(|d| d.name == name) || self.syntax.statements.iter().any(|s| s.target.name == name)
    }

    /// `body` as a tensor that is there already, if it is one with all of these indices.
    fn plain(&self, body: SyntaxId, all: &[Index]) -> Option<Of> {
        let Form::Access { tensor, indices } = &self.syntax.nodes[body].form else { return None };
        let whole = |index: &Index| match &index.selects {
            Selects::All(ident) => Some(ident.name.clone()),
            _ => None,
        };
        let [mut own, mut wanted] =
            [indices, all].map(|list: &[Index]| list.iter().map(whole).collect::<Option<Vec<String>>>());
        own.iter_mut().chain(&mut wanted).for_each(|names| names.sort_unstable());
        (own.is_some() && own == wanted).then(|| Of { tensor: tensor.clone(), indices: indices.clone() })
    }

    /// Is everything there that the argument is made of? Results without a table are dense.
    fn is_dense(&self, node: SyntaxId) -> bool {
        let form = &self.syntax.nodes[node].form;
        let own = match form {
            Form::Access { tensor, .. } | Form::Stored { tensor, .. } => {
                self.declarations.iter().find(|d| d.name == tensor.name).is_none_or(Declaration::is_dense)
            }
            _ => true,
        };
        own && form.children().into_iter().all(|child| self.is_dense(child))
    }
}

impl Form {
    /// The nodes that it is made of.
    pub(super) fn children(&self) -> Vec<SyntaxId> {
        self.clone().children_mut().into_iter().map(|child| *child).collect()
    }

    /// The same, to be changed.
    pub(super) fn children_mut(&mut self) -> Vec<&mut SyntaxId> {
        match self {
            Self::Number(_) | Self::FillOf(_) | Self::Turn { .. } | Self::Turned(_) => Vec::new(),
            Self::Identity(_) | Self::Reported => Vec::new(),
            Self::Access { indices, .. } | Self::Stored { indices, .. } => {
                let selects = indices.iter_mut().map(|index| &mut index.selects);
                selects.filter_map(|s| if let Selects::Computed(node) = s { Some(node) } else { None }).collect()
            }
            Self::Map(_, args) | Self::Call(_, args) => args.iter_mut().collect(),
            Self::Update(_, old, value) => old.iter_mut().chain([value]).collect(),
            Self::Landing(at, _, value, old) => at.iter_mut().map(|(_, node)| node).chain([value]).chain(old).collect(),
            Self::Taken(node)
            | Self::Part(node, ..)
            | Self::Reduce(_, _, node)
            | Self::Scan(_, _, node)
            | Self::Convert(_, node) => vec![node],
            Self::IsLast(a, _, b) | Self::Coalesce(a, b) => vec![a, b],
        }
    }
}
