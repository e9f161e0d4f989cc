//! Masks as bounds of loops: comparisons of an index with loop-invariant values, outside of which the expression is its
//! fill, become one interval per fiber. A dense level is then gone through between its ends only.
//! docs/decisions/0082-bounds.md.

mod disjunction;
mod ranges;

use super::algebra::There;
use super::lattice::Lattice;
use super::scanned::{Inside, LEAST_BITS};
use super::tree::{LeafId, Level, Tree};
use super::{Lowering, Stop};
use crate::graph::{Leaves, Op, Payload};
use crate::stmt::{Fun, VarId};
use crate::types::Type;
use disjunction::Interval;
pub(super) use ranges::holding;
use samhw_primitives::scan::scanner_span::SpanEnd;

/// A whole number: an index this number of times, and what is fixed outside of its loop.
#[derive(Debug, Clone, Default)]
struct Sum {
    index: i128,
    constant: i128,
    /// Terms, each added or taken away.
    terms: Vec<(bool, Tree)>,
}

impl Sum {
    fn of(constant: i128, terms: Vec<(bool, Tree)>) -> Self {
        Self { index: 0, constant, terms }
    }
    fn negated(self) -> Self {
        let terms = self.terms.into_iter().map(|(adds, t)| (!adds, t)).collect();
        Self { index: -self.index, constant: -self.constant, terms }
    }
    fn plus(mut self, other: Self) -> Self {
        self.index += other.index;
        self.constant += other.constant;
        self.terms.extend(other.terms);
        self
    }
}

/// `index <= at`, or `at <= index`.
#[derive(Debug, Clone)]
pub(super) struct Bound {
    upper: bool,
    /// The index is not `at` itself.
    open: bool,
    at: Sum,
}

impl Bound {
    /// Below `t`, which is fixed outside of the loop.
    pub(super) fn below(t: Tree) -> Self {
        Self { upper: true, open: true, at: Sum::of(0, vec![(true, t)]) }
    }
    /// The same with the last coordinate that is inside.
    fn closed(self) -> Self {
        let inwards = if self.upper { -1 } else { 1 };
        let constant = self.at.constant + if self.open { inwards } else { 0 };
        Self { open: false, at: Sum { constant, ..self.at }, ..self }
    }
}

/// What bounds leave of an expression, and they themselves.
struct Bounded {
    rest: Tree,
    /// They hold everywhere in the loop.
    bounds: Interval,
    /// If there are any: of these, too, one at least.
    either: Vec<Interval>,
    /// Whether comparisons of the index are among them.
    compared: bool,
}

