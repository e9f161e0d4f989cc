//! Resolution of names to tensors with types and sizes; `build` then makes the kernel's expressions.

use super::accumulators::Accumulators;
use super::asked::AskByName;
use super::build::build;
use super::conversion::own_type;
use super::declaration::Declaration;
use super::kept_reads::KeptReads;
use super::names::{FileNames, Kept, Named, TensorEntry, Views};
use super::properties;
use super::reader::Reader;
use super::sizes::{Dimension, SizeClasses};
use super::storage::finish;
use super::syntax::{Assignment, Form, Ident, Index, Selects, Syntax, idents};
use super::user_function::UserFunction;
use super::uses::{TensorUse, index_names, last_reads, uses};
use crate::stmt::{Fun, Kernel};
use crate::types::Type;
use std::collections::{BTreeMap, HashMap, HashSet};
use toml::Spanned;

/// The contents of the file in addition to the expression.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// Section `[tensors]`.
    pub declarations: Vec<Declaration>,
    /// Section `[dims]`.
    pub dims: BTreeMap<String, Spanned<u64>>,
    /// Key `reduce`: the operator with which implicit variables reduce the whole right-hand side.
    pub reduce: Option<Fun>,
    /// Key `acc`.
    pub accumulators: Accumulators,
    /// Section `[functions]`.
    pub functions: BTreeMap<String, UserFunction>,
    /// Names in section `[data]`.
    pub data: HashSet<String>,
    /// The reasons to keep computed reads as they are.
    pub kept_reads: KeptReads,
}

/// Resolves all statements into `kernel`.
pub(super) fn resolve(
    reader: &mut Reader,
    kernel: &mut Kernel,
    syntax: &Syntax,
    outline: &Outline,
    ask: &mut AskByName<'_>,
) {
    let mut names = FileNames {
        tensors: Vec::new(),
        by_name: HashMap::new(),
        sizes: SizeClasses::default(),
        complete: !reader.expression_is_wrong(),
        last_reads: last_reads(syntax),
        results: syntax.statements.iter().map(|s| s.target.name.as_str()).collect(),
        written: HashMap::new(),
        stored_as: HashMap::new(),
        reduce: outline.reduce,
        views: Views::default(),
        placements: &syntax.placements,
        shapes: &syntax.shapes,
        functions: &outline.functions,
        accumulators: &outline.accumulators,
        kept_reads: &outline.kept_reads,
        resized: false,
        calls: Vec::new(),
    };
    for declaration in &outline.declarations {
        names.declare(declaration);
    }
    names.landed_sizes(reader, syntax);
    // What later statements say of a size holds in earlier ones, too: all say what they know before
    // any is asked.
    let mut named = Vec::new();
    for (number, statement) in syntax.statements.iter().enumerate() {
        named.push(names.statement(reader, syntax, number, outline));
        names.write(reader, number, statement);
    }
    names.ask_data(ask);
    names.resized = names.resized(ask, syntax);
    names.repeated_sizes(reader, syntax);
    names.windows(reader, &mut named);
    let types: Vec<_> = named.iter().map(|named| names.check(reader, syntax, named)).collect();
    if !reader.expression_is_wrong() {
        report_unused(reader, &names, syntax, outline);
    }
    for (number, (statement, ty)) in syntax.statements.iter().zip(types).enumerate() {
        if let Some(ty) = ty {
            build(reader, kernel, &mut names, syntax, (number, statement), ty);
        }
    }
    let results: Vec<&str> = syntax.statements.iter().map(|s| s.called.as_str()).collect();
    outline.accumulators.check(reader, &results);
    kernel.tensors = finish(reader, &mut names);
    names.views.finish(kernel);
    if !reader.expression_is_wrong() {
        names.shift(kernel);
        kernel.settle();
        names.views.check(reader, kernel);
        properties::check_calls(reader, kernel, names.functions, &names.calls);
    }
}

/// Tensors and sizes that the file declares for nothing.
fn report_unused(reader: &mut Reader, names: &FileNames<'_>, syntax: &Syntax, outline: &Outline) {
    for tensor in names.tensors.iter().filter(|tensor| !tensor.used && !syntax.shaped.contains(&tensor.first.name)) {
        let message = format!("tensor `{}` is declared, but no statement uses it", tensor.first.name);
        let warning = reader.warning_at("W007", tensor.first.span.clone(), message);
        reader.warn(warning.help("use it in `expr`, or delete its table"));
    }
    let indices: HashSet<_> = syntax.statements.iter().flat_map(|s| index_names(syntax, s)).collect();
    let mut known: Vec<_> = indices.iter().copied().collect();
    known.sort_unstable();
    for (name, size) in outline.dims.iter().filter(|(name, _)| !indices.contains(name.as_str())) {
        let message = format!("a size for `{}`, which no statement has as an index", name.escape_debug());
        reader.unknown("K014", size.span(), message, name, &known);
    }
}

