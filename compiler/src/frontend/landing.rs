//! Computed coordinates on the left: `h(b(i,j) / 16) += 1`, `y(p(i)) = x(i)`. The mode gets an
//! index of its own. Of an update those values are reduced at it whose coordinate it is. Of an
//! assignment a statement before finds the last that lands there, counted row by row, and the
//! assignment takes that one. Where the other indices say alone what lands at a place, as in `y(i,
//! p(i)) = x(i)` and on the diagonal `y(i, i) = x(i)`, there is just one value for it, and no
//! statement before.

use super::builder::Builder;
use super::declaration::Declaration;
use super::expression::{Broken, Parser};
use super::names::FileNames;
use super::reader::Reader;
use super::sizes::Dimension;
use super::syntax::{Assignment, Form, Ident, Index, Reducer, Selects, Syntax, SyntaxId};
use crate::stmt::{Expr, ExprId, Fun, VarId};
use crate::types::Type;
use std::collections::{BTreeMap, BTreeSet};

/// What counts the values that may land: 0 is none.
const COUNT: Type = Type::int(32, true);

/// A left-hand side with computed coordinates.
pub(super) struct Landing {
    /// The index in the place of each, and what it is.
    at: Vec<(Ident, SyntaxId)>,
    /// The indices that are only in them, by name.
    vars: Vec<Ident>,
}

