//! What synthesis makes of a primitive is proved to be the primitive: side by side, with the same inputs and resets at any time,
//! Verilog and netlist have the same outputs in every cycle.
//!
//! Of each module the forms with the narrowest ports, on one family after the other; some of them, drawn by `SAMHW_SEED`, or all with
//! `SAMHW_FULL`.

use super::{Item, all_signals, groups};
use crate::bench::Rng;
use crate::bench_rtl::{cache, files, literals, tool};
use crate::contract::{Dir, Param};
use crate::library::closure;
use samhw_rtlsim as rtl;
use std::collections::BTreeMap;

/// Forms of a module, the narrowest ones.
const OF_A_MODULE: usize = 2;

/// Words of a memory, at most: it is made of registers.
const WORDS: u32 = 16;

/// What becomes a block RAM on iCE40, whose model has thousands of registers.
const BLOCK_RAMS: [&str; 3] = ["samhw_ram", "samhw_rom", "samhw_workspace_ram"];

/// Modules of which it has been shown; docs/proofs.md says what is known of the others.
const SHOWN: [&str; 45] = [
    "samhw_array",
    "samhw_barrier",
    "samhw_bits_unpack",
    "samhw_bits_writer",
    "samhw_collapse",
    "samhw_convert",
    "samhw_coordinate",
    "samhw_crd_writer",
    "samhw_divide",
    "samhw_dropper_leaf",
    "samhw_dropper_list",
    "samhw_early_exit",
    "samhw_fifo",
    "samhw_fork",
    "samhw_joiner",
    "samhw_level_writer",
    "samhw_level_writer_at",
    "samhw_locator_dense",
    "samhw_mem_burst",
    "samhw_mem_burst_rw",
    "samhw_mem_pair",
    "samhw_mem_pair_rw",
    "samhw_mem_shared",
    "samhw_mem_shared_rw",
    "samhw_mem_single",
    "samhw_mem_single_rw",
    "samhw_mem_write",
    "samhw_reducer_pipelined",
    "samhw_reducer_scalar",
    "samhw_repeater",
    "samhw_root",
    "samhw_scanner_compressed",
    "samhw_scanner_dense",
    "samhw_scanner_part",
    "samhw_scanner_range",
    "samhw_scanner_seek",
    "samhw_scanner_wide",
    "samhw_scatter",
    "samhw_serializer",
    "samhw_skid",
    "samhw_slice",
    "samhw_stitch",
    "samhw_value_writer",
    "samhw_value_writer_at",
    "samhw_zip",
];

/// What a module expects of its inputs: registers that say so, and an assumption over them.
///
/// A host that reads the memory in the middle of a run takes the cycle of a read of the run's, and gets a word that may be written in
/// that cycle, which is undefined.
const EXPECTS: [(&str, &str); 1] = [(
    "samhw_mem_fold",
    "    reg [4:0] calm = 5'd0;
    always @(posedge clk)
        calm <= (write_valid || rst) ? 5'd0 : calm + {4'd0, !(&calm)};
    reg asked = 1'b0;
    reg read = 1'b0;
    always @(posedge clk) begin
        asked <= host_read;
        read <= (read || asked) && !write_valid;
    end
    always @*
        assume (!host_read || (&calm && !write_valid));
",
)];

/// Outputs that mean something only while a register of [`EXPECTS`] is set.
const MEANT: [(&str, &str, &str); 1] = [("samhw_mem_fold", "host_rdata", "read")];

/// Time after which a proof is given up.
const MOST_SECONDS: u32 = 300;

/// Proofs that are made if not all are.
const DRAWN: usize = 6;

