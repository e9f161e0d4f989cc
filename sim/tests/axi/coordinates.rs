//! Coordinates that are wrong: an error that names their array, in both engines in the same cycle, and nothing else is harmed.

use super::{Bench, build, options, problem, seed};
use samhw_compiler::emit::axi::Watch;
use samhw_compiler::levels::Part;
use samhw_primitives::axi::Fiber;
use samhw_sim::axi::{Placing, Settings};
use samhw_values::Rng;

const ADD: &str = "name = \"add\"\nexpr = \"X(i,j) = B(i,j) + C(i,j)\"\n[dims]\ni = 24\nj = 24\n\
    [tensors.B]\nformat = \"csr\"\ntype = \"i32\"\n[tensors.C]\nformat = \"coo\"\ntype = \"i32\"\n\
    [tensors.X]\nformat = \"csr\"\ntype = \"i32\"\n[data]\nB = { random = { density = 0.3, seed = 1 } }\n\
    C = { random = { density = 0.3, seed = 2 } }\n[hardware]\nmemory = \"axi\"\n";

/// Rows of C are copied to the chip, or read tile by tile.
const MUL: &str = "name = \"mul\"\nexpr = \"X(i,j) = B(i,k) * C(k,j)\"\norder = [ORDER]\n[dims]\ni = 12\nj = 12\nk = 12\n\
    [tensors.B]\nformat = \"dcsr\"\ntype = \"i32\"\n[tensors.C]\nformat = \"dcsr\"\ntype = \"i32\"\n\
    [tensors.X]\nformat = \"dcsr\"\ntype = \"i32\"\n[data]\nB = { random = { density = 0.4, seed = 1 } }\n\
    C = { random = { density = 0.4, seed = 2 } }\n[schedule]\nSPLIT\n[hardware]\nmemory = \"axi\"\n[hardware.axi]\nBUS\n";

/// What skips reads pairs.
const SKIP: &str = "name = \"dot\"\nexpr = \"x(i) = b(i) * c(i)\"\n[dims]\ni = 200\n[tensors.b]\nlevels = [\"compressed\"]\ntype = \"i16\"\n\
    [tensors.c]\nlevels = [\"compressed\"]\ntype = \"i16\"\n[tensors.x]\nlevels = [\"compressed\"]\ntype = \"i16\"\n[schedule]\nskip = [\"i\"]\n\
    [data]\nb = { random = { density = 0.5, seed = 1 } }\nc = { random = { density = 0.5, seed = 2 } }\n\
    [hardware]\nmemory = \"axi\"\n";

/// Error code.
const COORDINATES: u32 = 10;

/// What is made of the coordinates of a fiber.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wrong {
    /// The last two are exchanged.
    Order,
    /// The last one is the one before it.
    Twice,
    /// The last one is the size of the dimension.
    Size,
    /// The last one is as large as its word can be.
    Largest,
}

impl Wrong {
    const ALL: [Self; 4] = [Self::Order, Self::Twice, Self::Size, Self::Largest];

    fn apply(self, fiber: &mut [u64], size: u64, data_w: u32) {
        let n = fiber.len();
        match self {
            Self::Order if n > 1 => fiber.swap(n - 1, n - 2),
            Self::Twice if n > 1 => fiber[n - 1] = fiber[n - 2],
            Self::Order | Self::Twice => {}
            Self::Size => fiber[n - 1] = size,
            Self::Largest => fiber[n - 1] = u64::MAX >> (64 - data_w),
        }
    }
}

/// Number of the size that coordinates are below, and whether neighbours may be equal.
fn told(watch: Watch) -> Option<(usize, bool)> {
    match watch {
        Watch::Fibers { size, fiber: fiber @ (Fiber::Rises | Fiber::Repeats) } => Some((size, fiber == Fiber::Repeats)),
        Watch::Places { size, here, .. } => Some((size, here.repeats)),
        Watch::Fibers { .. } | Watch::Segments(_) | Watch::Ranks { .. } => None,
    }
}

/// Whether these coordinates of a fiber are wrong.
fn shows(repeats: bool, size: u64, fiber: &[u64]) -> bool {
    let falls = |w: &[u64]| if repeats { w[1] < w[0] } else { w[1] <= w[0] };
    fiber.iter().any(|&c| c >= size) || fiber.windows(2).any(falls)
}