impl Parser<'_> {
    /// The left-hand side with indices in the place of computed coordinates and of indices that
    /// stand there already; `None` if there are none. Loops visit a computed coordinate after all
    /// that it is computed of: where that is not stored above it, indices of modes that are stored
    /// below get an index of their own, too.
    pub(super) fn landing(&mut self, target: &Ident, indices: &mut [Index]) -> Result<Option<Landing>, Broken> {
        let stored = self.stored.get(&target.name);
        let mut modes: Vec<usize> = (0..indices.len()).collect();
        modes.sort_by_key(|mode| stored.and_then(|stored| stored.iter().position(|m| m == mode)).unwrap_or(*mode));
        let (mut at, mut vars) = (Vec::new(), BTreeMap::new());
        let (mut above, mut apart): (BTreeSet<String>, bool) = (BTreeSet::new(), false);
        for mode in modes {
            let span = indices[mode].span.clone();
            let node = match &indices[mode].selects {
                Selects::All(ident) if !apart && above.insert(ident.name.clone()) => continue,
                Selects::Computed(node) => *node,
                Selects::All(ident) => {
                    self.push(Form::Access { tensor: ident.clone(), indices: vec![] }, span.clone(), &[])?
                }
                Selects::At(coordinate) if !at.is_empty() => {
                    self.push(Form::Number(coordinate.to_string()), span.clone(), &[])?
                }
                _ => continue,
            };
            let mut of = BTreeMap::new();
            self.index_names_in(node, &mut of);
            apart |= of.keys().any(|name| !above.contains(name));
            vars.extend(of);
            let ident = Ident { name: self.unused(format!("at{mode}_of_{}", target.name)), span };
            indices[mode].selects = Selects::All(ident.clone());
            self.syntax.unnamed.insert(ident.name.clone());
            at.push((ident, node));
        }
        if at.is_empty() {
            return Ok(None);
        }
        for index in indices.iter() {
            if matches!(index.selects, Selects::Slice(..) | Selects::Set(..)) {
                let what = "a slice or a set next to a computed coordinate on the left is";
                let help = "let coordinates be computed, as in `y(p(i), 2 * j + 1) = ..` for `y(p(i), j[1:9:2]) = ..`";
                self.reader.unsupported("E009", index.span.clone(), what, help);
            }
            for ident in index.idents() {
                vars.remove(&ident.name);
            }
        }
        Ok(Some(Landing { at, vars: vars.into_values().collect() }))
    }

    /// The name, or one like it, that nothing has.
    pub(super) fn unused(&self, mut name: String) -> String {
        let has = |name: &String| self.literal.text.contains(name.as_str()) || self.tensors.contains(name);
        while has(&name) {
            name.push('_');
        }
        name
    }

    /// Makes the value that an update by `fun` adds: of each place the values that land there.
    pub(super) fn landed(&mut self, fun: Fun, on: Landing, value: SyntaxId, start: usize) -> Result<SyntaxId, Broken> {
        let landing = self.node(Form::Landing(on.at, fun, value, None), start, &[value])?;
        self.node(Form::Reduce(Reducer::Fun(fun), on.vars, landing), start, &[landing])
    }

    /// Returns whether an assignment needs a statement before it to decide which value stays. It does not
    /// where indices with a mode of their own say which value lands at a place, nor, where nothing was there
    /// before, where indices that are coordinates say so.
    pub(super) fn collides(&self, target: &Ident, on: &Landing) -> bool {
        let coordinate = |var: &Ident| on.at.iter().any(|(_, node)| self.syntax.plain(*node) == Some(&var.name));
        on.vars.iter().any(|var| !coordinate(var)) || !on.vars.is_empty() && !self.is_new(target)
    }

    /// `value` where it lands, elsewhere what was there before.
    pub(super) fn placed(
        &mut self,
        (target, indices): (&Ident, &[Index]),
        on: Landing,
        value: SyntaxId,
        start: usize,
    ) -> Result<SyntaxId, Broken> {
        if !on.vars.is_empty() {
            return self.landed(Fun::Add, on, value, start);
        }
        let old = self.node(self.before(target, indices), start, &[])?;
        self.node(Form::Landing(on.at, Fun::Add, value, Some(old)), start, &[value, old])
    }

    /// Is there 0 before an assignment?
    fn is_new(&self, target: &Ident) -> bool {
        let fill = self.declared.iter().find(|d| d.name == target.name).and_then(|d| d.fill);
        matches!(self.before(target, &[]), Form::FillOf(_)) && fill.is_none_or(|fill| fill == 0)
    }

    /// What an assignment leaves where nothing lands.
    fn before(&self, target: &Ident, indices: &[Index]) -> Form {
        if self.syntax.statements.iter().any(|s| s.called == target.name) {
            Form::Access { tensor: target.clone(), indices: indices.to_vec() }
        } else {
            Form::FillOf(target.clone())
        }
    }

    /// The statement that finds which value is the last to land at each place; `first`: the first node of the left-hand side.
    pub(super) fn last_landed(
        &mut self,
        (target, indices): (&Ident, &[Index]),
        on: &Landing,
        (first, start): (SyntaxId, usize),
    ) -> Result<Assignment, Broken> {
        let name = self.unused(format!("last_of_{}", target.name));
        let turned = self.node(Form::Turned(on.vars.clone()), start, &[])?;
        let count = self.node(Form::Convert(COUNT, turned), start, &[turned])?;
        let on = Landing { at: on.at.clone(), vars: on.vars.clone() };
        let landed = self.landed(Fun::Max, on, count, start)?;
        let value = self.node(Form::Update(Fun::Max, None, landed), start, &[landed])?;
        self.tensors.insert(name.clone());
        Ok(Assignment {
            target: Ident { name: name.clone(), span: target.span.clone() },
            called: name,
            keeps: None,
            indices: Some(indices.to_vec()),
            value,
            nodes: first..self.syntax.nodes.len(),
            span: self.span_from(start),
        })
    }

    /// `value` as the last one that landed has it, elsewhere what was there before. Where all that
    /// it is of is stored dense, each place looks up the one value that it takes. Elsewhere that
    /// would be a search for each place: all values are computed, and those that are the last at
    /// their place land there.
    pub(super) fn taken(
        &mut self,
        last: &Assignment,
        (target, on): (&Ident, Landing),
        value: SyntaxId,
        start: usize,
    ) -> Result<SyntaxId, Broken> {
        let left = last.indices.clone().unwrap_or_default();
        let stored = self.syntax.nodes[last.nodes.end..].iter().all(|node| match &node.form {
            Form::Access { tensor, .. } | Form::Stored { tensor, .. } => self.is_dense(&tensor.name),
            _ => true,
        });
        let value = if stored {
            self.looked_up(last, on.vars, value, start)?
        } else {
            let mut at = left.clone();
            for index in &mut at {
                let node = index.ident().and_then(|ident| on.at.iter().find(|(other, _)| other.name == ident.name));
                if let Some((_, node)) = node {
                    index.selects = Selects::Computed(*node);
                }
            }
            let number = self.node(Form::Access { tensor: last.target.clone(), indices: at }, start, &[])?;
            let value = self.node(Form::IsLast(number, on.vars.clone(), value), start, &[number, value])?;
            let landed = self.landed(Fun::Add, on, value, start)?;
            if self.is_new(target) {
                return Ok(landed);
            }
            landed
        };
        let number = Form::Access { tensor: last.target.clone(), indices: left.clone() };
        let number = self.node(number, start, &[])?;
        let old = self.before(target, &left);
        let (any, old) = (self.node(Form::Taken(number), start, &[number])?, self.node(old, start, &[])?);
        self.node(Form::Map(Fun::Where, vec![any, value, old]), start, &[any, value, old])
    }

    /// `value` at the coordinates that the last one at each place has.
    fn looked_up(
        &mut self,
        last: &Assignment,
        vars: Vec<Ident>,
        value: SyntaxId,
        start: usize,
    ) -> Result<SyntaxId, Broken> {
        let indices = last.indices.clone().unwrap_or_default();
        let number = self.node(Form::Access { tensor: last.target.clone(), indices }, start, &[])?;
        let mut at = Vec::new();
        for (n, var) in vars.iter().enumerate() {
            at.push((var.clone(), self.node(Form::Part(number, vars.clone(), n), start, &[number])?));
        }
        self.landed(Fun::Add, Landing { at, vars }, value, start)
    }

    /// Is a tensor stored dense? Results without a table are.
    fn is_dense(&self, name: &str) -> bool {
        self.declared.iter().find(|d| d.name == name).is_none_or(Declaration::is_dense)
    }

    /// Names in `node` that may be indices.
    fn index_names_in(&self, node: SyntaxId, vars: &mut BTreeMap<String, Ident>) {
        let mut add = |ident: &Ident| {
            vars.entry(ident.name.clone()).or_insert_with(|| ident.clone());
        };
        match &self.syntax.nodes[node].form {
            Form::Access { tensor, indices } if indices.is_empty() && !self.tensors.contains(&tensor.name) => {
                add(tensor)
            }
            Form::Access { indices, .. } | Form::Stored { indices, .. } => {
                indices.iter().flat_map(Index::idents).for_each(&mut add);
                super::syntax::computed(indices).for_each(|inside| self.index_names_in(inside, vars));
            }
            Form::Map(_, args) | Form::Call(_, args) => args.iter().for_each(|&a| self.index_names_in(a, vars)),
            Form::Convert(_, body) | Form::Coalesce(body, _) | Form::Inside(body) => self.index_names_in(*body, vars),
            _ => {}
        }
    }
}

