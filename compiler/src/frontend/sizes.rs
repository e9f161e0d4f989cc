//! Sizes of dimensions: an index and all modes where it is used have the same size.

use super::reader::Reader;
use std::collections::HashMap;
use std::ops::Range;

/// Something that has a size.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Dimension {
    /// An index name in a statement.
    Index(usize, String),
    /// A mode of a tensor, by the tensor's number.
    Mode(usize, usize),
    /// An item of an index list with a selection, by a number of its own.
    Selected(usize),
}

/// A size and the place that says it.
type SaidSize = (u64, Range<usize>);

/// Union-find over dimensions; each class has what was said about its size.
#[derive(Debug, Default)]
pub(super) struct SizeClasses {
    ids: HashMap<Dimension, usize>,
    parents: Vec<usize>,
    said: Vec<Vec<SaidSize>>,
    selected: usize,
}

impl SizeClasses {
    fn id(&mut self, dimension: &Dimension) -> usize {
        if let Some(&id) = self.ids.get(dimension) {
            return id;
        }
        let id = self.parents.len();
        self.ids.insert(dimension.clone(), id);
        self.parents.push(id);
        self.said.push(Vec::new());
        id
    }

    fn root(&mut self, dimension: &Dimension) -> usize {
        let mut id = self.id(dimension);
        while self.parents[id] != id {
            self.parents[id] = self.parents[self.parents[id]];
            id = self.parents[id];
        }
        id
    }

    /// Records that the file gives `dimension` the size `size` at `span`.
    pub fn say(&mut self, dimension: &Dimension, size: u64, span: Range<usize>) {
        let root = self.root(dimension);
        self.said[root].push((size, span));
    }

    /// Creates a dimension for a selection with `size`, as given at `span`.
    pub fn selected(&mut self, size: u64, span: Range<usize>) -> Dimension {
        self.selected += 1;
        let dimension = Dimension::Selected(self.selected);
        self.say(&dimension, size, span);
        dimension
    }

    /// Records that two dimensions have the same size. Reports at `span` if the file gives them different ones,
    /// described by `what`.
    pub fn unite(&mut self, reader: &mut Reader, a: &Dimension, b: &Dimension, span: Range<usize>, what: &str) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        if let (Some(one), Some(other)) = (self.said[a].first(), self.said[b].first())
            && one.0 != other.0
        {
            let message = format!("sizes {} and {} meet: {what}", one.0, other.0);
            let mut problem = reader.at("E013", span, message);
            problem.help.extend([one, other].into_iter().filter_map(|said| where_said(&reader.source.text, said)));
            let help = "in a statement, an index and all modes that it indexes have one size";
            reader.report(problem.help(help));
            return;
        }
        let said = std::mem::take(&mut self.said[a]);
        self.said[b].extend(said);
        self.parents[a] = b;
    }

    /// Returns the size of a dimension, if the file determines it.
    pub fn size(&mut self, dimension: &Dimension) -> Option<u64> {
        let root = self.root(dimension);
        self.said[root].first().map(|(size, _)| *size)
    }
}

/// The line of the file that says a size.
fn where_said(text: &str, (size, span): &SaidSize) -> Option<String> {
    if span.is_empty() {
        return None;
    }
    let number = text.get(..span.start)?.matches('\n').count();
    let line: String = text.lines().nth(number)?.trim().chars().take(LONGEST_LINE).collect();
    Some(format!("{size} comes from line {}: `{line}`", number + 1))
}

/// Most characters of a line that a message shows.
const LONGEST_LINE: usize = 60;
