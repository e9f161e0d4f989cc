//! The coordinates that slices, index sets and reshaped or placed modes select, and the resulting sizes.

use super::declaration::MAX_SIZE;
use super::names::{FileNames, Named};
use super::reader::Reader;
use super::reshape::{ModeRun, run};
use super::sizes::Dimension;
use super::syntax::{Bounds, Index, Piece, Selects};
use super::uses::TensorUse;
use crate::view::Points;
use std::collections::HashSet;
use std::ops::Range;

/// The coordinates that an item of an index list selects of a mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Selection {
    /// The selected coordinates.
    pub points: Points,
    /// Whether the coordinates were counted from the mode's end.
    pub exact: bool,
}

/// An item of an index list that does not stand for just one whole mode.
struct WindowPart<'s> {
    /// Number of the statement.
    number: usize,
    /// Name and number of the tensor.
    name: &'s str,
    tensor: usize,
    /// The modes of the item.
    modes: Range<usize>,
    index: &'s Index,
    /// Whether the tensor is the result.
    written: bool,
}

/// All items of the statement's index lists.
fn parts<'n, 's>(named: &'n Named<'s>) -> impl Iterator<Item = WindowPart<'s>> + 'n {
    let Named { number, left, .. } = *named;
    named.known().enumerate().flat_map(move |(n, (&TensorUse { ident, indices }, tensor))| {
        let written = left && n == 0;
        let part = move |(mode, index)| {
            let modes = run(indices, mode);
            WindowPart { number, name: &ident.name, tensor, modes, index, written }
        };
        indices.iter().enumerate().map(part)
    })
}

/// Why an item selects nothing that makes sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    /// The step is 0.
    NoStep,
    /// The coordinate does not exist.
    Outside(i64),
}

impl Fault {
    /// Describes the problem, for a mode of this size.
    pub fn text(&self, size: u64) -> String {
        match self {
            Self::NoStep => "a slice's step is 0".to_owned(),
            Self::Outside(c) => format!("coordinate {c} is outside, the size is {size} here"),
        }
    }
}

/// Selects coordinates of a mode of this size. A slice is Python's, except what Python cuts off: every
/// coordinate that it names must exist, from its first on in steps as long as its end is not reached.
pub(super) fn select(selects: &Selects, size: u64) -> Result<Selection, Fault> {
    match selects {
        Selects::All(_)
        | Selects::Diagonal(_)
        | Selects::Reshaped(..)
        | Selects::Shaped(..)
        | Selects::Within
        | Selects::Computed(_) => Ok(Selection { points: Points::all(size), exact: true }),
        Selects::At(c) => Ok(Selection { points: Points::Set(vec![inside(*c, size)?]), exact: false }),
        Selects::Set(_, set) => {
            let points = Points::Set(set.iter().map(|&c| inside(c, size)).collect::<Result<_, _>>()?);
            Ok(Selection { points, exact: false })
        }
        Selects::Slice(_, bounds) | Selects::Placed(.., bounds) => bounded(*bounds, size),
    }
}

fn inside(c: i64, size: u64) -> Result<u64, Fault> {
    u64::try_from(c).ok().filter(|c| *c < size).ok_or(Fault::Outside(c))
}

/// Selects the coordinates within `bounds` of a mode of this size.
pub(super) fn bounded(bounds: Bounds, size: u64) -> Result<Selection, Fault> {
    let whole = i64::try_from(size).unwrap_or(i64::MAX);
    let last = |by: i64| by.rem_euclid(whole.max(1)) as u64;
    let steps = |first, count| if count == 0 { Points::all(0) } else { Points::Steps { first, step: 1, count } };
    match bounds {
        Bounds::Slice(bounds) => slice(&bounds, size),
        Bounds::Clipped(bounds) => slice(&clipped(bounds, size), size),
        Bounds::Last(by) => Ok(Selection { points: steps(size - last(by), last(by)), exact: true }),
        Bounds::ButLast(by) => Ok(Selection { points: steps(0, size - last(by)), exact: true }),
    }
}

