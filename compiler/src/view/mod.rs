//! Views: the part of a tensor that an access with slices, index sets, constants or reshaping selects. A view is a
//! tensor of the kernel like any other, whose data are those of another one.

mod chain;
mod moved;
mod steps;

pub(crate) use chain::{Digits, Number, ShapeChain};
pub use moved::Moved;
pub use steps::{ShapeStep, ShapeSteps, digits, row_by_row};

use crate::levels;
use crate::stmt::{Kernel, Tensor, TensorId, VarId};
use std::fmt;
use std::ops::Range;

/// A finite sequence of coordinates.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Points {
    /// `first`, `first + step`, and so on: `count` of them, none below 0.
    Steps {
        /// First coordinate.
        first: u64,
        /// Difference of consecutive coordinates; never 0.
        step: i64,
        /// Number of coordinates.
        count: u64,
    },
    /// These coordinates, in this order, possibly repeated.
    Set(Vec<u64>),
}

impl Points {
    /// Returns the sequence `0 .. count`.
    pub fn all(count: u64) -> Self {
        Self::Steps { first: 0, step: 1, count }
    }
    /// Returns the number of coordinates.
    pub fn count(&self) -> u64 {
        match self {
            Self::Steps { count, .. } => *count,
            Self::Set(set) => set.len() as u64,
        }
    }
    /// Returns the `k`th coordinate, from 0.
    pub fn at(&self, k: u64) -> Option<u64> {
        match self {
            Self::Steps { first, step, count } => {
                (k < *count).then(|| first.wrapping_add_signed(step.wrapping_mul(k as i64)))
            }
            Self::Set(set) => set.get(usize::try_from(k).ok()?).copied(),
        }
    }
    /// Iterates over the coordinates.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.count()).map_while(|k| self.at(k))
    }
    /// Returns the indices at which `coordinate` occurs.
    pub fn places(&self, coordinate: u64) -> Vec<u64> {
        match self {
            Self::Steps { first, step, count } => {
                let far = i128::from(coordinate) - i128::from(*first);
                let k = far / i128::from(*step);
                let there = far % i128::from(*step) == 0 && (0..i128::from(*count)).contains(&k);
                if there { vec![k as u64] } else { Vec::new() }
            }
            Self::Set(set) => (0..).zip(set).filter(|(_, c)| **c == coordinate).map(|(k, _)| k).collect(),
        }
    }
    /// Returns true if the coordinates increase strictly.
    pub fn rise(&self) -> bool {
        match self {
            Self::Steps { step, count, .. } => *step > 0 || *count <= 1,
            Self::Set(set) => set.is_sorted_by(|a, b| a < b),
        }
    }
    /// Returns one more than the largest coordinate; 0 if there is none.
    pub fn bound(&self) -> u64 {
        match self {
            Self::Steps { first, step, count } => match count {
                0 => 0,
                n if *step > 0 => self.at(n - 1).map_or(0, |last| last + 1),
                _ => first + 1,
            },
            Self::Set(set) => set.iter().max().map_or(0, |last| last + 1),
        }
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Steps { first, step, count } => {
                let last = i128::from(*first) + i128::from(*step) * (i128::from(*count) - 1);
                let end = if *count == 0 { i128::from(*first) } else { last + i128::from(step.signum()) };
                write!(f, "{first}:{}", if end < 0 { String::new() } else { end.to_string() })?;
                if *step == 1 { Ok(()) } else { write!(f, ":{step}") }
            }
            Self::Set(set) => {
                write!(f, "{{{}}}", set.iter().map(u64::to_string).collect::<Vec<_>>().join(","))
            }
        }
    }
}

/// A part of a mode: coordinate `from[k]` of the base becomes coordinate `to[k]` of the view; other coordinates of the
/// view are empty.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Window {
    /// The selected coordinates of the base.
    pub from: Points,
    /// The coordinates in the view: equally many, without repetition.
    pub to: Points,
    /// Size of the view's mode.
    pub size: u64,
}

impl Window {
    /// Returns what a coordinate of the view is less than that of the base, if the view shows all of a mode
    /// of `size` that is moved to where it is seen.
    pub fn shift(&self, size: u64) -> Option<i64> {
        let Points::Steps { first, step: 1, count } = self.from else { return None };
        let Points::Steps { first: to, step: 1, .. } = self.to else { return None };
        let by = i64::try_from(first).ok()? - i64::try_from(to).ok()?;
        let end = size.min(self.size.saturating_add_signed(by));
        (first == u64::try_from(by).unwrap_or(0) && first + count == end).then_some(by)
    }
    /// Returns the same window with its pairs the other way round, if both sides are steps.
    pub fn turned(self) -> Self {
        let turned = |points: &Points| match *points {
            Points::Steps { step, count, .. } => {
                Some(Points::Steps { first: points.at(count.checked_sub(1)?)?, step: -step, count })
            }
            Points::Set(_) => None,
        };
        match (turned(&self.from), turned(&self.to)) {
            (Some(from), Some(to)) => Self { from, to, ..self },
            _ => self,
        }
    }
    /// Returns true if no coordinate of the view is empty.
    pub fn covers(&self) -> bool {
        self.to.count() == self.size
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.from)?;
        if self.to == Points::all(self.size) { Ok(()) } else { write!(f, " at {} of {}", self.to, self.size) }
    }
}

