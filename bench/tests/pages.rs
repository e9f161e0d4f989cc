//! Tables of the documentation are those that the benchmark's commands print. `SAMHW_BLESS=1` writes those that a page
//! shows as they are printed; `SAMHW_FULL=1` also runs commands that take a minute.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

/// Commands with the page that has their tables as they are printed, and whether they take long.
const TABLES: [(&str, &str, bool); 8] = [
    ("cycles", "benchmarks.md", false),
    ("structure", "benchmarks.md", false),
    ("fusion", "benchmarks.md", false),
    ("table1", "benchmarks.md", false),
    ("shapes", "benchmarks.md", false),
    ("programs", "benchmarks.md", true),
    ("axi", "benchmarks.md", true),
    ("copies", "copies.md", true),
];

/// Commands with the page that shows their numbers in another layout, a part of the table's text, and whether they
/// take long.
const ROWS: [(&str, &str, &str, bool); 3] = [
    ("vectors", "benchmarks.md", "SAM 2 copies", false),
    ("skip", "skipping.md", "alone  skipping", true),
    ("skip", "wide.md", "wide at k", true),
];

/// A line with single spaces: columns may be wider on the page.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn left_out(long: bool) -> bool {
    long && env::var_os("SAMHW_FULL").is_none()
}

fn printed(name: &str) -> Option<String> {
    let out = Command::new(env!("CARGO_BIN_EXE_samhw-bench")).arg(name).output().unwrap();
    let printed = String::from_utf8(out.stdout).unwrap();
    if printed.lines().count() <= 2 {
        eprintln!("skipped: {name} found no inputs");
        return None;
    }
    Some(printed)
}

fn page(name: &str) -> (PathBuf, String) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name);
    let text = fs::read_to_string(&path).unwrap();
    (path, text)
}

fn blocks(text: &str) -> Vec<&str> {
    text.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn tables_are_those_that_commands_print() {
    let bless = env::var_os("SAMHW_BLESS").is_some();
    for (name, file, long) in TABLES {
        if left_out(long) {
            continue;
        }
        let Some(printed) = printed(name) else { continue };
        let lines: Vec<&str> = printed.lines().collect();
        // A table begins where there is nothing in front of it.
        let heads: Vec<usize> = (0..lines.len()).filter(|&n| n == 0 || lines[n - 1].trim().is_empty()).collect();
        let (path, before) = page(file);
        let (mut text, mut found) = (before.clone(), 0);
        for block in blocks(&before) {
            let Some(header) = block.lines().next().map(line) else { continue };
            let Some(&head) = heads.iter().find(|&&n| line(lines[n]) == header) else { continue };
            let now = lines[head..].iter().take(block.lines().count());
            let now: String = now.map(|line| format!("{}\n", line.trim_end())).collect();
            found += 1;
            if block.lines().map(line).ne(now.lines().map(line)) {
                assert!(bless, "docs/{file}, {name}: run this with SAMHW_BLESS=1\n{now}");
                text = text.replace(block, &now);
            }
        }
        assert!(found > 0, "docs/{file} has no table of {name}");
        if text != before {
            fs::write(&path, text).unwrap();
        }
    }
}

/// Numbers of a text, without signs of thousands.
fn numbers(text: &str) -> BTreeSet<String> {
    let number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit()).then(|| word.replace(',', ""));
    text.split_whitespace().filter_map(number).collect()
}

#[test]
fn numbers_of_other_tables_are_those_that_commands_print() {
    for (name, file, part, long) in ROWS {
        if left_out(long) {
            continue;
        }
        let Some(printed) = printed(name) else { continue };
        let (_, text) = page(file);
        let block = blocks(&text).into_iter().find(|b| b.contains(part));
        let block = block.unwrap_or_else(|| panic!("docs/{file} has no table with `{part}`"));
        let mut rows = 0;
        for row in block.lines() {
            // A row's name ends at two spaces, or at what is said of it.
            let label = row.split("  ").next().unwrap_or(row).split(',').next().unwrap_or(row).trim();
            let of: Vec<&str> = printed.lines().filter(|l| !label.is_empty() && l.starts_with(label)).collect();
            // Headers have none.
            let there = numbers(&of.join(" "));
            if there.is_empty() {
                continue;
            }
            rows += 1;
            let wrong: Vec<String> = numbers(&row[label.len()..]).into_iter().filter(|n| !there.contains(n)).collect();
            assert!(wrong.is_empty(), "docs/{file}, {label}: {wrong:?} are none of\n{}", of.join("\n"));
        }
        assert!(rows > 2, "docs/{file}: the table with `{part}` has no row that {name} prints");
    }
}
