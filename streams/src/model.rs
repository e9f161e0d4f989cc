//! Cycle models: registers in Rust that move exactly as the module's registers do.
//!
//! A channel connects one output to one input. Each cycle the engine first latches which
//! channels transfer ([`Chan::latch`]), then clocks every model in any order: a model reads
//! what it received, updates its registers, and publishes its registered outputs (valid,
//! beat, ready) for the next cycle.

use crate::{Beat, Marks, Part};

/// Index of a channel in the engine's array.
pub type ChanId = usize;

/// The wires of one valid/ready connection and what was seen on them at the last edge: one cache
/// line.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub struct Chan {
    /// Driven by the producer's register.
    pub valid: bool,
    /// Driven by the consumer's register.
    pub ready: bool,
    /// Driven by the producer's register.
    pub beat: Beat,
    /// Transferred at this edge.
    pub fire: bool,
    /// `valid` as seen at this edge.
    pub was_valid: bool,
    /// `ready` as seen at this edge.
    pub was_ready: bool,
    /// `beat` as seen at this edge, where `was_valid`.
    pub got: Beat,
    /// Edge at which `beat` was loaded, by the clock of [`Hot`].
    pub since: u64,
}

impl Chan {
    /// A connection after reset: consumers are ready, nothing is valid.
    pub fn reset() -> Self {
        Self { ready: true, ..Self::default() }
    }
    /// Samples the wires at the clock edge.
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

/// Malformed input met by a model: the RTL's assertion fires at the same place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} at {port}: {beat:?}")]
pub struct Fault {
    /// What is wrong.
    pub what: &'static str,
    /// Port name.
    pub port: String,
    /// The beat in question.
    pub beat: Beat,
}

/// Which channels may transfer at the next edge: marked when a model makes both valid and ready
/// true. An engine looks at these only, instead of at all channels.
#[derive(Debug, Clone, Default)]
pub struct Hot {
    /// The channels.
    pub marks: Marks,
    /// Number of this edge.
    pub now: u64,
}

impl Hot {
    /// For so many channels, which are marked.
    pub fn new(channels: usize) -> Self {
        Self { marks: Marks::new(channels, true), now: 0 }
    }
}

/// A model's view of its channels during one clock edge.
pub struct Io<'a> {
    chans: &'a mut [Chan],
    ins: &'a [ChanId],
    outs: &'a [ChanId],
    hot: Option<&'a mut Hot>,
    loaded: u32,
}

impl<'a> Io<'a> {
    /// View of `chans` for a node with these connections, in an engine that has freed output
    /// registers itself and wants to know which channels become hot.
    #[inline]
    pub fn hot(chans: &'a mut [Chan], ins: &'a [ChanId], outs: &'a [ChanId], hot: &'a mut Hot) -> Self {
        Self { chans, ins, outs, hot: Some(hot), loaded: 0 }
    }
    /// View of `chans` for a node with these connections. Output registers whose beat was
    /// taken at this edge become free.
    #[inline]
    pub fn new(chans: &'a mut [Chan], ins: &'a [ChanId], outs: &'a [ChanId]) -> Self {
        for &o in outs {
            if chans[o].fire {
                chans[o].valid = false;
            }
        }
        Self { chans, ins, outs, hot: None, loaded: 0 }
    }
    /// The beat that input `k` took at this edge.
    #[inline]
    pub fn taken(&self, k: usize) -> Option<Beat> {
        let c = &self.chans[self.ins[k]];
        c.fire.then_some(c.got)
    }
    /// True if output register `k` can be loaded at this edge: empty, or its beat just left.
    #[inline]
    pub fn free(&self, k: usize) -> bool {
        !self.chans[self.outs[k]].valid
    }
    /// True if the beat in output register `k` left at this edge.
    #[inline]
    pub fn sent(&self, k: usize) -> bool {
        self.chans[self.outs[k]].fire
    }
    /// Loads output register `k`; it must be free.
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
    /// Publishes the registered ready of input `k`.
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
    /// Output registers that were loaded through this view.
    #[inline]
    pub fn loaded(&self) -> u32 {
        self.loaded
    }
    /// The wires of input `k` as seen at this edge (for models that wrap RTL).
    pub fn input(&self, k: usize) -> &Chan {
        &self.chans[self.ins[k]]
    }
    /// The wires of output `k` as seen at this edge (for models that wrap RTL).
    pub fn output(&mut self, k: usize) -> &mut Chan {
        &mut self.chans[self.outs[k]]
    }
}

/// A cycle model.
pub trait Model: Send {
    /// One clock edge. Returns whether any register changed, so that an engine may leave out
    /// a model that is at rest until one of its channels transfers.
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault>;
    /// Value of status port `k`.
    fn status(&self, k: usize) -> u64 {
        let _ = k;
        0
    }
    /// Contents of the memory, for models that are memories.
    fn memory(&mut self) -> Option<&mut Vec<u64>> {
        None
    }
    /// What it can be in a run of beats that an engine moves at once.
    fn part(&mut self) -> Option<Part<'_>> {
        None
    }
}
