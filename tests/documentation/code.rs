//! No block of code of a page escapes a test. Tutorials and pages of diagnostics are run as a whole; on
//! all other pages a block is
//!
//! | block | what is checked |
//! |---|---|
//! | `console` | run where the examples are: it prints what the page says |
//! | `sh` | commands and options of `samhw` exist, and so do other programs of the repository |
//! | `toml` | a kernel file, or a part of one, without an error that more declarations would not mend; words after
//! `toml` are tensors that are declared |
//! | `text` of a primitive | streams that are well formed, on ports of the page; `primitives/tests/pages` runs them |
//! | `text`, numbers | a command on the same page prints them |
//! | `python` | `python/tests/test_pages.py` runs it |
//! | `no_run` | Rust; `rtlsim/tests/page.rs` runs it |
//!
//! `SAMHW_BLESS=1` writes what commands print.

use crate::pages::{Block, Scratch, blocks};
#[cfg(target_os = "linux")]
use crate::tutorials::pictures;
use crate::{all, root};
use samhw_compiler::diag::Source;
use samhw_compiler::frontend::parse;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::sync::Arc;

/// Pages that other tests run, and pages that stay as they were made.
const ELSEWHERE: [&str; 5] =
    ["docs/tutorials/", "docs/diagnostics/", "docs/schedules-and-formats.md", "docs/decisions/", "docs/measurements/0"];

/// Blocks of text that no test can make, by page, with the reason.
const SHOWN: [(&str, &str); 3] = [
    ("docs/architecture.md", "a drawing"),
    ("docs/fpga.md", "the report of place and route, which takes minutes"),
    ("docs/guide.md", "the note of a run that takes a week"),
];

/// Programs that a page may call and that are no part of the repository.
const PROGRAMS: [&str; 11] =
    ["./NAME", "cargo", "cd", "pip", "python", "cc", "fusesoc", "git", "cp", "make", "samhw-bench"];

/// Codes of parts of a kernel file: something that the part uses is declared elsewhere.
const DECLARED_ELSEWHERE: [&str; 8] = ["K003", "K013", "K014", "K015", "E010", "E012", "E014", "E020"];

/// The blocks of a page, also those that are only indented.
fn every_block(page: &str) -> Vec<Block> {
    let mut out = blocks(page);
    let (mut fenced, mut list, mut before) = (false, false, "");
    for line in page.lines() {
        fenced ^= line.trim_start().starts_with("```");
        list = !fenced && (line.starts_with("- ") || line.starts_with(|c: char| c.is_ascii_digit()))
            || list && (line.is_empty() || line.starts_with(' '));
        if !fenced && !list && line.starts_with("    ") {
            match out.last_mut().filter(|block| block.info == "indented" && before.starts_with("    ")) {
                Some(block) => block.text += &format!("{line}\n"),
                None => {
                    out.push(Block { info: "indented".into(), text: format!("{line}\n"), section: String::new() });
                }
            }
        }
        before = line;
    }
    out
}

/// The commands of a block of the shell, without comments, each as its words; not what their output goes to.
fn words(text: &str) -> Vec<Vec<String>> {
    let mut out = Vec::new();
    for line in text.replace("\\\n", " ").lines() {
        let line = line.split_once(" #").map_or(line, |(command, _)| command);
        let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                '|' | '>' if !quoted => break,
                ' ' if !quoted => words.push(std::mem::take(&mut word)),
                ';' if !quoted => {
                    words.push(std::mem::take(&mut word));
                    out.push(std::mem::take(&mut words));
                }
                c => word.push(c),
            }
        }
        words.push(word);
        out.push(words);
    }
    out.iter_mut().for_each(|words| words.retain(|word| !word.is_empty()));
    out.retain(|words| !words.is_empty());
    out
}

/// What is wrong with commands that are not run: `--help` after their arguments shows that these exist.
fn commands(text: &str, scratch: &Scratch) -> Result<(), String> {
    for words in words(text) {
        let program = words.iter().find(|word| !word.contains('=')).map_or("", String::as_str);
        if program == "samhw" {
            let own: Vec<&String> = words.iter().skip(1).take_while(|word| *word != "--").collect();
            let quoted: String = own.iter().map(|word| format!(" '{word}'")).collect();
            let (fine, printed) = scratch.run(&format!("samhw{quoted} --help"));
            if !fine {
                return Err(format!("`{}`: {printed}", words.join(" ")));
            }
        } else if !PROGRAMS.contains(&program) && !root().join(program).exists() {
            return Err(format!("`{program}` is no program of the repository"));
        }
    }
    Ok(())
}

