//! Steps of shape operators, from the coordinates of a tensor to those of the result. Any nesting of operators is a
//! list of steps; steps at one mode that only choose and move coordinates are one step: a list of pieces ([decision
//! 88](../../../docs/decisions/0088-nested-shapes.md)).

#[cfg(test)]
mod tests;

use super::moved::{Moved, joined};
use super::{Points, Window};
use std::fmt;

/// Most pieces of a mode that two steps become; beyond that they stay two.
const MOST_PIECES: usize = 4096;

/// A step of a shape operator. Modes count in what the steps before have made.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ShapeStep {
    /// Reshapes the modes from `mode` on, of sizes `of`, to modes of `sizes`, in row-major order.
    Recount {
        /// First of the modes.
        mode: usize,
        /// Sizes of the modes before the step.
        of: Vec<u64>,
        /// Sizes of the modes after the step.
        sizes: Vec<u64>,
    },
    /// Replaces a mode by one of `size` that consists of these disjoint pieces.
    Pieces {
        /// Number of the mode.
        mode: usize,
        /// The pieces, in the order of their new coordinates.
        pieces: Vec<Moved>,
        /// New size of the mode.
        size: u64,
    },
    /// Repeats every coordinate of a mode `times` times in succession.
    Repeat {
        /// Number of the mode.
        mode: usize,
        /// Number of repetitions.
        times: u64,
    },
    /// Permutes the modes: new mode k is the old mode `modes[k]`.
    Transpose {
        /// The old mode of each new mode.
        modes: Vec<usize>,
    },
    /// Extracts a diagonal from the only two modes: entries whose second coordinate is the first one plus `offset`, as
    /// a mode of `size`.
    Diagonal {
        /// Offset of the second coordinate.
        offset: i64,
        /// Number of entries on the diagonal.
        size: u64,
    },
    /// Makes the only mode such a diagonal of a square matrix with `size` rows.
    OnDiagonal {
        /// Offset of the second coordinate.
        offset: i64,
        /// Size of both modes.
        size: u64,
    },
    /// Keeps a triangle of the last two modes: entries whose second coordinate is at least (`upper`) or at most the
    /// first one plus `offset`.
    Triangle {
        /// Whether the triangle is the upper one.
        upper: bool,
        /// Offset of the second coordinate.
        offset: i64,
    },
}

/// Returns the row-major index of a coordinate in modes of these sizes.
pub fn row_by_row(coordinates: &[u64], sizes: &[u64]) -> u64 {
    coordinates.iter().zip(sizes).fold(0, |place, (c, size)| place * size + c)
}

/// Returns the coordinate in modes of these sizes for a row-major index.
pub fn digits(coordinate: u64, sizes: &[u64]) -> Vec<u64> {
    let digit = |rest: &mut u64, size: &u64| {
        let digit = *rest % size;
        *rest /= size;
        Some(digit)
    };
    let mut digits: Vec<u64> = sizes.iter().rev().scan(coordinate, digit).collect();
    digits.reverse();
    digits
}

/// `c + offset`, if it is a coordinate of a mode of this size.
fn beside(c: u64, offset: i64, size: u64) -> Option<u64> {
    c.checked_add_signed(offset).filter(|c| *c < size)
}

