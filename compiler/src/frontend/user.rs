//! `[functions.NAME]`: functions of the kernel file, from their tables to bodies of one element type.

use super::expression::parse_body;
use super::literal::Literal;
use super::reader::{Entry, Reader, in_order};
use super::syntax::{Definition, Form, Ident, NodeId, Syntax};
use crate::diag::Diagnostic;
use crate::stmt::{Fun, Function, Term};
use crate::types::Type;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use toml::de::DeValue;

const KEYS: [&str; 6] = ["args", "body", "properties", "annihilator", "identity", "iterate"];
const PROPERTIES: [&str; 3] = ["commutative", "idempotent", "associative"];
/// Most arguments: an iteration algebra is a table of all their subsets.
const MOST_ARGUMENTS: usize = 6;
/// Most steps of a body once the functions it calls stand in it.
const MOST_TERMS: usize = 500;

/// A function's table.
#[derive(Debug)]
pub(super) struct UserFunction {
    /// Its name.
    pub name: Ident,
    /// Names of its arguments.
    pub args: Vec<String>,
    /// Its body.
    definition: Definition,
    /// Argument and value, as text, that alone decide the result.
    annihilators: Vec<(usize, String, Range<usize>)>,
    /// Declared properties.
    pub properties: BTreeMap<String, Range<usize>>,
    /// What a reduction gives over nothing, as text.
    pub identity: Option<(String, Range<usize>)>,
    /// Explicit iteration algebra over sets of arguments.
    pub iterate: Option<(u64, Range<usize>)>,
}

/// All functions of the file by name; their bodies' nodes go into `syntax`.
pub(super) fn read(
    reader: &mut Reader,
    entry: Entry<'_>,
    mut syntax: Syntax,
) -> (Syntax, BTreeMap<String, UserFunction>) {
    let mut all = BTreeMap::new();
    let Some(table) = reader.table(entry.value, "`functions`") else { return (syntax, all) };
    let names: HashSet<String> = in_order(table).iter().map(|f| f.name().to_owned()).collect();
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
        let literal = Literal::new(&reader.source.text, value.span(), text);
        let (back, algebra) = parse_body(reader, &literal, &HashSet::new(), std::mem::take(&mut syntax));
        syntax = back;
        let rows = 0..1u64 << args.len();
        let bit = |p: u64| there(&syntax, algebra.as_ref()?.value, &args, p).map(|holds| u64::from(holds) << p);
        let table = rows.map(bit).try_fold(0, |m, b| b.map(|b| m | b));
        if table.is_none() {
            let message = format!("`iterate` is made of the names of arguments and `|`, `&`, `^`, `!`, not `{text}`");
            let problem = reader.at("K021", value.span(), message);
            reader.report(problem);
        }
        Some((table?, value.span()))
    });
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

/// An iteration algebra where just the arguments in `p` are there.
fn there(syntax: &Syntax, node: NodeId, args: &[String], p: u64) -> Option<bool> {
    let of = |n: NodeId| there(syntax, n, args, p);
    match &syntax.nodes[node].form {
        Form::Access { tensor, indices } if indices.is_empty() => {
            args.iter().position(|a| *a == tensor.name).map(|k| p >> k & 1 == 1)
        }
        Form::Map(Fun::BitOr | Fun::Or, a) => Some(of(a[0])? | of(a[1])?),
        Form::Map(Fun::BitAnd | Fun::And, a) => Some(of(a[0])? & of(a[1])?),
        Form::Map(Fun::BitXor, a) => Some(of(a[0])? ^ of(a[1])?),
        Form::Map(Fun::Not | Fun::BitNot, a) => Some(!of(a[0])?),
        _ => None,
    }
}

/// What is wrong in a body: its place and the message.
type Wrong = (Range<usize>, String);

/// Bodies on their way to terms.
struct Body<'b> {
    functions: &'b BTreeMap<String, UserFunction>,
    syntax: &'b Syntax,
    ty: Type,
    terms: Vec<Term>,
    /// Functions that we are inside of.
    inside: Vec<&'b str>,
}

