//! The wires of `NAME_axi` at a simulated bus: a memory at one side, a host at the other.

use super::memory::{Manager, Memory};
use super::protocol::Violation;
use samhw_compiler::emit::manifest::Top;
use samhw_primitives::axi::{Burst, WriteLine};
use samhw_rtlsim::{self as rtl, Dir};
use std::collections::HashMap;

/// Numbers and widths of the ports by name.
#[derive(Debug, Clone, Default)]
pub struct Bus {
    ports: HashMap<String, (usize, u32)>,
    id: u32,
}

impl Bus {
    /// Every port of the top module but clock and reset.
    pub fn new(top: &Top, design: &mut rtl::Design) -> Self {
        let mut bus = Self::default();
        for p in top.ports.iter().filter(|p| p.name != "clk" && p.name != "rst") {
            let dir = if p.direction == "input" { Dir::In } else { Dir::Out };
            bus.ports.insert(p.name.clone(), (design.port(&p.name, p.width, dir), p.width));
        }
        bus.id = bus.ports.get("m_axi_arid").map_or(1, |p| p.1);
        bus
    }

    /// A port's value, of up to 64 bits.
    pub fn get(&self, sim: &rtl::Instance, name: &str) -> u64 {
        self.ports.get(name).map_or(0, |p| sim.get(p.0))
    }
    /// Drives a port of up to 64 bits.
    pub fn set(&self, sim: &mut rtl::Instance, name: &str, value: u64) {
        if let Some(p) = self.ports.get(name) {
            sim.set(p.0, value);
        }
    }
    /// Number of a port.
    pub fn port(&self, name: &str) -> Option<usize> {
        self.ports.get(name).map(|p| p.0)
    }

    fn wide(&self, sim: &rtl::Instance, name: &str) -> [u64; 8] {
        let mut words = [0; 8];
        if let Some(&(port, width)) = self.ports.get(name) {
            sim.peek(port, &mut words[..width.div_ceil(64) as usize]);
        }
        words
    }

    fn burst(&self, sim: &rtl::Instance, channel: &str) -> Option<Burst> {
        let of = |what: &str| self.get(sim, &format!("m_axi_{channel}{what}"));
        (of("valid") == 1).then(|| Burst { id: of("id"), addr: of("addr"), len: of("len") })
    }

    /// One clock cycle of the bus with `memory`: what both drive is seen, then both go on.
    pub fn clock(&self, sim: &mut rtl::Instance, memory: &mut Memory) -> Result<rtl::Result<()>, Violation> {
        let w = (self.get(sim, "m_axi_wvalid") == 1).then(|| WriteLine {
            data: self.wide(sim, "m_axi_wdata"),
            strobe: self.get(sim, "m_axi_wstrb"),
            last: self.get(sim, "m_axi_wlast") == 1,
        });
        let manager = Manager {
            ar: self.burst(sim, "ar"),
            aw: self.burst(sim, "aw"),
            w,
            r_ready: self.get(sim, "m_axi_rready") == 1,
            b_ready: self.get(sim, "m_axi_bready") == 1,
        };
        let clocked = sim.clock();
        memory.clock(&manager)?;
        self.drive(sim, memory);
        Ok(clocked)
    }

    /// Puts on the wires what the memory drives.
    pub fn drive(&self, sim: &mut rtl::Instance, memory: &Memory) {
        let out = memory.drives();
        self.set(sim, "m_axi_arready", u64::from(out.ar_ready));
        self.set(sim, "m_axi_awready", u64::from(out.aw_ready));
        self.set(sim, "m_axi_wready", u64::from(out.w_ready));
        self.set(sim, "m_axi_rvalid", u64::from(out.r.is_some()));
        if let (Some(r), Some(&(port, _))) = (&out.r, self.ports.get("m_axi_rdata")) {
            sim.poke(port, &memory.line(r.addr));
            self.set(sim, "m_axi_rid", r.id);
            self.set(sim, "m_axi_rresp", r.resp);
            self.set(sim, "m_axi_rlast", u64::from(r.last));
        }
        self.set(sim, "m_axi_bvalid", u64::from(out.b.is_some()));
        if let Some((id, resp)) = out.b {
            self.set(sim, "m_axi_bid", id);
            self.set(sim, "m_axi_bresp", resp);
        }
    }
}
