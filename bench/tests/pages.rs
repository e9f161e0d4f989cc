//! Tables of the documentation are those that the benchmark's commands print. `SAMHW_BLESS=1` writes those that a page
//! shows as they are printed; `SAMHW_FULL=1` also runs commands that take a minute.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

/// Commands with the page that has their tables as they are printed, and whether they take long.
const TABLES: [(&str, &str, bool); 15] = [
    ("cycles", "benchmarks.md", false),
    ("structure", "benchmarks.md", false),
    ("fusion", "benchmarks.md", false),
    ("table1", "benchmarks.md", false),
    ("shapes", "benchmarks.md", false),
    ("units cycles", "arithmetic.md", false),
    ("vectors", "benchmarks.md", false),
    ("vectors", "bitvectors.md", false),
    ("programs", "benchmarks.md", true),
    ("programs", "models.md", true),
    ("sizes", "benchmarks.md", true),
    ("tiles", "benchmarks.md", true),
    ("axi", "benchmarks.md", true),
    ("copies", "copies.md", true),
    ("width", "machines.md", true),
];

/// Commands with the page that shows their numbers in another layout, a part of the table's text, and whether they
/// take long.
const ROWS: [(&str, &str, &str, bool); 6] = [
    ("skip", "skipping.md", "alone  skipping", true),
    ("skip", "wide.md", "wide at k", true),
    ("structure", "runs.md", "dot product of runs", false),
    ("vectors", "bitvectors.md", "crd  split", false),
    ("vectors", "schedules.md", "split, SAM", false),
    ("figures", "schedules.md", "coiterating, fused", true),
];

/// Commands that measure time, with the page that has their table and its first column: of such a table the rows and
/// the columns with these heads are those that are printed. They take minutes, and need a built `samhw` next to them.
const TIMED: [(&str, &str, &str, &[&str]); 2] = [
    ("large", "benchmarks.md", "SpMV of ten million entries", &["cycles", "wanted"]),
    ("speed", "benchmarks.md", "what", &["wanted"]),
];

/// A line with single spaces: columns may be wider on the page.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn left_out(long: bool) -> bool {
    long && env::var_os("SAMHW_FULL").is_none()
}

fn printed(name: &str) -> Option<String> {
    printed_by(&name.split(' ').collect::<Vec<_>>())
}

fn printed_by(args: &[&str]) -> Option<String> {
    let out = Command::new(env!("CARGO_BIN_EXE_samhw-bench")).args(args).output().unwrap();
    let printed = String::from_utf8(out.stdout).unwrap();
    if printed.lines().count() <= 2 {
        eprintln!("skipped: {args:?} found no inputs");
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

/// A table's cells, without columns other than the first one and those with one of these heads.
fn columns(table: &str, heads: &[&str]) -> Vec<Vec<String>> {
    let cells = |line: &str| -> Vec<String> {
        line.split("  ").map(|cell| cell.trim().to_string()).filter(|cell| !cell.is_empty()).collect()
    };
    let mut lines = table.lines().map(cells);
    let header = lines.next().unwrap_or_default();
    let kept = |k: &usize| *k == 0 || header.get(*k).is_some_and(|head| heads.contains(&head.as_str()));
    // Lines behind the rows are of other lengths.
    let rows = lines.take_while(|row| row.len() >= header.len());
    std::iter::once(header.clone())
        .chain(rows)
        .map(|row| row.into_iter().enumerate().filter(|(k, _)| kept(k)).map(|(_, cell)| cell).collect())
        .collect()
}

#[test]
fn only_time_differs_from_what_commands_print() {
    let shown = "what  measured  wanted\na, b    1.2 s    <= 2  ok\nmedians of 5\n";
    assert_eq!(columns(shown, &["wanted"]), [["what", "wanted"], ["a, b", "<= 2"]]);
    for (name, file, first, heads) in TIMED {
        let (_, text) = page(file);
        let of = |text: &str| columns(text, heads);
        let block = blocks(&text).into_iter().find(|block| block.starts_with(first));
        let there = of(block.unwrap_or_else(|| panic!("docs/{file} has no table of {name}")));
        assert!(there.len() > 2 && there.iter().all(|row| row.len() > 1), "docs/{file}, {name}: {there:?}");
        if left_out(true) {
            continue;
        }
        let Some(printed) = printed(name) else { continue };
        let from = printed.find(first).unwrap_or_else(|| panic!("{name} prints no table with `{first}`:\n{printed}"));
        assert_eq!(there, of(&printed[from..]), "docs/{file}, {name}");
    }
}

/// Commands with the drawings of `docs/images` that they make, and whether they take long.
const DRAWINGS: [(&str, &[&str], bool); 5] = [
    ("figures", &["figure-11.svg", "figure-12.svg", "figure-13.svg"], false),
    ("structure", &["structure.svg"], false),
    ("tokens", &["figure-14.svg"], false),
    ("width", &["width-lanes.svg", "width-matrices.svg"], true),
    ("programs", &["fusion-cycles.svg", "fusion-bytes.svg", "fusion-area.svg"], true),
];

#[test]
fn drawings_are_those_that_commands_make() {
    let made = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("drawings");
    let images = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/images");
    for (name, drawings, long) in DRAWINGS {
        if left_out(long) {
            continue;
        }
        let Some(_) = printed_by(&[name, "--svg", &made.to_string_lossy()]) else { continue };
        for drawing in drawings {
            let [there, now] = [&images, &made].map(|folder| fs::read_to_string(folder.join(drawing)).unwrap());
            assert!(there == now, "{drawing} is old: samhw-bench {name} --svg docs/images");
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
