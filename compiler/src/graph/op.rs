//! The operations of a graph.

use super::UseId;
use crate::levels::LevelKind;
use crate::stmt::{Fun, Operator, Prefix, Shared, VarId};
use crate::types::Type;
use crate::view::Window;
use samhw_primitives::copies::parallelizer;
use samhw_primitives::scan::scanner_span::SpanEnd;

/// A primitive. Inputs and outputs are listed as `inputs -> outputs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// `-> ref`: one leaf, 0.
    Root,
    /// `ref -> crd, ref`: a level of a use (dense, compressed, or singleton below a unique parent).
    Scan(UseId, usize),
    /// `range -> crd, ref` or `ref -> crd, range`: a level whose coordinates repeat.
    ScanGroup(UseId, usize),
    /// `ref -> crd, ref`: every coordinate of the variable, for an operand without it.
    Broadcast(VarId),
    /// `words, refs -> crd, ref`: coordinates of a level of this kind that its scanner gives in
    /// words: bit vectors, blocks, runs.
    Unpack(LevelKind),
    /// `words, refs -> interval, ref`: blocks as intervals, with the position at which coordinate 0 of each would stand.
    Origin,
    /// `interval, ref -> crd, ref`: the coordinates of each interval, with its position, or, of blocks, the one that follows
    /// from what `Origin` gave.
    Expand {
        /// The operand is stored in blocks.
        blocks: bool,
    },
    /// `crd -> words`, or `crd, val -> words, val` of runs: what the writer of a level in blocks or
    /// runs stores.
    Pack(UseId, usize),
    /// `ref, crd -> ref`
    Repeat,
    /// `crd0, ref0, crd1, ref1 .. -> crd, ref0, ref1 ..`
    Join {
        /// Truth table, bit P in word P/64.
        emit: Vec<u64>,
        /// One truth table per operand.
        keep: Vec<Vec<u64>>,
    },
    /// `crd, parent -> ref`: position of a coordinate in a level of a use.
    Locate(UseId, usize),
    /// `val -> crd`: a whole number as a coordinate of this variable's dimension; N where it is outside.
    Within(VarId),
    /// `lo, hi -> crd`: the coordinates of the variable between two bounds, whole numbers of one
    /// type; an end of the level has no input.
    Span(VarId, [SpanEnd; 2]),
    /// `lo, hi, crd, x -> crd, x`: of each list the coordinates of the variable between its bounds, which
    /// are as those of `Span`; the scanner that they come from is told.
    Between(VarId, [SpanEnd; 2]),
    /// `crd -> crd`: each coordinate as a list of it alone; N as an empty one.
    Single,
    /// `crd, parent -> ref`: as `Locate`, of a computed coordinate in a dense level.
    Place(UseId, usize),
    /// `ref -> val`
    Array(UseId),
    /// `ref -> range`: where positions of level `.2` of a use begin and end below one of level
    /// `.1`; nobody needs them in the graph: memory behind a bus fetches them ahead.
    Tiles(UseId, usize, usize),
    /// `ref -> crd, ref`: a part of a dense level of a use, whose own coordinates are those of this variable.
    ScanPart(UseId, usize, VarId, Window),
    /// `crd, x -> crd, x`: what a window selects, at the coordinates where it stands.
    Slice(Window),
    /// `x -> crd`: one coordinate of this variable at every leaf.
    Constant(VarId, u64),
    /// `val .. -> val`
    Alu {
        /// Function.
        fun: AluFun,
        /// Operands.
        args: Vec<Arg>,
        /// Truth table over the stream operands: where the result is there.
        emit: u64,
    },
    /// `crd (levels), val -> crd (levels), val`: folds one list level, keeps `kept` levels.
    Reduce {
        /// Operator.
        op: Operator,
        /// Kept levels: 0, 1 or 2.
        kept: usize,
    },
    /// `crd1, crd0, x -> key, x`; key = crd1 and this many bits of crd0.
    Collapse(u32),
    /// `key, x -> crd1, crd0, x`
    Divide(u32),
    /// `val -> val`, or `crd, val -> val` of a place: what a scan of each list gives at its leaves.
    Prefix {
        /// What it makes of values.
        how: Prefix,
        /// Where no operand is at a coordinate the value is N, or changes nothing.
        steady: bool,
    },
    /// `interval -> val`: how many coordinates each one has, cut to the output's type; `parity`: 1
    /// where that is odd, else 0.
    Length {
        /// Only whether it is odd.
        parity: bool,
    },
    /// `val -> val`: tells the scanner that the lists come from where this raw value decides one's reduction.
    Exit(u64),
    /// `a, b -> (a, b)`: two streams of one shape as one bundle.
    Zip,
    /// `outer, inner -> outer, inner`
    Drop {
        /// Inner items are lists (else leaves).
        list: bool,
        /// Leaves with this value go too.
        explicit: Option<u64>,
    },
    /// `crd [, pos] ->`: the arrays of a compressed level of a result.
    WriteLevel {
        /// Result and level.
        level: (UseId, usize),
        /// Height of the lists that one seg entry stands for; 0: no seg array.
        seg_height: u8,
        /// Number of dense levels directly above (then `pos` is given).
        chain: u8,
        /// A list without leaves has no parent either, and gets no seg entry.
        skip_empty: bool,
    },
    /// `val [, pos] ->`
    WriteValues {
        /// Result.
        of: UseId,
        /// Number of dense levels directly above (then `pos` is given).
        chain: u8,
        /// A chunk without leaves has no parent either, and is not written.
        skip_empty: bool,
        /// Values come in any order, any number of them at one position: what makes one of two.
        scatter: Option<Fun>,
    },
    /// `x0, x1 .. -> copy 0's x0, x1 .., copy 1's x0 .. [, turn]`: leaves dealt to copies of a graph.
    Deal {
        /// Number of copies.
        copies: u32,
        /// Who gets the next leaf.
        deal: parallelizer::Deal,
        /// Each leaf is a list of its own, and there is the output `turn`.
        split: bool,
    },
    /// `crd, val [, next lane's crd, val] -> crd, val [, previous lane's crd, val]`: whole sums at
    /// the borders of lanes.
    Stitch {
        /// What makes one of two parts.
        op: Operator,
        /// A lane follows.
        next: bool,
        /// A lane is before this one.
        prev: bool,
    },
    /// `turn, copy 0's x, copy 1's x .. -> x`: items back in the order they were dealt in.
    Serialize {
        /// Height of the items.
        height: u8,
    },
}

/// An ALU operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arg {
    /// The next input stream; reads as this raw value where it is N.
    Stream(u64),
    /// A constant, raw bits.
    Const(u64),
}

/// What an ALU computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AluFun {
    /// A function of the language.
    Fun(Fun),
    /// Its operand (used to put a fill where a leaf is N).
    Id,
    /// A constant at every leaf of its input.
    Const,
    /// Its operand, which is of this type, as a value of the output's.
    Convert(Type),
    /// The product of its operands, which are whole numbers of these types, as a value of the
    /// output's; of one operand, its square.
    Product([Type; 2]),
    /// The truth of a function, whose operands are of this type, as 1 or 0 of the output's.
    Truth(Fun, Type),
    /// A function of the kernel file: its program.
    Call(Shared),
}

impl From<Operator> for AluFun {
    fn from(op: Operator) -> Self {
        match op {
            Operator::Fun(f) => Self::Fun(f),
            Operator::Call(f) => Self::Call(f),
        }
    }
}
