//! The observations of a run: counts of channels and nodes, and hashes of transfers.

/// A valid/ready connection to observe, by signal numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Channel {
    /// 1-bit signal.
    pub valid: usize,
    /// 1-bit signal.
    pub ready: usize,
    /// The packed beat, of any width.
    pub beat: usize,
    /// Whether to record every transfer, for debugging; this costs memory.
    pub record: bool,
}

/// A node, by the numbers of its observed channels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Node {
    /// Channels into it.
    pub inputs: Vec<usize>,
    /// Channels out of it.
    pub outputs: Vec<usize>,
}

/// The counts of a channel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChannelCount {
    /// Cycles with valid and ready.
    pub transfers: u64,
    /// Cycles with valid and not ready.
    pub waits: u64,
    /// Sum of the cycles of the transfers, modulo 2^64.
    pub when: u64,
    /// Hash of all transfers: see [`ChannelHash`].
    pub hash: u64,
}

/// The counts of a node; every cycle is one of the three kinds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NodeCount {
    /// Cycles in which a channel of the node transferred.
    pub busy: u64,
    /// Other cycles in which an output was valid and not ready.
    pub stalled: u64,
    /// The remaining cycles.
    pub starved: u64,
}

/// A recorded transfer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// Cycle of the edge; the first edge after reset is 0.
    pub cycle: u64,
    /// The packed beat, least significant word first.
    pub beat: Vec<u64>,
}

/// An order-sensitive hash of the transfers of a channel. Two engines that agree on it agree on every beat and on the
/// cycle in which it moved.
///
/// It starts at 0 and takes, for each transfer, the cycle and then the words of the packed
/// beat (64 bits each, least significant word first, unused bits 0). Taking word w:
/// `h = (rotate_left(h, 23) ^ w) * 0x9E3779B97F4A7C15`, modulo 2^64.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChannelHash(pub u64);

impl ChannelHash {
    /// Adds one word to the hash.
    #[inline]
    pub fn word(&mut self, w: u64) {
        self.0 = (self.0.rotate_left(23) ^ w).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    /// Adds one transfer to the hash.
    #[inline]
    pub fn transfer(&mut self, cycle: u64, beat: &[u64]) {
        self.word(cycle);
        beat.iter().for_each(|&w| self.word(w));
    }
}
