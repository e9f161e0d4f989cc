//! Diagnostics as text: the message with its code, the place in the file, and the help lines.

use super::{Diagnostic, Place, Severity, Source};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet, renderer::DecorStyle};
use std::ops::Range;

/// Returns the text for a user, without colours; empty lines separate diagnostics. Ends with a newline unless there are
/// none.
pub fn render(diagnostics: &[Diagnostic]) -> String {
    all(diagnostics, &Renderer::plain())
}

/// Returns the text for a user with the colours of a terminal.
pub fn painted(diagnostics: &[Diagnostic]) -> String {
    all(diagnostics, &Renderer::styled())
}

fn all(diagnostics: &[Diagnostic], renderer: &Renderer) -> String {
    diagnostics.iter().map(|diagnostic| one(diagnostic, renderer)).collect::<Vec<_>>().join("\n")
}

fn one(diagnostic: &Diagnostic, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(&diagnostic.message).id(diagnostic.code);
    let group = match &diagnostic.place {
        None => Group::with_title(title),
        Some(Place::Span(source, span)) => title.element(
            Snippet::source(&source.text)
                .path(source.path.to_string_lossy())
                .annotation(AnnotationKind::Primary.span(visible(source, span.clone()))),
        ),
        Some(Place::File(path, line)) => {
            let origin = Origin::path(path.to_string_lossy());
            title.element(match line {
                Some(line) => origin.line(*line),
                None => origin,
            })
        }
        Some(Place::Kernel(span)) => title.element(Origin::path(format!("bytes {span:?} of the kernel file"))),
        Some(Place::Option(option)) => title.element(Origin::path(option)),
    };
    let group = diagnostic.help.iter().fold(group, |group, line| group.element(Level::HELP.message(line)));
    let mut text = renderer.clone().decor_style(DecorStyle::Ascii).render(&[group]);
    text.push('\n');
    text
}

/// The span moved onto character boundaries inside the text.
fn visible(source: &Source, span: Range<usize>) -> Range<usize> {
    let text = &source.text;
    let floor = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = floor(span.start);
    start..floor(span.end).max(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_outside_kernel_files() {
        let line = Diagnostic::new("T001", "bad line").at(Place::File("x.mtx".into(), Some(7))).help("mend it");
        let file = Diagnostic::new("T002", "bad file").at(Place::File("x.mtx".into(), None));
        let option = Diagnostic::new("R001", "bad option").at(Place::Option("--tensor B=x.mtx".into()));
        let nowhere = Diagnostic::new("R002", "no place");
        let warning = Diagnostic::warning("W001", "not meant?").at(Place::File("k.toml".into(), Some(1)));
        let expected = "\
error[T001]: bad line
--> x.mtx:7
 = help: mend it

error[T002]: bad file
--> x.mtx

error[R001]: bad option
--> --tensor B=x.mtx

error[R002]: no place

warning[W001]: not meant?
--> k.toml:1
";
        assert_eq!(render(&[line, file, option, nowhere, warning]), expected);
    }

    #[test]
    fn spans_that_do_not_fit_are_moved() {
        let source = std::sync::Arc::new(Source { path: "k.toml".into(), text: "é".to_owned() });
        for span in [0..1, 1..1, 1..9, 7..9] {
            let text = render(&[Diagnostic::new("K001", "odd").at(Place::Span(source.clone(), span))]);
            assert!(text.contains("--> k.toml:1:"), "{text}");
        }
    }
}
