//! Steps of shape operators as streams: levels that are scanned, coordinates that are combined into one number, cut and
//! divided again. Entries keep their order ("Compilation of Shape Operators on Sparse Arrays", Root et al., OOPSLA
//! 2024, section 4).

use super::moved::Moved;
use super::{Points, ShapeStep, ShapeSteps, Window};

/// Most coordinates of modes that streams reshape: sizes are parameters of hardware, which are below 2^31.
const MOST_NUMBERED: u64 = 1 << 30;

/// A coordinate that is made of those of levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Number {
    /// The coordinate of a mode, or of a part of it.
    Level(usize, Option<Window>),
    /// Coordinates one below the other, row by row.
    Joined(Vec<Number>),
    /// A part.
    Cut(Box<Number>, Window),
}

/// Modes that are made of the same number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Digits {
    /// The number.
    pub number: Number,
    /// Sizes of the modes, outermost first.
    pub sizes: Vec<u64>,
    /// The part of the last mode, and how many coordinates that has of itself.
    pub cut: Option<(Window, u64)>,
}

/// Modes made by steps, as streams.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ShapeChain {
    /// The modes, as they follow one another in the stream.
    pub digits: Vec<Digits>,
    /// The mode of these that each mode of the result is.
    pub order: Vec<usize>,
    /// Triangles of the last two modes of the result: whether it is the upper one, and its offset.
    pub triangles: Vec<(bool, i64)>,
}

impl Digits {
    /// Returns the mode of the base, and the part of it, if nothing is reshaped.
    pub fn level(&self) -> Option<(usize, Option<&Window>)> {
        match &self.number {
            Number::Level(mode, window) if self.sizes.len() == 1 => Some((*mode, window.as_ref())),
            _ => None,
        }
    }

    /// Makes a part of a mode, by its number; false if streams cannot.
    fn part(&mut self, mode: usize, window: Window) -> bool {
        let last = mode + 1 == self.sizes.len();
        // Only levels can be read backwards.
        if !window.from.rise() && self.level().is_none_or(|(_, part)| part.is_some()) {
            return false;
        }
        let whole = std::mem::replace(&mut self.sizes[mode], window.size);
        match (&mut self.number, last) {
            (Number::Level(_, part @ None), true) if mode == 0 => *part = Some(window),
            (number, _) if mode == 0 => {
                let inner: u64 = self.sizes[1..].iter().product();
                let Some(window) = window.of_lists(inner) else { return false };
                *number = Number::Cut(Box::new(number.clone()), window);
            }
            (_, true) if self.cut.is_none() => self.cut = Some((window, whole)),
            _ => return false,
        }
        true
    }
}

impl Window {
    /// The window of a number, whose upper digit is this one's coordinate above `inner` others.
    fn of_lists(&self, inner: u64) -> Option<Self> {
        if inner == 1 {
            return Some(self.clone());
        }
        let times = |points: &Points| match *points {
            Points::Steps { first, step: 1, count } => {
                Some(Points::Steps { first: first * inner, step: 1, count: count * inner })
            }
            _ => None,
        };
        Some(Self { from: times(&self.from)?, to: times(&self.to)?, size: self.size * inner })
    }
}

impl ShapeSteps {
    /// Returns the streams that make the steps, if some do: reshaped modes and parts of modes, perhaps in another order
    /// and a triangle of them at the end.
    pub(crate) fn chain(&self) -> Option<ShapeChain> {
        let own = |(mode, &size)| Digits { number: Number::Level(mode, None), sizes: vec![size], cut: None };
        let digits = self.of.iter().enumerate().map(own).collect();
        let mut chain = ShapeChain { digits, order: Vec::new(), triangles: Vec::new() };
        let mut turned: Option<Vec<usize>> = None;
        for step in &self.steps {
            let fits = match step {
                // What is divided is cut behind the last division.
                ShapeStep::Triangle { upper, offset } => {
                    chain.triangles.push((*upper, *offset));
                    turned.is_none() || chain.digits.iter().all(|digits| digits.level().is_some())
                }
                _ if turned.is_some() || !chain.triangles.is_empty() => false,
                ShapeStep::Pieces { mode, pieces, size } => match pieces[..] {
                    [Moved { from, step, count: count @ 1.., to }] => {
                        let from = Points::Steps { first: from, step, count };
                        let to = Points::Steps { first: to, step: 1, count };
                        let (digits, mode) = chain.at(*mode)?;
                        chain.digits[digits].part(mode, Window { from, to, size: *size })
                    }
                    _ => false,
                },
                ShapeStep::Recount { mode, of, sizes } => chain.recount(*mode, of, sizes),
                ShapeStep::Transpose { modes } => {
                    turned = Some(modes.clone());
                    true
                }
                ShapeStep::Diagonal { offset, size } => chain.diagonal(*offset, *size),
                ShapeStep::OnDiagonal { offset, size } => chain.on_diagonal(*offset, *size),
                ShapeStep::Repeat { .. } => false,
            };
            // Lists that begin at any position are linked, and read forwards.
            let backwards = chain.backwards();
            if !fits || backwards.len() > 1 && backwards.contains(&(self.of.len() - 1)) {
                return None;
            }
        }
        chain.order = turned.unwrap_or_else(|| (0..self.shape.len()).collect());
        Some(chain)
    }

