//! Translation of function bodies to terms: names are resolved, calls are inlined, short loops are unrolled, and other
//! loops become loops over the variables that they change.

mod rounds;

use super::domain::outside;
use super::reader::Reader;
use super::syntax::{Definition, Form, Step, Syntax, SyntaxId};
use super::user_function::UserFunction;
use crate::diag::Diagnostic;
use crate::stmt::{Fun, Term};
use crate::types::Type;
use rounds::changed;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// Most steps of a body once the functions it calls are in it.
const MOST_TERMS: usize = 500;

/// A problem in the body of a function.
pub(super) struct Wrong {
    code: &'static str,
    span: Range<usize>,
    message: String,
    help: Option<String>,
}

impl Wrong {
    fn new(span: &Range<usize>, message: String) -> Self {
        Self { code: "E024", span: span.clone(), message, help: None }
    }
    fn rounds(span: &Range<usize>, message: String, help: &'static str) -> Self {
        Self { code: "E025", span: span.clone(), message, help: Some(help.into()) }
    }
    fn domain(span: &Range<usize>, (message, help): (String, String)) -> Self {
        Self { code: "E023", span: span.clone(), message, help: Some(help) }
    }
    /// Returns the error to report.
    pub fn reported(self, reader: &Reader) -> Diagnostic {
        let problem = reader.at(self.code, self.span, self.message);
        match self.help {
            Some(help) => problem.help(help),
            None => problem,
        }
    }
}

/// Terms of a body, or of a loop in one.
#[derive(Default, Clone)]
struct Frame {
    terms: Vec<Term>,
    /// Terms of the outer frame that are arguments of this one.
    inputs: Vec<usize>,
    /// Invariant arguments, by the outer term.
    stays: HashMap<usize, usize>,
    /// Largest number of rounds, multiplied over all enclosing loops.
    rounds: u64,
}

/// A term of a frame.
#[derive(Clone, Copy)]
struct FrameTerm {
    frame: usize,
    term: usize,
}

/// What names stand for.
type Known<'b> = HashMap<&'b str, FrameTerm>;

struct BodyNames<'b> {
    functions: &'b BTreeMap<String, UserFunction>,
    syntax: &'b Syntax,
    ty: Type,
    /// Frames: the body's terms, then those of each enclosing loop.
    frames: Vec<Frame>,
    /// Functions whose calls are being inlined.
    inside: Vec<&'b str>,
}

/// A body of `function`, its usual one or that of a case, for element type `ty`; the last term is the value.
pub(super) fn terms(
    functions: &BTreeMap<String, UserFunction>,
    syntax: &Syntax,
    (function, definition): (&UserFunction, &Definition),
    ty: Type,
) -> Result<Vec<Term>, Wrong> {
    let args: Vec<usize> = (0..function.args.len()).collect();
    let frame = Frame { terms: args.iter().map(|&k| Term::Arg(k)).collect(), rounds: 1, ..Frame::default() };
    let mut body = BodyNames { functions, syntax, ty, frames: vec![frame], inside: vec![] };
    let value = body.call(function, definition, &args)?;
    let mut terms = std::mem::take(&mut body.frames[0].terms);
    match terms[value].clone() {
        last @ (Term::Arg(_) | Term::Literal(_)) => terms.push(last),
        _ => terms.truncate(value + 1),
    }
    Ok(terms)
}

impl<'b> BodyNames<'b> {
    /// The terms of a function on arguments that are terms already; gives the number of its value.
    fn call(&mut self, function: &'b UserFunction, definition: &'b Definition, args: &[usize]) -> Result<usize, Wrong> {
        let name = function.name.name.as_str();
        if self.inside.contains(&name) {
            let message = format!("`{name}` calls itself: hardware has no recursion");
            return Err(Wrong::new(&function.name.span, message));
        }
        self.inside.push(name);
        let frame = self.frames.len() - 1;
        let places = args.iter().map(|&term| FrameTerm { frame, term });
        let mut known: Known<'b> = function.args.iter().map(String::as_str).zip(places).collect();
        self.steps(&definition.steps, &mut known, &HashMap::new())?;
        let value = self.term(definition.value, &known)?;
        self.inside.pop();
        Ok(value)
    }

    /// A step after the other; `known` changes with them. In a loop's block `let` names what is not `outside`.
    fn steps(&mut self, steps: &'b [Step], known: &mut Known<'b>, outside: &Known<'b>) -> Result<(), Wrong> {
        for step in steps {
            match step {
                Step::Let(name, _) if outside.contains_key(name.name.as_str()) => {
                    let message = format!("`{0}` exists already: write `{0} = ..` to change it", name.name);
                    return Err(Wrong::new(&name.span, message));
                }
                Step::Let(name, value) => {
                    let place = self.place(*value, known)?;
                    known.insert(&name.name, place);
                }
                Step::Set(name, value) => {
                    let place = self.place(*value, known)?;
                    if known.insert(&name.name, place).is_none() {
                        let message = format!("`{}` is neither an argument nor named by `let`", name.name);
                        return Err(Wrong::new(&name.span, message));
                    }
                }
                Step::While { condition, limit, steps, span } => {
                    self.rounds(known, &changed(steps), (*limit, span), |me, inner| {
                        let condition = me.term(*condition, inner)?;
                        me.block(steps, inner)?;
                        Ok((condition, vec![]))
                    })?;
                }
                Step::For { name, from, to, limit, steps, span } => {
                    let (from, to) = (self.place(*from, known)?, self.place(*to, known)?);
                    self.count(known, &name.name, (from, to), (*limit, span), steps)?;
                }
            }
        }
        Ok(())
    }

