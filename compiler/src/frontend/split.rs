//! `split(T, d, m)(i0, i1, ..)`: an access of T in which two indices stand for mode d, the inner one of size m.

use super::expression::{Broken, Parser};
use super::functions::{Callee, callee};
use super::reader::Reader;
use super::resolve::Names;
use super::sizes::Dimension;
use super::syntax::{Ident, Index, Selects};
use super::token::Kind;
use std::ops::Range;

/// What `split(T, d, m)` is.
const MEANING: &str = "`split(T, d, m)` has coordinate c of mode d of the tensor T at c div m in mode d and at c mod m in \
                       mode d + 1, as in `split(A, 0, 8)(i0, i1, j)`";

/// One `split`.
struct Split {
    mode: i64,
    inner: i64,
    span: Range<usize>,
}

/// The sizes of the modes into which one of size `size` is split, all but the first of which are `inner`; `None` if
/// they do not fill it.
pub(super) fn split_sizes(size: u64, inner: &[u64]) -> Option<Vec<u64>> {
    let all = inner.iter().try_fold(1_u64, |all, m| all.checked_mul(*m))?;
    size.is_multiple_of(all).then(|| [&[size / all], inner].concat())
}

/// `3 * 2`
fn product(sizes: &[u64]) -> String {
    sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(" * ")
}

impl Parser<'_> {
    /// Does `split` of a tensor begin with this name, the one before the token here?
    pub(super) fn is_split(&self, name: &Ident) -> bool {
        let own = self.tensors.contains(&name.name) || self.functions.contains(&name.name);
        callee(&name.name) == Some(Callee::Split) && !own && self.is("(")
    }

    /// `split(split(T, d, m), e, n)(i, j, k)`, after the first name: the tensor and its index list; `None` if there is
    /// something wrong with it, which is reported.
    pub(super) fn split(&mut self, start: usize) -> Result<Option<(Ident, Vec<Index>)>, Broken> {
        let mut starts = vec![start];
        self.eat("(");
        let tensor = loop {
            let at = self.position();
            if self.kind() != Kind::Name {
                break None;
            }
            let name = self.ident();
            if self.is_split(&name) {
                self.eat("(");
                starts.push(at);
            } else if self.is(",") {
                break Some(name);
            } else {
                if self.is("(") && callee(&name.name) == Some(Callee::Shape) {
                    self.shape_operator(&name);
                    return self.skip_split(start);
                }
                self.rewind(at);
                break None;
            }
        };
        let Some(tensor) = tensor else {
            let at = self.position();
            self.skip_item();
            let span = if self.position() == at { self.span_here() } else { self.span_from(at) };
            self.wrong(span, "`split` is of a tensor by its name, or of a `split`, not of this");
            return self.skip_split(start);
        };
        let mut splits = Vec::new();
        while let Some(at) = starts.pop() {
            let mode = self.split_argument("the mode to split, a number")?;
            let inner = self.split_argument("the inner size, a number")?;
            self.close(at + 1, ")")?;
            splits.push(Split { mode, inner, span: self.span_from(at) });
        }
        if !self.eat("(") {
            return Err(self.unexpected("`(` and the indices of the split tensor, as in `split(b, 0, 8)(i0, i1)`"));
        }
        let Some(mut indices) = self.indices(&tensor, false)? else { return Ok(None) };
        while let Some(split) = splits.pop() {
            if !self.join_indices(&split, &mut indices) {
                return Ok(None);
            }
        }
        Ok(Some((tensor, indices)))
    }

    fn split_argument(&mut self, what: &str) -> Result<i64, Broken> {
        if !self.eat(",") {
            return Err(self.unexpected(&format!("`,` and {what}")));
        }
        self.coordinate().ok_or_else(|| self.unexpected(what))
    }

    /// Makes one item of the two that stand for the mode that is split; false if that is reported.
    fn join_indices(&mut self, split: &Split, indices: &mut Vec<Index>) -> bool {
        let Ok(inner @ 1..) = u64::try_from(split.inner) else {
            self.wrong(split.span.clone(), &format!("the inner size of `split` is {}", split.inner));
            return false;
        };
        let mode = usize::try_from(split.mode).ok().filter(|mode| mode + 1 < indices.len());
        let Some(mode) = mode else {
            let message = match indices.len() {
                one @ (0 | 1) => format!("`split` makes two modes of one, here are indices of {one}"),
                n => format!("`split` is of mode {}, and with {n} indices the last one is {}", split.mode, n - 2),
            };
            self.wrong(split.span.clone(), &message);
            return false;
        };
        let second = indices.remove(mode + 1);
        let first = &mut indices[mode];
        let span = first.span.start..second.span.end;
        let (Some((mut idents, mut sizes)), Some((more, rest))) = (modes(first.selects.clone()), modes(second.selects))
        else {
            let help = "give what is split plain indices; slice the result in a statement of its own";
            self.reader.unsupported("E009", span, "a slice, a set or a number as an index of what is split is", help);
            return false;
        };
        let Some(second_sizes) = split_sizes(inner, &rest) else {
            let message = format!("the inner size of `split` is {inner}, no multiple of {}", product(&rest));
            self.wrong(split.span.clone(), &message);
            return false;
        };
        idents.extend(more);
        sizes.extend(second_sizes);
        *first = Index { selects: Selects::Split(idents, sizes), span };
        true
    }

    fn wrong(&mut self, span: Range<usize>, message: &str) {
        let problem = self.reader.at("E028", span, message);
        self.reader.report(problem.help(MEANING));
    }

    /// Skips the argument list of the `split` at `start` and the index list after it.
    fn skip_split(&mut self, start: usize) -> Result<Option<(Ident, Vec<Index>)>, Broken> {
        self.rewind(start + 1);
        while self.is("(") {
            self.skip_list()?;
        }
        Ok(None)
    }

    /// Refuses `split(y, 0, 8)(i0, i1) = ..`, after its first list.
    pub(super) fn no_split_here(&mut self, target: &Ident) -> Result<(), Broken> {
        if !self.is("(") || callee(&target.name) != Some(Callee::Split) {
            return Ok(());
        }
        // In what follows it is the operator again.
        self.tensors.remove(&target.name);
        let help = "write a result with a mode for each index";
        self.reader.unsupported("E009", target.span.clone(), "`split` on the left is", help);
        Err(Broken)
    }
}

