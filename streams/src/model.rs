//! Cycle models: Rust registers that change exactly as the module's registers do.
//!
//! A channel connects one output to one input. Each cycle the engine first latches which
//! channels transfer ([`Chan::latch`]), then clocks every model in any order: a model reads
//! what it received, updates its registers, and publishes its registered outputs (valid,
//! beat, ready) for the next cycle.

use crate::{Beat, Marks, Part};

/// Index of a channel in the engine's array of channels.
pub type ChanId = usize;

/// The wires of one valid/ready connection and their values at the last clock edge, in one cache line.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub struct Chan {
    /// Valid, driven by the producer's register.
    pub valid: bool,
    /// Ready, driven by the consumer's register.
    pub ready: bool,
    /// The beat, driven by the producer's register.
    pub beat: Beat,
    /// Whether the beat transfers at this edge.
    pub fire: bool,
    /// `valid` as seen at this edge.
    pub was_valid: bool,
    /// `ready` as seen at this edge.
    pub was_ready: bool,
    /// `beat` as seen at this edge, where `was_valid`.
    pub got: Beat,
    /// Edge at which `beat` was loaded, counted by [`Hot`].
    pub since: u64,
}

impl Chan {
    /// Creates a connection in reset state: the consumer is ready, nothing is valid.
    pub fn reset() -> Self {
        Self { ready: true, ..Self::default() }
    }
    /// Samples the wires at a clock edge.
    #[inline]
    pub fn latch(&mut self) {
        self.fire = self.valid & self.ready;
        self.was_valid = self.valid;
        self.was_ready = self.ready;
        if self.valid {
            self.got = self.beat;
        }
    }
}

/// Malformed input that a model received; the RTL's assertion fails in the same cycle.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} at {port}: {beat:?}")]
pub struct Fault {
    /// Description of the error.
    pub what: &'static str,
    /// Name of the port.
    pub port: String,
    /// The malformed beat.
    pub beat: Beat,
}

/// The channels that may transfer at the next edge; models mark a channel when both valid and ready become true. An
/// engine looks at these only, instead of at all channels.
#[derive(Debug, Clone, Default)]
pub struct Hot {
    /// The marked channels.
    pub marks: Marks,
    /// Number of the current edge.
    pub now: u64,
}

impl Hot {
    /// Creates the set for `channels` channels, all of them marked.
    pub fn new(channels: usize) -> Self {
        Self { marks: Marks::new(channels, true), now: 0 }
    }
}

/// The view that a model has of its channels during one clock edge.
pub struct Io<'a> {
    chans: &'a mut [Chan],
    ins: &'a [ChanId],
    outs: &'a [ChanId],
    hot: Option<&'a mut Hot>,
    loaded: u32,
}

impl<'a> Io<'a> {
    /// Creates the view of a node with these connections, for an engine that frees output registers itself and records
    /// which channels become hot.
    #[inline]
    pub fn hot(chans: &'a mut [Chan], ins: &'a [ChanId], outs: &'a [ChanId], hot: &'a mut Hot) -> Self {
        Self { chans, ins, outs, hot: Some(hot), loaded: 0 }
    }
    /// Creates the view of a node with these connections. Output registers whose beat was taken at this edge become
    /// free.
    #[inline]
    pub fn new(chans: &'a mut [Chan], ins: &'a [ChanId], outs: &'a [ChanId]) -> Self {
        for &o in outs {
            if chans[o].fire {
                chans[o].valid = false;
            }
        }
        Self { chans, ins, outs, hot: None, loaded: 0 }
    }
    /// Returns the beat that input `k` took at this edge.
    #[inline]
    pub fn taken(&self, k: usize) -> Option<Beat> {
        let c = &self.chans[self.ins[k]];
        c.fire.then_some(c.got)
    }
    /// Returns true if output register `k` can be loaded at this edge: it is empty, or its beat has just left.
    #[inline]
    pub fn free(&self, k: usize) -> bool {
        !self.chans[self.outs[k]].valid
    }
    /// Returns true if the beat in output register `k` left at this edge.
    #[inline]
    pub fn sent(&self, k: usize) -> bool {
        self.chans[self.outs[k]].fire
    }
    /// Loads output register `k`, which must be free.
    #[inline]
    pub fn put(&mut self, k: usize, beat: Beat) {
        let k = self.outs[k];
        let c = &mut self.chans[k];
        debug_assert!(!c.valid, "output register overwritten");
        c.valid = true;
        c.beat = beat;
        self.loaded += 1;
        if let Some(hot) = &mut self.hot {
            c.since = hot.now;
            if c.ready {
                hot.marks.add(k);
            }
        }
    }
    /// Sets the registered ready of input `k`.
    #[inline]
    pub fn set_ready(&mut self, k: usize, ready: bool) {
        let k = self.ins[k];
        let c = &mut self.chans[k];
        if c.ready == ready {
            return;
        }
        c.ready = ready;
        if let Some(hot) = &mut self.hot
            && ready
            && c.valid
        {
            hot.marks.add(k);
        }
    }
    /// Returns the number of output registers loaded through this view.
    #[inline]
    pub fn loaded(&self) -> u32 {
        self.loaded
    }
    /// Returns the wires of input `k` at this edge, for models that wrap RTL.
    pub fn input(&self, k: usize) -> &Chan {
        &self.chans[self.ins[k]]
    }
    /// Returns the wires of output `k` at this edge, for models that wrap RTL.
    pub fn output(&mut self, k: usize) -> &mut Chan {
        &mut self.chans[self.outs[k]]
    }
}

/// The cycle model of a primitive.
pub trait Model: Send {
    /// Simulates one clock edge. Returns whether any register changed, so that an engine may leave out a model that is
    /// at rest until one of its channels transfers.
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault>;
    /// Returns the value of status port `k`.
    fn status(&self, k: usize) -> u64 {
        let _ = k;
        0
    }
    /// Returns the contents of the memory, for models that are memories.
    fn memory(&mut self) -> Option<&mut Vec<u64>> {
        None
    }
    /// Returns the model's part in a run of beats that an engine moves at once.
    fn part(&mut self) -> Option<Part<'_>> {
        None
    }
}
