//! The names of tensors in an expression.

use super::declaration::Declaration;
use super::expression;
use super::literal::Literal;
use super::reader::Reader;
use super::syntax::{Form, Syntax};
use crate::diag::Source;
use std::collections::HashSet;
use std::sync::Arc;

/// A tensor that an expression names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedTensor {
    /// Name of the tensor.
    pub name: String,
    /// Number of its indices.
    pub order: usize,
    /// Whether a statement writes the tensor and a later one reads it.
    pub passes_on: bool,
}

/// Lists the tensors that the statements of `expr` name, in order of appearance: results, and what has plain indices or is
/// one of `known`. What is wrong with them is left to reading the kernel file that they become.
pub fn named_tensors(expr: &str, known: &[&str]) -> Vec<NamedTensor> {
    let source = Source { path: "".into(), text: expr.into() };
    let mut reader = Reader { source: Arc::new(source), problems: Vec::new(), warnings: Vec::new() };
    let literal = Literal::new(expr, 0..expr.len(), expr);
    let known: Vec<Declaration> = known.iter().map(|&name| Declaration::empty(name.into(), 0..0)).collect();
    let syntax = expression::parse(&mut reader, &literal, &known, &HashSet::new(), Syntax::default());
    let mut found: Vec<NamedTensor> = Vec::new();
    let mut written: HashSet<&str> = HashSet::new();
    for statement in &syntax.statements {
        let target = (&statement.target.name, statement.indices.as_ref().map_or(0, Vec::len), false);
        let nodes = syntax.nodes[statement.nodes.clone()].iter();
        let read = nodes.filter_map(|node| match &node.form {
            Form::Access { tensor, indices } | Form::Stored { tensor, indices } => {
                Some((&tensor.name, indices.len(), written.contains(tensor.name.as_str())))
            }
            _ => None,
        });
        for (name, order, passes_on) in [target].into_iter().chain(read) {
            match found.iter_mut().find(|tensor| tensor.name == *name) {
                Some(tensor) => tensor.passes_on |= passes_on,
                None => found.push(NamedTensor { name: name.clone(), order, passes_on }),
            }
        }
        written.insert(&statement.target.name);
    }
    found
}
