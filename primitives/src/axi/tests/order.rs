//! Coordinates that are watched: Verilog and model in every cycle, and what both find, against the fibers themselves.

use super::pins::Module;
use crate::axi::{Fiber, Order, WAIT_LOG2, ones};
use samhw_values::Rng;

/// Bits of a length, of a coordinate, of the size.
const WIDTHS: [(u32, u32, u32); 3] = [(5, 7, 8), (9, 12, 6), (3, 6, 20)];

/// Whether something was wrong, and whether both found it.
fn run(module: &Module, kind: Fiber, (addr_w, data_w, limit_w): (u32, u32, u32), seed: u64) -> bool {
    let mut rng = Rng::new(seed);
    let repeats = kind == Fiber::Repeats;
    let limit = 1 + rng.below(ones(limit_w.min(data_w)));
    let mut model = Order::new(kind, limit);
    let mut pins = module.start(&[("limit", limit), ("asked", 0), ("told", 0)]);
    let (mut fibers, mut waiting): (Vec<Vec<u64>>, Vec<u64>) = (Vec::new(), Vec::new());
    // Lengths that were asked for; how many of the first one's coordinates are still to come.
    let mut asked: std::collections::VecDeque<u64> = std::collections::VecDeque::new();
    let [asks, answers] = [0; 2].map(|_| 0.2 + 0.8 * (rng.below(100) as f64 / 100.0));
    let faults = if seed.is_multiple_of(3) { 0.0 } else { 0.01 };
    for cycle in 0..600 {
        let len = (cycle < 500 && (asked.len() as u64) < 1 << WAIT_LOG2 && rng.happens(asks))
            .then(|| 1 + rng.below(ones(addr_w).min(9)));
        if waiting.is_empty()
            && rng.happens(answers)
            && let Some(len) = asked.front()
        {
            let fiber: std::collections::BTreeSet<u64> = (0..*len).map(|_| rng.below(limit)).collect();
            let mut fiber: Vec<u64> = fiber.into_iter().collect();
            // A fiber of repeated coordinates where the dimension has too few for one that rises.
            while (fiber.len() as u64) < *len {
                fiber.push(*fiber.last().unwrap_or(&0));
            }
            if !repeats && fiber.windows(2).any(|w| w[0] == w[1]) && faults == 0.0 {
                fiber = (0..*len).map(|k| k.min(limit - 1)).collect();
            }
            if rng.happens(faults * 10.0) {
                let at = rng.below(*len) as usize;
                fiber[at] = rng.bits() & ones(data_w);
            }
            waiting = fiber.clone();
            fibers.push(fiber);
        }
        let told = (!waiting.is_empty() && rng.happens(answers)).then(|| waiting.remove(0));
        if told.is_some() && waiting.is_empty() {
            asked.pop_front();
        }
        pins.same("wrong", u64::from(model.wrong()));
        for (name, value) in [
            ("asked", u64::from(len.is_some())),
            ("asked_len", len.unwrap_or(0)),
            ("told", u64::from(told.is_some())),
            ("crd", told.unwrap_or(0)),
        ] {
            pins.set(name, value);
        }
        pins.clock();
        model.clock(len, told);
        asked.extend(len);
    }
    let falls = |w: &[u64]| if repeats { w[1] < w[0] } else { w[1] <= w[0] };
    let wrong = |f: &Vec<u64>| f.iter().any(|&c| c >= limit) || f.windows(2).any(falls);
    if waiting.is_empty() && asked.is_empty() {
        assert_eq!(model.wrong(), fibers.iter().any(wrong), "repeats {repeats}, size {limit}: {fibers:?}");
    }
    model.wrong()
}

#[test]
fn watched_coordinates_are_their_model() {
    for widths @ (addr_w, data_w, limit_w) in WIDTHS {
        for kind in [Fiber::Rises, Fiber::Repeats] {
            let params = [
                ("ADDR_W", addr_w),
                ("DATA_W", data_w),
                ("LIMIT_W", limit_w),
                ("KIND", kind.kind()),
                ("WAIT_LOG2", WAIT_LOG2),
            ];
            let inputs = [("limit", limit_w), ("asked", 1), ("asked_len", addr_w), ("told", 1), ("crd", data_w)];
            let Some(module) = Module::new("samhw_axi_order", &params, &inputs, &[("wrong", 1)]) else { return };
            let found = (0..30).filter(|&seed| run(&module, kind, widths, seed)).count();
            assert!((5..30).contains(&found), "{widths:?} {kind:?}: {found} of 30 runs were wrong");
        }
    }
}

#[test]
fn watched_words_are_their_model() {
    for (log2, limit_w) in [(3, 8), (5, 4), (6, 12)] {
        let (addr_w, width) = (6, 1 << log2);
        let kind = Fiber::Bits(log2);
        let params = [
            ("ADDR_W", addr_w),
            ("DATA_W", width),
            ("LIMIT_W", limit_w),
            ("KIND", kind.kind()),
            ("WAIT_LOG2", WAIT_LOG2),
        ];
        let inputs = [("limit", limit_w), ("asked", 1), ("asked_len", addr_w), ("told", 1), ("crd", width)];
        let Some(module) = Module::new("samhw_axi_order", &params, &inputs, &[("wrong", 1)]) else { return };
        let mut found = 0;
        for seed in 0..40 {
            let mut rng = Rng::new(seed);
            let limit = 1 + rng.below(ones(limit_w).min(60 << log2));
            let words = limit.div_ceil(u64::from(width));
            let mut model = Order::new(kind, limit);
            let mut pins = module.start(&[("limit", limit), ("asked", 0), ("told", 0)]);
            let (mut wrong, mut waiting) = (false, Vec::new());
            for _ in 0..300 {
                pins.same("wrong", u64::from(model.wrong()));
                let asked = (waiting.is_empty() && rng.happens(0.5)).then_some(words);
                let told = (!waiting.is_empty() && rng.happens(0.7)).then(|| waiting.remove(0));
                for (name, value) in [
                    ("asked", u64::from(asked.is_some())),
                    ("asked_len", asked.unwrap_or(0)),
                    ("told", u64::from(told.is_some())),
                    ("crd", told.unwrap_or(0)),
                ] {
                    pins.set(name, value);
                }
                pins.clock();
                model.clock(asked, told);
                if asked.is_some() {
                    waiting = (0..words).map(|_| rng.bits() & ones(width)).collect();
                    let used = limit % u64::from(width);
                    let last = waiting.len() - 1;
                    if used != 0 && !(seed % 3 != 0 && rng.happens(0.03)) {
                        waiting[last] &= ones(used as u32);
                    }
                    wrong |= used != 0 && waiting[last] >> used != 0;
                }
            }
            if waiting.is_empty() {
                assert_eq!(model.wrong(), wrong, "size {limit}");
            }
            found += usize::from(wrong);
        }
        assert!((3..38).contains(&found), "{found} of 40 runs were wrong");
    }
}
