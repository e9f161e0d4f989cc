//! The formatter of kernel files: one space around `=`, one empty line at most, uniform spacing in lists and inline
//! tables. What is said, its order and its comments stay.

use samhw_compiler::diag::Diagnostic;
use toml_edit::{Decor, DocumentMut, Item, RawString, Table, Value};

/// Formats the text of a kernel file.
pub fn formatted(text: &str) -> Result<String, Diagnostic> {
    let not_toml = |e: toml_edit::TomlError| Diagnostic::new("K001", format!("this is not TOML: {}", e.message()));
    let mut doc: DocumentMut = text.parse().map_err(not_toml)?;
    let trailing = lines(doc.trailing().as_str().unwrap_or_default());
    doc.set_trailing(trailing);
    table(doc.as_table_mut());
    let text = doc.to_string();
    Ok(text.trim().to_owned() + "\n")
}

fn table(table: &mut Table) {
    let prefix = lines(raw(table.decor().prefix()));
    let suffix = comment(raw(table.decor().suffix()));
    *table.decor_mut() = Decor::new(prefix, suffix);
    for (mut key, item) in table.iter_mut() {
        match item {
            Item::Value(value) => {
                let prefix = lines(raw(key.leaf_decor().prefix()));
                *key.leaf_decor_mut() = Decor::new(prefix, " ");
                let suffix = comment(raw(value.decor().suffix()));
                inner(value);
                *value.decor_mut() = Decor::new(" ", suffix);
            }
            Item::Table(inner) => self::table(inner),
            Item::ArrayOfTables(all) => all.iter_mut().for_each(self::table),
            Item::None => {}
        }
    }
}

/// Lists and tables of a line. Those of several lines are set by hand.
fn inner(value: &mut Value) {
    let one_line = !value.to_string().trim().contains('\n');
    match value {
        Value::Array(array) if one_line => {
            array.iter_mut().for_each(inner);
            array.fmt();
        }
        Value::InlineTable(table) if one_line => {
            table.iter_mut().for_each(|(_, value)| inner(value));
            table.fmt();
        }
        _ => {}
    }
}

fn raw(text: Option<&RawString>) -> &str {
    text.and_then(RawString::as_str).unwrap_or_default()
}

/// Lines before a key or a header: comments without indentation, one empty line at most between them.
fn lines(text: &str) -> String {
    let mut out = String::new();
    // Behind the last line break stands the indentation of what follows.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut empty = false;
    for line in whole.split('\n').filter(|_| text.contains('\n')).map(str::trim) {
        if !(line.is_empty() && empty) {
            out += line;
            out.push('\n');
        }
        empty = line.is_empty();
    }
    out
}

/// What follows on the line: a comment at least two spaces away; further where it is aligned with others.
fn comment(text: &str) -> String {
    let comment = text.trim();
    if comment.is_empty() {
        return String::new();
    }
    let space = text.len() - text.trim_start().len();
    format!("{:1$}{comment}", "", space.max(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_is_set_and_comments_stay() {
        let text = "\n\n#  Head.\n\n\n  name='k'#why\nexpr   =\"y(i) = x(i)\"   \n\n\n\n\t# Sizes.\n[ dims ] # all\n\ti=8\n[tensors.x]\n\
                    levels=[ 'dense',]\nshape = [\n  8, # rows\n]\n[data]\nx={random={density=0.5,seed=1}}\n\n# End.  \n\n\n";
        let set = "#  Head.\n\nname = 'k'  #why\nexpr = \"y(i) = x(i)\"\n\n# Sizes.\n[ dims ]  # all\ni = 8\n[tensors.x]\n\
                   levels = ['dense']\nshape = [\n  8, # rows\n]\n[data]\nx = { random = { density = 0.5, seed = 1 } }\n\n# End.\n";
        assert_eq!(formatted(text).unwrap(), set);
        assert_eq!(formatted(set).unwrap(), set);
        assert_eq!(formatted("expr =").unwrap_err().code, "K001");
    }

    #[test]
    fn examples_are_set_so() {
        for path in crate::example_files() {
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(formatted(&text).unwrap(), text, "{}", path.display());
        }
    }
}
