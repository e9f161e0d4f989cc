//! Runs of beats that are moved at once: while two operands that are needed together are merged, one
//! of them goes from its memory through its scanner into the joiner, and nothing else moves.

use super::ledger::Ledger;
use super::{Native, hashed};
use samhw_compiler::netlist::Select;
use samhw_streams::{Beat, Drain, Io, Kind, Part};

/// Cycles below which a run is not worth it.
const LEAST: u64 = 8;
/// Cycles until the next look after one that found nothing.
const PAUSE: u64 = 16;

/// A run: its cells, and the channels between them.
#[derive(Clone, Copy)]
struct Path {
    cells: [usize; 3],
    words: usize,
    beats: usize,
}

impl Native<'_> {
    /// Moves what nothing interferes with from `cycle` on, fewer than `most` cycles of it. Returns how
    /// many cycles are over.
    pub(super) fn ahead<const HASH: bool>(&mut self, cycle: u64, most: u64, ledger: &mut Ledger) -> u64 {
        if ledger.firing != 2 || cycle < ledger.look || self.pressure.is_some() {
            return 0;
        }
        let moved = self.path(ledger).and_then(|path| self.moved::<HASH>(path, cycle, most, ledger));
        if moved.is_none() {
            ledger.look = cycle + PAUSE;
        }
        moved.unwrap_or(0)
    }

    /// The three cells that are awake, if they are a path of the two channels that transfer next.
    fn path(&self, ledger: &Ledger) -> Option<Path> {
        let &[a, b] = ledger.fired() else { return None };
        let (words, beats) = if self.ends[a].1 == self.ends[b].0 { (a, b) } else { (b, a) };
        let (from, middle, to) = (self.ends[words].0, self.ends[words].1, self.ends[beats].1);
        let cells = [from, middle, to].map(|c| c as usize);
        let ready = |k: usize| self.chans[k].valid && self.chans[k].ready && self.selects[k] == Select::All;
        let alone = middle == self.ends[beats].0
            && ledger.hot.marks.count() == 2
            && ledger.awake.count() == 3
            && cells.iter().all(|&c| c < self.models.len() && ledger.awake.has(c))
            && [words, beats].iter().all(|&k| ready(k) && ledger.is_next(k));
        alone.then_some(Path { cells, words, beats })
    }

    fn moved<const HASH: bool>(&mut self, path: Path, cycle: u64, most: u64, ledger: &mut Ledger) -> Option<u64> {
        let [from, middle, to] = path.cells;
        let [source, passage, sink] = self.models.get_disjoint_mut(path.cells).ok()?;
        let (Part::Source(source), Part::Passage(passage), Part::Sink(sink)) =
            (source.part()?, passage.part()?, sink.part()?)
        else {
            return None;
        };
        let ports = &self.ports;
        let io = Io::hot(&mut self.chans, ports.ins(middle), ports.outs(middle), &mut ledger.hot);
        let relayed = passage.relays(&io)?;
        let io = Io::hot(&mut self.chans, ports.ins(to), ports.outs(to), &mut ledger.hot);
        let drain = sink.drains(&io)?;
        let connected = ports.outs(from).contains(&path.words)
            && ports.ins(middle)[relayed.ports.0] == path.words
            && ports.outs(middle)[relayed.ports.1] == path.beats
            && ports.ins(to)[drain.input] == path.beats;
        let (word, next) = (self.chans[path.words].beat, self.chans[path.beats].beat);
        let plain = next.kind == Kind::Data && next.stop == 0;
        if !connected || !plain {
            return None;
        }
        let held = [next.p[0], relayed.word, word.p[0]];
        let words = source.words();
        let room = relayed.left.min((words.len() as u64).saturating_sub(1)).min(most);
        let n = length(&drain, held, words, room).filter(|&n| n >= LEAST)?;

        // The words from the one in the beats' channel on.
        let at = |k: u64| if k < 3 { held[k as usize] } else { words[k as usize - 3] };
        let second = relayed.second;
        let beat = |k: u64| Beat::pair(0, at(k), second + k - 1);
        if HASH {
            for k in 0..n {
                let shown = if k == 0 { next } else { beat(k) };
                let [w, b] = [path.words, path.beats].map(|k| ledger.lines[k].count.hash);
                let now = cycle + k;
                let word = hashed(w, now, &self.shapes[path.words], &Beat::data(0, at(k + 2)));
                ledger.lines[path.words].count.hash = word;
                ledger.lines[path.beats].count.hash = hashed(b, now, &self.shapes[path.beats], &shown);
            }
        }
        let (last, head, out) = (at(n - 2), beat(n - 1), beat(n));
        let (kept, came) = (at(n + 1), at(n + 2));
        source.gave(n);
        passage.relayed(n, kept);
        sink.drained(drain.input, last, head);
        for (k, beat) in [(path.words, Beat::data(0, came)), (path.beats, out)] {
            (self.chans[k].beat, self.chans[k].since) = (beat, cycle + n - 1);
            let count = &mut ledger.lines[k].count;
            count.beats += n;
            // The sum of n cycles, of which this is the first.
            count.when = count.when.wrapping_add((n * cycle).wrapping_add(n * (n - 1) / 2));
        }
        path.cells.iter().for_each(|&c| ledger.cells[c].transfers(cycle, n));
        Some(n)
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
