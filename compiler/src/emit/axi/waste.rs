//! Warnings about unused bandwidth of the bus: where memory answers word by word, or where most of the bus stays idle
//! whatever the data are.

use super::bus::{Axi, PortMode, PortPlan};
use super::reads::in_order;
use crate::diag::Diagnostic;
use crate::lower::Lowered;
use crate::netlist::Netlist;
use samhw_primitives::memories::memory::Read;

/// A bus is reported if less than one part in this number can be used.
const LEAST_PART: u64 = 4;

/// The warnings of a kernel behind AXI.
pub(super) fn warnings(lowered: &Lowered, net: &Netlist, axi: &Axi) -> Vec<Diagnostic> {
    let mut out: Vec<Diagnostic> = Vec::new();
    for d in axi.ports.iter().filter_map(|p| scattered(lowered, net, p)).chain(idle(axi)) {
        if !out.iter().any(|other| other.message == d.message) {
            out.push(d);
        }
    }
    out
}

/// W005: each word of an array waits for the memory's latency.
fn scattered(lowered: &Lowered, net: &Netlist, p: &PortPlan) -> Option<Diagnostic> {
    let single = matches!(p.mode, PortMode::Window(Read::Single | Read::Pair));
    if !single || in_order(lowered, net, p.array) {
        return None;
    }
    let array = &net.arrays[net.first_like(p.array)];
    let (used, name) = (&lowered.graph.uses[array.of.0], &array.name);
    let bytes = array.words.saturating_mul(1 << p.size_log2);
    let what = format!("{name} is read out of order: each word waits for the memory's latency");
    let tensor = &lowered.kernel.tensor(used.tensor).name;
    Some(
        Diagnostic::warning("W005", what)
            .help(format!(
                "`on_chip = {bytes}` under [hardware.axi] copies it to the chip, {bytes} bytes for each reader"
            ))
            .help(format!(
                "or `split` an index of {tensor}, with the loop over tiles outside: then a tile at a time is on the chip"
            )),
    )
}

/// W006: the core never asks for as much as the bus can move.
fn idle(axi: &Axi) -> Option<Diagnostic> {
    let line = u64::from(axi.options.data_width / 8);
    let all = line * axi.masters() as u64;
    let most: u64 = axi.ports.iter().filter(|p| p.follows.is_none()).map(|p| 1 << p.size_log2).sum();
    if most * LEAST_PART > all {
        return None;
    }
    let enough = (most.div_ceil(axi.masters() as u64).next_power_of_two() * 8).max(32);
    let masters = if axi.masters() > 1 { format!(" of {} managers", axi.masters()) } else { String::new() };
    let what = format!("the arrays move at most {most} bytes a cycle, the bus{masters} {all}");
    Some(Diagnostic::warning("W006", what).help(format!(
        "`lanes` or `parallel` in [schedule] do more in each cycle; `data_width = {enough}` is enough for this kernel"
    )))
}

#[cfg(test)]
mod tests {
    use crate::diag::Source;
    use crate::emit::axi::wasted;
    use crate::facts::Density;
    use crate::frontend::{Memory, parse};
    use crate::pipeline::{compile_file, declared_netlist};
    use std::sync::Arc;

    /// Codes of what is wasted by an SpMV with this number of columns, schedule and bus.
    fn codes(columns: u64, schedule: &str, bus: &str) -> Vec<&'static str> {
        let text = format!(
            "name = \"k\"\nexpr = \"y(i) = A(i,j) * x(j)\"\n[dims]\ni = 1000\nj = {columns}\n\
             [tensors.A]\ntype = \"f32\"\nlevels = [\"dense\", \"compressed\"]\n\
             [tensors.x]\ntype = \"f32\"\nlevels = [\"dense\"]\n\
             [tensors.y]\ntype = \"f32\"\nlevels = [\"compressed\"]\n\
             [schedule]\n{schedule}\n[hardware]\nmemory = \"axi\"\n[hardware.axi]\n{bus}\n"
        );
        let file = parse(Arc::new(Source { path: "k.toml".into(), text })).expect("a kernel");
        let compiled = compile_file(&file, &Density::default()).expect("a graph");
        let net = declared_netlist(&compiled.lowered).expect("a netlist");
        let Memory::Axi(options) = &file.hardware.memory else { panic!("memory is behind AXI") };
        let found = wasted(&compiled.lowered, &net, options).expect("a bus that holds the arrays");
        found.iter().map(|d| d.code).collect()
    }

    #[test]
    fn what_a_schedule_leaves_unused_is_said() {
        assert_eq!(codes(1000, "", "data_width = 64"), [""; 0]);
        assert_eq!(codes(100_000, "", "data_width = 64"), ["W005"]);
        assert_eq!(codes(100_000, "", "on_chip = 400000"), [""; 0]);
        assert_eq!(codes(100_000, "split = { j = 8192 }\nlanes = { j = 4 }", ""), [""; 0]);
        assert_eq!(codes(1000, "", "data_width = 512\nmasters = 4"), ["W006"]);
    }
}