impl<'s> FileNames<'s> {
    fn declare(&mut self, declaration: &'s Declaration) {
        let number = self.tensors.len();
        for (mode, size) in declaration.shape.iter().flat_map(|shape| shape.get_ref().iter().enumerate()) {
            let span = declaration.shape.as_ref().map_or(0..0, Spanned::span);
            self.sizes.say(&Dimension::Mode(number, mode), *size, span);
        }
        self.by_name.insert(declaration.name.clone(), number);
        self.tensors.push(TensorEntry {
            first: Ident { name: declaration.name.clone(), span: declaration.name_span.clone() },
            declaration: Some(declaration),
            order: declaration.order(),
            ty: declaration.ty,
            numbers: None,
            kept: Kept::Declared,
            used: false,
            written: None,
        });
    }

    /// The tensors and indices that a statement names, and what it says of their sizes.
    fn statement(&mut self, reader: &mut Reader, syntax: &'s Syntax, number: usize, outline: &Outline) -> Named<'s> {
        let statement = &syntax.statements[number];
        let before = reader.problems.len();
        let indices: HashSet<_> = index_names(syntax, statement).into_iter().collect();
        for index in &indices {
            if let Some(size) = outline.dims.get(*index) {
                self.sizes.say(&Dimension::Index(number, (*index).to_owned()), *size.get_ref(), size.span());
            }
        }
        let mut uses = uses(syntax, statement);
        let left = statement.indices.as_ref().and(uses.first()).map(|u| u.ident.span.clone());
        // A bare name that is no tensor's and an index's is its coordinate.
        uses.retain(|u| {
            let bare = u.indices.is_empty() && Some(&u.ident.span) != left.as_ref();
            !bare || self.by_name.contains_key(&u.ident.name) || !indices.contains(u.ident.name.as_str())
        });
        for node in &syntax.nodes[statement.nodes.clone()] {
            match &node.form {
                Form::FillOf(tensor) => {
                    if let Some(&number) = self.by_name.get(&tensor.name) {
                        self.tensors[number].used = true;
                    }
                }
                Form::Turn { index, of, .. } => self.seen_size(reader, number, "what is stacked", index, *of),
                _ => {}
            }
        }
        let mut tensors = Vec::new();
        for (n, usage) in uses.iter().enumerate() {
            let written = n == 0 && statement.indices.is_some();
            let later = self.last_reads.get(usage.ident.name.as_str()).is_some_and(|&last| last > number);
            let kept = if written && (later || !self.complete || self.besides(syntax, number, &uses)) {
                Kept::Intermediate
            } else {
                Kept::Nowhere
            };
            if !written {
                self.constants(reader, usage, outline);
            }
            let tensor = self.tensor(reader, usage, kept);
            if let Some(tensor) = tensor {
                self.check_use(reader, tensor, usage, number);
                if written {
                    self.one_shape(reader, syntax, number, tensor);
                }
            }
            tensors.push(tensor);
        }
        self.scalars_as_indices(reader, syntax, statement, outline);
        let left = statement.indices.is_some();
        Named { number, uses, tensors, left, wrong: reader.problems.len() > before }
    }

    /// Checks sizes and types of a statement; gives its type unless something is wrong with it.
    fn check(&mut self, reader: &mut Reader, syntax: &'s Syntax, named: &Named<'s>) -> Option<Type> {
        let statement = &syntax.statements[named.number];
        let before = reader.problems.len();
        self.check_sizes(reader, named, syntax, statement);
        let ty = self.check_types(reader, syntax, &named.tensors, statement);
        ty.filter(|_| !named.wrong && reader.problems.len() == before && statement.indices.is_some())
    }

    /// The number of the tensor that is used; makes an entry for one that needs no table, reports others.
    fn tensor(&mut self, reader: &mut Reader, usage: &TensorUse<'s>, kept: Kept) -> Option<usize> {
        let name = &usage.ident.name;
        if let Some(&number) = self.by_name.get(name) {
            return Some(number);
        }
        let scalar = usage.indices.is_empty();
        let kept = if scalar { Kept::Scalar } else { kept };
        if kept == Kept::Nowhere {
            self.report_undeclared(reader, usage);
        }
        let number = self.tensors.len();
        self.by_name.insert(name.clone(), number);
        self.tensors.push(TensorEntry {
            first: usage.ident.clone(),
            declaration: None,
            order: Some(usage.indices.len()),
            ty: None,
            numbers: None,
            kept,
            used: true,
            written: None,
        });
        Some(number)
    }

    /// Arity of one use, and the sizes that meet there.
    fn check_use(&mut self, reader: &mut Reader, tensor: usize, usage: &TensorUse<'_>, number: usize) {
        let entry = &mut self.tensors[tensor];
        entry.used = true;
        let order = *entry.order.get_or_insert(usage.indices.len());
        if order != usage.indices.len() {
            let name = &usage.ident.name;
            let shown = |index: &Index| match &index.selects {
                Selects::Reshaped(idents, _) | Selects::Shaped(idents, ..) => idents.len(),
                Selects::Within => 0,
                _ => 1,
            };
            let shown: usize = usage.indices.iter().map(shown).sum();
            let found = plural(shown, "index", "indices");
            let seen = (order + shown).saturating_sub(usage.indices.len());
            let message = match seen == order {
                true => format!("tensor `{name}` is of order {order}, here it has {found}"),
                false => format!("tensor `{name}` is of order {order}, seen as of order {seen}, here it has {found}"),
            };
            let problem = reader.at("E010", usage.ident.span.clone(), message);
            let help = match entry.declaration {
                Some(_) => format!("[tensors.{name}] says that it has {}", plural(order, "level", "levels")),
                None => format!("it was used with {} before", plural(order, "index", "indices")),
            };
            reader.report(problem.help(help));
            return;
        }
        for (mode, index) in usage.indices.iter().enumerate() {
            if let Selects::All(_) = index.selects {
                self.whole(reader, number, (&usage.ident.name, tensor, mode), index);
            }
        }
    }

    /// An index and a mode of a tensor, by name and number, have one size.
    pub(super) fn whole(&mut self, reader: &mut Reader, number: usize, mode: (&str, usize, usize), index: &Index) {
        let ((name, tensor, mode), Some(index)) = (mode, index.ident()) else { return };
        let what = format!("index `{}` and mode {mode} of `{name}`", index.name);
        let (index_size, mode) = (Dimension::Index(number, index.name.clone()), Dimension::Mode(tensor, mode));
        self.sizes.unite(reader, &index_size, &mode, index.span.clone(), &what);
    }

    /// The type of the statement: that of its result, or what its expression has by itself.
    fn check_types(
        &mut self,
        reader: &mut Reader,
        syntax: &Syntax,
        tensors: &[Option<usize>],
        statement: &Assignment,
    ) -> Option<Type> {
        let entries = || tensors.iter().copied().flatten();
        let result = tensors.first().copied().flatten().filter(|_| statement.indices.is_some());
        let acc = self.accumulators.of(&statement.called);
        let ty = result.and_then(|tensor| self.tensors[tensor].ty);
        let ty = ty.or_else(|| own_type(self, syntax, acc, statement.value));
        let ty = ty.or_else(|| entries().find_map(|tensor| self.tensors[tensor].ty));
        let ty = ty.or_else(|| self.type_of_text(entries()));
        let Some(ty) = ty else {
            let needs_none = |tensor: usize| {
                self.tensors[tensor].declaration.is_none() && self.tensors[tensor].kept != Kept::Nowhere
            };
            if self.complete && entries().all(needs_none) {
                let problem = reader.at("E020", statement.span.clone(), "nothing here has a declared type");
                let name = &statement.called;
                let levels = vec!["dense"; statement.indices.as_ref().map_or(0, Vec::len)];
                reader.report(
                    problem.help(format!("declare the result:\n[tensors.{name}]\nlevels = {levels:?}\ntype = \"i32\"")),
                );
            }
            return None;
        };
        // Of what has no type of its own nothing is known but that it stands here.
        for tensor in tensors.iter().copied().flatten() {
            let entry = &mut self.tensors[tensor];
            if entry.is_untyped() {
                entry.ty = Some(ty);
            }
        }
        Some(ty)
    }

    /// The left-hand side: every index once.
    fn write(&mut self, reader: &mut Reader, number: usize, statement: &Assignment) {
        let left = statement.indices.as_deref().unwrap_or_default();
        for (n, index) in left.iter().enumerate() {
            let Some(name) = index.ident().map(|ident| &ident.name) else {
                let help = "write a slice of one coordinate, with an index of its own: `y(k[3:4]) = ..`";
                reader.unsupported("E009", index.span.clone(), "a single coordinate on the left is", help);
                continue;
            };
            if idents(&left[..n]).any(|other| other.name == *name) {
                let what = format!("index `{name}` twice on the left is");
                reader.unsupported("E011", index.span.clone(), &what, "write a result with a dimension for each index");
            }
        }
        let target = &statement.target;
        let Some(&tensor) = self.by_name.get(&target.name) else { return };
        self.tensors[tensor].written = Some(number);
    }
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
