//! The operations of a graph.

use super::UseId;
use crate::levels::LevelKind;
use crate::stmt::{Fun, Operator, Prefix, Shared, VarId};
use crate::types::Type;
use crate::view::Window;
use samhw_primitives::copies::parallelizer;
use samhw_primitives::flow::early_exit::Watched;
use samhw_primitives::scan::scanner_span::SpanEnd;

/// The measured property of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measured {
    /// The number of its coordinates, cut to the output's type.
    Length,
    /// 1 where that is odd and otherwise 0.
    Parity,
    /// Its first coordinate.
    First,
}

/// The operation of a node, with its inputs and outputs. Inputs and outputs are listed as `inputs -> outputs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// `-> ref`: one leaf, 0.
    Root,
    /// `ref -> crd, ref`: a level of a use (dense, compressed, or singleton below a unique parent). `ref, hi ->
    /// crd, ref`: up to a bound of each fiber, of a level that lists coordinates.
    Scan(UseId, usize),
    /// `range -> crd, ref` or `ref -> crd, range`: a level whose coordinates repeat.
    ScanGroup(UseId, usize),
    /// `ref -> crd, ref`: every coordinate of the variable, for an operand without it.
    Broadcast(VarId),
    /// `words, refs -> crd, ref`: unpacks the coordinates of a level of this kind from words: bit vectors, blocks,
    /// runs.
    Unpack(LevelKind),
    /// `words, refs -> interval, ref`: unpacks blocks as intervals, with the position that coordinate 0 of each would
    /// have.
    Origin,
    /// `interval, ref -> crd, ref`: expands intervals to coordinates, each with the interval's position, or, for
    /// blocks, with the position derived from `Origin`.
    Expand {
        /// Whether the operand is stored in blocks.
        blocks: bool,
    },
    /// `crd -> words`, or for runs `crd, val -> words, val`: packs the words that the writer of a level in blocks or
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
    /// `val -> crd`: converts an integer to a coordinate of this variable's dimension; N where it is outside.
    Within(VarId),
    /// `lo, hi -> crd`: emits the coordinates of the variable between two integer bounds of one type; a bound at an end
    /// of the level has no input.
    Span(VarId, [SpanEnd; 2]),
    /// `lo, hi, crd, x -> crd, x`: filters the coordinates of each list between its bounds, which are as for `Span`;
    /// the coordinates' scanner receives hints.
    Between(VarId, [SpanEnd; 2]),
    /// `crd -> crd`: turns each coordinate into a list of its own, and N into an empty list.
    Single,
    /// `crd, parent -> ref`: locates, as `Locate` does, a computed coordinate in a dense level.
    Place(UseId, usize),
    /// `ref -> val`
    Array(UseId),
    /// `ref -> range`: the range of positions in level `.2` of a use below one of level `.1`; only the prefetch of
    /// memory behind a bus uses it.
    Tiles(UseId, usize, usize),
    /// `ref -> crd, ref`: scans a part of a dense level of a use, with coordinates of this variable.
    ScanPart(UseId, usize, VarId, Window),
    /// `crd, x -> crd, x`: selects the coordinates in a window and renumbers them.
    Slice(Window),
    /// `x -> crd`: emits one coordinate of this variable for every leaf.
    Constant(VarId, u64),
    /// `val .. -> val`
    Alu {
        /// Function.
        fun: AluFun,
        /// Operands.
        args: Vec<Arg>,
        /// Truth table over the stream operands: whether the result is present.
        emit: u64,
    },
    /// `crd (levels), val -> crd (levels), val`: folds one list level, keeps `kept` levels.
    Reduce {
        /// Operator.
        op: Operator,
        /// Kept levels: 0, 1 or 2.
        kept: usize,
    },
    /// `crd1, crd0, x -> key, x`: combines coordinates, with keys crd1 * size + crd0. Of a power of two the key's bits
    /// are those of both, of size 0 those of crd0.
    Collapse(u32),
    /// `key, x -> crd1, crd0, x`: crd1 = key / size, crd0 = key % size.
    Divide(u32),
    /// `val -> val`, or `crd, val -> val` for a position: computes a scan of each list.
    Prefix {
        /// The scan's function.
        how: Prefix,
        /// Whether the value is N, or changes nothing, where no operand has a coordinate.
        steady: bool,
    },
    /// `interval -> val`, or `interval -> crd` for its first coordinate: computes this of each interval.
    Measure(Measured),
    /// `val -> val`: sends a hint to the lists' scanner when what is watched is this raw value, which
    /// decides a list's reduction.
    Exit(Watched, u64),
    /// `a, b -> (a, b)`: combines two streams of one shape.
    Zip,
    /// `outer, inner -> outer, inner`
    Drop {
        /// Whether inner items are lists; otherwise they are leaves.
        list: bool,
        /// Raw value that is also dropped, if any.
        explicit: Option<u64>,
    },
    /// `crd [, pos] ->`: the arrays of a compressed level of a result.
    WriteLevel {
        /// Result and level.
        level: (UseId, usize),
        /// Height of the lists that one entry of the seg array describes; 0 for no seg array.
        seg_height: u8,
        /// Number of dense levels directly above; if positive, `pos` is an input.
        chain: u8,
        /// Whether a list without leaves gets no seg entry, because it has no parent either.
        skip_empty: bool,
    },
    /// `val [, pos] ->`
    WriteValues {
        /// Result.
        of: UseId,
        /// Number of dense levels directly above; if positive, `pos` is an input.
        chain: u8,
        /// Whether a chunk without leaves is not written, because it has no parent either.
        skip_empty: bool,
        /// For scattered writes, where values come in any order and several may have one position: the function that
        /// combines two values.
        scatter: Option<Fun>,
    },
    /// `x0, x1 .. -> copy 0's x0, x1 .., copy 1's x0 .. [, turn]`: leaves dealt to copies of a graph.
    Deal {
        /// Number of copies.
        copies: u32,
        /// How items are distributed.
        deal: parallelizer::Deal,
        /// Whether each leaf is a list of its own, with the additional output `turn`.
        split: bool,
    },
    /// `crd, val [, next lane's crd, val] -> crd, val [, previous lane's crd, val]`: combines partial sums at the
    /// borders of lanes.
    Stitch {
        /// Operator that combines two partial sums.
        op: Operator,
        /// Whether a lane follows.
        next: bool,
        /// Whether a lane precedes.
        prev: bool,
    },
    /// `turn, copy 0's x, copy 1's x .. -> x`: items back in the order they were dealt in.
    Serialize {
        /// Height of the items.
        height: u8,
    },
}

/// An operand of an ALU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arg {
    /// The next input stream; N reads as this raw value.
    Stream(u64),
    /// A constant, raw bits.
    Const(u64),
}

/// The function of an ALU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AluFun {
    /// A function of the language.
    Fun(Fun),
    /// The operand itself, used to replace N by a fill.
    Id,
    /// A constant for every leaf of the input.
    Const,
    /// A conversion from this type to the output's type.
    Convert(Type),
    /// The product of integer operands of these types in the output's type; with one operand, its square.
    Product([Type; 2]),
    /// The truth value of a function with operands of this type, as 1 or 0 of the output's type.
    Truth(Fun, Type),
    /// A function of the kernel file, computed by a program.
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
