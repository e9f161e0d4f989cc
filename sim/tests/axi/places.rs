//! Coordinates that are read here and there - a search in what is located, a scan that ends early, what skips - and bits and ranks, wrong: where what was
//! read does not fit together, an error names the array, in both engines in the same cycle; else the result is right for what was read.

use super::{Bench, build, full, options, problem, seed};
use samhw_compiler::emit::axi::Watch;
use samhw_compiler::levels::Part;
use samhw_sim::axi::{Placing, Settings};
use samhw_values::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// Error code.
const COORDINATES: u32 = 10;

const LOCATE: &str = "name = \"locate\"\nexpr = \"y(i) = A(i,j) * x(j)\"\n[dims]\ni = 6\nj = 90\n[tensors.A]\nformat = \"csr\"\ntype = \"i32\"\n\
    [tensors.x]\nlevels = [\"compressed\"]\ntype = \"i32\"\n[tensors.y]\nformat = \"dense\"\ntype = \"i32\"\n[schedule]\nlocate = [\"x\"]\n\
    [data]\nA = { random = { density = 0.05, seed = 1 } }\nx = { random = { density = 0.6, seed = 2 } }\n\
    [hardware]\nmemory = \"axi\"\n[hardware.axi]\nBUS\n";

const DOT: &str = "name = \"dot\"\nexpr = \"x(i) = b(i) * c(i)\"\n[dims]\ni = 2000\n[tensors.b]\nlevels = [\"compressed\"]\ntype = \"i32\"\n\
    [tensors.c]\nlevels = [\"compressed\"]\ntype = \"i32\"\n[tensors.x]\nlevels = [\"compressed\"]\ntype = \"i32\"\n[schedule]\nskip = [\"i\"]\n\
    [data]\nb = { random = { density = DENSITY, seed = 1 } }\nc = { random = { density = 0.4, seed = 2 } }\n\
    [hardware]\nmemory = \"axi\"\n[hardware.axi]\nBUS\n";

const ENDED: &str = "name = \"ended\"\nexpr = \"y(i) = any[j](A(i,j))\"\n[dims]\ni = 8\nj = 300\n[tensors.A]\nformat = \"csr\"\n\
    type = \"bool\"\n[tensors.y]\nformat = \"dense\"\ntype = \"bool\"\n[data]\nA = { random = { density = 0.2, seed = 1 } }\n\
    [hardware]\nmemory = \"axi\"\n[hardware.axi]\nBUS\n";

/// The words of an array of a tensor's copy number 0.
fn words(bench: &Bench, name: &str) -> Vec<u64> {
    let at = buffer(bench, name);
    bench.engine.memory.buffers[at].words(bench.layout.sizes[at])
}

fn buffer(bench: &Bench, name: &str) -> usize {
    let named = |b: &samhw_sim::axi::Buffer| bench.net.arrays[b.array].name == name;
    bench.layout.buffers.iter().position(named).unwrap_or_else(|| panic!("no array {name}"))
}

