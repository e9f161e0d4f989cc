//! Arrays with anything in them - segments, coordinates, words of bit vectors, beginnings of tiles, for every format: a run ends, with an error
//! or without, nothing is written outside the results, and the next run is right.

use super::{Bench, WATCHDOG, build, full, options, problem, seed};
use samhw_compiler::levels::Part;
use samhw_sim::axi::{Placing, Settings};
use samhw_testing::drawn::drawn;
use samhw_values::Rng;

/// Expression, tensors (name, format or levels), order and schedule, bus.
type Kernel = (&'static str, &'static [(&'static str, &'static str)], &'static str, &'static str);

const COMPRESSED: &str = "levels = [\"compressed\"]";

const KERNELS: [Kernel; 9] = [
    // Bit vectors at two managers.
    (
        "x(i) = b(i) * c(i)",
        &[("b", COMPRESSED), ("c", COMPRESSED), ("x", COMPRESSED)],
        "bitvector = { i = 16 }",
        "masters = 2",
    ),
    // Tiles, and rows of them on the chip.
    (
        "X(i,j) = B(i,k) * C(k,j)",
        &[("B", "format = \"dcsr\""), ("C", "format = \"dcsr\""), ("X", "format = \"dcsr\"")],
        "split = { i = 8, k = 8, j = 8 }",
        "masters = 3\ntile = 128\non_chip = 64",
    ),
    (
        "X(i,j) = B(i,j) + C(i,j)",
        &[("B", "format = \"coo\""), ("C", "format = \"csr\""), ("X", "format = \"csr\"")],
        "",
        "",
    ),
    (
        "X(i,j) = B(i,k) * C(k,j)",
        &[("B", "format = \"csr\""), ("C", "format = \"csr\""), ("X", "format = \"csr\"")],
        "",
        "masters = 2\non_chip = 0",
    ),
    (
        "X(i,j) = B(i,j) * C(i,j)",
        &[("B", "format = \"dcsc\""), ("C", "format = \"dcsc\""), ("X", "format = \"dcsc\"")],
        "skip = [\"i\", \"j\"]",
        "data_width = 32",
    ),
    (
        "y(i) = A(i,j) * x(j)",
        &[("A", "format = \"csr\""), ("x", "format = \"dense\""), ("y", "format = \"dense\"")],
        "locate = [\"x\"]",
        "",
    ),
    (
        "y(i) = A(i,j) * x(j)",
        &[("A", "format = \"csr\""), ("x", "format = \"dense\""), ("y", COMPRESSED)],
        "lanes = { j = 2 }",
        "data_width = 128",
    ),
    // A search in what is compressed.
    (
        "y(i) = A(i,j) * x(j)",
        &[("A", "format = \"dcsr\""), ("x", COMPRESSED), ("y", COMPRESSED)],
        "locate = [\"x\"]",
        "address_width = 64",
    ),
    (
        "x(i) = b(i) + c(i)",
        &[("b", COMPRESSED), ("c", COMPRESSED), ("x", COMPRESSED)],
        "split = { i = 16 }\nbitvector = { i0 = 8, i1 = 16 }",
        "",
    ),
];

/// Kernels of a default run.
const SOME: usize = 1;

fn text((expr, tensors, schedule, bus): &Kernel) -> String {
    let mut out = format!("name = \"k\"\nexpr = \"{expr}\"\n[schedule]\n{schedule}\n[dims]\n");
    for v in ["i", "j", "k"].iter().filter(|v| expr.contains(&format!("({v}")) || expr.contains(&format!(",{v}"))) {
        out += &format!("{v} = {}\n", if expr.contains(',') { 24 } else { 200 });
    }
    let mut data = String::from("[data]\n");
    for (n, (name, format)) in tensors.iter().enumerate() {
        out += &format!("[tensors.{name}]\n{format}\ntype = \"i32\"\n");
        if n + 1 < tensors.len() {
            data += &format!("{name} = {{ random = {{ density = 0.3, seed = {} }} }}\n", n + 1);
        }
    }
    format!("{out}{data}[hardware]\nmemory = \"axi\"\n[hardware.axi]\n{bus}\n")
}

/// What is made of an array.
#[derive(Debug, Clone, Copy)]
enum How {
    /// Some bytes are anything.
    Some,
    /// All of them are.
    All,
    /// All bits are ones, or zeros.
    Fill(u8),
    /// Its words are in the opposite order.
    Back,
}

impl How {
    const EVERY: [Self; 5] = [Self::Some, Self::All, Self::Fill(0), Self::Fill(0xff), Self::Back];

    fn apply(self, bytes: &mut [u8], size: usize, rng: &mut Rng) {
        match self {
            Self::Some => (0..3).for_each(|_| bytes[rng.below(bytes.len() as u64) as usize] = rng.bits() as u8),
            Self::All => bytes.iter_mut().for_each(|b| *b = rng.bits() as u8),
            Self::Fill(byte) => bytes.fill(byte),
            Self::Back => {
                bytes.reverse();
                bytes.chunks_mut(size).for_each(<[u8]>::reverse);
            }
        }
    }
}

#[test]
fn anything_in_memory_is_survived() {
    let mut rng = Rng::new(seed());
    for kernel in drawn(&KERNELS, SOME) {
        let p = problem(&text(kernel));
        let net = p.declared_netlist().expect("a netlist");
        // Without assertions: they would stop at what is wrong.
        let Some(built) = build(&p, &net, &options(&p), false) else { return };
        let settings = Settings { latency: (1, 60), stall: 20, reorder: true, seed: rng.bits(), ..Settings::default() };
        let mut bench = Bench::new(&p, &net, &built, &settings, Placing::Anywhere(rng.bits()));
        bench.succeed("before");
        bench.engine.write(WATCHDOG, 2000).expect("registers");
        let (mut codes, mut parts) = ([0; 11], 0);
        for at in 0..bench.layout.buffers.len() {
            let array = &net.arrays[bench.layout.buffers[at].array];
            if array.host_reads || array.part == Part::Values || bench.layout.buffers[at].bytes.is_empty() {
                continue;
            }
            parts += 1;
            let (right, size) = (bench.engine.memory.buffers[at].bytes.clone(), bench.layout.sizes[at]);
            for how in How::EVERY {
                for _ in 0..if full() { 8 } else { 1 } {
                    how.apply(&mut bench.engine.memory.buffers[at].bytes, size, &mut rng);
                    let what = format!("{how:?} in {}: {kernel:?}", array.name);
                    let ended = bench.verilog(&what);
                    assert!([0, 5, 6, 7, 10].contains(&ended.code), "{what}: code {}", ended.code);
                    assert!(bench.engine.memory.idle(), "{what}: something is still on the bus");
                    codes[ended.code as usize] += 1;
                    bench.engine.memory.buffers[at].bytes.clone_from(&right);
                }
            }
            bench.succeed(&format!("{} is right again: {kernel:?}", array.name));
        }
        eprintln!("{}: {parts} arrays, runs by code {codes:?}", p.lowered.kernel);
        assert!(parts > 0 && codes[5] + codes[10] > 0, "{kernel:?}: {codes:?}");
    }
}
