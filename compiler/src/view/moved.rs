//! Ranges of coordinates that are moved, of which shape operators are made.

/// A range of coordinates that is moved: `count` coordinates from `from` in steps of `step` become consecutive
/// coordinates from `to` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Moved {
    /// First coordinate.
    pub from: u64,
    /// Difference of consecutive coordinates; never 0.
    pub step: i64,
    /// Number of coordinates.
    pub count: u64,
    /// New first coordinate.
    pub to: u64,
}

impl Moved {
    /// Coordinate `k` of it.
    pub(super) fn at(&self, k: u64) -> u64 {
        self.from.wrapping_add_signed(self.step.wrapping_mul(k as i64))
    }

    /// Returns the place of `coordinate`, if it is in the piece.
    pub(super) fn place(&self, coordinate: u64) -> Option<u64> {
        let far = i128::from(coordinate) - i128::from(self.from);
        let (k, rest) = (far / i128::from(self.step), far % i128::from(self.step));
        (rest == 0 && (0..i128::from(self.count)).contains(&k)).then(|| self.to + k as u64)
    }

    /// Composes this piece with `outer`, a piece of the same view: the coordinates that both select.
    pub(super) fn within(&self, outer: &Self) -> Option<Self> {
        let (lo, hi) = (i128::from(self.to), i128::from(self.to) + i128::from(self.count) - 1);
        let (from, step) = (i128::from(outer.from), i128::from(outer.step));
        let (near, far) = if step > 0 { (lo, hi) } else { (hi, lo) };
        // The first and the last k for which from + k * step lies in lo ..= hi.
        let up = |n: i128| n.div_euclid(step.abs()) + i128::from(n.rem_euclid(step.abs()) != 0);
        let first = up((near - from) * step.signum()).max(0);
        let last = ((far - from) * step.signum()).div_euclid(step.abs()).min(i128::from(outer.count) - 1);
        let count = u64::try_from(last - first + 1).ok().filter(|n| *n > 0)?;
        let inside = u64::try_from(from + first * step - lo).ok()?;
        let step = self.step * outer.step;
        Some(Self { from: self.at(inside), step, count, to: outer.to + first as u64 })
    }
}

/// Pieces of which one continues where the one before ends are one.
pub(super) fn joined(pieces: Vec<Moved>) -> Vec<Moved> {
    let mut all: Vec<Moved> = Vec::new();
    for piece in pieces {
        match all.last_mut() {
            Some(last)
                if last.to + last.count == piece.to
                    && (last.at(last.count) == piece.from
                        && (last.count == 1 || last.step == piece.step)
                        && (piece.count == 1 || last.step == piece.step)) =>
            {
                last.count += piece.count;
            }
            _ => all.push(piece),
        }
    }
    all
}