impl ShapeStep {
    /// Returns the name of an operator that makes such a step.
    pub fn operator(&self) -> &'static str {
        match self {
            Self::Recount { sizes, .. } if sizes.len() == 1 => "collapse",
            Self::Recount { of, .. } if of.len() == 1 => "split",
            Self::Recount { .. } => "reshape",
            Self::Pieces { .. } => "slice",
            Self::Repeat { .. } => "repeat",
            Self::Transpose { .. } => "transpose",
            Self::Diagonal { .. } | Self::OnDiagonal { .. } => "diag",
            Self::Triangle { upper: true, .. } => "triu",
            Self::Triangle { upper: false, .. } => "tril",
        }
    }

    /// Applies the step to the sizes of the modes.
    pub fn resize(&self, shape: &mut Vec<u64>) {
        match self {
            Self::Recount { mode, of, sizes } => drop(shape.splice(mode..&(mode + of.len()), sizes.clone())),
            Self::Pieces { mode, size, .. } => shape[*mode] = *size,
            Self::Repeat { mode, times } => shape[*mode] *= times,
            Self::Transpose { modes } => *shape = modes.iter().map(|&m| shape[m]).collect(),
            Self::Diagonal { size, .. } => *shape = vec![*size],
            Self::OnDiagonal { size, .. } => *shape = vec![*size; 2],
            Self::Triangle { .. } => {}
        }
    }

    /// Does it change anything of modes of these sizes?
    fn does(&self, shape: &[u64]) -> bool {
        match self {
            Self::Recount { of, sizes, .. } => of != sizes,
            Self::Pieces { mode, pieces, size } => {
                let all = [Moved { from: 0, step: 1, count: shape[*mode], to: 0 }];
                *size != shape[*mode] || pieces[..] != all && *size > 0
            }
            Self::Repeat { times, .. } => *times != 1,
            Self::Transpose { modes } => !modes.is_sorted(),
            Self::Diagonal { .. } | Self::OnDiagonal { .. } | Self::Triangle { .. } => true,
        }
    }

    /// Where the entry at `c` stands.
    fn places(&self, c: &[u64]) -> Vec<Vec<u64>> {
        let instead = |mode: usize, of: usize, new: &[u64]| [&c[..mode], new, &c[mode + of..]].concat();
        match self {
            Self::Recount { mode, of, sizes } => {
                let place = row_by_row(&c[*mode..mode + of.len()], of);
                vec![instead(*mode, of.len(), &digits(place, sizes))]
            }
            Self::Pieces { mode, pieces, .. } => {
                let places = pieces.iter().filter_map(|piece| piece.place(c[*mode]));
                places.map(|place| instead(*mode, 1, &[place])).collect()
            }
            Self::Repeat { mode, times } => (0..*times).map(|k| instead(*mode, 1, &[c[*mode] * times + k])).collect(),
            Self::Transpose { modes } => vec![modes.iter().map(|&m| c[m]).collect()],
            Self::Diagonal { offset, .. } => {
                let there = i128::from(c[1]) == i128::from(c[0]) + i128::from(*offset);
                if there { vec![vec![c[0].min(c[1])]] } else { Vec::new() }
            }
            Self::OnDiagonal { offset, .. } => {
                let moved = |up: bool| c[0] + if (*offset > 0) == up { offset.unsigned_abs() } else { 0 };
                vec![vec![moved(false), moved(true)]]
            }
            Self::Triangle { .. } => {
                if self.keeps(c) {
                    vec![c.to_vec()]
                } else {
                    Vec::new()
                }
            }
        }
    }

    /// The coordinate that is at `c`, if one does.
    fn source(&self, c: &[u64]) -> Option<Vec<u64>> {
        let instead = |mode: usize, of: usize, new: &[u64]| [&c[..mode], new, &c[mode + of..]].concat();
        Some(match self {
            Self::Recount { mode, of, sizes } => {
                let place = row_by_row(&c[*mode..mode + sizes.len()], sizes);
                instead(*mode, sizes.len(), &digits(place, of))
            }
            Self::Pieces { mode, pieces, .. } => {
                let at = c[*mode];
                let piece = pieces.iter().find(|p| p.to <= at && at - p.to < p.count)?;
                instead(*mode, 1, &[piece.at(at - piece.to)])
            }
            Self::Repeat { mode, times } => instead(*mode, 1, &[c[*mode].checked_div(*times)?]),
            Self::Transpose { modes } => {
                let mut source = vec![0; modes.len()];
                modes.iter().zip(c).for_each(|(&m, &c)| source[m] = c);
                source
            }
            Self::Diagonal { offset, .. } => {
                let far = offset.unsigned_abs();
                if *offset < 0 { vec![c[0] + far, c[0]] } else { vec![c[0], c[0] + far] }
            }
            Self::OnDiagonal { offset, size } => {
                (beside(c[0], *offset, *size)? == c[1]).then(|| vec![c[0].min(c[1])])?
            }
            Self::Triangle { .. } => self.keeps(c).then(|| c.to_vec())?,
        })
    }

    /// Does a triangle have what is at `c`?
    fn keeps(&self, c: &[u64]) -> bool {
        let (Self::Triangle { upper, offset }, [.., row, column]) = (self, c) else { return true };
        let edge = i128::from(*row) + i128::from(*offset);
        if *upper { i128::from(*column) >= edge } else { i128::from(*column) <= edge }
    }
}

