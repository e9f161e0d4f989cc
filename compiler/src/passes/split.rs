//! Splitting: index k becomes k0 and k1 with k = k0 * size + k1, in every tensor and every loop, or
//! with several sizes a loop for each, and one inside. Before: a kernel whose schedule may ask for
//! it. After: a kernel of smaller loops that any pass takes as it is, in which the split tensors
//! are tensors of their own, packed by the host; [`Split::parts`] says what of what they are.
//!
//! Where the size does not divide the dimension, coordinates beyond it exist in the last tile. Nothing is
//! stored there but what dense levels store anyway, which is a fill, so reductions in which fills count are
//! refused.

mod legal;
mod names;
mod parts;
mod results;
mod tensors;
mod windows;

pub use parts::{SplitIndex, SplitPart, split_size};

use crate::compiled::{Compiled, Options};
use crate::diag::{Diagnostic, Place};
use crate::facts::{self, Density};
use crate::stmt::{Expr, ExprId, Fun, Kernel, TensorId, Var, VarId};
use crate::types::Type;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A kernel after splitting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// The kernel. Tensors and indices of the original keep their numbers; of a split index the number is
    /// k0's.
    pub kernel: Kernel,
    /// The split indices.
    pub indices: Vec<SplitIndex>,
    /// The split tensors.
    pub parts: BTreeMap<TensorId, SplitPart>,
    /// The reason why `kernel` has an order that is not in the kernel file.
    pub ordered: Option<String>,
    /// Which indices are split that the schedule does not name, and why.
    pub followed: Vec<String>,
    /// For results that are read in other tiles than they are written in: variables of their modes, which no loop has,
    /// each with the variable of the same size.
    pub modes: Vec<(TensorId, Vec<(VarId, VarId)>)>,
}

impl Split {
    /// The kernel as it is.
    pub(crate) fn of_nothing(kernel: &Kernel) -> Self {
        Self {
            kernel: kernel.clone(),
            indices: vec![],
            parts: BTreeMap::new(),
            ordered: None,
            followed: vec![],
            modes: vec![],
        }
    }
    /// Returns the sizes of the kernel's indices, given those of the original.
    pub fn dims(&self, original: &[u64]) -> Vec<u64> {
        let mut dims = original.to_vec();
        for index in &self.indices {
            let sizes = split_size(dims[index.outer().0], &index.sizes);
            dims[index.outer().0] = sizes[0];
            dims.extend(&sizes[1..]);
        }
        for (_, of) in self.modes.iter().flat_map(|(_, own)| own) {
            dims.push(dims[of.0]);
        }
        dims
    }
    /// Converts a loop order of the original, with the variables of its loops for each split index.
    pub fn order(&self, original: &[VarId]) -> Vec<VarId> {
        self.in_parts(original)
    }
    /// How an index of the original is split, if it is.
    pub(super) fn index(&self, v: VarId) -> Option<&SplitIndex> {
        self.indices.iter().find(|index| index.outer() == v)
    }
    /// The sizes of an index's tiles; none if it is not split.
    fn sizes(&self, v: VarId) -> Vec<u64> {
        self.index(v).map(|index| index.sizes.clone()).unwrap_or_default()
    }
    /// These indices, with all loops of each that is split.
    fn in_parts(&self, indices: &[VarId]) -> Vec<VarId> {
        let inner = |v: VarId| self.index(v).map(SplitIndex::inner).unwrap_or_default();
        indices.iter().flat_map(|&v| std::iter::once(v).chain(inner(v).iter().copied())).collect()
    }
    /// Returns the known facts about the split kernel's data, from those about the original's.
    pub(super) fn density(&self, original: &Density) -> Density {
        let mut density = original.clone();
        for (&t, part) in &self.parts {
            density.stored.extend(density.stored.get(&part.of).map(|&n| (t, n)));
        }
        if !self.indices.is_empty() {
            // Variables have other numbers.
            density.sizes.clear();
        }
        density
    }
}

/// Splits what the schedule asks for; what is known of the data follows in [`Split::density`].
pub(super) fn apply(compiled: &mut Compiled, options: &Options<'_>) -> Result<(), Diagnostic> {
    compiled.split = split(&compiled.lowered.kernel, options.order.is_some())?;
    compiled.lowered.kernel = compiled.split.kernel.clone();
    Ok(())
}

