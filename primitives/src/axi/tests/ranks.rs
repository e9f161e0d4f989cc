//! Ranks that are watched: Verilog and model in every cycle, and what both find, against the words.

use super::pins::{Module, packed};
use crate::axi::{Ranks, ones};
use samhw_values::Rng;
use std::collections::VecDeque;

/// Whether something was wrong, and whether both found it.
fn run(module: &Module, bursts: bool, (addr_w, rank_w, width): (u32, u32, u32), seed: u64) -> bool {
    let mut rng = Rng::new(seed);
    // As many places as there can be, too.
    let size = 1 + rng.below((ones(addr_w) + 1).min(ones(rank_w) / u64::from(width)));
    let words: Vec<u64> = (0..size).map(|_| rng.bits() & rng.bits() & ones(width)).collect();
    let mut ranks: Vec<u64> =
        (0..size as usize).map(|k| words[..k].iter().map(|w| u64::from(w.count_ones())).sum()).collect();
    if !seed.is_multiple_of(3) {
        let k = rng.below(size) as usize;
        ranks[k] = if rng.happens(0.5) { ranks[k] ^ 1 } else { rng.bits() & ones(rank_w) };
    }
    let mut model = Ranks::new(bursts);
    let mut pins = module.start(&[("asked", 0), ("word_told", 0), ("told", 0)]);
    let (mut asks, mut next): (Vec<u64>, u64) = (Vec::new(), 0);
    let [mut of_words, mut of_ranks]: [VecDeque<u64>; 2] = [VecDeque::new(), VecDeque::new()];
    let pace = [0; 3].map(|_| 0.2 + 0.8 * (rng.below(100) as f64 / 100.0));
    for cycle in 0..500 {
        pins.same("wrong", u64::from(model.wrong()));
        let asked = (cycle < 400 && of_ranks.len().max(of_words.len()) < 12 && rng.happens(pace[0])).then(|| {
            let at = if rng.happens(0.3) { rng.below(size) } else { next % size };
            let len = if bursts { 1 + rng.below((size - at).min(4).min(ones(addr_w))) } else { 1 };
            (at, len)
        });
        // Neither runs far ahead of the other.
        let (w, r) = (of_words.len(), of_ranks.len());
        let word = (w > 0 && w + 3 > r && rng.happens(pace[1])).then(|| of_words.pop_front()).flatten();
        let rank = (r > 0 && r + 3 > w && rng.happens(pace[2])).then(|| of_ranks.pop_front()).flatten();
        let [told_word, told_rank] = [word.map(|k| words[k as usize]), rank.map(|k| ranks[k as usize])];
        pins.set("asked", u64::from(asked.is_some()));
        let (at, len) = asked.unwrap_or((0, 0));
        pins.poke("asked_beat", &packed(&[(&[at], addr_w), (&[len], if bursts { addr_w } else { 0 })]));
        pins.set("word_told", u64::from(told_word.is_some()));
        pins.set("word", told_word.unwrap_or(0));
        pins.set("told", u64::from(told_rank.is_some()));
        pins.set("rank", told_rank.unwrap_or(0));
        pins.clock();
        model.clock(asked, told_word, told_rank);
        if let Some((at, len)) = asked {
            of_words.extend(at..at + len);
            of_ranks.extend(at..at + len);
            asks.extend(at..at + len);
            next = at + len;
        }
    }
    if of_words.is_empty() && of_ranks.is_empty() {
        let end = |k: u64| ranks[k as usize] + u64::from(words[k as usize].count_ones());
        let fits = |at: u64, to: u64| match to {
            _ if to == at => true,
            _ if to == at + 1 => ranks[to as usize] == end(at),
            _ if to > at => ranks[to as usize] >= end(at),
            _ => end(to) <= ranks[at as usize],
        };
        let wrong = asks.contains(&0) && ranks[0] != 0 || asks.windows(2).any(|w| !fits(w[0], w[1]));
        assert_eq!(model.wrong(), wrong, "{words:x?} {ranks:?} {asks:?}");
    }
    model.wrong()
}

#[test]
fn watched_ranks_are_their_model() {
    for widths @ (addr_w, rank_w, width) in [(5, 9, 8), (8, 14, 32), (4, 10, 64), (2, 9, 8)] {
        for bursts in [true, false] {
            let params = [("ADDR_W", addr_w), ("RANK_W", rank_w), ("WIDTH", width), ("BURSTS", u32::from(bursts))];
            let inputs = [
                ("asked", 1),
                ("asked_beat", if bursts { 2 * addr_w } else { addr_w }),
                ("word_told", 1),
                ("word", width),
                ("told", 1),
                ("rank", rank_w),
            ];
            let Some(module) = Module::new("samhw_axi_ranks", &params, &inputs, &[("wrong", 1)]) else { return };
            let found = (0..40).filter(|&seed| run(&module, bursts, widths, seed)).count();
            assert!((5..38).contains(&found), "{widths:?} {bursts}: {found} of 40 runs were wrong");
        }
    }
}
