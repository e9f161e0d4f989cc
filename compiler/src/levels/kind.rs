//! The kind of a level, and rules for levels below each other.

use super::{COMPRESSED, LevelFormat};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

/// The format of one level. All that is known of it: [`LevelFormat`].
#[derive(Clone, Copy)]
pub struct LevelKind(&'static dyn LevelFormat);

impl LevelKind {
    /// The kind of a format.
    pub(super) const fn of(format: &'static dyn LevelFormat) -> Self {
        Self(format)
    }

    /// Returns the format's name in kernel files.
    pub fn name(self) -> &'static str {
        self.0.name()
    }
}

impl Deref for LevelKind {
    type Target = dyn LevelFormat;

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl PartialEq for LevelKind {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for LevelKind {}

impl Hash for LevelKind {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for LevelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Replaces each level except the last one by a format that may have levels below it.
pub fn settle(levels: &mut [LevelKind]) {
    if let Some((_, outer)) = levels.split_last_mut() {
        outer.iter_mut().for_each(|level| *level = level.above_others().unwrap_or(*level));
    }
}

/// Returns the format for all levels of a tensor that is stored in another order than `levels` declares.
pub fn reordered(levels: &[LevelKind]) -> LevelKind {
    match levels.first() {
        Some(&first) if first.keeps_reordered() && levels.iter().all(|&l| l == first) => first,
        _ => COMPRESSED,
    }
}

/// Returns the number of singleton levels below the repeating level `l` that together describe one entry each: up to
/// the first whose coordinates do not repeat.
pub fn chain_below(levels: &[LevelKind], l: usize) -> usize {
    let below = &levels[l + 1..];
    let repeating = below.iter().take_while(|kind| kind.is_singleton() && kind.repeats()).count();
    repeating + usize::from(below.get(repeating).is_some_and(|kind| kind.is_singleton()))
}

/// Returns the first singleton level that does not belong to a chain below a repeating level.
pub fn lone_singleton(levels: &[LevelKind]) -> Option<usize> {
    let mut l = 0;
    while l < levels.len() {
        if levels[l].is_singleton() {
            return Some(l);
        }
        l += 1 + if levels[l].repeats() { chain_below(levels, l) } else { 0 };
    }
    None
}
