//! Pages are readable: how long lines, paragraphs and sentences are, and which words they avoid.

use crate::{all, root};
use std::fmt::Write;
use std::fs;

/// Columns of a line of prose.
const COLUMNS: usize = 100;
/// Lines of a paragraph, or of an item of a list.
const LINES: usize = 6;
/// Words of a sentence, and of a page's sentences on average.
const WORDS: usize = 34;
const MEAN: f64 = 20.0;

/// Words that the style avoids, in lower case, with what is written instead.
const AVOIDED: [(&str, &str); 12] = [
    ("is told", "is reported"),
    ("are told", "are reported"),
    ("beside", "next to, in addition to"),
    ("anew", "again"),
    ("at hand", "here"),
    ("so many", "this number of"),
    ("unasked", "by default"),
    ("stands in", "is in"),
    ("who has", "which has"),
    ("is read so", "is read in this way"),
    ("as it comes", "in its order"),
    ("but for", "except"),
];

/// Words after which `else` is no adverb.
const BEFORE_ELSE: [&str; 14] = [
    "everywhere",
    "anyone",
    "something",
    "nothing",
    "anything",
    "everything",
    "somebody",
    "nobody",
    "anybody",
    "everybody",
    "or",
    "what",
    "where",
    "all",
];

/// Pages that stay as they were made, or are written by a program.
const KEPT: [&str; 4] = ["docs/decisions/0", "docs/measurements/0", "docs/SUMMARY.md", "CHANGELOG.md"];

/// A paragraph or an item of a list: its lines, without inline code.
type Paragraph = Vec<String>;

/// The prose of a page, without headings, tables, pictures and code.
fn paragraphs(page: &str) -> Vec<Paragraph> {
    let (mut out, mut open, mut code) = (Vec::new(), Paragraph::new(), false);
    for line in page.lines() {
        let trimmed = line.trim_start();
        let fence = trimmed.starts_with("```");
        code ^= fence;
        // An indented line is code, unless it goes on with an item of a list.
        let indented = line.starts_with("    ") && open.is_empty();
        let other = fence || code || indented || trimmed.is_empty() || trimmed.starts_with(['#', '|', '<', '!', '>']);
        let item = trimmed.starts_with("- ") || trimmed.split_once(". ").is_some_and(|(n, _)| n.parse::<u32>().is_ok());
        if (other || item) && !open.is_empty() {
            out.push(std::mem::take(&mut open));
        }
        if !other {
            open.push(line.to_owned());
        }
    }
    out.extend(Some(open).filter(|open| !open.is_empty()));
    out
}

/// Text with the words of links only, and `x` for inline code.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for (n, part) in text.split('`').enumerate() {
        out += if n % 2 == 0 { part } else { "x" };
    }
    let mut plain = String::new();
    let mut rest = out.as_str();
    while let Some((before, after)) = rest.split_once("](") {
        plain += before;
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    plain += rest;
    plain.replace(['[', ']', '*', '_'], "")
}

/// The words of each sentence.
fn sentences(text: &str) -> Vec<usize> {
    let ends = |word: &str| word.trim_end_matches([')', '"']).ends_with(['.', '?', '!', ':', ';']);
    let (mut out, mut words) = (Vec::new(), 0);
    for word in text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)) {
        words += 1;
        if ends(word) {
            out.push(std::mem::take(&mut words));
        }
    }
    out.extend(Some(words).filter(|&words| words > 0));
    out
}

/// Words of the list, and `else` as an adverb.
fn avoided(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|w| !w.is_empty()).collect();
    let joined = format!(" {} ", words.join(" "));
    let mut out: Vec<String> = AVOIDED
        .iter()
        .filter(|(word, _)| joined.contains(&format!(" {word} ")))
        .map(|(word, instead)| format!("`{word}`: {instead}"))
        .collect();
    if words.windows(2).any(|pair| pair[1] == "else" && !BEFORE_ELSE.contains(&pair[0])) {
        out.push("`else`: otherwise".into());
    }
    out
}

