//! `linked_list`: for each position above, which is one of dense levels, a list of coordinates in the order of writing.
//! Only the core has it: one statement writes it, later ones read it. The loops over what is above it may come in any
//! order; a list is written by the loop over its own index, so that its coordinates ascend.

use super::{KeyWidths, LevelFormat, Part, StoredAs};

#[derive(Debug)]
pub(super) struct LinkedList;

impl LevelFormat for LinkedList {
    fn name(&self) -> &'static str {
        "linked_list"
    }

    fn elsewhere(&self) -> &'static [&'static str] {
        &["linkedlist", "list"]
    }

    fn stored_as(&self) -> StoredAs {
        StoredAs::Lists
    }

    fn arrays(&self, l: usize, _widths: KeyWidths) -> Vec<Part> {
        vec![Part::Ends(l), Part::Next(l), Part::Crd(l)]
    }

    fn layout(&self) -> &'static str {
        "`linked_list`: coordinates in the order of writing. A position above has in ends\\[p\\] the place of its first one in the low half, and above it \
         the place behind its last one, 0 if it has none; next\\[q\\] is the place of the coordinate that follows the one at place q."
    }

    fn drawn(&self, _segments: bool) -> (&'static str, &'static str) {
        ("lists of coordinates", "lists")
    }

    fn is_linked(&self) -> bool {
        true
    }

    fn can_be_dealt(&self) -> bool {
        false
    }
}