/// The part of one mode of the base that a view shows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Seen {
    /// The whole mode, as one mode.
    Whole,
    /// One coordinate, which is no mode of the view.
    At(u64),
    /// A part of the mode, as one mode.
    Part(Window),
    /// The mode, together with the following modes `Within`, reshaped to modes of these sizes in row-major order.
    Reshaped(Vec<u64>),
    /// A mode that is reshaped together with a previous mode.
    Within,
    /// All modes of the base, with the others as `Within`, transformed by these steps.
    Steps(ShapeSteps),
}

impl Seen {
    /// How many modes of the view it is.
    pub(crate) fn modes(&self) -> usize {
        match self {
            Self::Whole | Self::Part(_) => 1,
            Self::At(_) | Self::Within => 0,
            Self::Reshaped(sizes) => sizes.len(),
            Self::Steps(steps) => steps.shape.len(),
        }
    }
}

/// A mode of a view's base.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Mode {
    /// The part of the mode that the view shows.
    pub seen: Seen,
    /// A variable for the mode's own size and coordinates, which no loop has; `None` for `Whole`.
    pub dim: Option<VarId>,
    /// Whether the part depends on the mode's end, so that the run must have the declared size.
    pub exact: bool,
}

/// A view: a part of a tensor. Its modes are those that its base's modes are seen as, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct View {
    /// The tensor with the data, which is not a view itself.
    pub base: TensorId,
    /// One entry per mode of the base.
    pub modes: Vec<Mode>,
}

impl View {
    /// Returns the modes of the view that show mode `mode` of the base.
    pub fn all_shown(&self, mode: usize) -> Range<usize> {
        let before = self.modes.iter().take(mode).map(|m| m.seen.modes()).sum();
        before..before + self.modes.get(mode).map_or(0, |m| m.seen.modes())
    }

    /// Returns the first mode of the view that shows mode `mode` of the base.
    pub fn shown(&self, mode: usize) -> Option<usize> {
        self.all_shown(mode).next()
    }

    /// Returns the modes of the base that are reshaped together with `mode`, their first one.
    pub fn reshaped(&self, mode: usize) -> Range<usize> {
        let within = self.modes.iter().skip(mode + 1).take_while(|m| m.seen == Seen::Within).count();
        mode..mode + 1 + within
    }

    /// Returns the sizes of the view's modes for these sizes of the base.
    pub fn shape(&self, base: &[u64]) -> Vec<u64> {
        let sizes = |(m, mode): (usize, &Mode)| match &mode.seen {
            Seen::Whole => vec![base[m]],
            Seen::At(_) | Seen::Within => Vec::new(),
            Seen::Part(window) => vec![window.size],
            Seen::Reshaped(sizes) => sizes.clone(),
            Seen::Steps(steps) => steps.shape.clone(),
        };
        self.modes.iter().enumerate().flat_map(sizes).collect()
    }

    /// Returns whether shape operators make other modes of those of the base.
    pub fn reshapes(&self) -> bool {
        self.modes.iter().any(|m| matches!(m.seen, Seen::Reshaped(_) | Seen::Steps(_)))
    }

    /// Returns the steps of shape operators that make the view from a base of this shape; `None` if it shows single
    /// coordinates or sets.
    pub(crate) fn steps(&self, base: &[u64]) -> Option<ShapeSteps> {
        let mut steps = ShapeSteps::begin(base.to_vec());
        for (m, mode) in self.modes.iter().enumerate().rev() {
            match &mode.seen {
                Seen::Whole | Seen::Within => {}
                Seen::Steps(all) => return Some(all.clone()),
                Seen::Reshaped(sizes) => {
                    let of = base[self.reshaped(m)].to_vec();
                    steps.push(ShapeStep::Recount { mode: m, of, sizes: sizes.clone() });
                }
                Seen::Part(Window { from: Points::Steps { first, step, count }, to, size }) => {
                    let Points::Steps { first: to, step: 1, .. } = *to else { return None };
                    let piece = Moved { from: *first, step: *step, count: *count, to };
                    steps.push(ShapeStep::Pieces { mode: m, pieces: vec![piece], size: *size });
                }
                Seen::At(_) | Seen::Part(_) => return None,
            }
        }
        Some(steps)
    }

    /// Returns a view of all modes of `base` through steps; `dims`: the modes' variables.
    pub(crate) fn through(steps: ShapeSteps, base: TensorId, dims: impl Iterator<Item = Option<VarId>>) -> Self {
        let seen = std::iter::once(Seen::Steps(steps)).chain(std::iter::repeat(Seen::Within));
        let modes = dims.zip(seen).map(|(dim, seen)| Mode { seen, dim, exact: true }).collect();
        Self { base, modes }
    }

    /// Returns whether the view has an entry at every coordinate if its base does.
    pub fn sees_all(&self) -> bool {
        self.modes.iter().all(|m| match &m.seen {
            Seen::Part(window) => window.covers(),
            Seen::Steps(steps) => steps.covers(),
            Seen::Whole | Seen::At(_) | Seen::Reshaped(_) | Seen::Within => true,
        })
    }

