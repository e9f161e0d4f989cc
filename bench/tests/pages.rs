//! Tables of the documentation are those that the benchmark's commands print. `SAMHW_BLESS=1` writes them.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Commands whose cycles are counted within seconds, with the page that has their table.
const TABLES: [(&str, &str); 4] = [
    ("cycles", "benchmarks.md"),
    ("structure", "benchmarks.md"),
    ("fusion", "benchmarks.md"),
    ("table1", "benchmarks.md"),
];

/// A line with single spaces: columns may be wider on the page.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn tables_are_those_that_commands_print() {
    let bless = env::var_os("SAMHW_BLESS").is_some();
    for (name, page) in TABLES {
        let out = Command::new(env!("CARGO_BIN_EXE_samhw-bench")).arg(name).output().unwrap();
        let printed = String::from_utf8(out.stdout).unwrap();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(page);
        let text = fs::read_to_string(&path).unwrap();
        let Some(header) = printed.lines().next().filter(|_| printed.lines().count() > 2) else {
            eprintln!("skipped: {name} found no inputs");
            continue;
        };
        let mut blocks = text.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next());
        let block = blocks.find(|block| block.lines().next().map(line) == Some(line(header)));
        let block = block.unwrap_or_else(|| panic!("docs/{page} has no table of {name}"));
        let lines = block.lines().count();
        let now: String = printed.lines().take(lines).map(|line| format!("{}\n", line.trim_end())).collect();
        let same = block.lines().map(line).eq(now.lines().map(line));
        if bless && !same {
            fs::write(&path, text.replace(block, &now)).unwrap();
        }
        assert!(same || bless, "docs/{page}, {name}: run this with SAMHW_BLESS=1\n{now}");
    }
}