    /// Divides the steps in those that one chain of streams makes, and the others.
    pub(crate) fn cut(&self) -> (Self, Self) {
        let mut first = Self::begin(self.of.clone());
        let mut steps = self.steps.iter();
        for step in steps.clone() {
            let mut longer = first.clone();
            step.resize(&mut longer.shape);
            longer.steps.push(step.clone());
            if longer.chain().is_none() {
                break;
            }
            first = longer;
            steps.next();
        }
        let mut rest = Self::begin(first.shape.clone());
        for step in steps {
            step.resize(&mut rest.shape);
            rest.steps.push(step.clone());
        }
        (first, rest)
    }

    /// Returns the mode whose coordinates the first step repeats, how often, and the steps from what has them in a mode of
    /// its own behind that mode.
    pub(crate) fn spread(&self) -> Option<(usize, u64, Self)> {
        let [ShapeStep::Repeat { mode, times }, steps @ ..] = &self.steps[..] else { return None };
        let mut rest = Self::begin(self.of.clone());
        rest.of.insert(mode + 1, *times);
        rest.shape.clone_from(&rest.of);
        let of = rest.of[*mode..=mode + 1].to_vec();
        let sizes = vec![of.iter().copied().fold(1, u64::saturating_mul)];
        for step in std::iter::once(ShapeStep::Recount { mode: *mode, of, sizes }).chain(steps.iter().cloned()) {
            step.resize(&mut rest.shape);
            rest.steps.push(step);
        }
        Some((*mode, *times, rest))
    }

    /// Returns whether chains of streams can make the steps, one after another; `most`: lists that are stored where a
    /// mode is read backwards, or modes follow in another order.
    pub(crate) fn streams(&self, most: u64) -> bool {
        let lists = |shape: &[u64]| shape.iter().rev().skip(1).copied().fold(1, u64::saturating_mul);
        let mut rest = self.clone();
        while !rest.steps.is_empty() {
            if let Some((_, times, next)) = rest.spread() {
                if times == 0 {
                    return false;
                }
                rest = next;
                continue;
            }
            let (first, more) = rest.cut();
            let Some(chain) = first.chain().filter(|_| !first.steps.is_empty()) else { return false };
            let backwards = chain.backwards();
            let turned = !chain.order.is_sorted() && lists(&first.shape) > most;
            // A list itself is read from its end, those above begin at any position.
            let read = |level: usize| level + 1 == first.of.len() || lists(&first.of) <= most;
            if turned || !backwards.into_iter().all(read) {
                return false;
            }
            rest = more;
        }
        true
    }

