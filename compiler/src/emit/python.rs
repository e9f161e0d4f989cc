//! Generated Python: benches for cocotb and a module for LiteX. They take widths, registers and
//! places of arrays from `NAME.json`.

use super::Context;

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
pub(super) fn bench_axi(cx: &Context) -> (String, String) {
    // For how long nothing may move although all is well: what primitives take, and a memory's answer.
    let quiet = 20_000 + cx.net.cells.iter().map(|c| c.primitive.silence()).sum::<u64>();
    let template = include_str!("templates/cocotb_axi.py").replace("@QUIET", &quiet.to_string());
    bench(cx.name, &format!("{}_axi", cx.name), &template)
}

/// `NAME_litex.py`.
pub(super) fn litex(name: &str) -> (String, String) {
    (format!("{name}_litex.py"), include_str!("templates/litex.py").replace("@FILE", name))
}
