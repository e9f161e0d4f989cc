//! Every primitive in every form that has its own Verilog, by groups.

mod values;

use crate::arith::alu::Alu;
use crate::blocks::Fold;
use crate::copies::parallelizer::{Deal, Parallelizer};
use crate::copies::serializer::Serializer;
use crate::copies::stitch::Stitch;
use crate::flow::{
    barrier::Barrier, collapse::Collapse, divide::Divide, early_exit::EarlyExit, early_exit::Watched, fifo::Fifo,
    fork::Fork, relay::Relay, repeater::Repeater, root::Root, rounds::Rounds, zip::Zip,
};
use crate::join::joiner::Joiner;
use crate::join::joiner_bits::JoinerBits;
use crate::join::joiner_intervals::JoinerIntervals;
use crate::join::joiner_wide::JoinerWide;
use crate::memories::banks::Banks;
use crate::memories::follower::Follower;
use crate::memories::memory::{Host, Memory, Read};
use crate::memories::memory_fold::MemoryFold;
use crate::memories::memory_shared::MemoryShared;
use crate::memories::memory_wide::MemoryWide;
use crate::scan::array::Array;
use crate::scan::between::Between;
use crate::scan::bits_unpack::BitsUnpack;
use crate::scan::coordinate::Coordinate;
use crate::scan::interval_expand::IntervalExpand;
use crate::scan::interval_length::IntervalLength;
use crate::scan::interval_slice::IntervalSlice;
use crate::scan::locator::{LocatorBits, LocatorCompressed, LocatorDense};
use crate::scan::locator_hash::LocatorHash;
use crate::scan::runs_origin::RunsOrigin;
use crate::scan::runs_unpack::RunsUnpack;
use crate::scan::scanner_bits::ScannerBits;
use crate::scan::scanner_compressed::ScannerCompressed;
use crate::scan::scanner_dense::{Child, ScannerDense};
use crate::scan::scanner_list::ScannerList;
use crate::scan::scanner_part::{Offsets, ScannerPart};
use crate::scan::scanner_range::{Input, ScannerRange};
use crate::scan::scanner_seek::ScannerSeek;
use crate::scan::scanner_skip::ScannerSkip;
use crate::scan::scanner_span::{ScannerSpan, SpanEnd};
use crate::scan::scanner_until::ScannerUntil;
use crate::scan::scanner_whole::ScannerWhole;
use crate::scan::scanner_wide::{Group, ScannerWide};
use crate::scan::single::Single;
use crate::scan::slice::{Select, Slice};
use crate::scan::within::Within;
use crate::write::bits_writer::BitsWriter;
use crate::write::dropper::{Dropper, Explicit, Inner};
use crate::write::level_writer::{LevelWriter, Parts};
use crate::write::list_writer::ListWriter;
use crate::write::runs_pack::RunsPack;
use crate::write::scatter::Scatter;
use crate::write::value_writer::ValueWriter;
use samhw_streams::{Field, Primitive, Shape};
use samhw_values::{Fun, Rng, Type, mask};

/// A primitive and, if it is a memory, what its host wires do.
pub(super) type Hosted = (Box<dyn Primitive>, Host);

fn item(p: impl Primitive + 'static) -> Hosted {
    (Box::new(p), Host::Absent)
}

fn pair(stop_w: u32, crd_w: u32, ref_w: u32) -> Shape {
    Shape::Stream { stop_w, fields: vec![Field::new("crd", crd_w), Field::new("ref", ref_w)] }
}

/// Widths: of coordinates, references above and below, and stops.
const WIDTHS: [[u32; 4]; 4] = [[16, 16, 16, 3], [1, 1, 2, 1], [8, 20, 32, 4], [20, 8, 10, 2]];