/// The bounds as Python cuts them off: none is beyond the ends.
fn clipped([lo, hi, step]: [Option<i64>; 3], size: u64) -> [Option<i64>; 3] {
    let n = i64::try_from(size).unwrap_or(i64::MAX);
    let falls = step.is_some_and(|step| step < 0);
    let from_end = |bound: i64| if bound < 0 { bound.saturating_add(n) } else { bound };
    // What lies before the beginning of a falling slice is left out: it reaches the first coordinate.
    let (least, most) = if falls { (-1, n - 1) } else { (0, n) };
    let lo = lo.map(|lo| from_end(lo).clamp(least, most));
    let hi = hi.map(|hi| from_end(hi).clamp(least, most));
    if falls && lo == Some(-1) {
        return [Some(0), Some(0), step];
    }
    [lo, hi.filter(|hi| *hi >= 0), step]
}

/// What `lo:hi:step` selects of a mode of this size.
fn slice([lo, hi, step]: &[Option<i64>; 3], size: u64) -> Result<Selection, Fault> {
    let n = i64::try_from(size).unwrap_or(i64::MAX);
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
    inside(first, size)?;
    inside(i64::try_from(last).unwrap_or(i64::MAX), size)?;
    Ok(Selection { points: Points::Steps { first: first as u64, step, count }, exact })
}

impl<'s> FileNames<'s> {
    /// Returns the coordinates that `index` selects of mode `mode` of tensor number `tensor`; `None` if that
    /// has been reported, or will be.
    pub(super) fn selection(&mut self, tensor: usize, mode: usize, index: &Index) -> Option<Selection> {
        let size = self.sizes.size(&Dimension::Mode(tensor, mode))?;
        match &index.selects {
            Selects::Diagonal(_) => Some(Selection { points: Points::all(self.diagonal(tensor)?), exact: true }),
            selects => select(selects, size).ok(),
        }
    }

    /// How many coordinates both modes of a matrix have.
    fn diagonal(&mut self, tensor: usize) -> Option<u64> {
        let mut size = |mode| self.sizes.size(&Dimension::Mode(tensor, mode));
        Some(size(0)?.min(size(1)?))
    }

    /// Returns the number of coordinates of piece `piece` of a placement, its start in the whole, and the
    /// size of the whole; `None` as long as a size is missing.
    pub(super) fn placed_piece(&mut self, placement: usize, piece: usize) -> Option<(u64, u64, u64)> {
        let (mut total, mut own) = (0_u64, None);
        for (n, part) in self.placements[placement].iter().enumerate() {
            let count = match part {
                Piece::Gap(count) => *count,
                Piece::Of { bounds, at } => {
                    let (tensor, mode) = at.as_ref()?;
                    let number = *self.by_name.get(&tensor.name)?;
                    bounded(*bounds, self.sizes.size(&Dimension::Mode(number, *mode))?).ok()?.points.count()
                }
            };
            if n == piece {
                own = Some((count, total));
            }
            total = total.saturating_add(count);
        }
        own.map(|(count, first)| (count, first, total))
    }

