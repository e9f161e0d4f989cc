//! The iteration algebra: facts about an expression, given the set of present operands. Where it is known to have its
//! fill, nothing happens. Its values over all sets of operands are the iteration lattice, which becomes the joiner's
//! truth table. "Compilation of Sparse Array Programming Models", section 4; docs/decisions/0010-functions.md.

use super::Lowering;
use super::tree::{LeafId, Tree};
use crate::facts::{Fill, always, columns, identity};
use crate::stmt::{Algebra, ExprId, Fun, Function, Operator, VarId};
use crate::types::Type;
use samhw_values::{Args, convert};
use std::collections::BTreeSet;

/// Whether an operand is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum There {
    /// No: it reads as its fill.
    No,
    /// It has levels still to come, or may have been dropped.
    Maybe,
    /// Yes.
    Yes,
}

/// The facts about each operand, by its number.
pub(super) type OperandFacts<'h> = dyn Fn(LeafId) -> There + 'h;

/// Which operands are asked for: their numbers.
type Numbers<'n> = dyn Fn(LeafId) -> Option<usize> + 'n;

/// What follows for an expression from which operands are there.
struct State {
    /// Its value, where what may be there can be or not.
    known: Option<u64>,
    /// Its value where nothing is there that only may be.
    least: Option<u64>,
    /// Its fill.
    fill: Fill,
    /// Where its value follows from structure alone, that of one operand or of none: which one.
    structure: Option<Option<LeafId>>,
    /// Those of the operands asked for that can still change it, a bit each.
    matter: u64,
}

impl State {
    /// Of what nothing is known.
    fn open(fill: Fill, structure: Option<Option<LeafId>>, matter: u64) -> Self {
        Self { known: None, least: None, fill, structure, matter }
    }
}

