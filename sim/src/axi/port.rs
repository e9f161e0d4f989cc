//! Transfers in progress between the memory and one manager: requested bursts, lines and responses, with their order
//! and cycles.

use super::dram::Banks;
use super::layout::Buffer;
use super::memory::{Faulty, Settings};
use super::protocol::{Checks, Violation};
use samhw_primitives::axi::{Burst, WriteLine};
use samhw_values::Rng;
use std::collections::VecDeque;

/// A line that is read from memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadLine {
    /// ID of the burst.
    pub id: u64,
    /// Address of the first byte; [`super::memory::Memory::line`] returns the bytes.
    pub addr: u64,
    /// Response code.
    pub resp: u64,
    /// Whether the line is the last of its burst.
    pub last: bool,
}

/// The signals that the manager drives in a cycle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Manager {
    /// Read address.
    pub ar: Option<Burst>,
    /// Write address.
    pub aw: Option<Burst>,
    /// Write line.
    pub w: Option<WriteLine>,
    /// Whether the manager accepts lines.
    pub r_ready: bool,
    /// Whether the manager accepts responses.
    pub b_ready: bool,
}

/// The signals that the memory drives in a cycle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Subordinate {
    /// Whether the memory accepts read addresses.
    pub ar_ready: bool,
    /// Whether the memory accepts write addresses.
    pub aw_ready: bool,
    /// Whether the memory accepts write lines.
    pub w_ready: bool,
    /// A line that was read.
    pub r: Option<ReadLine>,
    /// A write response: ID and code.
    pub b: Option<(u64, u64)>,
}

/// Numbers of transfers on a bus.
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

/// The transfers in progress at one manager's bus.
#[derive(Debug, Clone)]
pub struct Port {
    number: usize,
    rng: Rng,
    checks: Checks,
    cycle: u64,
    credit: u64,
    reads: VecDeque<Asked>,
    writes: VecDeque<Burst>,
    lines: VecDeque<WriteLine>,
    responses: Vec<(u64, u64, u64)>,
    /// Banks of the DRAM channel.
    pub banks: Banks,
    /// Signals that the memory drives.
    pub out: Subordinate,
    /// Numbers of transfers.
    pub moved: Moved,
    /// ID of the first erroneous response.
    pub faulted: Option<u64>,
}

impl Port {
    /// Creates the idle port of manager `number`, with lines of `line` bytes.
    pub fn new(number: usize, seed: u64, line: u64) -> Self {
        Self {
            number,
            rng: Rng::new(seed),
            checks: Checks::new(line),
            cycle: 0,
            credit: 0,
            reads: VecDeque::new(),
            writes: VecDeque::new(),
            lines: VecDeque::new(),
            responses: Vec::new(),
            banks: Banks::default(),
            out: Subordinate::default(),
            moved: Moved::default(),
            faulted: None,
        }
    }

    /// Starts a run, with no transfer in progress and with new random numbers.
    pub fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        (self.cycle, self.credit, self.out) = (0, 0, Subordinate::default());
        self.moved = Moved::default();
        self.banks = Banks::default();
    }

    /// Returns true if no transfer is in progress.
    pub fn idle(&self) -> bool {
        self.reads.is_empty()
            && self.writes.is_empty()
            && self.lines.is_empty()
            && self.responses.is_empty()
            && self.out.r.is_none()
            && self.out.b.is_none()
    }

    /// Simulates a clock edge at which the manager drives `m`.
    pub fn clock(
        &mut self,
        m: &Manager,
        settings: &Settings,
        line: u64,
        buffers: &mut [Buffer],
    ) -> Result<(), Violation> {
        self.checks.cycle(m, &self.out)?;
        if let Some(burst) = m.ar.filter(|_| self.out.ar_ready) {
            let from = self.cycle + self.latency(settings, burst);
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

    /// Whether a write line can be taken in the next cycle; takes its credit where one is there.
    fn pay_ahead(&mut self, m: &Manager) -> bool {
        if self.credit == u64::MAX {
            return true;
        }
        let pays = self.credit >= 16 && m.w.is_some();
        self.credit -= if pays { 16 } else { 0 };
        pays
    }

    fn latency(&mut self, settings: &Settings, burst: Burst) -> u64 {
        if let Some(dram) = &settings.dram {
            return self.banks.wait(dram, (burst.addr, burst.len + 1), self.cycle);
        }
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
            // The buffer of the byte before; most lines lie in one.
            let mut at = 0;
            for n in 0..=burst.len {
                let Some(bytes) = self.lines.pop_front() else { return Ok(()) };
                self.checks.place(bytes.last == (n == burst.len), burst.addr)?;
                for k in (0..line).filter(|k| bytes.strobe >> k & 1 == 1) {
                    let addr = burst.addr.wrapping_add(n * line + k);
                    let byte = (bytes.data[(k / 8) as usize] >> (8 * (k % 8))) as u8;
                    if buffers.get_mut(at).is_some_and(|b| b.put(addr, byte)) {
                        continue;
                    }
                    match buffers.iter_mut().position(|b| b.put(addr, byte)) {
                        Some(there) => at = there,
                        None => self.checks.outside("write", addr)?,
                    }
                }
            }
            let at = self.cycle + self.latency(settings, burst);
            self.responses.push((at, burst.id, resp));
        }
        Ok(())
    }

    /// The next response, if one is ready.
    fn respond(&mut self, settings: &Settings) -> Option<(u64, u64)> {
        if self.responses.is_empty() {
            return None;
        }
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