/// The kernel files of a block: one for each line with an expression. `tensors` are dense ones that the
/// expressions use without a table.
fn kernels(text: &str, tensors: &str) -> Vec<String> {
    let is_expr = |line: &&str| line.starts_with("expr =");
    let declared: String = tensors
        .split_whitespace()
        .map(|t| format!("tensors.{t} = {{ format = \"dense\", type = \"i32\" }}\n"))
        .collect();
    let rest: String = text.lines().filter(|line| !is_expr(line)).map(|line| format!("{line}\n")).collect();
    let mut out: Vec<String> = text.lines().filter(is_expr).map(|expr| format!("{expr}\n{declared}{rest}")).collect();
    if out.is_empty() {
        out.push(format!("expr = \"X(i,j) = B(i,k) * C(k,j)\"\n{rest}"));
    }
    out
}

/// What is wrong with a block of TOML.
fn toml(text: &str, tensors: &str) -> Result<(), String> {
    for kernel in kernels(text, tensors) {
        let source = Source { path: "page.toml".into(), text: kernel };
        let problems = parse(Arc::new(source)).err().unwrap_or_default();
        if let Some(wrong) = problems.iter().find(|problem| !DECLARED_ELSEWHERE.contains(&problem.code)) {
            return Err(format!("{}: {}", wrong.code, wrong.message));
        }
    }
    Ok(())
}

/// What is wrong with a file of a board: its lines are those of a board's file.
fn board(text: &str) -> Result<(), String> {
    let file = fs::read_to_string(root().join("fpga/boards/ulx3s-85f.toml")).unwrap();
    let bare = |line: &str| line.split('#').next().unwrap_or_default().trim().to_owned();
    let known: Vec<String> = file.lines().map(bare).collect();
    match text.lines().map(bare).find(|line| !known.contains(line)) {
        Some(line) => Err(format!("not in the file of the board: {line}")),
        None => Ok(()),
    }
}

/// The names of all ports of primitives, without numbers: those in the first column of tables.
fn ports() -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for path in all("md").into_iter().filter(|path| path.starts_with(root().join("primitives"))) {
        let page = fs::read_to_string(path).unwrap();
        let cells = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('|').next());
        out.extend(cells.flat_map(|cell| cell.split('`').step_by(2)).map(|name| stem(name).to_owned()));
    }
    out
}

/// The name of a port without its number.
fn stem(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || ",_{k}".contains(c))
}

/// What is wrong with streams: `stop` and `hole` have a height, only the last beat before DONE closes
/// the outermost list, and a stream that is complete is one of a port.
fn streams(text: &str, page: &str, ports: &BTreeSet<String>) -> Result<(), String> {
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let heights = |what: &str| -> Vec<Option<u32>> {
            let after = words.windows(2).filter(|pair| pair[0] == what);
            after.map(|pair| pair[1].parse().ok().filter(|height| (1..8).contains(height))).collect()
        };
        let (stops, holes) = (heights("stop"), heights("hole"));
        let empty = words.iter().filter(|&&word| word == "NIL").count();
        if stops.contains(&None) || holes.contains(&None) || holes.len() != empty {
            return Err(format!("a height is missing: {line}"));
        }
        if !words.contains(&"DONE") {
            continue;
        }
        if !words.iter().take(2).any(|word| ports.contains(stem(word)) || page.contains(&format!("`{word}`"))) {
            return Err(format!("no primitive has such a port: {line}"));
        }
        let last = stops.last().copied().flatten().unwrap_or_default();
        if stops.iter().rev().skip(1).any(|&stop| stop >= Some(last)) {
            return Err(format!("a list goes on after the outermost one has ended: {line}"));
        }
    }
    Ok(())
}

