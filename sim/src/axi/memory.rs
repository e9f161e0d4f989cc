//! Memory at the far end of an AXI4 bus, cycle by cycle: latency, bandwidth, stalls, reordering between IDs,
//! error responses. What is not in a buffer is not there.

use super::dram::Dram;
use super::layout::{Buffer, Layout};
use super::port::{Manager, Moved, Port, Subordinate};
use super::protocol::Violation;

/// How the memory behaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Fewest and most cycles from a burst's address to its first line, or from its last line to its response.
    pub latency: (u64, u64),
    /// The channel of DRAM at each manager, whose banks have the latency then.
    pub dram: Option<Dram>,
    /// Lines that move in 16 cycles, both ways together; 0: as many as the channels take.
    pub lines_per_16: u64,
    /// How likely each channel is held back in a cycle, in percent.
    pub stall: u64,
    /// Bursts of different IDs overtake each other, and their lines mix.
    pub reorder: bool,
    /// A response that is an error.
    pub fault: Option<Fault>,
    /// Seed of chance.
    pub seed: u64,
}

impl Default for Settings {
    /// The fastest one.
    fn default() -> Self {
        Self { latency: (1, 1), dram: None, lines_per_16: 0, stall: 0, reorder: false, fault: None, seed: 1 }
    }
}

impl Settings {
    /// The same with a channel of DRAM at each manager, whose lines have `line` bytes.
    pub fn of_dram(self, dram: &Dram, line: u64) -> Self {
        Self { lines_per_16: dram.lines_per_16(line), dram: Some(dram.clone()), ..self }
    }
    /// The code of response number `number`.
    pub fn error(&self, of: Faulty, (manager, number): (usize, u64)) -> u64 {
        let here = |f: &Fault| f.of == of && f.number == number && f.manager.is_none_or(|m| m == manager);
        self.fault.filter(here).map_or(0, |f| if f.decode { 3 } else { 2 })
    }
}

/// Which response is an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// Of lines read, or of bursts written.
    pub of: Faulty,
    /// Its number, from 0.
    pub number: u64,
    /// DECERR, else SLVERR.
    pub decode: bool,
    /// The manager at whose bus it is; none: at every one.
    pub manager: Option<usize>,
}

/// A channel with errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Faulty {
    /// A line read.
    Read,
    /// A burst written.
    Write,
}

/// The memory, with a port of its own bandwidth for every manager.
#[derive(Debug, Clone)]
pub struct Memory {
    settings: Settings,
    line: u64,
    /// Where there is memory, and what is in it.
    pub buffers: Vec<Buffer>,
    ports: Vec<Port>,
    runs: u64,
}

impl Memory {
    /// A memory with these buffers at buses of `line` bytes, one for each of `managers`.
    pub fn new(settings: Settings, line: u64, managers: usize, buffers: Vec<Buffer>) -> Self {
        let ports = (0..managers).map(|number| Port::new(number, settings.seed, line)).collect();
        Self { settings, line, buffers, ports, runs: 0 }
    }

    /// A run begins while nothing is on its way: from here on chance and bandwidth depend on the seed and on how many
    /// runs were before, not on how long ago they were.
    pub fn begin(&mut self) {
        if self.idle() {
            for (k, p) in self.ports.iter_mut().enumerate() {
                let run = self.runs.wrapping_add((k as u64) << 32);
                p.begin(self.settings.seed.wrapping_add(run.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
            }
            self.runs += 1;
        }
    }

    /// What it drives at a manager.
    pub fn drives(&self, manager: usize) -> &Subordinate {
        &self.ports[manager].out
    }

    /// What has gone over the buses.
    pub fn moved(&self) -> Moved {
        self.ports.iter().fold(Moved::default(), |a, p| Moved {
            reads: a.reads + p.moved.reads,
            lines_read: a.lines_read + p.moved.lines_read,
            writes: a.writes + p.moved.writes,
            lines_written: a.lines_written + p.moved.lines_written,
        })
    }

    /// The most of each that has gone over one bus.
    pub fn busiest(&self) -> Moved {
        self.ports.iter().fold(Moved::default(), |a, p| Moved {
            reads: a.reads.max(p.moved.reads),
            lines_read: a.lines_read.max(p.moved.lines_read),
            writes: a.writes.max(p.moved.writes),
            lines_written: a.lines_written.max(p.moved.lines_written),
        })
    }

    /// Words of array number `array`.
    pub fn fetch(&self, layout: &Layout, array: usize) -> Vec<u64> {
        let at = self.buffers.iter().zip(&layout.sizes).find(|(b, _)| b.array == array);
        at.map(|(b, &size)| b.words(size)).unwrap_or_default()
    }

    /// True if nothing is on its way.
    pub fn idle(&self) -> bool {
        self.ports.iter().all(Port::idle)
    }

    /// An error at every bus from now on, counted from now.
    pub fn fault(&mut self, fault: Option<Fault>) {
        self.settings.fault = fault;
        self.ports.iter_mut().for_each(|p| (p.moved, p.faulted) = (Moved::default(), None));
    }

    /// ID of the first response to manager `k` that was made an error since then.
    pub fn faulted(&self, k: usize) -> Option<u64> {
        self.ports[k].faulted
    }

    /// What has gone over the bus of manager `k`.
    pub fn moved_by(&self, k: usize) -> Moved {
        self.ports[k].moved
    }

    /// Bursts at the channel of manager `k`, and those whose row was open.
    pub fn rows_by(&self, k: usize) -> (u64, u64) {
        (self.ports[k].banks.bursts, self.ports[k].banks.hits)
    }

    /// A clock edge at which manager `k` drives `m`.
    pub fn clock(&mut self, k: usize, m: &Manager) -> Result<(), Violation> {
        self.ports[k].clock(m, &self.settings, self.line, &mut self.buffers)
    }

    /// The line at an address, lowest byte in the lowest bits of the first word.
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
