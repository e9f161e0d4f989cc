//! Statements that compute, before the one that the file has, what its shape operators take.

use crate::frontend::declaration::{Declaration, Storage};
use crate::frontend::expression::Parser;
use crate::frontend::syntax::{Assignment, Ident, Index, Syntax, SyntaxId};
use crate::levels::LevelKind;
use std::ops::Range;
use toml::Spanned;

impl Parser<'_> {
    /// Adds the statement that gives a temporary in these levels the value, whose nodes are those of the range.
    pub(super) fn compute_before(
        &mut self,
        target: Ident,
        levels: Vec<LevelKind>,
        (indices, value, nodes): (Vec<Index>, SyntaxId, Range<SyntaxId>),
        span: Range<usize>,
    ) {
        self.tensors.insert(target.name.clone());
        self.orders.insert(target.name.clone(), levels.len());
        let (called, indices) = (target.name.clone(), Some(indices));
        self.syntax.before.push((target.clone(), levels));
        self.syntax.statements.push(Assignment { target, called, keeps: None, indices, value, nodes, span });
    }

    /// Whether mode `mode` of a tensor is stored in a level that is not dense. Results without a table are dense.
    pub(super) fn lists_at(&self, tensor: &Ident, mode: usize) -> bool {
        let declared = self.declared.iter().find(|d| d.name == tensor.name && d.storage.is_some());
        let before = self.syntax.before.iter().find(|(temporary, _)| temporary.name == tensor.name);
        declared.is_some_and(|d| !d.is_dense_at(mode))
            || before.is_some_and(|(_, levels)| levels.get(mode).is_some_and(|level| !level.is_dense()))
    }
}

/// Gives such temporaries their tables, and returns their names.
pub(in crate::frontend) fn declare_before(syntax: &Syntax, declarations: &mut Vec<Declaration>) -> Vec<String> {
    let table = |(temporary, levels): &(Ident, Vec<LevelKind>)| {
        let storage = Spanned::new(temporary.span.clone(), Storage::Levels(levels.clone()));
        Declaration::temporary(temporary.name.clone(), temporary.span.clone(), storage)
    };
    declarations.extend(syntax.before.iter().map(table));
    syntax.before.iter().map(|(temporary, _)| temporary.name.clone()).collect()
}
