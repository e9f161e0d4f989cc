//! A running model: it reads and writes ports by number, drives the clock for one or many cycles, and observes channels
//! and nodes.

use crate::design::{Dir, Signal, SignalKind};
use crate::error::{Error, Result};
use crate::library::Symbols;
use crate::watch::{Channel, ChannelCount, Node, NodeCount, Transfer};
use std::ffi::{CStr, CString, c_void};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// A port that reads or writes words of a memory, by signal numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordPort {
    /// 1-bit input that requests the read or write of a word.
    pub strobe: usize,
    /// Input with the address.
    pub addr: usize,
    /// The word: an input of a write port, an output of a read port.
    pub data: usize,
}

impl WordPort {
    fn signals(&self) -> [usize; 3] {
        [self.strobe, self.addr, self.data]
    }
}

/// A simulated instance of a design.
pub struct Instance {
    symbols: Arc<Symbols>,
    signals: Arc<[Signal]>,
    handle: *mut c_void,
    /// Beat width of each watched channel.
    widths: Vec<u32>,
    nodes: usize,
}

// SAFETY: a model has no ties to the thread that made it; `&mut self` keeps its use exclusive.
unsafe impl Send for Instance {}

impl Instance {
    pub(crate) fn new(symbols: Arc<Symbols>, signals: Arc<[Signal]>, seed: u64) -> Self {
        // SAFETY: `new` has no preconditions; every later call passes the handle it returned.
        let handle = unsafe { (symbols.new)(seed) };
        Self { symbols, signals, handle, widths: Vec::new(), nodes: 0 }
    }
    fn check(&self, signal: usize, words: usize) -> u32 {
        let need = self.signals[signal].width.div_ceil(64) as usize;
        assert!(words >= need, "{} needs {need} words", self.signals[signal].path);
        signal as u32
    }
    /// Drives port `signal` with `words`, least significant word first. Panics where the number is not that of an input
    /// port or words are missing.
    pub fn poke(&mut self, signal: usize, words: &[u64]) {
        let s = self.check(signal, words.len());
        assert!(self.signals[signal].kind == SignalKind::Port(Dir::In), "only input ports can be driven");
        // SAFETY: the number and the count of words were checked.
        unsafe { (self.symbols.poke)(self.handle, s, words.as_ptr()) }
    }
    /// Reads signal `signal` into `words`, least significant word first. Panics where the number is wrong or `words`
    /// too short.
    pub fn peek(&self, signal: usize, words: &mut [u64]) {
        let s = self.check(signal, words.len());
        // SAFETY: as for `poke`.
        unsafe { (self.symbols.peek)(self.handle, s, words.as_mut_ptr()) }
    }
    /// Drives a port of up to 64 bits, as [`Self::poke`] does.
    pub fn set(&mut self, signal: usize, value: u64) {
        self.poke(signal, &[value]);
    }
    /// Reads a signal of up to 64 bits, as [`Self::peek`] does.
    pub fn get(&self, signal: usize) -> u64 {
        let mut w = [0];
        self.peek(signal, &mut w);
        w[0]
    }
    /// Applies two cycles of reset, and then sets the cycle and all counts to 0.
    pub fn reset(&mut self) {
        // SAFETY: valid handle.
        unsafe { (self.symbols.reset)(self.handle) }
    }
    /// Evaluates combinational logic after pokes, without a clock edge.
    pub fn eval(&mut self) -> Result<()> {
        // SAFETY: valid handle.
        unsafe { (self.symbols.eval)(self.handle) }
        self.stopped()
    }
    /// Simulates one clock cycle: evaluates logic, counts, and applies the rising edge.
    pub fn clock(&mut self) -> Result<()> {
        self.run(1, None).map(|_| ())
    }
    /// Simulates until `stop`, a 1-bit signal, is 1 after an edge, or until `limit` cycles have passed. Returns the
    /// number of cycles.
    pub fn run(&mut self, limit: u64, stop: Option<usize>) -> Result<u64> {
        let stop = stop.map_or(u32::MAX, |s| self.check(s, 1));
        // SAFETY: valid handle, checked number.
        let n = unsafe { (self.symbols.run)(self.handle, limit, stop) };
        self.stopped().map(|()| n)
    }
    /// Writes `words` to consecutive addresses from `base` through `port`, one word per cycle. All its signals have at
    /// most 64 bits.
    pub fn store(&mut self, port: &WordPort, base: u64, words: &[u64]) -> Result<()> {
        let [s, a, d] = port.signals().map(|s| self.check(s, 1));
        assert!([port.strobe, port.addr, port.data].iter().all(|&s| self.signals[s].kind == SignalKind::Port(Dir::In)));
        // SAFETY: valid handle, checked numbers; the words are read during the call.
        unsafe { (self.symbols.store)(self.handle, s, a, d, base, words.as_ptr(), words.len() as u64) };
        self.stopped()
    }
    /// Reads `words.len()` words from consecutive addresses from `base` through `port`, one per cycle; a word is valid
    /// after the edge that follows the edge with its address.
    pub fn fetch(&mut self, port: &WordPort, base: u64, words: &mut [u64]) -> Result<()> {
        let [s, a, d] = port.signals().map(|s| self.check(s, 1));
        assert!([port.strobe, port.addr].iter().all(|&s| self.signals[s].kind == SignalKind::Port(Dir::In)));
        // SAFETY: valid handle, checked numbers; at most as many words as there is room for.
        unsafe { (self.symbols.fetch)(self.handle, s, a, d, base, words.as_mut_ptr(), words.len() as u64) };
        self.stopped()
    }
    fn stopped(&self) -> Result<()> {
        // SAFETY: the text lives in the model and is not changed while it is copied.
        let text = unsafe { CStr::from_ptr((self.symbols.message)(self.handle)) };
        if text.is_empty() { Ok(()) } else { Err(Error::Stopped(text.to_string_lossy().trim_end().to_string())) }
    }
    /// Returns the cycles since reset or [`Self::restart`].
    pub fn cycle(&self) -> u64 {
        // SAFETY: valid handle.
        unsafe { (self.symbols.cycle)(self.handle) }
    }
    /// Sets the cycle and all counts to 0, and clears recorded transfers.
    pub fn restart(&mut self) {
        // SAFETY: valid handle.
        unsafe { (self.symbols.restart)(self.handle) }
    }
    /// Starts to observe a channel and returns its number.
    pub fn watch(&mut self, c: &Channel) -> usize {
        let [v, r] = [c.valid, c.ready].map(|s| self.check(s, 1));
        assert!([c.valid, c.ready].iter().all(|&s| self.signals[s].width == 1), "valid and ready have one bit");
        let b = self.check(c.beat, usize::MAX);
        // SAFETY: valid handle, checked numbers.
        unsafe { (self.symbols.watch_channel)(self.handle, v, r, b, u32::from(c.record)) }
        self.widths.push(self.signals[c.beat].width);
        self.widths.len() - 1
    }
    /// Starts to observe a node between observed channels and returns its number. A channel leaves one node and enters
    /// one at most.
    pub fn watch_node(&mut self, n: &Node) -> usize {
        let number = |list: &[usize]| -> Vec<u32> {
            list.iter()
                .map(|&c| {
                    assert!(c < self.widths.len(), "channel {c} is not watched");
                    c as u32
                })
                .collect()
        };
        let (i, o) = (number(&n.inputs), number(&n.outputs));
        // SAFETY: valid handle; numbers checked; the lists are copied.
        unsafe { (self.symbols.watch_node)(self.handle, i.as_ptr(), i.len() as u32, o.as_ptr(), o.len() as u32) }
        self.nodes += 1;
        self.nodes - 1
    }
    /// Returns the counts of observed channel `c`.
    pub fn channel(&self, c: usize) -> ChannelCount {
        assert!(c < self.widths.len(), "channel {c} is not watched");
        let mut n = [0; 4];
        // SAFETY: valid handle, checked number, room for four counts.
        unsafe { (self.symbols.channel)(self.handle, c as u32, n.as_mut_ptr()) }
        ChannelCount { transfers: n[0], waits: n[1], hash: n[2], when: n[3] }
    }
    /// Returns the counts of observed node `n`.
    pub fn node(&self, n: usize) -> NodeCount {
        assert!(n < self.nodes, "node {n} is not watched");
        let mut c = [0; 3];
        // SAFETY: as for `channel`.
        unsafe { (self.symbols.node)(self.handle, n as u32, c.as_mut_ptr()) }
        NodeCount { busy: c[0], stalled: c[1], starved: c[2] }
    }
    /// Returns the recorded transfers of observed channel `c`.
    pub fn transfers(&self, c: usize) -> Vec<Transfer> {
        let words = self.widths[c].div_ceil(64) as usize;
        let mut len = 0;
        // SAFETY: checked number; the words are copied before the model can change them.
        let all = unsafe {
            let p = (self.symbols.trace)(self.handle, c as u32, &mut len);
            if len == 0 { &[][..] } else { std::slice::from_raw_parts(p, len as usize) }
        };
        all.chunks_exact(words + 1).map(|t| Transfer { cycle: t[0], beat: t[1..].to_vec() }).collect()
    }
    /// Starts to write a VCD file, until [`Self::wave_end`]. The design must have been built with `trace`.
    pub fn wave(&mut self, path: &Path) -> Result<()> {
        let text = CString::new(path.as_os_str().as_encoded_bytes())
            .map_err(|_| Error::wave(path, &io::ErrorKind::InvalidInput.into()))?;
        // SAFETY: valid handle; the path is copied.
        match unsafe { (self.symbols.wave)(self.handle, text.as_ptr()) } {
            0 => Ok(()),
            -1 => Err(Error::wave(path, &io::Error::other("the design was built without waveforms"))),
            number => Err(Error::wave(path, &io::Error::from_raw_os_error(number))),
        }
    }
    /// Ends the waveform at `path`; returns an error if it could not be written completely. A run ends early when it
    /// cannot be.
    pub fn wave_end(&mut self, path: &Path) -> Result<()> {
        // SAFETY: valid handle.
        match unsafe { (self.symbols.wave_end)(self.handle) } {
            0 => Ok(()),
            number => Err(Error::wave(path, &io::Error::from_raw_os_error(number))),
        }
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: the handle is not used afterwards.
        unsafe { (self.symbols.free)(self.handle) }
    }
}
