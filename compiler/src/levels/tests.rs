//! What must hold of every format.

use super::*;
use std::collections::BTreeSet;
use std::path::Path;

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

/// Files below `folder` that are no tests, with their text.
fn sources(folder: &Path, out: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the repository").flatten() {
        let path = entry.path();
        let name = path.to_string_lossy().replace('\\', "/");
        if path.is_dir() && !name.ends_with("/tests") {
            sources(&path, out);
        } else if name.ends_with(".rs") && !name.ends_with("/tests.rs") {
            out.push((name, std::fs::read_to_string(&path).expect("text")));
        }
    }
}

/// CONTRIBUTING.md names every file that knows one format from another, and no file that does not.
#[test]
fn the_list_of_places_of_a_format_is_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = std::fs::read_to_string(root.join("CONTRIBUTING.md")).expect("CONTRIBUTING.md");
    let section = text.split("## Adding a level format").nth(1).and_then(|rest| rest.split("\n## ").next());
    let listed: BTreeSet<&str> = section.expect("a section").split('`').filter(|word| word.contains('/')).collect();
    let mut files = Vec::new();
    for folder in ["compiler/src", "sim/src", "src", "fpga/src", "testing/src"] {
        sources(&root.join(folder), &mut files);
    }
    for (name, text) in &files {
        let name = name.rsplit_once("../").map_or(name.as_str(), |(_, name)| name);
        let code = || text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let knows = ["Part::Way(", "StoredAs::", "ReadAs::", "Lookup::Table", "levels::HASH"];
        let knows = code().any(|line| knows.iter().any(|word| line.contains(word)));
        let own = name.starts_with("compiler/src/levels/");
        assert!(!knows || own || listed.contains(name), "{name} is not in the list of CONTRIBUTING.md");
        let compares = |line: &str| line.contains("= levels::") && (line.contains("==") || line.contains("!="));
        let random = name.starts_with("testing/src/");
        assert!(random || !code().any(compares), "{name} compares a format: ask a method of LevelFormat");
    }
    for name in listed {
        assert!(name.contains("NAME") || root.join(name).exists(), "{name} of CONTRIBUTING.md is not there");
    }
    assert!(section.is_some_and(|s| s.lines().filter(|line| line.starts_with("- `")).count() <= 12));
}
