//! Types in comparisons: both operands are converted to a type that holds both, and the truth value to the type of the
//! context.

use super::builder::Builder;
use super::meet::{holds, meet};
use super::syntax::{Form, Reducer, SyntaxId};
use super::whole::{Kinds, WIDEST, Whole};
use crate::stmt::{Expr, ExprId, Fun};
use crate::types::Type;

/// What is compared.
#[derive(Debug, Clone)]
enum Compared {
    /// A number literal.
    Number(String),
    /// An integer expression without a type.
    Whole(Whole),
    /// An expression of this type, and whether tensors of other types are converted when they are read.
    Of(Type, bool),
}

impl Builder<'_, '_> {
    /// `fun` of the operands, or what it tells of one, as a value of the type wanted here.
    pub(super) fn comparison(&mut self, node: SyntaxId, fun: Fun, args: &[SyntaxId]) -> Option<ExprId> {
        let operands: Vec<Compared> = args.iter().map(|&a| self.operand(a)).collect();
        let ty = self.meeting(node, args, &operands)?;
        if ty == self.ty {
            return self.compared(fun, args, &operands);
        }
        self.of_type(Type::Bool, |me| me.of_type(ty, |me| me.compared(fun, args, &operands)))
    }

    /// The truth of `node` as a value of the type wanted here: of an index that wraps there it is
    /// that of the index.
    pub(super) fn truth(&mut self, node: SyntaxId) -> Option<ExprId> {
        let kinds = self.kinds();
        match self.own(node).map_or_else(|| self.whole_range(node, kinds), |_| None) {
            Some(whole) if whole.counts && !whole.fits(self.ty) => {
                self.of_type(Type::Bool, |me| me.of_type(whole.ty(), |me| me.expr(node)))
            }
            _ => self.expr(node),
        }
    }

    /// Returns the kinds of operands in an expression of whole numbers.
    pub(super) fn kinds(&self) -> Kinds {
        Kinds { tensors: false, quotients: self.ty.is_int() || self.ty == Type::Bool }
    }

    /// In which type `node` is computed where it is compared.
    fn operand(&mut self, node: SyntaxId) -> Compared {
        if let Some(text) = self.number_text(node) {
            return Compared::Number(text);
        }
        let kinds = self.kinds();
        if let Some(ty) = self.own(node) {
            return self.typed(node, ty, kinds);
        }
        if let Some(whole) = self.whole_range(node, kinds) {
            return Compared::Whole(whole);
        }
        Compared::Of(self.untyped(node), false)
    }

    /// What has tensors, the first of type `ty`: in that, or in one that also holds the indices in it.
    fn typed(&mut self, node: SyntaxId, ty: Type, kinds: Kinds) -> Compared {
        let mut types = Vec::new();
        self.types_in(node, &mut types);
        if let Some(acc) = self.accumulates
            && (types.len() > 1 || types.iter().all(|&of| holds(acc, of)))
        {
            return Compared::Of(acc, true);
        }
        let Some(indices) = self.indices_in(node).filter(|&indices| !holds(ty, indices)) else {
            return Compared::Of(ty, false);
        };
        let whole = self.whole_range(node, Kinds { tensors: true, ..kinds }).map(|whole| whole.ty());
        match whole.or_else(|| meet(ty, indices)) {
            Some(wide) => Compared::Of(wide, types.iter().all(|of| *of == ty)),
            None => Compared::Of(ty, false),
        }
    }

    /// The type of what has no tensor and is no whole number of a known size.
    pub(super) fn untyped(&mut self, node: SyntaxId) -> Type {
        let indices = self.indices_in(node).unwrap_or(Type::Bool);
        if self.kinds().quotients && !self.is_real(node) {
            return if holds(self.ty, indices) { self.ty } else { WIDEST };
        }
        let wanted = Some(self.ty).filter(|ty| ty.is_float() || matches!(ty, Type::Fixed { .. }));
        wanted.into_iter().chain([Type::F32]).find(|&ty| holds(ty, indices)).unwrap_or(Type::F64)
    }

    /// Does it need real numbers, whatever is wanted of it?
    fn is_real(&self, node: SyntaxId) -> bool {
        match &self.syntax.nodes[node].form {
            Form::Number(text) => WIDEST.parse(text).is_err(),
            Form::Map(fun, args) => fun.needs_float() || args.iter().any(|&a| self.is_real(a)),
            Form::Call(_, args) => args.iter().any(|&a| self.is_real(a)),
            Form::Reduce(Reducer::Place(_), ..) => false,
            Form::Reduce(_, _, body) | Form::Scan(_, _, body) => self.is_real(*body),
            _ => false,
        }
    }

    /// The types of the tensors, conversions and accumulators in `node`, each once; comparisons
    /// have their own.
    pub(super) fn types_in(&self, node: SyntaxId, into: &mut Vec<Type>) {
        match &self.syntax.nodes[node].form {
            Form::Map(fun, _) if fun.tests() => {}
            Form::Map(_, args) | Form::Call(_, args) => args.iter().for_each(|&a| self.types_in(a, into)),
            Form::Reduce(Reducer::Place(_), ..) => {}
            Form::Reduce(_, _, body) | Form::Scan(_, _, body) if self.own(node) == self.own(*body) => {
                self.types_in(*body, into)
            }
            _ => {
                let own = self.own(node).filter(|ty| !into.contains(ty));
                into.extend(own);
            }
        }
    }

