//! Primitives without a limit, in the forms that their pages show.

use super::rows::{STOP_W, SizeRow, W, shown};
use samhw_primitives::blocks::Fold;
use samhw_primitives::copies::parallelizer::{Deal, Parallelizer};
use samhw_primitives::copies::serializer::Serializer;
use samhw_primitives::copies::stitch::Stitch;
use samhw_primitives::flow::collapse::Collapse;
use samhw_primitives::flow::divide::Divide;
use samhw_primitives::flow::fifo::Fifo;
use samhw_primitives::flow::rounds::Rounds;
use samhw_primitives::join::joiner::Joiner;
use samhw_primitives::memories::banks::Banks;
use samhw_primitives::memories::follower::Follower;
use samhw_primitives::memories::memory::{Memory, ON_CHIP_QUEUE_LOG2, Read};
use samhw_primitives::reduce::reducer_vector::ReducerVector;
use samhw_primitives::scan::coordinate::Coordinate;
use samhw_primitives::scan::interval_expand::IntervalExpand;
use samhw_primitives::scan::locator_hash::LocatorHash;
use samhw_primitives::scan::runs_origin::RunsOrigin;
use samhw_primitives::scan::scanner_dense::Child;
use samhw_primitives::scan::scanner_growing::ScannerGrowing;
use samhw_primitives::scan::scanner_list::ScannerList;
use samhw_primitives::scan::scanner_part::{Offsets, ScannerPart};
use samhw_primitives::scan::scanner_range::{Input, ScannerRange};
use samhw_primitives::scan::scanner_seek::ScannerSeek;
use samhw_primitives::scan::scanner_span::SpanEnd;
use samhw_primitives::scan::scanner_until::ScannerUntil;
use samhw_primitives::scan::slice::{Select, Slice};
use samhw_primitives::write::list_writer::ListWriter;
use samhw_streams::{Field, Shape};

const Q: u32 = ON_CHIP_QUEUE_LOG2;

/// Joins of more operands, and copies.
pub fn joins() -> Vec<SizeRow> {
    let join = |n: u32| Joiner::new(Joiner::intersection(n), W, &vec![W; n as usize], STOP_W);
    let field = || Field::new("ref", W);
    vec![
        shown("joiner, intersection of 4", join(4)),
        shown("joiner, intersection of 8", join(8)),
        shown("joiner, intersection of 12", join(12)),
        shown(
            "parallelizer, 2 streams, 4 copies",
            Parallelizer {
                fields: vec![field(), field()],
                copies: 4,
                stop_w: STOP_W,
                height: 0,
                deal: Deal::NextFree,
                split: false,
                turn: true,
            },
        ),
        shown("serializer, 4 copies", Serializer { field: field(), copies: 4, stop_w: STOP_W, height: 0 }),
        shown(
            "stitch, sum",
            Stitch { crd_w: W, op: Fold::Add, val_w: W, signed: true, stop_w: STOP_W, next: true, prev: true },
        ),
    ]
}

