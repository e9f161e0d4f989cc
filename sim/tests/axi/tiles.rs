//! Tensors larger than the chip's memories, tile by tile: right whatever the tiles, the memory and what is told of them, and
//! faster than without.

use super::{Bench, bill, build, full, memories, options, problem, seed};
use samhw_compiler::emit::axi::PortMode;
use samhw_compiler::levels::Part;
use samhw_sim::axi::Placing;
use samhw_testing::drawn::drawn;
use samhw_values::Rng;

/// Expression, loop order, levels of tensors, tile sizes, bus.
type Kernel = (&'static str, &'static str, &'static [(&'static str, &'static str)], &'static str, &'static str);

const KERNELS: [Kernel; 7] = [
    // Tiles of C are next to each other in memory.
    (
        "X(i,j) = B(i,k) * C(k,j)",
        "i0 k0 j0 i1 k1 j1",
        &[("B", "cc"), ("C", "cc"), ("X", "cc")],
        "i = 8, k = 8, j = 8",
        "tile = 256\non_chip = 0",
    ),
    // They are not; a tile may be larger than the room for it; rows of C are located.
    (
        "X(i,j) = B(i,k) * C(k,j)",
        "i0 j0 k0 i1 k1 j1",
        &[("B", "dc"), ("C", "dc"), ("X", "dc")],
        "i = 16, k = 8, j = 16",
        "data_width = 256\ntile = 128\non_chip = 128",
    ),
    // Tiles of dense levels.
    (
        "y(i) = A(i,j) * x(j)",
        "j0 i0 i1 j1",
        &[("A", "cc"), ("x", "d"), ("y", "c")],
        "i = 8, j = 16",
        "data_width = 128\non_chip = 64",
    ),
    // Tiles of bit vectors: two words a fiber.
    (
        "X(i,j) = B(i,k) * C(k,j)",
        "i0 k0 j0 i1 k1 j1",
        &[("B", "bb"), ("C", "bb"), ("X", "cc")],
        "i = 16, k = 16, j = 16",
        "tile = 256\non_chip = 0",
    ),
    // Three operands; only one index is split.
    (
        "X(i,j) = B(i,j) * C(i,k) * D(k,j)",
        "k0 i j k1",
        &[("B", "cc"), ("C", "cc"), ("D", "dc"), ("X", "cc")],
        "k = 8",
        "data_width = 32\ntile = 512\non_chip = 0",
    ),
    // Tiles in tiles: the larger ones of B and C may have no room.
    (
        "X(i,j) = B(i,k) * C(k,j)",
        "i0 k0 j0 i1 k1 j1 i2 k2 j2",
        &[("B", "cc"), ("C", "dc"), ("X", "cc")],
        "i = [16, 4], k = [16, 8], j = [16, 8]",
        "tile = 256\non_chip = 0",
    ),
    // Lanes fetch tiles of x together; some rows have nothing in a tile.
    (
        "y(i) = A(i,j) * x(j)",
        "j0 i j1",
        &[("A", "dc"), ("x", "d"), ("y", "c")],
        "j = 8 }\nlanes = { j = 3",
        "masters = 2\ntile = 32\non_chip = 32",
    ),
];

fn text((expr, order, tensors, tiles, bus): &Kernel, size: u64, density: f64, seed: u64) -> String {
    let order: Vec<String> = order.split(' ').map(|v| format!("\"{v}\"")).collect();
    let mut out = format!("name = \"k\"\nexpr = \"{expr}\"\norder = [{}]\n[dims]\n", order.join(", "));
    for v in ["i", "j", "k"].iter().filter(|v| expr.contains(**v)) {
        out += &format!("{v} = {size}\n");
    }
    let mut data = String::from("[data]\n");
    for (n, (name, levels)) in tensors.iter().enumerate() {
        let kind = |c| match c {
            'd' => "\"dense\"",
            'b' => "\"bitvector8\"",
            _ => "\"compressed\"",
        };
        let levels: Vec<&str> = levels.chars().map(kind).collect();
        out += &format!("[tensors.{name}]\ntype = \"i32\"\nlevels = [{}]\n", levels.join(", "));
        if n + 1 < tensors.len() {
            data += &format!("{name} = {{ random = {{ density = {density}, seed = {} }} }}\n", seed * 8 + n as u64);
        }
    }
    format!("{out}[schedule]\nsplit = {{ {tiles} }}\n{data}[hardware]\nmemory = \"axi\"\n[hardware.axi]\n{bus}\n")
}

#[test]
fn tiles_give_the_reference_whatever_is_told() {
    let mut rng = Rng::new(seed());
    // A Verilator model.
    for kernel in drawn(&KERNELS, 1) {
        let sets: Vec<_> =
            (0..if full() { 8 } else { 2 }).map(|_| problem(&text(kernel, 40, 0.2, rng.below(1 << 20)))).collect();
        let net = sets[0].declared_netlist().expect("a netlist");
        let Some(built) = build(&sets[0], &net, &options(&sets[0]), true) else { return };
        let tiled = built.axi.ports.iter().filter(|p| matches!(p.mode, PortMode::Tiles { .. })).count();
        assert!(tiled > 0, "{kernel:?}");
        let bits = built.axi.ports.iter().filter(|p| matches!(net.arrays[p.array].part, Part::Bits(l, _) if l > 1));
        assert!(
            bits.filter(|p| p.mode != PortMode::Write).all(|p| matches!(p.mode, PortMode::Tiles { .. })),
            "{kernel:?}"
        );
        for (n, problem) in sets.iter().enumerate() {
            for settings in memories(&mut rng) {
                let what = format!("{kernel:?}, data {n}, {settings:?}");
                let mut bench = Bench::new(problem, &net, &built, &settings, Placing::Anywhere(rng.bits()));
                bench.succeed(&what);
                bench.succeed(&what);
                // Wrong about what comes: slower at most.
                for b in &mut bench.engine.memory.buffers {
                    if matches!(net.arrays[b.array].part, Part::Tiles(..)) {
                        b.bytes.iter_mut().for_each(|byte| *byte = rng.bits() as u8 & 0x3f);
                    }
                }
                bench.succeed(&format!("{what}, told what is wrong"));
            }
        }
    }
}

#[test]
fn tiles_hide_the_latency_of_rows_in_any_order() {
    let kernel = &KERNELS[0];
    let mut cycles = Vec::new();
    for (tile, latency) in [(0, 100), (1 << 14, 100), (1 << 14, 1)] {
        let mut kernel = *kernel;
        let bus = format!("tile = {tile}\non_chip = 1024");
        let tiles = "i = 32, k = 32, j = 32";
        (kernel.3, kernel.4) = (tiles, Box::leak(bus.into_boxed_str()));
        let problem = problem(&text(&kernel, if full() { 256 } else { 96 }, 0.05, 1));
        let net = problem.declared_netlist().expect("a netlist");
        let bill = bill(&problem, &net, latency);
        eprintln!("tile = {tile}, latency {latency}: {} cycles, {:?}", bill.cycles, bill.moved);
        cycles.push(bill.cycles);
    }
    assert!(cycles[1] * 2 < cycles[0], "{cycles:?}");
    assert!(cycles[1] * 10 < cycles[2] * 12, "{cycles:?}");
}

/// Of tiles in tiles the largest are fetched that have room: larger ones would wait for the memory
/// at each word, smaller ones are fetched more often.
#[test]
fn the_largest_tiles_with_room_are_fetched() {
    let kernel = |split, order, tile: u64| {
        let bus = format!("tile = {tile}\non_chip = 0");
        let tensors: &[(&str, &str)] = &[("B", "cc"), ("C", "cc"), ("X", "cc")];
        let kernel = ("X(i,j) = B(i,k) * C(k,j)", order, tensors, split, &*Box::leak(bus.into_boxed_str()));
        let problem = problem(&text(&kernel, 96, 0.1, 1));
        let net = problem.declared_netlist().expect("a netlist");
        let told: Vec<Part> = net.arrays.iter().map(|a| a.part).filter(|p| matches!(p, Part::Tiles(..))).collect();
        let bill = bill(&problem, &net, 100);
        eprintln!("{split}, tile = {tile}: {} cycles, {:?}", bill.cycles, bill.moved);
        (told, bill)
    };
    let (two, order) = ("i = [48, 8], k = [48, 8], j = [48, 8]", "i0 j0 k0 i1 k1 j1 i2 k2 j2");
    let [(large, few), (small, many)] = [1 << 15, 512].map(|tile| kernel(two, order, tile));
    let (_, only_large) = kernel("i = 48, k = 48, j = 48", "i0 j0 k0 i1 k1 j1", 512);
    assert!(large.iter().all(|part| matches!(part, Part::Tiles(1, _))), "{large:?}");
    assert!(small.iter().all(|part| matches!(part, Part::Tiles(3, _))), "{small:?}");
    assert!(few.bytes() * 2 < many.bytes());
    assert!(many.cycles * 3 < only_large.cycles * 2, "{} and {}", many.cycles, only_large.cycles);
}
