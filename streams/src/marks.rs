//! Sets of small numbers that engines update on every clock edge.

/// A set of numbers below a bound, stored as a byte per number so that additions are independent stores.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    words: Vec<[u8; 8]>,
}

impl Marks {
    /// Creates the set of the positions at which `members` is true.
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
    /// Creates an empty set or a full one, for numbers below `bound`.
    pub fn new(bound: usize, member: bool) -> Self {
        Self::of((0..bound).map(|_| member))
    }
    /// Adds `k` to the set.
    #[inline]
    pub fn add(&mut self, k: usize) {
        self.words[k / 8][k % 8] = 1;
    }
    /// Adds `k` to the set or removes it.
    #[inline]
    pub fn set(&mut self, k: usize, member: bool) {
        self.words[k / 8][k % 8] = u8::from(member);
    }
    /// Returns whether `k` is a member.
    #[inline]
    pub fn has(&self, k: usize) -> bool {
        self.words[k / 8][k % 8] != 0
    }
    /// Returns whether the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|w| *w == [0; 8])
    }
    /// Returns the number of words of eight members.
    #[inline]
    pub fn words(&self) -> usize {
        self.words.len()
    }
    /// Returns members `8 * w` to `8 * w + 7`.
    #[inline]
    pub fn word(&self, w: usize) -> Eight {
        Eight(u64::from_le_bytes(self.words[w]))
    }
    /// Returns members `8 * w` to `8 * w + 7` and removes them.
    #[inline]
    pub fn take(&mut self, w: usize) -> Eight {
        Eight(u64::from_le_bytes(std::mem::take(&mut self.words[w])))
    }
}

/// Membership of eight numbers, in the lowest bit of a byte each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Eight(u64);

impl Eight {
    /// Returns the intersection.
    #[inline]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
    /// Returns the union.
    #[inline]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    /// Returns whether number `k` of the eight is a member.
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
