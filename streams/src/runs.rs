//! Runs: beats that pass three models at a rate of one per cycle without other activity, so that an engine may move
//! many at once.
//!
//! A [`Source`] gives words, a [`Passage`] makes a beat of each, a [`Sink`] takes beats and gives
//! nothing. Each holds one beat between two edges, and so does each channel between them. What they
//! say holds as long as no other channel of theirs transfers.

use crate::{Beat, Io};

/// The part that a model takes in a run.
pub enum Part<'m> {
    /// The model produces words.
    Source(&'m mut dyn Source),
    /// The model turns words into beats.
    Passage(&'m mut dyn Passage),
    /// The model consumes beats.
    Sink(&'m mut dyn Sink),
}

/// A model that produces a word in every cycle.
pub trait Source {
    /// Returns the words after the one in the output register, which the model emits in order before it does anything
    /// else; empty if it does not emit words now.
    fn words(&self) -> &[u64];
    /// Records that `count` of these words, fewer than all, have passed the output register.
    fn gave(&mut self, count: u64);
}

/// The state of a [`Passage`] in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relayed {
    /// Numbers of the input and the output in the run.
    pub ports: (usize, usize),
    /// The word that becomes the next beat's first payload.
    pub word: u64,
    /// Second payload of that beat; it increases by one for each later beat.
    pub second: u64,
    /// Number of beats of the same kind from here on: leaves with both payloads and without a stop.
    pub left: u64,
}

/// A model that turns a word into a beat in every cycle.
pub trait Passage {
    /// Returns the state of the run; `None` if the model may do something else at the next edge.
    fn relays(&self, io: &Io) -> Option<Relayed>;
    /// Records that `count` beats have passed the output register and that `word` is held now.
    fn relayed(&mut self, count: u64, word: u64);
}

/// The state of a [`Sink`] in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drain {
    /// Number of the input in the run.
    pub input: usize,
    /// The beat that the sink takes next.
    pub head: Beat,
    /// Largest first payload of the following beat with which the sink still takes the head; it also exceeds the
    /// head's.
    pub most: u64,
}

/// A model that consumes a beat in every cycle and does nothing more.
pub trait Sink {
    /// Returns the state of the run; `None` if the model may do something else at the next edge.
    fn drains(&self, io: &Io) -> Option<Drain>;
    /// Records that beats were taken, the last one with first payload `last`, and that `head` is held now.
    fn drained(&mut self, input: usize, last: u64, head: Beat);
}
