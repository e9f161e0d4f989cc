//! Runs of the native engine behind AXI.

use super::shell::Shell;
use super::{Ended, Layout, Memory, Violation};
use crate::native::{Counts, Native, Stuck, Watch};
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::emit::axi::Axi;
use samhw_compiler::netlist::{Meaning, Netlist};
use samhw_streams::Tells;

/// The reason why a run of the native engine behind AXI did not finish.
#[derive(Debug, thiserror::Error)]
pub enum Unfinished {
    /// The core did not finish.
    #[error(transparent)]
    Core(#[from] Stuck),
    /// A bus rule was violated, or an address outside of the buffers was accessed.
    #[error(transparent)]
    Bus(#[from] Violation),
    /// The core did not finish, and there was no room for what it wrote: its status outputs, in the order of
    /// [`Netlist::statuses`].
    #[error("a result does not fit its memory")]
    Full(Vec<u64>),
}

impl From<Unfinished> for Diagnostic {
    fn from(e: Unfinished) -> Self {
        Self::new("R010", format!("the hardware did not finish: {e}"))
            .help("this is a fault of samhw, not of your kernel: please report it with the kernel file and its data")
    }
}

/// The result of a run.
pub struct Ran {
    /// The end of the run.
    pub ended: Ended,
    /// The memory, which contains the results.
    pub memory: Memory,
    /// Status outputs, in the order of [`Netlist::statuses`].
    pub status: Vec<u64>,
}

/// The description of a run.
pub struct AxiNative<'a> {
    /// The netlist in its form behind AXI; see [`samhw_compiler::emit::axi::behind`].
    pub net: &'a Netlist,
    /// The AXI interface around the core.
    pub axi: &'a Axi,
    /// Layout and contents of the arrays.
    pub layout: &'a Layout,
    /// Run-time values, in the order of [`Netlist::config`].
    pub config: Vec<u64>,
    /// Timeout of the watchdog in cycles.
    pub watchdog: u32,
}

impl AxiNative<'_> {
    /// Runs the kernel with `memory`. `HASH`: fill in the channels' hashes; `watch` follows it.
    pub fn run<const HASH: bool>(&self, memory: Memory, limit: u64, watch: Watch) -> Result<Ran, Unfinished> {
        let (net, layout) = (self.net, self.layout);
        // How much room there is the hardware is told by the registers of the arrays, or it is that of a memory on the chip.
        let room = |c: &samhw_compiler::netlist::Config| {
            let Meaning::Capacity(u, part, words) = c.meaning else { return None };
            let read = net.arrays.iter().position(|a| a.of == u && a.part == part && a.host_reads);
            let Some(k) = read else { return Some(words) };
            layout.place(k).1.map(|w| (w.len() as u64).min(u64::MAX >> (64 - c.width)))
        };
        let config: Vec<u64> = net.config.iter().zip(&self.config).map(|(c, &v)| room(c).unwrap_or(v)).collect();
        let mut native = Native::new(net, &config);
        native.watch(watch);
        let mut shell = Shell::new(net, self.axi, layout, memory, (&config, self.watchdog));
        let ran = native.run_within::<HASH, _>(limit, &mut shell);
        let status: Vec<u64> = net.statuses.iter().map(|s| native.status(s.from.0, s.from.1)).collect();
        // A later statement that reads what had no room stops the run.
        if ran.is_err() && net.statuses.iter().zip(&status).any(|(s, &v)| s.tells == Tells::Overflow && v != 0) {
            return Err(Unfinished::Full(status));
        }
        let counts = ran?;
        if let Some(violation) = shell.broken {
            return Err(violation.into());
        }
        let (cycles, error) = (shell.run.cycles(), shell.run.error());
        let ended = Ended {
            cycles,
            code: u32::from(error & 0xff),
            port: usize::from(error >> 8),
            counts: Counts { cycles, ..counts },
        };
        Ok(Ran { ended, memory: shell.memory, status })
    }
}
