//! `singleton`: one coordinate per position of the level above.

use super::{KeyWidths, LevelFormat, LevelKind, Most, Part, SINGLETON_NU, StoredAs};

/// The meaning of the array of a singleton.
pub(super) const LAYOUT: &str = "`singleton`: one coordinate at each position of the level above, which it keeps.";

#[derive(Debug)]
pub(super) struct Singleton;

impl LevelFormat for Singleton {
    fn name(&self) -> &'static str {
        "singleton"
    }

    fn elsewhere(&self) -> &'static [&'static str] {
        &["q"]
    }

    fn stored_as(&self) -> StoredAs {
        StoredAs::Single
    }

    fn arrays(&self, l: usize, _widths: KeyWidths) -> Vec<Part> {
        vec![Part::Crd(l)]
    }

    fn layout(&self) -> &'static str {
        LAYOUT
    }

    fn is_singleton(&self) -> bool {
        true
    }

    fn is_unique(&self) -> bool {
        false
    }

    fn between_singletons(&self) -> Option<LevelKind> {
        Some(SINGLETON_NU)
    }

    fn positions(&self, most: &Most) -> u64 {
        most.above
    }
}