/// The steps of shape operators on a tensor, in the order of application.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ShapeSteps {
    /// The steps, without steps that change nothing.
    pub steps: Vec<ShapeStep>,
    /// Sizes of the tensor's modes.
    pub of: Vec<u64>,
    /// Sizes of the result's modes.
    pub shape: Vec<u64>,
}

impl ShapeSteps {
    /// Creates an empty sequence of steps for a tensor of this shape.
    pub fn begin(of: Vec<u64>) -> Self {
        Self { steps: Vec::new(), shape: of.clone(), of }
    }

    /// Appends a step and normalises: permutations follow pieces, and pieces of one mode or reshapings of the same
    /// modes are merged.
    pub fn push(&mut self, step: ShapeStep) {
        step.resize(&mut self.shape);
        self.add(step);
    }

    fn add(&mut self, step: ShapeStep) {
        match (self.steps.pop(), step) {
            (Some(ShapeStep::Transpose { modes }), ShapeStep::Transpose { modes: next }) => {
                let modes: Vec<usize> = next.iter().map(|&m| modes[m]).collect();
                if !modes.is_sorted() {
                    self.steps.push(ShapeStep::Transpose { modes });
                }
            }
            (Some(ShapeStep::Transpose { modes }), ShapeStep::Pieces { mode, pieces, size }) => {
                self.add(ShapeStep::Pieces { mode: modes[mode], pieces, size });
                self.steps.push(ShapeStep::Transpose { modes });
            }
            (
                Some(ShapeStep::Recount { mode, of, sizes }),
                ShapeStep::Recount { mode: next, of: same, sizes: last },
            ) if mode == next && sizes == same => {
                self.steps.extend((of != last).then_some(ShapeStep::Recount { mode, of, sizes: last }));
            }
            (
                Some(ShapeStep::Pieces { mode, pieces, .. }),
                ShapeStep::Pieces { mode: next, pieces: outer, size: last },
            ) if mode == next && pieces.len() * outer.len() <= MOST_PIECES => {
                let of = |outer: &Moved| pieces.iter().filter_map(|p| p.within(outer)).collect::<Vec<_>>();
                let mut pieces: Vec<Moved> = outer.iter().flat_map(of).collect();
                pieces.sort_by_key(|p| p.to);
                self.steps.push(ShapeStep::Pieces { mode, pieces: joined(pieces), size: last });
            }
            // Pieces of other modes can be exchanged.
            (Some(before @ ShapeStep::Pieces { mode, .. }), ShapeStep::Pieces { mode: next, pieces, size })
                if next < mode =>
            {
                self.add(ShapeStep::Pieces { mode: next, pieces, size });
                self.steps.push(before);
            }
            (before, step) => {
                self.steps.extend(before);
                self.steps.push(step);
            }
        }
    }

    /// Removes steps that change nothing, and merges the steps around them.
    pub fn finish(self) -> Self {
        let mut made = Self::begin(self.of.clone());
        let count = self.steps.len();
        for step in self.steps {
            if step.does(&made.shape) {
                made.push(step);
            }
        }
        if made.steps.len() < count { made.finish() } else { made }
    }

