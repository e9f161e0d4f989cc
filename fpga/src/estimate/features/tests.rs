use super::*;
use crate::board::find;

fn ecp5() -> Silicon {
    Silicon::of(&find("ulx3s-85f").unwrap())
}

fn mem(words: u64, width: u64) -> u64 {
    let p = [("WORDS", words), ("DATA_W", width)].map(|(n, v)| (n.to_string(), v));
    makeup(ecp5(), "samhw_mem_single", &p.into()).brams
}

/// Numbers of block RAMs that yosys 0.70 took.
#[test]
fn memories_are_counted_as_yosys_maps_them() {
    let seen = [
        (100, 11, 0),
        (100, 16, 1),
        (121, 13, 1),
        (60, 16, 0),
        (60, 64, 2),
        (21, 64, 0),
        (126, 8, 0),
        (144, 32, 1),
        (900, 32, 2),
        (1800, 8, 1),
        (1800, 16, 2),
        (2000, 6, 1),
        (2000, 32, 4),
        (3600, 16, 4),
        (6000, 6, 3),
        (6000, 10, 5),
        (6000, 16, 6),
        (20000, 7, 10),
        (20000, 32, 40),
        (15000, 32, 30),
        (24000, 10, 15),
        (24000, 32, 48),
        (17000, 16, 17),
    ];
    for (words, width, brams) in seen {
        assert_eq!(mem(words, width), brams, "{words} x {width}");
    }
}

/// Of the reducer's page: words, banks, 16-bit values.
#[test]
fn workspaces_are_counted_with_their_bitmaps() {
    for (words, bank_w, brams) in [(16, 1, 0), (256, 1, 2), (1024, 1, 2), (1024, 2, 4), (65536, 1, 138)] {
        let p = [("WORDS", words), ("VAL_W", 16), ("BANK_W", bank_w)].map(|(n, v)| (n.to_string(), v));
        assert_eq!(makeup(ecp5(), "samhw_reducer_vector", &p.into()).brams, brams, "{words} words");
    }
}

/// What the Verilog takes for block RAM is what yosys makes one of, on the families that have distributed RAM.
#[test]
fn levels_of_bitmaps_are_late_where_they_lie_in_block_ram() {
    for silicon in [ecp5(), Silicon::of(&find("tangnano20k").unwrap())] {
        for words in (33..3000).chain((3000..70_000).step_by(97)) {
            let shape = WorkspaceShape { op: Fold::Add, val_w: 16, signed: false, words, banks: 2 };
            for k in 0..shape.ram_levels() {
                let [depth, width] = [shape.depth(k), 1 << shape.bit_w()].map(u64::from);
                let memory = Memory { words: depth, width, wish: Wish::Any, reads: 1, joint: false, clash: Clash::Any };
                let blocks = matches!(taken(silicon.rams, &memory), Taken::Blocks(..));
                assert_eq!(blocks, shape.late(k), "{words} words, level {k}: {depth} x {width}");
            }
        }
    }
}

/// Numbers of block RAMs and of small RAMs that yosys 0.70 took.
#[test]
fn folding_memories_are_counted_with_their_bits() {
    for (words, brams, small) in
        [(128, 1, 2), (512, 1, 8), (1024, 1, 16), (4096, 5, 4), (15625, 17, 16), (32768, 34, 16), (40000, 44, 4)]
    {
        let p = [("WORDS", words), ("DATA_W", 16)].map(|(n, v)| (n.to_string(), v));
        let made = makeup(ecp5(), "samhw_mem_fold", &p.into());
        assert_eq!((made.brams, made.features["distributed"]), (brams, f64::from(small)), "{words} words");
    }
}

#[test]
fn products_take_limbs() {
    for (width, dsps) in [(8, 1), (16, 1), (32, 3), (64, 10)] {
        let p = [("OP", 2), ("W", width)].map(|(n, v)| (n.to_string(), v));
        assert_eq!(makeup(ecp5(), "samhw_alu", &p.into()).dsps, dsps);
    }
}

