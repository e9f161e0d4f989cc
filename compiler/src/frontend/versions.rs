//! Several statements with one result: each writes its own version of the tensor and reads the previous version. The
//! last version is the tensor itself. After this no two statements write one tensor.

use super::declaration::{Declaration, Storage};
use super::names::FileNames;
use super::nearest::nearest;
use super::reader::Reader;
use super::sizes::Dimension;
use super::storage::plain;
use super::syntax::{Form, Ident, Index, Piece, Selects, Syntax, SyntaxId};
use super::uses::{TensorUse, index_names};
use super::windows::placed;
use std::collections::{BTreeMap, HashMap, HashSet};
use toml::Spanned;

/// Gives each statement a result of its own. `declarations` gets those of versions; `data`: names that have a source of data.
pub(super) fn versions(syntax: &mut Syntax, declarations: &mut Vec<Declaration>, data: &HashSet<&str>) {
    let mut results: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (n, statement) in syntax.statements.iter().enumerate() {
        results.entry(statement.called.clone()).or_default().push(n);
    }
    let tables: HashMap<String, usize> = declarations.iter().enumerate().map(|(n, d)| (d.name.clone(), n)).collect();
    let (mut taken, reads) = (taken(syntax, declarations), reads(syntax));
    for (name, writers) in &results {
        let declared = tables.get(name).copied();
        if declared.is_none() && !data.contains(name.as_str()) {
            begin(syntax, writers[0], reads.get(name).map_or(&[], Vec::as_slice));
        }
        if !alike(syntax, writers) {
            continue;
        }
        let (first, last) = (writers[0], writers[writers.len() - 1]);
        let updates = matches!(syntax.nodes[syntax.statements[first].value].form, Form::Update(_, Some(_), _));
        if updates && is_part(syntax, first) {
            syntax.statements[first].keeps = Some(name.clone());
        }
        let mut version = name.clone();
        let mut number = 0;
        for n in first..=last {
            rename(syntax, n, name, &version);
            if syntax.statements[n].called != *name {
                continue;
            }
            if n > first && is_part(syntax, n) {
                syntax.statements[n].keeps = Some(version);
            }
            version = name.clone();
            while n != last && (version == *name || !taken.insert(version.clone())) {
                number += 1;
                version = format!("{name}_{number}");
            }
            if let (true, Some(of)) = (n != last, declared) {
                // What its part leaves out is the fill that is declared.
                let part = n == first && is_part(syntax, n);
                let of = declared_as(&declarations[of], &version, part);
                declarations.push(of);
            }
            syntax.statements[n].target.name.clone_from(&version);
        }
    }
}

/// Does the statement write a part of its result?
fn is_part(syntax: &Syntax, n: usize) -> bool {
    syntax.statements[n].indices.as_ref().is_some_and(|indices| !placed(indices).is_empty())
}

/// All names of tensors and indices.
pub(super) fn taken(syntax: &Syntax, declarations: &[Declaration]) -> HashSet<String> {
    let targets = syntax.statements.iter().map(|s| s.called.clone());
    let indices = syntax.statements.iter().flat_map(|s| index_names(syntax, s)).map(str::to_owned);
    let read = syntax.nodes.iter().filter_map(|node| match &node.form {
        Form::Access { tensor, .. } | Form::Stored { tensor, .. } | Form::FillOf(tensor) => Some(tensor.name.clone()),
        _ => None,
    });
    targets.chain(indices).chain(read).chain(declarations.iter().map(|d| d.name.clone())).collect()
}

/// The nodes that read each name.
fn reads(syntax: &Syntax) -> HashMap<String, Vec<SyntaxId>> {
    let mut reads: HashMap<String, Vec<SyntaxId>> = HashMap::new();
    for statement in &syntax.statements {
        for node in statement.nodes.clone() {
            if let Form::Access { tensor, .. } | Form::Stored { tensor, .. } = &syntax.nodes[node].form {
                reads.entry(tensor.name.clone()).or_default().push(node);
            }
        }
    }
    reads
}

/// An update by the first statement that names a tensor without a table or data has no old value: it begins at what its operator begins
/// with. `reads`: the nodes that read the tensor, in order.
fn begin(syntax: &mut Syntax, writer: usize, reads: &[SyntaxId]) {
    let statement = &syntax.statements[writer];
    let Form::Update(fun, Some(old), value) = syntax.nodes[statement.value].form else { return };
    let (end, update) = (statement.nodes.end, statement.value);
    if !reads.iter().take(2).any(|&node| node < end && node != old) {
        syntax.nodes[update].form = Form::Update(fun, None, value);
        syntax.nodes[old].form = Form::Reported;
    }
}