/// Splits the indices that the schedule names; `ordered` says that the caller supplies the loop order.
///
/// # Errors
///
/// What cannot be split: an index of a sliced result, of a scan or of a landing, a reduction in which absent
/// entries count, a result that is read otherwise than it is written.
pub fn split(kernel: &Kernel, ordered: bool) -> Result<Split, Diagnostic> {
    // Blocks of rows are nobody's wish: what cannot have them goes without. So does what follows other
    // indices.
    let mut wrong = None;
    for given in [(true, true), (false, true), (true, false), (false, false)] {
        match attempt(kernel, ordered, given) {
            Ok(split) => return Ok(split),
            Err(why) if given == (false, true) => wrong = Some(why),
            Err(_) => {}
        }
    }
    wrong.map_or_else(|| Ok(Split::of_nothing(kernel)), Err)
}

/// Splits indices, with blocks of rows if it gets those, and with the other indices of results' modes if they
/// follow.
fn attempt(kernel: &Kernel, ordered: bool, (blocks, follows): (bool, bool)) -> Result<Split, Diagnostic> {
    let mut out = Split::of_nothing(kernel);
    match out.make(kernel, ordered, (blocks, follows)) {
        Ok(()) => Ok(out),
        // Who did not name an index is told why it is split.
        Err(why) => Err(out.followed.into_iter().fold(why, Diagnostic::help)),
    }
}

/// Sizes of tiles as messages have them: `128 and 16`.
fn said_sizes(sizes: &[u64]) -> String {
    let sizes: Vec<String> = sizes.iter().map(u64::to_string).collect();
    sizes.join(" and ")
}

fn refused(what: String, span: Range<usize>, way: &str) -> Diagnostic {
    Diagnostic::new("S042", what).at(Place::Kernel(span)).help(way)
}

impl Split {
    fn make(&mut self, kernel: &Kernel, ordered: bool, (blocks, follows): (bool, bool)) -> Result<(), Diagnostic> {
        for ((name, sizes), statements) in kernel.asked(|s| &s.split) {
            let vars = kernel.named_in(name.get_ref(), &statements);
            for v in vars {
                self.add(v, sizes.clone(), name.span())?;
            }
        }
        if self.indices.is_empty() {
            return Ok(());
        }
        if follows {
            self.follow(kernel)?;
        }
        let windows = self.windows(kernel).filter(|_| !ordered);
        if let Some((row, size)) = windows.as_ref().and_then(|w| w.blocks).filter(|_| blocks) {
            self.add(row, vec![size], 0..0)?;
        }
        self.order_names();
        self.schedule_names();
        if let Some(windows) = windows {
            self.walk(&windows, kernel);
        }
        self.landings()?;
        self.reductions()?;
        self.accesses()
    }

    /// The name of a split index, and where the schedule asks for it, or for what it follows.
    fn asked(&self, outer: VarId) -> (String, Range<usize>) {
        let mut name = self.kernel.var(outer).name.clone();
        name.pop();
        let entries = self.kernel.asked(|s| &s.split);
        let entry = entries.iter().find(|(e, _)| *e.0.get_ref() == name).or(entries.first());
        (name, entry.map_or(0..0, |(e, _)| e.0.span()))
    }

    fn add(&mut self, v: VarId, sizes: Vec<u64>, span: Range<usize>) -> Result<(), Diagnostic> {
        let computed = self.kernel.statements.iter().flat_map(|s| facts::computed(&self.kernel, s.value));
        if computed.into_iter().any(|(c, _)| c == v) {
            let name = &self.kernel.var(v).name;
            let what = format!("{name} is not an index whose loop can be split: its coordinate is computed");
            return Err(refused(what, span, "leave it out of `split`"));
        }
        let (name, max) = (self.kernel.var(v).name.clone(), self.kernel.var(v).max);
        let names: Vec<String> = (0..=sizes.len()).map(|part| format!("{name}{part}")).collect();
        let made = |w: usize| self.indices.iter().any(|index| index.vars.contains(&VarId(w)));
        let taken = |n: &String| self.kernel.vars.iter().enumerate().any(|(w, x)| x.name == *n && !made(w));
        if let Some(n) = names.iter().find(|n| taken(n)) {
            let (outer, inner) = (names[..sizes.len()].join(", "), &names[sizes.len()]);
            let what = format!("splitting {name} makes indices {outer} and {inner}, and {n} exists already");
            return Err(refused(what, span, "give that index another name"));
        }
        let mut parts = names.into_iter().zip(split_size(max, &sizes)).map(|(name, max)| Var { name, max });
        let mut vars = vec![v];
        self.kernel.vars[v.0] = parts.next().unwrap_or_else(|| self.kernel.var(v).clone());
        for part in parts {
            vars.push(VarId(self.kernel.vars.len()));
            self.kernel.vars.push(part);
        }
        self.indices.push(SplitIndex { vars, sizes });
        Ok(())
    }

