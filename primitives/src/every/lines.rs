//! Lines of Verilog have at most 120 columns, as those of Rust.

use std::path::Path;

const COLUMNS: usize = 120;

/// Lines of the Verilog below `folder` that are too long.
fn long_lines(folder: &Path, found: &mut Vec<String>) {
    for path in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            long_lines(&path, found);
        } else if name.ends_with(".v") || name.ends_with(".vh") {
            let text = std::fs::read_to_string(&path).unwrap();
            let long = text.lines().enumerate().filter(|(_, l)| l.chars().count() > COLUMNS);
            found.extend(long.map(|(k, _)| format!("{}:{}", path.display(), k + 1)));
        }
    }
}

#[test]
fn no_line_of_verilog_is_too_long() {
    let mut found = Vec::new();
    long_lines(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")), &mut found);
    assert!(found.is_empty(), "more than {COLUMNS} columns:\n{}", found.join("\n"));
}
