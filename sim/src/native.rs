//! The native engine, which clocks the cycle models of a netlist. Every channel's wires move in the same cycle as in
//! the RTL.

mod edge;
mod ledger;
mod ports;
mod routes;
mod runs;
mod seen;
mod tokens;

use edge::{Edge, hashed, waits};
use ledger::Ledger;
pub(crate) use ports::Ports;
use samhw_compiler::netlist::{CellId, Netlist, Select};
use samhw_streams::{Chan, Dir, Fault, Io, Model, Role, Shape};
use samhw_values::Rng;
pub use seen::{Watch, Watched};
use tokens::StartTokens;

/// Cycles between two updates of what a watcher sees.
pub(crate) const TELL: u64 = 1 << 14;

/// The reason why a run did not finish.
#[derive(Debug, thiserror::Error)]
pub enum Stuck {
    /// A primitive received malformed input.
    #[error("cycle {cycle}, node {node}: {fault}")]
    Fault {
        /// Clock cycle.
        cycle: u64,
        /// Name of the cell.
        node: String,
        /// Description of the malformed input.
        fault: Fault,
    },
    /// A deadlock: nothing can move.
    #[error("deadlock in cycle {cycle}: {waiting}")]
    Deadlock {
        /// First cycle without a change.
        cycle: u64,
        /// Channels with a beat that is not taken.
        waiting: String,
    },
    /// The limit of cycles was reached.
    #[error("not done after {0} cycles")]
    Limit(u64),
}

/// Counters of one channel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChannelCount {
    /// Number of transfers.
    pub beats: u64,
    /// Cycles with a beat that the consumer did not take.
    pub stalled: u64,
    /// Sum of the cycle numbers of all transfers, modulo 2^64.
    pub when: u64,
    /// Hash of cycle and beat of every transfer, in the producer's form; see [`samhw_rtlsim::ChannelHash`].
    pub hash: u64,
}

/// Counters of one cell; each cycle is one of the three kinds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CellCount {
    /// Beats taken, on all inputs.
    pub beats: u64,
    /// Cycles with a transfer on any port.
    pub busy: u64,
    /// Other cycles in which an output beat was not taken.
    pub stalled: u64,
    /// The remaining cycles.
    pub starved: u64,
}

/// The counters of a finished run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    /// Clock cycles from the start token to the done token.
    pub cycles: u64,
    /// Counters per channel.
    pub channels: Vec<ChannelCount>,
    /// Counters per cell.
    pub cells: Vec<CellCount>,
}

/// The surroundings of the cells that the engine clocks: it gives the start token, takes the done token, and
/// clocks cells of its own.
pub(crate) trait Outside {
    /// Whether it clocks this cell itself.
    fn has(&self, cell: CellId) -> bool;
    /// Channels between cells that the engine clocks at which it looks in every cycle.
    fn sees(&self) -> Vec<usize> {
        Vec::new()
    }
    /// Before a clock edge: true if the run is over.
    fn over(&mut self, chans: &mut [Chan]) -> bool;
    /// The clock edge, with what was seen on the channels. Returns whether anything changed.
    fn clock(&mut self, wires: &mut Wires) -> bool;
    /// Cycles after which it knows at the latest what a primitive may find wrong with its input.
    const LATE: u64 = 0;
    /// Whether it sleeps while none of its channels transfers.
    const SLEEPS: bool = false;
    /// Whether it ends the run by itself: what is wrong inside does not matter any more.
    fn survives(&self) -> bool {
        false
    }
}

/// The channels at a clock edge, and the ends of each cell's.
pub(crate) struct Wires<'a> {
    pub chans: &'a mut [Chan],
    pub ports: &'a Ports,
    pub models: &'a [Box<dyn Model>],
}

impl Wires<'_> {
    /// Creates the view of a cell.
    pub fn io(&mut self, cell: CellId) -> Io<'_> {
        Io::new(self.chans, self.ports.ins(cell.0), self.ports.outs(cell.0))
    }
}

/// A netlist with its cycle models, ready to run.
pub struct Native<'a> {
    netlist: &'a Netlist,
    models: Vec<Box<dyn Model>>,
    ports: Ports,
    chans: Vec<Chan>,
    selects: Vec<Select>,
    shapes: Vec<Shape>,
    ends: Vec<(u32, u32)>,
    pressure: Option<Pressure>,
    /// Of each channel: is it the write port of a memory?
    stores: Vec<bool>,
    watched: Watch<'a>,
}

