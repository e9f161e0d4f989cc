//! Names that the compiler makes: what messages say in their place, since the kernel file has no such names.
//! This is the one place that turns them back; `at_statement` and the parser send every diagnostic through
//! it.

use super::Diagnostic;
use std::collections::HashSet;

/// Results that stand in no file, by what their names begin with; a number follows.
const RESULTS: [(&str, &str); 3] = [
    ("tmp", "an intermediate result"),
    ("upper", "what the upper triangle gives"),
    ("lower", "what the lower triangle gives"),
];
/// What is of another tensor: how the name begins; `#` is a number.
const OF: [(&str, &str); 6] = [
    ("mode#_of_", "mode # of"),
    ("i#_of_", "mode # of"),
    ("at#_of_", "mode # of"),
    ("seen_of_", "the value for"),
    ("dense_", "a dense copy of"),
    ("last_of_", "what lands last in"),
];
/// Steps of functions of fibers: the name's end, after that of the result.
const STEPS: [&str; 6] = ["of", "share", "max", "exp", "sum", "rank"];

/// What a made name stands for.
enum Stands {
    /// For this name of the file.
    Name(String),
    /// For what these words say.
    Words(String),
}

impl Stands {
    fn text(self) -> String {
        match self {
            Self::Name(text) | Self::Words(text) => text,
        }
    }
}

/// The diagnostic without names that the kernel file `text` does not have. A help line with code that names
/// something that nobody can write is left out.
pub(crate) fn in_words_of(text: &str, mut d: Diagnostic) -> Diagnostic {
    // Others name files, tools, or wires of the hardware.
    if !d.code.starts_with(['E', 'S', 'H', 'W']) {
        return d;
    }
    let named: HashSet<&str> = pieces(text).into_iter().filter(|piece| is_word(piece)).collect();
    d.message = rewritten(&d.message, &named).0;
    d.help =
        d.help.iter().map(|line| rewritten(line, &named)).filter(|(_, code)| !code).map(|(line, _)| line).collect();
    d
}

/// The line in words of the file, and whether code in it has a made name that no name of the file replaces.
fn rewritten(line: &str, named: &HashSet<&str>) -> (String, bool) {
    let (mut out, mut code) = (String::new(), false);
    let pieces = pieces(line);
    let mut open = false;
    for (n, &piece) in pieces.iter().enumerate() {
        let around = |at: Option<usize>| at.and_then(|at| pieces.get(at)).copied().unwrap_or_default();
        let (before, after) = (around(n.checked_sub(1)), around(n.checked_add(1)));
        // After a made name that stood alone in quotation marks, which are no code then.
        let piece = if std::mem::take(&mut open) { piece.trim_start_matches('`') } else { piece };
        match stands(piece, named) {
            None => out.push_str(piece),
            Some(Stands::Name(name)) => out.push_str(&name),
            Some(Stands::Words(words)) => {
                open = before.ends_with('`') && after.starts_with('`');
                if open {
                    out.pop();
                }
                let quoted = out.matches('`').count() % 2 == 1;
                code |= quoted || before.ends_with(['.', '{', '(', '[']) || after.starts_with(['(', ')', ']']);
                out.push_str(&words);
            }
        }
    }
    (out, code)
}

/// What `word` stands for, if it is made.
fn stands(word: &str, named: &HashSet<&str>) -> Option<Stands> {
    if named.contains(word) || !is_word(word) {
        return None;
    }
    let word = word.trim_end_matches('_');
    let (begin, number) = numbered(word);
    if let (Some((_, words)), false) = (RESULTS.iter().find(|(of, _)| *of == begin), number.is_empty()) {
        return Some(Stands::Words((*words).into()));
    }
    let known = |base: &str| {
        let own = || named.contains(base).then(|| Stands::Name(base.into()));
        own().or_else(|| stands(base, named))
    };
    for (begin, words) in OF {
        let (before, after) = begin.split_once('#').unwrap_or(("", begin));
        let Some(rest) = word.strip_prefix(before) else { continue };
        let digits = if before.is_empty() { 0 } else { rest.len() - rest.trim_start_matches(digit).len() };
        let (number, rest) = rest.split_at(digits);
        if let Some(of) = rest.strip_prefix(after).filter(|_| before.is_empty() == number.is_empty()).and_then(known) {
            return Some(Stands::Words(format!("{} {}", words.replace('#', number), of.text())));
        }
    }
    let (base, end) = word.rsplit_once('_')?;
    let (end, number) = numbered(end);
    let base = known(base)?;
    match end {
        // A packing, a version, a lane, a copy.
        "" | "l" | "c" if !number.is_empty() => Some(base),
        "before" => Some(Stands::Words(format!("another {}", base.text()))),
        _ if STEPS.contains(&end) => Some(Stands::Words(format!("a step of {}", base.text()))),
        _ => None,
    }
}

/// What stands before the digits at the end, and those.
fn numbered(word: &str) -> (&str, &str) {
    word.split_at(word.trim_end_matches(digit).len())
}

fn digit(c: char) -> bool {
    c.is_ascii_digit()
}

fn is_word(piece: &str) -> bool {
    piece.starts_with(in_word)
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Words, and what is between them.
fn pieces(line: &str) -> Vec<&str> {
    let mut out: Vec<&str> = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let word = in_word(first);
        let end = rest.find(|c| in_word(c) != word).unwrap_or(rest.len());
        let (piece, next) = rest.split_at(end);
        out.push(piece);
        rest = next;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "expr = \"R0(i) = A(i,j) * x_2(j); y(i) = roll(R0, 0, 1)(i)\"";

    #[test]
    fn made_names_are_turned_back() {
        for (made, told) in [
            ("R0_l0 would be cut at two levels", "R0 would be cut at two levels"),
            ("upper14 is written with i, x_2 is not", "what the upper triangle gives is written with i, x_2 is not"),
            ("A_2 and A_c1 and tmp4_2", "A and A and an intermediate result"),
            ("order i, mode0_of_R0, at1_of_y", "order i, mode 0 of R0, mode 1 of y"),
            ("mode 1 of `seen_of_y` has no size", "mode 1 of the value for y has no size"),
            ("index `i0_of_seen_of_y__`", "index mode 0 of the value for y"),
            ("order i1_of_dense_R0", "order mode 1 of a dense copy of R0"),
            ("`R0` has the sizes 2_000 and u8, H_2 and b_3", "`R0` has the sizes 2_000 and u8, H_2 and b_3"),
            ("the sum of y_sum2 and j_before", "the sum of a step of y and another j"),
        ] {
            assert_eq!(in_words_of(FILE, Diagnostic::new("S001", made)).message, told);
        }
    }

    #[test]
    fn help_names_nothing_that_none_can_write() {
        let d = Diagnostic::new("E012", "no size")
            .help("give [tensors.seen_of_y] a `shape`")
            .help("or `parallel = { at0_of_y = 2 }`")
            .help("or store y_2 dense")
            .help("or `order = [\"i\", \"j\"]`");
        assert_eq!(in_words_of(FILE, d).help, ["or store y dense", "or `order = [\"i\", \"j\"]`"]);
    }
}