/// `function` for element type `ty`. The error is a problem to report.
pub(super) fn instance(
    reader: &Reader,
    functions: &BTreeMap<String, UserFunction>,
    syntax: &Syntax,
    function: &UserFunction,
    ty: Type,
) -> Result<Function, Diagnostic> {
    let mut body = Body { functions, syntax, ty, terms: Vec::new(), inside: vec![] };
    body.terms = (0..function.args.len()).map(Term::Arg).collect();
    let args: Vec<usize> = (0..function.args.len()).collect();
    let value = body.call(function, &args).map_err(|(span, message)| reader.at("E024", span, message))?;
    match body.terms[value].clone() {
        last @ (Term::Arg(_) | Term::Literal(_)) => body.terms.push(last),
        Term::Apply(..) => body.terms.truncate(value + 1),
    }
    let mut annihilators = vec![None; function.args.len()];
    for (k, text, span) in &function.annihilators {
        let value = ty.parse(text);
        let message = || format!("`{text}` is no value of type `{ty}`, for which the function is used");
        annihilators[*k] = Some(value.map_err(|_| reader.at("E005", span.clone(), message()))?);
    }
    let iterate = function.iterate.as_ref().map(|i| i.0);
    let name = function.name.name.clone();
    Ok(Function { name, arity: function.args.len(), ty, body: body.terms, annihilators, iterate })
}

impl<'b> Body<'b> {
    /// The terms of a function on arguments that are terms already; gives the number of its value.
    fn call(&mut self, function: &'b UserFunction, args: &[usize]) -> Result<usize, Wrong> {
        let name = function.name.name.as_str();
        if self.inside.contains(&name) {
            return Err((function.name.span.clone(), format!("`{name}` calls itself, which hardware cannot")));
        }
        self.inside.push(name);
        let mut known: HashMap<&str, usize> =
            function.args.iter().map(String::as_str).zip(args.iter().copied()).collect();
        for (name, value) in &function.definition.lets {
            let term = self.term(*value, &known)?;
            known.insert(&name.name, term);
        }
        let value = self.term(function.definition.value, &known)?;
        self.inside.pop();
        Ok(value)
    }

    fn term(&mut self, node: NodeId, known: &HashMap<&str, usize>) -> Result<usize, Wrong> {
        let syntax = self.syntax;
        let at = &syntax.nodes[node];
        let term = match &at.form {
            Form::Number(text) => Term::Literal(self.number(text, &at.span)?),
            Form::Map(Fun::Neg, of) if matches!(syntax.nodes[of[0]].form, Form::Number(_)) => {
                let Form::Number(text) = &syntax.nodes[of[0]].form else {
                    return Err((at.span.clone(), String::new()));
                };
                Term::Literal(self.number(&format!("-{text}"), &at.span)?)
            }
            Form::Access { tensor, indices } if indices.is_empty() => {
                let found = known.get(tensor.name.as_str()).copied();
                return found.ok_or_else(|| {
                    let message = format!("`{}` is neither an argument nor named by `let`", tensor.name);
                    (tensor.span.clone(), message)
                });
            }
            Form::Map(f, of) => {
                let of = of.iter().map(|&n| self.term(n, known)).collect::<Result<Vec<_>, _>>()?;
                let constant = |&t: &usize| if let Term::Literal(v) = self.terms[t] { Some(v) } else { None };
                match of.iter().map(constant).collect::<Option<Vec<u64>>>() {
                    Some(values) => Term::Literal(f.apply(&values, self.ty)),
                    None => Term::Apply(*f, of),
                }
            }
            Form::Call(name, of) => {
                let of = of.iter().map(|&n| self.term(n, known)).collect::<Result<Vec<_>, _>>()?;
                let function = self.functions.get(&name.name).filter(|f| f.args.len() == of.len());
                let function = function.ok_or_else(|| {
                    (name.span.clone(), format!("`{}` does not take {} arguments", name.name, of.len()))
                })?;
                return self.call(function, &of);
            }
            _ => return Err((at.span.clone(), "a body computes with its arguments only, not with tensors".into())),
        };
        if self.terms.len() >= MOST_TERMS {
            return Err((at.span.clone(), format!("the body has more than {MOST_TERMS} steps")));
        }
        self.terms.push(term);
        Ok(self.terms.len() - 1)
    }

    fn number(&self, text: &str, span: &Range<usize>) -> Result<u64, Wrong> {
        let message = || format!("`{text}` is no value of type `{}`, for which the function is used", self.ty);
        self.ty.parse(text).map_err(|_| (span.clone(), message()))
    }
}
