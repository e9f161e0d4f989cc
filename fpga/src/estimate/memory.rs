//! A model of yosys' mapping of memories, which chooses the cheapest among the device's kinds of RAM and registers.
//! These are the rules of its pass `memory_libmap` (`passes/memory/memory_libmap.cc`, `handle_geom` and
//! `score_emu_ports`) for a memory with one port to write, of which all bits of a word are written at once, and RAMs
//! with one port to write and one to read, or with two that do either.

/// A kind of RAM, as described in a family's `brams.txt` and `lutrams.txt` of yosys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ram {
    /// Whether it is block RAM rather than distributed RAM.
    pub block: bool,
    /// Address bits at the narrowest word width.
    pub address: u32,
    /// Possible widths of a word; each step halves the number of words.
    pub widths: &'static [u64],
    /// Those with which two ports read, one of which writes, too.
    pub two: &'static [u64],
    /// Bits that are written together; words in one row start at multiples of this number. If there are none, those of
    /// a word.
    pub byte: Option<u64>,
    /// Cost of one instance; a bit in registers costs 1.
    pub cost: u64,
    /// Whether the cost is proportional to the used bits.
    pub scaled: bool,
}

/// The kind of RAM that a memory requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// The cheapest kind.
    Any,
    /// Distributed RAM.
    Distributed,
    /// Block RAM.
    Block,
}

/// A memory of a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// Number of words, at least 2.
    pub words: u64,
    /// Width of a word in bits.
    pub width: u64,
    /// Requested kind of RAM.
    pub wish: Wish,
    /// Number of read ports, at least 1.
    pub reads: u64,
    /// Whether the first read has the address of the write.
    pub joint: bool,
    /// Result of a read at the edge that writes the same word.
    pub clash: Clash,
}

/// The result of reading a word at the edge that writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clash {
    /// Undefined.
    Any,
    /// The previous word.
    Old,
    /// The new word.
    New,
}

/// The resources of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// A register for each bit.
    Registers,
    /// This number of distributed RAMs.
    Distributed(u64),
    /// Number of block RAMs, and number of them stacked in depth.
    Blocks(u64, u64),
}

/// What soft logic costs for each point of what a RAM lacks: one for its own port to read, three for each write that has to wait and for
/// each word that has to be sent past it.
const LACKS: f64 = 2.0;

impl Ram {
    /// Least cost of a memory in RAMs of this kind, their number, and how many stand one above the other.
    fn shape(&self, memory: &Memory) -> (f64, u64, u64) {
        let Memory { words, width, .. } = *memory;
        // Two reads at two ports need no second RAM.
        let double = memory.joint && memory.reads == 2 && !self.two.is_empty();
        let (reads, widths) = if double { (1, self.two) } else { (memory.reads, self.widths) };
        let points = match memory.clash {
            Clash::Old if self.block => 3 + 4 * reads,
            Clash::New => 4 * reads,
            _ => reads,
        };
        let shapes = widths.iter().zip(0..).map(|(&w, narrower)| {
            let byte = self.byte.unwrap_or(w).min(w);
            let banks = words.div_ceil(1 << (self.address - narrower));
            let rams = (banks * width.div_ceil(byte) * byte).div_ceil(w);
            let used = if self.scaled { (banks * width) as f64 / w as f64 } else { rams as f64 };
            let choice = if banks > 1 { reads * (banks - 1) * width + banks } else { 0 };
            (reads as f64 * self.cost as f64 * used + choice as f64 / 2.0 + LACKS * points as f64, reads * rams, banks)
        });
        shapes.reduce(cheaper).expect("a RAM has a width")
    }
}

/// The later one only if it is cheaper than the whole part of what the other one costs, as yosys keeps no more of it.
fn cheaper(known: (f64, u64, u64), other: (f64, u64, u64)) -> (f64, u64, u64) {
    if other.0 < known.0.floor() { other } else { known }
}

