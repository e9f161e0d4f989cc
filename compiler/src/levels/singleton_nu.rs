//! `singleton_nu`: a singleton whose coordinate may repeat in neighbouring positions (the inner
//! levels of a coordinate list).

use super::{KeyWidths, LevelFormat, Most, Part, StoredAs, singleton};

#[derive(Debug)]
pub(super) struct SingletonNu;

impl LevelFormat for SingletonNu {
    fn name(&self) -> &'static str {
        "singleton_nu"
    }

    fn elsewhere(&self) -> &'static [&'static str] {
        &["singleton-nonunique"]
    }

    fn stored_as(&self) -> StoredAs {
        StoredAs::Single
    }

    fn arrays(&self, l: usize, _widths: KeyWidths) -> Vec<Part> {
        vec![Part::Crd(l)]
    }

    fn layout(&self) -> &'static str {
        singleton::LAYOUT
    }

    fn is_singleton(&self) -> bool {
        true
    }

    fn repeats(&self) -> bool {
        true
    }

    fn is_unique(&self) -> bool {
        false
    }

    fn positions(&self, most: &Most) -> u64 {
        most.above
    }
}