    fn block(&mut self, steps: &'b [Step], known: &mut Known<'b>) -> Result<(), Wrong> {
        let outside = known.clone();
        self.steps(steps, known, &outside)
    }

    /// The term in the frame we are in.
    fn here(&mut self, place: FrameTerm) -> usize {
        self.import(self.frames.len() - 1, place)
    }

    /// The term in frame `to`, which is inside of the one it is of.
    fn import(&mut self, to: usize, place: FrameTerm) -> usize {
        if place.frame >= to {
            return place.term;
        }
        if let literal @ Term::Literal(_) = &self.frames[place.frame].terms[place.term] {
            let literal = literal.clone();
            self.frames[to].terms.push(literal);
            return self.frames[to].terms.len() - 1;
        }
        let outer = self.import(to - 1, place);
        let frame = &mut self.frames[to];
        *frame.stays.entry(outer).or_insert_with(|| {
            frame.terms.push(Term::Arg(frame.inputs.len()));
            frame.inputs.push(outer);
            frame.terms.len() - 1
        })
    }

    fn push(&mut self, term: Term, span: &Range<usize>) -> Result<usize, Wrong> {
        let all: usize = self.frames.iter().map(|f| size(&f.terms)).sum();
        if all + size(std::slice::from_ref(&term)) > MOST_TERMS {
            return Err(Wrong::new(span, format!("the body has more than {MOST_TERMS} steps")));
        }
        let frame = self.frames.len() - 1;
        let terms = &mut self.frames[frame].terms;
        terms.push(term);
        Ok(terms.len() - 1)
    }

    fn place(&mut self, node: SyntaxId, known: &Known<'b>) -> Result<FrameTerm, Wrong> {
        Ok(FrameTerm { term: self.term(node, known)?, frame: self.frames.len() - 1 })
    }

    fn term(&mut self, node: SyntaxId, known: &Known<'b>) -> Result<usize, Wrong> {
        let syntax = self.syntax;
        let at = &syntax.nodes[node];
        let term = match &at.form {
            Form::Number(text) => Term::Literal(self.number(text, &at.span)?),
            Form::Map(Fun::Neg, of) if is_number(syntax, node) => {
                let Form::Number(text) = &syntax.nodes[of[0]].form else {
                    return Err(Wrong::new(&at.span, String::new()));
                };
                Term::Literal(self.number(&format!("-{text}"), &at.span)?)
            }
            Form::Access { tensor, indices } if indices.is_empty() => {
                let Some(&place) = known.get(tensor.name.as_str()) else {
                    let message = format!("`{}` is neither an argument nor named by `let`", tensor.name);
                    return Err(Wrong::new(&tensor.span, message));
                };
                return Ok(self.here(place));
            }
            Form::Map(f, nodes) => {
                let of = nodes.iter().map(|&n| self.term(n, known)).collect::<Result<Vec<_>, _>>()?;
                let terms = &self.frames[self.frames.len() - 1].terms;
                let constant = |&t: &usize| if let Term::Literal(v) = terms[t] { Some(v) } else { None };
                let constants: Vec<Option<u64>> = of.iter().map(constant).collect();
                // A number that a loop counts may be one that is not asked for, behind an `if`.
                let written = |(&n, &c): (&SyntaxId, &Option<u64>)| c.filter(|_| is_number(syntax, n));
                let numbers: Vec<Option<u64>> = nodes.iter().zip(&constants).map(written).collect();
                if let Some(problem) = outside(*f, self.ty, &numbers) {
                    return Err(Wrong::domain(&at.span, problem));
                }
                let term = match constants.into_iter().collect::<Option<Vec<u64>>>() {
                    Some(values) => Term::Literal(f.apply(&values, self.ty)),
                    None => Term::Apply(*f, of),
                };
                match f.settled_by(self.ty) {
                    Some(by) => Term::Apply(by, vec![self.push(term, &at.span)?]),
                    None => term,
                }
            }
            Form::Call(name, of) => {
                let of = of.iter().map(|&n| self.term(n, known)).collect::<Result<Vec<_>, _>>()?;
                let function = self.functions.get(&name.name).filter(|f| f.args.len() == of.len());
                let function = function.ok_or_else(|| {
                    Wrong::new(&name.span, format!("`{}` does not take {} arguments", name.name, of.len()))
                })?;
                if !function.cases.is_empty() {
                    let message =
                        format!("`{}` has cases, which ask what is stored: a body computes with values", name.name);
                    return Err(Wrong::new(&name.span, message));
                }
                return self.call(function, &function.definition, &of);
            }
            _ => {
                let message = "a body computes with its arguments only, not with tensors".into();
                return Err(Wrong::new(&at.span, message));
            }
        };
        self.push(term, &at.span)
    }

    fn number(&self, text: &str, span: &Range<usize>) -> Result<u64, Wrong> {
        let message = || format!("`{text}` is not a value of type `{}`, for which the function is used", self.ty);
        self.ty.parse(text).map_err(|_| Wrong::new(span, message()))
    }
}

/// Terms, those of loops too.
fn size(terms: &[Term]) -> usize {
    terms.iter().map(|t| if let Term::Loop(l) = t { 1 + size(&l.terms) } else { 1 }).sum()
}

/// Is it written as a number?
fn is_number(syntax: &Syntax, node: SyntaxId) -> bool {
    match &syntax.nodes[node].form {
        Form::Number(_) => true,
        Form::Map(Fun::Neg, of) => matches!(syntax.nodes[of[0]].form, Form::Number(_)),
        _ => false,
    }
}