/// The Verilog of `item` beside its netlist of cells of `family`, equality asserted.
fn side_by_side((p, host): &Item, family: rtl::Family) -> rtl::Result<rtl::Design> {
    let instance = p.instance();
    let (module, params) = (instance.module, literals(&instance.params));
    let mut design = rtl::Design::new(module, files(module));
    design.params.clone_from(&params);
    let netlist = rtl::mapped(&design, family, &cache())?.files.remove(0).1;
    let (from, to) = (format!("module {module}("), format!("module {module}_cells("));
    assert_eq!(netlist.matches(&from).count(), 1, "{module}: one module in the netlist");
    let (mut ports, mut wires, mut of, mut equal) =
        (String::new(), String::new(), [String::new(), String::new()], String::new());
    let signals = all_signals(p.as_ref(), *host);
    for (name, width, dir) in signals.clone() {
        let range = format!("[{}:0]", width - 1);
        if dir == Dir::In {
            ports += &format!(", input wire {range} {name}");
            of.iter_mut().for_each(|o| *o += &format!(", .{name}({name})"));
            continue;
        }
        wires += &format!("    wire {range} {name}_0;\n    wire {range} {name}_1;\n");
        of.iter_mut().enumerate().for_each(|(k, o)| *o += &format!(", .{name}({name}_{k})"));
        // A beat means something while it is offered.
        let valid = name.strip_suffix("_beat").map(|stream| format!("{stream}_valid"));
        let offered = signals.iter().find(|s| Some(&s.0) == valid.as_ref() && s.1 == 1).map(|s| format!("{}_0", s.0));
        let meant = MEANT.iter().find(|m| (m.0, m.1) == (module, name.as_str())).map(|m| m.2.to_string());
        let unless = offered.or(meant).map_or_else(String::new, |m| format!("!{m} || "));
        equal += &format!("            assert ({unless}{name}_0 == {name}_1);\n");
    }
    let params: Vec<String> = params.iter().map(|(n, v)| format!(".{n}({v})")).collect();
    let [verilog, cells] = of;
    let expects: String = EXPECTS.iter().filter(|e| e.0 == module).map(|e| e.1).collect();
    let text = format!(
        "module equal (input wire clk, input wire again{ports});\n    reg started = 1'b0;\n    always @(posedge clk)\n        \
         started <= 1'b1;\n    wire rst = !started || again;\n{expects}{wires}    {module} #({}) verilog (.clk(clk), .rst(rst){verilog});\n    \
         {module}_cells cells (.clk(clk), .rst(rst){cells});\n    always @*\n        if (started) begin\n{equal}        end\nendmodule\n",
        params.join(", ")
    );
    let mut all = files(module);
    all.push((format!("{module}_cells.v"), netlist.replace(&from, &to)));
    all.push(("equal.v".into(), text));
    Ok(rtl::Design::new("equal", all))
}

/// The narrowest of each module.
fn narrowest() -> Vec<(Item, rtl::Family)> {
    let bits = |(p, host): &Item| all_signals(p.as_ref(), *host).iter().map(|s| s.1).sum::<u32>();
    let mut items: Vec<Item> = groups().into_iter().flat_map(|(_, items)| items).collect();
    // What a memory has behind its end is not defined, nor what comes from a copy that is not there, so netlists differ there.
    items.retain(|(p, _)| {
        let whole = |(name, value): &(&str, Param)| match (*name, value) {
            ("WORDS", Param::Int(words)) => words.is_power_of_two() && *words <= WORDS,
            ("COPIES", Param::Int(copies)) => copies.is_power_of_two(),
            _ => true,
        };
        p.instance().params.iter().all(whole)
    });
    items.sort_by_key(bits);
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    items.retain(|(p, _)| {
        let module = p.instance().module;
        let number = seen.entry(module).or_default();
        *number += 1;
        *number <= OF_A_MODULE && SHOWN.contains(&module)
    });
    let families = rtl::Family::ALL.into_iter().cycle();
    let on = |((p, host), family): (Item, rtl::Family)| {
        let is_ram = closure([p.instance().module]).iter().any(|s| BLOCK_RAMS.contains(&s.name));
        let family = if is_ram && family == rtl::Family::Ice40 { rtl::Family::Ecp5 } else { family };
        ((p, host), family)
    };
    items.into_iter().zip(families).map(on).collect()
}

#[test]
fn netlists_are_equivalent() {
    let seed = std::env::var("SAMHW_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    println!("SAMHW_SEED={seed}");
    let mut rng = Rng::new(seed);
    let mut jobs = narrowest();
    if std::env::var_os("SAMHW_FULL").is_none() {
        while jobs.len() > DRAWN {
            jobs.swap_remove(rng.below(jobs.len() as u64) as usize);
        }
    }
    let method = rtl::Method::Correspondence { seconds: MOST_SECONDS };
    let mut wrong = Vec::new();
    for (item, family) in jobs {
        let what = format!("{:?} on {}", item.0, family.name());
        let proved = side_by_side(&item, family).and_then(|d| rtl::prove(&d, &[], method, &cache()));
        match tool("equivalence", proved) {
            None => return,
            Some(rtl::Proof::Proven { .. }) => println!("{what}: equivalent"),
            Some(other) => {
                println!("{what}: {other:?}");
                wrong.push(what);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