impl Lowering<'_> {
    /// Returns `t` without the bounds that leave a part of the coordinates of `v`, and the bounds, if the
    /// loop would otherwise go through a whole level.
    pub(super) fn span(&mut self, t: &Tree, v: VarId) -> Result<Option<(Tree, Inside)>, Stop> {
        let Some(Bounded { rest, bounds, either, compared }) = self.bounds(t, v) else { return Ok(None) };
        let lattice = self.lattice(&rest, v, false)?;
        let dense = self.dense_leader(&lattice, v)?.is_some();
        if !dense && !self.listed(&lattice, v)? {
            return Ok(None);
        }
        // A list is cut once: at the ends of an interval around all.
        let around = |all: Option<Interval>, next: &Interval| self.around(&all?, next);
        let hull =
            if dense || either.is_empty() { None } else { either[1..].iter().fold(Some(either[0].clone()), around) };
        let either = if dense { either } else { hull.into_iter().collect() };
        let with = |one: &Interval| self.ends(bounds.iter().chain(one).cloned().collect());
        let all = if either.is_empty() { vec![with(&vec![])] } else { either.iter().map(with).collect() };
        let Some(all) = all.into_iter().collect::<Option<Vec<_>>>() else { return Ok(None) };
        let name = self.var_name(v);
        let note = if compared {
            format!("comparisons bound the loop over {name}: coordinates outside are not visited")
        } else {
            format!("the loop over {name} does not begin where a condition without an index does not hold")
        };
        let mut spans = Vec::new();
        for (ends, trees) in all {
            let mut inputs = Vec::new();
            for tree in &trees {
                inputs.push(self.everywhere(tree)?);
            }
            if let [lo, hi] = inputs[..] {
                let (lo, hi) = self.zip(lo, hi);
                inputs = vec![lo, hi];
            }
            if !dense {
                self.note(note.clone());
                return Ok(Some((rest, Inside::Listed(ends, inputs))));
            }
            let output = vec![Leaves::absent(Payload::Crd(v), self.below(v))];
            spans.push(self.node(format!("span_{}", self.var_name(v)), Op::Span(v, ends), inputs, output)[0]);
        }
        self.note(note);
        Ok(Some((rest, Inside::Dense(self.any_of(&spans, v)?))))
    }

    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Do all coordinates of `v` come from one level that lists them, as it is stored? (Joins of several
    /// are wide.)
    fn listed(&mut self, lattice: &Lattice, v: VarId) -> Result<bool, Stop> {
        let schedule = self.kernel.schedule_of(self.statement);
        let name = &self.kernel.var(v).name;
        let named = |list: &Option<Vec<toml::Spanned<String>>>| list.iter().flatten().any(|n| n.get_ref() == name);
        // Skipping is asked for explicitly there. Behind a bus words between the bounds
        // alone take longer than all.
        if self.kernel.bus || lattice.universe || lattice.exact || lattice.width() == 0 || named(&schedule.skip) {
            return Ok(false);
        }
        let located = self.located(lattice, v)?;
        let plain = |o: LeafId| {
            let leaf = &self.leaves[o];
            let (Some((w, Level::Stored(l))), Some(u)) = (leaf.levels.first(), leaf.used) else { return false };
            let kinds = &self.graph.uses[u.0].levels;
            let alone = leaf.levels.get(1).is_none_or(|(next, _)| *next != v);
            *w == v
                && alone
                && kinds[*l].lists_coordinates()
                && !kinds[*l].repeats()
                && !self.parts.contains_key(&(u, *l))
                && !self.has_edge(o, v)
        };
        let mut scanned = (0..lattice.width()).filter(|k| located >> k & 1 == 0);
        Ok(matches!((scanned.next(), scanned.next()), (Some(k), None) if plain(lattice.operands[k])))
    }

    /// The operand whose dense level alone gives the coordinates of `v`, all others being looked up.
    pub(super) fn dense_leader(&mut self, lattice: &Lattice, v: VarId) -> Result<Option<usize>, Stop> {
        if lattice.universe || lattice.exact || lattice.width() == 0 {
            return Ok(None);
        }
        let located = self.located(lattice, v)?;
        let mut leaders = (0..lattice.width()).filter(|k| located >> k & 1 == 0);
        let (Some(leader), None) = (leaders.next(), leaders.next()) else { return Ok(None) };
        let o = lattice.operands[leader];
        Ok(Some(leader).filter(|_| self.never_missed(o, v) && self.lookups(o, v).is_some()))
    }

    /// All bounds of `v` in `t`.
    fn bounds(&self, t: &Tree, v: VarId) -> Option<Bounded> {
        if t.knows_by_presence() || !self.may_leave_out(t, v) {
            return None;
        }
        let (mut rest, mut bounds) = (t.clone(), Vec::new());
        while let Some((truth, found)) = self.first_bounds(&rest, v) {
            rest = truth;
            bounds.extend(found);
        }
        let mut either = self.intervals(&rest, v);
        if let [one] = &mut either[..] {
            bounds.append(one);
            either.clear();
        }
        let compared = !bounds.is_empty() || !either.is_empty();
        rest = self.gated(rest, v, &mut bounds);
        (compared || !bounds.is_empty()).then(|| Bounded { rest: self.simplified(&rest), bounds, either, compared })
    }

    /// The first bounds in `t`, and `t` where they hold: elsewhere it is its fill.
    fn first_bounds(&self, t: &Tree, v: VarId) -> Option<(Tree, Vec<Bound>)> {
        t.nodes().into_iter().enumerate().find_map(|(at, place)| {
            let Tree::Map(fun, ty, args) = place.node else { return None };
            let [a, b] = &args[..] else { return None };
            let ty = Some(*ty).filter(|ty| ty.is_int())?;
            [true, false].into_iter().find_map(|truth| {
                let fun = if truth { *fun } else { opposite(*fun)? };
                let found = self.compared(fun, a, b, v)?;
                let told = |truth: bool| t.with(at, &Tree::Literal(if truth { ty.one() } else { 0 }, ty));
                self.is_fill(t, &told(!truth)).then(|| (told(truth), found))
            })
        })
    }

    /// Returns whether `other` is the fill of `t`, for any operands.
    pub(super) fn is_fill(&self, t: &Tree, other: &Tree) -> bool {
        let (fill, known) = (self.fill(t), self.known(other, &|_| There::Maybe));
        matches!((fill, known), (Some(fill), Some(known)) if self.same(self.type_of_tree(t), fill, known))
    }

    /// `a fun b` as bounds of `v`.
    fn compared(&self, fun: Fun, a: &Tree, b: &Tree, v: VarId) -> Option<Vec<Bound>> {
        match (fun, a, b) {
            (Fun::Lt | Fun::Le, Tree::Map(Fun::Abs, ty, x), _) if self.within(&negated(self.range(&x[0])?), *ty) => {
                let (x, b) = (self.sum(&x[0], v)?, self.sum(b, v)?);
                let mut all = bound(fun, x.clone().plus(b.clone().negated()))?;
                all.extend(bound(fun, x.negated().plus(b.negated()))?);
                Some(all)
            }
            (Fun::Gt | Fun::Ge, _, Tree::Map(Fun::Abs, ..)) => self.compared(fun.mirrored(), b, a, v),
            (Fun::Lt | Fun::Le | Fun::Gt | Fun::Ge | Fun::Eq, ..) => {
                bound(fun, self.sum(a, v)?.plus(self.sum(b, v)?.negated()))
            }
            _ => None,
        }
    }

    /// `t` as a sum of the index `v` and what is fixed outside of its loop, if it is just that.
    fn sum(&self, t: &Tree, v: VarId) -> Option<Sum> {
        let ty = self.type_of_tree(t);
        if !ty.is_int() {
            return None;
        }
        match t {
            Tree::Leaf(l) if self.leaves[*l].levels.first() == Some(&(v, Level::Coordinate)) => {
                Some(Sum { index: 1, ..Sum::default() })
            }
            Tree::Literal(value, _) => Some(Sum::of(ty.value(*value), vec![])),
            Tree::Map(fun @ (Fun::Add | Fun::Sub), _, args) if self.exact(t) => {
                let (a, b) = (self.sum(&args[0], v)?, self.sum(&args[1], v)?);
                Some(a.plus(if *fun == Fun::Sub { b.negated() } else { b }))
            }
            Tree::Convert(body, ..) if self.exact(t) => self.sum(body, v),
            _ if self.variables(t).is_empty() && !t.has_reduction() => Some(Sum::of(0, vec![(true, t.clone())])),
            _ => None,
        }
    }

    /// How both ends are found: of one bound alone as it is, of more by arithmetic that cuts nothing off.
    fn ends(&self, bounds: Vec<Bound>) -> Option<([SpanEnd; 2], Vec<Tree>)> {
        let (upper, lower): (Vec<Bound>, Vec<Bound>) = bounds.into_iter().partition(|b| b.upper);
        if let Some(found) = self.plain_ends(&lower, &upper) {
            return Some(found);
        }
        let mut ends = [SpanEnd::Level; 2];
        let sides = [lower, upper].map(|side| side.into_iter().map(Bound::closed).collect::<Vec<_>>());
        let ranges = sides.iter().flatten().map(|b| self.range_of_sum(&b.at)).collect::<Option<Vec<_>>>()?;
        let all = ranges.into_iter().reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
        let ty = holding(all)?;
        let mut trees = Vec::new();
        for (k, (side, tightest)) in sides.into_iter().zip([Fun::Max, Fun::Min]).enumerate() {
            let of_side = side.into_iter().map(|b| self.added(b.at, ty));
            // Of two numbers the tighter one is a number.
            let tighter = |a, b| self.simplified(&Tree::Map(tightest, ty, vec![a, b]));
            if let Some(tree) = of_side.reduce(tighter) {
                ends[k] = SpanEnd::Closed;
                trees.push(tree);
            }
        }
        Some((ends, trees))
    }

    /// Both ends, where each is a value as it is.
    fn plain_ends(&self, lower: &[Bound], upper: &[Bound]) -> Option<([SpanEnd; 2], Vec<Tree>)> {
        let (mut ends, mut trees) = ([SpanEnd::Level; 2], Vec::new());
        for (end, side) in ends.iter_mut().zip([lower, upper]) {
            match side {
                [] => {}
                [Bound { open, at: Sum { constant: 0, terms, .. }, .. }] => {
                    let [(true, tree)] = &terms[..] else { return None };
                    *end = if *open { SpanEnd::Open } else { SpanEnd::Closed };
                    trees.push(tree.clone());
                }
                _ => return None,
            }
        }
        let ty = self.type_of_tree(trees.first()?);
        let alike = trees.iter().all(|t| self.type_of_tree(t) == ty);
        (alike && ty.is_int() && ty.bits() >= LEAST_BITS).then_some((ends, trees))
    }

    /// The sum as an expression of type `ty`, which holds it.
    fn added(&self, sum: Sum, ty: Type) -> Tree {
        let first = Some(Tree::Literal(ty.wrap(sum.constant), ty)).filter(|_| sum.constant != 0);
        let with = |all: Option<Tree>, (adds, t): (bool, Tree)| {
            let own = self.type_of_tree(&t);
            let t = if own == ty { t } else { Tree::Convert(Box::new(t), own, ty) };
            Some(match (all, adds) {
                (None, true) => t,
                (None, false) => Tree::Map(Fun::Neg, ty, vec![t]),
                (Some(all), true) => Tree::Map(Fun::Add, ty, vec![t, all]),
                (Some(all), false) => Tree::Map(Fun::Sub, ty, vec![all, t]),
            })
        };
        sum.terms.into_iter().fold(first, with).unwrap_or(Tree::Literal(0, ty))
    }

    /// `t` where conditions in it have become literals: what they decide is left out.
    pub(super) fn simplified(&self, t: &Tree) -> Tree {
        let literal = |t: &Tree| if let Tree::Literal(v, _) = t { Some(*v) } else { None };
        match t {
            Tree::Map(f, ty, args) => {
                let args: Vec<Tree> = args.iter().map(|a| self.simplified(a)).collect();
                let known: Vec<Option<u64>> = args.iter().map(literal).collect();
                if known.iter().all(Option::is_some)
                    && let Some(value) = self.kernel.partial(*f, &known, *ty)
                {
                    return Tree::Literal(value, *ty);
                }
                let holds = |k: usize| known.get(k).copied().flatten().map(|v| !ty.is_zero(v));
                match (f, holds(0), holds(1)) {
                    (Fun::Where, Some(holds), _) => args[if holds { 1 } else { 2 }].clone(),
                    (Fun::And, Some(true), _) if is_truth(&args[1]) => args[1].clone(),
                    (Fun::And, _, Some(true)) if is_truth(&args[0]) => args[0].clone(),
                    (Fun::Mul, ..) if !ty.is_float() && known[0] == Some(ty.one()) => args[1].clone(),
                    (Fun::Mul, ..) if !ty.is_float() && known[1] == Some(ty.one()) => args[0].clone(),
                    _ => Tree::Map(*f, *ty, args),
                }
            }
            Tree::Convert(body, from, to) => match self.simplified(body) {
                Tree::Literal(v, _) => Tree::Literal(samhw_values::convert(v, *from, *to), *to),
                body => Tree::Convert(Box::new(body), *from, *to),
            },
            Tree::Reduce(op, k, body, e) => Tree::Reduce(*op, *k, Box::new(self.simplified(body)), *e),
            Tree::Prefix(how, v, of, e) => Tree::Prefix(*how, *v, of.iter().map(|a| self.simplified(a)).collect(), *e),
            Tree::Call(f, args) => Tree::Call(*f, args.iter().map(|a| self.simplified(a)).collect()),
            Tree::Read(read, at) => Tree::Read(read.clone(), at.iter().map(|a| self.simplified(a)).collect()),
            Tree::At(ty, v, at) => Tree::At(*ty, *v, Box::new(self.simplified(at))),
            Tree::Leaf(_) | Tree::Stored(..) | Tree::Literal(..) => t.clone(),
        }
    }
}

