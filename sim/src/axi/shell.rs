//! A model of the AXI interface around the core: adapters, shared channels, run control, and a simulated memory.

use super::layout::Layout;
use super::memory::Memory;
use super::port::Manager;
use super::protocol::Violation;
use super::watcher::Watcher;
use crate::native::{Outside, Wires};
use samhw_compiler::emit::axi::{Axi, PortMode, PortPlan, extra};
use samhw_compiler::netlist::{CellId, Netlist};
use samhw_primitives::axi::{
    Burst, ReadBus, ReadMux, Reader, Run, RunInputs, SHARE_WAIT_LOG2, Share, TileReader, Whole, WriteBus, WriteMux,
    Writer,
};
use samhw_primitives::axi::{State, WriterInputs, ones};
use samhw_streams::{Beat, Chan};
use std::ops::Range;
use std::sync::Arc;

/// Cycles from the host's write of CONTROL until it is seen.
const GO: u64 = 1;

/// Codes of errors, as samhw_axi_regs has them.
const READ: u16 = 1;
const WRITE: u16 = 3;
const BEYOND: u16 = 5;
const CAPACITY: u16 = 6;
const WATCHDOG: u16 = 7;
const COORDINATES: u16 = 10;

enum Adapter {
    Window(Box<Reader>),
    /// With the channel that tells it of tiles, log2 of the words at a position told, and the largest number of a word.
    Tiles(Box<TileReader>, Option<usize>, (u32, u64)),
    Whole(Box<Whole>),
    Write(Box<Writer>),
}

struct AdapterPort {
    cell: CellId,
    /// Number of the port whose lines it takes.
    source: usize,
    /// Its window begins with the run.
    ahead: bool,
    adapter: Adapter,
    /// Channels between it and the core.
    ends: Vec<usize>,
    /// What looks at its words.
    watcher: Option<Watcher>,
    /// Cell and number of the status outputs that tell that it was too small.
    overflow: Vec<(CellId, usize)>,
    /// Where they tell of two arrays: cell and number of the status that counts the words of one, those there are, and whether it is this one.
    counted: Option<((CellId, usize), u64, bool)>,
}

impl AdapterPort {
    fn fetch(&self) -> Option<Burst> {
        match &self.adapter {
            Adapter::Window(r) => r.fetch(),
            Adapter::Tiles(t, ..) => t.fetch(),
            Adapter::Whole(w) => w.fetch(),
            Adapter::Write(_) => None,
        }
    }
    fn beyond(&self) -> bool {
        match &self.adapter {
            Adapter::Window(r) => r.beyond(),
            Adapter::Tiles(t, ..) => t.beyond(),
            Adapter::Whole(w) => w.beyond(),
            Adapter::Write(w) => w.beyond(),
        }
    }
    fn disordered(&self) -> bool {
        self.watcher.as_ref().is_some_and(Watcher::wrong)
    }
    fn writer(&self) -> Option<&Writer> {
        if let Adapter::Write(w) = &self.adapter { Some(w) } else { None }
    }
}

/// The channels of a manager, with the numbers of the ports it reads and writes for.
struct ManagerChannels {
    reads: ReadMux,
    writes: WriteMux,
    readers: Range<usize>,
    writers: Range<usize>,
}

impl ManagerChannels {
    fn drives(&self) -> Manager {
        Manager { ar: self.reads.ar(), aw: self.writes.aw(), w: self.writes.w(), r_ready: true, b_ready: true }
    }
}

/// Numbers of the ports that a manager's channels take something of, or give something to.
struct Taken {
    fetched: Option<usize>,
    data: Option<usize>,
    stored: Option<usize>,
    takes: Option<usize>,
    ack: Option<usize>,
}

impl Taken {
    fn of(c: &ManagerChannels) -> Self {
        let [fetched, data] = [c.reads.granted(), c.reads.data()].map(|k| k.map(|k| k + c.readers.start));
        let [stored, takes, ack] =
            [c.writes.granted(), c.writes.takes(), c.writes.ack()].map(|k| k.map(|k| k + c.writers.start));
        Self { fetched, data, stored, takes, ack }
    }
}

