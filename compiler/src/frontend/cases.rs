//! `cases` of a function: other bodies for the case that only some arguments are present.

use super::blocks::parse_body;
use super::literal::Literal;
use super::reader::{Reader, Value, in_order};
use super::samples::Values;
use super::syntax::{Form, Syntax, SyntaxId};
use super::together::Together;
use super::user_function::{Declared, UserFunction};
use crate::stmt::{Algebra, ExprId, Fun, Function, Kernel};
use std::collections::HashSet;
use std::ops::Range;

/// The table `cases` of the function `name`: each key says of which arguments that are there, its string what the
/// function is then.
pub(super) fn read(
    reader: &mut Reader,
    value: &Value<'_>,
    (name, args): (&str, &[String]),
    functions: &HashSet<String>,
    mut syntax: Syntax,
) -> (Syntax, Vec<Declared>) {
    let mut cases: Vec<Declared> = Vec::new();
    let Some(table) = reader.table(value, "`cases`") else { return (syntax, cases) };
    for entry in in_order(table) {
        let (span, what) = (entry.key.span(), format!("the case `{}`", entry.name()));
        let holds;
        (syntax, holds) = algebra(reader, (entry.name(), span.clone()), args, "a case", syntax);
        let Some(text) = reader.string(entry.value, &what) else { continue };
        let literal = Literal::new(&reader.source.text, entry.value.span(), text);
        let definition;
        (syntax, definition) = parse_body(reader, &literal, functions, syntax);
        let (Some(holds), Some(definition)) = (holds, definition) else { continue };
        if holds == 0 {
            let problem = reader.at("K021", span, format!("{what} of `{name}` holds nowhere"));
            reader.report(problem);
            continue;
        }
        if let Some(other) = cases.iter().find(|c| c.holds & holds != 0) {
            let both = (other.holds & holds).trailing_zeros().into();
            let other = &reader.source.text[other.span.clone()];
            let message = format!("{what} of `{name}` overlaps the case {other}");
            let there = names(args, both);
            let problem = reader.at("K021", span, message).help(format!("both hold where {there}"));
            reader.report(problem);
            continue;
        }
        cases.push(Declared { holds, definition, span });
    }
    (syntax, cases)
}

/// Which arguments are there, in words.
fn names(args: &[String], p: u64) -> String {
    let there: Vec<&str> = args.iter().enumerate().filter(|(k, _)| p >> k & 1 == 1).map(|(_, a)| a.as_str()).collect();
    match &there[..] {
        [] => "no argument is there".into(),
        [one] => format!("only `{one}` is there"),
        several => format!("just `{}` are there", several.join("` and `")),
    }
}

/// The sets of arguments for which the iteration algebra `text` holds; `None` if it is none, which is reported.
pub(super) fn algebra(
    reader: &mut Reader,
    (text, span): (&str, Range<usize>),
    args: &[String],
    what: &str,
    syntax: Syntax,
) -> (Syntax, Option<u64>) {
    let literal = Literal::new(&reader.source.text, span.clone(), text);
    let (syntax, parsed) = parse_body(reader, &literal, &HashSet::new(), syntax);
    let Some(value) = parsed.map(|definition| definition.value) else { return (syntax, None) };
    let bit = |p: u64| there(&syntax, value, args, p).map(|holds| u64::from(holds) << p);
    let table = (0..1u64 << args.len()).map(bit).try_fold(0, |m, b| b.map(|b| m | b));
    if table.is_none() {
        let message = format!("{what} is made of the names of arguments and `|`, `&`, `^`, `!`, not `{text}`");
        let problem = reader.at("K021", span, message).help(format!("the arguments are `{}`", args.join("`, `")));
        reader.report(problem);
    }
    (syntax, table)
}

