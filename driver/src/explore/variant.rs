//! Variants: a kernel file with some of its choices changed.

use samhw_compiler::diag::Diagnostic;
use samhw_compiler::levels::LevelKind;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use toml_edit::{Array, DocumentMut, InlineTable, Item, TableLike, Value};

/// The place of a choice in the kernel file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// `order`.
    Order,
    /// The levels of this tensor.
    Levels(String),
    /// A key of `[schedule]` with a list of names: `skip`, `locate`, `scatter`.
    Names(&'static str),
    /// A key of `[schedule]` with a number for this index: `parallel`, `lanes`, `wide`, `bitvector`, `split`.
    Number(&'static str, String),
    /// A key of `[schedule]` for which no index is given.
    Nothing(&'static str),
}

/// The value of a choice.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Setting {
    /// Names of indices or tensors.
    Names(Vec<String>),
    /// Kinds of the levels, and the mode that each level stores.
    Levels(Vec<&'static str>, Vec<usize>),
    /// A number.
    Number(u64),
    /// No value, for [`Slot::Nothing`].
    Nothing,
}

/// A variant: the choices that differ from the kernel file's.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Variant(pub BTreeMap<Slot, Setting>);

impl Variant {
    /// Returns this variant with one choice added or changed. A key with indices and the same key without any exclude
    /// each other.
    pub fn with(&self, slot: Slot, setting: Setting) -> Self {
        let mut all = self.0.clone();
        match &slot {
            Slot::Nothing(key) => all.retain(|s, _| !matches!(s, Slot::Number(k, _) if k == key)),
            Slot::Number(key, _) => {
                all.remove(&Slot::Nothing(key));
            }
            _ => {}
        }
        all.insert(slot, setting);
        Self(all)
    }

    /// Applies the choices to the text of the kernel file and keeps its comments. Data files are looked for below
    /// `base`, if that is given.
    pub fn apply(&self, text: &str, base: Option<&Path>) -> Result<String, Diagnostic> {
        let wrong = |what: String| Diagnostic::new("K001", what);
        let mut doc: DocumentMut = text.parse().map_err(|e: toml_edit::TomlError| wrong(e.message().to_owned()))?;
        for (slot, setting) in &self.0 {
            let done = match (slot, setting) {
                (Slot::Order, Setting::Names(names)) => {
                    doc["order"] = list(names);
                    Some(())
                }
                (Slot::Levels(tensor), Setting::Levels(levels, modes)) => doc["tensors"]
                    .get_mut(tensor)
                    .and_then(Item::as_table_like_mut)
                    .map(|t| set_levels(t, levels, modes)),
                (Slot::Names(key), Setting::Names(names)) => schedule(&mut doc).map(|s| {
                    s.insert(key, list(names));
                }),
                (Slot::Number(key, index), Setting::Number(n)) => {
                    schedule(&mut doc).and_then(|s| set_number(s, key, index, *n))
                }
                (Slot::Nothing(key), _) => schedule(&mut doc).map(|s| {
                    s.insert(key, Item::Value(InlineTable::new().into()));
                }),
                _ => None,
            };
            done.ok_or_else(|| wrong(format!("{slot:?} is not a place in this kernel file")))?;
        }
        if let Some(base) = base {
            rebase(&mut doc, base);
        }
        Ok(doc.to_string())
    }
}

/// Lists the tensors that have a table in the kernel file.
pub fn tables(text: &str) -> Vec<String> {
    let doc = text.parse::<DocumentMut>().unwrap_or_default();
    let tensors = doc.get("tensors").and_then(Item::as_table_like);
    tensors.into_iter().flat_map(TableLike::iter).map(|(name, _)| name.to_owned()).collect()
}

/// As a user would say it: `order i,k,j; parallel i=4`.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("as written");
        }
        for (k, (slot, setting)) in self.0.iter().enumerate() {
            if k > 0 {
                f.write_str("; ")?;
            }
            match slot {
                Slot::Order => f.write_str("order ")?,
                Slot::Levels(tensor) => write!(f, "{tensor} ")?,
                Slot::Names(key) => write!(f, "{key} ")?,
                Slot::Number(key, index) => write!(f, "{key} {index}=")?,
                Slot::Nothing(key) => write!(f, "no {key}")?,
            }
            match setting {
                Setting::Names(names) if names.is_empty() => f.write_str("nothing")?,
                Setting::Names(names) => f.write_str(&names.join(","))?,
                Setting::Levels(levels, _) => f.write_str(&levels.join(","))?,
                Setting::Number(n) => write!(f, "{n}")?,
                Setting::Nothing => {}
            }
        }
        Ok(())
    }
}

/// Returns the name of a kind of level in kernel files, if the search changes this kind.
pub fn level_name(level: LevelKind) -> Option<&'static str> {
    level.is_explored().then(|| level.name())
}

