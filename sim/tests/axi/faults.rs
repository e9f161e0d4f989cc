//! What a host must survive: errors on the bus, a start while busy, resets at any time, arrays that are too small,
//! sizes of zero and segments that are wrong.

use super::{Bench, WATCHDOG, build, full, options, problem, seed};
use samhw_compiler::emit::axi::{Holds, HostAccess};
use samhw_compiler::levels::Part;
use samhw_sim::axi::{AxiBuilt, Fail, Fault, Faulty, Placing, Settings};
use samhw_sim::run::Problem;
use samhw_streams::Tells;
use samhw_values::Rng;

const STATUS: u32 = 0x14;
const CONTROL: u32 = 0x10;

pub(super) const TEXT: &str = "name = \"f\"\nexpr = \"X(i,j) = B(i,j) + C(i,j)\"\n[dims]\ni = 24\nj = 24\n\
    [tensors.B]\nformat = \"csr\"\ntype = \"i32\"\n[tensors.C]\nformat = \"csr\"\ntype = \"i32\"\n\
    [tensors.X]\nformat = \"csr\"\ntype = \"i32\"\n[data]\nB = { random = { density = 0.3, seed = 1 } }\n\
    C = { random = { density = 0.3, seed = 2 } }\n[hardware]\nmemory = \"axi\"\n";

fn settings(rng: &mut Rng) -> Settings {
    Settings { latency: (1, 40), stall: 20, reorder: true, seed: rng.bits(), ..Settings::default() }
}

fn bench<'a>(
    p: &'a Problem,
    built: &'a AxiBuilt<'a>,
    net: &'a samhw_compiler::netlist::Netlist,
    rng: &mut Rng,
) -> Bench<'a> {
    Bench::new(p, net, built, &settings(rng), Placing::Anywhere(rng.bits()))
}

#[test]
fn faults_are_reported_and_survived() {
    let mut rng = Rng::new(seed());
    let p = problem(TEXT);
    let net = p.declared_netlist().expect("a netlist");
    // Without assertions: they would stop at segments that are wrong.
    let Some(built) = build(&p, &net, &options(&p), false) else { return };
    errors_on_the_bus(&p, &net, &built, &mut rng);
    registers(&mut bench(&p, &built, &net, &mut rng), &mut rng);
    a_start_while_busy(&mut bench(&p, &built, &net, &mut rng));
    resets(&mut bench(&p, &built, &net, &mut rng), &mut rng);
    small_results(&mut bench(&p, &built, &net, &mut rng));
    sizes(&mut bench(&p, &built, &net, &mut rng));
    wrong_segments(&mut bench(&p, &built, &net, &mut rng), &mut rng);
    watchdog(&mut bench(&p, &built, &net, &mut rng));
}

/// Errors at any line read and any burst written, then a run that is right.
fn errors_on_the_bus(p: &Problem, net: &samhw_compiler::netlist::Netlist, built: &AxiBuilt, rng: &mut Rng) {
    let mut bench = bench(p, built, net, rng);
    bench.succeed("before");
    let moved = bench.engine.memory.busiest();
    for (of, most, first) in [(Faulty::Read, moved.lines_read, 1), (Faulty::Write, moved.writes, 3)] {
        for k in 0..12 {
            let number = if k == 0 { 0 } else { rng.below(most / 2) };
            let decode = rng.chance(50);
            bench.engine.memory.fault(Some(Fault { of, number, decode, manager: None }));
            let ended = bench.run("a fault");
            assert_eq!(ended.code, first + u32::from(decode), "{of:?} {number}");
            let reads = built.axi.readers();
            assert!(if first == 1 { ended.port < reads } else { ended.port >= reads }, "{of:?} at port {}", ended.port);
            bench.engine.memory.fault(None);
            bench.succeed("after an error");
        }
    }
}

/// What a register that held `before` holds when the bytes of `value` that `strobe` says are written.
fn stored(before: u32, value: u32, strobe: u32) -> u32 {
    let written = (0..4).filter(|b| strobe >> b & 1 == 1).fold(0, |m, b| m | 0xff_u32 << (8 * b));
    before & !written | value & written
}