/// Runs a kernel with one coordinate after the other of `array` wrong; `check`: which, all words, whether it was told.
fn each(text: &str, array: &str, rng: &mut Rng, mut check: impl FnMut(&Bench, usize, &[u64], bool)) {
    let p = problem(text);
    let net = p.declared_netlist().expect("a netlist");
    // Without assertions: they would stop at what is wrong.
    let Some(built) = build(&p, &net, &options(&p), false) else { return };
    let settings = Settings { latency: (1, 30), stall: 15, reorder: true, seed: rng.bits(), ..Settings::default() };
    let mut bench = Bench::new(&p, &net, &built, &settings, Placing::Anywhere(rng.bits()));
    bench.succeed(text);
    let at = buffer(&bench, array);
    let (right, size) = (bench.engine.memory.buffers[at].bytes.clone(), bench.layout.sizes[at]);
    let port = bench.engine.ports().iter().position(|p| p.array == bench.layout.buffers[at].array).expect("a port");
    let Some(Watch::Places { size: limit, .. }) = bench.engine.ports()[port].watch else {
        panic!("{array}: no search")
    };
    let (limit, original) = (bench.config[limit], words(&bench, array));
    let mut told = 0;
    let tries = if full() { 600 } else { 60 };
    for _ in 0..tries {
        let k = rng.below(original.len() as u64 - 1) as usize;
        let mut wrong = original.clone();
        match rng.below(4) {
            0 => wrong.swap(k, k + 1),
            1 => wrong[k] = limit + rng.below(3),
            2 => wrong[k] = rng.below(limit),
            _ => wrong[k + 1] = wrong[k],
        }
        let bytes = wrong.iter().flat_map(|w| w.to_le_bytes().into_iter().take(size)).collect();
        bench.engine.memory.buffers[at].bytes = bytes;
        for b in bench.engine.memory.buffers.iter_mut().filter(|b| b.writable) {
            b.bytes.fill(0);
        }
        let ended = bench.run(&format!("{array}[{k}]"));
        assert!([0, COORDINATES].contains(&ended.code), "{array}[{k}]: {ended:?}");
        assert!(ended.code == 0 || ended.port == port, "{array}[{k}]: {ended:?}");
        told += usize::from(ended.code != 0);
        check(&bench, k, &wrong, ended.code != 0);
        bench.engine.memory.buffers[at].bytes.clone_from(&right);
    }
    bench.succeed("right again");
    eprintln!("{array}: {told} of {tries} told");
    assert!(told > tries / 8, "{array}: {told} of {tries} told");
}

