//! Runs of beats that are moved at once: while two operands are intersected, one passes from its memory through its
//! scanner into the joiner independently of everything else. These three cells are not clocked until the run is over or
//! another channel of theirs transfers; then they are moved to where they are by then.

use super::ledger::Ledger;
use super::routes::{BeatRun, REACH, Route};
use super::{Native, hashed, waits};
use samhw_streams::{Beat, Drain, Hot, Io, Kind, Model, Part, Passage, Sink, Source};

/// Cycles below which a run is not worth it.
const LEAST: u64 = 8;
/// Cycles until the next look for runs.
const PAUSE: u64 = 8;

impl Native<'_> {
    /// Before the edge of `cycle`: ends runs, begins others, and passes over the cycles in which
    /// nothing but runs moves, before cycle `limit`. Returns the cycle to go on with.
    #[inline]
    pub(super) fn ahead<const HASH: bool>(&mut self, cycle: u64, limit: u64, ledger: &mut Ledger) -> u64 {
        if ledger.routes.is_empty() || cycle < ledger.look && ledger.running == 0 {
            return cycle;
        }
        self.look_ahead::<HASH>(cycle, limit, ledger)
    }

    fn look_ahead<const HASH: bool>(&mut self, cycle: u64, limit: u64, ledger: &mut Ledger) -> u64 {
        if ledger.running > 0 {
            let over = |run: &BeatRun, met: bool| met || run.end <= cycle;
            for r in 0..ledger.routes.len() {
                let route = &ledger.routes[r];
                if route.run.is_some_and(|run| over(&run, route.meets(&self.chans, &ledger.hot.marks))) {
                    self.settle::<HASH>(r, cycle, ledger);
                }
            }
        }
        if cycle >= ledger.look {
            ledger.look = cycle + PAUSE;
            for r in 0..ledger.routes.len() {
                self.begin(r, cycle, ledger);
            }
        }
        if ledger.running == 0 || !ledger.is_idle(&self.chans) {
            return cycle;
        }
        let ends = ledger.routes.iter().filter_map(|route| Some(route.run?.end));
        let next = ends.fold(limit - 1, u64::min);
        for r in 0..ledger.routes.len() {
            if ledger.routes[r].run.is_some_and(|run| run.end == next) {
                self.settle::<HASH>(r, next, ledger);
            }
        }
        next
    }

    /// Begins a run on route `r` where nothing interferes from `cycle` on.
    fn begin(&mut self, r: usize, cycle: u64, ledger: &mut Ledger) {
        let Route { cells, words, beats, reach, .. } = ledger.routes[r];
        let ready = |k: usize| ledger.hot.marks.has(k) && self.chans[k].valid && self.chans[k].ready;
        let sleeps = cells.iter().any(|&c| ledger.cells[c].runs);
        if !ready(words) || !ready(beats) || sleeps || ledger.routes[r].meets(&self.chans, &ledger.hot.marks) {
            return;
        }
        let Some(run) = self.run_from(&ledger.routes[r], cycle, reach, &mut ledger.hot) else { return };
        ledger.routes[r].run = Some(run);
        ledger.running += 1;
        [words, beats].iter().for_each(|&k| ledger.hot.marks.set(k, false));
        for c in cells {
            ledger.cells[c].runs = true;
            ledger.awake.set(c, false);
        }
    }

    /// The run of at most `reach` cycles that begins on `route` in `cycle`.
    fn run_from(&mut self, route: &Route, cycle: u64, reach: u64, hot: &mut Hot) -> Option<BeatRun> {
        let &Route { cells: [from, middle, to], words, beats, .. } = route;
        let (source, passage, sink) = parts(&mut self.models, route)?;
        let ports = &self.ports;
        let relayed = passage.relays(&Io::hot(&mut self.chans, ports.ins(middle), ports.outs(middle), hot))?;
        let drain = sink.drains(&Io::hot(&mut self.chans, ports.ins(to), ports.outs(to), hot))?;
        let connected = ports.outs(from).contains(&words)
            && ports.ins(middle)[relayed.ports.0] == words
            && ports.outs(middle)[relayed.ports.1] == beats
            && ports.ins(to)[drain.input] == beats;
        let next = self.chans[beats].beat;
        if !connected || next.kind != Kind::Data || next.stop != 0 {
            return None;
        }
        let held = [next.p[0], relayed.word, self.chans[words].beat.p[0]];
        let words = source.words();
        let room = relayed.left.min((words.len() as u64).saturating_sub(1)).min(reach);
        let n = length(&drain, held, words, room).filter(|&n| n >= LEAST)?;
        Some(BeatRun { begin: cycle, end: cycle + n, relayed, drain })
    }

    /// Ends the run on route `r`, of which the cycles before `cycle` are over.
    fn settle<const HASH: bool>(&mut self, r: usize, cycle: u64, ledger: &mut Ledger) {
        let route = &mut ledger.routes[r];
        let Some(run) = route.run.take() else { return };
        let n = cycle - run.begin;
        // What was looked at is what is left in the source: a run to its end may look further.
        route.reach = if cycle == run.end { route.reach.saturating_mul(2) } else { n.max(REACH) };
        if cycle == run.end {
            ledger.look = cycle;
        }
        ledger.running -= 1;
        let Route { cells, words, beats, .. } = *route;
        if n > 0 {
            self.moved::<HASH>(r, &run, n, ledger);
        }
        [words, beats].iter().for_each(|&k| ledger.hot.marks.add(k));
        cells.iter().for_each(|&c| ledger.cells[c].runs = false);
    }

    /// Moves registers, channels and counters by `n` cycles of a run.
    fn moved<const HASH: bool>(&mut self, r: usize, run: &BeatRun, n: u64, ledger: &mut Ledger) {
        let route = &ledger.routes[r];
        let (&BeatRun { begin, relayed, drain, .. }, &Route { cells, words, beats, .. }) = (run, route);
        let Some((source, passage, sink)) = parts(&mut self.models, route) else { return };
        let (shown, word) = (self.chans[beats].beat, self.chans[words].beat.p[0]);
        let held = [drain.head.p[0], shown.p[0], relayed.word, word];
        // The words from the sink's head on, and the beats that they become.
        let follow = source.words();
        let at = |k: u64| held.get(k as usize).copied().unwrap_or_else(|| follow[k as usize - held.len()]);
        let beat = |k: u64| if k == 1 { shown } else { Beat::pair(0, at(k), relayed.second + k - 2) };
        if HASH {
            for k in 0..n {
                let [w, b] = [words, beats].map(|k| ledger.lines[k].count.hash);
                let now = begin + k;
                ledger.lines[words].count.hash = hashed(w, now, &self.shapes[words], &Beat::data(0, at(k + 3)));
                ledger.lines[beats].count.hash = hashed(b, now, &self.shapes[beats], &beat(k + 1));
            }
        }
        let (last, head, out) = (at(n - 1), beat(n), beat(n + 1));
        let (kept, came) = (at(n + 2), at(n + 3));
        source.gave(n);
        passage.relayed(n, kept);
        sink.drained(drain.input, last, head);
        for (k, beat) in [(words, Beat::data(0, came)), (beats, out)] {
            let (c, count) = (&mut self.chans[k], &mut ledger.lines[k].count);
            count.beats += n;
            count.stalled += begin.wrapping_sub(c.since).wrapping_sub(1);
            (c.beat, c.since) = (beat, begin + n - 1);
            // The sum of n cycles, of which this is the first.
            count.when = count.when.wrapping_add((n * begin).wrapping_add(n * (n - 1) / 2));
        }
        for c in cells {
            ledger.cells[c].transfers(begin, n, || waits(&self.chans, self.ports.outs(c)));
        }
    }

    /// Ends all runs: the whole run ends in `cycle`.
    pub(super) fn settle_all<const HASH: bool>(&mut self, cycle: u64, ledger: &mut Ledger) {
        for r in 0..ledger.routes.len() {
            self.settle::<HASH>(r, cycle, ledger);
        }
    }
}

/// The parts of a run.
type Parts<'m> = (&'m mut dyn Source, &'m mut dyn Passage, &'m mut dyn Sink);

/// The models of a route as parts of a run.
fn parts<'m>(models: &'m mut [Box<dyn Model>], route: &Route) -> Option<Parts<'m>> {
    let [source, passage, sink] = models.get_disjoint_mut(route.cells).ok()?;
    match (source.part()?, passage.part()?, sink.part()?) {
        (Part::Source(source), Part::Passage(passage), Part::Sink(sink)) => Some((source, passage, sink)),
        _ => None,
    }
}

/// For how many cycles the sink takes its head and nothing else happens, `room` at most, where these
/// three words follow the head and then `words`.
fn length(drain: &Drain, held: [u64; 3], words: &[u64], room: u64) -> Option<u64> {
    let mut before = drain.head.p[0];
    let mut follows = |word: u64| {
        let fits = before < word && word <= drain.most;
        before = word;
        fits
    };
    if !held.iter().all(|&word| follows(word)) {
        return None;
    }
    let few = room.checked_sub(3)? as usize;
    let more = words.iter().take(few).take_while(|&&word| follows(word)).count();
    Some(3 + more as u64)
}