/// Random back-pressure: in each cycle each channel is stalled with some probability, as if its consumer were not
/// ready. Its beat stays. Results must not depend on it. Writes to memories are not held: those are ready in every
/// cycle, and a value counts as stored when it has been handed to its memory.
#[derive(Debug, Clone)]
pub struct Pressure {
    /// Random number generator.
    pub rng: Rng,
    /// Probability of a stall in percent, below 100.
    pub percent: u64,
}

impl<'a> Native<'a> {
    /// Creates the models in reset state; `config` holds a value per entry of [`Netlist::config`].
    pub fn new(netlist: &'a Netlist, config: &[u64]) -> Self {
        let models: Vec<Box<dyn Model>> = netlist
            .cells
            .iter()
            .map(|c| c.primitive.model(&c.config.iter().map(|&k| config[k]).collect::<Vec<_>>()))
            .collect();
        let ports = Ports::of(netlist);
        let (mut ends, mut stores) = (Vec::new(), Vec::new());
        let outside = netlist.cells.len() as u32;
        for ch in &netlist.channels {
            let id = |e: Option<(CellId, usize)>| e.map_or(outside, |(c, _)| c.0 as u32);
            ends.push((id(ch.from), id(ch.to)));
            let port = ch.to.and_then(|(c, p)| netlist.handshakes(c, Dir::In).into_iter().nth(p));
            stores.push(port.is_some_and(|port| port.role == Role::Write));
        }
        // The last words of marks are whole.
        let chans = vec![Chan::reset(); netlist.channels.len().next_multiple_of(8)];
        let selects = netlist.channels.iter().map(|c| c.select).collect();
        let shapes = netlist.channels.iter().map(|c| netlist.shape(c)).collect();
        let (pressure, watched) = (None, Watch::default());
        Self { netlist, models, ports, chans, selects, shapes, ends, pressure, stores, watched }
    }

    /// Enables or disables random back-pressure from the next run on.
    pub fn press(&mut self, pressure: Option<Pressure>) {
        self.pressure = pressure;
    }

    /// Returns the words of an array's memory.
    pub fn memory(&mut self, cell: CellId) -> Option<&mut Vec<u64>> {
        self.models[cell.0].memory()
    }

    /// Returns the value of a status port.
    pub fn status(&self, cell: CellId, port: usize) -> u64 {
        self.models[cell.0].status(port)
    }

    /// Runs the netlist from the start token to the done token. `HASH`: fill in the channels' hashes.
    pub fn run<const HASH: bool>(&mut self, limit: u64) -> Result<Counts, Stuck> {
        let done = self.netlist.done.unwrap_or(usize::MAX);
        self.run_within::<HASH, _>(limit, &mut StartTokens { start: self.netlist.start(), done, begun: false })
    }

    /// Runs within `outside` until that is over.
    pub(crate) fn run_within<const HASH: bool, O: Outside>(
        &mut self,
        limit: u64,
        outside: &mut O,
    ) -> Result<Counts, Stuck> {
        let mut ledger = Ledger::new(self, outside);
        if self.watched.observer.is_none() {
            return self.cycles::<HASH, false, O>(limit, outside, &mut ledger).map(|cycle| ledger.at(self, cycle));
        }
        let ended = self.cycles::<HASH, true, O>(limit, outside, &mut ledger);
        self.looked(&ended, &ledger);
        ended.map(|cycle| ledger.at(self, cycle))
    }

    /// Returns the cycle in which it is over. `SEEN`: there is an observer.
    fn cycles<const HASH: bool, const SEEN: bool, O: Outside>(
        &mut self,
        limit: u64,
        outside: &mut O,
        ledger: &mut Ledger,
    ) -> Result<u64, Stuck> {
        let mut wrong: Option<(u64, Stuck)> = None;
        let (mut cycle, mut tell) = (0, 0);
        while cycle < limit {
            if cycle >= tell {
                if self.watched.shared.tell(cycle) {
                    return Err(Stuck::Limit(cycle));
                }
                tell = cycle + TELL;
            }
            if outside.over(&mut self.chans) {
                self.settle_all::<HASH>(cycle, ledger);
                return Ok(cycle);
            }
            if SEEN {
                self.look(cycle, ledger);
            } else if O::SLEEPS && wrong.is_none() {
                cycle = self.ahead::<HASH>(cycle, limit, ledger);
            }
            let mut moved = self.latch::<HASH, SEEN>(cycle, ledger);
            ledger.outside(&self.chans, &self.ports);
            moved |= self.clock(cycle, ledger, &mut wrong);
            if let Some((_, stuck)) = wrong.take_if(|(at, _)| cycle - *at >= O::LATE && !outside.survives()) {
                return Err(stuck);
            }
            let (chans, models) = (&mut self.chans[..], &self.models[..]);
            moved |= outside.clock(&mut Wires { chans, ports: &self.ports, models });
            if !moved && ledger.running == 0 {
                return Err(Stuck::Deadlock { cycle, waiting: self.waiting() });
            }
            cycle += 1;
        }
        Err(Stuck::Limit(limit))
    }

