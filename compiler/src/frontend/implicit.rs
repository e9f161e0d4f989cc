//! Implicit reductions: indices that occur only on the right and are not bound, the subexpression that is reduced over
//! them, and a warning where an implicit sum lies outside of a nonlinear function.

use super::builder::Builder;
use super::functions::reducing;
use super::linear::Linear;
use super::syntax::{Form, Reducer, Syntax, SyntaxId, computed, idents};
use crate::stmt::{Expr, ExprId, Fun};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

impl Builder<'_, '_> {
    /// The right-hand side, or the old value updated with it.
    pub(super) fn right(&mut self, node: SyntaxId) -> Option<ExprId> {
        let Form::Update(fun, old, value) = self.syntax.nodes[node].form else {
            return self.folded(Fun::Add, node);
        };
        match old {
            Some(old) => {
                let old = match self.before {
                    Some(_) => self.before(old)?,
                    None => self.expr(old)?,
                };
                let args = vec![old, self.folded(reducing(fun), value)?];
                self.map(node, fun, args)
            }
            // What is subtracted of nothing.
            None if fun == Fun::Sub => {
                let args = vec![self.folded(Fun::Add, value)?];
                self.map(node, Fun::Neg, args)
            }
            None => {
                let made = self.folded(fun, value)?;
                let reduced = matches!(self.kernel.expr(made), Expr::Reduce(op, ..) if op.fun() == Some(fun));
                if reduced { Some(made) } else { self.reduced(fun, value, made) }
            }
        }
    }

    /// An expression reduced by `fun` over the indices that nothing binds: sums are taken of each
    /// term by itself, every other reduction of the whole. `reduce` of the file is instead of
    /// `fun`.
    pub(super) fn folded(&mut self, fun: Fun, node: SyntaxId) -> Option<ExprId> {
        match (self.names.reduce, fun) {
            (Some(op), _) => self.term(node, op),
            (None, Fun::Add) => self.terms(node),
            (None, op) => self.term(node, op),
        }
    }

    /// The right-hand side, split at its outermost + and -: every term sums its own variables.
    fn terms(&mut self, node: SyntaxId) -> Option<ExprId> {
        let syntax = self.syntax;
        match &syntax.nodes[node].form {
            Form::Map(fun @ (Fun::Add | Fun::Sub | Fun::Neg), args)
                if self.number_text(node).is_none() && !self.is_counted(node) =>
            {
                let args: Vec<_> = args.iter().map(|&a| self.terms(a)).collect();
                self.map(node, *fun, args.into_iter().collect::<Option<_>>()?)
            }
            _ => {
                let summed = self.free(node);
                self.warn_of_enclosed(node, &summed);
                self.reduce(&Reducer::Fun(Fun::Add), &summed, node)
            }
        }
    }

    /// One term, reduced over those of its variables that nothing binds.
    fn term(&mut self, node: SyntaxId, op: Fun) -> Option<ExprId> {
        let names = self.free(node);
        self.reduce(&Reducer::Fun(op), &names, node)
    }

    /// Index names of an expression that nothing binds, first appearance first.
    pub(super) fn free(&self, node: SyntaxId) -> Vec<String> {
        let seen = self.scope.iter().map(|(name, _)| name.clone()).collect();
        let by_name = &self.names.by_name;
        let index = |name: &str| self.indices.contains(name) && !by_name.contains_key(name);
        let mut free = Free { names: Vec::new(), seen, bound: Vec::new(), index: &index };
        free.collect(self.syntax, node);
        free.names
    }

    /// Warns where the term sums over `summed` outside of functions that are not linear.
    fn warn_of_enclosed(&mut self, term: SyntaxId, summed: &[String]) {
        let mut found: Vec<(SyntaxId, Vec<&String>)> = Vec::new();
        let mut known = HashMap::new();
        for name in summed {
            let Some(function) = self.enclosed(term, name, &mut known) else { continue };
            match found.iter_mut().find(|(other, _)| *other == function) {
                Some((_, names)) => names.push(name),
                None => found.push((function, vec![name])),
            }
        }
        for (function, names) in found {
            let outside: Vec<_> = summed.iter().filter(|name| !names.contains(name)).cloned().collect();
            let names: Vec<_> = names.into_iter().cloned().collect();
            let mut inside = Vec::new();
            self.terms_with(&self.arguments(function), &names, &mut inside);
            let span = self.whole(&self.syntax.nodes[function].span);
            let message = format!(
                "the implicit sum over {} is taken outside of this function, which is not linear",
                names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ")
            );
            let read = format!("it is read as `{}`; write that if it is meant", self.summed_text(term, summed, &[]));
            let other = format!("the sum inside of the function is `{}`", self.summed_text(term, &outside, &inside));
            self.reader.warn(self.reader.warning_at("W002", span, message).help(read).help(other));
        }
    }

    /// The outermost function in `node` that is not linear in what has the index `name`, unless the
    /// index stands outside of it, too. `known`: the indices of the nodes that were asked for.
    fn enclosed(&self, node: SyntaxId, name: &str, known: &mut HashMap<SyntaxId, HashSet<String>>) -> Option<SyntaxId> {
        let mut has =
            |arg: SyntaxId| known.entry(arg).or_insert_with(|| self.free(arg).into_iter().collect()).contains(name);
        let all = self.arguments(node);
        let within: Vec<usize> = (0..all.len()).filter(|&k| has(all[k])).collect();
        if within.is_empty() {
            return None;
        }
        let mut inside = |me: &Self| within.iter().find_map(|&k| me.enclosed(all[k], name, known));
        match self.linear(node) {
            Linear::InAll => inside(self),
            Linear::InEach if within.len() == 1 => inside(self),
            Linear::InEach => None,
            Linear::In(args) => {
                let linear = |k: &usize| args.contains(k);
                match (within.iter().all(linear), within.iter().any(linear)) {
                    (true, _) => inside(self),
                    // What it is linear in has the index, too: there is no other place for the sum.
                    (false, true) => None,
                    (false, false) => Some(node),
                }
            }
            Linear::InNone => Some(node),
        }
    }