/// The indices of an item that stands for all of a mode, and the sizes of all but the first.
fn modes(selects: Selects) -> Option<(Vec<Ident>, Vec<u64>)> {
    match selects {
        Selects::All(ident) => Some((vec![ident], Vec::new())),
        Selects::Split(idents, sizes) => Some((idents, sizes)),
        Selects::Slice(..) | Selects::Set(..) | Selects::At(_) => None,
    }
}

impl Names<'_> {
    /// The sizes of the inner indices of a split mode of `tensor`.
    pub(super) fn inner_sizes(&mut self, reader: &mut Reader, number: usize, tensor: &str, index: &Index) {
        let Selects::Split(idents, inner) = &index.selects else { return };
        for (ident, size) in idents.iter().skip(1).zip(inner) {
            self.split_size(reader, number, tensor, ident, *size);
        }
    }

    /// The size of a split mode that has none, if that of its outer index is known.
    pub(super) fn size_of_split(&mut self, number: usize, mode: &Dimension, index: &Index) {
        let Selects::Split(idents, inner) = &index.selects else { return };
        let outer = idents.first().and_then(|ident| self.sizes.size(&Dimension::Index(number, ident.name.clone())));
        if let (None, Some(outer)) = (self.sizes.size(mode), outer)
            && let Some(size) = inner.iter().try_fold(outer, |all, m| all.checked_mul(*m))
        {
            self.sizes.say(mode, size, index.span.clone());
        }
    }

    /// The size of the outer index of a split mode: of which tensor, which one, and its size.
    pub(super) fn outer_size(
        &mut self,
        reader: &mut Reader,
        number: usize,
        (tensor, mode, size): (&str, usize, u64),
        (idents, inner): (&[Ident], &[u64]),
    ) {
        let [first, .., last] = idents else { return };
        if let Some(sizes) = split_sizes(size, inner) {
            self.split_size(reader, number, tensor, first, sizes[0]);
            return;
        }
        let message = format!("mode {mode} of `{tensor}` has size {size}, no multiple of {}", product(inner));
        let problem = reader.at("E028", first.span.start..last.span.end, message);
        let multiple = inner.iter().try_fold(1_u64, |all, m| all.checked_mul(*m));
        let help = match multiple.and_then(|all| size.checked_next_multiple_of(all)) {
            Some(more) => format!("split it into parts that divide it, or declare it and give data of size {more}"),
            None => "split it into parts that divide it".to_owned(),
        };
        reader.report(problem.help(help));
        // What it would be with padding, so that nothing else seems to be wrong.
        let outer = Dimension::Index(number, first.name.clone());
        if self.sizes.size(&outer).is_none() {
            self.sizes.say(&outer, multiple.map_or(1, |all| size.div_ceil(all)), first.span.clone());
        }
    }

    fn split_size(&mut self, reader: &mut Reader, number: usize, tensor: &str, ident: &Ident, size: u64) {
        let selected = Dimension::Selected(number, ident.span.start);
        self.sizes.say(&selected, size, ident.span.clone());
        let what = format!("index `{}` and what `split` makes of `{tensor}`", ident.name);
        let index = Dimension::Index(number, ident.name.clone());
        self.sizes.unite(reader, &index, &selected, ident.span.clone(), &what);
    }
}