fn plumbing() -> Vec<Hosted> {
    let mut all = vec![item(Barrier { inputs: 1 }), item(Barrier { inputs: 3 })];
    for (addr_w, data_w) in [(2, 1), (3, 16), (1, 64)] {
        all.push(item(Rounds { addr_w, data_w, mask: u64::MAX >> (64 - data_w), at_most: 100 }));
    }
    for [crd_w, _, ref_w, stop_w] in WIDTHS {
        for watched in [Watched::Alone, Watched::Or, Watched::And, Watched::Sum] {
            all.push(item(EarlyExit { value: 1, watched, val_w: ref_w, stop_w, tag_w: 12, crd_w }));
        }
        let shape = pair(stop_w, crd_w, ref_w);
        all.push(item(Relay { shape: shape.clone() }));
        all.extend(
            [(2, false), (3, true), (5, false)]
                .map(|(branches, ahead)| item(Fork { shape: shape.clone(), branches, ahead })),
        );
        all.extend([2, 3, 16, 100].map(|depth| item(Fifo { shape: shape.clone(), depth })));
        all.extend([1, 3].map(|branches| item(Root { ref_w, stop_w, branches })));
        all.push(item(Zip { first_w: crd_w, second_w: ref_w, stop_w }));
        for (next, prev) in [(true, true), (true, false), (false, true), (false, false)] {
            all.push(item(Stitch { crd_w, op: Fold::Add, val_w: ref_w, signed: true, stop_w, next, prev }));
        }
        all.push(item(Repeater { ref_w, crd_w, stop_w }));
    }
    for (fun, ty) in [
        (Fun::Min, "i16"),
        (Fun::Max, "u16"),
        (Fun::Or, "f16"),
        (Fun::Min, "f32"),
        (Fun::BitXor, "i8"),
        (Fun::Add, "f32"),
    ] {
        let ty = Type::from_name(ty).unwrap();
        let (op, val_w) = (Fold::of(fun, ty).unwrap(), Alu::width(ty, 3));
        all.push(item(Stitch { crd_w: 8, op, val_w, signed: ty.is_signed(), stop_w: 3, next: true, prev: true }));
    }
    for (n, [crd_w, ref_in_w, ref_w, stop_w]) in WIDTHS.into_iter().enumerate() {
        for (copies, deal, split) in [
            (4, Deal::NextFree, false),
            (3, Deal::RoundRobin, true),
            (2, Deal::Coordinate, true),
            (3, Deal::InTurn, false),
        ] {
            let fields = [crd_w, ref_w, ref_in_w].map(|w| Field::new("crd", w));
            let (fields, height) = (fields[..1 + n % 3].to_vec(), u8::from(stop_w > 2));
            all.push(item(Parallelizer { fields, copies, stop_w, height, deal, split, turn: n != 0 }));
            all.push(item(Serializer { field: Field::new("val", ref_w), copies, stop_w, height }));
        }
    }
    all.push(item(Fork { shape: Shape::Plain { fields: vec![Field::new("addr", 70)] }, branches: 3, ahead: false }));
    all
}

fn memories() -> Vec<Hosted> {
    let mut all = Vec::new();
    for read in [Read::None, Read::Single, Read::Burst, Read::Pair] {
        for write in [false, true] {
            for (addr_w, data_w, words) in [(2, 2, 4), (8, 16, 256), (8, 16, 101), (3, 2, 7), (20, 64, 5), (8, 256, 9)]
            {
                if data_w > 64 && read == Read::Pair {
                    continue;
                }
                let p = Memory { addr_w, data_w, words, read, write };
                let host = p.host();
                all.push((Box::new(p) as Box<dyn Primitive>, host));
            }
        }
    }
    for (addr_w, data_w, words, wide_log2) in [(8, 16, 256, 1), (8, 16, 101, 2), (3, 2, 7, 2), (20, 32, 5, 1)] {
        all.push((Box::new(MemoryWide { addr_w, data_w, words, wide_log2 }), Host::Writes));
    }
    for (burst, pair) in [(false, false), (true, false), (false, true)] {
        all.extend([(8, 16), (2, 1), (20, 64)].map(|(addr_w, data_w)| item(Banks { addr_w, data_w, burst, pair })));
        all.extend([(8, 16), (2, 1), (20, 64)].map(|(addr_w, data_w)| item(Follower { addr_w, data_w, burst, pair })));
    }
    let shared = [(false, 0, 0), (true, 0, 0), (false, 1, 0), (false, 2, 0), (false, 0, 1), (true, 0, 2)];
    for ((burst, wide_log2, banks_log2), write) in shared.into_iter().flat_map(|s| [(s, false), (s, true)]) {
        for (readers, addr_w, data_w, words) in [(2, 3, 2, 8), (4, 8, 16, 256), (3, 8, 16, 101), (5, 20, 32, 5)] {
            let p = MemoryShared { readers, addr_w, data_w, words, burst, wide_log2, banks_log2, write };
            let host = p.host();
            all.push((Box::new(p), host));
        }
    }
    let parts = MemoryShared {
        readers: 2,
        addr_w: 8,
        data_w: 256,
        words: 9,
        burst: true,
        wide_log2: 0,
        banks_log2: 1,
        write: false,
    };
    all.push((Box::new(parts), Host::Writes));
    let folds = [(Fun::Add, "i16"), (Fun::Max, "u16"), (Fun::Or, "f16"), (Fun::Add, "f32"), (Fun::Mul, "i8")];
    for (n, (fun, ty)) in folds.into_iter().enumerate() {
        let ty = Type::from_name(ty).unwrap();
        let (op, data_w) = (Fold::of(fun, ty).unwrap(), Alu::width(ty, 3));
        for (addr_w, words) in [(2, 4), (8, 256), (3, 7), (12, 1 << (8 + n)), (20, 40), (2, 1)] {
            let p = MemoryFold { addr_w, data_w, words, op, signed: ty.is_signed() };
            all.push((Box::new(p), Host::Reads));
        }
    }
    all
}