    /// A result lies on the chip in tiles of the indices that it is written with: those that it is read with
    /// are split alike, and the other way round.
    fn follow(&mut self, kernel: &Kernel) -> Result<(), Diagnostic> {
        loop {
            let tiles = |v: VarId| self.index(v).map(|index| index.sizes.clone());
            let more = facts::read_modes(kernel).find_map(|m| match (tiles(m.writer.1), tiles(m.reader.1)) {
                (Some(sizes), None) => Some((m.reader.1, sizes, m.tensor)),
                (None, Some(sizes)) => Some((m.writer.1, sizes, m.tensor)),
                _ => None,
            });
            let Some((v, sizes, t)) = more else { break };
            let (name, tensor) = (&kernel.var(v).name, &kernel.tensor(t).name);
            let said = format!(
                "{name} is split, too: {tensor} lies in tiles of {} where another statement has it",
                said_sizes(&sizes)
            );
            if !self.followed.contains(&said) {
                self.followed.push(said);
            }
            let span = kernel.asked(|s| &s.split).first().map_or(0..0, |(entry, _)| entry.0.span());
            self.add(v, sizes, span)?;
        }
        // Names of `order` and of the schedule mean all indices of the name.
        let used: BTreeSet<VarId> = kernel.statements.iter().flat_map(|s| facts::variables(kernel, s)).collect();
        let name = |v: VarId| &kernel.var(v).name;
        let partly = used
            .iter()
            .find(|&&v| self.index(v).is_none() && self.indices.iter().any(|index| name(index.outer()) == name(v)));
        match partly {
            Some(&v) if !self.followed.is_empty() => {
                let (_, span) = self.asked(self.indices[0].outer());
                let what = format!("{} cannot be split: in another statement it is not", name(v));
                Err(refused(what, span, "rename it in one of the statements"))
            }
            _ => Ok(()),
        }
    }

    /// A reduction over a split index is one for each of its loops, one in the other.
    fn reductions(&mut self) -> Result<(), Diagnostic> {
        for e in 0..self.kernel.exprs.len() {
            let Expr::Reduce(op, k, body) = self.kernel.exprs[e] else { continue };
            let Some(inner) = self.index(k).map(|index| index.inner().to_vec()) else { continue };
            if let Some(n) = self.kernel.statements.iter().position(|s| reaches(&self.kernel, s.value, ExprId(e)))
                && facts::counts_without(&self.kernel, n, op, k, body)
            {
                let (name, span) = self.asked(k);
                let what = format!(
                    "{name} cannot be split: a reduction over it counts coordinates at which nothing with that index is stored"
                );
                let way = "the last tile may have coordinates beyond the size, which would count too; leave the index out of `split`";
                let rounds = "what a round carries to the next one counts as well";
                let why = refused(what, span, way);
                return Err(if self.kernel.repeat.is_some() { why.help(rounds) } else { why });
            }
            let (mut below, ty) = (body, self.kernel.types.get(&ExprId(e)).copied());
            for v in inner.into_iter().rev() {
                let made = ExprId(self.kernel.exprs.len());
                self.kernel.types.extend(ty.map(|ty| (made, ty)));
                self.kernel.exprs.push(Expr::Reduce(op, v, below));
                below = made;
            }
            self.kernel.exprs[e] = Expr::Reduce(op, k, below);
        }
        Ok(())
    }

