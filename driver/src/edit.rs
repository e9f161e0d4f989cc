//! Changes of choices in the text of a kernel file, such as `schedule.lanes.j=8`. Its comments stay.

use samhw_compiler::diag::{Diagnostic, Place};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Value};

/// Keys whose value is a list of names.
const LISTS: [&str; 5] = ["order", "levels", "skip", "locate", "scatter"];

/// Returns the text with every `KEY=VALUE` applied. A value is one of TOML, or a word; where a list of names belongs,
/// words with commas.
pub fn edited(text: &str, choices: &[String]) -> Result<String, Diagnostic> {
    if choices.is_empty() {
        return Ok(text.to_owned());
    }
    let not_toml = |e: toml_edit::TomlError| Diagnostic::new("K001", format!("this is not TOML: {}", e.message()));
    let mut doc: DocumentMut = text.parse().map_err(not_toml)?;
    for choice in choices {
        set(&mut doc, choice)?;
    }
    Ok(doc.to_string())
}

fn set(doc: &mut DocumentMut, choice: &str) -> Result<(), Diagnostic> {
    let wrong = |what: String| {
        Diagnostic::new("K033", what)
            .at(Place::Option(format!("--set {choice}")))
            .help("write a key of the kernel file and its value: --set schedule.lanes.j=8, --set tensors.A.format=csc")
    };
    let Some((key, value)) = choice.split_once('=') else { return Err(wrong("--set needs KEY=VALUE".into())) };
    let path: Vec<&str> = key.split('.').map(str::trim).collect();
    let Some((last, above)) = path.split_last().filter(|_| !path.contains(&"")) else {
        return Err(wrong(format!("`{key}` is not a key")));
    };
    let mut item = doc.as_item_mut();
    for name in above {
        let Some(table) = item.as_table_like_mut() else {
            return Err(wrong(format!("`{name}` is inside of a key that has a plain value")));
        };
        let inline = above.len() > 1 && path[0] == "schedule" && *name != "schedule";
        item = table.entry(name).or_insert_with(|| match inline {
            true => Item::Value(InlineTable::new().into()),
            false => toml_edit::table(),
        });
    }
    let Some(table) = item.as_table_like_mut() else {
        return Err(wrong(format!("`{last}` is inside of a key that has a plain value")));
    };
    // One says what the other does.
    if path[0] == "tensors" {
        let others: &[&str] = match *last {
            "format" => &["levels", "mode_order"],
            "levels" => &["format"],
            _ => &[],
        };
        others.iter().for_each(|other| drop(table.remove(other)));
    }
    table.insert(last, Item::Value(parsed(last, value.trim())));
    Ok(())
}

fn parsed(key: &str, text: &str) -> Value {
    match text.parse::<Value>() {
        Ok(value) => value,
        Err(_) if LISTS.contains(&key) => {
            text.split(',').map(str::trim).filter(|word| !word.is_empty()).collect::<Array>().into()
        }
        Err(_) => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Kept.\nexpr = \"y(i) = A(i,j) * x(j)\"\n[tensors.A]\nlevels = [\"dense\", \"dense\"]\n";

    #[test]
    fn what_is_set_replaces_and_is_added() {
        let choices =
            ["order=j,i", "schedule.lanes.j=8", "dims.i=100", "tensors.A.format=csc", "data.x=x.mtx", "ieee=true"];
        let text = edited(TEXT, &choices.map(str::to_owned)).unwrap();
        for part in [
            "# Kept.\n",
            "order = [\"j\", \"i\"]",
            "[schedule]\nlanes = { j = 8 }",
            "[dims]\ni = 100",
            "[tensors.A]\nformat = \"csc\"\n",
            "x = \"x.mtx\"",
            "ieee = true",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("levels"));
    }

    #[test]
    fn what_has_no_place_is_refused() {
        for bad in ["order", "expr.x=1", ".=1", "a..b=1"] {
            assert_eq!(edited(TEXT, &[bad.to_owned()]).unwrap_err().code, "K033", "{bad}");
        }
    }
}