/// Ports that fetch alike, the one that asks their manager first.
struct SharedFetch {
    ports: Vec<usize>,
    share: Share,
}

/// The model of the AXI interface around a core.
pub struct Shell {
    ports: Vec<AdapterPort>,
    shared: Vec<SharedFetch>,
    managers: Vec<ManagerChannels>,
    /// Run control.
    pub run: Run,
    /// The simulated memory.
    pub memory: Memory,
    /// A violated bus rule.
    pub broken: Option<Violation>,
    watchdog: u32,
    start: Option<usize>,
    done: Option<usize>,
    cycle: u64,
    ended: bool,
    /// What managers drove, and whose turn it was, in the cycle before: room for those of the next.
    drives: Vec<Manager>,
    was: Vec<Taken>,
}

impl Shell {
    /// Creates the model for a run of `net` with this layout, run-time values, and timeout of the watchdog.
    pub fn new(
        net: &Netlist,
        axi: &Axi,
        layout: &Layout,
        mut memory: Memory,
        (config, watchdog): (&[u64], u32),
    ) -> Self {
        memory.begin();
        let port = |(at, p): (usize, &PortPlan)| {
            let (cell, form) = (net.arrays[p.array].cell, axi.form(p));
            let (base, words) = layout.place(net.first_like(p.array));
            let base = base & ones(form.axi_w);
            let number = words.as_ref().map_or(0, |w| w.len() as u64).min(ones(form.addr_w + 1));
            let array = || Arc::new(words.iter().flatten().map(|w| w & ones(form.data_w)).collect::<Vec<u64>>());
            let adapter = match p.mode {
                PortMode::Window(read) => Adapter::Window(Box::new(Reader::new(form, read, base, number, array()))),
                PortMode::Tiles { read, starts, hints_log2, per_log2 } => {
                    let from = Some((net.arrays[starts].cell, 0));
                    let tells = net.channels.iter().position(|c| c.from == from);
                    let more = (extra(net, p.array), hints_log2);
                    let tiles = TileReader::new(form, read, (base, number), array(), more);
                    Adapter::Tiles(Box::new(tiles), tells, (per_log2, ones(form.addr_w)))
                }
                PortMode::Whole(read) => {
                    Adapter::Whole(Box::new(Whole::new(form, read, p.room, (base, number), array())))
                }
                PortMode::Write => Adapter::Write(Box::new(Writer::new(form, base, number))),
            };
            let ends = |k: &usize| {
                let c = &net.channels[*k];
                c.to == Some((cell, 0)) || c.from == Some((cell, 0))
            };
            let overflow = net.overflow(cell).into_iter().map(|k| net.statuses[k].from).collect();
            let watcher = p.watch.and_then(|w| Watcher::new(w, net, axi, layout, (cell, config)));
            let counted = net.counted(p.array).map(|(k, array)| {
                let words = layout.place(array).1.map_or(0, |w| w.len() as u64);
                (net.statuses[k].from, words, array == p.array)
            });
            AdapterPort {
                cell,
                source: axi.source(at),
                ahead: p.ahead,
                adapter,
                ends: (0..net.channels.len()).filter(ends).collect(),
                watcher,
                overflow,
                counted,
            }
        };
        let channels = |m: usize| {
            let [readers, writers] = [false, true].map(|writes| axi.served(m, writes));
            let (reads, writes) = (ReadMux::new(readers.len()), WriteMux::new(writers.len()));
            ManagerChannels { reads, writes, readers, writers }
        };
        Self {
            ports: axi.ports.iter().enumerate().map(port).collect(),
            shared: axi
                .shared()
                .map(|ports| SharedFetch { share: Share::new(ports.len(), SHARE_WAIT_LOG2), ports })
                .collect(),
            managers: (0..axi.masters()).map(channels).collect(),
            run: Run::ready(),
            memory,
            broken: None,
            watchdog,
            start: net.start(),
            done: net.done,
            cycle: 0,
            ended: false,
            drives: Vec::new(),
            was: Vec::new(),
        }
    }

