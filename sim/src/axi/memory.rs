//! Memory at the far end of an AXI4 bus, cycle by cycle: latency, bandwidth, stalls, reordering between IDs,
//! error responses. What is not in a buffer is not there.

use super::layout::{Buffer, Layout};
use super::protocol::{Checks, Violation};
use crate::random::Rng;
use samhw_primitives::axi::{Burst, WriteLine};
use std::collections::VecDeque;

/// How the memory behaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Fewest and most cycles from a burst's address to its first line, or from its last line to its response.
    pub latency: (u64, u64),
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
        Self { latency: (1, 1), lines_per_16: 0, stall: 0, reorder: false, fault: None, seed: 1 }
    }
}

impl Settings {
    /// The code of response number `number`.
    fn error(&self, of: Faulty, (manager, number): (usize, u64)) -> u64 {
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

/// A line on its way from memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadLine {
    /// ID.
    pub id: u64,
    /// Address of its first byte: [`Memory::line`] has its bytes.
    pub addr: u64,
    /// Response.
    pub resp: u64,
    /// Last of its burst.
    pub last: bool,
}

/// What the manager drives in a cycle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Manager {
    /// Read address.
    pub ar: Option<Burst>,
    /// Write address.
    pub aw: Option<Burst>,
    /// Write line.
    pub w: Option<WriteLine>,
    /// Takes lines.
    pub r_ready: bool,
    /// Takes responses.
    pub b_ready: bool,
}

/// What the memory drives in a cycle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Subordinate {
    /// Takes read addresses.
    pub ar_ready: bool,
    /// Takes write addresses.
    pub aw_ready: bool,
    /// Takes write lines.
    pub w_ready: bool,
    /// A line.
    pub r: Option<ReadLine>,
    /// A response: ID, code.
    pub b: Option<(u64, u64)>,
}

/// What has gone over the bus.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Moved {
    /// Bursts read.
    pub reads: u64,
    /// Lines read.
    pub lines_read: u64,
    /// Bursts written.
    pub writes: u64,
    /// Lines written.
    pub lines_written: u64,
}

/// A burst that was asked for.
#[derive(Debug, Clone, Copy)]
struct Asked {
    burst: Burst,
    next: u64,
    from: u64,
}