    /// Returns the view as a tensor of its own. Dense if the base is and the view has something everywhere; else
    /// compressed, whatever the base's levels are.
    pub fn tensor(self, base: &Tensor) -> Tensor {
        let dense = self.sees_all() && base.levels.iter().all(|l| l.is_dense());
        let mode_order: Vec<usize> = base.mode_order.iter().flat_map(|&m| self.all_shown(m)).collect();
        Tensor {
            name: base.name.clone(),
            ty: base.ty,
            shape: self.shape(&base.shape),
            levels: vec![if dense { levels::DENSE } else { levels::COMPRESSED }; mode_order.len()],
            mode_order,
            fill: base.fill,
            nnz: base.nnz,
            runs: base.runs,
            prune: false,
            span: base.span.clone(),
            view: Some(self),
        }
    }
}

impl Kernel {
    /// Returns the tensor with the data of `t`: the base of a view, otherwise `t` itself.
    pub fn base(&self, t: TensorId) -> TensorId {
        self.tensor(t).view.as_ref().map_or(t, |view| view.base)
    }

    /// Returns the last statement before `n` that writes the data of `t`.
    pub fn written_before(&self, n: usize, t: TensorId) -> Option<usize> {
        let base = self.base(t);
        self.statements.iter().take(n).position(|s| s.result == base)
    }

    /// Returns an access in the syntax of kernel files, such as `T(i, j[2:4], 1)`. Places of slices in their
    /// index and results of shape operators, which the syntax does not have, are described in words.
    pub fn access_text(&self, t: TensorId, indices: &[VarId]) -> String {
        self.access_as(t, indices, |_, window, beside| beside.unwrap_or_else(|| format!("[{window}]")))
    }

    /// A read next to an index, ` + 1`, if the part of a mode of `size` is all that is there.
    fn beside(window: &Window, size: u64) -> Option<String> {
        let by = window.shift(size).filter(|_| !window.covers())?;
        Some(if by < 0 { format!(" - {}", by.unsigned_abs()) } else { format!(" + {by}") })
    }

    /// Returns an access for a message: in the syntax of kernel files only.
    pub fn access_told(&self, t: TensorId, indices: &[VarId]) -> String {
        let view = self.tensor(t).view.as_ref();
        match view.filter(|view| view.modes.iter().any(|m| matches!(m.seen, Seen::Steps(_)))) {
            Some(view) => format!("{}, reshaped or in other tiles,", self.tensor(view.base).name),
            None => self.access_as(t, indices, |mode, window, beside| {
                let all = window.from == Points::all(window.from.count());
                let part = || if all { String::new() } else { format!("[{}]", window.from) };
                // What is seen at a slice on the left is written without it.
                beside.filter(|_| mode.exact).unwrap_or_else(part)
            }),
        }
    }

    fn access_as(
        &self,
        t: TensorId,
        indices: &[VarId],
        part: impl Fn(&Mode, &Window, Option<String>) -> String,
    ) -> String {
        let tensor = self.tensor(t);
        let mut names = indices.iter().map(|&v| self.var(v).name.clone());
        let (mut text, mut items) = (tensor.name.clone(), Vec::new());
        for (view, m) in tensor.view.iter().flat_map(|view| (0..view.modes.len()).map(move |m| (view, m))) {
            match &view.modes[m].seen {
                Seen::Within => {}
                Seen::Whole => items.extend(names.next()),
                Seen::At(coordinate) => items.push(coordinate.to_string()),
                Seen::Part(window) => {
                    let beside = Self::beside(window, self.tensor(view.base).shape[m]);
                    let text = part(&view.modes[m], window, beside);
                    items.extend(names.next().map(|name| name + &text));
                }
                Seen::Reshaped(sizes) => {
                    for _ in view.reshaped(m).skip(1) {
                        text = format!("collapse({text}, {})", items.len());
                    }
                    for k in 1..sizes.len() {
                        let inner: u64 = sizes[k..].iter().product();
                        text = format!("split({text}, {}, {inner})", items.len() + k - 1);
                    }
                    items.extend(names.by_ref().take(sizes.len()));
                }
                Seen::Steps(steps) => {
                    text = format!("{steps}").replacen('_', &text, 1);
                    items.extend(names.by_ref().take(steps.shape.len()));
                }
            }
        }
        items.extend(names);
        if items.is_empty() { text } else { format!("{text}({})", items.join(", ")) }
    }
}

impl Kernel {
    /// Returns the variable with the coordinates of mode `mode` of the base of `t` in the access `t(indices)`: that of
    /// its index, or the mode's own where the access is a view of a part of it.
    pub fn mode_variable(&self, t: TensorId, indices: &[VarId], mode: usize) -> Option<VarId> {
        match &self.tensor(t).view {
            None => indices.get(mode).copied(),
            Some(view) => match view.modes.get(mode)?.dim {
                Some(dim) => Some(dim),
                None => indices.get(view.shown(mode)?).copied(),
            },
        }
    }
}
