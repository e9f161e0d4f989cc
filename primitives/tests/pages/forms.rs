//! The primitive of each example, by the folder of its page and the block's number.

use samhw_primitives::arith::alu::{Alu, Operand};
use samhw_primitives::arith::convert::Convert;
use samhw_primitives::blocks::Fold;
use samhw_primitives::copies::parallelizer::{Deal, Parallelizer};
use samhw_primitives::copies::serializer::Serializer;
use samhw_primitives::copies::stitch::Stitch;
use samhw_primitives::flow::barrier::Barrier;
use samhw_primitives::flow::collapse::Collapse;
use samhw_primitives::flow::divide::Divide;
use samhw_primitives::flow::early_exit::{EarlyExit, Watched};
use samhw_primitives::flow::fifo::Fifo;
use samhw_primitives::flow::fork::Fork;
use samhw_primitives::flow::relay::Relay;
use samhw_primitives::flow::repeater::Repeater;
use samhw_primitives::flow::root::Root;
use samhw_primitives::flow::zip::Zip;
use samhw_primitives::join::joiner::Joiner;
use samhw_primitives::join::joiner_bits::JoinerBits;
use samhw_primitives::join::joiner_intervals::JoinerIntervals;
use samhw_primitives::join::joiner_wide::JoinerWide;
use samhw_primitives::memories::banks::Banks;
use samhw_primitives::memories::follower::Follower;
use samhw_primitives::memories::memory::{Host, Memory, Read};
use samhw_primitives::memories::memory_fold::MemoryFold;
use samhw_primitives::memories::memory_ports::MemoryPorts;
use samhw_primitives::memories::memory_shared::MemoryShared;
use samhw_primitives::memories::memory_wide::MemoryWide;
use samhw_primitives::reduce::prefix::Prefix;
use samhw_primitives::reduce::prefix_first::PrefixFirst;
use samhw_primitives::reduce::reducer_iterative::ReducerIterative;
use samhw_primitives::reduce::reducer_matrix::ReducerMatrix;
use samhw_primitives::reduce::reducer_pipelined::ReducerPipelined;
use samhw_primitives::reduce::reducer_scalar::ReducerScalar;
use samhw_primitives::reduce::reducer_vector::ReducerVector;
use samhw_primitives::scan::array::Array;
use samhw_primitives::scan::between::Between;
use samhw_primitives::scan::bits_unpack::BitsUnpack;
use samhw_primitives::scan::coordinate::Coordinate;
use samhw_primitives::scan::interval_expand::IntervalExpand;
use samhw_primitives::scan::interval_length::IntervalLength;
use samhw_primitives::scan::interval_slice::IntervalSlice;
use samhw_primitives::scan::locator::LocatorDense;
use samhw_primitives::scan::locator_hash::LocatorHash;
use samhw_primitives::scan::runs_origin::RunsOrigin;
use samhw_primitives::scan::runs_unpack::RunsUnpack;
use samhw_primitives::scan::scanner_bits::ScannerBits;
use samhw_primitives::scan::scanner_compressed::ScannerCompressed;
use samhw_primitives::scan::scanner_dense::{Child, ScannerDense};
use samhw_primitives::scan::scanner_list::ScannerList;
use samhw_primitives::scan::scanner_part::{Offsets, ScannerPart};
use samhw_primitives::scan::scanner_range::{Input, ScannerRange};
use samhw_primitives::scan::scanner_seek::ScannerSeek;
use samhw_primitives::scan::scanner_skip::ScannerSkip;
use samhw_primitives::scan::scanner_span::{ScannerSpan, SpanEnd};
use samhw_primitives::scan::scanner_until::ScannerUntil;
use samhw_primitives::scan::scanner_whole::ScannerWhole;
use samhw_primitives::scan::scanner_wide::{Group, ScannerWide};
use samhw_primitives::scan::single::Single;
use samhw_primitives::scan::slice::{Select, Slice};
use samhw_primitives::scan::within::Within;
use samhw_primitives::write::bits_writer::BitsWriter;
use samhw_primitives::write::dropper::{Dropper, Inner};
use samhw_primitives::write::level_writer::{LevelWriter, Parts};
use samhw_primitives::write::list_writer::ListWriter;
use samhw_primitives::write::runs_pack::RunsPack;
use samhw_primitives::write::scatter::Scatter;
use samhw_primitives::write::value_writer::ValueWriter;
use samhw_streams::{Field, Primitive, Shape};
use samhw_values::{Fun, Routine, Type};
use std::sync::Arc;

/// Widths of payloads and stops, and room for answers.
const W: u32 = 16;
const S: u32 = 3;
const Q: u32 = 3;