    /// A type of whole numbers that holds what indices give in `node`, if there are any.
    pub(super) fn indices_in(&mut self, node: SyntaxId) -> Option<Type> {
        let kinds = self.kinds();
        if self.own(node).is_none()
            && let Some(whole) = self.whole_range(node, kinds)
        {
            return whole.counts.then(|| whole.ty());
        }
        let syntax = self.syntax;
        let inside = match &syntax.nodes[node].form {
            Form::Map(fun, _) if fun.tests() => &[],
            Form::Map(_, args) | Form::Call(_, args) => args.as_slice(),
            Form::Reduce(Reducer::Place(_), ..) => &[],
            Form::Reduce(_, _, body) | Form::Scan(_, _, body) | Form::Coalesce(body, _) => std::slice::from_ref(body),
            _ => &[],
        };
        let all = inside.iter().filter_map(|&a| self.indices_in(a)).collect::<Vec<_>>();
        all.into_iter().reduce(|a, b| meet(a, b).unwrap_or(WIDEST))
    }

    /// The type in which the operands of comparison `node` meet.
    fn meeting(&mut self, node: SyntaxId, args: &[SyntaxId], operands: &[Compared]) -> Option<Type> {
        let wanted = self.ty;
        let numbers = operands.iter().all(|operand| matches!(operand, Compared::Number(_)));
        let fits = |operand: &Compared| match operand {
            Compared::Whole(whole) => whole.fits(wanted),
            Compared::Number(text) => !numbers || wanted.is_int() && wanted.parse(text).is_ok(),
            Compared::Of(..) => false,
        };
        if operands.iter().all(fits) {
            return Some(wanted);
        }
        let types = operands.iter().filter_map(|operand| match operand {
            Compared::Number(_) => None,
            Compared::Whole(whole) => Some(whole.ty()),
            Compared::Of(ty, _) => Some(*ty),
        });
        let types: Vec<Type> = types.collect();
        match types[..] {
            [] => Some(of_numbers(operands)),
            [ty] => Some(ty),
            [a, b, ..] => meet(a, b).or_else(|| {
                let message = format!("no type holds the values of both `{a}` and `{b}`, which are compared here");
                let span = self.syntax.nodes[node].span.clone();
                let (to, what) = if b.is_float() { (b, args[0]) } else { (a, args[1]) };
                let text = self.syntax.nodes[what].span.clone();
                let text = self.reader.source.text.get(text).unwrap_or("..").to_owned();
                let problem = self.reader.at("E014", span, message);
                self.reader.report(problem.help(format!("convert one of them: `{to}({text})`")));
                None
            }),
        }
    }

    /// The comparison in the type wanted here.
    fn compared(&mut self, fun: Fun, args: &[SyntaxId], operands: &[Compared]) -> Option<ExprId> {
        if let ([x, Compared::Number(text)], [at, _]) | ([Compared::Number(text), x], [_, at]) = (operands, args)
            && !matches!(x, Compared::Number(_))
            && self.ty.parse(text).is_err()
            && let fun = if matches!(operands[0], Compared::Number(_)) { fun.mirrored() } else { fun }
            && let Some((fun, limit)) = limit(self.ty, fun, text)
        {
            let value = self.compared_value(*at, x)?;
            let limit = self.push(Expr::Literal(limit))?;
            return self.push(Expr::Map(fun, vec![value, limit]));
        }
        let values: Vec<_> = args.iter().zip(operands).map(|(&arg, of)| self.compared_value(arg, of)).collect();
        let values = values.into_iter().collect::<Option<_>>()?;
        self.push(Expr::Map(fun, values))
    }

    /// An operand as a value of the type wanted here.
    fn compared_value(&mut self, node: SyntaxId, operand: &Compared) -> Option<ExprId> {
        match operand {
            Compared::Number(text) => self.literal(node, text),
            Compared::Whole(whole) if whole.fits(self.ty) => self.expr(node),
            Compared::Whole(whole) => self.of_type(whole.ty(), |me| me.expr(node)),
            &Compared::Of(ty, takes) => {
                let around = std::mem::replace(&mut self.accumulates, takes.then_some(ty));
                let made = self.of_type(ty, |me| me.expr(node));
                self.accumulates = around;
                made
            }
        }
    }
}

/// The type in which numbers are compared.
fn of_numbers(operands: &[Compared]) -> Type {
    let whole = |operand: &Compared| match operand {
        Compared::Number(text) => WIDEST.parse(text).is_ok(),
        Compared::Whole(_) | Compared::Of(..) => false,
    };
    if operands.iter().all(whole) { WIDEST } else { Type::F64 }
}

/// `x fun number`, where `ty`, the type of x, has no such number: a comparison with one that it has.
fn limit(ty: Type, fun: Fun, number: &str) -> Option<(Fun, u64)> {
    let (floor, exact) = ty.floor(number)?;
    let (least, most) = ty.range();
    let (never, always) = (Some((Fun::Lt, ty.least())), Some((Fun::Ge, ty.least())));
    let above = floor + i128::from(!exact);
    match fun {
        Fun::Eq => never,
        Fun::Ne => always,
        Fun::Lt | Fun::Ge if above > most => {
            if fun == Fun::Lt {
                always
            } else {
                never
            }
        }
        Fun::Lt | Fun::Ge if above < least => {
            if fun == Fun::Lt {
                never
            } else {
                always
            }
        }
        Fun::Lt | Fun::Ge => Some((fun, ty.wrap(above))),
        Fun::Le | Fun::Gt if floor > most => {
            if fun == Fun::Le {
                always
            } else {
                never
            }
        }
        Fun::Le | Fun::Gt if floor < least => {
            if fun == Fun::Le {
                never
            } else {
                always
            }
        }
        Fun::Le | Fun::Gt => Some((fun, ty.wrap(floor))),
        _ => None,
    }
}