fn scanners() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, ref_in_w, ref_w, stop_w] in WIDTHS {
        let queue_log2 = stop_w;
        for val_w in [stop_w, ref_w] {
            all.push(item(Array { ref_w: ref_in_w, val_w, stop_w, queue_log2 }));
        }
        all.push(item(ScannerCompressed { ref_in_w, ref_w, crd_w, stop_w, queue_log2 }));
        all.push(item(ScannerList { ref_in_w, ref_w, crd_w, stop_w, queue_log2 }));
        for width in [8, 64, 256] {
            all.push(item(ScannerBits { ref_in_w, addr_w: ref_w, ref_w, crd_w, stop_w, width, queue_log2 }));
            all.push(item(LocatorBits { width, crd_w, ref_in_w, addr_w: ref_w, ref_w, stop_w, queue_log2 }));
            all.extend([0, 12].map(|tag_w| item(BitsUnpack { width, crd_w, ref_w, stop_w, tag_w })));
        }
        for shared in [false, true] {
            // A word has at most 64 bits.
            let (crd_w, at_w) = (crd_w.min(16), if shared { ref_w } else { ref_in_w });
            all.extend([0, 12].map(|tag_w| item(RunsUnpack { crd_w, ref_w, at_w, shared, stop_w, tag_w })));
            all.push(item(IntervalExpand { crd_w, ref_w, follows: shared, stop_w }));
            let (first, to_first, count) = (u64::from(shared), u64::from(!shared), mask(crd_w));
            all.push(item(IntervalSlice { crd_in_w: crd_w, crd_w, x_w: ref_w, stop_w, first, count, to_first }));
            if !shared {
                all.push(item(RunsOrigin { crd_w, ref_w, at_w, stop_w }));
            }
            let pack = RunsPack { crd_w, ref_w, shared: shared.then_some(ref_w), intervals: false, stop_w };
            if shared {
                all.push(item(RunsPack { intervals: true, ..pack.clone() }));
            }
            all.push(item(pack));
        }
        for wide_log2 in [1, 2] {
            let group = Group { crd_w: crd_w.min(16), wide_log2 };
            all.push(item(ScannerWide { ref_in_w, ref_w, stop_w, queue_log2, group }));
        }
        all.push(item(ScannerSkip {
            ref_in_w,
            ref_w,
            group: Group { crd_w, wide_log2: 0 },
            stop_w,
            queue_log2,
            tag_w: 6,
        }));
        all.push(item(LocatorDense { crd_w, ref_in_w, ref_w, stop_w }));
        for (val_w, signed) in [(crd_w, true), (crd_w, false), (ref_w, true), (64, false)] {
            all.push(item(Within { val_w, signed, crd_w, out_w: ref_in_w, stop_w }));
        }
        for (bound_w, signed) in [(ref_w, true), (crd_w.max(2), false)] {
            for (lo, hi) in
                [(SpanEnd::Closed, SpanEnd::Open), (SpanEnd::Level, SpanEnd::Closed), (SpanEnd::Open, SpanEnd::Level)]
            {
                all.push(item(ScannerSpan { lo, hi, bound_w, signed, crd_w, stop_w }));
                all.push(item(Between { lo, hi, bound_w, signed, crd_w, x_w: ref_w, stop_w, tag_w: 12 }));
            }
            for hi in [SpanEnd::Closed, SpanEnd::Open] {
                all.push(item(ScannerUntil { ref_in_w, ref_w, crd_w, stop_w, queue_log2, hi, bound_w, signed }));
            }
        }
        all.push(item(Single { crd_w, stop_w }));
        all.push(item(ScannerWhole { ref_w: ref_in_w, crd_w, stop_w }));
        for (val_w, first) in [(1, false), (crd_w, false), (ref_w, false), (crd_w.min(32), true)] {
            all.push(item(IntervalLength { crd_w: crd_w.min(32), val_w, first, stop_w }));
        }
        all.push(item(LocatorHash { crd_w, ref_in_w, addr_w: ref_w, ref_w, stop_w, queue_log2 }));
        all.push(item(LocatorCompressed { crd_w, ref_in_w, ref_w, stop_w }));
        for child in [Child::Row, Child::Root, Child::Same] {
            for tag_w in [0, 12] {
                all.push(item(ScannerDense { ref_in_w, ref_w, crd_w, stop_w, child, tag_w }));
            }
        }
        all.extend(parts([crd_w, ref_in_w, ref_w, stop_w]));
        for input in [Input::Segment, Input::Range, Input::Unit] {
            let ref_in_w = if input == Input::Range { 2 * ref_w } else { ref_in_w };
            for group in [true, false] {
                all.push(item(ScannerRange { input, group, ref_in_w, ref_w, crd_w, stop_w, queue_log2 }));
            }
        }
    }
    all
}

