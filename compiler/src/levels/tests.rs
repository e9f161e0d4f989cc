//! What must hold of every format.

use super::*;
use std::collections::BTreeSet;

#[test]
fn no_word_means_two_formats() {
    let mut seen = BTreeSet::new();
    for kind in ALL {
        for word in [kind.name()].iter().chain(kind.aliases()).chain(kind.elsewhere()) {
            assert!(seen.insert(*word), "{word}");
        }
    }
}

#[test]
fn what_can_be_looked_up_has_each_coordinate_once() {
    for kind in ALL {
        assert!(!kind.is_searchable() || kind.is_unique(), "{kind:?}");
        assert!(!kind.repeats() || !kind.is_unique(), "{kind:?}");
        assert!(!kind.shares_positions() || kind.in_runs(), "{kind:?}");
    }
}

#[test]
fn kinds_that_levels_become_can_stand_there() {
    for kind in ALL {
        assert_eq!(kind.above_others().and_then(|k| k.above_others()), None, "{kind:?}");
        assert_eq!(kind.between_singletons().and_then(|k| k.between_singletons()), None, "{kind:?}");
    }
}
