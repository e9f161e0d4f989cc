//! Recurrences such as `y(i) = f(y(i - 1), a(i))`: a statement that reads its own result at the previous coordinate
//! becomes a scan. docs/decisions/0106-recurrences.md.

use super::builder::Builder;
use super::syntax::{Assignment, Form, computed};
use crate::facts::folds;
use crate::stmt::{Expr, ExprId, Fun, Function, Gives, Kernel, Operator, Prefix, Shared, TensorId, Term, VarId};
use crate::types::Type;
use samhw_values::{Routine, signed};
use std::collections::HashSet;
use std::ops::Range;

/// Name of a function that the file does not name.
const NAME: &str = "recurrence";

/// A result, and the indices at which it is written.
type Written<'i> = (TensorId, &'i [VarId]);

/// A read of what the statement itself writes.
struct Past {
    along: VarId,
    /// How many coordinates before; negative: behind.
    back: i128,
    /// What `coalesce` says.
    outside: Option<u64>,
}

/// Why a recurrence has no hardware, and what to write instead.
struct Refused(String, String);

impl Refused {
    fn new<T>(message: impl Into<String>, help: impl Into<String>) -> Result<T, Self> {
        Err(Self(message.into(), help.into()))
    }
}

impl Builder<'_, '_> {
    /// `value`, which a statement writes; a scan, if it reads what the statement has written
    /// before.
    pub(super) fn recurrence(&mut self, statement: &Assignment, written: Written<'_>, value: ExprId) -> Option<ExprId> {
        self.warn_of_old_values(statement, written.1, value);
        let written = (self.own_past(statement, written, value), written.1);
        let reads = reads_of(self.kernel, value, written.0);
        if reads.iter().all(|&read| self.past(read, written.1).is_none()) {
            return Some(value);
        }
        match self.begin(written, &reads).and_then(|begin| Ok((begin, self.fold(written.0, value)?))) {
            Ok(((along, begin), (op, mut of))) => {
                if of.is_empty() {
                    of.extend(self.push(Expr::Literal(0)));
                }
                self.push(Expr::Prefix(Prefix::Fold(op, Some(begin)), along, of))
            }
            Err(Refused(message, help)) => {
                let problem = self.reader.at("E037", self.read_span(statement), message);
                self.reader.report(problem.help(help));
                None
            }
        }
    }

    /// The tensor by whose name `value` reads what the statement writes: that of the file, where later
    /// statements write it again and no earlier one has.
    fn own_past(&self, statement: &Assignment, written: Written<'_>, value: ExprId) -> TensorId {
        let first = self.syntax.statements.iter().find(|s| s.called == statement.called);
        let named = self.names.by_name.get(&statement.called).map(|&t| TensorId(t));
        let is_past =
            |t: &TensorId| reads_of(self.kernel, value, *t).iter().any(|&read| self.past(read, written.1).is_some());
        named.filter(|_| first.is_some_and(|s| s.span == statement.span)).filter(is_past).unwrap_or(written.0)
    }

    /// Warns where `value` reads, at the coordinate before, what an earlier statement has written.
    fn warn_of_old_values(&mut self, statement: &Assignment, indices: &[VarId], value: ExprId) {
        let reads = computed_reads(self.kernel, value).into_iter();
        let before = reads.filter(|(_, read)| self.past(*read, indices).is_some_and(|past| past.back > 0));
        let old: HashSet<&str> = before.map(|(t, _)| self.names.tensors[t.0].first.name.as_str()).collect();
        let wrote = |s: &Assignment| s.called == statement.called && s.target.name != statement.target.name;
        let earlier = self.syntax.statements.iter().take_while(|s| s.span != statement.span);
        let mut written = earlier.filter(|_| !old.is_empty());
        if written.any(|s| wrote(s) && old.contains(s.target.name.as_str())) {
            let name = &statement.called;
            let message = format!("`{name}` is read here with the values that earlier statements wrote");
            let warning = self.reader.warning_at("W008", self.read_span(statement), message);
            let help = format!(
                "if you mean a recurrence, give the result of the earlier statements another name than `{name}`"
            );
            self.reader.warn(warning.help(help));
        }
    }

