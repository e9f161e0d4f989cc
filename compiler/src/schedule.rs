//! The schedule: how the hardware traverses the iteration space. It changes cycles and area, never what is stored.

use crate::facts;
use crate::stmt::{Kernel, Statement, TensorId, VarId};
use std::ops::Range;
use toml::Spanned;

/// Numbers by name, with their positions in the kernel file.
pub type PerName = Vec<(Spanned<String>, Spanned<u64>)>;

/// Sizes of tiles by index, largest first: each is a multiple of the next. Names have their
/// positions in the kernel file.
pub type TileSizes = Vec<(Spanned<String>, Vec<u64>)>;

/// The way in which copies of a reader share a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sharing {
    /// One word per cycle for all copies together.
    Shared,
    /// One word per cycle from each bank, with as many banks as copies.
    Banked,
}

/// The way in which items are balanced over copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Balance {
    /// By elements: an item goes to the next copy that has room.
    Elements,
    /// By fibers: items go to the copies in turn.
    Fibers,
}

/// The place where values meet that a reduction adds to several lists at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reducing {
    /// In a workspace with a place for each coordinate of these lists.
    Workspace,
    /// In linked lists, which a statement of its own merges.
    Lists,
}

/// The place where shape operators on operands are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reshaping {
    /// On the chip: the operand stays as it is stored.
    Chip,
    /// On the host, which packs what the operators make.
    Host,
}

/// Copies of the graph below a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copies {
    /// Number of copies.
    pub number: Spanned<u64>,
    /// The way in which the copies share memories; `None` gives each copy its own memories.
    pub sharing: Option<Sharing>,
    /// The way in which items are balanced; `None` leaves the choice to the compiler.
    pub balance: Option<Spanned<Balance>>,
}

impl Copies {
    /// Returns true if there is more than one copy.
    pub fn several(&self) -> bool {
        *self.number.get_ref() > 1
    }
}

/// The section `[schedule]`, with positions. Names are those of the kernel's tensors and variables.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Schedule {
    /// Tensors in which coordinates are located instead of coiterated; `None` leaves the choice to the compiler, empty
    /// means none.
    pub locate: Option<Vec<Spanned<String>>>,
    /// Dense results with scattered writes; `None` leaves the choice to the compiler, empty means none.
    pub scatter: Option<Vec<Spanned<String>>>,
    /// Variables with skipping joins; `None` leaves the choice to the compiler, empty means none.
    pub skip: Option<Vec<Spanned<String>>>,
    /// Copies of the graph below a variable.
    pub parallel: Vec<(Spanned<String>, Copies)>,
    /// Variables iterated as bit vectors, with the width of a word in bits.
    pub bitvector: PerName,
    /// Variables with wide joins, with the number of coordinates compared at once; `None` leaves the choice to the
    /// compiler, empty means none.
    pub wide: Option<PerName>,
    /// Variables split into a loop over tiles for each size, and one inside of the smallest tile.
    pub split: TileSizes,
    /// Results that later statements read during the write, with the index along which they are fused; `None` leaves
    /// the choice to the compiler, empty means none.
    pub fuse: Option<Vec<(Spanned<String>, Spanned<String>)>>,
    /// Variables of which several coordinates are processed per cycle, with the number of lanes.
    pub lanes: PerName,
    /// The place where reductions outside of several indices of a result meet; `None` leaves the choice to
    /// the compiler.
    pub reduce: Option<Spanned<Reducing>>,
    /// The place where shape operators on operands are computed; `None` is the host. Results of earlier statements
    /// are on the chip.
    pub reshape: Option<Spanned<Reshaping>>,
}

/// The order and schedule that the kernel file gives for one statement.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OwnSchedule {
    /// Loop order by variable name, outermost first, with its position.
    pub order: Option<Spanned<Vec<String>>>,
    /// The schedule of this statement alone.
    pub schedule: Option<Schedule>,
}

/// An entry of a list or a table of the schedule.
pub trait ScheduleEntry {
    /// Returns the tensor or variable to which the entry applies.
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
    /// Returns whether several copies of the graph, or lanes, share the loop over the variable with this name.
    pub fn shares(&self, name: &str) -> bool {
        self.copied(name) || self.lanes.iter().any(|(of, _)| of.get_ref() == name)
    }

    /// Returns whether several copies of the graph share the loop over the variable with this name.
    pub fn copied(&self, name: &str) -> bool {
        self.parallel.iter().any(|(of, copies)| of.get_ref() == name && copies.several())
    }

    /// Returns this statement's schedule, completed by the schedule for all statements.
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
            reduce: self.reduce.or_else(|| all.reduce.clone()),
            reshape: self.reshape.or_else(|| all.reshape.clone()),
        }
    }
}

/// The statements to which a schedule applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScheduleScope {
    /// All statements without a schedule of their own.
    All,
    /// The statement with this number.
    One(usize),
}

impl Kernel {
    /// Returns the schedule of a statement.
    pub fn schedule_of<'k>(&'k self, statement: &'k Statement) -> &'k Schedule {
        statement.own.schedule.as_ref().unwrap_or(&self.schedule)
    }
    /// Returns whether the chip computes shape operators on the tensor `t` of statement `n`: on what an earlier
    /// statement has written, and on operands if the schedule asks for it.
    pub fn reshapes(&self, n: usize, t: TensorId) -> bool {
        let asked = self.schedule_of(&self.statements[n]).reshape.as_ref().map(|asked| *asked.get_ref());
        asked == Some(Reshaping::Chip) || self.on_chip(n, t)
    }
    /// Lists every schedule with the statements to which it applies.
    pub fn schedules(&self) -> Vec<(ScheduleScope, &Schedule, Vec<usize>)> {
        let own = |n: &usize| self.statements[*n].own.schedule.is_some();
        let (own, rest): (Vec<usize>, Vec<usize>) = (0..self.statements.len()).partition(own);
        let all = (ScheduleScope::All, &self.schedule, rest);
        let one = |n: usize| (ScheduleScope::One(n), self.schedule_of(&self.statements[n]), vec![n]);
        std::iter::once(all).chain(own.into_iter().map(one)).collect()
    }
    /// Returns the schedule of this scope, to be changed.
    pub fn schedule_mut(&mut self, scope: ScheduleScope) -> &mut Schedule {
        match scope {
            ScheduleScope::All => &mut self.schedule,
            ScheduleScope::One(n) => self.statements[n].own.schedule.get_or_insert_default(),
        }
    }
    /// Lists the entries of all schedules once each, with the statements that have them.
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
    /// Lists the variables of this name in the statements, or all variables of the name if these are all statements.
    pub fn named_in(&self, name: &str, statements: &[usize]) -> Vec<VarId> {
        let own = |n: &usize| facts::variables(self, &self.statements[*n]);
        let own: Vec<VarId> = statements.iter().flat_map(own).collect();
        let all = statements.len() == self.statements.len();
        let named = (0..self.vars.len()).map(VarId).filter(|v| self.var(*v).name == name);
        named.filter(|v| all || own.contains(v)).collect()
    }
}
