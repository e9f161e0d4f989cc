//! Coordinates and segments that are read here and there: Verilog and model in every cycle, and what both find, against all that was read.

use super::pins::{Module, packed};
use crate::axi::{Bounds, Here, PLACES_LOG2, Places, ones};
use samhw_values::Rng;
use std::collections::VecDeque;

/// Bits of a place, of a coordinate, of the size.
const WIDTHS: [(u32, u32, u32); 3] = [(8, 9, 9), (10, 12, 8), (7, 6, 20)];

/// Words in memory, with where fibers begin and end.
struct Level {
    words: Vec<u64>,
    segments: Vec<u64>,
}

/// What a reader does with one fiber: its bounds, its requests (place, length), and whether a request is one that leads on: others need
/// not fit those that follow.
struct Visit {
    bounds: (u64, u64),
    requests: Vec<(u64, u64)>,
    leads: Vec<bool>,
}

impl Level {
    fn new(rng: &mut Rng, repeats: bool, (addr_w, data_w, limit): (u32, u32, u64), faults: f64) -> Self {
        let (mut words, mut segments) = (Vec::new(), vec![0]);
        for _ in 0..1 + rng.below(6) {
            let most = if rng.happens(0.3) { 90 } else { 6 };
            let len = rng.below(most).min(limit);
            if words.len() as u64 + len >= ones(addr_w) {
                break;
            }
            let mut fiber: std::collections::BTreeSet<u64> = std::collections::BTreeSet::new();
            while (fiber.len() as u64) < len {
                fiber.insert(rng.below(limit));
            }
            let fiber: Vec<u64> = fiber.into_iter().collect();
            words.extend(fiber.iter().enumerate().map(|(k, &c)| if repeats && k % 5 == 1 { fiber[k - 1] } else { c }));
            segments.push(words.len() as u64);
        }
        for word in &mut words {
            if rng.happens(faults) {
                *word = rng.bits() & ones(data_w);
            }
        }
        words.push(rng.bits() & ones(data_w));
        Self { words, segments }
    }

    /// A search for a coordinate, and what lies from there on as one burst.
    fn search(&self, rng: &mut Rng, limit: u64) -> Visit {
        let bounds = self.fiber(rng);
        let (mut low, mut high, mut requests) = (bounds.0, bounds.1, vec![]);
        let wanted = rng.below(limit);
        while low < high {
            let middle = (low + high) / 2;
            requests.push((middle, 1));
            if self.words[middle as usize] < wanted { low = middle + 1 } else { high = middle }
        }
        if rng.happens(0.3) && low < bounds.1 {
            requests.push((low, 1 + rng.below(bounds.1 - low)));
        }
        let leads = vec![true; requests.len()];
        Visit { bounds, requests, leads }
    }

    /// Pairs in turn, the last one second, probes ahead, leaps.
    fn skip(&self, rng: &mut Rng) -> Visit {
        let bounds = self.fiber(rng);
        let (begin, end) = bounds;
        let (mut requests, mut leads, mut far) = (vec![], vec![], Vec::<(u64, usize)>::new());
        let mut next = begin;
        while next < end && !(next > begin && rng.happens(0.05)) {
            requests.push((next, 1));
            leads.push(true);
            if next == begin && end - begin > 4 {
                requests.push((end - 2, 1));
                leads.push(true);
            }
            next += 2;
            let from = far.last().map_or(next, |f| f.0);
            if rng.happens(0.4) && end > from + 20 && far.len() < 8 {
                far.push((from + 16, requests.len()));
                requests.push((from + 16, 1));
                leads.push(false);
            }
            if !far.is_empty() && rng.happens(0.2) {
                let (place, at) = far[rng.below(far.len() as u64) as usize];
                if place >= next {
                    leads[at] = true;
                    next = place + 2;
                }
                far.clear();
            }
        }
        Visit { bounds, requests, leads }
    }

    fn fiber(&self, rng: &mut Rng) -> (u64, u64) {
        match self.segments.len() {
            1 => (0, 0),
            n => {
                let k = rng.below(n as u64 - 1) as usize;
                (self.segments[k], self.segments[k + 1])
            }
        }
    }