    /// Gives the indices of slices and sets their sizes, and reports those that are wrong.
    pub(super) fn windows(&mut self, reader: &mut Reader, named: &mut [Named<'s>]) {
        let whole = |s: &Selects| matches!(s, Selects::All(_) | Selects::Within | Selects::Computed(_));
        let mut open: Vec<WindowPart<'s>> =
            named.iter().flat_map(parts).filter(|part| !whole(&part.index.selects)).collect();
        for part in &open {
            self.said_sizes(reader, part.number, part.name, part.index);
        }
        // A window's size can be what the size of another mode follows from, in another statement, too.
        loop {
            let before = open.len();
            open.retain(|part| {
                let problems = reader.problems.len();
                let settled = self.settle(reader, part);
                named[part.number].wrong |= reader.problems.len() > problems;
                !settled
            });
            // What has no size of its own has that of its index.
            let whole = open.iter().position(|part| matches!(part.index.selects, Selects::Diagonal(_)));
            if open.len() == before {
                let Some(part) = whole.map(|place| open.remove(place)) else { break };
                self.whole(reader, part.number, (part.name, part.tensor, part.modes.start), part.index);
            }
        }
        for WindowPart { number, name, tensor, modes, index, .. } in open {
            named[number].wrong = true;
            for mode in modes {
                let dimension = Dimension::Mode(tensor, mode);
                if self.sizes.size(&dimension).is_some() {
                    continue;
                }
                let problem = reader.at("E012", index.span.clone(), format!("mode {mode} of `{name}` has no size"));
                let help = format!("give [tensors.{name}] a `shape`: slices and shape operators need it");
                reader.report(problem.help(help));
                self.sizes.say(&dimension, 1, 0..0);
            }
            for ident in index.idents() {
                let dimension = Dimension::Index(number, ident.name.clone());
                if !matches!(index.selects, Selects::Slice(..) | Selects::Set(..))
                    && self.sizes.size(&dimension).is_none()
                {
                    self.sizes.say(&dimension, 1, 0..0);
                }
            }
        }
    }

    /// Gives the indices of a part of a tensor their sizes, if those that they follow from are
    /// known; reports what is wrong.
    fn settle(&mut self, reader: &mut Reader, part: &WindowPart<'_>) -> bool {
        let WindowPart { number, name, tensor, modes, index, written } = part;
        if let Selects::Shaped(idents, shape, leaf) = &index.selects {
            return self.shaped_sizes(reader, *number, (idents, *shape, *leaf), &index.span);
        }
        if let Selects::Reshaped(..) = &index.selects {
            let run = ModeRun { number: *number, tensor: (name, *tensor), modes: modes.clone(), index };
            self.size_of_mode(&run);
            return self.seen(reader, &run);
        }
        let Some(size) = self.sizes.size(&Dimension::Mode(*tensor, modes.start)) else { return false };
        if let Selects::Diagonal(_) = index.selects {
            let Some(count) = self.diagonal(*tensor) else { return false };
            self.window(reader, *number, (name, size), index, Ok(count));
            return true;
        }
        let selection = select(&index.selects, size);
        if let (Selects::Placed(_, placement, piece, _), Ok(selection)) = (&index.selects, &selection) {
            let Some((count, _, total)) = self.placed_piece(*placement, *piece) else { return false };
            let own = selection.points.count();
            let wrong = if total > MAX_SIZE {
                let message = format!("the combined tensors have size {total} here, more than {MAX_SIZE}");
                Some((message, "combine fewer tensors, or keep separate modes"))
            } else if own != count {
                let mode = modes.start;
                let message = format!("`{name}` has {own} coordinates of mode {mode}, the part next to it {count}");
                Some((message, "parts have different sizes only at the mode at which they are put together"))
            } else {
                None
            };
            if let Some((message, help)) = wrong {
                reader.report(reader.at("E028", index.span.clone(), message).help(help));
            }
            self.window(reader, *number, (name, size), index, Ok(total));
            return true;
        }
        if let (true, Ok(Selection { points: Points::Set(set), .. })) = (*written, &selection)
            && let Some(twice) = set.iter().enumerate().find(|(n, c)| set[..*n].contains(c))
        {
            let message = format!("coordinate {} is written twice", twice.1);
            let problem = reader.at("E017", index.span.clone(), message);
            reader.report(problem.help("name each coordinate of the result once"));
        }
        self.window(reader, *number, (name, size), index, selection.map(|s| s.points.count()));
        true
    }

    /// The size of the index at an item that shows `count` coordinates of a mode of this tensor, whose size is `size`.
    fn window(
        &mut self,
        reader: &mut Reader,
        number: usize,
        (name, size): (&str, u64),
        index: &Index,
        count: Result<u64, Fault>,
    ) {
        let count = match count {
            Ok(count) => count,
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
        let selected = self.sizes.selected(count, index.span.clone());
        let what = format!("index `{}` and what `{name}` has of it here", ident.name);
        let dimension = Dimension::Index(number, ident.name.clone());
        self.sizes.unite(reader, &dimension, &selected, index.span.clone(), &what);
    }
}

/// Index names of a left-hand side that are at a part of their mode only.
pub(super) fn placed(indices: &[Index]) -> HashSet<&str> {
    let part = |index: &&Index| matches!(index.selects, Selects::Slice(..) | Selects::Set(..));
    indices.iter().filter(part).filter_map(Index::ident).map(|ident| ident.name.as_str()).collect()
}
