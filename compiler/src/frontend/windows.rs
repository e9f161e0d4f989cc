//! Slices, index sets and reshaped or placed modes of index lists: which coordinates they select, and the sizes that follow.

use super::declaration::MAX_SIZE;
use super::reader::Reader;
use super::reshape::{Run, run};
use super::resolve::Names;
use super::sizes::Dimension;
use super::syntax::{Index, Piece, Selects};
use super::uses::Use;
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
    match selects {
        Selects::All(_) | Selects::Reshaped(..) | Selects::Within | Selects::Computed(_) => {
            Ok(Selection { points: Points::all(size), exact: true })
        }
        Selects::At(c) => Ok(Selection { points: Points::Set(vec![inside(*c, size)?]), exact: false }),
        Selects::Set(_, set) => {
            let points = Points::Set(set.iter().map(|&c| inside(c, size)).collect::<Result<_, _>>()?);
            Ok(Selection { points, exact: false })
        }
        Selects::Slice(_, bounds) | Selects::Placed(.., bounds) => slice(bounds, size),
    }
}

fn inside(c: i64, size: u64) -> Result<u64, Fault> {
    u64::try_from(c).ok().filter(|c| *c < size).ok_or(Fault::Outside(c))
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

impl<'s> Names<'s> {
    /// What `index` selects of mode `mode` of tensor number `tensor`; `None` if that has been reported, or will be.
    pub(super) fn selection(&mut self, tensor: usize, mode: usize, index: &Index) -> Option<Selection> {
        let size = self.sizes.size(&Dimension::Mode(tensor, mode))?;
        select(&index.selects, size).ok()
    }

    /// How many coordinates piece `piece` of a placement has, where in the whole it begins, and the size of that;
    /// `None` as long as a size is missing.
    pub(super) fn placed_piece(&mut self, placement: usize, piece: usize) -> Option<(u64, u64, u64)> {
        let (mut total, mut own) = (0_u64, None);
        for (n, part) in self.placements[placement].iter().enumerate() {
            let count = match part {
                Piece::Gap(count) => *count,
                Piece::Of { bounds, at } => {
                    let (tensor, mode) = at.as_ref()?;
                    let number = *self.by_name.get(&tensor.name)?;
                    slice(bounds, self.sizes.size(&Dimension::Mode(number, *mode))?).ok()?.points.count()
                }
            };
            if n == piece {
                own = Some((count, total));
            }
            total = total.saturating_add(count);
        }
        own.map(|(count, first)| (count, first, total))
    }

    /// Gives the indices of slices and sets in one statement their sizes, and reports those that are wrong. `uses`:
    /// with the numbers of their tensors; `left`: the first is the result.
    pub(super) fn windows(&mut self, reader: &mut Reader, number: usize, uses: &[(&Use<'s>, usize)], left: bool) {
        let parts = uses.iter().enumerate().flat_map(|(n, (usage, tensor))| {
            let items = usage.indices.iter().enumerate();
            items
                .map(move |(mode, index)| (left && n == 0, &usage.ident.name, *tensor, run(usage.indices, mode), index))
        });
        let whole = |s: &Selects| matches!(s, Selects::All(_) | Selects::Within | Selects::Computed(_));
        let mut open: Vec<_> = parts.filter(|p| !whole(&p.4.selects)).collect();
        for (_, name, _, _, index) in &open {
            self.said_sizes(reader, number, name, index);
        }
        // A window's size can be what the size of another mode follows from.
        loop {
            let before = open.len();
            open.retain(|(written, name, tensor, modes, index)| {
                if let Selects::Reshaped(..) = &index.selects {
                    let run = Run { number, tensor: (name, *tensor), modes: modes.clone(), index };
                    self.size_of_mode(&run);
                    return !self.seen(reader, &run);
                }
                let Some(size) = self.sizes.size(&Dimension::Mode(*tensor, modes.start)) else { return true };
                let selection = select(&index.selects, size);
                if let (Selects::Placed(_, placement, piece, _), Ok(selection)) = (&index.selects, &selection) {
                    let Some((count, _, total)) = self.placed_piece(*placement, *piece) else { return true };
                    let own = selection.points.count();
                    let wrong = if total > MAX_SIZE {
                        let message = format!("what is put together here has size {total}, more than {MAX_SIZE}");
                        Some((message, "put less together, or leave modes of their own"))
                    } else if own != count {
                        let mode = modes.start;
                        let message =
                            format!("`{name}` has {own} coordinates of mode {mode}, what is beside it {count}");
                        Some((message, "parts have different sizes only at the mode at which they are put together"))
                    } else {
                        None
                    };
                    if let Some((message, help)) = wrong {
                        reader.report(reader.at("E028", index.span.clone(), message).help(help));
                    }
                    self.window(reader, number, (name, size), index, Ok(total));
                    return false;
                }
                if let (true, Ok(Selection { points: Points::Set(set), .. })) = (*written, &selection)
                    && let Some(twice) = set.iter().enumerate().find(|(n, c)| set[..*n].contains(c))
                {
                    let message = format!("coordinate {} is written twice", twice.1);
                    let problem = reader.at("E017", index.span.clone(), message);
                    reader.report(problem.help("name each coordinate of the result once"));
                }
                self.window(reader, number, (name, size), index, selection.map(|s| s.points.count()));
                false
            });
            if open.len() == before {
                break;
            }
        }
        for (_, name, tensor, modes, index) in open {
            for mode in modes {
                let dimension = Dimension::Mode(tensor, mode);
                if self.sizes.size(&dimension).is_some() {
                    continue;
                }
                let problem = reader.at("E012", index.span.clone(), format!("mode {mode} of `{name}` has no size"));
                let help = format!("give [tensors.{name}] a `shape`: slices and shape operators count in it");
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

/// Index names of a left-hand side that stand at a part of their mode only.
pub(super) fn placed(indices: &[Index]) -> HashSet<&str> {
    let part = |index: &&Index| matches!(index.selects, Selects::Slice(..) | Selects::Set(..));
    indices.iter().filter(part).filter_map(Index::ident).map(|ident| ident.name.as_str()).collect()
}