/// What is wrong with a page.
fn wrong(page: &str) -> String {
    let mut out = String::new();
    let mut counts = Vec::new();
    let paragraphs = paragraphs(page);
    for paragraph in &paragraphs {
        let first = &paragraph[0];
        for line in paragraph.iter().filter(|line| line.chars().count() > COLUMNS && !line.contains("](http")) {
            let _ = writeln!(out, "  a line of {} columns: {line:.60}..", line.chars().count());
        }
        if paragraph.len() > LINES {
            let _ = writeln!(out, "  a paragraph of {} lines: {first:.60}..", paragraph.len());
        }
        let text = plain(&paragraph.join(" "));
        for words in sentences(&text) {
            counts.push(words);
            if words > WORDS {
                let _ = writeln!(out, "  a sentence of {words} words: {first:.60}..");
            }
        }
        for problem in avoided(&text) {
            let _ = writeln!(out, "  {problem}: {first:.60}..");
        }
    }
    let mean = counts.iter().sum::<usize>() as f64 / counts.len().max(1) as f64;
    if mean > MEAN {
        let _ = writeln!(out, "  {mean:.1} words a sentence");
    }
    let begins = page.lines().skip(1).find(|line| !line.is_empty()).unwrap_or_default();
    if begins.starts_with(['#', '|', '-', ' '])
        || begins.starts_with("```")
        || paragraphs.first().is_none_or(|p| p.join(" ").len() < 20)
    {
        let _ = writeln!(out, "  its first paragraph does not say what it is for");
    }
    out
}

#[test]
fn pages_are_readable() {
    let mut found = String::new();
    for path in all("md") {
        let name = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        let problems = wrong(&fs::read_to_string(&path).unwrap());
        if !problems.is_empty() && !KEPT.iter().any(|kept| name.starts_with(kept)) {
            let _ = writeln!(found, "{name}:\n{problems}");
        }
    }
    assert!(found.is_empty(), "\n{found}");
}

/// Words with which no first sentence of a public item begins: it would be a clause, or half of one.
const CLAUSES: [&str; 12] =
    ["Is ", "Are ", "Does ", "Has ", "Can ", "Of ", "That ", "How ", "Their ", "Whose ", "In which ", "The same of "];

/// The first sentence of the documentation of each public item of a source, with the line it begins in.
fn first_sentences(source: &str) -> Vec<(usize, String)> {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let doc = |n: usize| lines[n].strip_prefix("/// ");
    let mut out = Vec::new();
    for n in (0..lines.len()).filter(|&n| doc(n).is_some() && (n == 0 || !lines[n - 1].starts_with("///"))) {
        let text: Vec<&str> = (n..lines.len()).map_while(doc).collect();
        let item = lines[n..].iter().find(|line| !line.starts_with("///") && !line.starts_with('#'));
        if item.is_some_and(|item| item.starts_with("pub ")) {
            let text = text.join(" ");
            out.push((n + 1, text.split_inclusive(". ").next().unwrap_or_default().trim().to_owned()));
        }
    }
    out
}

/// What a source prints, by its lines: string literals that are sentences or parts of them.
fn printed(source: &str) -> Vec<(usize, String)> {
    let code = source.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
    let words = |text: &&str| text.split_whitespace().count() > 2;
    code.flat_map(|(n, line)| line.split('"').skip(1).step_by(2).filter(words).map(move |t| (n + 1, t.into())))
        .collect()
}

/// Words of the style's list in text, but not `else`, which is a word of the language, too.
fn listed(text: &str) -> Option<String> {
    avoided(text).into_iter().find(|word| !word.starts_with("`else`"))
}

#[test]
fn first_sentences_and_messages_are_plain() {
    let mut found = String::new();
    for path in all("rs") {
        let name = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
        if name.contains("test") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for (line, sentence) in first_sentences(text) {
            let clause = CLAUSES.iter().find(|clause| sentence.starts_with(**clause));
            if let Some(wrong) = clause.map(|c| format!("begins with `{c}`")).or_else(|| listed(&sentence)) {
                let _ = writeln!(found, "{name}:{line}: {wrong}: {sentence}");
            }
        }
        for (line, message) in printed(text) {
            if let Some(wrong) = listed(&message) {
                let _ = writeln!(found, "{name}:{line}: {wrong}: {message}");
            }
        }
    }
    assert!(found.is_empty(), "\n{found}");
}

#[test]
fn sentences_and_messages_are_found() {
    let source = "/// Is it?\n#[must_use]\npub fn f() {}\n/// Adds. More.\n/// And more.\npub(crate) fn g() {}\n";
    assert_eq!(first_sentences(source), [(1, "Is it?".to_owned())]);
    assert_eq!(printed("help(\"look beside the file\", \"a b\")"), [(1, "look beside the file".to_owned())]);
    assert!(listed("look beside the file").is_some() && listed("or else").is_none());
}
