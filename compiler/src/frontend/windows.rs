//! Slices, index sets and split modes of index lists: which coordinates they select, and the sizes that follow.

use super::reader::Reader;
use super::resolve::{Names, Use};
use super::sizes::Dimension;
use super::syntax::{Index, Selects};
use crate::view::Points;
use std::collections::HashSet;

/// What an item of an index list selects of a mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Selection {
    /// The coordinates; of a single one just that.
    pub points: Points,
    /// They were counted from the mode's end.
    pub exact: bool,
}

/// Why an item selects nothing that makes sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    /// The step is 0.
    NoStep,
    /// This coordinate does not exist.
    Outside(i64),
}

/// What `selects` selects of a mode of this size. A slice is Python's, but for what Python cuts off: every
/// coordinate that it names must exist, from its first on in steps as long as its end is not reached.
pub(super) fn select(selects: &Selects, size: u64) -> Result<Selection, Fault> {
    let n = i64::try_from(size).unwrap_or(i64::MAX);
    let inside = |c: i64| if (0..n).contains(&c) { Ok(c as u64) } else { Err(Fault::Outside(c)) };
    match selects {
        Selects::All(_) | Selects::Split(..) => Ok(Selection { points: Points::all(size), exact: true }),
        Selects::At(c) => Ok(Selection { points: Points::Set(vec![inside(*c)?]), exact: false }),
        Selects::Set(_, set) => {
            let points = Points::Set(set.iter().map(|&c| inside(c)).collect::<Result<_, _>>()?);
            Ok(Selection { points, exact: false })
        }
        Selects::Slice(_, [lo, hi, step]) => {
            let step = step.unwrap_or(1);
            let from_end = |bound: &i64| if *bound < 0 { bound.saturating_add(n) } else { *bound };
            let (first, end) = match step {
                0 => return Err(Fault::NoStep),
                1.. => (lo.as_ref().map_or(0, from_end), hi.as_ref().map_or(n, from_end)),
                _ => (lo.as_ref().map_or(n - 1, from_end), hi.as_ref().map_or(-1, from_end)),
            };
            let far = if step > 0 { end.saturating_sub(first) } else { first.saturating_sub(end) };
            let count = if far <= 0 { 0 } else { (far as u64).div_ceil(step.unsigned_abs()) };
            let open_end = if step > 0 { hi.is_none() } else { lo.is_none() };
            let exact = open_end || [lo, hi].into_iter().flatten().any(|bound| *bound < 0);
            if count == 0 {
                return Ok(Selection { points: Points::all(0), exact });
            }
            let last = i128::from(first) + i128::from(step) * i128::from(count - 1);
            inside(first)?;
            inside(i64::try_from(last).unwrap_or(i64::MAX))?;
            Ok(Selection { points: Points::Steps { first: first as u64, step, count }, exact })
        }
    }
}

impl<'s> Names<'s> {
    /// What `index` selects of mode `mode` of tensor number `tensor`; `None` if that has been reported, or will be.
    pub(super) fn selection(&mut self, tensor: usize, mode: usize, index: &Index) -> Option<Selection> {
        let size = self.sizes.size(&Dimension::Mode(tensor, mode))?;
        select(&index.selects, size).ok()
    }

    /// Gives the indices of slices and sets in one statement their sizes, and reports those that are wrong. `uses`:
    /// with the numbers of their tensors; `left`: the first is the result.
    pub(super) fn windows(&mut self, reader: &mut Reader, number: usize, uses: &[(&Use<'s>, usize)], left: bool) {
        let parts = uses.iter().enumerate().flat_map(|(n, (usage, tensor))| {
            let items = usage.indices.iter().enumerate();
            items.map(move |(mode, index)| (left && n == 0, &usage.ident.name, *tensor, mode, index))
        });
        let mut open: Vec<_> = parts.filter(|p| !matches!(p.4.selects, Selects::All(_))).collect();
        for &(_, name, _, _, index) in &open {
            self.inner_sizes(reader, number, name, index);
        }
        // A window's size can be what the size of another mode follows from.
        loop {
            let before = open.len();
            open.retain(|&(written, name, tensor, mode, index)| {
                self.size_of_split(number, &Dimension::Mode(tensor, mode), index);
                let Some(size) = self.sizes.size(&Dimension::Mode(tensor, mode)) else { return true };
                if let Selects::Split(idents, inner) = &index.selects {
                    self.outer_size(reader, number, (name, mode, size), (idents, inner));
                    return false;
                }
                self.window(reader, number, (written, name, size), index);
                false
            });
            if open.len() == before {
                break;
            }
        }
        for (_, name, tensor, mode, index) in open {
            let problem = reader.at("E012", index.span.clone(), format!("mode {mode} of `{name}` has no size"));
            reader.report(problem.help(format!("give [tensors.{name}] a `shape`: slices and splits count in it")));
            self.sizes.say(&Dimension::Mode(tensor, mode), 1, 0..0);
            if let (Selects::Split(..), Some(outer)) = (&index.selects, index.idents().first()) {
                self.sizes.say(&Dimension::Index(number, outer.name.clone()), 1, 0..0);
            }
        }
    }

    fn window(&mut self, reader: &mut Reader, number: usize, part: (bool, &str, u64), index: &Index) {
        let (written, name, size) = part;
        let points = match select(&index.selects, size) {
            Ok(selection) => selection.points,
            Err(fault) => {
                let message = match fault {
                    Fault::NoStep => "a slice's step is 0".to_owned(),
                    Fault::Outside(c) => format!("coordinate {c} is outside of `{name}`, whose size is {size} here"),
                };
                let problem = reader.at("E017", index.span.clone(), message);
                let help = match fault {
                    Fault::NoStep => "leave it out for every coordinate, or write -1 for the other direction",
                    Fault::Outside(_) => {
                        "coordinates count from 0; leave a slice's end out for everything up to the end"
                    }
                };
                reader.report(problem.help(help));
                return;
            }
        };
        let Some(ident) = index.ident() else { return };
        if let (true, Points::Set(set)) = (written, &points)
            && let Some(twice) = set.iter().enumerate().find(|(n, c)| set[..*n].contains(c))
        {
            let problem = reader.at("E017", index.span.clone(), format!("coordinate {} is written twice", twice.1));
            reader.report(problem.help("name each coordinate of the result once"));
        }
        let selected = Dimension::Selected(number, index.span.start);
        self.sizes.say(&selected, points.count(), index.span.clone());
        let what = format!("index `{}` and what `{name}` has of it here", ident.name);
        let dimension = Dimension::Index(number, ident.name.clone());
        self.sizes.unite(reader, &dimension, &selected, index.span.clone(), &what);
    }
}

/// Index names of a left-hand side that stand at a part of their mode only.
pub(super) fn placed(indices: &[Index]) -> HashSet<&str> {
    let part = |index: &&Index| matches!(index.selects, Selects::Slice(..) | Selects::Set(..));
    indices.iter().filter(part).filter_map(Index::ident).map(|ident| ident.name.as_str()).collect()
}