impl Lowering<'_> {
    /// Returns the value of `t` where no operand is there that can be absent.
    pub(super) fn settled(&self, t: &Tree) -> Fill {
        let all = |args: &[Tree]| columns(&args.iter().map(|a| self.settled(a)).collect::<Args<_>>());
        match t {
            Tree::Leaf(l) | Tree::Stored(l, _) if self.leaves[*l].always => Fill::of(None),
            Tree::Read(..) | Tree::Prefix(..) => Fill::of(None),
            Tree::Leaf(l) => {
                let leaf = &self.leaves[*l];
                Fill { value: Some(leaf.fill), known: (!leaf.everywhere).then_some(leaf.fill) }
            }
            Tree::Stored(..) | Tree::At(..) => Fill::of(Some(0)),
            Tree::Literal(v, _) => Fill::of(Some(*v)),
            Tree::Reduce(op, _, body, e) => self.reduced(*op, body, *e, self.settled(body)),
            Tree::Map(f, ty, args) => {
                let (values, known) = all(args);
                Fill::either(self.kernel.partial(*f, &known, *ty), self.kernel.partial(*f, &values, *ty))
            }
            Tree::Convert(body, from, to) => self.settled(body).mapped(|v| convert(v, *from, *to)),
            Tree::Call(f, args) => {
                let ((values, known), f) = (all(args), self.function(*f));
                Fill::either(f.partial(&known, &values), f.partial(&values, &values))
            }
        }
    }

    /// Returns the fill of reduction `e` of `body`, whose own fill is `of`.
    fn reduced(&self, op: Operator, body: &Tree, e: ExprId, of: Fill) -> Fill {
        let ty = self.type_of(e);
        let identity = identity(op, ty);
        let value = of.value.filter(|&f| self.same(ty, f, identity)).map(|_| identity);
        Fill { value, known: value.filter(|_| of.known.is_some() || !self.body_grows(body, e)) }
    }

    /// Does more of operands never make the body of reduction `e` absent? Found once.
    fn body_grows(&self, body: &Tree, e: ExprId) -> bool {
        if let Some(&grows) = self.growing.borrow().get(&e) {
            return grows;
        }
        let grows = self.grows(body);
        self.growing.borrow_mut().insert(e, grows);
        grows
    }

    /// Does more of operands never make `t` absent?
    fn grows(&self, t: &Tree) -> bool {
        match t {
            Tree::Leaf(_) | Tree::Literal(..) => true,
            Tree::Stored(..) => false,
            Tree::Reduce(_, _, body, e) => self.body_grows(body, *e),
            Tree::Convert(body, ..) | Tree::At(_, _, body) => self.grows(body),
            Tree::Map(_, _, args) | Tree::Read(_, args) | Tree::Prefix(_, _, args, _) => {
                args.iter().all(|a| self.grows(a))
            }
            Tree::Call(f, args) => {
                let f = self.function(*f);
                f.iterate.is_none() && f.cases.is_empty() && args.iter().all(|a| self.grows(a))
            }
        }
    }

    /// Value of `t` where no operand is there. `None`: it is always there, because it counts absent entries or
    /// depends on coordinates.
    pub(super) fn fill(&self, t: &Tree) -> Option<u64> {
        self.settled(t).value
    }

    /// Returns whether `a`, where something is there, equals `b`.
    pub(super) fn same(&self, ty: Type, a: u64, b: u64) -> bool {
        self.kernel.algebra.same(ty, a, b)
    }

    /// Returns the value that an N of `t` stands for: its fill, or, of what is there everywhere, its value
    /// where a reduction in it has gone over no coordinates: nothing else leaves it out.
    pub(super) fn absent(&self, t: &Tree) -> u64 {
        if let Some(fill) = self.fill(t) {
            return fill;
        }
        let all = |args: &[Tree]| -> Args<u64> { args.iter().map(|a| self.absent(a)).collect() };
        match t {
            Tree::Leaf(l) => self.leaves[*l].fill,
            Tree::Reduce(op, _, _, e) => identity(*op, self.type_of(*e)),
            Tree::Prefix(how, _, _, e) => how.nothing(self.type_of(*e)),
            Tree::Map(f, ty, args) => f.apply(&all(args), *ty),
            Tree::Convert(body, from, to) => convert(self.absent(body), *from, *to),
            Tree::Call(f, args) => self.function(*f).apply_where(&all(args), always(&self.fills(args))),
            Tree::Stored(..) | Tree::Literal(..) | Tree::Read(..) | Tree::At(..) => 0,
        }
    }

    /// True if absent entries take part in the reduction: the body's fill is not the identity.
    pub(super) fn counts(&self, op: Operator, body: &Tree, e: ExprId) -> bool {
        let ty = self.type_of(e);
        !self.fill(body).is_some_and(|fill| self.same(ty, fill, identity(op, ty)))
    }

    /// Type of an expression of the statement.
    pub(super) fn type_of(&self, e: ExprId) -> Type {
        self.kernel.type_in(self.statement, e)
    }

    /// Type of the values of `t`.
    pub(super) fn type_of_tree(&self, t: &Tree) -> Type {
        match t {
            Tree::Leaf(l) => self.leaves[*l].ty,
            Tree::Stored(_, ty) | Tree::Literal(_, ty) | Tree::Map(_, ty, _) | Tree::Convert(_, _, ty) => *ty,
            Tree::At(ty, ..) => *ty,
            Tree::Call(f, _) => self.function(*f).ty,
            Tree::Reduce(.., e) | Tree::Prefix(.., e) => self.type_of(*e),
            Tree::Read(read, _) => read.ty,
        }
    }

    /// Value of `t`, as far as it follows from which operands are there.
    pub(super) fn known(&self, t: &Tree, there: &OperandFacts) -> Option<u64> {
        self.state(t, there, &|_| None).known
    }

    /// What follows for `t` from which operands are there.
    fn state(&self, t: &Tree, there: &OperandFacts, number: &Numbers) -> State {
        let all = |args: &[Tree]| -> Args<State> { args.iter().map(|a| self.state(a, there, number)).collect() };
        let any = |states: &[State]| states.iter().fold(0, |m, s| m | s.matter);
        let own = |l: LeafId| number(l).map_or(0, |k| 1 << k);
        match t {
            Tree::Leaf(l) if self.leaves[*l].always => State::open(self.settled(t), None, own(*l)),
            Tree::Stored(l, _) if self.leaves[*l].always => State::open(self.settled(t), Some(Some(*l)), own(*l)),
            Tree::Read(_, at) | Tree::Prefix(_, _, at, _) => State::open(self.settled(t), None, any(&all(at))),
            Tree::At(_, _, at) => State::open(self.settled(t), None, self.state(at, there, number).matter),
            Tree::Leaf(l) => {
                let fill = self.settled(t);
                let (known, least) = match there(*l) {
                    There::No => (fill.value, fill.value),
                    There::Maybe => (None, fill.known),
                    There::Yes => (None, None),
                };
                State { known, least, fill, structure: None, matter: own(*l) }
            }
            Tree::Stored(l, ty) => {
                let (known, least) = match there(*l) {
                    There::No => (Some(0), Some(0)),
                    There::Maybe => (None, Some(0)),
                    There::Yes => (Some(ty.one()), Some(ty.one())),
                };
                State { known, least, fill: Fill::of(Some(0)), structure: Some(Some(*l)), matter: own(*l) }
            }
            Tree::Literal(v, _) => {
                State { known: Some(*v), least: Some(*v), fill: Fill::of(Some(*v)), structure: Some(None), matter: 0 }
            }
            Tree::Reduce(op, _, body, e) => {
                let (of, ty) = (self.state(body, there, number), self.type_of(*e));
                let fill = self.reduced(*op, body, *e, of.fill);
                let none = |known: Option<u64>| fill.value.filter(|_| !self.is_there(ty, known, of.fill.value));
                let (known, least) = (none(of.known), none(of.least));
                State { known, least, fill, structure: None, matter: of.matter }
            }
            Tree::Convert(body, from, to) => {
                let of = self.state(body, there, number);
                let to_own = |v: u64| convert(v, *from, *to);
                let decided = [of.known.map(to_own), of.least.map(to_own)];
                self.told(*to, decided, of.fill.mapped(to_own), (of.structure, of.matter))
            }
            Tree::Map(f, ty, args) => {
                let states = all(args);
                let column = |of: fn(&State) -> Option<u64>| -> Args<Option<u64>> { states.iter().map(of).collect() };
                let (known, fills) = (column(|s| s.known), column(|s| s.fill.value));
                let (least, fill_known) = (column(|s| s.least), column(|s| s.fill.known));
                let columns: [&[Option<u64>]; 4] = [&known, &least, &fill_known, &fills];
                let [decided, least, fill_known, fill_value] = of_each(columns, |c| self.kernel.partial(*f, c, *ty));
                let fill = Fill::either(fill_known, fill_value);
                let mut matter = 0;
                // One by one: of two that decide alone, one must stay.
                let mut left = known.clone();
                for (k, s) in states.iter().enumerate().filter(|(_, s)| s.matter != 0) {
                    if !ignores(*f, &left, &fills, k, *ty, self.kernel.algebra) {
                        matter |= s.matter;
                    } else if known[k] != fills[k] {
                        left[k] = None;
                    }
                }
                let structure = one_of(&states);
                self.told(*ty, [decided, least], fill, (structure, matter))
            }
            Tree::Call(f, args) => {
                let (states, f) = (all(args), self.function(*f));
                let column = |of: fn(&State) -> Option<u64>| -> Args<Option<u64>> { states.iter().map(of).collect() };
                let fills = column(|s| s.fill.value);
                let sure = |(k, a): (usize, &Tree)| {
                    u64::from(self.is_there(self.type_of_tree(a), states[k].least, fills[k])) << k
                };
                let sure = args.iter().enumerate().map(sure).sum();
                let decided = |of: fn(&State) -> Option<u64>| f.partial_of(&column(of), &fills, sure);
                let fill = Fill::either(f.partial(&column(|s| s.fill.known), &fills), f.partial(&fills, &fills));
                let decided = [decided(|s| s.known), decided(|s| s.least)];
                let mut told = self.told(f.ty, decided, fill, (None, any(&states)));
                // The body is not looked into. That an operand is there may be why the value is the
                // fill: a case can say so.
                if told.matter != 0 && !self.is_there(f.ty, told.known, fill.value) {
                    let still = |k: &u32| {
                        let without = |x: LeafId| if number(x) == Some(*k as usize) { There::No } else { there(x) };
                        told.matter >> *k & 1 == 1 && self.algebra(t, &without)
                    };
                    told.matter = (0..u64::BITS).filter(still).fold(0, |m, k| m | 1 << k);
                }
                told
            }
        }
    }

    /// The state of a function whose value is decided as said. Of a value that is there hardware
    /// only knows that, unless it is one of structure alone.
    fn told(
        &self,
        ty: Type,
        decided: [Option<u64>; 2],
        fill: Fill,
        (structure, matter): (Option<Option<LeafId>>, u64),
    ) -> State {
        let told = |known: Option<u64>| match (known, fill.value) {
            (Some(known), Some(fill)) if self.same(ty, known, fill) => Some(fill),
            (Some(_), _) if structure.is_none() => None,
            _ => known,
        };
        State { known: told(decided[0]), least: told(decided[1]), fill, structure, matter }
    }

    pub(super) fn fills(&self, args: &[Tree]) -> Vec<Option<u64>> {
        args.iter().map(|a| self.fill(a)).collect()
    }

    pub(super) fn function(&self, f: crate::stmt::FunctionId) -> &Function {
        self.kernel.function(f)
    }

    /// Returns whether a value with these facts is present, for this fill.
    pub(super) fn is_there(&self, ty: Type, known: Option<u64>, fill: Option<u64>) -> bool {
        !matches!((known, fill), (Some(known), Some(fill)) if self.same(ty, known, fill))
    }

    /// Returns whether `t` can differ from its fill where operands are there as `there` says.
    pub(super) fn algebra(&self, t: &Tree, there: &OperandFacts) -> bool {
        self.differs(t, there, &|_| None).0
    }

    /// Returns whether `t` can differ from its fill where operands are there as `there` says, and a bit for each
    /// operand with a number that can still change this.
    pub(super) fn differs(&self, t: &Tree, there: &OperandFacts, number: &Numbers) -> (bool, u64) {
        let state = self.state(t, there, number);
        (self.is_there(self.type_of_tree(t), state.known, state.fill.value), state.matter)
    }

    /// Returns whether `t` can differ from its fill there, also if all operands with a value at every coordinate
    /// are present.
    pub(super) fn algebra_with_all(&self, t: &Tree, there: &OperandFacts) -> bool {
        let with_all = |o: LeafId| if self.leaves[o].everywhere { There::Yes } else { there(o) };
        self.algebra(t, there) && self.algebra(t, &with_all)
    }

    /// Variables that `t` still ranges over, bound ones excluded.
    pub(super) fn variables(&self, t: &Tree) -> BTreeSet<VarId> {
        let mut open = BTreeSet::new();
        self.open_variables(t, &mut BTreeSet::new(), &mut open);
        open
    }

    /// Adds to `open` what `t` ranges over inside of reductions over `bound`.
    fn open_variables(&self, t: &Tree, bound: &mut BTreeSet<VarId>, open: &mut BTreeSet<VarId>) {
        let mut add = |v: VarId| {
            if !bound.contains(&v) {
                open.insert(v);
            }
        };
        match t {
            Tree::Leaf(l) | Tree::Stored(l, _) => self.leaves[*l].levels.iter().for_each(|(v, _)| add(*v)),
            Tree::Literal(..) => {}
            Tree::Convert(body, ..) => self.open_variables(body, bound, open),
            Tree::At(_, v, at) => {
                add(*v);
                self.open_variables(at, bound, open);
            }
            Tree::Prefix(_, v, of, _) => {
                add(*v);
                of.iter().for_each(|t| self.open_variables(t, bound, open));
            }
            Tree::Map(_, _, args) | Tree::Call(_, args) | Tree::Read(_, args) => {
                args.iter().for_each(|a| self.open_variables(a, bound, open));
            }
            Tree::Reduce(_, k, body, _) => {
                let fresh = bound.insert(*k);
                self.open_variables(body, bound, open);
                if fresh {
                    bound.remove(k);
                }
            }
        }
    }
}

