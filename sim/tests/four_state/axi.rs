//! The kernel behind AXI: a host writes the registers, starts, waits for the interrupt; memory is
//! `memory.v`, where what is in no array is X.

use super::{Bench, LIMIT, RIGHT};
use samhw_compiler::emit::axi::{Holds, behind, emit_axi, prefix};
use samhw_compiler::frontend::Memory;
use samhw_sim::axi::Placing;
use samhw_sim::run::Problem;
use std::fmt::Write;

/// Registers that every kernel has.
const CONTROL: u64 = 0x10;
const STATUS: u64 = 0x14;
const IRQ_ENABLE: u64 = 0x18;
const ERROR: u64 = 0x20;

pub fn run(name: &str, problem: &Problem) {
    let Memory::Axi(options) = &problem.memory else { panic!("{name} is not behind AXI") };
    let declared = problem.declared_netlist().expect("a netlist");
    let emitted = emit_axi(&problem.lowered, &declared, options).unwrap_or_else(|d| panic!("{name}: {d:?}"));
    let axi = emitted.axi.as_ref().expect("it is behind AXI");
    let net = behind(&problem.lowered, &declared);
    let (config, written) = (problem.config(&net), problem.written(&net, LIMIT).expect("it runs"));
    let layout = problem.layout(&declared, axi, Placing::Anywhere(1));
    let base = layout.buffers.iter().map(|b| b.base).min().unwrap_or(0) / 4096 * 4096;
    let bytes = layout.buffers.iter().map(|b| b.base + b.bytes.len() as u64).max().unwrap_or(0) + 4096 - base;

    let (mut registers, mut stores, mut results) = (Vec::new(), Vec::new(), Vec::new());
    let width = axi.options.address_width;
    for r in &axi.registers {
        let at = |array: usize| layout.buffers.iter().position(|b| b.array == array).expect("a place");
        let value = match r.holds {
            Holds::Config(k) => config[k],
            Holds::Base(array) => layout.buffers[at(array)].base,
            Holds::Words(array) => (layout.buffers[at(array)].bytes.len() / layout.sizes[at(array)]) as u64,
            Holds::Status(_) | Holds::Stuck | Holds::Count(..) => continue,
        };
        let words =
            (0..r.words).map(|k| vec![(u64::from(r.offset + 4 * k), 12), (value >> (32 * k) & 0xFFFF_FFFF, 32)]);
        registers.extend(words);
    }
    registers.push(vec![(IRQ_ENABLE, 12), (1, 32)]);
    for (b, size) in layout.buffers.iter().zip(&layout.sizes) {
        let row = |(n, byte): (usize, &u8)| vec![(b.base - base + n as u64, 32), (u64::from(*byte), 8)];
        match written.get(&b.array) {
            None => stores.extend(b.bytes.iter().enumerate().map(row)),
            Some(words) => {
                let bytes: Vec<u8> = words.words.iter().flat_map(|w| w.to_le_bytes().into_iter().take(*size)).collect();
                results.extend(bytes.iter().enumerate().map(row));
            }
        }
    }
    let mut bench = Bench::new(&emitted, "axi", &net);
    let top = emitted.manifest.tops.iter().find(|t| t.kind == "axi").expect("the top is there");
    bench.table("registers.txt", &registers);
    bench.table("stores.txt", &stores);
    bench.table("results.txt", &results);
    bench.design.files.push(("memory.v".into(), include_str!("memory.v").into()));
    let (registers, stores, results) = (registers.len(), stores.len(), results.len());
    let mut wrong = String::from("unknown + wrong");
    for m in 0..axi.masters() {
        let at = prefix(axi, m);
        let pins: Vec<String> = PINS.iter().map(|p| format!(".{p}({at}_{p})")).collect();
        let _ = writeln!(
            bench.text,
            "    memory #(.DATA_W({}), .ADDR_W({width}), .ID_W({id}), .BYTES({bytes}), .BASE({base}), .SEED({m} + 1)) \
             {at}_memory (.clk(clk), .rst(rst), {});",
            axi.options.data_width,
            pins.join(", "),
            id = top.ports.iter().find(|p| p.name == format!("{at}_arid")).map_or(1, |p| p.width),
        );
        let _ = write!(wrong, " + {at}_memory.wrong");
    }
    bench.text += &format!(
        "    reg [7:0] bytes [0:{bytes}-1];\n    reg [43:0] registers [0:{registers}];\n    reg [39:0] stores [0:{stores}];\n    \
         reg [39:0] results [0:{results}];\n    reg [31:0] at, value;\n    reg [7:0] want;\n    integer k, cycles, wrong;\n    \
         localparam LIMIT = {LIMIT};\n    localparam CONTROL = {CONTROL}, STATUS = {STATUS}, ERROR = {ERROR};\n    \
         localparam REGISTERS = {registers}, STORES = {stores}, RESULTS = {results};\n{}    \
         if ({wrong} == 0) $display(\"{RIGHT}\");\n        $finish;\n    end\n",
        include_str!("host.v"),
    );
    bench.right(name);
}

/// Pins of a memory.
const PINS: [&str; 25] = [
    "arvalid", "arready", "arid", "araddr", "arlen", "rvalid", "rready", "rid", "rdata", "rresp", "rlast", "awvalid",
    "awready", "awid", "awaddr", "awlen", "wvalid", "wready", "wdata", "wstrb", "wlast", "bvalid", "bready", "bid",
    "bresp",
];
