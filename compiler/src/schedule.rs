//! The schedule: how the hardware is to go through the iteration space. It changes cycles and area, never
//! what is stored.

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
