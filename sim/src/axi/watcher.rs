//! Checks of an array's words at the channels of requests and answers.

use super::layout::Layout;
use crate::native::Wires;
use samhw_compiler::emit::axi::{Axi, Watch};
use samhw_compiler::netlist::{CellId, Netlist};
use samhw_primitives::axi::{Bounds, Order, Places, Ranks, ones};

/// A watcher with the channels that it sees.
pub(super) enum Watcher {
    Fibers {
        order: Box<Order>,
        asks: usize,
        answers: usize,
    },
    Places {
        places: Box<Places>,
        /// Of the answers about segments.
        bounds: usize,
        asks: usize,
        answers: usize,
    },
    Segments {
        bounds: Bounds,
        answers: usize,
    },
    Ranks {
        ranks: Box<Ranks>,
        /// Of the answers with words.
        words: usize,
        asks: usize,
        answers: usize,
    },
}

impl Watcher {
    /// Creates the watcher of the array whose memory is `cell`, with run-time values.
    pub(super) fn new(
        watch: Watch,
        net: &Netlist,
        axi: &Axi,
        layout: &Layout,
        (cell, config): (CellId, &[u64]),
    ) -> Option<Self> {
        let to = |cell: CellId| net.channels.iter().position(|c| c.to == Some((cell, 0)));
        let from = |cell: CellId| net.channels.iter().position(|c| c.from == Some((cell, 0)));
        let (asks, answers) = (to(cell)?, from(cell)?);
        let limit = |size: usize| config.get(size).copied().unwrap_or(0);
        Some(match watch {
            Watch::Fibers { size, fiber } => {
                Self::Fibers { order: Box::new(Order::new(fiber, limit(size))), asks, answers }
            }
            Watch::Places { size, here, segments } => {
                let bounds = from(net.arrays[segments].cell)?;
                Self::Places { places: Box::new(Places::new(here, limit(size))), bounds, asks, answers }
            }
            Watch::Ranks { words, bursts } => {
                Self::Ranks { ranks: Box::new(Ranks::new(bursts)), words: from(net.arrays[words].cell)?, asks, answers }
            }
            Watch::Segments(array) => {
                let most = ones(axi.ports.iter().find(|p| p.array == array)?.addr_w + 1);
                let words = layout.place(net.first_like(array)).1.map_or(0, |w| w.len() as u64);
                Self::Segments { bounds: Bounds::new(words.min(most)), answers }
            }
        })
    }

    /// Something was wrong.
    pub(super) fn wrong(&self) -> bool {
        match self {
            Self::Fibers { order, .. } => order.wrong(),
            Self::Places { places, .. } => places.wrong(),
            Self::Segments { bounds, .. } => bounds.wrong(),
            Self::Ranks { ranks, .. } => ranks.wrong(),
        }
    }

    /// The edge.
    pub(super) fn clock(&mut self, wires: &Wires) {
        let seen = |k: usize| Some(wires.chans[k].got.p).filter(|_| wires.chans[k].fire);
        let pair = |p: [u64; 2]| (p[0], p[1]);
        match self {
            Self::Fibers { order, asks, answers } => {
                order.clock(seen(*asks).map(|p| p[1]), seen(*answers).map(|p| p[0]));
            }
            Self::Places { places, bounds, asks, answers } => {
                places.clock(seen(*bounds).map(pair), seen(*asks).map(pair), seen(*answers));
            }
            Self::Ranks { ranks, words, asks, answers } => {
                ranks.clock(seen(*asks).map(pair), seen(*words).map(|p| p[0]), seen(*answers).map(|p| p[0]));
            }
            Self::Segments { bounds, answers } => bounds.clock(seen(*answers).map(pair)),
        }
    }
}
