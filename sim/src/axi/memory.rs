//! A memory on an AXI4 bus, simulated by the cycle: latency, bandwidth, stalls, reordering between IDs, error
//! responses. What is not in a buffer is not there.

use super::dram::Dram;
use super::layout::{Buffer, Layout};
use super::port::{Manager, Moved, Port, Subordinate};
use super::protocol::Violation;

/// The behaviour of the memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Smallest and largest number of cycles from a burst's address to its first line, or from its last line to its
    /// response.
    pub latency: (u64, u64),
    /// The DRAM channel of each manager; the latency then comes from its banks.
    pub dram: Option<Dram>,
    /// Number of lines transferred in 16 cycles, both directions together; 0 for no limit.
    pub lines_per_16: u64,
    /// Probability in percent that a channel is stalled in a cycle.
    pub stall: u64,
    /// Whether bursts of different IDs overtake each other and interleave.
    pub reorder: bool,
    /// A response that is an error, if any.
    pub fault: Option<Fault>,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl Default for Settings {
    /// The fastest one.
    fn default() -> Self {
        Self { latency: (1, 1), dram: None, lines_per_16: 0, stall: 0, reorder: false, fault: None, seed: 1 }
    }
}

impl Settings {
    /// Returns the settings with a DRAM channel for each manager and lines of `line` bytes.
    pub fn of_dram(self, dram: &Dram, line: u64) -> Self {
        Self { lines_per_16: dram.lines_per_16(line), dram: Some(dram.clone()), ..self }
    }
    /// Returns the response code of response number `number`.
    pub fn error(&self, of: Faulty, (manager, number): (usize, u64)) -> u64 {
        let here = |f: &Fault| f.of == of && f.number == number && f.manager.is_none_or(|m| m == manager);
        self.fault.filter(here).map_or(0, |f| if f.decode { 3 } else { 2 })
    }
}

/// The response that is an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// Whether the error is at a line read or a burst written.
    pub of: Faulty,
    /// Number of the response, from 0.
    pub number: u64,
    /// Whether the error is DECERR rather than SLVERR.
    pub decode: bool,
    /// Manager whose bus has the error; `None` for every bus.
    pub manager: Option<usize>,
}

/// The kind of response that is an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Faulty {
    /// A line read.
    Read,
    /// A burst written.
    Write,
}

/// The simulated memory, with separate bandwidth for every manager.
#[derive(Debug, Clone)]
pub struct Memory {
    settings: Settings,
    line: u64,
    /// The buffers and their contents.
    pub buffers: Vec<Buffer>,
    ports: Vec<Port>,
    runs: u64,
}

impl Memory {
    /// Creates a memory with these buffers on buses with lines of `line` bytes, one bus for each manager.
    pub fn new(settings: Settings, line: u64, managers: usize, buffers: Vec<Buffer>) -> Self {
        let ports = (0..managers).map(|number| Port::new(number, settings.seed, line)).collect();
        Self { settings, line, buffers, ports, runs: 0 }
    }

    /// Starts a run, with no transfer in progress; random numbers and bandwidth depend on the seed and the number of
    /// previous runs only.
    pub fn begin(&mut self) {
        if self.idle() {
            for (k, p) in self.ports.iter_mut().enumerate() {
                let run = self.runs.wrapping_add((k as u64) << 32);
                p.begin(self.settings.seed.wrapping_add(run.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
            }
            self.runs += 1;
        }
    }

    /// Returns the signals that the memory drives at a manager.
    pub fn drives(&self, manager: usize) -> &Subordinate {
        &self.ports[manager].out
    }

    /// Returns the transfers on all buses.
    pub fn moved(&self) -> Moved {
        self.ports.iter().fold(Moved::default(), |a, p| Moved {
            reads: a.reads + p.moved.reads,
            lines_read: a.lines_read + p.moved.lines_read,
            writes: a.writes + p.moved.writes,
            lines_written: a.lines_written + p.moved.lines_written,
        })
    }

    /// Returns the largest number of each kind of transfer on any bus.
    pub fn busiest(&self) -> Moved {
        self.ports.iter().fold(Moved::default(), |a, p| Moved {
            reads: a.reads.max(p.moved.reads),
            lines_read: a.lines_read.max(p.moved.lines_read),
            writes: a.writes.max(p.moved.writes),
            lines_written: a.lines_written.max(p.moved.lines_written),
        })
    }

    /// Returns the words of array number `array`.
    pub fn fetch(&self, layout: &Layout, array: usize) -> Vec<u64> {
        let at = self.buffers.iter().zip(&layout.sizes).find(|(b, _)| b.array == array);
        at.map(|(b, &size)| b.words(size)).unwrap_or_default()
    }

    /// Returns true if no transfer is in progress.
    pub fn idle(&self) -> bool {
        self.ports.iter().all(Port::idle)
    }

    /// Sets an error for every bus, with responses counted from now.
    pub fn fault(&mut self, fault: Option<Fault>) {
        self.settings.fault = fault;
        self.ports.iter_mut().for_each(|p| (p.moved, p.faulted) = (Moved::default(), None));
    }

    /// Returns the ID of the first erroneous response to manager `k` since [`Self::fault`].
    pub fn faulted(&self, k: usize) -> Option<u64> {
        self.ports[k].faulted
    }

    /// Returns the transfers on the bus of manager `k`.
    pub fn moved_by(&self, k: usize) -> Moved {
        self.ports[k].moved
    }

    /// Returns the number of bursts at the channel of manager `k`, and the number whose row was open.
    pub fn rows_by(&self, k: usize) -> (u64, u64) {
        (self.ports[k].banks.bursts, self.ports[k].banks.hits)
    }

    /// Simulates a clock edge at which manager `k` drives `m`.
    pub fn clock(&mut self, k: usize, m: &Manager) -> Result<(), Violation> {
        self.ports[k].clock(m, &self.settings, self.line, &mut self.buffers)
    }

    /// Returns the line at an address, with the lowest byte in the lowest bits of the first word.
    pub fn line(&self, addr: u64) -> Vec<u64> {
        let bytes: Vec<u8> = (0..self.line).map(|n| self.byte(addr.wrapping_add(n))).collect();
        bytes.chunks(8).map(|c| c.iter().rev().fold(0, |w, &b| w << 8 | u64::from(b))).collect()
    }

    /// A byte; something else where there is no memory.
    fn byte(&self, addr: u64) -> u8 {
        let there = self.buffers.iter().find_map(|b| b.byte(addr));
        there.unwrap_or((addr.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8)
    }
}
