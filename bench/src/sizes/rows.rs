//! The measured primitives and their limits.

use super::others;
use anyhow::Result;
use samhw_primitives::arith::alu::{Alu, Operand};
use samhw_primitives::blocks::Fold;
use samhw_primitives::flow::barrier::Barrier;
use samhw_primitives::flow::fifo::Fifo;
use samhw_primitives::flow::fork::Fork;
use samhw_primitives::flow::repeater::Repeater;
use samhw_primitives::join::joiner::{Joiner, TAG_W};
use samhw_primitives::join::joiner_wide::JoinerWide;
use samhw_primitives::memories::memory::{Host, Memory, ON_CHIP_QUEUE_LOG2, Read};
use samhw_primitives::memories::memory_fold::MemoryFold;
use samhw_primitives::memories::memory_ports::MemoryPorts;
use samhw_primitives::memories::memory_shared::MemoryShared;
use samhw_primitives::reduce::reducer_matrix::ReducerMatrix;
use samhw_primitives::reduce::reducer_scalar::ReducerScalar;
use samhw_primitives::reduce::reducer_vector::ReducerVector;
use samhw_primitives::scan::array::Array;
use samhw_primitives::scan::between::Between;
use samhw_primitives::scan::bits_unpack::BitsUnpack;
use samhw_primitives::scan::locator::{LocatorBits, LocatorCompressed, LocatorDense};
use samhw_primitives::scan::scanner_compressed::{Exit, ScannerCompressed};
use samhw_primitives::scan::scanner_dense::{Child, ScannerDense};
use samhw_primitives::scan::scanner_skip::ScannerSkip;
use samhw_primitives::scan::scanner_span::{ScannerSpan, SpanEnd};
use samhw_primitives::scan::scanner_wide::{Group, ScannerWide};
use samhw_primitives::write::bits_writer::BitsWriter;
use samhw_primitives::write::dropper::{Dropper, Inner};
use samhw_primitives::write::level_writer::{LevelWriter, Parts};
use samhw_primitives::write::scatter::Scatter;
use samhw_primitives::write::value_writer::ValueWriter;
use samhw_streams::{Field, Primitive, Shape};
use samhw_values::{Fun, Type};

/// Bits of every payload.
pub const W: u32 = 16;
/// Bits of the stop field.
pub const STOP_W: u32 = 3;

/// A primitive to measure.
pub struct SizeRow {
    /// Name in the table.
    pub name: &'static str,
    /// Largest number of LUT4, where carry cells count as two.
    pub limit: Option<u64>,
    /// The configured primitive.
    pub primitive: Box<dyn Primitive>,
}

fn limited(name: &'static str, limit: u64, p: impl Primitive + 'static) -> SizeRow {
    SizeRow { name, limit: Some(limit), primitive: Box::new(p) }
}

/// A row without a limit.
pub fn shown(name: &'static str, p: impl Primitive + 'static) -> SizeRow {
    SizeRow { name, limit: None, primitive: Box::new(p) }
}

/// Returns all primitives to measure.
pub fn rows() -> Result<Vec<SizeRow>> {
    let own = [joins(), groups(), values()?, levels(), buffers()];
    Ok(own.into_iter().chain([others::joins(), others::scanners(), others::stores()]).flatten().collect())
}

/// Joiners, and what follows them.
fn joins() -> Vec<SizeRow> {
    let join = |emit| Joiner::new(emit, W, &[W, W], STOP_W);
    let join3 = |emit| Joiner::new(emit, W, &[W, W, W], STOP_W);
    let skips = |j: Joiner| Joiner { skips: (1 << j.ref_w.len()) - 1, ..j };
    let drop = |inner| Dropper { crd_w: W, inner, stop_w: STOP_W };
    let field = || Field::new("x", W);
    vec![
        limited("joiner, intersection of 2", 350, join(Joiner::intersection(2))),
        limited("joiner, union of 2", 350, join(Joiner::union(2))),
        // With skipping: at most 1.3 times the row before.
        limited("joiner, intersection of 2, skips", 384, skips(join(Joiner::intersection(2)))),
        shown("joiner, intersection of 3", join3(Joiner::intersection(3))),
        limited("joiner, intersection of 3, skips", 475, skips(join3(Joiner::intersection(3)))),
        limited("repeater", 120, Repeater { ref_w: W, crd_w: W, stop_w: STOP_W }),
        limited("reducer, scalar sum", 200, ReducerScalar { op: Fold::Add, val_w: W, signed: true, stop_w: STOP_W }),
        limited("dropper of values", 200, drop(Inner::Value { field: field(), explicit: None })),
        limited("dropper of lists", 200, drop(Inner::List { fields: vec![field()] })),
        limited("dropper of lists of pairs", 200, drop(Inner::List { fields: vec![field(), field()] })),
    ]
}