/// An iteration algebra where just the arguments in `p` are there.
fn there(syntax: &Syntax, node: SyntaxId, args: &[String], p: u64) -> Option<bool> {
    let of = |n: SyntaxId| there(syntax, n, args, p);
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

/// How many tuples are tried for each set of arguments.
const TRIES: usize = 250;

/// A declared property that the cases of `f` contradict where its arguments have these fills: the case, the
/// property, and an example.
pub(super) fn contradicted(
    declared: &UserFunction,
    f: &Function,
    fills: &[Option<u64>],
    together: &Together<'_>,
    algebra: Algebra,
) -> Option<(Range<usize>, &'static str, String)> {
    let mut values = Values::new(f.ty, algebra, 4);
    for (q, p) in together.sets() {
        let Some(case) = declared.cases.iter().find(|c| c.holds >> p & 1 == 1) else { continue };
        let says = |args: &[u64], p: u64| {
            let shown = |k: usize| if p >> k & 1 == 1 { f.ty.show(args[k]) } else { "absent".into() };
            let all: Vec<String> = (0..f.arity).map(shown).collect();
            format!("{}({}) is {}", f.name, all.join(", "), f.ty.show(f.apply_where(args, p)))
        };
        for _ in 0..TRIES {
            let Some(args) = together.draw(q, || values.value()) else { continue };
            let value = f.apply_where(&args, p);
            let has = |name: &str| declared.properties.contains_key(name);
            if has("commutative") && fills[0] == fills[1] {
                let (swapped, q) = ([args[1], args[0]], p >> 1 | (p & 1) << 1);
                if !f.ty.same(value, f.apply_where(&swapped, q)) {
                    let example = format!("{}, but {}", says(&args, p), says(&swapped, q));
                    return Some((case.span.clone(), "commutative", example));
                }
            }
            if has("idempotent") && args.iter().all(|&a| f.ty.same(a, args[0])) && !f.ty.same(value, args[0]) {
                return Some((case.span.clone(), "idempotent", says(&args, p)));
            }
            for (k, alone) in f.annihilators.iter().enumerate().filter(|(k, alone)| **alone == Some(args[*k])) {
                let zeros: Vec<u64> = (0..f.arity).map(|n| if n == k { alone.unwrap_or(0) } else { 0 }).collect();
                if !f.ty.same(value, f.apply(&zeros)) {
                    let example = format!("{}, but {}", says(&zeros, f.all()), says(&args, p));
                    return Some((case.span.clone(), "annihilator", example));
                }
            }
            if let (Some(identity), [a, b]) = (f.identity, &args[..]) {
                for (e, x) in [(a, b), (b, a)] {
                    if *e == identity && !f.ty.same(value, *x) {
                        return Some((case.span.clone(), "identity", says(&args, p)));
                    }
                }
            }
        }
    }
    None
}

/// Reports what is wrong with the calls of functions that have cases, given the fills of their arguments.
pub(super) fn check(
    reader: &mut Reader,
    kernel: &Kernel,
    declared: &UserFunction,
    (f, args, fills): (&Function, &[ExprId], &[Option<u64>]),
    together: &Together<'_>,
    span: &Range<usize>,
) {
    if declared.cases.is_empty() {
        return;
    }
    let number = |k: &usize| kernel.accesses(args[*k]).is_empty() && fills[*k].is_some();
    if let Some(k) = (0..args.len()).find(number) {
        let message = format!(
            "argument `{}` of `{}` is a number here, but `cases` ask which arguments are stored",
            declared.args[k], f.name
        );
        let problem = reader.at("E027", span.clone(), message);
        reader.report(problem.help("write the number into the body of another function"));
        return;
    }
    if let Some((case, property, example)) = contradicted(declared, f, fills, together, kernel.algebra) {
        let message = format!("this case of `{}` contradicts the property `{property}` for type `{}`", f.name, f.ty);
        let problem = reader.at("K022", case, message).help(format!("for example: {example}"));
        let shown: Vec<String> = fills.iter().map(|v| v.map_or_else(|| "none".into(), |v| f.ty.show(v))).collect();
        let line = reader.source.text[..span.start].matches('\n').count() + 1;
        reader.report(problem.help(format!("it is called in line {line} with the fills {}", shown.join(", "))));
    }
}