/// Registers of the kernel's own keep the bytes that were written, whenever a host drives what, as
/// does the watchdog's; others ignore writes.
fn registers(bench: &mut Bench, rng: &mut Rng) {
    bench.engine.at_random(rng.bits());
    let registers = bench.engine.axi().registers.clone();
    for r in &registers {
        for k in 0..r.words {
            let (offset, before) = (r.offset + 4 * k, bench.engine.read(r.offset + 4 * k).expect("registers"));
            let (value, strobe) = (rng.bits() as u32, rng.below(16) as u32);
            bench.engine.write_bytes(offset, value, strobe).expect("registers");
            let writes = r.access() != HostAccess::Read;
            let wanted = if writes { stored(before, value, strobe) } else { before };
            assert_eq!(
                bench.engine.read(offset).expect("registers"),
                wanted,
                "{} after {value:#x} at {strobe:#b}",
                r.name
            );
            bench.engine.write(offset, before).expect("registers");
        }
    }
    for strobe in 0..16 {
        let before = bench.engine.read(WATCHDOG).expect("registers");
        let value = rng.bits() as u32;
        bench.engine.write_bytes(WATCHDOG, value, strobe).expect("registers");
        let wanted = stored(before, value, strobe);
        assert_eq!(bench.engine.read(WATCHDOG).expect("registers"), wanted, "{value:#x} at {strobe:#b}");
    }
    bench.engine.write(WATCHDOG, 1 << 20).expect("registers");
    // Where there is no register: SLVERR, and nothing changes.
    let end = registers.last().map_or(0, |r| r.offset + 4 * r.words);
    for offset in [0x34, 0x40, 0xfc, end, end + 4, 0xffc] {
        for answered in [bench.engine.write(offset, !0), bench.engine.read(offset).map(|_| ())] {
            let Err(Fail::Bus(violation)) = answered else { panic!("{offset:#x}: {answered:?}") };
            assert!(violation.to_string().contains("answer 2"), "{violation}");
        }
    }
    bench.succeed("after all registers were written");
}

fn a_start_while_busy(bench: &mut Bench) {
    bench.engine.start().expect("registers");
    bench.engine.write(CONTROL, 1).expect("registers");
    assert_eq!(bench.engine.read(STATUS).expect("registers"), 9, "busy and refused");
    let ended = bench.engine.finish(1 << 20).expect("it ends");
    assert_eq!(ended.code, 0);
    bench.right("a start while busy");
    assert_eq!(bench.engine.read(STATUS).expect("registers"), 10, "done and refused");
    bench.engine.clear().expect("registers");
    assert_eq!(bench.engine.read(STATUS).expect("registers"), 0);
    bench.succeed("afterwards");
}

/// Resets at random cycles of a run, or at all of them, each followed by a run.
fn resets(bench: &mut Bench, rng: &mut Rng) {
    let cycles = bench.succeed("before resets");
    for k in 0..if full() { cycles } else { 12 } {
        bench.engine.start().expect("registers");
        for _ in 0..if full() { k } else { rng.below(cycles) } {
            bench.engine.clock().expect("the bus");
        }
        bench.engine.reset(1 << 12).expect("it rests");
        assert!(
            !bench.engine.ended() && bench.engine.memory.idle(),
            "a reset ends without an interrupt, when all is still"
        );
        bench.succeed("after a reset");
    }
    bench.engine.reset(1 << 12).expect("it rests");
    bench.succeed("after a reset between runs");
}

/// Capacities that are too small: an error, the count that was needed, nothing written beyond.
fn small_results(bench: &mut Bench) {
    let net = bench.net;
    for (k, a) in net.arrays.iter().enumerate().filter(|(_, a)| a.host_reads) {
        let port = bench_port(bench, k);
        let at = bench.layout.buffers.iter().position(|b| b.array == k).expect("a buffer");
        let size = bench.layout.sizes[at];
        let whole = bench.engine.memory.buffers[at].bytes.clone();
        for words in [0, 1, 7] {
            bench.engine.set(Holds::Words(k), words).expect("registers");
            bench.engine.memory.buffers[at].bytes = whole[..words as usize * size].to_vec();
            let ended = bench.run("a fault");
            assert_eq!(ended.code, 6, "{} with room for {words}", a.name);
            assert_eq!(ended.port, port, "{} is named", a.name);
            let count = net
                .statuses
                .iter()
                .position(|s| s.name.starts_with("write_X_vals") && s.tells == Tells::Words)
                .expect("a count");
            let stored = bench.problem.reference.values().map(|o| o.stored.len() as u64).max();
            assert_eq!(Some(bench.engine.status(count).expect("registers")), stored, "the count that was needed");
        }
        bench.engine.memory.buffers[at].bytes.clone_from(&whole);
        bench.engine.set(Holds::Words(k), (whole.len() / size) as u64).expect("registers");
        bench.succeed("with room again");
    }
}

