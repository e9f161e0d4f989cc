//! The check that every index and every mode has a size, and sizes of modes at which an index stands again.

use super::names::{FileNames, Kept, Named};
use super::reader::Reader;
use super::sizes::Dimension;
use super::syntax::{Assignment, Form, Ident, Syntax, idents};

impl FileNames<'_> {
    /// A mode without a size at which an index stands again has that of the index.
    pub(super) fn repeated_sizes(&mut self, reader: &mut Reader, syntax: &Syntax) {
        for (number, statement) in syntax.statements.iter().enumerate() {
            let landings = syntax.nodes[statement.nodes.clone()].iter().filter_map(|node| match &node.form {
                Form::Landing(at, ..) => Some(at),
                _ => None,
            });
            for (ident, node) in landings.flatten() {
                let Some(name) = syntax.plain(*node) else { continue };
                let (mode, index) =
                    (Dimension::Index(number, ident.name.clone()), Dimension::Index(number, name.clone()));
                if self.sizes.size(&mode).is_none() {
                    self.sizes.unite(reader, &mode, &index, ident.span.clone(), &format!("index `{name}` twice"));
                }
            }
        }
    }

    /// Every index and every mode has a size; the first place of one without is reported.
    pub(super) fn check_sizes(
        &mut self,
        reader: &mut Reader,
        named: &Named<'_>,
        syntax: &Syntax,
        statement: &Assignment,
    ) {
        if !self.complete {
            return;
        }
        let reduced = syntax.nodes[statement.nodes.clone()].iter().flat_map(|node| match &node.form {
            Form::Reduce(_, vars, _) => vars.as_slice(),
            Form::Scan(_, var, _) => std::slice::from_ref(var),
            _ => &[],
        });
        // What is not declared has been reported; its sizes may be said where it will be.
        let known = named.uses.iter().filter(|usage| {
            let tensor = self.by_name.get(&usage.ident.name).map(|&tensor| &self.tensors[tensor]);
            tensor.is_none_or(|tensor| tensor.declaration.is_some() || tensor.kept != Kept::Nowhere)
        });
        let indices: Vec<&Ident> = known.flat_map(|usage| idents(usage.indices)).chain(reduced).collect();
        for index in indices {
            let dimension = Dimension::Index(named.number, index.name.clone());
            if self.sizes.size(&dimension).is_none() {
                let (what, help) = if syntax.unnamed.contains(&index.name) {
                    // The statement of the file, behind those that are made of it.
                    let same = syntax.statements[named.number..].iter();
                    let same = same.take_while(|s| s.span.start == statement.span.start);
                    let name = &same.last().unwrap_or(statement).called;
                    (format!("this mode of `{name}`"), format!("give [tensors.{name}] a `shape`"))
                } else {
                    let help = "under [dims], or a `shape` to a tensor that has it";
                    (format!("index `{}`", index.name), format!("add `{} = 1024` {help}", index.name))
                };
                let mut problem = reader.at("E012", index.span.clone(), format!("{what} has no size"));
                if self.by_name.contains_key(&index.name) {
                    problem =
                        problem.help(format!("if the tensor `{0}` is meant, write its indices: `{0}(i)`", index.name));
                }
                reader.report(problem.help(help));
                self.sizes.say(&dimension, 1, 0..0);
            }
        }
        // What is read at computed coordinates has no index there that could say how many there
        // are.
        for (usage, tensor) in named.known() {
            let name = &usage.ident.name;
            // As many indices as modes: another number is reported, and says nothing of sizes.
            let fits = self.tensors[tensor].order == Some(usage.indices.len());
            for (mode, index) in usage.indices.iter().enumerate().filter(|_| fits) {
                let dimension = Dimension::Mode(tensor, mode);
                if self.sizes.size(&dimension).is_none() {
                    let problem = reader.at("E012", index.span.clone(), format!("mode {mode} of `{name}` has no size"));
                    reader.report(problem.help(format!("give [tensors.{name}] a `shape`")));
                    self.sizes.say(&dimension, 1, 0..0);
                }
            }
        }
    }
}
