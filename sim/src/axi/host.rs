//! A host at the registers: one AXI4-Lite transfer at a time.

use super::bus::Bus;
use samhw_rtlsim as rtl;

/// A transfer that goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Transfer {
    Write { address: bool, data: bool },
    Read { address: bool },
}

/// The host's side of the registers.
#[derive(Debug, Clone, Default)]
pub struct Host {
    transfer: Option<Transfer>,
    /// What the last read gave.
    pub value: u32,
}

impl Host {
    /// Begins to write a register.
    pub fn write(&mut self, bus: &Bus, sim: &mut rtl::Instance, offset: u32, value: u32) {
        bus.set(sim, "s_axi_awaddr", u64::from(offset));
        bus.set(sim, "s_axi_wdata", u64::from(value));
        bus.set(sim, "s_axi_wstrb", 15);
        for (name, v) in [("s_axi_awvalid", 1), ("s_axi_wvalid", 1), ("s_axi_bready", 1)] {
            bus.set(sim, name, v);
        }
        self.transfer = Some(Transfer::Write { address: true, data: true });
    }

    /// Begins to read a register.
    pub fn read(&mut self, bus: &Bus, sim: &mut rtl::Instance, offset: u32) {
        bus.set(sim, "s_axi_araddr", u64::from(offset));
        bus.set(sim, "s_axi_arvalid", 1);
        bus.set(sim, "s_axi_rready", 1);
        self.transfer = Some(Transfer::Read { address: true });
    }

    /// True while a transfer goes on.
    pub fn busy(&self) -> bool {
        self.transfer.is_some()
    }

    /// What the coming clock edge will do: to be called before it, and what it returns after it.
    pub fn before(
        &mut self,
        bus: &Bus,
        sim: &rtl::Instance,
    ) -> impl FnOnce(&mut Self, &Bus, &mut rtl::Instance) + use<> {
        let is = |name: &str| bus.get(sim, name) == 1;
        let (aw, w, ar) = (is("s_axi_awready"), is("s_axi_wready"), is("s_axi_arready"));
        let (b, r) = (is("s_axi_bvalid"), is("s_axi_rvalid"));
        let value = bus.get(sim, "s_axi_rdata") as u32;
        move |host: &mut Self, bus: &Bus, sim: &mut rtl::Instance| match &mut host.transfer {
            Some(Transfer::Write { address, data }) => {
                *address &= !aw;
                *data &= !w;
                bus.set(sim, "s_axi_awvalid", u64::from(*address));
                bus.set(sim, "s_axi_wvalid", u64::from(*data));
                if b {
                    bus.set(sim, "s_axi_bready", 0);
                    host.transfer = None;
                }
            }
            Some(Transfer::Read { address }) => {
                *address &= !ar;
                bus.set(sim, "s_axi_arvalid", u64::from(*address));
                if r {
                    host.value = value;
                    bus.set(sim, "s_axi_rready", 0);
                    host.transfer = None;
                }
            }
            None => {}
        }
    }
}
