//! A walk over the bits of words: model of `samhw_word_walk`.

/// Width of a group in bits: a word is walked over group by group.
const GROUP: u32 = 4;

/// The word with its lowest bit gone.
#[inline]
fn rest(bits: u64) -> u64 {
    bits & bits.wrapping_sub(1)
}

/// A bit of a word, or that it has none.
#[derive(Debug, Clone, Copy)]
pub(super) struct WordStep<T> {
    pub of: T,
    pub index: u32,
    /// No other bit of the word follows.
    pub over: bool,
}

/// A word whose groups are walked over, and a group whose bits are.
#[derive(Debug)]
pub(super) struct WordWalk<T> {
    word: Option<(T, u64)>,
    /// With whether it is the word's last.
    group: Option<(T, u64, bool)>,
}

impl<T: Copy> WordWalk<T> {
    pub fn new() -> Self {
        Self { word: None, group: None }
    }
    /// Returns the current step.
    #[inline]
    pub fn offer(&self) -> Option<WordStep<T>> {
        let (of, bits, last) = self.group?;
        let index = if bits == 0 { 0 } else { bits.trailing_zeros() };
        Some(WordStep { of, index, over: last && rest(bits) == 0 })
    }
    /// Simulates a clock edge; `taken` says whether the current step was taken. Returns whether anything moved.
    #[inline]
    pub fn tick(&mut self, taken: bool) -> bool {
        if taken {
            self.group = self.group.map(|(of, bits, last)| (of, rest(bits), last)).filter(|g| g.1 != 0);
        }
        let (None, Some((of, bits))) = (&self.group, self.word) else { return taken };
        let at = bits.trailing_zeros().min(u64::BITS - 1) / GROUP * GROUP;
        let group = bits & ((1 << GROUP) - 1) << at;
        let left = bits & !group;
        self.group = Some((of, group, left == 0));
        self.word = (left != 0).then_some((of, left));
        true
    }
    /// Returns whether there is room for a word, after the edge of [`Self::tick`].
    #[inline]
    pub fn ready(&self) -> bool {
        self.word.is_none()
    }
    /// Adds the next word.
    #[inline]
    pub fn put(&mut self, of: T, bits: u64) {
        self.word = Some((of, bits));
    }
}
