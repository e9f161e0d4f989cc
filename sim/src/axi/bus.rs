//! The wires of `NAME_axi` on a simulated bus, with a memory at one side and a host at the other.

use super::memory::Memory;
use super::port::Manager;
use super::protocol::Violation;
use samhw_compiler::emit::manifest::ManifestTop;
use samhw_primitives::axi::{Burst, WriteLine};
use samhw_rtlsim::{self as rtl, Dir};
use std::collections::HashMap;

/// The numbers and widths of the ports, by name.
#[derive(Debug, Clone, Default)]
pub struct Bus {
    ports: HashMap<String, (usize, u32)>,
    /// What the names of each manager's ports begin with.
    managers: Vec<String>,
}

impl Bus {
    /// Creates the bus with every port of the top module except clock and reset.
    pub fn new(top: &ManifestTop, managers: Vec<String>, design: &mut rtl::Design) -> Self {
        let mut bus = Self { managers, ..Self::default() };
        for p in top.ports.iter().filter(|p| p.name != "clk" && p.name != "rst") {
            let dir = if p.direction == "input" { Dir::In } else { Dir::Out };
            bus.ports.insert(p.name.clone(), (design.port(&p.name, p.width, dir), p.width));
        }
        bus
    }

    /// Returns the value of a port of up to 64 bits.
    pub fn get(&self, sim: &rtl::Instance, name: &str) -> u64 {
        self.ports.get(name).map_or(0, |p| sim.get(p.0))
    }
    /// Drives a port of up to 64 bits.
    pub fn set(&self, sim: &mut rtl::Instance, name: &str, value: u64) {
        if let Some(p) = self.ports.get(name) {
            sim.set(p.0, value);
        }
    }
    /// Returns the number of a port.
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
        let of = |what: &str| self.get(sim, &format!("{channel}{what}"));
        (of("valid") == 1).then(|| Burst { id: of("id"), addr: of("addr"), len: of("len") })
    }

    /// What a manager drives.
    fn manager(&self, sim: &rtl::Instance, at: &str) -> Manager {
        let w = (self.get(sim, &format!("{at}_wvalid")) == 1).then(|| WriteLine {
            data: self.wide(sim, &format!("{at}_wdata")),
            strobe: self.get(sim, &format!("{at}_wstrb")),
            last: self.get(sim, &format!("{at}_wlast")) == 1,
        });
        Manager {
            ar: self.burst(sim, &format!("{at}_ar")),
            aw: self.burst(sim, &format!("{at}_aw")),
            w,
            r_ready: self.get(sim, &format!("{at}_rready")) == 1,
            b_ready: self.get(sim, &format!("{at}_bready")) == 1,
        }
    }

    /// Simulates one clock cycle of the buses with `memory`: both sides are sampled, then both advance.
    pub fn clock(&self, sim: &mut rtl::Instance, memory: &mut Memory) -> Result<rtl::Result<()>, Violation> {
        let managers: Vec<Manager> = self.managers.iter().map(|at| self.manager(sim, at)).collect();
        let clocked = sim.clock();
        managers.iter().enumerate().try_for_each(|(k, m)| memory.clock(k, m))?;
        self.drive(sim, memory);
        Ok(clocked)
    }

    /// Drives the memory's outputs onto the wires.
    pub fn drive(&self, sim: &mut rtl::Instance, memory: &Memory) {
        for (k, at) in self.managers.iter().enumerate() {
            let out = memory.drives(k);
            let mut set = |name: &str, value| self.set(sim, &format!("{at}_{name}"), value);
            set("arready", u64::from(out.ar_ready));
            set("awready", u64::from(out.aw_ready));
            set("wready", u64::from(out.w_ready));
            set("rvalid", u64::from(out.r.is_some()));
            set("bvalid", u64::from(out.b.is_some()));
            if let Some((id, resp)) = out.b {
                set("bid", id);
                set("bresp", resp);
            }
            if let Some(r) = &out.r {
                set("rid", r.id);
                set("rresp", r.resp);
                set("rlast", u64::from(r.last));
                if let Some(port) = self.port(&format!("{at}_rdata")) {
                    sim.poke(port, &memory.line(r.addr));
                }
            }
        }
    }
}
