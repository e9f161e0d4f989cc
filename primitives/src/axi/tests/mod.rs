//! Lint of every module, and the search for paths from an input to an output.

mod leads;
mod order;
mod pins;
mod places;
mod ranks;
mod readers;
mod shared;
mod writers;

use crate::library::{MODULES, closure};
use samhw_rtlsim as rtl;
use samhw_testing::rtl::{cache, tool};

/// Runs of random data in each form of a module, drawn of some more.
const SEEDS: usize = 5;

/// Modules with parameters.
const FORMS: &[(&str, &[(&str, u32)])] = &[
    ("samhw_axi_reader", &[("KIND", 0), ("BUS_LOG2", 2)]),
    (
        "samhw_axi_reader",
        &[("KIND", 1), ("SIZE_LOG2", 0), ("DATA_W", 1), ("ADDR_W", 1), ("BUS_LOG2", 6), ("LINES_LOG2", 5)],
    ),
    (
        "samhw_axi_reader",
        &[("KIND", 2), ("SIZE_LOG2", 3), ("DATA_W", 64), ("ADDR_W", 32), ("AXI_W", 64), ("LINES_LOG2", 9)],
    ),
    ("samhw_axi_whole", &[("ADDR_W", 8), ("WORDS", 200), ("BUS_LOG2", 2)]),
    ("samhw_axi_whole", &[("KIND", 2), ("ADDR_W", 8), ("WORDS", 200), ("BUS_LOG2", 2)]),
    ("samhw_axi_whole", &[("KIND", 2), ("ADDR_W", 1), ("WORDS", 1), ("BUS_LOG2", 6)]),
    (
        "samhw_axi_whole",
        &[("KIND", 1), ("SIZE_LOG2", 0), ("DATA_W", 7), ("ADDR_W", 1), ("WORDS", 1), ("BUS_LOG2", 6), ("AXI_W", 64)],
    ),
    ("samhw_axi_writer", &[("DATA_W", 17), ("BUS_LOG2", 2)]),
    (
        "samhw_axi_writer",
        &[("ADDR_W", 1), ("DATA_W", 8), ("SIZE_LOG2", 0), ("BUS_LOG2", 6), ("LINES_LOG2", 7), ("BURST_LOG2", 6)],
    ),
    ("samhw_axi_read_mux", &[("N", 1), ("ID_W", 1)]),
    ("samhw_axi_read_mux", &[("N", 5), ("ID_W", 3), ("BUS_LOG2", 5), ("AXI_W", 64)]),
    ("samhw_axi_write_mux", &[("N", 1), ("ID_W", 1)]),
    ("samhw_axi_write_mux", &[("N", 3), ("ID_W", 2), ("BUS_LOG2", 6)]),
    ("samhw_axi_share", &[("N", 2)]),
    ("samhw_axi_share", &[("N", 5), ("BUS_LOG2", 6), ("AXI_W", 64), ("WAIT_LOG2", 1), ("OPEN_LOG2", 1)]),
    ("samhw_axi_regs", &[("CONFIG", 1), ("STATUS", 1), ("READERS", 1), ("WRITERS", 1), ("ID_W", 1)]),
    ("samhw_axi_regs", &[("CONFIG", 40), ("STATUS", 9), ("READERS", 20), ("WRITERS", 15), ("ID_W", 5)]),
    ("samhw_axi_order", &[("ADDR_W", 9), ("DATA_W", 12), ("LIMIT_W", 7)]),
    ("samhw_axi_order", &[("DATA_W", 5), ("LIMIT_W", 32)]),
    ("samhw_axi_order", &[("ADDR_W", 1), ("DATA_W", 32), ("LIMIT_W", 32), ("KIND", 1), ("WAIT_LOG2", 1)]),
    ("samhw_axi_order", &[("ADDR_W", 5), ("DATA_W", 64), ("LIMIT_W", 3), ("KIND", 2)]),
    ("samhw_axi_order", &[("ADDR_W", 5), ("DATA_W", 8), ("LIMIT_W", 17), ("KIND", 2)]),
    ("samhw_axi_ranks", &[("ADDR_W", 9), ("RANK_W", 12), ("WIDTH", 64)]),
    ("samhw_axi_ranks", &[("ADDR_W", 1), ("RANK_W", 2), ("WIDTH", 8), ("BURSTS", 0)]),
    ("samhw_axi_places", &[("ADDR_W", 9), ("DATA_W", 12), ("LIMIT_W", 7)]),
    ("samhw_axi_places", &[("ADDR_W", 1), ("DATA_W", 32), ("LIMIT_W", 32), ("PAIRS", 1), ("WAIT_LOG2", 4)]),
    ("samhw_axi_places", &[("ADDR_W", 32), ("DATA_W", 5), ("LIMIT_W", 6), ("PAIRS", 1), ("REPEATS", 1)]),
    ("samhw_axi_places", &[("ADDR_W", 1), ("DATA_W", 1), ("LIMIT_W", 2), ("REPEATS", 1)]),
    ("samhw_axi_bounds", &[("DATA_W", 9), ("LIMIT_W", 10)]),
    ("samhw_axi_bounds", &[("DATA_W", 1), ("LIMIT_W", 32)]),
    ("samhw_axi_tiles", &[("KIND", 0), ("BUS_LOG2", 2)]),
    (
        "samhw_axi_tiles",
        &[("KIND", 1), ("SIZE_LOG2", 0), ("DATA_W", 1), ("ADDR_W", 3), ("BUS_LOG2", 6), ("LINES_LOG2", 9)],
    ),
    ("samhw_axi_tiles", &[("KIND", 2), ("EXTRA", 1), ("SIZE_LOG2", 3), ("DATA_W", 64), ("ADDR_W", 32), ("AXI_W", 64)]),
    ("samhw_axi_regs", &[("STATUS", 1), ("NODES", 1), ("STREAMS", 1)]),
    ("samhw_axi_regs", &[("NODES", 11), ("BEATS_W", 3)]),
    ("samhw_axi_regs", &[("NODES", 5), ("STREAMS", 40), ("BEATS_W", 2)]),
];

fn design(module: &str, params: &[(&str, u32)]) -> rtl::Design {
    let files = closure([module]).iter().map(|s| (format!("{}.v", s.name), s.text.to_string())).collect();
    let mut design = rtl::Design::new(module, files);
    design.params = params.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
    design
}

#[test]
fn lint_finds_nothing() {
    for (module, params) in FORMS {
        let mut design = design(module, params);
        for defines in [vec![], vec!["SAMHW_ASSERT".to_string()]] {
            design.defines = defines;
            tool(module, rtl::lint_verilator(&design, &cache()));
        }
        tool(module, rtl::lint_iverilog(&design, &cache()));
        tool(module, rtl::lint_slang(&design, &cache()));
    }
}

#[test]
fn no_path_leads_from_an_input_to_an_output() {
    for (module, params) in FORMS.iter().step_by(2) {
        let Some(paths) = tool(module, rtl::comb_paths(&design(module, params), &cache())) else { return };
        let text: Vec<String> = paths.iter().map(ToString::to_string).collect();
        assert!(paths.is_empty(), "{module} {params:?}: {}", text.join("\n"));
    }
}

#[test]
fn no_module_is_left_out() {
    let reached: Vec<&str> = closure(FORMS.iter().map(|f| f.0)).iter().map(|s| s.name).collect();
    let ours = MODULES.iter().map(|s| s.name).filter(|n| n.starts_with("samhw_axi_"));
    let missing: Vec<&str> = ours.filter(|n| !reached.contains(n)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