    /// Returns steps with one piece at each mode, for each of the pieces; together they make what these make. `None`
    /// for more than `most`.
    pub(crate) fn by_piece(&self, most: usize) -> Option<Vec<Self>> {
        let mut all = vec![Vec::new()];
        for step in &self.steps {
            let each: Vec<ShapeStep> = match step {
                ShapeStep::Pieces { mode, pieces, size } if pieces.len() > 1 => {
                    let one = |&piece| ShapeStep::Pieces { mode: *mode, pieces: vec![piece], size: *size };
                    pieces.iter().map(one).collect()
                }
                step => vec![step.clone()],
            };
            if all.len() * each.len() > most {
                return None;
            }
            let longer = |steps: &Vec<ShapeStep>| {
                each.iter().map(|step| [&steps[..], std::slice::from_ref(step)].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        Some(all.into_iter().map(|steps| Self { steps, ..self.clone() }).collect())
    }
}

/// The first number on a diagonal of a matrix with this many columns, and how far the next one is.
fn first_on_diagonal(offset: i64, columns: u64) -> (u64, i64) {
    let far = offset.unsigned_abs();
    (if offset < 0 { far.saturating_mul(columns) } else { far }, columns as i64 + 1)
}

impl Number {
    /// Calls `look` for each level, with its part.
    pub fn each_level(&self, look: &mut impl FnMut(usize, Option<&Window>)) {
        match self {
            Self::Level(mode, window) => look(*mode, window.as_ref()),
            Self::Joined(numbers) => numbers.iter().for_each(|number| number.each_level(look)),
            Self::Cut(number, _) => number.each_level(look),
        }
    }
}

impl ShapeChain {
    /// Returns the levels that are read backwards.
    pub fn backwards(&self) -> Vec<usize> {
        let mut found = Vec::new();
        for digits in &self.digits {
            digits.number.each_level(&mut |level, window| {
                found.extend(window.is_some_and(|window| !window.from.rise()).then_some(level));
            });
        }
        found
    }

    /// Where mode `mode` is: its digits, and which of these it is.
    fn at(&self, mode: usize) -> Option<(usize, usize)> {
        let places =
            self.digits.iter().enumerate().flat_map(|(k, digits)| (0..digits.sizes.len()).map(move |d| (k, d)));
        places.clone().nth(mode)
    }

    /// The diagonal of the only two modes: of their numbers, each as far behind the one before as a row is long, and one
    /// more. False if streams cannot.
    fn diagonal(&mut self, offset: i64, size: u64) -> bool {
        let [rows, columns] = self.sizes()[..] else { return false };
        let (first, step) = first_on_diagonal(offset, columns);
        let window = Window { from: Points::Steps { first, step, count: size }, to: Points::all(size), size };
        let all = rows.saturating_mul(columns);
        size > 0 && self.recount(0, &[rows, columns], &[all]) && self.digits[0].part(0, window)
    }

    /// The only mode as a diagonal of a square matrix: the inverse.
    fn on_diagonal(&mut self, offset: i64, size: u64) -> bool {
        let (&[count], Some(all)) = (&self.sizes()[..], size.checked_mul(size)) else { return false };
        let (first, step) = first_on_diagonal(offset, size);
        let window = Window { from: Points::all(count), to: Points::Steps { first, step, count }, size: all };
        count > 0 && self.digits[0].part(0, window) && self.recount(0, &[all], &[size, size])
    }

    /// Sizes of all modes.
    fn sizes(&self) -> Vec<u64> {
        self.digits.iter().flat_map(|digits| digits.sizes.iter().copied()).collect()
    }

    /// Reshapes the modes from `mode` on, of sizes `of`; false if streams cannot.
    fn recount(&mut self, mode: usize, of: &[u64], sizes: &[u64]) -> bool {
        // A mode of size 1 that comes or goes is reshaped with one next to it.
        let beside = of.is_empty() || sizes.is_empty();
        let all = self.digits.iter().map(|digits| digits.sizes.len()).sum::<usize>();
        let (mut first, mut end, mut sizes) = (mode, mode + of.len(), sizes.to_vec());
        let size = |me: &Self, mode: usize| me.at(mode).map(|(digits, d)| me.digits[digits].sizes[d]);
        if beside && first > 0 {
            first -= 1;
            sizes.splice(0..0, size(self, first));
        } else if beside && end < all {
            sizes.extend(size(self, end));
            end += 1;
        }
        let (Some((from, before)), Some((to, last))) = (self.at(first), end.checked_sub(1).and_then(|m| self.at(m)))
        else {
            return false;
        };
        let (outer, inner) = (&self.digits[from].sizes[..before], &self.digits[to].sizes[last + 1..]);
        let sizes = [outer, &sizes, inner].concat();
        let total = sizes.iter().copied().fold(1, u64::saturating_mul);
        let parts = &self.digits[from..=to];
        if parts.iter().any(|digits| digits.cut.is_some()) || !(1..=MOST_NUMBERED).contains(&total) || sizes.is_empty()
        {
            return false;
        }
        let number = match parts {
            [only] => only.number.clone(),
            _ => Number::Joined(parts.iter().map(|d| d.number.clone()).collect()),
        };
        self.digits.splice(from..=to, [Digits { number, sizes, cut: None }]);
        true
    }
}
