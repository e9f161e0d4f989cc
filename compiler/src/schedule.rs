//! The schedule: how the hardware is to go through the iteration space. It changes cycles and area, never
//! what is stored.

use crate::facts;
use crate::stmt::{Kernel, Statement, VarId};
use std::ops::Range;
use toml::Spanned;

/// A number for a name.
pub type PerName = Vec<(Spanned<String>, Spanned<u64>)>;

/// How copies of one reader read a memory that they share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sharing {
    /// A word a cycle, of one of them.
    Shared,
    /// A word a cycle of each bank, as many banks as copies.
    Banked,
}

/// What copies get as many of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Balance {
    /// Elements, about: an item goes to the next copy that has room.
    Elements,
    /// Fibers, to one: items go to the copies in turn.
    Fibers,
}

/// Copies of the graph below a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copies {
    /// How many.
    pub number: Spanned<u64>,
    /// How they share memories; `None`: each has memories of its own.
    pub sharing: Option<Sharing>,
    /// Who gets what; `None` leaves it to the compiler.
    pub balance: Option<Spanned<Balance>>,
}

impl Copies {
    /// True if there is more than one.
    pub fn several(&self) -> bool {
        *self.number.get_ref() > 1
    }
}

/// The section `[schedule]`, with places. Names are those of the kernel's tensors and variables.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Schedule {
    /// Tensors to locate in rather than to coiterate; `None` leaves it to the compiler, empty means none.
    pub locate: Option<Vec<Spanned<String>>>,
    /// Dense results into which values are scattered; `None` leaves it to the compiler, empty means none.
    pub scatter: Option<Vec<Spanned<String>>>,
    /// Variables whose joins skip; `None` leaves it to the compiler, empty means none.
    pub skip: Option<Vec<Spanned<String>>>,
    /// Copies of the graph below a variable.
    pub parallel: Vec<(Spanned<String>, Copies)>,
    /// Variables iterated as bit vectors, with the width of a word.
    pub bitvector: PerName,
    /// Variables whose joins compare groups of coordinates, with the coordinates of a group; `None` leaves it to the compiler,
    /// empty means none.
    pub wide: Option<PerName>,
    /// Variables split in two, with the inner size.
    pub split: PerName,
    /// Results that later statements read while they are written, with the index along which;
    /// `None` leaves it to the compiler, empty means none.
    pub fuse: Option<Vec<(Spanned<String>, Spanned<String>)>>,
    /// Variables whose coordinates travel several a cycle.
    pub lanes: PerName,
}

/// What the kernel file asks of one statement.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OwnSchedule {
    /// Its loop order by variable name, outermost first, with the place.
    pub order: Option<Spanned<Vec<String>>>,
    /// What it has in place of the schedule for all.
    pub schedule: Option<Schedule>,
}

/// An entry of a list or a table of the schedule.
pub trait ScheduleEntry {
    /// The tensor or variable that it is for.
    fn name(&self) -> &Spanned<String>;
}

impl ScheduleEntry for Spanned<String> {
    fn name(&self) -> &Spanned<String> {
        self
    }
}

impl<T> ScheduleEntry for (Spanned<String>, T) {
    fn name(&self) -> &Spanned<String> {
        &self.0
    }
}

impl Schedule {
    /// This schedule of one statement, with what it leaves open as in that of all.
    pub fn within(self, all: &Self) -> Self {
        fn both<T: Clone>(own: Vec<(Spanned<String>, T)>, all: &[(Spanned<String>, T)]) -> Vec<(Spanned<String>, T)> {
            let open = |entry: &&(Spanned<String>, T)| own.iter().all(|o| o.0.get_ref() != entry.0.get_ref());
            let rest: Vec<_> = all.iter().filter(open).cloned().collect();
            own.into_iter().chain(rest).collect()
        }
        Self {
            locate: self.locate.or_else(|| all.locate.clone()),
            scatter: self.scatter.or_else(|| all.scatter.clone()),
            skip: self.skip.or_else(|| all.skip.clone()),
            parallel: both(self.parallel, &all.parallel),
            bitvector: both(self.bitvector, &all.bitvector),
            wide: self.wide.or_else(|| all.wide.clone()),
            split: both(self.split, &all.split),
            fuse: all.fuse.clone(),
            lanes: both(self.lanes, &all.lanes),
        }
    }
}

/// Which statements a schedule holds for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScheduleScope {
    /// All that have none of their own.
    All,
    /// The one with this number.
    One(usize),
}

impl Kernel {
    /// The schedule of a statement.
    pub fn schedule_of<'k>(&'k self, statement: &'k Statement) -> &'k Schedule {
        statement.own.schedule.as_ref().unwrap_or(&self.schedule)
    }
    /// Every schedule with the statements that it holds for.
    pub fn schedules(&self) -> Vec<(ScheduleScope, &Schedule, Vec<usize>)> {
        let own = |n: &usize| self.statements[*n].own.schedule.is_some();
        let (own, rest): (Vec<usize>, Vec<usize>) = (0..self.statements.len()).partition(own);
        let all = (ScheduleScope::All, &self.schedule, rest);
        let one = |n: usize| (ScheduleScope::One(n), self.schedule_of(&self.statements[n]), vec![n]);
        std::iter::once(all).chain(own.into_iter().map(one)).collect()
    }
    /// The schedule that holds there.
    pub fn schedule_mut(&mut self, scope: ScheduleScope) -> &mut Schedule {
        match scope {
            ScheduleScope::All => &mut self.schedule,
            ScheduleScope::One(n) => self.statements[n].own.schedule.get_or_insert_default(),
        }
    }
    /// Entries of all schedules, each once, with the statements that have it.
    pub fn asked<'k, E: ScheduleEntry + 'k>(
        &'k self,
        entries: impl Fn(&'k Schedule) -> &'k [E],
    ) -> Vec<(&'k E, Vec<usize>)> {
        let key = |entry: &E| -> (String, Range<usize>) { (entry.name().get_ref().clone(), entry.name().span()) };
        let mut out: Vec<(&E, Vec<usize>)> = Vec::new();
        for (_, schedule, statements) in self.schedules() {
            for entry in entries(schedule) {
                match out.iter_mut().find(|(known, _)| key(known) == key(entry)) {
                    Some((_, known)) => known.extend(&statements),
                    None => out.push((entry, statements.clone())),
                }
            }
        }
        out
    }
    /// Variables of this name that the statements have; all of the name where these are all
    /// statements.
    pub fn named_in(&self, name: &str, statements: &[usize]) -> Vec<VarId> {
        let own = |n: &usize| facts::variables(self, &self.statements[*n]);
        let own: Vec<VarId> = statements.iter().flat_map(own).collect();
        let all = statements.len() == self.statements.len();
        let named = (0..self.vars.len()).map(VarId).filter(|v| self.var(*v).name == name);
        named.filter(|v| all || own.contains(v)).collect()
    }
}