/// Returns the resources of `memory` on a device with these `rams`.
pub fn taken(rams: &[Ram], memory: &Memory) -> Taken {
    let has = |block: bool| rams.iter().any(|r| r.block == block);
    // Without distributed RAM nothing asks for it: FIFOs do so where the flow says that it is there.
    let wish = if has(false) || memory.wish == Wish::Block { memory.wish } else { Wish::Any };
    let of = |block: bool| {
        let least = |a: (f64, u64, u64), b: (f64, u64, u64)| if b.0 < a.0 { b } else { a };
        rams.iter().filter(|r| r.block == block).map(|r| r.shape(memory)).reduce(least)
    };
    let distributed = of(false).filter(|_| wish != Wish::Block);
    let blocks = of(true).filter(|_| wish != Wish::Distributed);
    let registers = if wish == Wish::Any { (memory.words * memory.width) as f64 } else { f64::INFINITY };
    let mut best = (registers, Taken::Registers);
    for (cost, taken) in
        [distributed.map(|d| (d.0, Taken::Distributed(d.1))), blocks.map(|b| (b.0, Taken::Blocks(b.1, b.2)))]
            .into_iter()
            .flatten()
    {
        if cost < best.0.floor() {
            best = (cost, taken);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::super::silicon::Silicon;
    use super::*;
    use crate::board::{Board, find};
    use crate::steps::{NETLIST, YOSYS, script};
    use samhw_values::Rng;
    use std::fmt::Write as _;
    use std::process::Command;

    fn blocks(board: &str, words: u64, width: u64) -> u64 {
        let silicon = Silicon::of(&find(board).unwrap());
        match taken(silicon.rams, &Memory { words, width, wish: Wish::Any, reads: 1, joint: false, clash: Clash::Any })
        {
            Taken::Blocks(blocks, _) => blocks,
            Taken::Distributed(_) | Taken::Registers => 0,
        }
    }

    /// Numbers of block RAMs that yosys 0.70 took.
    #[test]
    fn memories_take_what_costs_least() {
        let up = [
            (4, 16, 0),
            (8, 16, 1),
            (100, 16, 1),
            (300, 16, 2),
            (512, 9, 2),
            (600, 16, 3),
            (1000, 10, 3),
            (1024, 18, 5),
        ];
        let shared =
            [(600, 10, 2), (2501, 6, 4), (5000, 7, 9), (5000, 10, 13), (5001, 9, 12), (12000, 7, 21), (15625, 7, 28)];
        let more = [(2000, 6, 3), (2048, 16, 8), (3000, 12, 9), (5000, 8, 10), (9000, 16, 36)];
        for (words, width, brams) in up.into_iter().chain(shared).chain(more) {
            assert_eq!(blocks("icebreaker", words, width), brams, "{words} x {width}");
        }
        let gowin = [(512, 36, 1), (1024, 32, 2), (3000, 12, 3), (20000, 7, 10), (24000, 10, 15)];
        for (words, width, brams) in
            [(129, 9, 0), (250, 5, 0), (251, 10, 1), (257, 9, 1), (501, 5, 1)].into_iter().chain(gowin)
        {
            assert_eq!(blocks("tangnano20k", words, width), brams, "{words} x {width}");
        }
    }

    /// Of a FIFO that asks for distributed RAM; iCE40 has none.
    #[test]
    fn wishes_are_granted_where_they_can_be() {
        let fifo = |board, words, width| {
            let silicon = Silicon::of(&find(board).unwrap());
            taken(
                silicon.rams,
                &Memory { words, width, wish: Wish::Distributed, reads: 1, joint: false, clash: Clash::Old },
            )
        };
        assert_eq!(fifo("ulx3s-85f", 64, 33), Taken::Distributed(36));
        assert_eq!(fifo("tangnano20k", 64, 33), Taken::Distributed(36));
        assert_eq!(fifo("icebreaker", 6, 13), Taken::Registers);
        assert_eq!(fifo("icebreaker", 6, 14), Taken::Blocks(1, 1));
        assert_eq!(fifo("icebreaker", 6, 36), Taken::Blocks(3, 1));
    }
    /// Memories of up to 20,000 words, each a module, and one module around them.
    fn drawn(number: u64) -> (Vec<Memory>, String) {
        let mut rng = Rng::new(51);
        let (mut all, mut verilog, mut top) = (Vec::new(), String::new(), String::new());
        for k in 0..number {
            let most = 1 << (1 + rng.bits() % 14);
            let wish = [Wish::Any, Wish::Any, Wish::Distributed, Wish::Block][(rng.bits() % 4) as usize];
            let words = 2 + rng.bits() % if wish == Wish::Distributed { 63 } else { most };
            let clash = if wish == Wish::Distributed { Clash::Old } else { Clash::Any };
            let joint = wish == Wish::Any && k % 2 == 0;
            let reads = 1 + u64::from(joint);
            let memory = Memory { words, width: 1 + rng.bits() % 40, wish, reads, joint, clash };
            let address = words.next_power_of_two().trailing_zeros();
            let style = match wish {
                Wish::Any => "(* no_rw_check *)",
                Wish::Distributed => "`ifdef SAMHW_LUT_RAM\n(* ram_style = \"distributed\" *)\n`endif\n",
                Wish::Block => "(* ram_style = \"block\", no_rw_check *)",
            };
            let [a, w] = [u64::from(address) - 1, memory.width - 1];
            // The first of two reads is at the address of the write, the second one backwards.
            let first = if reads > 1 { "we ? wa : ra" } else { "ra" };
            let stored = if reads > 1 { "at" } else { "wa" };
            let second = if reads > 1 { "if (re) late <= words[~ra];" } else { "late <= 0;" };
            write!(
                verilog,
                "module m{k}(input clk, we, re, input [{a}:0] wa, ra, input [{w}:0] d, output [{w}:0] q);\n\
                 {style} reg [{w}:0] words [0:{}];\nreg [{w}:0] word, late;\nwire [{a}:0] at = {first};\n\
                 assign q = word ^ late;\nalways @(posedge clk) begin\nif (we) words[{stored}] <= d;\n\
                 if (re) word <= words[at];\nend\nalways @(posedge clk) {second}\nendmodule\n",
                words - 1
            )
            .unwrap();
            writeln!(top, "m{k} u{k}(clk, we, re, wa[{a}:0], ra[{a}:0], d[{w}:0], q[{}:{}]);", 40 * k + w, 40 * k)
                .unwrap();
            all.push(memory);
        }
        let ports = format!("input clk, we, re, input [15:0] wa, ra, input [39:0] d, output [{}:0] q", 40 * number - 1);
        (all, format!("{verilog}module top({ports});\n{top}endmodule\n"))
    }

    /// What yosys makes of them: cells of RAM by module.
    fn mapped(board: &Board, verilog: &str) -> Option<serde_json::Value> {
        let yosys = crate::tools::find(YOSYS).map_err(|e| eprintln!("skipped: {e:?}")).ok()?;
        let dir = std::env::temp_dir().join(format!("samhw-memories-{}-{}", board.name, std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("memories.v"), verilog).unwrap();
        let whole = script("top", &["memories.v".into()], &Default::default(), board);
        let part = whole.replace(&format!("-json {NETLIST}"), "-noflatten -run begin:map_ffram");
        let ran = Command::new(yosys.path)
            .current_dir(&dir)
            .args(["-q", "-p"])
            .arg(part + "tee -q -o stat.json stat -json")
            .output();
        let ran = ran.unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let stat = serde_json::from_slice(&std::fs::read(dir.join("stat.json")).unwrap()).unwrap();
        std::fs::remove_dir_all(dir).unwrap();
        Some(stat)
    }

    #[test]
    fn yosys_agrees() {
        let (memories, verilog) = drawn(16);
        const BLOCKS: [&str; 7] = ["DP16KD", "PDPW16KD", "DPB", "DPX9B", "SDPB", "SDPX9B", "SB_RAM40_4K"];
        const DISTRIBUTED: [&str; 2] = ["TRELLIS_DPR16X4", "RAM16SDP4"];
        for board in ["ulx3s-85f", "tangnano20k", "icebreaker"] {
            let board = find(board).unwrap();
            let Some(stat) = mapped(&board, &verilog) else { return };
            for (k, memory) in memories.iter().enumerate() {
                let cells = stat["modules"][format!("\\m{k}")]["num_cells_by_type"].as_object().unwrap();
                let of = |kinds: &[&str]| {
                    cells.iter().filter(|c| kinds.contains(&c.0.as_str())).map(|c| c.1.as_u64().unwrap()).sum()
                };
                let got: [u64; 2] = [of(&BLOCKS), of(&DISTRIBUTED)];
                let expected = match taken(Silicon::of(&board).rams, memory) {
                    Taken::Registers => [0, 0],
                    Taken::Distributed(n) => [0, n],
                    Taken::Blocks(n, _) => [n, 0],
                };
                assert_eq!(got, expected, "{memory:?} on {}", board.name);
            }
        }
    }
}