/// What slices need, in every form that has its own Verilog.
fn parts([crd_w, ref_in_w, ref_w, stop_w]: [u32; 4]) -> Vec<Hosted> {
    let most = |n: u64| if crd_w == 1 { n.min(1) } else { n };
    let step = |first, step, count| Select::Steps { first, step, count };
    let selected = [step(1, 1, 1), step(0, most(2), most(3)), step(0, most(3), 2), step(0, 1, 0)];
    let selected = selected.into_iter().chain([Select::Set(vec![1]), Select::Set(vec![0, 1])]);
    let mut all: Vec<Hosted> = selected
        .flat_map(|select| {
            let slice = |crd_in_w, crd_w, to_step| Slice {
                crd_in_w,
                crd_w,
                x_w: ref_w,
                stop_w,
                select: select.clone(),
                to_first: 0,
                to_step,
            };
            [item(slice(crd_w, 9, 3)), item(slice(crd_w, stop_w, 1))]
        })
        .collect();
    for child in [Child::Row, Child::Root, Child::Same] {
        let steps = |first, step, count| Offsets::Steps { first, step, count };
        for offsets in [steps(1, -1, 2), steps(0, 1, 1), steps(0, 1, 0), Offsets::Set(vec![1, 0])] {
            let (to_first, to_step) = (0, 1);
            all.push(item(ScannerPart {
                ref_in_w,
                ref_w,
                dim_w: crd_w + 1,
                crd_w,
                stop_w,
                child,
                offsets,
                to_first,
                to_step,
            }));
        }
    }
    for (lo, hi) in [(0, 1), (1, 1u64 << crd_w), (1, 1)] {
        let (queue_log2, long, near) = (stop_w, 2, 1);
        all.push(item(ScannerSeek { ref_in_w, ref_w, crd_w, stop_w, queue_log2, lo, hi, long, near }));
    }
    all.extend([(ref_w, crd_w), (stop_w, 20)].map(|(ref_w, crd_w)| item(Coordinate { ref_w, crd_w, stop_w, at: 1 })));
    all
}

