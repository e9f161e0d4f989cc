//! The argument of a function of fibers: its indices, whether it is a tensor, and its storage.

use super::{Of, Rewriting};
use crate::frontend::declaration::Declaration;
use crate::frontend::syntax::{Form, Ident, Index, Selects, SyntaxId, idents};
use crate::frontend::uses::index_names;
use crate::levels::{self, LevelKind};

impl Rewriting<'_> {
    /// The indices that the function's argument has, in the order of the result's: that along which
    /// it goes, and all that the statement has elsewhere, too. It is summed over the others.
    pub(super) fn indices(&self, body: SyntaxId, var: &Ident) -> Vec<Index> {
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

    /// Has the statement indices other than `all` outside of `body`?
    pub(super) fn further(&self, body: SyntaxId, all: &[Index]) -> bool {
        let statement = &self.syntax.statements[self.n];
        let mut outside: Vec<Ident> = idents(statement.indices.as_deref().unwrap_or_default()).cloned().collect();
        self.outside(statement.value, body, &mut outside);
        let known = |ident: &Ident| idents(all).any(|other| other.name == ident.name);
        outside.iter().any(|ident| !known(ident) && !self.is_tensor(&ident.name))
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
    pub(super) fn plain(&self, body: SyntaxId, all: &[Index]) -> Option<Of> {
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

    /// Levels of what the argument makes: dense at an index that all operands with it have dense,
    /// so that readers need not wait for the last coordinate there. Along the fiber it is only
    /// where all is.
    pub(super) fn levels(&self, body: SyntaxId, all: &[Index], var: &Ident, dense: bool) -> Vec<LevelKind> {
        let level = |index: &Index| {
            let open = |ident: &Ident| ident.name != var.name && self.is_dense_at(body, &ident.name);
            let whole = dense || index.ident().is_some_and(open);
            if whole { levels::DENSE } else { levels::COMPRESSED }
        };
        all.iter().map(level).collect()
    }

    /// Do all operands that have the index have it dense?
    fn is_dense_at(&self, node: SyntaxId, name: &str) -> bool {
        let form = &self.syntax.nodes[node].form;
        let own = match form {
            Form::Access { tensor, indices } | Form::Stored { tensor, indices } => {
                let declared = self.declarations.iter().find(|d| d.name == tensor.name);
                let plain = indices.iter().all(|index| matches!(index.selects, Selects::All(_)));
                let modes = (0..indices.len()).filter(|m| indices[*m].idents().iter().any(|ident| ident.name == name));
                declared.is_none_or(|d| d.is_dense() || plain && modes.into_iter().all(|m| d.is_dense_at(m)))
                    || !idents(indices).any(|ident| ident.name == name)
            }
            _ => true,
        };
        own && form.children().into_iter().all(|child| self.is_dense_at(child, name))
    }

    /// Returns whether all operands of the argument are dense. Results without a table are dense.
    pub(super) fn is_dense(&self, node: SyntaxId) -> bool {
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