/// Scanners of compressed levels, and what takes groups of coordinates.
fn groups() -> Vec<SizeRow> {
    let group = |wide_log2| Group { crd_w: W, wide_log2 };
    let skipping = |wide_log2| ScannerSkip {
        ref_in_w: W,
        ref_w: W,
        group: group(wide_log2),
        stop_w: STOP_W,
        queue_log2: ON_CHIP_QUEUE_LOG2,
        tag_w: TAG_W,
    };
    let compressed = |exit| ScannerCompressed {
        ref_in_w: W,
        ref_w: W,
        crd_w: W,
        stop_w: STOP_W,
        queue_log2: ON_CHIP_QUEUE_LOG2,
        back: false,
        exit,
    };
    vec![
        limited("scanner, compressed", 500, compressed(None)),
        shown("scanner, told of exits", compressed(Some(Exit { tag_w: 12, hint_w: W, part_log2: 0 }))),
        shown("scanner, skipping", skipping(0)),
        shown("scanner, skipping, wide by 2", skipping(1)),
        shown("scanner, skipping, wide by 4", skipping(2)),
        shown(
            "scanner, wide by 2",
            ScannerWide { ref_in_w: W, ref_w: W, stop_w: STOP_W, queue_log2: ON_CHIP_QUEUE_LOG2, group: group(1) },
        ),
        shown(
            "scanner, wide by 4",
            ScannerWide { ref_in_w: W, ref_w: W, stop_w: STOP_W, queue_log2: ON_CHIP_QUEUE_LOG2, group: group(2) },
        ),
        shown(
            "joiner, wide by 2",
            JoinerWide { group: group(1), ref_w: [W, W], stop_w: STOP_W, used: 0b111, skips: 0 },
        ),
        shown(
            "joiner, wide by 4",
            JoinerWide { group: group(2), ref_w: [W, W], stop_w: STOP_W, used: 0b111, skips: 0 },
        ),
        // With hints: at most 1.3 times the row without.
        limited(
            "joiner, wide by 2, skips",
            419,
            JoinerWide { group: group(1), ref_w: [W, W], stop_w: STOP_W, used: 0b111, skips: 0b11 },
        ),
        limited(
            "joiner, wide by 4, skips",
            785,
            JoinerWide { group: group(2), ref_w: [W, W], stop_w: STOP_W, used: 0b111, skips: 0b11 },
        ),
    ]
}

/// Loops without arrays, and what computes.
fn values() -> Result<Vec<SizeRow>> {
    let dense = |child| ScannerDense { ref_in_w: W, ref_w: W, crd_w: W, stop_w: STOP_W, child, tag_w: 0 };
    let between = |lo, hi| Between { lo, hi, bound_w: W, signed: true, crd_w: W, x_w: W, stop_w: STOP_W, tag_w: 12 };
    let span = |lo, hi| ScannerSpan { lo, hi, bound_w: W, signed: true, crd_w: W, stop_w: STOP_W };
    let alu = |fun| Alu::new(fun, vec![Operand::Stream { fill: 0 }; 2], 0b1110, Type::int(W, true), STOP_W);
    Ok(vec![
        shown("scanner, dense root", dense(Child::Root)),
        shown("scanner, dense row", dense(Child::Row)),
        shown("scanner, broadcast", dense(Child::Same)),
        shown("between, lo closed, hi open", between(SpanEnd::Closed, SpanEnd::Open)),
        shown("between, hi open", between(SpanEnd::Level, SpanEnd::Open)),
        shown("scanner_span, lo closed, hi open", span(SpanEnd::Closed, SpanEnd::Open)),
        shown("array", Array { ref_w: W, val_w: W, stop_w: STOP_W, queue_log2: ON_CHIP_QUEUE_LOG2 }),
        shown("alu, add", alu(Fun::Add)?),
        shown("alu, mul", alu(Fun::Mul)?),
        shown(
            "reducer, vector of 1024",
            ReducerVector { op: Fold::Add, crd_w: W, val_w: W, signed: true, stop_w: STOP_W, words: 1024, banks: 2 },
        ),
        shown(
            "reducer, matrix of 32 x 32",
            ReducerMatrix {
                op: Fold::Add,
                crd1_w: 5,
                crd0_w: 5,
                val_w: W,
                signed: true,
                stop_w: STOP_W,
                dim1: 32,
                banks: 2,
            },
        ),
    ])
}

