//! Runs of a primitive's model that are replayed to the Verilog in four states, with every wire compared: the first
//! cycles of the first form that a test tries and of random others, or all with `SAMHW_FULL`.

use super::{Recording, Wires, wired};
use crate::bench::{self, Memory, Outcome, Stall};
use crate::drawn::{Forms, full};
use samhw_streams::{Dir, Fault, Io, Model, Port, Primitive, Shape};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Cycles of a primitive with the same parameters that a test plays: what is X shows in the first of them.
const MOST: usize = 600;

/// The recorded runs of one primitive.
pub struct Played<'a> {
    primitive: &'a dyn Primitive,
    config: &'a [u64],
    ports: Vec<Port>,
    wires: Vec<Wires>,
    recording: Recording,
    most: usize,
}

/// The forms that are played.
static PLAYED: Forms = Forms::new();

/// Cycles that were played of each module in each form.
static BEFORE: Mutex<BTreeMap<String, BTreeMap<String, usize>>> = Mutex::new(BTreeMap::new());

/// Cycles of a form of `module` that are still to be played.
fn left(module: &str, form: &str) -> usize {
    if full() {
        return usize::MAX;
    }
    if !PLAYED.are_tried(module, form) {
        return 0;
    }
    let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
    let played = before.get(module).and_then(|forms| forms.get(form));
    MOST.saturating_sub(played.copied().unwrap_or(0))
}

impl<'a> Played<'a> {
    /// Creates an empty record for `primitive`, with `config` on its config ports.
    pub fn new(primitive: &'a dyn Primitive, config: &'a [u64]) -> Self {
        let (design, wires) = wired(primitive);
        let most = left(&design.top, &format!("{primitive:?}{config:?}"));
        Self { primitive, config, ports: primitive.ports(), wires, recording: Recording::new(&design), most }
    }

    /// Creates an empty record whose runs are replayed completely.
    pub fn whole(primitive: &'a dyn Primitive, config: &'a [u64]) -> Self {
        Self { most: usize::MAX, ..Self::new(primitive, config) }
    }

    /// Runs the model as [`bench::run_model`] does, and records its wires unless it rejects its input.
    pub fn run_model(
        &mut self,
        feeds: &[Vec<samhw_streams::Beat>],
        memories: &mut [Memory],
        stall: Stall,
    ) -> Result<Outcome, Fault> {
        let before = self.recording.cycles();
        if before >= self.most {
            return bench::run_model(self.primitive, self.config, feeds, memories, stall);
        }
        self.reset();
        let (model, most) = (self.primitive.model(self.config), self.most);
        let mut recorder =
            Recorder { model, ports: &self.ports, wires: &self.wires, recording: &mut self.recording, most };
        let outcome = bench::run(&self.ports, &mut recorder, feeds, memories, stall, self.primitive.silence());
        match &outcome {
            Ok(o) if self.recording.cycles() < self.most => self.end(&o.status),
            Ok(_) => {}
            Err(_) => self.recording.truncate(before),
        }
        outcome
    }

    /// Replays all runs to the Verilog and describes the first difference. `None` where it does not, or Icarus is
    /// missing.
    #[track_caller]
    pub fn difference(&self) -> Option<String> {
        let cycles = self.recording.cycles();
        if cycles == 0 {
            return None;
        }
        let (module, form) = (self.primitive.instance().module, format!("{:?}{:?}", self.primitive, self.config));
        let mut before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
        *before.entry(module.to_string()).or_default().entry(form).or_default() += cycles;
        drop(before);
        self.recording.difference()
    }

    /// A cycle of reset. Nothing comes in it, and nothing is taken.
    fn reset(&mut self) {
        let mut config = self.config.iter();
        for (w, p) in self.wires.iter().zip(&self.ports) {
            match w {
                Wires::Handshake(h) => {
                    let given = if p.dir == Dir::In { [h.valid, h.ready] } else { [h.ready, h.valid] };
                    self.recording.put(given[0], h.lane as usize, 1, &[0]);
                    self.recording.put(given[1], h.lane as usize, 1, &[u64::from(p.dir == Dir::In)]);
                }
                Wires::Plain(s) if matches!(p.shape, Shape::Config { .. }) => {
                    self.recording.put(*s, 0, p.shape.width(), config.next().map_or(&[], std::slice::from_ref));
                }
                Wires::Plain(_) | Wires::Open { .. } => {}
            }
        }
        self.recording.reset();
        self.recording.clock();
    }

    /// A cycle in which nothing happens, after which the status ports are what they were at the end.
    fn end(&mut self, status: &[u64]) {
        let mut status = status.iter();
        for (w, p) in self.wires.iter().zip(&self.ports) {
            if let (Wires::Plain(s), Shape::Status { width, .. }) = (w, &p.shape) {
                self.recording.put(*s, 0, *width, status.next().map_or(&[], std::slice::from_ref));
            }
        }
        self.recording.clock();
    }
}

/// A model whose wires are recorded.
struct Recorder<'a> {
    model: Box<dyn Model>,
    ports: &'a [Port],
    wires: &'a [Wires],
    recording: &'a mut Recording,
    most: usize,
}

impl Model for Recorder<'_> {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        if self.recording.cycles() >= self.most {
            return self.model.tick(io);
        }
        let mut words = [0; 8];
        let (mut ins, mut outs) = (0, 0);
        for (w, p) in self.wires.iter().zip(self.ports) {
            let Wires::Handshake(h) = w else { continue };
            let lane = h.lane as usize;
            if p.dir == Dir::Out {
                self.recording.put(h.ready, lane, 1, &[u64::from(io.output(outs).was_ready)]);
                outs += 1;
                continue;
            }
            let chan = io.input(ins);
            ins += 1;
            self.recording.put(h.valid, lane, 1, &[u64::from(chan.was_valid)]);
            if chan.was_valid {
                h.shape.pack(&chan.got, &mut words[..h.shape.words()]);
                self.recording.put(h.beat, h.at, h.shape.width(), &words);
            } else {
                self.recording.forget(h.beat, h.at, h.shape.width());
            }
        }
        let changed = self.model.tick(io)?;
        let (mut ins, mut outs) = (0, 0);
        for (w, p) in self.wires.iter().zip(self.ports) {
            let Wires::Handshake(h) = w else { continue };
            let lane = h.lane as usize;
            if p.dir == Dir::In {
                self.recording.put(h.ready, lane, 1, &[u64::from(io.input(ins).ready)]);
                ins += 1;
                continue;
            }
            let chan = io.output(outs);
            outs += 1;
            self.recording.put(h.valid, lane, 1, &[u64::from(chan.valid)]);
            if chan.valid {
                h.shape.pack(&chan.beat, &mut words[..h.shape.words()]);
                self.recording.put(h.beat, h.at, h.shape.width(), &words);
            }
        }
        self.recording.clock();
        Ok(changed)
    }
    fn status(&self, k: usize) -> u64 {
        self.model.status(k)
    }
}