    /// What a function, a conversion or a reduction is of.
    fn arguments(&self, node: SyntaxId) -> Vec<SyntaxId> {
        match &self.syntax.nodes[node].form {
            Form::Map(_, args) | Form::Call(_, args) => args.clone(),
            Form::Reduce(_, _, body) | Form::Scan(_, _, body) | Form::Convert(_, body) => vec![*body],
            _ => Vec::new(),
        }
    }

    /// The terms of `nodes` that have some of the indices, each with those.
    fn terms_with(&self, nodes: &[SyntaxId], names: &[String], found: &mut Vec<(SyntaxId, Vec<String>)>) {
        for &node in nodes {
            if let Form::Map(Fun::Add | Fun::Sub | Fun::Neg, args) = &self.syntax.nodes[node].form {
                self.terms_with(args, names, found);
                continue;
            }
            let own: Vec<_> = self.free(node).into_iter().filter(|name| names.contains(name)).collect();
            if !own.is_empty() {
                found.push((node, own));
            }
        }
    }

    /// The term as the file has it, summed over `outside`, and each of `inside` summed over its indices.
    fn summed_text(&self, term: SyntaxId, outside: &[String], inside: &[(SyntaxId, Vec<String>)]) -> String {
        let span = |node: SyntaxId| self.whole(&self.syntax.nodes[node].span);
        let all = span(term);
        let mut parts = vec![(all.clone(), outside)];
        parts.extend(inside.iter().map(|(node, names)| (span(*node), names.as_slice())));
        parts.retain(|(_, names)| !names.is_empty());
        let mut text = String::new();
        for (at, c) in self.reader.source.text.char_indices().skip_while(|(at, _)| *at < all.start) {
            let opened = parts.iter().filter(|(part, _)| part.start == at);
            opened.for_each(|(_, names)| text += &format!("sum[{}](", names.join(",")));
            if at >= all.end {
                break;
            }
            text.push(c);
            let end = at + c.len_utf8();
            text.extend(parts.iter().filter(|(part, _)| part.end == end).map(|_| ')'));
        }
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// A place in the file with the parentheses that the parser left out at its ends.
    fn whole(&self, span: &Range<usize>) -> Range<usize> {
        let text = &self.reader.source.text;
        let (mut start, mut end) = (span.start, span.end);
        let (mut open, mut lacking) = (0_usize, 0);
        for c in text.get(span.clone()).unwrap_or_default().chars() {
            match c {
                '(' => open += 1,
                ')' if open > 0 => open -= 1,
                ')' => lacking += 1,
                _ => {}
            }
        }
        for _ in 0..lacking {
            start = text[..start].rfind('(').unwrap_or(start);
        }
        for _ in 0..open {
            end = text[end..].find(')').map_or(end, |at| end + at + 1);
        }
        start..end
    }
}

/// Index names of an expression that nothing binds, first appearance first.
struct Free<'f> {
    names: Vec<String>,
    seen: HashSet<String>,
    bound: Vec<String>,
    /// Does a bare name stand for an index?
    index: &'f dyn Fn(&str) -> bool,
}

impl Free<'_> {
    fn add(&mut self, name: &str) {
        if !self.bound.iter().any(|b| b == name) && self.seen.insert(name.to_owned()) {
            self.names.push(name.to_owned());
        }
    }

    fn collect(&mut self, syntax: &Syntax, node: SyntaxId) {
        match &syntax.nodes[node].form {
            // All of it is bound by the reduction around.
            Form::Number(_) | Form::Identity(_) | Form::FillOf(_) | Form::Landing(..) | Form::Reported => {}
            Form::Turned(_) | Form::Taken(_) | Form::Part(..) | Form::IsLast(..) => {}
            Form::Turn { index, .. } => self.add(&index.name),
            Form::Access { tensor, indices } if indices.is_empty() => {
                if (self.index)(&tensor.name) {
                    self.add(&tensor.name);
                }
            }
            Form::Access { indices, .. } | Form::Stored { indices, .. } => {
                idents(indices).for_each(|index| self.add(&index.name));
                computed(indices).for_each(|inside| self.collect(syntax, inside));
            }
            Form::Map(_, args) | Form::Call(_, args) => args.iter().for_each(|&a| self.collect(syntax, a)),
            Form::Convert(_, body) | Form::Coalesce(body, _) | Form::Inside(body) => self.collect(syntax, *body),
            Form::Scan(_, var, body) => {
                self.add(&var.name);
                self.collect(syntax, *body);
            }
            Form::Update(_, old, value) => old.iter().chain([value]).for_each(|&a| self.collect(syntax, a)),
            Form::Reduce(_, vars, body) => {
                let outside = self.bound.len();
                self.bound.extend(vars.iter().map(|var| var.name.clone()));
                self.collect(syntax, *body);
                self.bound.truncate(outside);
            }
        }
    }
}