fn list(names: &[String]) -> Item {
    Item::Value(names.iter().collect::<Array>().into())
}

/// The section, made where it is absent.
fn schedule(doc: &mut DocumentMut) -> Option<&mut dyn TableLike> {
    if doc.get("schedule").is_none() {
        doc["schedule"] = toml_edit::table();
    }
    doc["schedule"].as_table_like_mut()
}

fn set_number(schedule: &mut dyn TableLike, key: &str, index: &str, n: u64) -> Option<()> {
    if schedule.get(key).is_none() {
        schedule.insert(key, Item::Value(InlineTable::new().into()));
    }
    let n = Value::from(i64::try_from(n).ok()?);
    let table = schedule.get_mut(key)?.as_table_like_mut()?;
    // Of copies what else is said of them stays.
    match table.get_mut(index).and_then(Item::as_table_like_mut) {
        Some(copies) => copies.insert("copies", Item::Value(n)),
        None => table.insert(index, Item::Value(n)),
    };
    Some(())
}

fn set_levels(tensor: &mut dyn TableLike, levels: &[&str], modes: &[usize]) {
    tensor.remove("format");
    tensor.insert("levels", Item::Value(levels.iter().copied().collect::<Array>().into()));
    if !modes.is_sorted() {
        tensor.insert("mode_order", Item::Value(modes.iter().map(|&m| m as i64).collect::<Array>().into()));
    }
}

/// Paths of `[data]` as seen from `base`, where the kernel file was.
fn rebase(doc: &mut DocumentMut, base: &Path) {
    let moved = |value: &mut Value| {
        if let Some(path) = value.as_str().map(|p| base.join(p)) {
            *value = path.to_string_lossy().as_ref().into();
        }
    };
    let Some(data) = doc.get_mut("data").and_then(Item::as_table_like_mut) else { return };
    for (_, item) in data.iter_mut() {
        if let Some(value) = item.as_value_mut().filter(|v| v.is_str()) {
            moved(value);
        } else if let Some(file) = item.as_table_like_mut().and_then(|t| t.get_mut("file")).and_then(Item::as_value_mut)
        {
            moved(file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Kept.\nexpr = \"y(i) = A(i,j) * x(j)\"\n[tensors.A]\nformat = \"csc\"  # columns\ntype = \"i16\"\n\
                        [schedule]\nparallel = { i = { copies = 2, balance = \"fibers\" } }\n[data]\nA = \"a.mtx\"\n\
                        x = { file = \"x.tns\", convert = \"round\" }\n";

    fn variant(choices: Vec<(Slot, Setting)>) -> Variant {
        choices.into_iter().fold(Variant::default(), |v, (slot, setting)| v.with(slot, setting))
    }

    #[test]
    fn what_is_not_chosen_stays() {
        assert_eq!(tables(TEXT), ["A"]);
        assert_eq!(Variant::default().apply(TEXT, None).unwrap(), TEXT);
        let new = variant(vec![
            (Slot::Order, Setting::Names(vec!["j".into(), "i".into()])),
            (Slot::Levels("A".into()), Setting::Levels(vec!["dense", "dense"], vec![1, 0])),
            (Slot::Number("parallel", "i".into()), Setting::Number(4)),
            (Slot::Number("lanes", "j".into()), Setting::Number(8)),
        ]);
        assert_eq!(new.to_string(), "order j,i; A dense,dense; lanes j=8; parallel i=4");
        let text = new.apply(TEXT, Some(Path::new("/data"))).unwrap();
        for part in [
            "# Kept.",
            "order = [\"j\", \"i\"]",
            "levels = [\"dense\", \"dense\"]",
            "mode_order = [1, 0]",
            "parallel = { i = { copies = 4, balance = \"fibers\" } }",
            "lanes = { j = 8 }",
            "A = \"/data/a.mtx\"",
            "x = { file = \"/data/x.tns\", convert = \"round\" }",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("csc"));
    }

    #[test]
    fn a_key_for_no_index_and_one_for_some_exclude_each_other() {
        let some = variant(vec![(Slot::Number("wide", "i".into()), Setting::Number(4))]);
        let none = some.with(Slot::Nothing("wide"), Setting::Nothing);
        assert_eq!(none.to_string(), "no wide");
        assert!(none.apply(TEXT, None).unwrap().contains("wide = {}"));
        assert_eq!(none.with(Slot::Number("wide", "i".into()), Setting::Number(4)), some);
    }

    #[test]
    fn a_choice_without_a_place_is_refused() {
        let new = variant(vec![(Slot::Levels("B".into()), Setting::Levels(vec![], vec![]))]);
        assert_eq!(new.apply(TEXT, None).unwrap_err().code, "K001");
    }
}
