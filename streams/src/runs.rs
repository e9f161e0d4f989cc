//! Runs: beats that go through three models at one a cycle while these do nothing else, so that an
//! engine may move many of them at once.
//!
//! A [`Source`] gives words, a [`Passage`] makes a beat of each, a [`Sink`] takes beats and gives
//! nothing. Each holds one beat between two edges, and so does each channel between them. What they
//! say holds as long as no other channel of theirs transfers.

use crate::{Beat, Io};

/// What a model can be in a run.
pub enum Part<'m> {
    /// It gives words.
    Source(&'m mut dyn Source),
    /// It makes beats of them.
    Passage(&'m mut dyn Passage),
    /// It takes beats.
    Sink(&'m mut dyn Sink),
}

/// A model that gives a word in every cycle.
pub trait Source {
    /// The words that follow the one in its output register; at the end of them it does something
    /// else. None if it does not give words now.
    fn words(&self) -> &[u64];
    /// Some of them, fewer than all, have gone into the output register.
    fn gave(&mut self, count: u64);
}

/// What a [`Passage`] holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relayed {
    /// Its input and its output of the run.
    pub ports: (usize, usize),
    /// The word that becomes the next beat's first payload.
    pub word: u64,
    /// That beat's second payload; of later ones it is one more each.
    pub second: u64,
    /// How many beats are alike, this one included: leaves with both payloads and without a stop.
    pub left: u64,
}

/// A model that makes a beat of a word in every cycle.
pub trait Passage {
    /// The word that it holds; `None` if it may do something else at the next edge.
    fn relays(&self, io: &Io) -> Option<Relayed>;
    /// So many beats have gone into the output register, `word` is held now.
    fn relayed(&mut self, count: u64, word: u64);
}

/// What a [`Sink`] holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drain {
    /// Its input of the run.
    pub input: usize,
    /// The beat that it takes next.
    pub head: Beat,
    /// It takes the head as long as the first payload of the beat after it, which is larger than the
    /// head's, is at most this.
    pub most: u64,
}

/// A model that takes a beat in every cycle and does nothing else.
pub trait Sink {
    /// What it holds; `None` if it may do something else at the next edge.
    fn drains(&self, io: &Io) -> Option<Drain>;
    /// Beats were taken, the last one with first payload `last`; `head` is held now.
    fn drained(&mut self, input: usize, last: u64, head: Beat);
}