fn bench_port(bench: &Bench, array: usize) -> usize {
    bench.engine.ports().iter().position(|p| p.array == array).expect("a port")
}

/// Sizes of zero give empty results; larger ones than the hardware takes and bases that are not aligned are refused.
fn sizes(bench: &mut Bench) {
    let config = bench.config.clone();
    for k in 0..config.len() {
        bench.engine.set(Holds::Config(k), 0).expect("registers");
    }
    assert_eq!(bench.run("a fault").code, 0, "all sizes are zero");
    bench.engine.set(Holds::Config(0), 25).expect("registers");
    assert_eq!(bench.verilog("a fault").code, 8, "a size too large");
    for (k, &value) in config.iter().enumerate() {
        bench.engine.set(Holds::Config(k), value).expect("registers");
    }
    let ports = bench.engine.ports().to_vec();
    for (n, p) in ports.iter().enumerate().filter(|(_, p)| p.size_log2 > 0) {
        let base = bench.layout.buffers.iter().find(|b| b.array == p.array).expect("a buffer").base;
        bench.engine.set(Holds::Base(p.array), base + 1).expect("registers");
        let ended = bench.verilog("a fault");
        assert_eq!((ended.code, ended.port), (9, n), "a base that is not aligned");
        bench.engine.set(Holds::Base(p.array), base).expect("registers");
    }
    bench.succeed("with right sizes");
}

/// Segments that go back or beyond the array: an error that names them, or the coordinates, which no longer rise; in both engines. Others
/// make fibers of other places: a run that ends.
fn wrong_segments(bench: &mut Bench, rng: &mut Rng) {
    let arrays: Vec<usize> = bench.layout.buffers.iter().map(|b| b.array).collect();
    let net = bench.net;
    let of = |b: usize| &net.arrays[arrays[b]];
    let operands = (0..bench.layout.buffers.len()).filter(|&b| !bench.layout.buffers[b].writable);
    let segments: Vec<usize> = operands.filter(|&b| matches!(of(b).part, Part::Seg(_))).collect();
    assert!(!segments.is_empty());
    let mut named = 0;
    for n in 0..24 {
        let at = segments[n % segments.len()];
        let Part::Seg(level) = of(at).part else { panic!("segments") };
        let beside = |b: &samhw_sim::axi::Buffer| {
            let a = &net.arrays[b.array];
            (a.of, a.part) == (of(at).of, Part::Crd(level))
        };
        let beside = bench.layout.buffers.iter().position(beside).expect("coordinates");
        let [own, crd] = [at, beside].map(|b| bench_port(bench, arrays[b]));
        let entries = (bench.layout.buffers[beside].bytes.len() / bench.layout.sizes[beside]) as u64;
        let (right, size) = (bench.engine.memory.buffers[at].bytes.clone(), bench.layout.sizes[at]);
        for _ in 0..1 + rng.below(4) {
            let k = rng.below(right.len() as u64) as usize;
            bench.engine.memory.buffers[at].bytes[k] = rng.bits() as u8;
        }
        let data_w = bench.engine.ports()[own].data_w;
        let words = bench.engine.memory.buffers[at].words(size);
        let words: Vec<u64> = words.iter().map(|w| w & (u64::MAX >> (64 - data_w))).collect();
        let wrong = words.windows(2).any(|w| w[1] < w[0] || w[1] > entries);
        bench.engine.write(WATCHDOG, 4000).expect("registers");
        let ended = bench.run(&format!("segments {words:?}"));
        if wrong {
            assert_eq!(ended.code, 10, "{words:?}");
            assert!([own, crd].contains(&ended.port), "{words:?}: port {}", ended.port);
            named += usize::from(ended.port == own);
        } else {
            assert!([0, 6, 7, 10].contains(&ended.code), "{words:?}: code {}", ended.code);
        }
        bench.engine.memory.buffers[at].bytes.clone_from(&right);
        bench.succeed("with right segments");
    }
    assert!(named > 0, "segments are named");
}

/// A watchdog that is too short for the memory's latency.
fn watchdog(bench: &mut Bench) {
    bench.engine.write(WATCHDOG, 2).expect("registers");
    assert_eq!(bench.run("a fault").code, 7);
    bench.engine.write(WATCHDOG, 0).expect("registers");
    bench.succeed("without a watchdog");
}
