//! Functions of the kernel file, `[functions.NAME]`, translated to bodies of one element type.

use super::blocks::parse_body;
use super::literal::Literal;
use super::reader::{Entry, Reader, in_order};
use super::syntax::{Definition, Ident, Syntax};
use super::user_function::{Declared, UserFunction};
use super::{body, cases, prelude};
use crate::diag::Diagnostic;
use crate::stmt::{Case, Function};
use crate::types::Type;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use toml::de::DeValue;

const KEYS: [&str; 7] = ["args", "body", "properties", "annihilator", "identity", "iterate", "cases"];
const PROPERTIES: [&str; 3] = ["commutative", "idempotent", "associative"];
/// Most arguments: an iteration algebra is a table of all their subsets.
const MOST_ARGUMENTS: usize = 6;

/// Names of all functions of the file, from the value of its key `functions`.
pub(super) fn names(value: &super::reader::Value<'_>) -> HashSet<String> {
    match value.get_ref() {
        DeValue::Table(table) => in_order(table).iter().map(|f| f.name().to_owned()).collect(),
        _ => HashSet::new(),
    }
}

/// All functions of the file by name; their bodies' nodes go into `syntax`.
pub(super) fn read(
    reader: &mut Reader,
    entry: Entry<'_>,
    mut syntax: Syntax,
) -> (Syntax, BTreeMap<String, UserFunction>) {
    let mut all = BTreeMap::new();
    let Some(table) = reader.table(entry.value, "`functions`") else { return (syntax, all) };
    let mut names: HashSet<String> = in_order(table).iter().map(|f| f.name().to_owned()).collect();
    names.extend(prelude::names().map(str::to_owned));
    for function in in_order(table) {
        let (back, read) = one(reader, function, &names, syntax);
        syntax = back;
        all.extend(read.map(|f| (f.name.name.clone(), f)));
    }
    (syntax, all)
}

fn one(
    reader: &mut Reader,
    entry: Entry<'_>,
    names: &HashSet<String>,
    mut syntax: Syntax,
) -> (Syntax, Option<UserFunction>) {
    let place = format!("in the function `{}`", entry.name());
    let Some(table) = reader.table(entry.value, &format!("`functions.{}`", entry.name())) else {
        return (syntax, None);
    };
    let name = Ident { name: entry.name().to_owned(), span: entry.key.span() };
    let fields = reader.entries(table, &place, &KEYS);
    let field = |key: &str| fields.iter().find(|f| f.name() == key).map(|f| f.value);
    let args: Option<Vec<String>> = field("args").and_then(|value| {
        let names = reader.strings(value, "`args`")?;
        Some(names.into_iter().map(toml::Spanned::into_inner).collect())
    });
    let text = field("body").and_then(|value| reader.string(value, "`body`").map(|text| (text, value.span())));
    let (Some(args), Some((text, span))) = (args, text) else {
        if field("args").is_none() || field("body").is_none() {
            let problem = reader.at("K003", name.span, format!("function `{}` needs `args` and `body`", name.name));
            reader.report(problem.help("for example: args = [\"x\", \"y\"], body = \"x * y + 1\""));
        }
        return (syntax, None);
    };
    if args.is_empty() || args.len() > MOST_ARGUMENTS || (1..args.len()).any(|n| args[..n].contains(&args[n])) {
        let message = format!("function `{}` takes 1 to {MOST_ARGUMENTS} arguments with different names", name.name);
        let problem = reader.at("K021", name.span, message);
        reader.report(problem);
        return (syntax, None);
    }
    let literal = Literal::new(&reader.source.text, span, text);
    let definition;
    (syntax, definition) = parse_body(reader, &literal, names, syntax);
    let iterate = field("iterate").and_then(|value| {
        let text = reader.string(value, "`iterate`")?;
        let holds;
        (syntax, holds) = cases::algebra(reader, (text, value.span()), &args, "`iterate`", std::mem::take(&mut syntax));
        Some((holds?, value.span()))
    });
    let mut special = Vec::new();
    if let Some(value) = field("cases") {
        (syntax, special) = cases::read(reader, value, (&name.name, &args), names, syntax);
    }
    let mut properties = BTreeMap::new();
    for property in field("properties").and_then(|value| reader.strings(value, "`properties`")).unwrap_or_default() {
        let (span, text) = (property.span(), property.into_inner());
        if PROPERTIES.contains(&text.as_str()) {
            properties.insert(text, span);
        } else {
            let message = format!("unknown property `{}`", text.escape_debug());
            reader.unknown("K021", span, message, &text, &PROPERTIES);
        }
    }
    let annihilators = field("annihilator").and_then(|value| annihilators(reader, value, &args)).unwrap_or_default();
    let identity = field("identity").and_then(|value| Some((number(reader, value, "`identity`")?, value.span())));
    let read = definition.map(|definition| UserFunction {
        name,
        args,
        definition,
        annihilators,
        properties,
        identity,
        iterate,
        cases: special,
    });
    (syntax, read)
}

fn annihilators(
    reader: &mut Reader,
    value: &super::reader::Value<'_>,
    args: &[String],
) -> Option<Vec<(usize, String, Range<usize>)>> {
    let table = reader.table(value, "`annihilator`")?;
    let known: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut all = Vec::new();
    for entry in reader.entries(table, "as an argument", &known) {
        let number = number(reader, entry.value, &format!("the annihilator of `{}`", entry.name()));
        let place = args.iter().position(|a| a == entry.name());
        all.extend(place.zip(number).map(|(k, text)| (k, text, entry.value.span())));
    }
    Some(all)
}

/// A TOML number as text.
fn number(reader: &mut Reader, value: &super::reader::Value<'_>, what: &str) -> Option<String> {
    if let DeValue::Float(float) = value.get_ref() {
        return Some(float.as_str().to_owned());
    }
    reader.number(value, what).map(|number| format!("{number}"))
}

/// `function` for element type `ty`. The error is a problem to report.
pub(super) fn instance(
    reader: &Reader,
    functions: &BTreeMap<String, UserFunction>,
    syntax: &Syntax,
    function: &UserFunction,
    ty: Type,
) -> Result<Function, Diagnostic> {
    let terms = |of: &Definition| body::terms(functions, syntax, (function, of), ty).map_err(|w| w.reported(reader));
    let body = terms(&function.definition)?;
    let case = |c: &Declared| Ok(Case { holds: c.holds, body: terms(&c.definition)? });
    let cases = function.cases.iter().map(case).collect::<Result<_, Diagnostic>>()?;
    let mut annihilators = vec![None; function.args.len()];
    for (k, text, span) in &function.annihilators {
        let value = ty.parse(text);
        let message = || format!("`{text}` is not a value of type `{ty}`, for which the function is used");
        annihilators[*k] = Some(value.map_err(|_| reader.at("E005", span.clone(), message()))?);
    }
    let identity = match &function.identity {
        Some((text, span)) => {
            let message = || format!("`{text}` is not a value of type `{ty}`, for which the function is used");
            Some(ty.parse(text).map_err(|_| reader.at("E005", span.clone(), message()))?)
        }
        None => None,
    };
    let iterate = function.iterate.as_ref().map(|i| i.0);
    let name = function.name.name.clone();
    Ok(Function { name, arity: function.args.len(), ty, body, cases, annihilators, identity, iterate })
}
