//! Diagnostics as JSON for scripts, with the contents of [`render`](super::render).

use super::{Diagnostic, Place};
use serde_json::{Value, json as object};
use std::path::Path;

/// Converts each diagnostic to an object of `code`, `message`, `help` (lines), and, if there is a place, `file`, `line`
/// and `column` (from 1) as far as they are known, or the `option` of the command line.
pub fn json(diagnostics: &[Diagnostic]) -> Value {
    diagnostics.iter().map(one).collect()
}

fn one(diagnostic: &Diagnostic) -> Value {
    let mut out = object!({"code": diagnostic.code, "message": diagnostic.message, "help": diagnostic.help});
    let mut place = |path: &Path, line: Option<usize>, column: Option<usize>| {
        out["file"] = object!(path.to_string_lossy());
        for (key, number) in [("line", line), ("column", column)] {
            if let Some(number) = number {
                out[key] = object!(number);
            }
        }
    };
    match &diagnostic.place {
        Some(Place::Span(source, span)) => {
            let before = source.text.get(..span.start).unwrap_or(&source.text);
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
            place(&source.path, Some(line), Some(column));
        }
        Some(Place::File(path, line)) => place(path, *line, None),
        Some(Place::Option(option)) => out["option"] = object!(option),
        Some(Place::Kernel(_)) | None => {}
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Source;
    use std::sync::Arc;

    #[test]
    fn places_are_fields() {
        let source = Arc::new(Source { path: "k.toml".into(), text: "é = 1\nb = é2\n".into() });
        let at = |place| json(&[Diagnostic::warning("W001", "odd").at(place).help("mend it")])[0].clone();
        let both = object!({"code": "W001", "message": "odd", "help": ["mend it"]});
        let with = |more: &[(&str, Value)]| {
            let mut all = both.clone();
            more.iter().for_each(|(key, value)| all[*key] = value.clone());
            all
        };
        let start = source.text.find('2').unwrap();
        let span = with(&[("file", object!("k.toml")), ("line", object!(2)), ("column", object!(6))]);
        assert_eq!(at(Place::Span(source, start..start + 1)), span);
        let file = with(&[("file", object!("A.mtx")), ("line", object!(3))]);
        assert_eq!(at(Place::File("A.mtx".into(), Some(3))), file);
        assert_eq!(at(Place::Option("--tensor A".into())), with(&[("option", object!("--tensor A"))]));
        assert_eq!(json(&[Diagnostic::warning("W001", "odd").help("mend it")])[0], both);
    }
}