/// Width of a payload of which a word has two or three.
const HALF: u32 = 8;

/// How an example runs.
pub struct Form {
    /// The configured primitive.
    pub primitive: Box<dyn Primitive>,
    /// Groups of coordinates in its streams.
    pub group: Option<Group>,
    /// Arrays that the page describes in words.
    pub arrays: Vec<(&'static str, Vec<u64>)>,
    /// Whether the output depends on when hints come; then there are no gaps.
    pub is_timed: bool,
}

fn of(p: impl Primitive + 'static) -> Option<Form> {
    Some(Form { primitive: Box::new(p), group: None, arrays: Vec::new(), is_timed: false })
}

fn grouped(group: Group, p: impl Primitive + 'static) -> Option<Form> {
    of(p).map(|form| Form { group: Some(group), ..form })
}

fn stream(fields: &[&'static str]) -> Shape {
    Shape::Stream { stop_w: S, fields: fields.iter().map(|n| Field::new(n, W)).collect() }
}

/// The form of a block.
pub fn form(page: &str, block: usize) -> Option<Form> {
    flow(page)
        .or_else(|| scan(page, block))
        .or_else(|| levels(page, block))
        .or_else(|| join(page, block))
        .or_else(|| write(page, block))
        .or_else(|| copies(page))
        .or_else(|| values(page))
        .or_else(|| memories(page))
}

fn flow(page: &str) -> Option<Form> {
    match page {
        "repeater" => of(Repeater { ref_w: W, crd_w: W, stop_w: S }),
        "root" => of(Root { ref_w: W, stop_w: S, branches: 2 }),
        "fork" => of(Fork { shape: stream(&["crd"]), branches: 2, ahead: false }),
        "fifo" => of(Fifo { shape: stream(&["crd"]), depth: 2 }),
        "relay" => of(Relay { shape: stream(&["crd"]) }),
        "zip" => of(Zip { first_w: W, second_w: W, stop_w: S }),
        "barrier" => of(Barrier { inputs: 2 }),
        "collapse" => of(Collapse { crd1_w: W, crd0_w: W, x_w: W, key_w: 2 * W, size0: 10, stop_w: S }),
        "divide" => of(Divide { key_w: W, size0: 10, crd1_w: W, crd0_w: 4, x_w: W, stop_w: S }),
        "early_exit" => of(EarlyExit { value: 1, watched: Watched::Alone, val_w: W, stop_w: S, tag_w: 6, crd_w: W }),
        _ => None,
    }
}

/// What makes coordinates.
fn scan(page: &str, block: usize) -> Option<Form> {
    let (closed, open) = (SpanEnd::Closed, SpanEnd::Open);
    let dense = |child| ScannerDense { ref_in_w: W, ref_w: W, crd_w: W, stop_w: S, child, tag_w: 0 };
    match (page, block) {
        ("scanner_dense", 0) => of(dense(Child::Row)),
        ("scanner_dense", 1) => of(dense(Child::Same)),
        ("scanner_part", _) => of(ScannerPart {
            ref_in_w: W,
            ref_w: W,
            dim_w: W,
            crd_w: W,
            stop_w: S,
            child: Child::Row,
            offsets: Offsets::Steps { first: 4, step: -2, count: 3 },
            to_first: 0,
            to_step: 1,
        }),
        ("scanner_whole", _) => of(ScannerWhole { ref_w: W, crd_w: HALF, stop_w: S }),
        ("scanner_span", _) => of(ScannerSpan { lo: closed, hi: open, bound_w: W, signed: true, crd_w: W, stop_w: S }),
        ("between", _) => {
            of(Between { lo: closed, hi: closed, bound_w: W, signed: true, crd_w: W, x_w: W, stop_w: S, tag_w: 12 })
        }
        ("within", _) => of(Within { val_w: W, signed: true, crd_w: W, out_w: W, stop_w: S }),
        ("single", _) => of(Single { crd_w: W, stop_w: S }),
        ("coordinate", _) => of(Coordinate { ref_w: W, crd_w: W, stop_w: S, at: 7 }),
        ("slice", _) => of(Slice {
            crd_in_w: W,
            crd_w: W,
            x_w: W,
            stop_w: S,
            select: Select::Steps { first: 3, step: 2, count: 4 },
            to_first: 0,
            to_step: 1,
        }),
        ("interval_slice", _) => {
            of(IntervalSlice { crd_in_w: HALF, crd_w: HALF, x_w: W, stop_w: S, first: 1, count: 6, to_first: 0 })
        }
        ("interval_length", _) => of(IntervalLength { crd_w: HALF, val_w: W, first: false, stop_w: S }),
        ("interval_expand", n) => of(IntervalExpand { crd_w: HALF, ref_w: HALF, follows: n == 1, stop_w: S }),
        _ => None,
    }
}

/// What reads arrays and words.
fn levels(page: &str, block: usize) -> Option<Form> {
    let group = |wide_log2| Group { crd_w: W, wide_log2 };
    match (page, block) {
        ("array", _) => of(Array { ref_w: W, val_w: W, stop_w: S, queue_log2: Q }),
        ("locator", _) => of(LocatorDense { crd_w: W, ref_in_w: W, ref_w: W, stop_w: S }),
        ("locator_hash", _) => {
            let p = LocatorHash { crd_w: 8, ref_in_w: 8, addr_w: 8, ref_w: 8, stop_w: S, queue_log2: Q };
            // From the top: valid, position, parent, coordinate.
            let slot = |parent: u64, crd: u64, position: u64| 1 << 24 | position << 16 | parent << 8 | crd;
            let arrays = vec![("way0", vec![slot(0, 2, 5), slot(0, 3, 6)]), ("way1", vec![0, slot(1, 3, 7)])];
            of(p).map(|form| Form { arrays, ..form })
        }
        ("scanner_compressed", _) => {
            of(ScannerCompressed { ref_in_w: W, ref_w: W, crd_w: W, stop_w: S, queue_log2: Q, back: false, exit: None })
        }
        ("scanner_bits", _) => of(ScannerBits {
            ref_in_w: W,
            addr_w: W,
            ref_w: W,
            crd_w: W,
            stop_w: S,
            width: 8,
            queue_log2: Q,
            exit: None,
        }),
        ("scanner_list", _) => of(ScannerList { ref_in_w: W, ref_w: W, crd_w: W, stop_w: S, queue_log2: Q }),
        ("scanner_range", n) => of(ScannerRange {
            input: if n == 0 { Input::Segment } else { Input::Range },
            group: n == 0,
            ref_in_w: 2 * W,
            ref_w: W,
            crd_w: W,
            stop_w: S,
            queue_log2: Q,
        }),
        ("scanner_seek", _) => of(ScannerSeek {
            ref_in_w: W,
            ref_w: W,
            crd_w: W,
            stop_w: S,
            queue_log2: Q,
            lo: 150,
            hi: 156,
            long: 16,
            near: 4,
        }),
        ("scanner_until", _) => of(ScannerUntil {
            ref_in_w: W,
            ref_w: W,
            crd_w: W,
            stop_w: S,
            queue_log2: Q,
            hi: SpanEnd::Open,
            bound_w: W,
            signed: true,
        }),
        ("scanner_wide", _) => {
            grouped(group(1), ScannerWide { ref_in_w: W, ref_w: W, stop_w: S, queue_log2: Q, group: group(1) })
        }
        ("scanner_skip", _) => {
            let p = ScannerSkip { ref_in_w: W, ref_w: W, group: group(0), stop_w: S, queue_log2: Q, tag_w: 6 };
            of(p).map(|form| Form { is_timed: true, ..form })
        }
        ("bits_unpack", _) => of(BitsUnpack { width: 8, crd_w: W, ref_w: W, stop_w: S, tag_w: 0 }),
        ("runs_unpack", n) => of(RunsUnpack { crd_w: HALF, ref_w: HALF, at_w: W, shared: n == 1, stop_w: S, tag_w: 0 }),
        ("runs_origin", _) => of(RunsOrigin { crd_w: HALF, ref_w: HALF, at_w: W, stop_w: S }),
        _ => None,
    }
}

fn join(page: &str, block: usize) -> Option<Form> {
    let joiner = |emit, crd_w| Joiner::new(emit, crd_w, &[W, W], S);
    match (page, block) {
        ("joiner", _) => of(joiner(Joiner::intersection(2), W)),
        ("joiner_intervals", 0) => {
            of(JoinerIntervals { joiner: joiner(Joiner::union(2), HALF), points: 0, narrow: false })
        }
        ("joiner_intervals", _) => {
            of(JoinerIntervals { joiner: joiner(Joiner::intersection(2), HALF), points: 0, narrow: false })
        }
        ("joiner_bits", _) => of(JoinerBits { joiner: joiner(Joiner::intersection(2), W), width: 8, tag_w: 0 }),
        ("joiner_wide", _) => {
            let group = Group { crd_w: W, wide_log2: 1 };
            grouped(group, JoinerWide { group, ref_w: [W, W], stop_w: S, used: 0b111, skips: 0 })
        }
        _ => None,
    }
}

fn write(page: &str, block: usize) -> Option<Form> {
    match (page, block) {
        ("dropper", _) => of(Dropper { crd_w: W, inner: Inner::List { fields: vec![Field::new("x", W)] }, stop_w: S }),
        ("runs_pack", n) => {
            of(RunsPack { crd_w: HALF, ref_w: HALF, shared: (n == 1).then_some(W), intervals: false, stop_w: S })
        }
        ("scatter", _) => of(Scatter { val_w: W, addr_w: W, stop_w: S }),
        ("value_writer", _) => of(ValueWriter { val_w: W, addr_w: W, stop_w: S, chain: 1, skip_empty: false }),
        ("level_writer", n) => of(LevelWriter {
            crd_w: W,
            ref_in_w: W,
            ref_w: W,
            stop_w: S,
            parts: Parts::Both,
            chain: u32::from(n == 1),
            seg_height: 1,
            skip_empty: n == 1,
        }),
        ("bits_writer", _) => of(BitsWriter {
            width: 8,
            crd_w: W,
            ref_in_w: W,
            addr_w: W,
            ref_w: W,
            stop_w: S,
            chain: 0,
            skip_empty: false,
        }),
        ("list_writer", _) => of(ListWriter { crd_w: W, ref_in_w: W, ref_w: W, stop_w: S, words: 16 }),
        _ => None,
    }
}

fn copies(page: &str) -> Option<Form> {
    match page {
        "parallelizer" => of(Parallelizer {
            fields: vec![Field::new("ref", W)],
            copies: 2,
            stop_w: S,
            height: 0,
            deal: Deal::RoundRobin,
            split: false,
            turn: true,
        }),
        "serializer" => of(Serializer { field: Field::new("ref", W), copies: 2, stop_w: S, height: 0 }),
        "stitch" => of(Stitch { crd_w: W, op: Fold::Add, val_w: W, signed: true, stop_w: S, next: true, prev: true }),
        _ => None,
    }
}

fn values(page: &str) -> Option<Form> {
    let int = Type::int(W, true);
    match page {
        "alu" => {
            let operands = [3, 0].map(|fill| Operand::Stream { fill }).into();
            of(Alu::new(Fun::Sub, operands, 0b1110, int, S).ok()?)
        }
        "convert" => of(Convert { from: Type::F32, to: int, fill: 0, emit: 0b10, stop_w: S }),
        "prefix" => of(Prefix { op: Fold::Add, identity: 0, begun: false, val_w: W, signed: true, stop_w: S }),
        "prefix_first" => of(PrefixFirst { greatest: false, ty: int, crd_w: W, in_w: W, stop_w: S }),
        "reducer_scalar" => of(ReducerScalar { op: Fold::Add, val_w: W, signed: true, stop_w: S }),
        "reducer_pipelined" => of(ReducerPipelined::new(Fun::Add, Type::F32, S)?),
        "reducer_iterative" => of(ReducerIterative::new(Arc::new(Routine::library(Fun::Gcd, int)?), S)?),
        "reducer_vector" => {
            of(ReducerVector { op: Fold::Add, crd_w: W, val_w: W, signed: true, stop_w: S, words: 16, banks: 2 })
        }
        "reducer_matrix" => of(ReducerMatrix {
            op: Fold::Add,
            crd1_w: 4,
            crd0_w: 4,
            val_w: W,
            signed: true,
            stop_w: S,
            dim1: 16,
            banks: 2,
        }),
        _ => None,
    }
}

fn memories(page: &str) -> Option<Form> {
    const WORDS: u32 = 16;
    match page {
        "memory" => of(Memory { addr_w: W, data_w: W, words: WORDS, read: Read::Burst, write: false }),
        "memory_wide" => of(MemoryWide { addr_w: W, data_w: W, words: WORDS, wide_log2: 1 }),
        "memory_ports" => of(MemoryPorts {
            addr_w: W,
            data_w: W,
            words: WORDS,
            readers: vec![Read::Burst, Read::Single],
            first: 1,
            host: Host::Writes,
        }),
        "memory_shared" => of(MemoryShared {
            readers: 2,
            addr_w: W,
            data_w: W,
            words: WORDS,
            burst: true,
            wide_log2: 0,
            banks_log2: 0,
            write: false,
        }),
        "memory_fold" => of(MemoryFold { addr_w: W, data_w: W, words: WORDS, op: Fold::Add, signed: true }),
        "banks" => of(Banks { addr_w: W, data_w: W, burst: false, pair: false }),
        "follower" => of(Follower { addr_w: W, data_w: W, burst: false, pair: false }),
        _ => None,
    }
}
