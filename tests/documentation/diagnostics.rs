//! Every code has a page below `docs/diagnostics`, whose example gives it and whose fix does
//! not.
//! `SAMHW_BLESS=1` writes the table of `docs/diagnostics.md`, and what the examples print.

use crate::pages::{Block, Scratch, blocks};
use crate::{all, root};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Codes that no command of a test can cause: faults of samhw, boards, tools that fail, a full
/// memory, and checks that an earlier one makes unreachable. Their pages show a message, with the words of
/// the source.
const SHOWN: [&str; 22] = [
    "E100", "F002", "F003", "F005", "F011", "F012", "F013", "F014", "F015", "F016", "F020", "H003", "R002", "R010",
    "R011", "R012", "R013", "R023", "S002", "S005", "T032", "T041",
];

/// The pages by their codes.
fn pages() -> BTreeMap<String, String> {
    let entries = fs::read_dir(root().join("docs/diagnostics")).unwrap().map(|e| e.unwrap().path());
    entries.map(|p| (p.file_stem().unwrap().to_string_lossy().into_owned(), fs::read_to_string(p).unwrap())).collect()
}

/// A code such as K001: a capital letter and three digits, in quotes.
fn codes(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').filter(|s| {
        let mut c = s.chars();
        s.len() == 4 && c.next().is_some_and(|c| c.is_ascii_uppercase()) && c.all(|c| c.is_ascii_digit())
    })
}

#[test]
fn every_code_has_a_page() {
    let pages: BTreeSet<String> = pages().into_keys().collect();
    let mut given = BTreeSet::new();
    let mut sources = all("rs");
    sources.retain(|p| !p.strip_prefix(root()).unwrap().to_string_lossy().contains("test"));
    for source in sources {
        let text = fs::read_to_string(&source).unwrap();
        given.extend(codes(text.split("mod tests {").next().unwrap_or_default()).map(str::to_string));
    }
    assert!(given == pages, "codes and pages differ: {:?}", given.symmetric_difference(&pages).collect::<Vec<_>>());
}

#[test]
fn the_table_has_the_titles() {
    let path = root().join("docs/diagnostics.md");
    let text = fs::read_to_string(&path).unwrap();
    let mut titles = BTreeMap::new();
    for (code, page) in pages() {
        let title = page.lines().next().and_then(|line| line.strip_prefix(&format!("# {code}: ")));
        let title = title.unwrap_or_else(|| panic!("docs/diagnostics/{code}.md does not begin with `# {code}: `"));
        titles.insert(code.clone(), format!("| {code} | [{title}](diagnostics/{code}.md) |\n"));
    }
    // Under each heading are the codes that begin with the letter in its brackets.
    let (mut written, mut left) = (String::new(), titles.clone());
    for line in text.split_inclusive('\n').filter(|line| !titles.keys().any(|c| line.starts_with(&format!("| {c} |"))))
    {
        written += line;
        if line == "|---|---|\n" {
            let heading = written.lines().rev().find(|line| line.starts_with("## ")).unwrap_or_default();
            let letter = heading.split('`').nth(1).unwrap_or_default();
            let mut rows = String::new();
            left.retain(|code, row| {
                let here = !letter.is_empty() && code.starts_with(letter);
                rows += if here { row } else { "" };
                !here
            });
            written += &rows;
        }
    }
    assert!(left.is_empty(), "docs/diagnostics.md has no table for {:?}", left.keys());
    if std::env::var_os("SAMHW_BLESS").is_some() {
        fs::write(path, written).unwrap();
    } else {
        assert!(text == written, "docs/diagnostics.md differs from the pages: run this with SAMHW_BLESS=1");
    }
}

/// What is wrong with a page.
fn wrong(code: &str, page: &str) -> Result<(), String> {
    let tag = format!("[{code}]");
    let scratch = Scratch::new(code);
    let (mut given, mut sections) = (false, BTreeSet::new());
    for block in blocks(page) {
        let (printed, fine) = scratch.block(&block);
        match fine {
            Err(_) if block.info == "console" && std::env::var_os("SAMHW_BLESS").is_some() => {
                let path = root().join(format!("docs/diagnostics/{code}.md"));
                fs::write(path, page.replace(&block.text, &scratch.recorded(&block))).unwrap();
            }
            fine => fine?,
        }
        given |= block.section == "Example" && printed.contains(&tag);
        if block.section == "How to fix it" && printed.contains(&tag) {
            return Err(format!("the fix gives {tag}, too:\n{printed}"));
        }
        sections.insert(block.section);
    }
    if !page.contains("\n## How to fix it\n") {
        return Err("there is no fix".into());
    }
    match SHOWN.contains(&code) {
        true if given => Err("its example gives it: take it from the list of those that are only shown".into()),
        true => shown(&tag, &blocks(page)),
        false if !given => Err("its example does not give it".into()),
        false => Ok(()),
    }
}

/// What is wrong with an example that is only shown: three words of its message follow each other in a source.
fn shown(tag: &str, blocks: &[Block]) -> Result<(), String> {
    let example = blocks.iter().find(|block| block.section == "Example" && block.info == "text");
    let message = example.and_then(|block| block.text.strip_prefix(&format!("error{tag}: "))).ok_or("no message")?;
    let words: Vec<&str> = message.lines().next().unwrap_or_default().split(' ').collect();
    let sources: Vec<String> = all("rs").iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let known = |part: &[&str]| sources.iter().any(|source| source.contains(&part.join(" ")));
    if words.windows(3).any(known) { Ok(()) } else { Err(format!("no source says {message}")) }
}

#[test]
#[cfg(target_os = "linux")]
fn examples_give_their_codes() {
    let pages: Vec<_> = pages().into_iter().collect();
    let part = pages.len().div_ceil(4);
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let check = |part: &[(String, String)]| -> Vec<String> {
            part.iter().filter_map(|(code, page)| Some(format!("{code}: {}", wrong(code, page).err()?))).collect()
        };
        let threads: Vec<_> = pages.chunks(part).map(|part| scope.spawn(move || check(part))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{} pages:\n{}", wrong.len(), wrong.join("\n"));
}
