//! The memory that folds against its meaning, its Verilog against its model.

use super::{FoldOrder, MemoryFold};
use crate::arith::alu::Alu;
use crate::blocks::Fold;
use crate::every::forms::Hosted;
use crate::memories::memory::Host;
use crate::memories::memory::tests::Driven;
use samhw_streams::{Beat, Chan, Io, Primitive};
use samhw_testing::bench::{self, Stall};
use samhw_testing::drawn::drawn;
use samhw_values::{Fun, Rng, Type};
use std::collections::BTreeMap;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all: Vec<Hosted> = Vec::new();
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

const ADDR_W: u32 = 16;

fn memory(fun: Fun, ty: Type, words: u32) -> MemoryFold {
    let op = Fold::of(fun, ty).unwrap();
    MemoryFold { addr_w: ADDR_W, data_w: 16, words, op, signed: ty.is_signed() }
}

/// As many bitmap levels as there are, operators of one cycle and of several.
fn all() -> Vec<(MemoryFold, Fun, Type)> {
    let i16 = Type::int(16, true);
    [
        (Fun::Add, i16, 1),
        (Fun::Add, i16, 7),
        (Fun::Max, i16, 32),
        (Fun::Min, i16, 33),
        (Fun::Xor, i16, 1000),
        (Fun::Add, i16, 2500),
        (Fun::Add, Type::BF16, 40),
        (Fun::Mul, i16, 1024),
        (Fun::Mul, i16, 1025),
        (Fun::Max, i16, 40000),
    ]
    .map(|(fun, ty, words)| (memory(fun, ty, words), fun, ty))
    .into()
}

/// A run: its fill, and values with their addresses, near each other and far, often one in a row.
fn run(rng: &mut Rng, words: u64) -> (u64, Vec<(u64, u64)>) {
    let mut at = 0;
    let n = [0, 1, 5, 60, 200][rng.below(5) as usize];
    let mut next = || {
        at = match rng.below(4) {
            0 => at,
            1 => (at + 1) % words,
            2 => (at + rng.below(8)) % words,
            _ => rng.below(words),
        };
        (at, rng.bits() & 0xffff)
    };
    let writes = (0..n).map(|_| next()).collect();
    (rng.bits() & 0xffff, writes)
}

fn beats((fill, writes): &(u64, Vec<(u64, u64)>)) -> Vec<Beat> {
    let beat = |order: FoldOrder, data| Beat::pair(0, order.code(ADDR_W), data);
    let folds = writes.iter().map(|&(at, val)| beat(FoldOrder::Fold(at), val));
    [beat(FoldOrder::Begin, *fill)].into_iter().chain(folds).chain([beat(FoldOrder::End, 0)]).collect()
}

fn meaning(words: u32, fun: Fun, ty: Type, (fill, writes): &(u64, Vec<(u64, u64)>)) -> Vec<u64> {
    let mut sums: BTreeMap<u64, u64> = BTreeMap::new();
    for &(at, val) in writes {
        let sum = sums.get(&at).map_or(ty.canonical(val), |&a| fun.apply(&[a, val], ty));
        sums.insert(at, sum);
    }
    (0..u64::from(words)).map(|at| sums.get(&at).copied().unwrap_or(*fill)).collect()
}

#[test]
fn holds_what_its_runs_say_and_nothing_of_those_before() {
    let mut rng = Rng::new(3);
    for (p, fun, ty) in all() {
        let mut model = p.model(&[]);
        for n in 0..30 {
            let run = run(&mut rng, p.words.into());
            let out = bench::run(&p.ports(), model.as_mut(), &[beats(&run)], &mut [], Stall::NONE, 64).unwrap();
            assert_eq!(out.beats(0), [Beat::data(0, 1)], "run {n}");
            assert_eq!(model.memory().unwrap(), &meaning(p.words, fun, ty, &run), "{p:?}, run {n}");
        }
    }
}

#[test]
fn takes_a_write_a_cycle_also_at_one_address() {
    for (same, words) in [(true, 1000), (false, 1000), (true, 1025), (false, 1025)] {
        let writes = (0..300).map(|k| (if same { 5 } else { k }, 1)).collect();
        let p = memory(Fun::Add, Type::int(16, true), words);
        let out = bench::run_model(&p, &[], &[beats(&(0, writes))], &mut [], Stall::NONE).unwrap();
        assert_eq!(out.inputs[0], (0..302).collect::<Vec<u64>>());
        assert_eq!(out.outputs[0], [(301 + u64::from(p.latency()), Beat::data(0, 1))]);
    }
}