/// Places that searches for these coordinates read, and whether what is there can rise below `limit`.
fn fits(words: &[u64], limit: u64, wanted: &[u64]) -> bool {
    let mut read = BTreeSet::new();
    for &c in wanted {
        let (mut low, mut high) = (0, words.len());
        while low < high {
            let middle = (low + high) / 2;
            read.insert(middle);
            match words[middle].cmp(&c) {
                std::cmp::Ordering::Equal => break,
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
    }
    let keys: Vec<i64> = read.iter().map(|&k| words[k] as i64 - k as i64).collect();
    let inside = keys.iter().all(|&k| k >= 0 && k <= limit as i64 - words.len() as i64);
    inside && keys.windows(2).all(|w| w[0] <= w[1])
}

fn located(bus: &str, rng: &mut Rng) {
    each(&LOCATE.replace("BUS", bus), "x_crd0", rng, |bench, k, wrong, told| {
        let columns = words(bench, "A_seg1").last().map_or(0, |&end| end as usize);
        let wanted = &words(bench, "A_crd1")[..columns];
        let entries = words(bench, "x_seg0")[1] as usize;
        assert_eq!(!fits(&wrong[..entries], 90, wanted), told, "x_crd0[{k}] among {wrong:?}");
    });
}

#[test]
fn what_a_search_reads_on_the_chip_fits_or_is_told() {
    located("data_width = 32", &mut Rng::new(seed()));
}

#[test]
fn what_a_search_reads_in_a_window_fits_or_is_told() {
    located("on_chip = 0\ndata_width = 128\nmasters = 2", &mut Rng::new(seed()));
}

/// Coordinates with their values.
fn entries(bench: &Bench, tensor: &str, crd: &[u64]) -> BTreeMap<u64, u64> {
    crd.iter().copied().zip(words(bench, &format!("{tensor}_vals"))).collect()
}

/// A product of two that skip: no coordinate is harmed but the one that was there and the one that is.
fn skipped(density: &str, rng: &mut Rng) {
    let text = DOT.replace("DENSITY", density).replace("BUS", "data_width = 64");
    each(&text, "c_crd0", rng, |bench, k, wrong, told| {
        if told {
            return;
        }
        let count = words(bench, "x_seg0")[1] as usize;
        let x = entries(bench, "x", &words(bench, "x_crd0")[..count]);
        let b = entries(bench, "b", &words(bench, "b_crd0"));
        let c = entries(bench, "c", wrong);
        let touched: BTreeSet<u64> = (k.saturating_sub(1)..=k + 1).filter_map(|n| wrong.get(n).copied()).collect();
        for i in (0..2000).filter(|i| !touched.contains(i)) {
            let both = b.get(&i).zip(c.get(&i)).map(|(b, c)| u64::from((*b as u32).wrapping_mul(*c as u32)));
            assert_eq!(x.get(&i).copied(), both, "{i}: c_crd0[{k}] among {wrong:?}");
        }
    });
}

#[test]
fn what_a_product_skips_fits_or_is_told() {
    skipped("0.3", &mut Rng::new(seed()));
    skipped("0.02", &mut Rng::new(seed() + 1));
}

/// Of rows that their first value decides parts are read; which coordinates they have changes nothing.
#[test]
fn what_a_scan_that_ends_reads_fits_or_is_told() {
    each(&ENDED.replace("BUS", "data_width = 32"), "A_crd1", &mut Rng::new(seed()), |bench, k, wrong, told| {
        let y = words(bench, "y_vals");
        assert!(told || y[..8].iter().all(|&v| v == 1), "{y:?}: A_crd1[{k}] among {wrong:?}");
    });
}

/// Words of bit vectors with bits beyond the size, and ranks that do not count their ones: an error that names them or the ranks. What is not told
/// are the last word's bits, which no rank counts, below the size.
#[test]
fn words_and_ranks_that_do_not_fit_are_told() {
    let text = |last: &str, locate: &str| {
        format!(
            "name = \"bits\"\nexpr = \"y(i) = A(i,j) * x(j)\"\n[dims]\ni = 5\nj = 200\n[tensors.A]\nformat = \"csr\"\ntype = \"i32\"\n\
             [tensors.x]\nlevels = [\"{last}\"]\ntype = \"i32\"\n[tensors.y]\nformat = \"dense\"\ntype = \"i32\"\n[schedule]\n{locate}\n\
             [data]\nA = {{ random = {{ density = 0.4, seed = 3 }} }}\nx = {{ random = {{ density = 0.5, seed = 4 }} }}\n\
             [hardware]\nmemory = \"axi\"\n[hardware.axi]\ndata_width = 64\n"
        )
    };
    let mut rng = Rng::new(seed());
    for text in [text("compressed", "bitvector = { j = 16 }"), text("bitvector32", "locate = [\"x\"]")] {
        let p = problem(&text);
        let net = p.declared_netlist().expect("a netlist");
        let Some(built) = build(&p, &net, &options(&p), false) else { return };
        let settings = Settings { latency: (1, 30), stall: 15, reorder: true, seed: rng.bits(), ..Settings::default() };
        let mut bench = Bench::new(&p, &net, &built, &settings, Placing::Anywhere(rng.bits()));
        bench.succeed(&text);
        let named = |bench: &Bench, port: usize| net.arrays[bench.engine.ports()[port].array].name.clone();
        let arrays: Vec<usize> = bench.layout.buffers.iter().map(|b| b.array).collect();
        let (mut told, mut tried) = (0, 0);
        for (at, &array) in arrays.iter().enumerate() {
            let of = &net.arrays[array];
            let (right, size) = (bench.engine.memory.buffers[at].bytes.clone(), bench.layout.sizes[at]);
            let width = match of.part {
                Part::Bits(_, width) => width as usize,
                Part::Rank(..) => 5,
                _ => continue,
            };
            for _ in 0..if full() { 200 } else { 25 } {
                let words = right.len() / size;
                let (k, bit) = (rng.below(words as u64) as usize, rng.below(width as u64) as usize);
                bench.engine.memory.buffers[at].bytes[k * size + bit / 8] ^= 1 << (bit % 8);
                let what = format!("bit {bit} of {}[{k}]", of.name);
                let ended = bench.run(&what);
                tried += 1;
                match ended.code {
                    COORDINATES => {
                        let name = named(&bench, ended.port);
                        assert!(name == of.name || name == of.name.replace("bits", "rank"), "{what}: {name}");
                        told += 1;
                    }
                    // Beyond the array of values.
                    5 => {}
                    code => assert_eq!(code, 0, "{what}"),
                }
                bench.engine.memory.buffers[at].bytes.clone_from(&right);
            }
        }
        bench.succeed("right again");
        eprintln!("{told} of {tried} told");
        assert!(told * 10 > tried * 7, "{told} of {tried} told: {text}");
    }
}