fn joiners() -> Vec<Hosted> {
    let mut all = Vec::new();
    for (n, [crd_w, _, ref_w, stop_w]) in [2, 3, 6, 7].into_iter().zip(WIDTHS) {
        for table in [Joiner::union(n), Joiner::intersection(n)] {
            all.push(item(Joiner::new(table, crd_w, &vec![ref_w; n as usize], stop_w)));
        }
    }
    for (n, [crd_w, _, ref_w, stop_w]) in [2, 2, 3, 7].into_iter().zip(WIDTHS) {
        let plain = Joiner::new(Joiner::intersection(n), crd_w, &vec![ref_w; n as usize], stop_w);
        all.push(item(Joiner { skips: (1 << n) - 1, ..plain.clone() }));
        all.push(item(Joiner { skips: 0b10, emit: vec![0b10], ..plain.clone() }));
        for (wide_log2, used) in [(1, 0b111), (2, 0b110)] {
            let group = Group { crd_w: crd_w.min(16), wide_log2 };
            for skips in [0, 0b11, 0b10] {
                all.push(item(JoinerWide { group, ref_w: [ref_w, ref_w + 1], stop_w, used, skips }));
            }
        }
        for points in [0, 0b10] {
            let joiner = Joiner { crd_w: crd_w.min(32), ..plain.clone() };
            all.push(item(JoinerIntervals { joiner: joiner.clone(), points, narrow: points != 0 }));
            all.push(item(JoinerIntervals {
                joiner: Joiner { emit: Joiner::union(n), ..joiner },
                points,
                narrow: false,
            }));
        }
        for width in [8, 64, 128] {
            all.extend([0, 12].map(|tag_w| item(JoinerBits { joiner: plain.clone(), width, tag_w })));
        }
    }
    let mut rng = Rng::new(5);
    let mut random = |n: u32| (0..1 << (n - 6)).map(|_| rng.bits() & rng.bits()).collect::<Vec<u64>>();
    let mut most = Joiner::new(random(12), 4, &[4; 12], 3);
    most.keep = (0..12).map(|_| random(12)).collect();
    let mut some = most.clone();
    some.used = 0b1_0110_0000_0011;
    all.extend([item(most), item(some)]);
    all
}

fn shapes() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, _, x_w, stop_w] in WIDTHS {
        // What holds an empty list's hole is no narrower than a stop; a list has two levels.
        let (crd_w, stop_w) = (crd_w.max(2), stop_w.max(2));
        let crd = Field::new("crd", crd_w);
        let second = Field::new("ref", x_w);
        for explicit in [None, Some(Explicit { value: 1, care: u64::MAX >> (64 - x_w) })] {
            all.push(item(Dropper { crd_w, inner: Inner::Value { field: second.clone(), explicit }, stop_w }));
        }
        for fields in [vec![crd.clone()], vec![crd, second]] {
            all.push(item(Dropper { crd_w, inner: Inner::List { fields }, stop_w }));
        }
        // Keys concatenated and multiplied.
        let (crd1_w, crd0_w) = (crd_w.min(16), crd_w.min(16));
        for size0 in [1 << crd0_w, (1 << crd0_w) - 1] {
            all.push(item(Collapse { crd1_w, crd0_w, x_w, key_w: crd1_w + crd0_w, size0, stop_w }));
        }
        // Coordinates as wide as their part of the key, and wider.
        let (key_w, shift) = (2 * crd_w + 1, crd_w);
        for wider in [0, 3] {
            let (crd1_w, crd0_w) = (crd_w + 1 + wider, crd_w.max(stop_w) + wider);
            all.push(item(Divide { key_w, shift, crd1_w, crd0_w, x_w, stop_w }));
        }
    }
    all
}

fn writers() -> Vec<Hosted> {
    let mut all = Vec::new();
    for ([crd_w, ref_in_w, ref_w, stop_w], chain) in WIDTHS.into_iter().flat_map(|w| [0, 1, 2].map(|chain| (w, chain)))
    {
        if chain == 0 {
            all.push(item(Scatter { val_w: crd_w, addr_w: ref_w, stop_w }));
            all.push(item(ListWriter { crd_w, ref_in_w, ref_w, stop_w, words: 16 }));
        }
        if chain > stop_w {
            continue;
        }
        for skip_empty in [false, true] {
            all.push(item(ValueWriter { val_w: crd_w, addr_w: ref_w, stop_w, chain, skip_empty }));
            let width = if skip_empty { 8 } else { 64 << chain };
            all.push(item(BitsWriter { width, crd_w, ref_in_w, addr_w: ref_w, ref_w, stop_w, chain, skip_empty }));
            let seg_height = if skip_empty { stop_w.min(2) as u8 } else { 1 };
            for parts in [Parts::Both, Parts::Crd] {
                all.push(item(LevelWriter { crd_w, ref_in_w, ref_w, stop_w, parts, chain, seg_height, skip_empty }));
            }
        }
    }
    all
}

/// All forms, by the name of their group.
pub(super) fn groups() -> [(&'static str, Vec<Hosted>); 7] {
    [
        ("plumbing", plumbing()),
        ("memories", memories()),
        ("scanners", scanners()),
        ("joiners", joiners()),
        ("shapes", shapes()),
        ("arithmetic", [values::arithmetic(), values::reducers()].into_iter().flatten().collect()),
        ("writers", writers()),
    ]
}