/// The bench has no wires for the host, so both are clocked here side by side.
#[test]
fn verilog_moves_as_the_model() {
    let mut rng = Rng::new(4);
    for (p, ..) in drawn(all(), 5) {
        let Some(mut m) = Driven::new(&p, Host::Reads) else { return };
        let mut model = p.model(&[]);
        let mut chans = [Chan::reset(); 2];
        let mut feed = (0..12).flat_map(|_| beats(&run(&mut rng, p.words.into()))).collect::<Vec<Beat>>().into_iter();
        let mut rng = Rng::new(5);
        // Until all is taken, and what is under way is settled.
        let (mut cycle, mut idle) = (0, 0);
        while idle < 200 {
            cycle += 1;
            assert!(cycle < 100_000, "{p:?}: {} writes wait", feed.len());
            // Now and then without gaps.
            if !chans[0].valid && (cycle % 500 < 250 || rng.happens(0.6)) {
                chans[0].beat = feed.next().unwrap_or_default();
                chans[0].valid = chans[0].beat != Beat::default();
            }
            chans[1].ready = rng.happens(0.5);
            m.set("write_valid", chans[0].valid.into());
            m.set("write_beat", chans[0].beat.p[1] << (ADDR_W + 1) | chans[0].beat.p[0]);
            m.set("settled_ready", chans[1].ready.into());
            let (ready, valid) = (m.get("write_ready") == 1, m.get("settled_valid") == 1);
            assert_eq!((ready, valid), (chans[0].ready, chans[1].valid), "{p:?}, cycle {cycle}");
            chans.iter_mut().for_each(Chan::latch);
            chans[0].valid &= !chans[0].fire;
            model.tick(&mut Io::new(&mut chans, &[0], &[1])).unwrap();
            m.clock();
            idle = if chans[0].valid || feed.len() > 0 { 0 } else { idle + 1 };
        }
        assert_eq!(m.host_reads(p.words.into()), *model.memory().unwrap(), "{p:?}");
    }
}

#[test]
fn a_write_beyond_the_memory_changes_nothing() {
    let p = memory(Fun::Add, Type::int(16, true), 33);
    let run = (7, vec![(2, 1), (40, 5), (4000, 6), (2 + 64, 8), (2, 1)]);
    let mut model = p.model(&[]);
    bench::run(&p.ports(), model.as_mut(), &[beats(&run)], &mut [], Stall::NONE, 64).unwrap();
    assert_eq!(model.memory().unwrap()[..4], [7, 7, 2, 7]);
    let Some(mut m) = Driven::new(&p, Host::Reads) else { return };
    drive(&mut m, &beats(&run));
    assert_eq!(m.host_reads(33), *model.memory().unwrap());
}

/// Gives `m` all of `feed`, with gaps, and waits for the token of the run.
fn drive(m: &mut Driven, feed: &[Beat]) {
    let mut feed = feed.iter().peekable();
    let mut rng = Rng::new(9);
    while m.get("settled_valid") == 0 {
        let offered = feed.peek().filter(|_| rng.happens(0.7)).copied();
        m.set("write_valid", offered.is_some().into());
        m.set("write_beat", offered.map_or(0, |b| b.p[1] << (ADDR_W + 1) | b.p[0]));
        if offered.is_some() && m.get("write_ready") == 1 {
            feed.next();
        }
        m.clock();
    }
    m.set("write_valid", 0);
    m.set("settled_ready", 1);
    m.clock();
    m.set("settled_ready", 0);
}

#[test]
fn the_host_reads_what_was_folded() {
    let mut rng = Rng::new(6);
    for (p, fun, ty) in drawn(all(), 5) {
        let Some(mut m) = Driven::new(&p, Host::Reads) else { return };
        for _ in 0..8 {
            let run = run(&mut rng, p.words.into());
            drive(&mut m, &beats(&run));
            assert_eq!(m.host_reads(p.words.into()), meaning(p.words, fun, ty, &run), "{p:?}");
        }
    }
}
