//! `samhw explain`: the page of a diagnostic's code, from `docs/diagnostics`.

use crate::{Failure, output};
use samhw_compiler::diag::{Diagnostic, Place};
use std::io::{self, IsTerminal};

/// Each code with its page, in the order of the codes.
const PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/diagnostics.rs"));

/// Explain the code of a message: its cause, an example, and how to fix it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  samhw explain E012
  samhw explain")]
pub struct ExplainArgs {
    /// Code such as E012 [default: list all codes]
    code: Option<String>,
}

/// Runs the command.
pub fn main(args: &ExplainArgs) -> Result<(), Failure> {
    let Some(code) = &args.code else {
        let titles = PAGES.iter().filter_map(|(_, page)| page.lines().next()?.strip_prefix("# "));
        return output::print(&titles.flat_map(|title| [title, "\n"]).collect::<String>());
    };
    match PAGES.iter().find(|(known, _)| known.eq_ignore_ascii_case(code)) {
        Some((_, page)) => output::print(&plain(page)),
        None => Err(Diagnostic::new("R045", format!("no diagnostic has the code {code}"))
            .at(Place::Option(format!("explain {code}")))
            .help("`samhw explain` lists all codes")
            .into()),
    }
}

/// Returns the command that explains the first message, for users at a terminal.
pub fn hint(problems: &[Diagnostic]) -> String {
    let shown = io::stderr().is_terminal() && !output::quiet();
    let code = problems.first().filter(|_| shown).map(|first| first.code);
    code.map_or_else(String::new, |code| format!("\n`samhw explain {code}` says more about {code}\n"))
}

/// A page as text for a terminal: blocks of code are indented, links are their words.
fn plain(page: &str) -> String {
    let (mut out, mut code) = (String::new(), false);
    for line in page.lines() {
        if let Some(info) = line.strip_prefix("```") {
            code = !code;
            if let Some((_, file)) = info.split_once(' ') {
                out += &format!("{file}:\n\n");
            }
        } else if code {
            out += if line.is_empty() { "" } else { "    " };
            out += line;
            out.push('\n');
        } else {
            out += &unlinked(line.trim_start_matches('#').trim_start());
            out.push('\n');
        }
    }
    out
}

/// A line in which each `[words](target)` is its words.
fn unlinked(line: &str) -> String {
    let (mut out, mut rest) = (String::new(), line);
    while let Some((before, words, after)) = link(rest) {
        out += before;
        out += words;
        rest = after;
    }
    out + rest
}

/// What is before the first link, its words, and what is after it.
fn link(line: &str) -> Option<(&str, &str, &str)> {
    let (open, middle) = (line.find('[')?, line.find("](")?);
    let end = middle + line[middle..].find(')')?;
    Some((&line[..open], line.get(open + 1..middle)?, &line[end + 1..]))
}

#[cfg(test)]
mod tests {
    #[test]
    fn pages_are_shown_as_text() {
        let page =
            "# E999: a title\n\nSee [this](a.md) and [that](b.md#c).\n\n```toml k.toml\na = 1\n```\n```sh\nb\n```\n";
        let text = "E999: a title\n\nSee this and that.\n\nk.toml:\n\n    a = 1\n    b\n";
        assert_eq!(super::plain(page), text);
    }
}
