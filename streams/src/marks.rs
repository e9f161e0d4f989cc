//! Sets of small numbers that engines keep while they clock.

/// A set of numbers below a bound: a byte each, so that adding one is a store that waits for no
/// other, in words of eight.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    words: Vec<[u8; 8]>,
}

impl Marks {
    /// The members of `0..` that `members` says, in order.
    pub fn of(members: impl Iterator<Item = bool>) -> Self {
        let mut words = Vec::new();
        for (k, member) in members.enumerate() {
            if k % 8 == 0 {
                words.push([0; 8]);
            }
            words[k / 8][k % 8] = u8::from(member);
        }
        Self { words }
    }
    /// No number, or every one, below `bound`.
    pub fn new(bound: usize, member: bool) -> Self {
        Self::of((0..bound).map(|_| member))
    }
    /// Adds `k`.
    #[inline]
    pub fn add(&mut self, k: usize) {
        self.words[k / 8][k % 8] = 1;
    }
    /// Makes `k` a member or not.
    #[inline]
    pub fn set(&mut self, k: usize, member: bool) {
        self.words[k / 8][k % 8] = u8::from(member);
    }
    /// Whether `k` is a member.
    #[inline]
    pub fn has(&self, k: usize) -> bool {
        self.words[k / 8][k % 8] != 0
    }
    /// Whether there is no member.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|w| *w == [0; 8])
    }
    /// Number of words.
    #[inline]
    pub fn words(&self) -> usize {
        self.words.len()
    }
    /// Members `8 * w` to `8 * w + 7`.
    #[inline]
    pub fn word(&self, w: usize) -> Eight {
        Eight(u64::from_le_bytes(self.words[w]))
    }
    /// The same; they are members no more.
    #[inline]
    pub fn take(&mut self, w: usize) -> Eight {
        Eight(u64::from_le_bytes(std::mem::take(&mut self.words[w])))
    }
}

/// Which of eight numbers are members: the lowest bit of a byte each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Eight(u64);

impl Eight {
    /// Members of both.
    #[inline]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
    /// Members of one of them, or of both.
    #[inline]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    /// Whether the `k`th is a member.
    #[inline]
    pub fn has(self, k: usize) -> bool {
        self.0 >> (8 * k) & 1 == 1
    }
}

impl Iterator for Eight {
    type Item = usize;
    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let k = self.0.trailing_zeros() / 8;
        self.0 &= self.0 - 1;
        Some(k as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_in_order_and_once() {
        let mut marks = Marks::new(20, false);
        for k in [19, 3, 8, 3, 0] {
            marks.add(k);
        }
        marks.set(8, false);
        assert!(marks.has(19) && !marks.has(8) && !marks.is_empty());
        let taken: Vec<usize> = (0..marks.words()).flat_map(|w| marks.take(w).map(move |k| 8 * w + k)).collect();
        assert!(marks.is_empty());
        assert_eq!((taken, marks), (vec![0, 3, 19], Marks::new(20, false)));
    }

    #[test]
    fn words_are_combined() {
        let (a, b) = (Marks::of([true, true, false].into_iter()), Marks::of([false, true, true].into_iter()));
        let (a, b) = (a.word(0), b.word(0));
        assert_eq!(a.and(b).collect::<Vec<_>>(), [1]);
        assert_eq!(a.or(b).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(b.has(2) && !b.has(0));
    }
}
