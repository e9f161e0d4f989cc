//! Expected sizes of a stream.

/// The lists of a stream at one depth.
#[derive(Debug, Clone, Copy)]
pub(super) struct Depth {
    /// Number of different leaves that a list can have.
    pub size: f64,
    /// Number of leaves in all lists.
    pub leaves: f64,
    /// Number of lists without a leaf.
    pub empty: f64,
}

/// A stream: how long it is, and how much of it is there.
#[derive(Debug, Clone)]
pub(super) struct Flow {
    /// Lists of the stream, outermost first.
    pub depths: Vec<Depth>,
    /// Probability that a leaf is not N.
    pub present: f64,
}

/// Returns the probability that one of `n` is there where each is with probability `p`.
pub(super) fn any(p: f64, n: f64) -> f64 {
    if n > 0.0 { -(n * (-p.clamp(0.0, 1.0)).ln_1p()).exp_m1() } else { 0.0 }
}

/// Returns a / b, or 0 if b is 0.
pub(super) fn ratio(a: f64, b: f64) -> f64 {
    if b > 0.0 { a / b } else { 0.0 }
}

impl Flow {
    /// Creates a stream of one leaf without lists.
    pub fn root() -> Self {
        Self { depths: Vec::new(), present: 1.0 }
    }
    /// Returns the number of leaves at a depth; 1 at depth 0.
    pub fn leaves_at(&self, depth: usize) -> f64 {
        depth.checked_sub(1).and_then(|d| self.depths.get(d)).map_or(1.0, |d| d.leaves)
    }
    /// Returns the number of leaves.
    pub fn leaves(&self) -> f64 {
        self.leaves_at(self.depths.len())
    }
    /// Returns the number of innermost lists.
    pub fn lists(&self) -> f64 {
        self.leaves_at(self.depths.len().saturating_sub(1))
    }
    /// Returns the number of cycles of the stream, in which an empty list takes one too.
    pub fn beats(&self) -> f64 {
        self.leaves() + self.depths.iter().map(|d| d.empty).sum::<f64>()
    }
    /// Returns the share of innermost lists that are not empty.
    pub fn filled(&self) -> f64 {
        let empty = self.depths.last().map_or(0.0, |d| d.empty);
        1.0 - ratio(empty, self.lists())
    }
    /// Returns the probability that a list has a given leaf.
    pub fn density(&self) -> f64 {
        let size = self.depths.last().map_or(1.0, |d| d.size);
        ratio(self.leaves(), self.lists() * size).min(1.0)
    }
    /// Returns the same lists with another probability of present leaves.
    pub fn with(&self, present: f64) -> Self {
        Self { depths: self.depths.clone(), present: present.clamp(0.0, 1.0) }
    }
    /// Adds lists of `mean` of `size` leaves below each present leaf; a share `filled` of them is not empty.
    pub fn below(&self, size: f64, mean: f64, filled: f64) -> Self {
        let (n, there) = (self.leaves(), self.leaves() * self.present);
        let mut depths = self.depths.clone();
        depths.push(Depth { size, leaves: there * mean, empty: (n - there * filled).max(0.0) });
        Self { depths, present: 1.0 }
    }
    /// Removes the innermost lists: each becomes a leaf, which is present if any of its leaves is.
    pub fn reduced(&self) -> Self {
        let mut depths = self.depths.clone();
        depths.pop();
        let filled = self.filled();
        let mean = ratio(ratio(self.leaves(), self.lists()), filled);
        Self { depths, present: filled * any(self.present, mean) }
    }
    /// Keeps a share of the leaves.
    pub fn thinned(&self, part: f64) -> Self {
        let lists = self.lists();
        let (filled, mut out) = (self.filled(), self.with(1.0));
        if let Some(d) = out.depths.last_mut() {
            let mean = ratio(ratio(d.leaves, lists), filled);
            d.leaves *= part;
            d.empty = lists * (1.0 - filled * any(part, mean));
        }
        out
    }
}