/// Numbers of multipliers that yosys 0.70 took.
#[test]
fn products_with_a_constant_take_what_its_limbs_need() {
    let ecp5 = [(8, 0, 0), (8, 3, 1), (8, 4, 0), (16, 7, 1), (16, 0xffff, 0), (16, 0x4000, 0), (32, 2, 0), (32, 5, 2)];
    let limbs = [(32, 0xffff, 1), (32, 1 << 16, 0), (32, 3 << 16, 1), (32, 0x1234_5678, 3)];
    let negative = [(32, 0xffff_ffff, 1), (32, 0xffff_fffd, 2)];
    let gowin =
        [(8, 100, 1), (16, 5, 0), (16, 9, 1), (16, 100, 1), (32, 5, 0), (32, 100_000, 2), (32, 3_000_000_000, 3)];
    let up = [(8, 100, 0), (16, 3, 1), (16, 100, 1), (32, 5, 2), (32, 100_000, 2), (32, 3_000_000_000, 2)];
    let of = |board: &'static str| move |(w, c, n): (u64, u64, u64)| (board, w, c, n);
    let cases = ecp5.into_iter().chain(limbs).chain(negative).map(of("ulx3s-85f"));
    let cases = cases.chain(gowin.into_iter().map(of("tangnano20k"))).chain(up.into_iter().map(of("icebreaker")));
    for (board, width, constant, dsps) in cases {
        let p = [("OP", 2), ("W", width), (FACTOR, constant)].map(|(n, v)| (n.to_string(), v));
        let made = makeup(Silicon::of(&find(board).unwrap()), "samhw_alu", &p.into());
        assert_eq!(made.dsps, dsps, "{width} bits, times {constant:x}, on {board}");
    }
}

/// Also those of a few bits: of a level of 12 below one of 6.
#[test]
fn sizes_of_dense_levels_take_a_multiplier() {
    for (reference, child, size, root, dsps) in [(3, 7, 4, 0, 1), (2, 2, 2, 0, 1), (5, 9, 4, 0, 1), (2, 6, 6, 1, 0)] {
        let p = [("REF_IN_W", reference), ("REF_W", child), ("CRD_W", size), ("ROOT", root)];
        let p = p.map(|(n, v)| (n.to_string(), v)).into();
        assert_eq!(makeup(ecp5(), "samhw_scanner_dense", &p).dsps, dsps, "{reference} bits");
    }
}

/// Numbers of multipliers that yosys 0.70 took.
#[test]
fn words_of_a_fiber_take_a_multiplier_but_behind_a_root() {
    for (references, address, size, root, dsps) in
        [(7, 12, 11, 0, 1), (10, 10, 3, 0, 1), (2, 3, 8, 1, 0), (6, 8, 9, 0, 1)]
    {
        let p = [("REF_IN_W", references), ("ADDR_W", address), ("WIDTH_LOG2", 6), (DIM_BITS, size), (ROOT_REFS, root)];
        let p = p.map(|(n, v)| (n.to_string(), v)).into();
        assert_eq!(makeup(ecp5(), "samhw_scanner_bits", &p).dsps, dsps, "{size} bits");
    }
}

/// Numbers of block RAMs that yosys 0.70 took.
#[test]
fn buffers_of_skipping_scanners_are_block_ram_on_ice40() {
    let seen = [(4, 10, 0, 4), (5, 4, 0, 3), (11, 12, 1, 9), (20, 8, 2, 30), (9, 10, 1, 5), (10, 10, 2, 17)];
    for (crd, place, wide, brams) in seen {
        let p = [("CRD_W", crd), ("REF_W", place), ("WIDE_LOG2", wide), ("BUFFER_LOG2", 4)];
        let p = p.map(|(n, v)| (n.to_string(), v)).into();
        let of = |board| makeup(Silicon::of(&find(board).unwrap()), "samhw_scanner_skip", &p).brams;
        assert_eq!((of("icebreaker"), of("ulx3s-85f"), of("tangnano20k")), (brams, 0, 0), "{crd} bits");
    }
}