    /// Code with the lowest port of which something holds.
    fn first(&self, code: u16, holds: impl Fn(&AdapterPort) -> bool) -> Option<u16> {
        self.ports.iter().position(holds).map(|k| (k as u16) << 8 | code)
    }

    /// What the registers say must end the run.
    fn fault(&self, wires: &Wires) -> Option<u16> {
        let code = |decode, port: usize, first: u16| (port as u16) << 8 | (first + u16::from(decode));
        let read = |c: &ManagerChannels| c.reads.error().map(|e| code(e.decode, e.port + c.readers.start, READ));
        let write = |c: &ManagerChannels| c.writes.error().map(|e| code(e.decode, e.port + c.writers.start, WRITE));
        let bus = self.managers.iter().find_map(read).or_else(|| self.managers.iter().find_map(write));
        if bus.is_some() {
            return bus;
        }
        let waits = |p: &AdapterPort| p.ends.iter().any(|&k| wires.chans[k].was_valid && !wires.chans[k].was_ready);
        let watchdog = || self.first(WATCHDOG, waits).unwrap_or(WATCHDOG);
        let wrong = self.first(COORDINATES, AdapterPort::disordered);
        wrong.or_else(|| self.first(BEYOND, AdapterPort::beyond)).or_else(|| self.run.expired().then(watchdog))
    }

    fn seen(&self, wires: &Wires) -> RunInputs {
        let fault = self.fault(wires);
        let moves = |p: &AdapterPort| p.ends.iter().any(|&k| wires.chans[k].fire);
        let is = |k: Option<usize>, of: fn(&Chan) -> bool| k.is_some_and(|k| of(&wires.chans[k]));
        let status = |(cell, k): (CellId, usize)| wires.models[cell.0].status(k);
        let own = |p: &AdapterPort| p.counted.is_none_or(|(count, words, own)| (status(count) > words) == own);
        let full = |p: &AdapterPort| p.overflow.iter().any(|&s| status(s) != 0) && own(p);
        RunInputs {
            go: self.cycle == GO,
            fault: fault.is_some(),
            fault_code: fault.unwrap_or(0),
            full: if self.run.leads().flush { self.first(CAPACITY, full) } else { None },
            moved: self.ports.iter().any(moves),
            limit: self.watchdog,
            start_ready: is(self.start, |c| c.was_ready),
            done_valid: is(self.done, |c| c.was_valid),
            reads_idle: self.managers.iter().all(|c| c.reads.idle()),
            writes_idle: self.managers.iter().all(|c| c.writes.idle()),
            writers_idle: self.ports.iter().filter_map(AdapterPort::writer).all(Writer::idle),
            ..RunInputs::default()
        }
    }
}

impl Outside for Shell {
    fn has(&self, cell: CellId) -> bool {
        self.ports.iter().any(|p| p.cell == cell)
    }

    fn sees(&self) -> Vec<usize> {
        self.ports.iter().flat_map(|p| p.ends.iter().copied()).collect()
    }

    /// Five cycles after a coordinate is taken it is known to be wrong.
    const LATE: u64 = 8;

    fn survives(&self) -> bool {
        let works = matches!(self.run.state(), State::Load | State::Run | State::Flush);
        !works || self.ports.iter().any(|p| p.beyond() || p.disordered())
    }

    fn over(&mut self, chans: &mut [Chan]) -> bool {
        let leads = self.run.leads();
        if let Some(s) = self.start {
            (chans[s].valid, chans[s].beat) = (leads.start_valid, Beat { p: [1, 0], ..Beat::default() });
        }
        if let Some(d) = self.done {
            chans[d].ready = leads.done_ready;
        }
        self.ended || self.broken.is_some()
    }

