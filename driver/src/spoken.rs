//! Kernels without a file: an expression and formats, in the notation of TACO and samhw.

use crate::einsum;
use samhw_compiler::diag::{Diagnostic, Diagnostics, Place};
use samhw_compiler::frontend;
use toml_edit::{Array, DocumentMut, Item, Table, Value};

/// Name of a kernel without a file, also used as its path in messages.
pub const NAME: &str = "kernel";

/// The description of a kernel that has no file.
#[derive(Debug, Clone, Default)]
pub struct Spoken {
    /// Statements, or index lists in the notation of `numpy.einsum`.
    pub expr: String,
    /// Formats by tensor, such as `csr`, `dense,compressed` or `ds:0,1`.
    pub formats: Vec<(String, String)>,
    /// Names of operands, in order: those of index lists, or those of an expression that are known.
    pub operands: Vec<String>,
}

/// Returns whether an argument is an expression rather than a path.
pub fn is_expression(argument: &str) -> bool {
    argument.contains('=') || argument.contains("->")
}

/// Removes quotes that were copied together with the text.
pub fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(|c| matches!(c, '"' | '\'' | '\u{201c}' | '\u{201d}' | '\u{2018}' | '\u{2019}' | '`'))
}

impl Spoken {
    /// Returns the expression, converted from index lists if necessary.
    pub fn expression(&self) -> Result<String, Diagnostic> {
        let expr = unquoted(&self.expr);
        if expr.contains("->") { einsum::expression(expr, &self.operands) } else { Ok(expr.to_owned()) }
    }

    /// Returns the text of the equivalent kernel file. Tensors without a format are dense.
    pub fn text(&self) -> Result<String, Diagnostics> {
        let expr = self.expression().map_err(|d| vec![d])?;
        let mut doc = DocumentMut::new();
        doc["name"] = toml_edit::value(NAME);
        doc["expr"] = toml_edit::value(&expr);
        let known = self.formats.iter().map(|(name, _)| name).chain(&self.operands);
        let named = frontend::named_tensors(&expr, &known.map(String::as_str).collect::<Vec<_>>());
        let mut tensors = Table::new();
        tensors.set_implicit(true);
        let mut problems = Vec::new();
        for tensor in &named {
            let format = self.formats.iter().rev().find(|(name, _)| *name == tensor.name);
            let written = match format {
                Some((name, format)) => storage(name, format),
                None if tensor.order == 0 || tensor.passes_on => continue,
                None => storage(&tensor.name, "dense"),
            };
            match written {
                Ok(table) => {
                    tensors.insert(&tensor.name, Item::Table(table));
                }
                Err(problem) => problems.push(problem),
            }
        }
        // What cannot be read has no tensors: it is refused where it is read, with the place.
        for (name, format) in self.formats.iter().filter(|_| !named.is_empty()) {
            if !named.iter().any(|tensor| tensor.name == *name) {
                let names: Vec<&str> = named.iter().map(|tensor| tensor.name.as_str()).collect();
                let problem = Diagnostic::new("K032", format!("a format for `{name}`, which is not in the expression"));
                let problem = problem.at(Place::Option(format!("--storage {name}:{format}")));
                problems.push(problem.help(format!("tensors are: {}", names.join(", "))));
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        doc["tensors"] = Item::Table(tensors);
        Ok(doc.to_string())
    }
}

/// TACO's letters for kinds of levels.
const LETTERS: [(char, &str); 5] =
    [('d', "dense"), ('s', "compressed"), ('u', "compressed_nu"), ('q', "singleton"), ('c', "singleton_nu")];

/// The table of tensor `name` with this format: the name of one, names of levels, or TACO's letters; after a colon the mode of each
/// level.
fn storage(name: &str, format: &str) -> Result<Table, Diagnostic> {
    let wrong = |what: String| {
        Diagnostic::new("K032", what)
            .at(Place::Option(format!("--storage {name}:{format}")))
            .help("write A:csr, A:dense,compressed or, as TACO, A:ds:0,1: d is dense, s is compressed")
    };
    let (kinds, modes) = format.split_once(':').map_or((format, None), |(kinds, modes)| (kinds, Some(modes)));
    let mut table = Table::new();
    let letter = |c: char| LETTERS.iter().find(|(letter, _)| *letter == c).map(|(_, level)| *level);
    if frontend::format_names().contains(&kinds) {
        table["format"] = toml_edit::value(kinds);
    } else if kinds.contains(',') || frontend::level_names().contains(&kinds) {
        let levels: Array = kinds.split(',').map(str::trim).collect();
        table["levels"] = Item::Value(levels.into());
    } else if let Some(levels) = kinds.chars().map(letter).collect::<Option<Vec<_>>>() {
        table["levels"] = Item::Value(levels.into_iter().collect::<Array>().into());
    } else {
        return Err(wrong(format!("`{kinds}` is not a format")));
    }
    if let Some(modes) = modes {
        let modes: Result<Array, _> = modes.split(',').map(|mode| mode.trim().parse::<i64>()).collect();
        let modes = modes.map_err(|_| wrong(format!("`{format}` does not end with the numbers of its modes")))?;
        table["mode_order"] = Item::Value(Value::Array(modes));
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_taco_are_levels() {
        let formats = [("A", "ds:1,0"), ("x", "s"), ("y", "dense")];
        let spoken = Spoken {
            expr: "\u{201c}y(i) = A(i,j) * x(j)\u{201d}".into(),
            formats: formats.map(|(name, format)| (name.into(), format.into())).into(),
            operands: vec![],
        };
        let text = spoken.text().unwrap();
        for part in [
            "expr = \"y(i) = A(i,j) * x(j)\"",
            "[tensors.A]\nlevels = [\"dense\", \"compressed\"]\nmode_order = [1, 0]",
            "[tensors.x]\nlevels = [\"compressed\"]",
            "[tensors.y]\nformat = \"dense\"",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn formats_of_nothing_are_refused() {
        let of = |name: &str, format: &str| Spoken {
            expr: "y(i) = x(i)".into(),
            formats: vec![(name.into(), format.into())],
            operands: vec![],
        };
        let torn = Spoken { expr: "y(i) = x(i".into(), ..of("x", "s") };
        assert!(torn.text().unwrap().contains("x(i"), "refused where it is read");
        for (name, format) in [("z", "s"), ("x", "bcsr"), ("x", "s:a")] {
            assert_eq!(of(name, format).text().unwrap_err()[0].code, "K032");
        }
    }
}
