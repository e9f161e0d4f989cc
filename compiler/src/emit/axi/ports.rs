//! Ports of `NAME_axi`: AXI4-Lite for the host, AXI4 for the arrays.

use super::bus::Axi;
use samhw_hdl::{Expr, Port, PortGroup, Signal};

/// Signals of a group, in order: name, width, whether the module drives it.
type Wires = Vec<(&'static str, u32, bool)>;

/// Bits of the numbers of ports, which are IDs at the bus.
pub(super) fn id_width(axi: &Axi) -> u32 {
    let most = axi.readers().max(axi.ports.len() - axi.readers()).max(2) as u64;
    most.next_power_of_two().trailing_zeros()
}

/// Bits of a byte address of a register.
pub(super) fn register_width(axi: &Axi) -> u32 {
    let end = axi.registers.last().map_or(0, |r| r.offset + 4 * r.words).max(super::registers::OWN + 4);
    end.next_power_of_two().trailing_zeros().max(12)
}

/// Returns the ports of the host's registers (AXI4-Lite).
pub(super) fn lite(axi: &Axi) -> Wires {
    let addr = register_width(axi);
    vec![
        ("s_axi_awvalid", 1, false),
        ("s_axi_awready", 1, true),
        ("s_axi_awaddr", addr, false),
        ("s_axi_wvalid", 1, false),
        ("s_axi_wready", 1, true),
        ("s_axi_wdata", 32, false),
        ("s_axi_wstrb", 4, false),
        ("s_axi_bvalid", 1, true),
        ("s_axi_bready", 1, false),
        ("s_axi_bresp", 2, true),
        ("s_axi_arvalid", 1, false),
        ("s_axi_arready", 1, true),
        ("s_axi_araddr", addr, false),
        ("s_axi_rvalid", 1, true),
        ("s_axi_rready", 1, false),
        ("s_axi_rdata", 32, true),
        ("s_axi_rresp", 2, true),
    ]
}

/// Returns the ports of a manager's read channels.
pub(super) fn read(axi: &Axi) -> Wires {
    let (id, addr, data) = (id_width(axi), axi.options.address_width, axi.options.data_width);
    vec![
        ("m_axi_arvalid", 1, true),
        ("m_axi_arready", 1, false),
        ("m_axi_arid", id, true),
        ("m_axi_araddr", addr, true),
        ("m_axi_arlen", 8, true),
        ("m_axi_rvalid", 1, false),
        ("m_axi_rready", 1, true),
        ("m_axi_rid", id, false),
        ("m_axi_rdata", data, false),
        ("m_axi_rresp", 2, false),
        ("m_axi_rlast", 1, false),
    ]
}

/// Returns the ports of a manager's write channels.
pub(super) fn write(axi: &Axi) -> Wires {
    let (id, addr, data) = (id_width(axi), axi.options.address_width, axi.options.data_width);
    vec![
        ("m_axi_awvalid", 1, true),
        ("m_axi_awready", 1, false),
        ("m_axi_awid", id, true),
        ("m_axi_awaddr", addr, true),
        ("m_axi_awlen", 8, true),
        ("m_axi_wvalid", 1, true),
        ("m_axi_wready", 1, false),
        ("m_axi_wdata", data, true),
        ("m_axi_wstrb", data / 8, true),
        ("m_axi_wlast", 1, true),
        ("m_axi_bvalid", 1, false),
        ("m_axi_bready", 1, true),
        ("m_axi_bid", id, false),
        ("m_axi_bresp", 2, false),
    ]
}

/// Returns the prefix of a manager's ports: `m_axi`, or `m0_axi`, `m1_axi` if there are several.
pub fn prefix(axi: &Axi, master: usize) -> String {
    if axi.masters() == 1 { "m_axi".into() } else { format!("m{master}_axi") }
}

/// A port of a manager by its name where there is one.
fn own(axi: &Axi, master: usize, name: &str) -> String {
    name.replacen("m_axi", &prefix(axi, master), 1)
}

/// Returns the parameters that are the same for every burst: name, width, value. INCR, whole lines, normal
/// memory.
pub(super) fn constants(axi: &Axi, master: usize) -> Vec<(String, u32, u64)> {
    let of = |c: &str| {
        let size = u64::from(axi.bus_log2());
        [("size", 3, size), ("burst", 2, 1), ("cache", 4, 3), ("prot", 3, 0)]
            .map(|(n, w, v)| (format!("{}_{c}{n}", prefix(axi, master)), w, v))
    };
    [of("ar"), of("aw")].concat()
}

/// All of them, as groups.
pub(super) fn groups(axi: &Axi) -> Vec<PortGroup> {
    let port = |(n, w, out): (&str, u32, bool)| if out { Port::output(n, w) } else { Port::input(n, w) };
    let memory = (0..axi.masters()).map(|m| {
        let all = [read(axi), write(axi)].concat();
        let mut ports: Vec<Port> = all.into_iter().map(|(n, w, out)| port((&own(axi, m, n), w, out))).collect();
        ports.extend(constants(axi, m).into_iter().map(|(n, w, _)| Port::output(n, w)));
        let which = if axi.masters() == 1 { String::new() } else { format!(" of manager {m}") };
        PortGroup { comment: format!("Arrays{which}: AXI4, INCR bursts of whole lines."), ports }
    });
    let group = |comment: &str, ports| PortGroup { comment: comment.into(), ports };
    let mut out = vec![
        group("", vec![Port::input("clk", 1), Port::input("rst", 1)]),
        group("Registers: AXI4-Lite.", lite(axi).into_iter().map(port).collect()),
        group("1 when a run has ended, if that is enabled.", vec![Port::output("irq", 1)]),
    ];
    out.extend(memory);
    out
}

/// Connections of ports of these names to wires of the same names.
pub(super) fn same(wires: Wires) -> Vec<(String, Expr)> {
    wires.into_iter().map(|(n, w, _)| (n.to_string(), Signal::new(n, w).all())).collect()
}

/// Connections of a manager's ports.
pub(super) fn of_master(axi: &Axi, master: usize, wires: Wires) -> Vec<(String, Expr)> {
    wires.into_iter().map(|(n, w, _)| (n.to_string(), Signal::new(own(axi, master, n), w).all())).collect()
}