    /// The first place where the statement reads what it is called at a computed coordinate.
    fn read_span(&self, statement: &Assignment) -> Range<usize> {
        let versions: Vec<&str> = self
            .syntax
            .statements
            .iter()
            .filter(|s| s.called == statement.called)
            .map(|s| s.target.name.as_str())
            .collect();
        let read = self.syntax.nodes[statement.nodes.clone()].iter().find(|node| match &node.form {
            Form::Access { tensor, indices } => {
                versions.contains(&tensor.name.as_str()) && computed(indices).next().is_some()
            }
            _ => false,
        });
        read.map_or(statement.span.clone(), |node| node.span.clone())
    }

    /// Along which index the reads go, and what stands before the first value.
    fn begin(&self, (result, indices): Written<'_>, reads: &[ExprId]) -> Result<(VarId, u64), Refused> {
        let entry = &self.names.tensors[result.0];
        let (name, fill) = (&entry.first.name, entry.declaration.and_then(|d| d.fill));
        let mut begin: Option<(VarId, u64)> = None;
        for &read in reads {
            if matches!(self.kernel.expr(read), Expr::Read { gives: Gives::Inside, .. }) {
                let message = format!("the value before the first one of `{name}` is not a number");
                return Refused::new(message, format!("write a number, as in `coalesce({name}(i - 1), 0)`"));
            }
            let Some(past) = self.past(read, indices) else {
                let message = format!("`{name}` is a recurrence, and is read at other coordinates, too");
                return Refused::new(message, "read them from a tensor with another name");
            };
            let index = &self.kernel.var(past.along).name;
            if past.back < 0 {
                let message = format!(
                    "`{name}` is written from the first {index} to the last: values after {index} do not exist yet"
                );
                let help = format!(
                    "for a recurrence that goes backwards, scan the reverse and turn the result: \
                     `z({index}) = f(z({index} - 1), a({index}[::-1])); {name}({index}) = z({index}[::-1])`; an \
                     operand that is not the result needs another name"
                );
                return Refused::new(message, help);
            }
            if past.back > 1 {
                let message =
                    format!("`{name}` is read {} coordinates before {index}: a scan keeps one value", past.back);
                return Refused::new(message, format!("read `{name}` at {index} - 1 only"));
            }
            let outside = past.outside.or(fill).unwrap_or(0);
            match begin.replace((past.along, outside)) {
                Some((along, _)) if along != past.along => {
                    let other = &self.kernel.var(along).name;
                    let message = format!("`{name}` is a recurrence along {other} and along {index}");
                    return Refused::new(message, "a scan goes along one index: read one of them from another tensor");
                }
                Some((_, before)) if before != outside => {
                    let message = format!("the value before the first one of `{name}` is not the same everywhere");
                    return Refused::new(message, "give `coalesce` one number");
                }
                _ => {}
            }
        }
        begin.ok_or_else(|| Refused(format!("`{name}` is not read"), String::new()))
    }

    /// The read `e` as one of what is written at `indices`: all but one of its coordinates are those.
    fn past(&self, e: ExprId, indices: &[VarId]) -> Option<Past> {
        let Expr::Read { at, gives, .. } = self.kernel.expr(e) else { return None };
        let outside = if let Gives::ValueOr(raw) = gives { Some(*raw) } else { None };
        let mut found = None;
        for (&at, &v) in at.iter().zip(indices) {
            match offset(self.kernel, self.statement_ty, at)? {
                (w, 0) if w == v => {}
                (w, n) if w == v && found.is_none() => found = Some(Past { along: v, back: -n, outside }),
                _ => return None,
            }
        }
        found
    }

