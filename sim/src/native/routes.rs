//! Routes of runs of beats that are moved at once: from a source through a passage into a sink.

use super::Native;
use samhw_compiler::netlist::Select;
use samhw_streams::{Chan, Drain, Marks, Model, Part, Relayed};

/// Cycles that a run is looked ahead for, after one that was cut short.
pub(super) const REACH: u64 = 64;

/// The places that a run can go to.
pub(super) struct Route {
    /// Source, passage and sink of the route.
    pub cells: [usize; 3],
    /// Channel from the source to the passage.
    pub words: usize,
    /// Channel from the passage to the sink.
    pub beats: usize,
    /// The other channels of these cells.
    others: Vec<usize>,
    /// Most cycles of the next run: words that are looked at again after a run that was cut short
    /// are not many more than those that moved.
    pub reach: u64,
    pub run: Option<BeatRun>,
}

/// A run under way.
#[derive(Clone, Copy)]
pub(super) struct BeatRun {
    /// The first cycle that is not clocked, and the first one that is again.
    pub begin: u64,
    pub end: u64,
    pub relayed: Relayed,
    pub drain: Drain,
}

impl Route {
    /// Finds the routes of a netlist for which `inner` is true at all channels: the engine clocks both ends.
    pub fn all(of: &mut Native, inner: impl Fn(usize) -> bool) -> Vec<Self> {
        // Under back-pressure every beat of a run could be held.
        if of.pressure.is_some() {
            return Vec::new();
        }
        let parts: Vec<PartKind> = of.models.iter_mut().map(|model| PartKind::of(&mut **model)).collect();
        let is = |cell: u32, role: PartKind| parts.get(cell as usize) == Some(&role);
        let passes = |&k: &usize| inner(k) && of.selects[k] == Select::All;
        let mut routes = Vec::new();
        for beats in (0..of.ends.len()).filter(passes) {
            let (middle, to) = of.ends[beats];
            if !is(middle, PartKind::Passage) || !is(to, PartKind::Sink) {
                continue;
            }
            let comes = |&&k: &&usize| passes(&k) && is(of.ends[k].0, PartKind::Source);
            for &words in of.ports.ins(middle as usize).iter().filter(comes) {
                let cells = [of.ends[words].0, middle, to].map(|c| c as usize);
                let ports = |&c: &usize| [of.ports.ins(c), of.ports.outs(c)].concat();
                let others: Vec<usize> =
                    cells.iter().flat_map(ports).filter(|&k| k != words && k != beats && k < of.ends.len()).collect();
                if others.iter().all(|&k| inner(k)) {
                    routes.push(Self { cells, words, beats, others, reach: REACH, run: None });
                }
            }
        }
        routes
    }

    /// Returns whether another channel of the route's cells transfers next, if it is in `hot`.
    pub fn meets(&self, chans: &[Chan], hot: &Marks) -> bool {
        self.others.iter().any(|&k| hot.has(k) && chans[k].valid && chans[k].ready)
    }
}

/// What a model can be in a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PartKind {
    None,
    Source,
    Passage,
    Sink,
}

impl PartKind {
    fn of(model: &mut dyn Model) -> Self {
        match model.part() {
            None => Self::None,
            Some(Part::Source(_)) => Self::Source,
            Some(Part::Passage(_)) => Self::Passage,
            Some(Part::Sink(_)) => Self::Sink,
        }
    }
}