    /// Every access with a split index reads, every result writes, a split tensor.
    fn accesses(&mut self) -> Result<(), Diagnostic> {
        let mut seen = BTreeSet::new();
        for n in 0..self.kernel.statements.len() {
            let s = self.kernel.statements[n].clone();
            let all = below(&self.kernel, s.value);
            let landing = |e: &ExprId| match self.kernel.expr(*e) {
                Expr::At(_, at) => below(&self.kernel, *at),
                _ => vec![],
            };
            let landings: BTreeSet<ExprId> = all.iter().flat_map(landing).collect();
            for e in all {
                if !seen.insert(e) {
                    continue;
                }
                match self.kernel.expr(e).clone() {
                    Expr::Access(t, indices) => {
                        let (to, wide) = self.read(n, t, &indices)?;
                        self.kernel.exprs[e.0] = Expr::Access(to, wide);
                    }
                    Expr::Stored(t, indices) => {
                        let (to, wide) = self.read(n, t, &indices)?;
                        self.kernel.exprs[e.0] = Expr::Stored(to, wide);
                    }
                    Expr::Read { .. } => self.computed_read(n, e)?,
                    Expr::Index(v) => {
                        let Some(index) = self.index(v).cloned() else { continue };
                        if landings.contains(&e) {
                            let (name, span) = self.asked(v);
                            let what = format!("{name} cannot be split: its coordinates say where values land");
                            return Err(refused(what, span, "leave it out of `split`"));
                        }
                        let (ty, made) = (self.kernel.types.get(&e).copied().unwrap_or(s.ty), self.kernel.exprs.len());
                        self.number(e, ty, &index);
                        seen.extend((made..self.kernel.exprs.len()).map(ExprId));
                    }
                    Expr::Prefix(_, v, _) if self.index(v).is_some() => {
                        let (name, span) = self.asked(v);
                        let what = format!("{name} cannot be split: a scan goes along it from end to end");
                        return Err(refused(what, span, "leave it out of `split`"));
                    }
                    _ => {}
                }
            }
            let (to, wide) = self.tensor(n, s.result, &s.indices)?;
            (self.kernel.statements[n].result, self.kernel.statements[n].indices) = (to, wide);
        }
        self.carry()?;
        self.results()
    }

    /// The tensor that an access of statement `n` reads in place of `t(indices)`, with its indices.
    fn read(&mut self, n: usize, t: TensorId, indices: &[VarId]) -> Result<(TensorId, Vec<VarId>), Diagnostic> {
        match self.result_read(n, t, indices)? {
            Some(read) => Ok(read),
            None => self.tensor(n, t, indices),
        }
    }

    /// Turns the coordinate `e` of a split index, a number of `ty`, into those of the tiles and the
    /// one inside.
    fn number(&mut self, e: ExprId, ty: Type, index: &SplitIndex) {
        let last = (self.kernel.var(index.outer()).max.max(1) * index.sizes[0]).max(1) - 1;
        let whole = Type::int((u64::BITS - last.leading_zeros() + 1).clamp(8, 64), true);
        let mut add = |expr: Expr| {
            let id = ExprId(self.kernel.exprs.len());
            self.kernel.exprs.push(expr);
            self.kernel.types.insert(id, whole);
            id
        };
        let mut begin = None;
        for (&v, &size) in index.vars.iter().zip(&index.sizes) {
            let (tile, by) = (add(Expr::Index(v)), add(Expr::Literal(size)));
            let at = add(Expr::Map(Fun::Mul, vec![tile, by]));
            begin = Some(begin.map_or(at, |begin| add(Expr::Map(Fun::Add, vec![begin, at]))));
        }
        let inside = index.inner().last().map(|v| add(Expr::Index(*v)));
        let sum = Expr::Map(Fun::Add, begin.into_iter().chain(inside).collect());
        self.kernel.exprs[e.0] = if whole == ty { sum } else { Expr::Convert(add(sum)) };
    }
}

/// `e` and every expression in it.
fn below(kernel: &Kernel, e: ExprId) -> Vec<ExprId> {
    let inside = kernel.expr(e).children().iter().flat_map(|&a| below(kernel, a));
    std::iter::once(e).chain(inside).collect()
}

pub(super) fn reaches(kernel: &Kernel, from: ExprId, to: ExprId) -> bool {
    below(kernel, from).contains(&to)
}