    /// What folds, and the values that it takes in addition to the one before.
    fn fold(&self, result: TensorId, value: ExprId) -> Result<(Operator, Vec<ExprId>), Refused> {
        let (ty, name) = (self.statement_ty, &self.names.tensors[result.0].first.name);
        let mut body = RecurrenceBody { kernel: self.kernel, result, name, ty, terms: vec![Term::Arg(0)], of: vec![] };
        if body.term(value)? == 0 {
            body.terms.push(Term::Arg(0));
        }
        let RecurrenceBody { terms, of, .. } = body;
        if let [Term::Arg(0), Term::Arg(1), Term::Apply(f, args)] = &terms[..]
            && f.commutes()
            && matches!(args[..], [0, 1] | [1, 0])
            && folds((*f).into(), ty)
        {
            return Ok((Operator::Fun(*f), of));
        }
        let arity = 1 + of.len().max(1);
        if arity > Routine::ARITY {
            let message =
                format!("`{name}` is a recurrence of {} operands; it may have {}", of.len(), Routine::ARITY - 1);
            return Refused::new(message, "compute a part of them in a statement before this one");
        }
        let annihilators = vec![None; arity];
        let (name, cases) = (NAME.to_owned(), vec![]);
        let function = Function { name, arity, ty, body: terms, cases, annihilators, identity: None, iterate: None };
        Ok((Operator::Call(Shared::new(&function)), of))
    }
}

/// What `e` reads at computed coordinates, and where.
fn computed_reads(kernel: &Kernel, e: ExprId) -> Vec<(TensorId, ExprId)> {
    fn go(kernel: &Kernel, e: ExprId, found: &mut Vec<(TensorId, ExprId)>) {
        if let Expr::Read { tensor, .. } = kernel.expr(e) {
            found.push((*tensor, e));
        }
        kernel.expr(e).children().iter().for_each(|&a| go(kernel, a, found));
    }
    let mut found = Vec::new();
    go(kernel, e, &mut found);
    found
}

/// The reads of `tensor` at computed coordinates in `e`.
fn reads_of(kernel: &Kernel, e: ExprId, tensor: TensorId) -> Vec<ExprId> {
    computed_reads(kernel, e).into_iter().filter(|(t, _)| *t == tensor).map(|(_, read)| read).collect()
}

/// The variable and the number whose sum `e` is, in a statement of type `own`.
pub(super) fn offset(kernel: &Kernel, own: Type, e: ExprId) -> Option<(VarId, i128)> {
    let number = |e: ExprId| match *kernel.expr(e) {
        Expr::Literal(raw) => Some(signed(raw, kernel.types.get(&e).unwrap_or(&own).bits()).into()),
        _ => None,
    };
    match kernel.expr(e) {
        Expr::Index(v) => Some((*v, 0)),
        Expr::Convert(of) => offset(kernel, own, *of),
        Expr::Map(Fun::Add, args) => {
            let (of, n) = number(args[1]).map(|n| (args[0], n)).or_else(|| Some((args[1], number(args[0])?)))?;
            offset(kernel, own, of).map(|(v, m): (VarId, i128)| (v, m + n))
        }
        Expr::Map(Fun::Sub, args) => {
            let n: i128 = number(args[1])?;
            offset(kernel, own, args[0]).map(|(v, m)| (v, m - n))
        }
        _ => None,
    }
}

/// The terms of what depends on the value before, argument 0; all else is an argument.
struct RecurrenceBody<'k> {
    kernel: &'k Kernel,
    result: TensorId,
    name: &'k str,
    ty: Type,
    terms: Vec<Term>,
    of: Vec<ExprId>,
}

