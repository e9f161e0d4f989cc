//! A host at the registers: it makes one AXI4-Lite transfer at a time, as fast as possible or at a random pace, and
//! checks the protocol.

use super::bus::Bus;
use super::protocol::Violation;
use samhw_rtlsim as rtl;
use samhw_values::Rng;

/// A transfer that goes on: what the other side has not taken yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Transfer {
    Write { address: bool, data: bool },
    Read { address: bool },
}

/// A response that was offered and not taken: of writes, of reads with its data.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Offered {
    write: bool,
    read: Option<u32>,
}

/// The host's side of the register bus.
#[derive(Debug, Clone, Default)]
pub struct Host {
    transfer: Option<Transfer>,
    /// Result of the last read.
    pub value: u32,
    /// Response to the last transfer: 0 is OKAY.
    pub response: u32,
    /// Chance of when it drives, where that is random.
    pace: Option<Rng>,
    /// The present transfer is as fast as it goes.
    brisk: bool,
    offered: Offered,
}

impl Host {
    /// Drives every signal of later transfers at a random time.
    pub fn at_random(&mut self, seed: u64) {
        self.pace = Some(Rng::new(seed));
    }

    /// Starts to write the bytes of a register that `strobe` selects; `brisk` ignores the random pace.
    pub fn write(&mut self, bus: &Bus, sim: &mut rtl::Instance, offset: u32, (value, strobe): (u32, u32), brisk: bool) {
        bus.set(sim, "s_axi_awaddr", u64::from(offset));
        bus.set(sim, "s_axi_wdata", u64::from(value));
        bus.set(sim, "s_axi_wstrb", u64::from(strobe));
        self.brisk = brisk;
        self.transfer = Some(Transfer::Write { address: true, data: true });
        for name in ["s_axi_awvalid", "s_axi_wvalid", "s_axi_bready"] {
            self.raise(bus, sim, name);
        }
    }

    /// Starts to read a register.
    pub fn read(&mut self, bus: &Bus, sim: &mut rtl::Instance, offset: u32) {
        bus.set(sim, "s_axi_araddr", u64::from(offset));
        self.brisk = false;
        self.transfer = Some(Transfer::Read { address: true });
        self.raise(bus, sim, "s_axi_arvalid");
        self.raise(bus, sim, "s_axi_rready");
    }

    /// Returns true during a transfer.
    pub fn busy(&self) -> bool {
        self.transfer.is_some()
    }

    /// Drives 1, or not yet. What is driven stays.
    fn raise(&mut self, bus: &Bus, sim: &mut rtl::Instance, name: &str) {
        let brisk = self.brisk;
        if self.pace.as_mut().is_none_or(|rng| brisk || rng.chance(30)) {
            bus.set(sim, name, 1);
        }
    }

    /// A response that was not taken stays.
    fn check(&self, now: Offered) -> Result<(), Violation> {
        let before = self.offered;
        if before.write && !now.write {
            return Err(Violation("a write's response at the registers went away before it was taken".into()));
        }
        if before.read.is_some() && before.read != now.read {
            return Err(Violation(format!(
                "read data at the registers changed from {:?} to {:?}",
                before.read, now.read
            )));
        }
        match self.transfer {
            Some(Transfer::Write { address: false, data: false }) if now.read.is_none() => Ok(()),
            Some(Transfer::Read { address: false }) if !now.write => Ok(()),
            _ if now == Offered::default() => Ok(()),
            _ => Err(Violation("a response at the registers to what was not asked".into())),
        }
    }

    /// Prepares the next clock edge; call this before the edge, and the returned function after it.
    pub fn before(
        &mut self,
        bus: &Bus,
        sim: &rtl::Instance,
    ) -> Result<impl FnOnce(&mut Self, &Bus, &mut rtl::Instance) + use<>, Violation> {
        let is = |name: &str| bus.get(sim, name) == 1;
        let both = |name: &str| is(&format!("s_axi_{name}valid")) && is(&format!("s_axi_{name}ready"));
        let value = bus.get(sim, "s_axi_rdata") as u32;
        let responses = ["s_axi_bresp", "s_axi_rresp"].map(|name| bus.get(sim, name) as u32);
        let offered = Offered { write: is("s_axi_bvalid"), read: is("s_axi_rvalid").then_some(value) };
        self.check(offered)?;
        let (aw, w, ar, b, r) = (both("aw"), both("w"), both("ar"), both("b"), both("r"));
        self.offered = Offered { write: offered.write && !b, read: offered.read.filter(|_| !r) };
        Ok(move |host: &mut Self, bus: &Bus, sim: &mut rtl::Instance| {
            for (name, taken) in [("aw", aw), ("w", w), ("ar", ar)] {
                if taken {
                    bus.set(sim, &format!("s_axi_{name}valid"), 0);
                }
            }
            let (mut wanted, mut over) = (Vec::new(), false);
            match &mut host.transfer {
                Some(Transfer::Write { address, data }) => {
                    (*address, *data, over) = (*address && !aw, *data && !w, b);
                    wanted.extend([("s_axi_awvalid", *address), ("s_axi_wvalid", *data), ("s_axi_bready", !b)]);
                }
                Some(Transfer::Read { address }) => {
                    (*address, over) = (*address && !ar, r);
                    wanted.extend([("s_axi_arvalid", *address), ("s_axi_rready", !r)]);
                }
                None => {}
            }
            wanted.into_iter().filter(|w| w.1).for_each(|(name, _)| host.raise(bus, sim, name));
            if over {
                bus.set(sim, "s_axi_bready", 0);
                bus.set(sim, "s_axi_rready", 0);
                host.transfer = None;
                host.response = responses[usize::from(r)];
                if r {
                    host.value = value;
                }
            }
        })
    }
}
