//! Generated Python: benches for cocotb and a module for LiteX. They take widths, registers and places of arrays from `NAME.json`.

/// `NAME_cocotb.py` of the top that this template drives.
fn bench(name: &str, top: &str, template: &str) -> (String, String) {
    let text = template
        .replace("@DATA", include_str!("templates/bench_data.py").trim_end())
        .replace("@MAIN", include_str!("templates/bench_main.py").trim_end())
        .replace("@TOP", top)
        .replace("@FILE", name);
    (format!("{name}_cocotb.py"), text)
}

/// The bench of a kernel with its memory on the chip.
pub(super) fn bench_ram(name: &str) -> (String, String) {
    bench(name, &format!("{name}_ram"), include_str!("templates/cocotb_ram.py"))
}

/// The bench of a kernel behind AXI.
pub(super) fn bench_axi(name: &str) -> (String, String) {
    bench(name, &format!("{name}_axi"), include_str!("templates/cocotb_axi.py"))
}

/// `NAME_litex.py`.
pub(super) fn litex(name: &str) -> (String, String) {
    (format!("{name}_litex.py"), include_str!("templates/litex.py").replace("@FILE", name))
}