/// Is `t` 0 or 1?
fn is_truth(t: &Tree) -> bool {
    matches!(t, Tree::Map(f, ..) if f.is_logical())
}

/// `sum fun 0` as bounds of the index in it.
fn bound(fun: Fun, sum: Sum) -> Option<Vec<Bound>> {
    let fun = match sum.index {
        1 => fun,
        -1 => fun.mirrored(),
        _ => return None,
    };
    let at = Sum { index: 0, ..if sum.index == 1 { sum.negated() } else { sum } };
    let one = |upper: bool, open: bool| Bound { upper, open, at: at.clone() };
    Some(match fun {
        Fun::Lt => vec![one(true, true)],
        Fun::Le => vec![one(true, false)],
        Fun::Gt => vec![one(false, true)],
        Fun::Ge => vec![one(false, false)],
        Fun::Eq => vec![one(false, false), one(true, false)],
        _ => return None,
    })
}

/// The comparison that holds where this one does not.
fn opposite(fun: Fun) -> Option<Fun> {
    match fun {
        Fun::Lt => Some(Fun::Ge),
        Fun::Ge => Some(Fun::Lt),
        Fun::Le => Some(Fun::Gt),
        Fun::Gt => Some(Fun::Le),
        Fun::Ne => Some(Fun::Eq),
        _ => None,
    }
}

fn negated(range: (i128, i128)) -> (i128, i128) {
    (-range.1, -range.0)
}