    /// Returns a window for each mode (`None` for the whole mode) and the mode that each mode of the result shows, if
    /// the steps are equivalent to windows.
    pub fn windows(&self) -> Option<(Vec<Option<Window>>, Vec<usize>)> {
        let mut windows = vec![None; self.of.len()];
        let mut order: Vec<usize> = (0..self.of.len()).collect();
        for step in &self.steps {
            match step {
                ShapeStep::Transpose { modes } => order.clone_from(modes),
                ShapeStep::Pieces { mode, pieces, size }
                    if pieces.len() <= 1 && order.is_sorted() && windows[*mode].is_none() =>
                {
                    let none = [Moved { from: 0, step: 1, count: 0, to: 0 }];
                    let [Moved { from, step, count, to }] = pieces.first().map_or(none, |&piece| [piece]);
                    let from = Points::Steps { first: from, step, count };
                    let to = Points::Steps { first: to, step: 1, count };
                    windows[*mode] = Some(Window { from, to, size: *size });
                }
                _ => return None,
            }
        }
        Some((windows, order))
    }

    /// Returns whether the result has an entry at every coordinate if the tensor does.
    pub fn covers(&self) -> bool {
        self.steps.iter().all(|step| match step {
            ShapeStep::Pieces { pieces, size, .. } => pieces.iter().map(|p| p.count).sum::<u64>() == *size,
            ShapeStep::OnDiagonal { .. } | ShapeStep::Triangle { .. } => false,
            ShapeStep::Recount { .. }
            | ShapeStep::Repeat { .. }
            | ShapeStep::Transpose { .. }
            | ShapeStep::Diagonal { .. } => true,
        })
    }

    /// Returns the coordinates of the result for the entry at `coordinate` of the tensor.
    pub fn places(&self, coordinate: &[u64]) -> Vec<Vec<u64>> {
        let all = |places: Vec<Vec<u64>>, step: &ShapeStep| places.iter().flat_map(|c| step.places(c)).collect();
        self.steps.iter().fold(vec![coordinate.to_vec()], all)
    }

    /// Returns the coordinate of the tensor for `coordinate` of the result, if there is one.
    pub fn source(&self, coordinate: &[u64]) -> Option<Vec<u64>> {
        self.steps.iter().rev().try_fold(coordinate.to_vec(), |c, step| step.source(&c))
    }
}

impl fmt::Display for ShapeSteps {
    /// What is made of `_`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |sizes: &[u64]| sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(" x ");
        let piece = |p: &Moved| {
            let from = Points::Steps { first: p.from, step: p.step, count: p.count };
            format!("{from} at {}", p.to)
        };
        let around = |text: String, step: &ShapeStep| match step {
            ShapeStep::Recount { mode, of, sizes } => {
                format!("reshape({text}, {mode}, {} as {})", list(of), list(sizes))
            }
            ShapeStep::Pieces { mode, pieces, .. } => {
                format!("pieces({text}, {mode}, {})", pieces.iter().map(piece).collect::<Vec<_>>().join(", "))
            }
            ShapeStep::Repeat { mode, times } => format!("repeat({text}, {mode}, {times})"),
            ShapeStep::Transpose { modes } => {
                format!("transpose({text}, {})", modes.iter().map(usize::to_string).collect::<Vec<_>>().join(", "))
            }
            ShapeStep::Diagonal { offset, .. } | ShapeStep::OnDiagonal { offset, .. } => {
                format!("diag({text}, {offset})")
            }
            ShapeStep::Triangle { upper, offset } => {
                format!("{}({text}, {offset})", if *upper { "triu" } else { "tril" })
            }
        };
        write!(f, "{}", self.steps.iter().fold("_".to_owned(), around))
    }
}