impl FileNames<'_> {
    /// An assignment's indices have the sizes that those of the statement before have, which finds what landed.
    pub(super) fn landed_sizes(&mut self, reader: &mut Reader, syntax: &Syntax) {
        for (number, statement) in syntax.statements.iter().enumerate() {
            let found = syntax.nodes[statement.nodes.clone()].iter().find_map(|node| match &node.form {
                Form::Part(_, vars, _) | Form::IsLast(_, vars, _) => Some(vars.as_slice()),
                Form::Taken(_) => Some(&[][..]),
                _ => None,
            });
            let (Some(vars), Some(left)) = (found, &statement.indices) else { continue };
            let last = &syntax.statements[number - 1].target.name;
            self.stored_as.insert(last.clone(), statement.target.name.clone());
            for (mode, ident) in left.iter().enumerate().filter_map(|(mode, index)| Some((mode, index.ident()?))) {
                if let Some(&tensor) = self.by_name.get(&statement.target.name) {
                    let (what, index) = (format!("mode {mode} of `{}`", statement.called), index_of(number, ident));
                    self.sizes.unite(reader, &index, &Dimension::Mode(tensor, mode), ident.span.clone(), &what);
                }
            }
            for ident in left.iter().filter_map(Index::ident).chain(vars) {
                let (here, before) = (index_of(number, ident), index_of(number - 1, ident));
                let what = format!("index `{}` on both sides", ident.name);
                self.sizes.unite(reader, &before, &here, ident.span.clone(), &what);
            }
        }
    }
}

fn index_of(statement: usize, ident: &Ident) -> Dimension {
    Dimension::Index(statement, ident.name.clone())
}

impl Builder<'_, '_> {
    /// `value` where each index is what its expression gives; `elsewhere`, or what `fun` begins
    /// with, where it is not.
    pub(super) fn landing(
        &mut self,
        at: &[(Ident, SyntaxId)],
        fun: Fun,
        value: SyntaxId,
        elsewhere: Option<SyntaxId>,
    ) -> Option<ExprId> {
        let mut made = match &self.syntax.nodes[value].form {
            Form::IsLast(number, vars, value) => self.last(*number, vars, *value)?,
            _ => self.folded(fun, value)?,
        };
        // A reduction that has none is reported by the reduction around.
        let identity = fun.identity(self.ty).unwrap_or(0);
        for (ident, node) in at.iter().rev() {
            let var = self.lookup(ident)?;
            let at = self.number(*node, var)?;
            let here = self.push(Expr::At(var, at))?;
            let nothing = match elsewhere {
                Some(elsewhere) => self.expr(elsewhere)?,
                None => self.push(Expr::Literal(identity))?,
            };
            made = self.push(Expr::Map(Fun::Where, vec![here, made, nothing]))?;
        }
        Some(made)
    }