/// What `f` makes of each column, once of equal ones.
fn of_each<const N: usize>(
    columns: [&[Option<u64>]; N],
    f: impl Fn(&[Option<u64>]) -> Option<u64>,
) -> [Option<u64>; N] {
    let mut made = [None; N];
    for k in 0..N {
        let earlier = columns[..k].iter().position(|c| *c == columns[k]);
        made[k] = earlier.map_or_else(|| f(columns[k]), |e| made[e]);
    }
    made
}

/// The structure of a function of these: that of one operand, or of none.
fn one_of(states: &[State]) -> Option<Option<LeafId>> {
    states.iter().try_fold(None, |found: Option<LeafId>, s| match (found, s.structure?) {
        (Some(a), Some(b)) if a != b => None,
        (a, b) => Some(a.or(b)),
    })
}

/// Is the result the same whatever argument `k` is, also as hardware computes it where `k` reads as its fill?
fn ignores(f: Fun, known: &[Option<u64>], fills: &[Option<u64>], k: usize, ty: Type, algebra: Algebra) -> bool {
    if !f.ignores(known, k, ty, algebra) {
        return false;
    }
    let (mut unknown, mut absent) = (Args::from_slice(known), Args::from_slice(known));
    (unknown[k], absent[k]) = (None, fills[k]);
    match (f.partial(&unknown, ty, algebra), f.partial(&absent, ty, algebra)) {
        (Some(a), Some(b)) => algebra.same(ty, a, b),
        (a, b) => a == b,
    }
}
