//! Scans `cumsum[i](e)` and `scan(op, i, e)`, and positions such as `argmin[j](e)` and `first[j](c)`: their syntax and
//! their translation.

use super::builder::Builder;
use super::conversion::accumulates;
use super::expression::{Broken, Parser};
use super::functions::{self, reduce_op};
use super::syntax::{Form, Ident, Reducer, Sought, SyntaxId};
use super::token::Kind;
use super::whole::Kinds;
use crate::facts::coordinate_bits;
use crate::stmt::{Expr, ExprId, Fun, Operator, Prefix, Shared};
use crate::types::Type;

/// Fewer bits of a number would not hold a stop.
const LEAST_BITS: u32 = 8;

/// Scans that have a name, and what they fold with.
const SCANS: [(&str, Fun); 6] = [
    ("cumsum", Fun::Add),
    ("cumprod", Fun::Mul),
    ("cummin", Fun::Min),
    ("cummax", Fun::Max),
    ("cumany", Fun::Or),
    ("cumall", Fun::And),
];

/// Functions of fibers.
const FIBERS: [&str; 2] = ["softmax", TOP];
/// Name of the function that keeps the greatest values of a fiber.
pub(super) const TOP: &str = "topk";

/// The place that `name[j](e)` is.
fn place(name: &str) -> Option<Sought> {
    Some(match name {
        "argmin" => Sought::Least,
        "argmax" => Sought::Greatest,
        "first" => Sought::First,
        _ => return None,
    })
}

/// Returns whether this is the name of a scan, or of a function that gives a coordinate.
pub(super) fn takes_index(name: &str) -> bool {
    FIBERS.contains(&name) || place(name).is_some() || SCANS.iter().any(|(scan, _)| *scan == name)
}

impl Parser<'_> {
    /// `name[i](e)` of these names; `None` if it is none of them.
    pub(super) fn along(
        &mut self,
        name: &Ident,
        vars: &[Ident],
        body: SyntaxId,
        start: usize,
    ) -> Option<Result<SyntaxId, Broken>> {
        let scan = SCANS.iter().find(|(scan, _)| *scan == name.name);
        let fibers = name.name == FIBERS[0];
        if scan.is_none() && place(&name.name).is_none() && !fibers {
            return None;
        }
        let [var] = vars else {
            let message = format!("`{}` goes along one index, not {}", name.name, vars.len());
            let problem = self.reader.at("E031", self.span_from(start), message);
            let help = match scan {
                Some((scan, _)) => {
                    format!("scan along one, `{scan}[j](A(i,j))`, and along the other in another kernel")
                }
                None if fibers => {
                    "make one index of the two first, with `collapse` in a statement before this one".into()
                }
                None => "store the extreme value of each row in a tensor, and apply the function to that tensor".into(),
            };
            self.reader.report(problem.help(help));
            return Some(self.node(Form::Reported, start, &[body]));
        };
        let form = match (scan, place(&name.name)) {
            (Some((_, fun)), _) => Form::Scan(Reducer::Fun(*fun), var.clone(), body),
            (None, Some(place)) => Form::Reduce(Reducer::Place(place), vec![var.clone()], body),
            (None, None) => Form::Reduce(Reducer::Softmax, vec![var.clone()], body),
        };
        Some(self.node(form, start, &[body]))
    }

    /// Parses the rest of `topk[j](e, n)`, after e.
    pub(super) fn top(
        &mut self,
        vars: Vec<Ident>,
        (body, open): (SyntaxId, usize),
        start: usize,
    ) -> Result<SyntaxId, Broken> {
        let count = if self.eat(",") { Some(self.expr(0)?) } else { None };
        self.close(open, ")")?;
        let whole = |count: &SyntaxId| match &self.syntax.nodes[*count].form {
            Form::Number(text) => text.parse::<u32>().is_ok_and(|n| n > 0),
            _ => false,
        };
        match (count.filter(whole), vars.len()) {
            (Some(count), 1) => self.node(Form::Reduce(Reducer::Top(count), vars, body), start, &[body, count]),
            (None, _) => {
                let message = format!("`{TOP}` takes values, and the number of values to keep, which is at least 1");
                let problem = self.reader.at("E022", self.span_from(start), message);
                self.reader.report(problem.help(format!("for example the three greatest: `{TOP}[j](A(i,j), 3)`")));
                self.node(Form::Reported, start, &[body])
            }
            (Some(_), n) => {
                let problem =
                    self.reader.at("E031", self.span_from(start), format!("`{TOP}` goes along one index, not {n}"));
                self.reader.report(
                    problem.help("make one index of the two first, with `collapse` in a statement before this one"),
                );
                self.node(Form::Reported, start, &[body])
            }
        }
    }

    /// `scan(op, i, e)`, after `scan`.
    pub(super) fn scan(&mut self, start: usize) -> Result<SyntaxId, Broken> {
        let open = self.position();
        self.eat("(");
        if self.kind() != Kind::Name {
            return Err(self.unexpected("the function that folds, as in `scan(max, i, x(i))`"));
        }
        let op = self.ident();
        let known = if self.functions.contains(&op.name) {
            Some(Reducer::Call(op.clone()))
        } else {
            reduce_op(&op.name).map(Reducer::Fun)
        };
        let list = |me: &mut Self| {
            if !me.eat(",") {
                return Err(me.unexpected("`,`, an index and the values to scan, as in `scan(max, i, x(i))`"));
            }
            Ok(())
        };
        list(self)?;
        if self.kind() != Kind::Name {
            return Err(self.unexpected("the index to scan along, as in `scan(max, i, x(i))`"));
        }
        let var = self.ident();
        list(self)?;
        let body = self.expr(0)?;
        self.close(open, ")")?;
        let Some(op) = known else {
            let message = format!("`{}` folds nothing", op.name);
            self.reader.unknown("E008", op.span, message, &op.name, &functions::REDUCTIONS);
            return self.node(Form::Reported, start, &[body]);
        };
        self.node(Form::Scan(op, var, body), start, &[body])
    }
}