    /// The number, from 1 on, of the indices' coordinates, row by row.
    pub(super) fn turned(&mut self, node: SyntaxId, vars: &[Ident]) -> Option<ExprId> {
        let all = vars.iter().map(|ident| self.lookup(ident)).collect::<Option<Vec<VarId>>>()?;
        if self.strides(&all).is_none() {
            let names: Vec<_> = vars.iter().map(|ident| ident.name.as_str()).collect();
            let message = format!(
                "{} count more than 2^31 - 1 values, and an assignment must find the last one at each place",
                names.join(", ")
            );
            let problem = self.reader.at("E029", self.syntax.nodes[node].span.clone(), message);
            self.reader
                .report(problem.help("declare smaller sizes, or update with `+=` or `max=`, which need no order"));
            return None;
        }
        self.counted(all)
    }

    /// The number, from 1 on, of the variables' coordinates.
    fn counted(&mut self, all: Vec<VarId>) -> Option<ExprId> {
        let mut number = None;
        for var in all {
            let index = self.push(Expr::Index(var))?;
            number = Some(match number {
                None => index,
                Some(before) => {
                    let size = self.push(Expr::Literal(self.kernel.var(var).max))?;
                    let row = self.push(Expr::Map(Fun::Mul, vec![before, size]))?;
                    self.push(Expr::Map(Fun::Add, vec![row, index]))?
                }
            });
        }
        let one = self.push(Expr::Literal(1))?;
        match number {
            Some(number) => self.push(Expr::Map(Fun::Add, vec![number, one])),
            None => Some(one),
        }
    }

    /// `value` where `number` is that of the indices' coordinates, elsewhere 0.
    fn last(&mut self, number: SyntaxId, vars: &[Ident], value: SyntaxId) -> Option<ExprId> {
        let all = vars.iter().map(|ident| self.lookup(ident)).collect::<Option<Vec<VarId>>>()?;
        // That there are too many has been reported of the statement before.
        self.strides(&all)?;
        let same = self.as_index(COUNT, |me| {
            let args = vec![me.expr(number)?, me.counted(all)?];
            me.push(Expr::Map(Fun::Eq, args))
        })?;
        let same = self.converted(COUNT, same)?;
        let (value, nothing) = (self.folded(Fun::Add, value)?, self.push(Expr::Literal(0))?);
        self.push(Expr::Map(Fun::Where, vec![same, value, nothing]))
    }

    /// How many coordinates of all later variables each variable's stand for.
    fn strides(&self, vars: &[VarId]) -> Option<Vec<u64>> {
        let mut strides = vec![1; vars.len()];
        let mut all = 1u64;
        for (n, &var) in vars.iter().enumerate().rev() {
            strides[n] = all;
            all = all.checked_mul(self.kernel.var(var).max.max(1)).filter(|&n| n < 1 << 31)?;
        }
        Some(strides)
    }

    /// Makes the condition that a number is present.
    pub(super) fn is_taken(&mut self, number: SyntaxId) -> Option<ExprId> {
        let any = self.as_index(COUNT, |me| {
            let args = vec![me.expr(number)?, me.push(Expr::Literal(0))?];
            me.push(Expr::Map(Fun::Gt, args))
        })?;
        self.converted(COUNT, any)
    }

    /// The coordinate of variable `n` in a number of all of them.
    pub(super) fn part(&mut self, number: SyntaxId, vars: &[Ident], n: usize) -> Option<ExprId> {
        let all = vars.iter().map(|ident| self.lookup(ident)).collect::<Option<Vec<VarId>>>()?;
        let stride = self.strides(&all)?[n];
        self.as_index(COUNT, |me| {
            let apply = |me: &mut Self, fun, of, by| {
                let by = me.push(Expr::Literal(by))?;
                me.push(Expr::Map(fun, vec![of, by]))
            };
            let number = me.expr(number)?;
            let mut at = apply(me, Fun::Sub, number, 1)?;
            if stride > 1 {
                at = apply(me, Fun::Div, at, stride)?;
            }
            if n > 0 {
                let size = me.kernel.var(all[n]).max;
                at = apply(me, Fun::PyMod, at, size)?;
            }
            Some(at)
        })
    }
}
