//! The tensors and indices that statements use.

use super::syntax::{Assignment, Form, Ident, Index, Syntax, idents};
use std::collections::HashMap;

/// One place where a statement names a tensor.
pub(super) struct TensorUse<'s> {
    /// Name of the tensor.
    pub ident: &'s Ident,
    /// Indices of the tensor.
    pub indices: &'s [Index],
}

/// All tensors a statement names, the result first.
pub(super) fn uses<'s>(syntax: &'s Syntax, statement: &'s Assignment) -> Vec<TensorUse<'s>> {
    let result = statement.indices.as_ref().map(|indices| TensorUse { ident: &statement.target, indices });
    let operands = syntax.nodes[statement.nodes.clone()].iter().filter_map(|node| match &node.form {
        Form::Access { tensor, indices } | Form::Stored { tensor, indices } => {
            Some(TensorUse { ident: tensor, indices })
        }
        _ => None,
    });
    result.into_iter().chain(operands).collect()
}

/// All index names of a statement, with repetitions, first appearance first.
pub(super) fn index_names<'s>(syntax: &'s Syntax, statement: &'s Assignment) -> Vec<&'s str> {
    let reduced = syntax.nodes[statement.nodes.clone()].iter().flat_map(|node| match &node.form {
        Form::Reduce(_, vars, _) => vars.as_slice(),
        Form::Scan(_, var, _) => std::slice::from_ref(var),
        _ => &[],
    });
    let bare = syntax.nodes[statement.nodes.clone()].iter().filter_map(|node| match &node.form {
        Form::Access { tensor, indices } if indices.is_empty() && syntax.sized.contains(&tensor.name) => Some(tensor),
        Form::Turn { index, .. } => Some(index),
        _ => None,
    });
    let accessed = uses(syntax, statement).into_iter().flat_map(|u| idents(u.indices));
    accessed.chain(reduced).chain(bare).map(|ident| ident.name.as_str()).collect()
}

/// The last statement that reads each name.
pub(super) fn last_reads(syntax: &Syntax) -> HashMap<&str, usize> {
    let statements = syntax.statements.iter().enumerate();
    let reads = statements.flat_map(|(number, statement)| {
        let nodes = syntax.nodes[statement.nodes.clone()].iter();
        nodes.filter_map(move |node| match &node.form {
            Form::Access { tensor, .. } | Form::Stored { tensor, .. } => Some((tensor.name.as_str(), number)),
            _ => None,
        })
    });
    reads.collect()
}