    fn clock(&mut self, wires: &mut Wires) -> bool {
        // Everything is seen as it was before the edge.
        let (leads, seen) = (self.run.leads(), self.seen(wires));
        let (mut drives, mut was) = (std::mem::take(&mut self.drives), std::mem::take(&mut self.was));
        drives.clear();
        drives.extend(self.managers.iter().map(ManagerChannels::drives));
        was.clear();
        was.extend(self.managers.iter().map(Taken::of));
        for (k, c) in self.managers.iter_mut().enumerate() {
            let bus = *self.memory.drives(k);
            let (shared, ports) = (&self.shared, &self.ports);
            let reading = |k: usize| match shared.iter().find(|s| s.ports[0] == k) {
                Some(s) => s.share.fetch(),
                None => ports[k].fetch(),
            };
            let writing = &self.ports[c.writers.clone()];
            let r = bus.r.map(|r| (r.id, r.resp, r.last));
            c.reads.clock(|k| reading(c.readers.start + k), leads.stop_reads, &ReadBus { ar_ready: bus.ar_ready, r });
            c.writes.clock(
                |k| writing[k].writer().and_then(Writer::store),
                |k| writing[k].writer().and_then(Writer::line),
                leads.stop_writes,
                &WriteBus { aw_ready: bus.aw_ready, w_ready: bus.w_ready, b: bus.b },
            );
        }
        let mut own: Vec<Option<(bool, bool)>> = Vec::new();
        if !self.shared.is_empty() {
            own.resize(self.ports.len(), None);
        }
        for s in &mut self.shared {
            let (lead, ports) = (s.ports[0], &self.ports);
            s.ports.iter().enumerate().for_each(|(k, &p)| own[p] = Some((s.share.granted(k), s.share.data(k))));
            let [ready, line] =
                [|t: &Taken| t.fetched, |t: &Taken| t.data].map(|of| was.iter().any(|t| of(t) == Some(lead)));
            s.share.clock(|k| ports[s.ports[k]].fetch(), ready, line);
        }
        for (k, port) in self.ports.iter_mut().enumerate() {
            if let Some(watcher) = &mut port.watcher {
                watcher.clock(wires);
            }
            let any = |of: fn(&Taken) -> Option<usize>| was.iter().any(|t| of(t) == Some(k));
            // What follows another port asks nobody, and has its lines.
            let granted = any(|t| t.fetched) || port.source != k && port.fetch().is_some();
            let line = was.iter().any(|t| t.data == Some(port.source));
            let (granted, line) = own.get(k).copied().flatten().unwrap_or((granted, line));
            match &mut port.adapter {
                Adapter::Window(reader) => {
                    reader.clock(&mut wires.io(port.cell), port.ahead && leads.load, granted, line);
                }
                Adapter::Tiles(tiles, tells, (per_log2, most)) => {
                    let word = |position: u64| position << *per_log2 & *most;
                    let told =
                        tells.map(|k| &wires.chans[k]).filter(|c| c.fire).map(|c| (word(c.got.p[0]), word(c.got.p[1])));
                    tiles.clock(&mut wires.io(port.cell), told, granted, line);
                }
                Adapter::Whole(whole) => whole.clock(&mut wires.io(port.cell), leads.load, granted, line),
                Adapter::Write(writer) => {
                    let on = WriterInputs {
                        flush: leads.flush,
                        store_ready: any(|t| t.stored),
                        line_ready: any(|t| t.takes),
                        ack: any(|t| t.ack),
                    };
                    writer.clock(&mut wires.io(port.cell), &on);
                }
            }
        }
        self.ended = self.run.ended();
        self.run.clock(&seen);
        self.broken = drives.iter().enumerate().find_map(|(k, m)| self.memory.clock(k, m).err());
        self.cycle += 1;
        (self.drives, self.was) = (drives, was);
        // What hangs is the watchdog's.
        true
    }
}
