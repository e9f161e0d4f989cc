//! Errors for undeclared names: tensors without a table, unknown functions, numbers in the words of other tools,
//! scalars in index lists.

use super::call::no_function;
use super::declaration::Declaration;
use super::foreign;
use super::names::FileNames;
use super::reader::Reader;
use super::resolve::Outline;
use super::syntax::{Assignment, Form, Index, Selects, Syntax, idents};
use super::uses::TensorUse;
use crate::stmt::{Kernel, TensorId};
use std::collections::HashSet;

/// Notes which results are temporaries, by their names, and of which the file does not say how they
/// are stored.
pub(super) fn note(kernel: &mut Kernel, declarations: &[Declaration], temporaries: &[String]) {
    let temporary = |t: &TensorId| temporaries.contains(&kernel.tensor(*t).name);
    let all = || (0..kernel.tensors.len()).map(TensorId);
    let declared = |t: &TensorId| declarations.iter().any(|d| d.name == kernel.tensor(*t).name);
    let results = kernel.statements.iter().map(|s| s.result);
    let undeclared = results.filter(|t| !declared(t) || temporary(t)).collect();
    kernel.temporaries = all().filter(temporary).collect();
    kernel.undeclared = undeclared;
}

impl FileNames<'_> {
    /// Reports the name of a scalar in an index list of the right-hand side, unless the file has it
    /// as an index, too: it has a size, is an index of the result, or is reduced over.
    pub(super) fn scalars_as_indices(
        &self,
        reader: &mut Reader,
        syntax: &Syntax,
        statement: &Assignment,
        outline: &Outline,
    ) {
        let nodes = || syntax.nodes[statement.nodes.clone()].iter();
        let left = idents(statement.indices.as_deref().unwrap_or_default());
        let reduced = nodes().flat_map(|node| match &node.form {
            Form::Reduce(_, vars, _) => vars.as_slice(),
            Form::Scan(_, var, _) => std::slice::from_ref(var),
            _ => &[],
        });
        let indices: HashSet<&str> = left.chain(reduced).map(|ident| ident.name.as_str()).collect();
        let read = nodes().flat_map(|node| match &node.form {
            Form::Access { tensor, indices } | Form::Stored { tensor, indices } => {
                idents(indices).map(|index| (tensor, index)).collect()
            }
            _ => Vec::new(),
        });
        for (tensor, index) in read {
            let scalar = self.by_name.get(&index.name).is_some_and(|&t| self.tensors[t].order == Some(0));
            if scalar && !outline.dims.contains_key(&index.name) && !indices.contains(index.name.as_str()) {
                let message = format!("`{}` is a scalar, here it is an index of `{}`", index.name, tensor.name);
                let problem = reader.at("E030", index.span.clone(), message);
                let read = format!("to use its value as a coordinate, write `{}(i32({}))`", tensor.name, index.name);
                let other = "an index needs a name of its own, or a size under [dims]";
                reader.report(problem.help(read).help(other));
            }
        }
    }

    /// Reports what other tools call a number by, unless the file says what it is here.
    pub(super) fn constants(&self, reader: &mut Reader, usage: &TensorUse<'_>, outline: &Outline) {
        let name = &usage.ident.name;
        let known = self.by_name.contains_key(name) || outline.data.contains(name) || !usage.indices.is_empty();
        if let Some(instead) = foreign::constant(name).filter(|_| !known) {
            let problem = reader.at("K013", usage.ident.span.clone(), format!("`{name}` is not a number here"));
            let scalar = format!("or declare a scalar:\n[tensors.{name}]\nlevels = []\ntype = \"f32\"");
            reader.report(problem.help(instead).help(scalar));
        }
    }

    /// Reports a tensor that nothing declares, or a function that nothing has.
    pub(super) fn report_undeclared(&self, reader: &mut Reader, usage: &TensorUse<'_>) {
        let name = &usage.ident.name;
        let tensor =
            |index: &Index| matches!(&index.selects, Selects::All(ident) if self.by_name.contains_key(&ident.name));
        if foreign::function(name).is_some() || !usage.indices.is_empty() && usage.indices.iter().all(tensor) {
            let problem = no_function(reader, usage.ident);
            let declare = format!("declare it under `[tensors.{name}]` if it is a tensor");
            reader.report(match usage.indices.first() {
                Some(Index { selects: Selects::All(index), .. }) if usage.indices.iter().all(tensor) => problem
                    .help(format!("the argument of a function needs its indices, as in `{name}({}(i))`", index.name)),
                _ => problem.help(declare),
            });
            return;
        }
        let format = match usage.indices.len() {
            0 | 1 => "dense",
            2 => "csr",
            _ => "csf",
        };
        let ty = self.tensors.iter().find_map(|tensor| tensor.ty).map_or("i32".to_owned(), |ty| ty.to_string());
        let problem = reader.at("K013", usage.ident.span.clone(), format!("tensor `{name}` is not declared"));
        let help = format!("declare it, for example:\n[tensors.{name}]\nformat = \"{format}\"\ntype = \"{ty}\"");
        reader.report(problem.help(help));
    }
}