/// What is wrong with numbers: no command of the page prints them.
fn printed(page: &str) -> Result<(), String> {
    let named = page.split("samhw-bench").skip(1).any(|rest| {
        let name: String =
            rest.chars().skip_while(|c| !c.is_alphanumeric()).take_while(|c| c.is_alphanumeric()).collect();
        root().join(format!("bench/src/{name}.rs")).exists()
    });
    if named || page.contains("samhw primitives") { Ok(()) } else { Err("no command of the page prints it".into()) }
}

/// What is wrong with a block of page `name`.
fn wrong(name: &str, page: &str, block: &Block, scratch: &Scratch) -> Result<(), String> {
    let (kind, file) = block.info.split_once(' ').unwrap_or((&block.info, ""));
    match kind {
        "console" => scratch.block(block).1,
        "toml" if file.contains('.') => scratch.block(block).1,
        "sh" => commands(&block.text, scratch),
        "toml" if name == "docs/boards.md" => board(&block.text),
        "toml" => toml(&block.text, file),
        "python" if name == "README.md" || name.starts_with("docs/") || name == "python/README.md" => Ok(()),
        "text" | "indented" if name.starts_with("primitives/") => streams(&block.text, page, &ports()),
        "text" if SHOWN.iter().any(|(shown, _)| *shown == name) => Ok(()),
        "text" => printed(page),
        "no_run" if name == "rtlsim/README.md" => Ok(()),
        _ => Err(format!("no test looks at a block of `{}`:\n{}", block.info, block.text)),
    }
}

#[test]
#[cfg(target_os = "linux")]
fn every_block_is_run_or_parsed() {
    let (bless, mut found) = (std::env::var_os("SAMHW_BLESS").is_some(), String::new());
    for path in all("md") {
        let name = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
        let mut page = fs::read_to_string(&path).unwrap();
        let blocks = every_block(&page);
        if blocks.is_empty() || ELSEWHERE.iter().any(|elsewhere| name.starts_with(elsewhere)) {
            continue;
        }
        let scratch = Scratch::new(&name.replace('/', "-"));
        std::os::unix::fs::symlink(root().join("examples"), scratch.path().join("examples")).unwrap();
        for block in &blocks {
            match wrong(&name, &page, block, &scratch) {
                Err(_) if bless && block.info == "console" => {
                    page = page.replace(&block.text, &scratch.recorded(block));
                    fs::write(&path, &page).unwrap();
                }
                Err(e) => drop(writeln!(found, "{name}, {}: {e}", block.section)),
                Ok(()) => {}
            }
        }
        for wrong in pictures(&page, &scratch, bless) {
            let _ = writeln!(found, "{name}: {wrong}");
        }
    }
    assert!(found.is_empty(), "{found}");
}

#[test]
fn what_is_wrong_with_a_block_is_found() {
    let scratch = Scratch::new("blocks");
    assert!(commands("samhw run k.toml --stall 0.3 # so\nsamhw tools run -- python x", &scratch).is_ok());
    for wrong in ["samhw runs k.toml", "samhw run k.toml --stalls 0.3", "./no-such-program"] {
        assert!(commands(wrong, &scratch).is_err(), "{wrong}");
    }
    assert!(toml("[schedule]\nskip = [\"k\"]\n", "").is_ok() && toml("expr = \"y(i) = x(p(i))\"\n", "x p").is_ok());
    for wrong in ["[schedule]\nskips = [\"k\"]\n", "expr = \"y(i) = A(i,j *\"\n", "expr = \"y(i) = nothing(x(i))\"\n"] {
        assert!(toml(wrong, "").is_err(), "{wrong}");
    }
    let ports = BTreeSet::from(["in".to_owned()]);
    assert!(streams("in a stop 1 | NIL hole 1 stop 2 | DONE", "", &ports).is_ok());
    for wrong in ["in a stop | DONE", "in NIL stop 1 | DONE", "in a stop 1 | b stop 1 | DONE", "out a stop 1 | DONE"] {
        assert!(streams(wrong, "", &ports).is_err(), "{wrong}");
    }
    assert_eq!(every_block("text\n\n    code\n    more\n\n- item\n\n    of it\n").len(), 1);
    assert!(printed("numbers").is_err() && printed("`samhw-bench skip`").is_ok());
}