/// What reads levels.
pub fn scanners() -> Vec<SizeRow> {
    let part = |child| ScannerPart {
        ref_in_w: W,
        ref_w: W,
        dim_w: W,
        crd_w: W,
        stop_w: STOP_W,
        child,
        offsets: Offsets::Steps { first: 0, step: 3, count: 1000 },
        to_first: 0,
        to_step: 1,
    };
    let range = |input, group| ScannerRange {
        input,
        group,
        ref_in_w: if input == Input::Range { 2 * W } else { W },
        ref_w: W,
        crd_w: W,
        stop_w: STOP_W,
        queue_log2: Q,
    };
    let seek = ScannerSeek {
        ref_in_w: W,
        ref_w: W,
        crd_w: W,
        stop_w: STOP_W,
        queue_log2: Q,
        lo: 1000,
        hi: 2000,
        long: 64,
        near: 16,
    };
    let until = ScannerUntil {
        ref_in_w: W,
        ref_w: W,
        crd_w: W,
        stop_w: STOP_W,
        queue_log2: Q,
        hi: SpanEnd::Closed,
        bound_w: W,
        signed: true,
    };
    let steps = |step| Select::Steps { first: 0, step, count: 1000 };
    let slice = |select| Slice { crd_in_w: W, crd_w: W, x_w: W, stop_w: STOP_W, select, to_first: 0, to_step: 1 };
    vec![
        shown("scanner, part of a dense row", part(Child::Row)),
        shown("scanner, part of a dense root", part(Child::Root)),
        shown("scanner, COO segment", range(Input::Segment, false)),
        shown("scanner, COO segment, group", range(Input::Segment, true)),
        shown("scanner, COO range", range(Input::Range, false)),
        shown("scanner, COO range, group", range(Input::Range, true)),
        shown("scanner, COO unit", range(Input::Unit, false)),
        shown("scanner, growing", ScannerGrowing { ref_in_w: W, ref_w: W, crd_w: W, stop_w: STOP_W, queue_log2: Q }),
        shown("scanner, linked list", ScannerList { ref_in_w: W, ref_w: W, crd_w: W, stop_w: STOP_W, queue_log2: Q }),
        shown("scanner, seeking", seek),
        shown("scanner, up to a bound", until),
        shown("slice, step 1", slice(steps(1))),
        shown("slice, step 3", slice(steps(3))),
        shown("slice, set of 8", slice(Select::Set((0..8).map(|k| k * k).collect()))),
        shown("coordinate", Coordinate { ref_w: W, crd_w: W, stop_w: STOP_W, at: 2 }),
        shown(
            "locator, hash",
            LocatorHash { crd_w: W, ref_in_w: W, addr_w: W, ref_w: W, stop_w: STOP_W, queue_log2: Q },
        ),
        shown("origin of blocks", RunsOrigin { crd_w: W, ref_w: W, at_w: W, stop_w: STOP_W }),
        shown("expander of intervals", IntervalExpand { crd_w: W, ref_w: W, follows: false, stop_w: STOP_W }),
    ]
}

/// What changes levels, and what stores.
pub fn stores() -> Vec<SizeRow> {
    let pair = || Shape::Stream { stop_w: STOP_W, fields: ["crd", "ref"].map(|n| Field::new(n, W)).into() };
    let vector =
        |words, banks| ReducerVector { op: Fold::Add, crd_w: W, val_w: W, signed: true, stop_w: STOP_W, words, banks };
    let memory = |read, write| Memory { addr_w: W, data_w: W, words: 1024, read, write };
    vec![
        shown("collapse", Collapse { crd1_w: 8, crd0_w: 8, x_w: W, key_w: W, size0: 256, stop_w: STOP_W }),
        shown("divide", Divide { key_w: W, size0: 256, crd1_w: 8, crd0_w: 8, x_w: W, stop_w: STOP_W }),
        shown("divide, by 100", Divide { key_w: W, size0: 100, crd1_w: 10, crd0_w: 7, x_w: W, stop_w: STOP_W }),
        shown("reducer, vector of 16", vector(16, 2)),
        shown("reducer, vector of 1024, 4 banks", vector(1024, 4)),
        shown("reducer, vector of 65536", vector(65536, 2)),
        shown(
            "writer, linked lists of 256",
            ListWriter { crd_w: W, ref_in_w: W, ref_w: W, stop_w: STOP_W, words: 256 },
        ),
        shown("rounds, a scalar of 1 bit", Rounds { addr_w: 1, data_w: 1, mask: 1, at_most: 100 }),
        shown("banks, words of 1 bit", Banks { addr_w: 9, data_w: 1, burst: false, pair: false }),
        shown("follower, bursts", Follower { addr_w: 12, data_w: W, burst: true, pair: false }),
        shown("FIFO of 2", Fifo { shape: pair(), depth: 2 }),
        shown("FIFO of 64", Fifo { shape: pair(), depth: 64 }),
        shown("memory, 1024 words, single", memory(Read::Single, false)),
        shown("memory, 1024 words, for results", memory(Read::None, true)),
    ]
}
