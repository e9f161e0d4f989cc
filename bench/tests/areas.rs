//! Cells of primitives on pages are those that `samhw-bench sizes` counts: of a row that is drawn, with `SAMHW_FULL=1` of
//! all. Cells and clocks of units of arithmetic are those of `samhw-bench units`: with `SAMHW_FULL=1`, of a row that is
//! drawn, since each takes half a minute of place and route.

use samhw_testing::drawn::{drawn, seed};
use samhw_values::Rng;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// A row of a page: its name, and the cells of its table's other columns with their heads.
#[derive(Debug, Clone)]
struct Row {
    page: String,
    name: String,
    cells: Vec<(String, String)>,
}

fn pages(folder: &Path, out: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        if path.is_dir() {
            pages(&path, out);
        } else if path.ends_with("README.md") {
            out.push(path);
        }
    }
}

/// The rows of all tables on a page whose head begins with the command.
fn rows(command: &str, page: &str, text: &str) -> Vec<Row> {
    let head = format!("`samhw-bench {command}`");
    let cells =
        |line: &str| -> Vec<String> { line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect() };
    let (mut heads, mut out) = (Vec::new(), Vec::new());
    for line in text.lines() {
        match cells(line) {
            _ if !line.starts_with('|') => heads.clear(),
            found if found[0] == head => heads = found,
            found if !heads.is_empty() && !found[0].starts_with('-') => out.push(Row {
                page: page.into(),
                name: found[0].clone(),
                cells: heads.iter().cloned().zip(found).skip(1).collect(),
            }),
            _ => {}
        }
    }
    out
}

/// The rows of all pages.
fn all(command: &str) -> Vec<Row> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut files, mut all) = (vec![root.join("docs/arithmetic.md")], Vec::new());
    pages(&root.join("primitives/src"), &mut files);
    for file in files {
        let page = file.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        all.extend(rows(command, &page, &fs::read_to_string(file).unwrap()));
    }
    all
}

/// What the command prints of primitives whose names contain this.
fn counted(command: &str, only: &str) -> Option<Vec<Vec<String>>> {
    let out = Command::new(env!("CARGO_BIN_EXE_samhw-bench")).args([command, only]).output().unwrap();
    let printed = String::from_utf8(out.stdout).unwrap();
    if printed.is_empty() {
        let why = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(env::var_os("SAMHW_REQUIRE_TOOLS").is_none(), "{why}");
        eprintln!("skipped: {why}");
        return None;
    }
    let cells = |line: &str| line.split("  ").map(|c| c.trim().to_string()).filter(|c| !c.is_empty()).collect();
    Some(printed.lines().map(cells).collect())
}

/// What is wrong with a row; columns that the page leaves out are 0.
fn wrong(row: &Row, table: &[Vec<String>]) -> Option<String> {
    let Some(counted) = table.iter().skip(1).find(|line| line[0] == row.name) else {
        return Some(format!("{}: the command has no row `{}`", row.page, row.name));
    };
    // Behind the cells come their sum and its limit.
    let kinds = table[0].iter().zip(counted).skip(1).take_while(|(head, _)| !head.contains('+'));
    let shown = |head: &String| row.cells.iter().find(|(h, _)| h == head).map_or("0", |(_, cell)| cell.as_str());
    let other: Vec<String> = kinds.filter(|(head, n)| shown(head) != **n).map(|(h, n)| format!("{h} {n}")).collect();
    (!other.is_empty()).then(|| format!("{}, {}: {}", row.page, row.name, other.join(", ")))
}

#[test]
fn cells_of_pages_are_those_that_are_counted() {
    let all = all("sizes");
    assert!(all.len() > 50, "{} rows", all.len());
    let found: Vec<String> = if env::var_os("SAMHW_FULL").is_some() {
        let Some(table) = counted("sizes", "") else { return };
        all.iter().filter_map(|row| wrong(row, &table)).collect()
    } else {
        let row = drawn(all, 1).remove(0);
        let Some(table) = counted("sizes", &row.name) else { return };
        wrong(&row, &table).into_iter().collect()
    };
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn units_of_pages_are_those_that_are_measured() {
    let mut all = all("units");
    assert!(all.len() > 30, "{} rows", all.len());
    if env::var_os("SAMHW_FULL").is_none() {
        return;
    }
    let seed = seed();
    let row = all.swap_remove(Rng::new(seed).below(all.len() as u64) as usize);
    println!("{row:?}");
    let Some(table) = counted("units", &row.name) else { return };
    assert_eq!(wrong(&row, &table), None);
}

#[test]
fn a_wrong_cell_is_found() {
    let page =
        "| `samhw-bench sizes` | LUT4 | FF |\n|---|---|---|\n| x, of 2 | 5 | 7 |\n\n| other | LUT4 |\n| x | 1 |\n";
    let [row] = &rows("sizes", "x", page)[..] else { panic!("one row") };
    let table = |cells: [&str; 6]| {
        [["primitive", "LUT4", "FF", "DP16KD", "LUT4+2*CCU2C", "limit"], cells]
            .map(|row| row.map(String::from).to_vec())
    };
    assert_eq!(wrong(row, &table(["x, of 2", "5", "7", "0", "5", "-"])), None);
    for cells in
        [["x, of 2", "6", "7", "0", "5", "-"], ["x, of 2", "5", "7", "1", "5", "-"], ["y", "5", "7", "0", "5", "-"]]
    {
        assert!(wrong(row, &table(cells)).is_some(), "{cells:?}");
    }
}