impl Builder<'_, '_> {
    /// A scan, in the type in which such reductions are accumulated.
    pub(super) fn scan_expr(&mut self, op: &Reducer, var: &Ident, body: SyntaxId) -> Option<ExprId> {
        let acc = self.acc.filter(|_| accumulates(op));
        let own = acc.or_else(|| self.own(body).filter(|_| self.accumulates.is_some())).unwrap_or(self.ty);
        let around = std::mem::replace(&mut self.accumulates, acc);
        let made = self.of_type(own, |me| me.scan_of(op, var, body));
        self.accumulates = around;
        made
    }

    /// Makes a scan in the type that is wanted here.
    fn scan_of(&mut self, op: &Reducer, var: &Ident, body: SyntaxId) -> Option<ExprId> {
        let along = self.lookup(var)?;
        match op {
            Reducer::Fun(fun) => {
                let made = if fun.is_truth() { self.truth(body)? } else { self.expr(body)? };
                let made = self.reduced(*fun, body, made)?;
                let made = self.scanned_in_slice(var, Operator::Fun(*fun), made)?;
                let made = self.push(Expr::Prefix(Prefix::Fold(Operator::Fun(*fun), None), along, vec![made]))?;
                self.settled(*fun, made)
            }
            Reducer::Call(name) => {
                let op = Operator::Call(self.scanning(name)?);
                let made = self.expr(body)?;
                let made = self.scanned_in_slice(var, op, made)?;
                self.push(Expr::Prefix(Prefix::Fold(op, None), along, vec![made]))
            }
            Reducer::Place(_) | Reducer::Softmax | Reducer::Top(_) => None,
        }
    }

    /// The function of the kernel file that folds from the first value to the last.
    fn scanning(&mut self, name: &Ident) -> Option<Shared> {
        let id = self.instance(name)?;
        let function = &self.kernel.functions[id.0];
        let lacks = match (function.arity, function.cases.is_empty()) {
            (2, true) => return Some(Shared::new(function)),
            (2, false) => "it has `cases`, and the folded values are always stored".to_owned(),
            (n, _) => format!("it takes {n} arguments, not 2: the result so far and the next value"),
        };
        let problem = self.reader.at("E026", name.span.clone(), format!("`{}` cannot scan: {lacks}", name.name));
        self.reader.report(problem);
        None
    }

    /// The coordinate of a value of `body`, as a number of the type wanted here.
    pub(super) fn place(&mut self, place: Sought, var: &str, body: SyntaxId) -> Option<ExprId> {
        let outside = self.scope.len();
        let v = self.bind(var);
        let bits = coordinate_bits(self.kernel.var(v).max) + 1;
        // All bits set are no coordinate, and -1.
        let [signed, count] = [true, false].map(|signed| Type::int(bits.max(LEAST_BITS), signed));
        let around = self.accumulates.take();
        let made = match place {
            Sought::Least | Sought::Greatest => self.of_type(count, |me| {
                let how = if place == Sought::Least { Prefix::Least } else { Prefix::Greatest };
                let from = me.own(body).unwrap_or_else(|| me.whole_type(body));
                let wanted = std::mem::replace(&mut me.ty, from);
                let values = me.expr(body);
                me.ty = wanted;
                let running = me.push(Expr::Prefix(how, v, vec![values?]))?;
                // The first place so far only moves on: the last one is the greatest.
                me.push(Expr::Reduce(Fun::Max.into(), v, running))
            }),
            Sought::First => self.of_type(signed, |me| {
                me.of_type(count, |me| {
                    let holds = match me.own(body).filter(|own| *own != count) {
                        Some(own) => me.of_type(Type::Bool, |me| me.of_type(own, |me| me.truth(body)))?,
                        None => me.truth(body)?,
                    };
                    let (here, none) = (me.push(Expr::Index(v))?, me.push(Expr::Literal(count.mask()))?);
                    let found = me.push(Expr::Map(Fun::Where, vec![holds, here, none]))?;
                    me.push(Expr::Reduce(Fun::Min.into(), v, found))
                })
            }),
        };
        self.accumulates = around;
        self.scope.truncate(outside);
        made
    }

    /// The type of an expression that has no tensor.
    fn whole_type(&mut self, node: SyntaxId) -> Type {
        let whole = self.whole_range(node, Kinds { tensors: false, quotients: true });
        whole.map_or_else(|| self.untyped(node), |whole| whole.ty())
    }
}
