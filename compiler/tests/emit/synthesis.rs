//! After synthesis memories are block RAM, FIFOs distributed RAM, and nothing is a latch or a
//! combinational path from port to port.

use crate::kernels::{KERNELS, design, toml};
use crate::tools::{cache, tool, top, yosys};
use samhw_compiler::emit::Design;
use samhw_rtlsim as rtl;
use samhw_testing::drawn::drawn;
use std::collections::BTreeMap;

fn kernel(name: &str) -> Design {
    design(&toml(KERNELS.iter().find(|k| k.name == name).expect("a kernel of the list")))
}

#[test]
fn memories_are_block_ram_and_fifos_distributed_ram() {
    let d = kernel("spmv");
    let Some(cells) = tool("spmv_ram", rtl::ecp5_cells(&top(&d, "spmv_ram"), &cache())) else { return };
    println!("{cells:?}");
    // Arrays of 41 and 1200 words and more; small ones may be distributed RAM.
    assert!(cells.dp16kd() >= 4, "{cells:?}");
    assert!(cells.dpr16x4() > 0, "{cells:?}");
    let bits: u64 = d.manifest.arrays.iter().map(|a| a.words * u64::from(a.width)).sum();
    assert!(cells.ff() * 10 < bits, "words in flip-flops: {cells:?}");
}

#[test]
fn no_path_from_input_to_output() {
    let d = kernel("spmspm_ijk");
    for t in &d.tops {
        if let Some(paths) = tool(t, rtl::comb_paths(&top(&d, t), &cache())) {
            let text: Vec<String> = paths.iter().map(ToString::to_string).collect();
            assert!(paths.is_empty(), "{t}: {}", text.join("; "));
        }
    }
}

/// Plain yosys, up to where memories have become cells, for families without distributed RAM.
#[test]
fn memories_become_cells_of_every_family() {
    let d = kernel("spmv");
    let files: BTreeMap<String, String> = d.verilog().cloned().collect();
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let families = [("ice40", "map_gates"), ("gatemate", "map_gates"), ("microchip", "fine")];
    let families: Vec<String> = drawn(families, 1)
        .into_iter()
        .map(|(family, until)| {
            format!("design -load read\nsynth_{family} -top spmv_ram -run begin:{until}\nselect -assert-none t:$mem*\n")
        })
        .collect();
    let read = format!("read_verilog {}\ndesign -save read\n", names.join(" "));
    yosys("emit-families", &files, &(read + &families.concat()));
}
