//! Parsing of the names of levels.

use super::foreign;
use super::reader::{Reader, Value, list};
use crate::levels::{self, LevelKind};

/// Level kinds that a later version has.
const LATER_LEVELS: [&str; 1] = ["broadcast"];

/// The level kind that `value` names, or a report.
pub(super) fn level_kind(reader: &mut Reader, value: &Value<'_>) -> Option<LevelKind> {
    let name = reader.string(value, "a level")?;
    // TACO's spelling is understood, too.
    let short = name.strip_suffix("_nonunique").map(|kind| format!("{kind}_nu"));
    let kind = levels::named(short.as_deref().unwrap_or(name));
    let kind = kind.or_else(|| levels::ALL.into_iter().find(|kind| kind.aliases().contains(&name)));
    if kind.is_none() {
        let names = levels::ALL.map(|kind| kind.name());
        if LATER_LEVELS.contains(&name) {
            let help = format!("levels so far: {}", list(&names));
            reader.unsupported("K020", value.span(), &format!("level `{name}` is"), &help);
        } else {
            let aliases = levels::ALL.into_iter().flat_map(|kind| kind.aliases());
            let names: Vec<&str> = names.into_iter().chain(aliases.copied()).collect();
            let message = format!("unknown level `{name}`");
            reader.unknown_word("K006", value.span(), message, (name, foreign::level(name)), &names);
        }
    }
    kind
}