/// What looks up and what writes.
fn levels() -> Vec<SizeRow> {
    let words = |chain| BitsWriter {
        width: 32,
        crd_w: W,
        ref_in_w: W,
        addr_w: W,
        ref_w: W,
        stop_w: STOP_W,
        chain,
        skip_empty: false,
    };
    let level = |parts, chain| LevelWriter {
        crd_w: W,
        ref_in_w: W,
        ref_w: W,
        stop_w: STOP_W,
        parts,
        chain,
        seg_height: 1,
        skip_empty: false,
    };
    let values = |chain| ValueWriter { val_w: W, addr_w: W, stop_w: STOP_W, chain, skip_empty: false };
    vec![
        shown("locator, dense", LocatorDense { crd_w: W, ref_in_w: W, ref_w: W, stop_w: STOP_W }),
        shown(
            "locator, words of 32",
            LocatorBits {
                width: 32,
                crd_w: W,
                ref_in_w: W,
                addr_w: W,
                ref_w: W,
                stop_w: STOP_W,
                queue_log2: ON_CHIP_QUEUE_LOG2,
            },
        ),
        shown("unpacker, words of 32", BitsUnpack { width: 32, crd_w: W, ref_w: W, stop_w: STOP_W, tag_w: 0 }),
        shown("writer, words of 32", words(0)),
        shown("writer, words of 32 below dense", words(1)),
        shown("locator, compressed", LocatorCompressed { crd_w: W, ref_in_w: W, ref_w: W, stop_w: STOP_W }),
        shown("writer, compressed level", level(Parts::Both, 0)),
        shown("writer, level below dense", level(Parts::Both, 1)),
        shown("writer, values", values(0)),
        shown("writer, values below dense", values(1)),
        shown("writer, scatter", Scatter { val_w: W, addr_w: W, stop_w: STOP_W }),
        shown(
            "memory, 1024 words, folding",
            MemoryFold { addr_w: W, data_w: W, words: 1024, op: Fold::Add, signed: true },
        ),
    ]
}

/// What holds beats, and memories.
fn buffers() -> Vec<SizeRow> {
    let stream = |fields: &[&'static str]| Shape::Stream {
        stop_w: STOP_W,
        fields: fields.iter().map(|n| Field::new(n, W)).collect(),
    };
    let memory = |read, write| Memory { addr_w: W, data_w: W, words: 1024, read, write };
    let shared = |banks_log2| MemoryShared {
        readers: 4,
        addr_w: W,
        data_w: W,
        words: 1024,
        burst: true,
        wide_log2: 0,
        banks_log2,
        write: false,
    };
    let several = |readers: &[Read], first, host| MemoryPorts {
        addr_w: W,
        data_w: W,
        words: 1024,
        readers: readers.into(),
        first,
        host,
    };
    vec![
        shown("fork in 2", Fork { shape: stream(&["crd", "ref"]), branches: 2, ahead: false }),
        shown("FIFO of 16", Fifo { shape: stream(&["crd", "ref"]), depth: 16 }),
        shown("FIFO of 512", Fifo { shape: stream(&["crd", "ref"]), depth: 512 }),
        shown("barrier of 4", Barrier { inputs: 4 }),
        shown("memory, 1024 words, burst", memory(Read::Burst, false)),
        shown("memory, 1024 words, pairs", memory(Read::Pair, false)),
        shown("memory, 1024 words, burst, 2 ports", several(&[Read::Burst; 2], 1, Host::Writes)),
        shown("memory, 1024 words, burst and pairs, 2 ports", several(&[Read::Burst, Read::Pair], 1, Host::Writes)),
        shown("memory, 1024 words, burst, 2 readers in turns", several(&[Read::Burst; 2], 2, Host::Writes)),
        shown("memory, 1024 words, burst, kept for the host", several(&[Read::Burst], 1, Host::Reads)),
        shown("memory, 1024 words, burst, shared by 4", shared(0)),
        shown("memory, 1024 words, burst, shared by 4, 4 banks", shared(2)),
    ]
}
