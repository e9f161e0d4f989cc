//! Cells of primitives on pages are those that `samhw-bench sizes` counts: of a row that is drawn, with `SAMHW_FULL=1` of
//! all. Cells and clocks of units of arithmetic are those of `samhw-bench units`, and those of primitives with clocks
//! are those of `samhw primitives`: with `SAMHW_FULL=1`, of a row that is drawn, since each takes half a minute of place
//! and route.

use samhw_fpga::alone::items;
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

/// A row's name: of a table with a column of bits both.
fn named(cells: &[String], heads: &[String]) -> String {
    match heads.get(1).is_some_and(|head| head == "bits") {
        true => format!("{}, {} bits", cells[0], cells[1]),
        false => cells[0].clone(),
    }
}

/// The rows of all tables on a page whose head begins with the command.
fn rows(command: &str, page: &str, text: &str) -> Vec<Row> {
    let head = format!("`{command}`");
    let cells =
        |line: &str| -> Vec<String> { line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect() };
    let (mut heads, mut out) = (Vec::new(), Vec::new());
    for line in text.lines() {
        match cells(line) {
            _ if !line.starts_with('|') => heads.clear(),
            found if found[0] == head => heads = found,
            found if !heads.is_empty() && !found[0].starts_with('-') => out.push(Row {
                page: page.into(),
                name: named(&found, &heads),
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
    let (mut files, mut all) = (Vec::new(), Vec::new());
    files.extend(fs::read_dir(root.join("docs")).unwrap().map(|e| e.unwrap().path()).filter(|path| path.is_file()));
    pages(&root.join("primitives/src"), &mut files);
    for file in files {
        let page = file.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        all.extend(rows(command, &page, &fs::read_to_string(file).unwrap()));
    }
    all
}

/// What the command prints of primitives whose names contain this.
fn counted(command: &str, only: &str) -> Option<Vec<Vec<String>>> {
    printed(Path::new(env!("CARGO_BIN_EXE_samhw-bench")), &[command, only])
}

/// The cells of a table that a program prints.
fn printed(program: &Path, args: &[&str]) -> Option<Vec<Vec<String>>> {
    let out = Command::new(program).args(args).output().unwrap();
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

/// What `samhw primitives` measures of primitives whose names contain this, with the heads and the whole MHz of pages.
fn placed(only: &str) -> Option<Vec<Vec<String>>> {
    let samhw = Path::new(env!("CARGO_BIN_EXE_samhw-bench")).with_file_name("samhw");
    let table = printed(&samhw, &["primitives", only])?;
    let heads = ["primitive", "bits", "LUT4", "LUTs", "FF", "block RAMs", "MHz"];
    let whole = |cell: &String| match cell.parse::<f64>() {
        Ok(number) => number.round().to_string(),
        Err(_) => cell.clone(),
    };
    let rows = table.iter().skip(1).map(|line| line.iter().take(heads.len()).map(whole).collect());
    Some(std::iter::once(heads.map(String::from).to_vec()).chain(rows).collect())
}

/// What is wrong with a row; columns that the page leaves out are 0.
fn wrong(row: &Row, table: &[Vec<String>]) -> Option<String> {
    let Some(counted) = table.iter().skip(1).find(|line| named(line, &table[0]) == row.name) else {
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
    let all = all("samhw-bench sizes");
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
    let mut all = all("samhw-bench units");
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
fn clocks_of_pages_are_those_that_are_measured() {
    let mut all = all("samhw primitives");
    assert!(all.len() > 50, "{} rows", all.len());
    let items = items().unwrap();
    let is_listed = |name: &str| [16, 32].iter().any(|w| items.iter().any(|i| format!("{}, {w} bits", i.name) == name));
    let unknown: Vec<&Row> = all.iter().filter(|row| !is_listed(&row.name)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    if env::var_os("SAMHW_FULL").is_none() {
        return;
    }
    let row = all.swap_remove(Rng::new(seed()).below(all.len() as u64) as usize);
    println!("{row:?}");
    let (name, _) = row.name.rsplit_once(", ").unwrap();
    let Some(table) = placed(name) else { return };
    assert_eq!(wrong(&row, &table), None);
}

#[test]
fn a_wrong_cell_is_found() {
    let page =
        "| `samhw-bench sizes` | LUT4 | FF |\n|---|---|---|\n| x, of 2 | 5 | 7 |\n\n| other | LUT4 |\n| x | 1 |\n";
    let [row] = &rows("samhw-bench sizes", "x", page)[..] else { panic!("one row") };
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