impl RecurrenceBody<'_> {
    /// The number of the term that `e` is.
    fn term(&mut self, e: ExprId) -> Result<usize, Refused> {
        let kernel = self.kernel;
        let other = kernel.types.get(&e).is_some_and(|&ty| ty != self.ty);
        if reads_of(kernel, e, self.result).is_empty() && !other {
            return Ok(self.operand(e));
        }
        if other || matches!(kernel.expr(e), Expr::Convert(_)) {
            let message = format!("the previous value of `{}` is combined with a value of another type", self.name);
            return Refused::new(
                message,
                format!("compute everything that depends on it in its own type, {}", self.ty),
            );
        }
        let term = match kernel.expr(e) {
            Expr::Read { tensor, .. } if *tensor == self.result => return Ok(0),
            Expr::Map(f, args) => Term::Apply(*f, self.all(args)?),
            Expr::Call(f, args) => {
                let function = kernel.function(*f);
                if !function.cases.is_empty() || function.iterate.is_some() {
                    let message =
                        format!("`{}` asks what is stored, and a recurrence has a value everywhere", function.name);
                    return Refused::new(message, "use a function without `cases` and `iterate`");
                }
                let args = self.all(args)?;
                return Ok(self.call(function, &args));
            }
            Expr::Reduce(..) | Expr::Prefix(..) => {
                let message = format!("the previous value of `{}` is in a reduction or a scan", self.name);
                return Refused::new(message, "move it out, or reduce in a statement before this one");
            }
            _ => {
                let message = format!("the previous value of `{}` decides what is read", self.name);
                return Refused::new(message, "a recurrence computes with values only");
            }
        };
        Ok(self.push(term))
    }

    fn all(&mut self, args: &[ExprId]) -> Result<Vec<usize>, Refused> {
        args.iter().map(|&a| self.term(a)).collect()
    }

    fn push(&mut self, term: Term) -> usize {
        self.terms.push(term);
        self.terms.len() - 1
    }

    /// What does not depend on the value before. Equal operands are one.
    fn operand(&mut self, e: ExprId) -> usize {
        let kernel = self.kernel;
        if let Expr::Literal(raw) = *kernel.expr(e) {
            return self.push(Term::Literal(raw));
        }
        let known = self.of.iter().position(|&of| same(kernel, of, e));
        let argument = Term::Arg(1 + known.unwrap_or(self.of.len()));
        if known.is_none() {
            self.of.push(e);
        }
        match self.terms.iter().position(|t| *t == argument) {
            Some(known) => known,
            None => self.push(argument),
        }
    }

    /// The terms of a function of the kernel file.
    fn call(&mut self, function: &Function, args: &[usize]) -> usize {
        let mut places: Vec<usize> = Vec::new();
        for term in &function.body {
            let of = |all: &[usize]| all.iter().map(|&t| places[t]).collect::<Vec<_>>();
            let term = match term {
                Term::Arg(k) => {
                    places.push(args[*k]);
                    continue;
                }
                Term::Literal(raw) => Term::Literal(*raw),
                Term::Apply(f, all) => Term::Apply(*f, of(all)),
                Term::Left(l, k) => Term::Left(places[*l], *k),
                Term::Loop(l) => {
                    let mut moved = l.clone();
                    moved.inputs = of(&l.inputs);
                    Term::Loop(moved)
                }
            };
            places.push(self.push(term));
        }
        places.last().copied().unwrap_or(0)
    }
}

/// Are `a` and `b` the same expression?
fn same(kernel: &Kernel, a: ExprId, b: ExprId) -> bool {
    let (x, y) = (kernel.expr(a), kernel.expr(b));
    let children = x.children().iter().zip(y.children()).all(|(&a, &b)| same(kernel, a, b));
    let own = match (x, y) {
        (Expr::Literal(a), Expr::Literal(b)) => a == b,
        (Expr::Access(a, i), Expr::Access(b, j)) | (Expr::Stored(a, i), Expr::Stored(b, j)) => a == b && i == j,
        (Expr::Index(a), Expr::Index(b)) => a == b,
        (Expr::Map(f, a), Expr::Map(g, b)) => f == g && a.len() == b.len(),
        (Expr::Convert(_), Expr::Convert(_)) => true,
        _ => false,
    };
    own && children && kernel.types.get(&a) == kernel.types.get(&b)
}