/// Do all that write a tensor give it as many indices? Those that do not are reported where uses are checked.
fn alike(syntax: &Syntax, writers: &[usize]) -> bool {
    let count = |n: &usize| syntax.statements[*n].indices.as_ref().map(Vec::len);
    let first = count(&writers[0]);
    first.is_some() && writers.iter().all(|n| count(n) == first)
}

/// Statement `n` reads `version` where the file says `name`.
fn rename(syntax: &mut Syntax, n: usize, name: &str, version: &str) {
    if name == version {
        return;
    }
    let change = |ident: &mut Ident| {
        if ident.name == name {
            version.clone_into(&mut ident.name);
        }
    };
    let (mut placements, mut shapes) = (Vec::new(), Vec::new());
    for node in &mut syntax.nodes[syntax.statements[n].nodes.clone()] {
        if let Form::Access { tensor, indices } | Form::Stored { tensor, indices } = &mut node.form {
            change(tensor);
            placements.extend(indices.iter().filter_map(placement));
            shapes.extend(indices.iter().filter_map(shape));
        }
    }
    shapes.into_iter().for_each(|shape| syntax.shapes[shape].each_tensor(&mut |tensor| change(tensor)));
    for placement in placements {
        for piece in &mut syntax.placements[placement] {
            if let Piece::Of { at: Some((tensor, _)), .. } = piece {
                change(tensor);
            }
        }
    }
}

fn shape(index: &Index) -> Option<usize> {
    if let Selects::Shaped(_, shape, _) = index.selects { Some(shape) } else { None }
}

fn placement(index: &Index) -> Option<usize> {
    if let Selects::Placed(_, placement, ..) = index.selects { Some(placement) } else { None }
}

/// The declaration of a version: as that of the tensor, in levels that can be read on the chip. `part`: it has the fill of the tensor
/// where it is not written; else what is not stored in it follows from its expression.
fn declared_as(of: &Declaration, version: &str, part: bool) -> Declaration {
    let storage = of.storage.as_ref().map(|storage| {
        let kept = match storage.get_ref() {
            Storage::Format(named) => Storage::Format(named.plain()),
            Storage::Levels(levels) => Storage::Levels(levels.iter().map(|&level| plain(level)).collect()),
        };
        Spanned::new(storage.span(), kept)
    });
    let kept = Declaration { storage, ..of.clone() };
    let fill = of.fill.filter(|_| part || kept.is_dense());
    // What is wrong with the table is reported of the tensor itself.
    Declaration {
        name: version.to_owned(),
        fill,
        nnz: None,
        runs: None,
        prune: None,
        symmetric: None,
        faulty: true,
        ..kept
    }
}

impl FileNames<'_> {
    /// All that statements write of one tensor has one shape.
    pub(super) fn one_shape(&mut self, reader: &mut Reader, syntax: &Syntax, number: usize, tensor: usize) {
        let statement = &syntax.statements[number];
        let other =
            self.written.insert(statement.called.clone(), tensor).or(self.by_name.get(&statement.called).copied());
        let Some(other) = other.filter(|&other| other != tensor) else { return };
        for (mode, index) in statement.indices.iter().flatten().enumerate() {
            let what = format!("mode {mode} of `{}` in two statements", statement.called);
            let (a, b) = (Dimension::Mode(tensor, mode), Dimension::Mode(other, mode));
            self.sizes.unite(reader, &a, &b, index.span.clone(), &what);
        }
    }

    /// May the result of a statement be declared by nothing and read by nobody? It may be where there is a result that is
    /// declared, and nothing that the name may be a misspelling of.
    pub(super) fn besides(&self, syntax: &Syntax, number: usize, uses: &[TensorUse<'_>]) -> bool {
        let statement = &syntax.statements[number];
        if statement.called != statement.target.name {
            return true;
        }
        let declared = |name: &String| self.by_name.get(name).filter(|&&n| self.tensors[n].declaration.is_some());
        let here = |name: &String| uses.iter().any(|u| u.ident.name == *name);
        if syntax.statements.last().is_none_or(|last| declared(&last.target.name).is_none()) {
            return false;
        }
        let declarations = self.tensors.iter().filter(|t| t.declaration.is_some() && !t.used);
        let names =
            declarations.map(|t| &t.first.name).filter(|name| !here(name) && !self.results.contains(name.as_str()));
        let candidates: Vec<_> = names.map(String::as_str).collect();
        nearest(&statement.target.name, &candidates).is_none()
    }
}