    /// What must not fall, by place, of these requests in a fiber; the ends of the fiber with it.
    fn falls(&self, here: Here, limit: u64, (begin, end): (u64, u64), requests: &[(u64, u64)]) -> bool {
        let key = |place: u64, crd: u64| i128::from(crd) - if here.repeats { 0 } else { i128::from(place) };
        let places = requests.iter().flat_map(|&(at, len)| at..(at + if here.pairs { 2 } else { len }).min(end));
        let places: std::collections::BTreeSet<u64> = places.collect();
        let most = i128::from(limit) - if here.repeats { 1 } else { i128::from(end) };
        let mut chain = vec![key(begin, 0)];
        chain.extend(places.iter().map(|&p| key(p, self.words[p as usize])));
        chain.push(most);
        !places.is_empty() && chain.windows(2).any(|w| w[1] < w[0])
    }
}

/// Whether something was wrong, and whether both found it.
fn run(module: &Module, here: Here, (addr_w, data_w, limit_w): (u32, u32, u32), seed: u64) -> bool {
    let mut rng = Rng::new(seed);
    let limit = 1 + rng.below(ones(limit_w.min(data_w)));
    let faults = if seed.is_multiple_of(3) { 0.0 } else { 0.03 };
    let level = Level::new(&mut rng, here.repeats, (addr_w, data_w, limit), faults);
    let visit = |rng: &mut Rng| if here.pairs { level.skip(rng) } else { level.search(rng, limit) };
    let visits: Vec<Visit> = (0..20).map(|_| visit(&mut rng)).collect();
    let mut model = Places::new(here, limit);
    let mut pins = module.start(&[("limit", limit), ("bound", 0), ("asked", 0), ("told", 0)]);
    let mut bounds: VecDeque<(usize, (u64, u64))> = visits.iter().map(|v| v.bounds).enumerate().collect();
    let mut requests: VecDeque<(usize, (u64, u64))> =
        visits.iter().enumerate().flat_map(|(k, v)| v.requests.iter().map(move |&r| (k, r))).collect();
    let (mut waiting, mut flying): (VecDeque<u64>, usize) = (VecDeque::new(), 0);
    let pace = [0; 3].map(|_| 0.2 + 0.8 * (rng.below(100) as f64 / 100.0));
    let mut quiet = 0;
    while quiet < 8 {
        let asking = requests.front().map_or(visits.len(), |r| r.0);
        let bound = bounds.front().copied().filter(|b| b.0 <= asking + 2 && rng.happens(pace[0]));
        let told_of = bounds.front().map_or(visits.len(), |b| b.0);
        let asked = requests.front().copied().filter(|r| r.0 < told_of && flying < 16 && rng.happens(pace[1]));
        let answer = waiting.front().copied().filter(|_| rng.happens(pace[2]));
        let crd = answer.map(|p| [0, 1].map(|k| level.words.get(p as usize + k).copied().unwrap_or(0)));
        let told = crd.map(|c| if here.pairs { c } else { [c[0], 0] });
        pins.same("wrong", u64::from(model.wrong()));
        pins.set("bound", u64::from(bound.is_some()));
        pins.set("asked", u64::from(asked.is_some()));
        pins.set("told", u64::from(told.is_some()));
        let (begin, end) = bound.map_or((0, 0), |b| b.1);
        pins.poke("bounds", &packed(&[(&[begin], addr_w), (&[end], addr_w)]));
        let (at, len) = asked.map_or((0, 0), |a| a.1);
        pins.poke("asked_beat", &packed(&[(&[at], addr_w), (&[len], if here.pairs { 0 } else { addr_w })]));
        let [first, second] = told.unwrap_or_default();
        pins.poke("crd", &packed(&[(&[first], data_w), (&[second], if here.pairs { data_w } else { 0 })]));
        pins.clock();
        model.clock(bound.map(|b| b.1), asked.map(|a| a.1), told);
        if bound.is_some() {
            bounds.pop_front();
        }
        if answer.is_some() {
            waiting.pop_front();
            flying -= usize::from(here.pairs || waiting.is_empty());
        }
        if let Some((_, (at, len))) = asked {
            requests.pop_front();
            waiting.extend(at..at + len);
            flying += 1;
        }
        let idle = bounds.is_empty() && requests.is_empty() && waiting.is_empty();
        quiet = if idle { quiet + 1 } else { 0 };
    }
    let leading = |v: &Visit| {
        let used = v.requests.iter().zip(&v.leads).filter(|(_, leads)| **leads).map(|(r, _)| *r);
        level.falls(here, limit, v.bounds, &used.collect::<Vec<_>>())
    };
    // What is read of one fiber again and again belongs together.
    let any = |v: &Visit| {
        let same = visits.iter().filter(|w| w.bounds == v.bounds).flat_map(|w| w.requests.clone());
        level.falls(here, limit, v.bounds, &same.collect::<Vec<_>>())
    };
    if visits.iter().any(leading) {
        assert!(model.wrong(), "{here:?}, seed {seed}: what was read falls and is not told");
    }
    if model.wrong() {
        assert!(visits.iter().any(any), "{here:?}, seed {seed}: told, and nothing that was read falls");
    }
    model.wrong()
}

