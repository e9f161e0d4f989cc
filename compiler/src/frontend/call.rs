//! The part of the expression parser for names: tensors, reductions and calls.

use super::expression::{Broken, Parser};
use super::functions::{self, Callee, reduce_op};
use super::nearest::nearest;
use super::reader::Reader;
use super::syntax::{Form, Ident, Index, Reducer, Selects, SyntaxId, computed};
use super::token::Kind;
use super::{foreign, scans, shape_operators};
use crate::diag::Diagnostic;
use crate::stmt::Fun;
use crate::types::Type;

impl Parser<'_> {
    /// A tensor, a reduction or a call.
    pub(super) fn named(&mut self) -> Result<SyntaxId, Broken> {
        let start = self.position();
        let mut name = self.ident();
        let tensor = self.tensors.contains(&name.name);
        if !tensor && self.fixed_point(&mut name) {
            return self.converted(&name, start);
        }
        if self.is("[") {
            let reduces = reduce_op(&name.name).is_some()
                || self.functions.contains(&name.name)
                || scans::takes_index(&name.name);
            if tensor || !reduces && !self.called_behind_bracket() {
                return Err(self.square_brackets(&name));
            }
            return self.reduction(name, start);
        }
        if !self.is("(") {
            let form = match name.name.as_str() {
                "inf" | "nan" if !tensor => Form::Number(name.name),
                _ => Form::Access { tensor: name, indices: Vec::new() },
            };
            return self.node(form, start, &[]);
        }
        if !tensor {
            if name.name == "red" {
                return self.red(start);
            }
            if self.functions.contains(&name.name) {
                let args = self.arguments()?;
                return self.node(Form::Call(name, args.clone()), start, &args);
            }
            if name.name == "scan" {
                return self.scan(start);
            }
            if let Some(callee) = functions::callee(&name.name) {
                return self.call(&name, callee, start);
            }
            if Type::accumulator_from_name(&name.name).is_some() {
                return self.converted(&name, start);
            }
            if reduce_op(&name.name).is_some() {
                return Err(self.reduction_called(&name));
            }
        }
        self.eat("(");
        let indices = self.indices(&name)?;
        let inside: Vec<SyntaxId> = indices.iter().flat_map(|list| computed(list)).collect();
        if self.is("(") {
            return Err(self.called_again(&name, tensor));
        }
        let form = indices.map_or(Form::Reported, |indices| Form::Access { tensor: name, indices });
        self.node(form, start, &inside)
    }

    /// Does a parenthesis follow the bracket here when it is closed, as in `sum[k](..)`?
    fn called_behind_bracket(&self) -> bool {
        let end = (1..).find(|&by| matches!(self.beside(by), "]" | ""));
        end.is_some_and(|by| self.beside(by + 1) == "(")
    }

    /// Reports a second list in parentheses: only shape operators have one.
    fn called_again(&mut self, name: &Ident, tensor: bool) -> Broken {
        if tensor {
            let problem =
                self.reader.at("E001", self.span_here(), format!("`{}` has a second list of indices", name.name));
            self.reader.report(problem.help(format!("write its indices in one list: `{}(i,j)`", name.name)));
            return Broken;
        }
        let message = format!("unknown shape operator `{}`", name.name);
        let known: Vec<&str> = shape_operators::names().collect();
        let instead = foreign::shape(&name.name).map(str::to_owned);
        self.reader.unknown_word("E007", name.span.clone(), message, (&name.name, instead), &known);
        Broken
    }

    /// Does the name of a fixed-point type begin here, such as `fx16.8`? Its second part is taken then.
    fn fixed_point(&mut self, name: &mut Ident) -> bool {
        let joined = format!("{}{}", name.name, self.here());
        let adjacent = self.span_here().start == name.span.end;
        if !adjacent || !joined.contains('.') || Type::accumulator_from_name(&joined).is_none() {
            return false;
        }
        let rest = self.ident();
        *name = Ident { name: joined, span: name.span.start..rest.span.end };
        true
    }

    /// `f32(e)`, after the name of a type.
    fn converted(&mut self, name: &Ident, start: usize) -> Result<SyntaxId, Broken> {
        if !self.is("(") {
            return Err(self.unexpected("`(` and the value to convert"));
        }
        let args = self.arguments()?;
        let (Some(ty), [of]) = (Type::accumulator_from_name(&name.name), &args[..]) else {
            let message = format!("`{}` takes one argument, not {}", name.name, args.len());
            let problem = self.reader.at("E022", self.span_from(start), message);
            self.reader.report(problem);
            return self.node(Form::Reported, start, &args);
        };
        self.node(Form::Convert(ty, *of), start, &args)
    }

    /// `op[k, l](e)`, after `op`.
    fn reduction(&mut self, op: Ident, start: usize) -> Result<SyntaxId, Broken> {
        let bracket = self.position();
        self.eat("[");
        let vars = self.vars(bracket, "]")?;
        let open = self.position();
        if !self.eat("(") {
            return Err(self.unexpected("`(` and the value to reduce"));
        }
        let body = self.expr(0)?;
        if op.name == scans::TOP && !self.functions.contains(&op.name) {
            return self.top(vars, (body, open), start);
        }
        self.close(open, ")")?;
        self.reduce(op, vars, body, start)
    }

    /// `red(op, k, l, e)`, after `red`.
    fn red(&mut self, start: usize) -> Result<SyntaxId, Broken> {
        let open = self.position();
        self.eat("(");
        if self.kind() != Kind::Name {
            return Err(self.unexpected("a reduction operator"));
        }
        let mut op = self.ident();
        if op.name == "any" {
            // Any of the values: here the largest.
            op.name = "max".into();
        }
        let mut vars = Vec::new();
        while self.eat(",") {
            let before = self.position();
            if self.kind() == Kind::Name {
                let var = self.ident();
                if self.is(",") {
                    vars.push(var);
                    continue;
                }
                self.rewind(before);
            }
            let body = self.expr(0)?;
            self.close(open, ")")?;
            return self.reduce(op, vars, body, start);
        }
        Err(self.unexpected("`,`, an index and the value to reduce, as in `red(min, j, A(i,j))`"))
    }

    fn reduce(&mut self, op: Ident, vars: Vec<Ident>, body: SyntaxId, start: usize) -> Result<SyntaxId, Broken> {
        if vars.is_empty() {
            let problem = self.reader.at("E019", self.span_from(start), "a reduction needs an index");
            self.reader.report(problem.help("name the index that it runs over, as in `sum[k](B(i,k))`"));
            return self.node(Form::Reported, start, &[body]);
        }
        for (n, var) in vars.iter().enumerate() {
            if vars[..n].iter().any(|other| other.name == var.name) {
                let message = format!("`{}` is reduced over twice", var.name);
                let problem = self.reader.at("E019", var.span.clone(), message);
                self.reader.report(problem);
                return self.node(Form::Reported, start, &[body]);
            }
        }
        if !self.functions.contains(&op.name)
            && let Some(made) = self.along(&op, &vars, body, start)
        {
            return made;
        }
        if let Some(op) = reduce_op(&op.name).filter(|_| !self.functions.contains(&op.name)) {
            return self.node(Form::Reduce(Reducer::Fun(op), vars, body), start, &[body]);
        }
        if self.functions.contains(&op.name) {
            return self.node(Form::Reduce(Reducer::Call(op), vars, body), start, &[body]);
        }
        let message = format!("unknown reduction `{}`", op.name);
        self.reader.unknown("E008", op.span, message, &op.name, &functions::REDUCTIONS);
        self.node(Form::Reported, start, &[body])
    }

    /// Names up to `end`, which is taken.
    fn vars(&mut self, open: usize, end: &str) -> Result<Vec<Ident>, Broken> {
        let mut vars = Vec::new();
        while self.kind() == Kind::Name {
            vars.push(self.ident());
            if !self.eat(",") {
                break;
            }
        }
        if self.is(end) || self.kind() == Kind::End {
            self.close(open, end)?;
            return Ok(vars);
        }
        Err(self.unexpected(&format!("an index or `{end}`")))
    }

    /// A call of a name of the language, after it.
    fn call(&mut self, name: &Ident, callee: Callee, start: usize) -> Result<SyntaxId, Broken> {
        match callee {
            Callee::Stored => return self.stored(start),
            Callee::FillOf => return self.fill_of(start),
            Callee::Shape => return self.shape(name, start, false),
            _ => {}
        }
        let mut args = self.arguments()?;
        let (least, most) = functions::arguments(callee);
        if !(least..=most).contains(&args.len()) {
            let takes = match (least, most) {
                (1, 1) => "one argument".to_owned(),
                (a, b) if a == b => format!("{a} arguments"),
                (a, usize::MAX) => format!("{a} or more arguments"),
                (a, b) => format!("{a} to {b} arguments"),
            };
            let message = format!("`{}` takes {takes}, not {}", name.name, args.len());
            let problem = self.reader.at("E022", self.span_from(start), message);
            self.reader.report(problem);
            return self.node(Form::Reported, start, &args);
        }
        let zero = |me: &mut Self| me.node(functions::number("0"), start, &[]);
        match callee {
            Callee::Library(fun) if functions::folds(fun) => {
                let first = args.remove(0);
                args.into_iter().try_fold(first, |a, b| self.node(Form::Map(fun, vec![a, b]), start, &[a, b]))
            }
            Callee::Coalesce => self.coalesce(&args, start),
            Callee::Inside => self.asks_inside(args[0], start),
            Callee::Choose => {
                let same = self.node(Form::Map(Fun::Eq, vec![args[1], args[0]]), start, &args[..2])?;
                let all = vec![same, args[2], args[1]];
                self.node(Form::Map(Fun::Where, all.clone()), start, &all)
            }
            Callee::Mask | Callee::Nmask => {
                if args.len() == 2 {
                    args.push(zero(self)?);
                }
                if callee == Callee::Nmask {
                    args.swap(1, 2);
                }
                self.node(Form::Map(Fun::Where, args.clone()), start, &args)
            }
            Callee::Library(fun) => {
                if args.len() < fun.arity() {
                    args.push(zero(self)?);
                }
                self.node(Form::Map(fun, args.clone()), start, &args)
            }
            Callee::Stored | Callee::FillOf | Callee::Shape => self.node(Form::Reported, start, &args),
        }
    }

    /// Expressions in parentheses.
    fn arguments(&mut self) -> Result<Vec<SyntaxId>, Broken> {
        let open = self.position();
        self.eat("(");
        let mut args = vec![self.expr(0)?];
        while self.eat(",") {
            args.push(self.expr(0)?);
        }
        self.close(open, ")")?;
        Ok(args)
    }

    /// `pres(T(i, j))`, after `pres`.
    fn stored(&mut self, start: usize) -> Result<SyntaxId, Broken> {
        let open = self.position();
        self.eat("(");
        if self.kind() != Kind::Name {
            return Err(self.unexpected("a tensor with its indices"));
        }
        let at = self.position();
        let tensor = self.ident();
        if self.is_shape(&tensor) {
            let made = self.shape(&tensor, at, true)?;
            self.close(open, ")")?;
            return Ok(made);
        }
        let indices = if self.eat("(") { self.indices(&tensor)? } else { Some(Vec::new()) };
        self.close(open, ")")?;
        if indices.as_ref().is_some_and(|list| computed(list).next().is_some()) {
            let help = "`pres` asks for entries that a loop scans: give the tensor plain indices";
            self.reader.unsupported("E009", self.span_from(start), "arithmetic as an index in `pres` is", help);
            return self.node(Form::Reported, start, &[]);
        }
        let form = indices.map_or(Form::Reported, |indices| Form::Stored { tensor, indices });
        self.node(form, start, &[])
    }

    /// `fillof(T)`, after `fillof`.
    fn fill_of(&mut self, start: usize) -> Result<SyntaxId, Broken> {
        let open = self.position();
        self.eat("(");
        if self.kind() != Kind::Name {
            return Err(self.unexpected("a tensor"));
        }
        let tensor = self.ident();
        if self.is("(") {
            self.skip_list()?;
        }
        self.close(open, ")")?;
        self.node(Form::FillOf(tensor), start, &[])
    }

    /// Skips a list in parentheses.
    pub(super) fn skip_list(&mut self) -> Result<(), Broken> {
        let open = self.position();
        self.eat("(");
        loop {
            self.skip_item();
            if !self.eat(",") {
                return self.close(open, ")");
            }
        }
    }

    /// Index list of `tensor` after its `(`, up to and with the `)`. `None` if it has what cannot be understood, which is
    /// reported.
    pub(super) fn indices(&mut self, tensor: &Ident) -> Result<Option<Vec<Index>>, Broken> {
        let open = self.position() - 1;
        let mut indices = Some(Vec::new());
        if self.eat(")") {
            return Ok(indices);
        }
        loop {
            let start = self.position();
            let index = self.index()?.filter(|_| self.is(",") || self.is(")"));
            let index = match index {
                None if self.tensors.contains(&tensor.name) => Some(self.computed_index(start)?),
                known => known,
            };
            if let Some(index) = index {
                if let Some(indices) = &mut indices {
                    indices.push(index);
                }
            } else {
                self.rewind(start);
                self.skip_item();
                if self.position() == start {
                    return Err(self.unexpected("an index"));
                }
                self.odd_index(tensor);
                indices = None;
            }
            if !self.eat(",") {
                self.close(open, ")")?;
                return Ok(indices);
            }
        }
    }

    /// The expression from `start` on as an index.
    fn computed_index(&mut self, start: usize) -> Result<Index, Broken> {
        self.rewind(start);
        let node = self.expr(0)?;
        Ok(Index { selects: Selects::Computed(node), span: self.span_from(start) })
    }

    fn odd_index(&mut self, tensor: &Ident) {
        let problem = no_function(self.reader, tensor);
        self.reader.report(problem.help(format!("declare it under `[tensors.{}]` if it is a tensor", tensor.name)));
    }
}

/// Returns the error that nothing has this name, which is called like a function, with the words that may
/// be meant.
pub(super) fn no_function(reader: &Reader, name: &Ident) -> Diagnostic {
    let message = format!("`{}` is neither a tensor nor a function", name.name);
    let problem = reader.at("E007", name.span.clone(), message);
    match (foreign::function(&name.name), nearest(&name.name, &functions::names())) {
        (Some(instead), _) => problem.help(instead),
        (None, Some(near)) => problem.help(format!("did you mean the function `{near}`?")),
        (None, None) => problem,
    }
}