/// What is on its way at one manager's bus.
#[derive(Debug, Clone)]
struct Port {
    number: usize,
    rng: Rng,
    checks: Checks,
    cycle: u64,
    credit: u64,
    reads: VecDeque<Asked>,
    writes: VecDeque<Burst>,
    lines: VecDeque<WriteLine>,
    responses: Vec<(u64, u64, u64)>,
    out: Subordinate,
    moved: Moved,
    /// ID of the first response that was made an error.
    faulted: Option<u64>,
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
        let port = |number| Port {
            number,
            rng: Rng::new(settings.seed),
            checks: Checks::new(line),
            cycle: 0,
            credit: 0,
            reads: VecDeque::new(),
            writes: VecDeque::new(),
            lines: VecDeque::new(),
            responses: Vec::new(),
            out: Subordinate::default(),
            moved: Moved::default(),
            faulted: None,
        };
        let ports = (0..managers).map(port).collect();
        Self { settings, line, buffers, ports, runs: 0 }
    }

    /// A run begins while nothing is on its way: from here on chance and bandwidth depend on the seed and on how many
    /// runs were before, not on how long ago they were.
    pub fn begin(&mut self) {
        if self.idle() {
            for (k, p) in self.ports.iter_mut().enumerate() {
                let run = self.runs.wrapping_add((k as u64) << 32);
                p.rng = Rng::new(self.settings.seed.wrapping_add(run.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
                (p.cycle, p.credit, p.out) = (0, 0, Subordinate::default());
                p.moved = Moved::default();
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

impl Port {
    fn idle(&self) -> bool {
        self.reads.is_empty()
            && self.writes.is_empty()
            && self.lines.is_empty()
            && self.responses.is_empty()
            && self.out.r.is_none()
            && self.out.b.is_none()
    }

    fn clock(&mut self, m: &Manager, settings: &Settings, line: u64, buffers: &mut [Buffer]) -> Result<(), Violation> {
        self.checks.cycle(m, &self.out)?;
        if let Some(burst) = m.ar.filter(|_| self.out.ar_ready) {
            let from = self.cycle + self.latency(settings);
            self.reads.push_back(Asked { burst, next: 0, from });
            self.moved.reads += 1;
        }
        if let Some(burst) = m.aw.filter(|_| self.out.aw_ready) {
            self.writes.push_back(burst);
        }
        if let Some(line) = m.w.filter(|_| self.out.w_ready) {
            self.lines.push_back(line);
            self.moved.lines_written += 1;
        }
        if m.r_ready {
            self.out.r = None;
        }
        if m.b_ready {
            self.out.b = None;
        }
        self.write(settings, line, buffers)?;
        self.cycle += 1;
        let rate = settings.lines_per_16;
        self.credit = if rate == 0 { u64::MAX } else { (self.credit + rate).min(64) };
        let flows = |rng: &mut Rng, percent| percent == 0 || !rng.chance(percent);
        let stall = settings.stall;
        self.out.ar_ready = flows(&mut self.rng, stall);
        self.out.aw_ready = flows(&mut self.rng, stall);
        // The line of this cycle has its credit before the reads get theirs.
        self.out.w_ready = flows(&mut self.rng, stall) && self.lines.len() < 64 && self.pay_ahead(m);
        if self.out.r.is_none() && flows(&mut self.rng, stall) && self.credit >= 16 {
            self.out.r = self.read(settings, line, buffers)?;
        }
        if self.out.b.is_none() && flows(&mut self.rng, stall) {
            self.out.b = self.respond(settings);
        }
        Ok(())
    }

    /// Whether a write line can be taken in the next cycle; takes its credit where one stands there.
    fn pay_ahead(&mut self, m: &Manager) -> bool {
        if self.credit == u64::MAX {
            return true;
        }
        let pays = self.credit >= 16 && m.w.is_some();
        self.credit -= if pays { 16 } else { 0 };
        pays
    }

    fn latency(&mut self, settings: &Settings) -> u64 {
        let (low, high) = settings.latency;
        if low == high { low } else { low + self.rng.below(high - low + 1) }
    }

    /// The next line, if one is ready.
    fn read(&mut self, settings: &Settings, line: u64, buffers: &[Buffer]) -> Result<Option<ReadLine>, Violation> {
        let due = |a: &Asked| a.from <= self.cycle;
        let k = if settings.reorder {
            // Bursts of one ID stay in order.
            let first = |k: usize| !self.reads.range(..k).any(|r| r.burst.id == self.reads[k].burst.id);
            let ready: Vec<usize> = (0..self.reads.len()).filter(|&k| due(&self.reads[k]) && first(k)).collect();
            if ready.is_empty() {
                return Ok(None);
            }
            self.rng.pick(&ready)
        } else if self.reads.front().is_some_and(due) {
            0
        } else {
            return Ok(None);
        };
        let asked = &mut self.reads[k];
        let addr = asked.burst.addr.wrapping_add(asked.next * line);
        let (id, last) = (asked.burst.id, asked.next == asked.burst.len);
        asked.next += 1;
        if last {
            self.reads.remove(k);
        }
        let mut resp = settings.error(Faulty::Read, (self.number, self.moved.lines_read));
        if resp != 0 {
            self.faulted.get_or_insert(id);
        }
        if !buffers.iter().any(|b| b.meets(addr, line)) {
            resp = 3;
            self.checks.outside("read", addr)?;
        }
        self.moved.lines_read += 1;
        if self.credit != u64::MAX {
            self.credit -= 16;
        }
        Ok(Some(ReadLine { id, addr, resp, last }))
    }

    /// Writes bursts whose lines are all there.
    fn write(&mut self, settings: &Settings, line: u64, buffers: &mut [Buffer]) -> Result<(), Violation> {
        while let Some(&burst) = self.writes.front() {
            if (self.lines.len() as u64) <= burst.len {
                return Ok(());
            }
            self.writes.pop_front();
            let resp = settings.error(Faulty::Write, (self.number, self.moved.writes));
            if resp != 0 {
                self.faulted.get_or_insert(burst.id);
            }
            self.moved.writes += 1;
            for n in 0..=burst.len {
                let Some(bytes) = self.lines.pop_front() else { return Ok(()) };
                self.checks.place(bytes.last == (n == burst.len), burst.addr)?;
                for k in (0..line).filter(|k| bytes.strobe >> k & 1 == 1) {
                    let addr = burst.addr.wrapping_add(n * line + k);
                    let byte = (bytes.data[(k / 8) as usize] >> (8 * (k % 8))) as u8;
                    if !buffers.iter_mut().any(|b| b.put(addr, byte)) {
                        self.checks.outside("write", addr)?;
                    }
                }
            }
            let at = self.cycle + self.latency(settings);
            self.responses.push((at, burst.id, resp));
        }
        Ok(())
    }

    /// The next response, if one is ready.
    fn respond(&mut self, settings: &Settings) -> Option<(u64, u64)> {
        let first = |k: usize| !self.responses[..k].iter().any(|r| r.1 == self.responses[k].1);
        let mut ready: Vec<usize> =
            (0..self.responses.len()).filter(|&k| self.responses[k].0 <= self.cycle && first(k)).collect();
        if !settings.reorder {
            ready.retain(|&k| k == 0);
        }
        if ready.is_empty() {
            return None;
        }
        let (_, id, resp) = self.responses.remove(self.rng.pick(&ready));
        Some((id, resp))
    }
}