#[test]
fn coordinates_here_and_there_are_their_model() {
    for widths @ (addr_w, data_w, limit_w) in WIDTHS {
        for (pairs, repeats) in [(false, false), (false, true), (true, false), (true, true)] {
            let params = [
                ("ADDR_W", addr_w),
                ("DATA_W", data_w),
                ("LIMIT_W", limit_w),
                ("PAIRS", u32::from(pairs)),
                ("REPEATS", u32::from(repeats)),
                ("WAIT_LOG2", PLACES_LOG2),
            ];
            let inputs = [
                ("limit", limit_w),
                ("bound", 1),
                ("bounds", 2 * addr_w),
                ("asked", 1),
                ("asked_beat", if pairs { addr_w } else { 2 * addr_w }),
                ("told", 1),
                ("crd", if pairs { 2 * data_w } else { data_w }),
            ];
            let Some(module) = Module::new("samhw_axi_places", &params, &inputs, &[("wrong", 1)]) else { return };
            let found = (0..60).filter(|&seed| run(&module, Here { pairs, repeats }, widths, seed)).count();
            assert!((5..55).contains(&found), "{widths:?} {pairs} {repeats}: {found} of 60 runs were wrong");
        }
    }
}

#[test]
fn bounds_are_their_model() {
    for (data_w, limit_w) in [(9, 10), (12, 5)] {
        let params = [("DATA_W", data_w), ("LIMIT_W", limit_w)];
        let inputs = [("limit", limit_w), ("told", 1), ("bounds", 2 * data_w)];
        let Some(module) = Module::new("samhw_axi_bounds", &params, &inputs, &[("wrong", 1)]) else { return };
        let mut found = 0;
        for seed in 0..40 {
            let mut rng = Rng::new(seed);
            let limit = rng.below(ones(limit_w.min(data_w)) + 1);
            let mut model = Bounds::new(limit);
            let mut pins = module.start(&[("limit", limit), ("told", 0)]);
            let mut wrong = false;
            for _ in 0..60 {
                pins.same("wrong", u64::from(model.wrong()));
                let end = rng.below(limit + 1);
                let mut fiber = (rng.below(end + 1), end);
                if rng.happens(0.01) {
                    fiber = (rng.bits() & ones(data_w), rng.bits() & ones(data_w));
                }
                let told = rng.happens(0.5).then_some(fiber);
                wrong |= told.is_some_and(|(begin, end)| begin > end || end > limit);
                pins.set("told", u64::from(told.is_some()));
                pins.poke("bounds", &packed(&[(&[fiber.0], data_w), (&[fiber.1], data_w)]));
                pins.clock();
                model.clock(told);
            }
            pins.set("told", 0);
            pins.clock();
            model.clock(None);
            assert_eq!(model.wrong(), wrong);
            found += usize::from(wrong);
        }
        assert!((3..38).contains(&found), "{found} of 40 runs were wrong");
    }
}