/// Makes every fiber of every array of coordinates wrong in turn in every way; how often that was found. `all`: the kernel reads all fibers.
fn each(bench: &mut Bench, all: bool) -> usize {
    let mut found = 0;
    for (number, port) in bench.engine.ports().to_vec().iter().enumerate() {
        let Some((of_size, repeats)) = port.watch.and_then(told) else { continue };
        let array = bench.net.arrays[port.array].clone();
        let Part::Crd(level) = array.part else { panic!("{} has no coordinates", array.name) };
        let at = |bench: &Bench, part| {
            let of = |b: &samhw_sim::axi::Buffer| {
                let a = &bench.net.arrays[b.array];
                (a.of, a.part) == (array.of, part)
            };
            bench.layout.buffers.iter().position(of)
        };
        let place = at(bench, Part::Crd(level)).expect("a buffer");
        let size = bench.layout.sizes[place];
        let right = bench.engine.memory.buffers[place].bytes.clone();
        let words = bench.engine.memory.buffers[place].words(size);
        let segments = at(bench, Part::Seg(level)).map(|b| bench.engine.memory.buffers[b].words(bench.layout.sizes[b]));
        // COO's inner level has no segments: entries of a row are one. There may be a word more than entries.
        let rows = || {
            let entries = at(bench, Part::Values).expect("values");
            let entries = bench.layout.buffers[entries].bytes.len() / bench.layout.sizes[entries];
            let above = at(bench, Part::Crd(level - 1)).expect("rows");
            let above = &bench.engine.memory.buffers[above].words(bench.layout.sizes[above])[..entries];
            let begins = (1..entries).filter(|&k| above[k] != above[k - 1]);
            [0].into_iter().chain(begins).chain([entries]).map(|k| k as u64).collect()
        };
        let bounds = segments.unwrap_or_else(rows);
        let fibers: Vec<_> =
            bounds.windows(2).map(|w| w[0] as usize..w[1] as usize).filter(|f| !f.is_empty()).collect();
        for wrong in Wrong::ALL {
            for k in [0, fibers.len() / 2, fibers.len() - 1] {
                let (mut words, fiber) = (words.clone(), fibers[k].clone());
                wrong.apply(&mut words[fiber.clone()], bench.config[of_size], port.data_w);
                let bytes = words.iter().flat_map(|w| w.to_le_bytes().into_iter().take(size)).collect();
                bench.engine.memory.buffers[place].bytes = bytes;
                let what = format!("{wrong:?} in fiber {k} of {}, {:?}", array.name, port.watch);
                let shows = shows(repeats, bench.config[of_size], &words[fiber.clone()]);
                if shows || all {
                    let ended = bench.run(&what);
                    if ended.code == COORDINATES {
                        assert_eq!(ended.port, number, "{what}");
                        found += 1;
                    } else {
                        assert!(ended.code == 0 && !(shows && all), "{what}: {ended:?}");
                    }
                }
                bench.engine.memory.buffers[place].bytes.clone_from(&right);
            }
        }
        bench.succeed(&format!("{} is right again", array.name));
    }
    found
}

/// At least this number is found.
fn run(text: &str, all: bool, least: usize, rng: &mut Rng) {
    let p = problem(text);
    let net = p.declared_netlist().expect("a netlist");
    // Without assertions: they would stop at what is wrong.
    let Some(built) = build(&p, &net, &options(&p), false) else { return };
    let settings = Settings { latency: (1, 40), stall: 20, reorder: true, seed: rng.bits(), ..Settings::default() };
    let mut bench = Bench::new(&p, &net, &built, &settings, Placing::Anywhere(rng.bits()));
    bench.succeed(text);
    let found = each(&mut bench, all);
    eprintln!("{}: {found} found", p.lowered.kernel.name);
    assert!(found >= least, "{text}: {found}");
}

#[test]
fn wrong_coordinates_of_rows_are_errors() {
    run(ADD, true, 20, &mut Rng::new(seed()));
}

#[test]
fn wrong_coordinates_on_the_chip_are_errors() {
    let text = MUL.replace("ORDER", "\"i\", \"k\", \"j\"").replace("SPLIT", "").replace("BUS", "data_width = 32");
    run(&text, false, 12, &mut Rng::new(seed()));
}

#[test]
fn wrong_coordinates_of_tiles_are_errors() {
    let text = MUL.replace("ORDER", "\"i0\", \"k0\", \"j0\", \"i1\", \"k1\", \"j1\"");
    let text = text.replace("SPLIT", "split = { i = 4, k = 4, j = 4 }").replace("BUS", "on_chip = 0\ntile = 256");
    run(&text, false, 12, &mut Rng::new(seed()));
}

#[test]
fn wrong_coordinates_of_what_skips_are_errors() {
    run(SKIP, false, 6, &mut Rng::new(seed()));
}