    /// The edge on the channels: which transfer. Returns whether any does, or is held back and will.
    fn latch<const HASH: bool, const SEEN: bool>(&mut self, cycle: u64, ledger: &mut Ledger) -> bool {
        ledger.hot.now = cycle;
        for &k in ledger.fired() {
            self.chans[k].fire = false;
        }
        let Ledger { lines, hot, inner, outer, fired, ticks, .. } = ledger;
        let mut edge = Edge {
            cycle,
            ticks,
            hot: &mut hot.marks,
            fired,
            firing: 0,
            pressure: &mut self.pressure,
            shapes: &self.shapes,
            observer: &mut self.watched.observer,
        };
        let mut moved = false;
        for &k in &*outer {
            let (c, line) = (&mut self.chans[k], &mut lines[k]);
            c.latch();
            if c.fire {
                edge.transfers::<HASH, SEEN>(k, c, line);
                moved = true;
            }
            line.count.stalled += u64::from(c.was_valid && !c.fire);
        }
        let (chans, _) = self.chans.as_chunks_mut::<8>();
        let (lines, _) = lines.as_chunks_mut::<8>();
        for (w, (chans, lines)) in chans.iter_mut().zip(lines).enumerate() {
            for at in edge.hot.take(w).and(inner.word(w)) {
                let (c, line) = (&mut chans[at % 8], &mut lines[at % 8]);
                if c.valid && c.ready {
                    (c.fire, c.got) = (true, c.beat);
                    let waited = cycle.wrapping_sub(c.since).wrapping_sub(1);
                    if edge.transfers::<HASH, SEEN>(w * 8 + at, c, line) {
                        line.count.stalled += waited;
                    }
                    moved = true;
                }
            }
        }
        ledger.firing = edge.firing;
        moved
    }

    /// The edge on the cells with a transfer or with registers that move. Returns whether any moves on.
    fn clock(&mut self, cycle: u64, ledger: &mut Ledger, wrong: &mut Option<(u64, Stuck)>) -> bool {
        let mut moved = false;
        for w in 0..ledger.ticks.words() {
            let fired = ledger.ticks.take(w);
            for at in fired.or(ledger.awake.take(w)).and(ledger.clocked.word(w)) {
                let i = w * 8 + at;
                let (ins, outs) = self.ports.of_cell(i);
                ledger.cells[i].passes(cycle, fired.has(at), || waits(&self.chans, outs));
                let mut io = Io::hot(&mut self.chans, ins, outs, &mut ledger.hot);
                match self.models[i].tick(&mut io) {
                    Ok(awake) => {
                        ledger.awake.set(i, awake);
                        moved |= awake;
                    }
                    Err(fault) => {
                        // It has no meaning from here on.
                        let node = self.netlist.cells[i].name.clone();
                        wrong.get_or_insert((cycle, Stuck::Fault { cycle, node, fault }));
                        ledger.bury(i, cycle, &self.chans, outs);
                        ins.iter().for_each(|&k| self.chans[k].ready = false);
                        outs.iter().for_each(|&k| self.chans[k].valid = false);
                        moved = true;
                    }
                }
            }
        }
        moved
    }

    /// The channels that hold a beat nobody takes.
    fn waiting(&self) -> String {
        let names: Vec<&str> = self
            .chans
            .iter()
            .zip(&self.netlist.channels)
            .filter(|(c, _)| c.valid)
            .map(|(_, ch)| ch.name.as_str())
            .collect();
        if names.is_empty() {
            "no stream holds a beat".into()
        } else {
            format!("streams {} hold beats that no node takes", names.join(", "))
        }
    }
}
