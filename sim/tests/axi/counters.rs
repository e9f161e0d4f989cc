//! Counters of nodes and stuck streams in the registers: what the probes of the simulation see.

use super::{Bench, build, memories, options, problem, seed};
use samhw_sim::axi::{Placing, Settings};
use samhw_values::Rng;
use std::collections::BTreeSet;

const MV: &str = "name = \"mv\"\nexpr = \"y(i) = A(i,j) * x(j)\"\n[dims]\ni = 40\nj = 30\n[tensors.A]\nformat = \"csr\"\ntype = \"i32\"\n\
    [tensors.x]\nformat = \"dense\"\ntype = \"i32\"\n[tensors.y]\nformat = \"dense\"\ntype = \"i32\"\n[schedule]\nlocate = [\"x\"]\n\
    [data]\nA = { random = { density = 0.3, seed = 1 } }\nx = { random = { density = 1.0, seed = 2 } }\n\
    [hardware]\nmemory = \"axi\"\n[hardware.axi]\ncounters = true\n";

const ADD: &str = "name = \"add\"\nexpr = \"X(i,j) = B(i,j) + C(i,j)\"\n[dims]\ni = 24\nj = 24\n\
    [tensors.B]\nformat = \"csr\"\ntype = \"i32\"\n[tensors.C]\nformat = \"csr\"\ntype = \"i32\"\n\
    [tensors.X]\nformat = \"csr\"\ntype = \"i32\"\n[data]\nB = { random = { density = 0.3, seed = 1 } }\n\
    C = { random = { density = 0.3, seed = 2 } }\n[hardware]\nmemory = \"axi\"\n[hardware.axi]\ncounters = true\n";

const WATCHDOG: u32 = 0x30;

/// Cycles without a transfer after which a run ends.
const PATIENCE: u32 = 200;

#[test]
fn registers_count_what_the_probes_see() {
    let mut rng = Rng::new(seed());
    for text in [MV, ADD] {
        let p = problem(text);
        let net = p.declared_netlist().expect("a netlist");
        let Some(built) = build(&p, &net, &options(&p), true) else { return };
        for settings in memories(&mut rng) {
            let mut bench = Bench::new(&p, &net, &built, &settings, Placing::Anywhere(rng.bits()));
            // The second run must not count on from the first.
            for _ in 0..2 {
                let ended = bench.run(text);
                assert_eq!(ended.code, 0);
                let counted = bench.engine.counted().expect("registers");
                assert_eq!(counted.len(), p.lowered.graph.nodes.len());
                let mut lengths = BTreeSet::new();
                for &(cell, [beats, stalled, starved]) in &counted {
                    let (seen, name) = (&ended.counts.cells[cell.0], &net.cell(cell).name);
                    assert_eq!((u64::from(beats), u64::from(stalled)), (seen.beats, seen.stalled), "{name}");
                    lengths.insert(seen.busy + u64::from(stalled) + u64::from(starved));
                }
                assert_eq!(lengths.len(), 1, "every cycle of a run is of one of three kinds: {lengths:?}");
                assert!(lengths.first().is_some_and(|&n| n > 100 && n < ended.cycles), "{lengths:?}, {ended:?}");
                assert!(counted.iter().any(|c| c.1[0] > 200) && counted.iter().any(|c| c.1[1] > 0));
            }
        }
    }
}

#[test]
fn a_watchdog_names_the_streams_that_are_stuck() {
    let mut rng = Rng::new(seed());
    let p = problem(ADD);
    let net = p.declared_netlist().expect("a netlist");
    let Some(built) = build(&p, &net, &options(&p), true) else { return };
    let probes = built.axi.probes.as_ref().expect("counters");
    let streams: Vec<&str> = probes.streams.iter().map(|&k| net.channels[k].name.as_str()).collect();
    let mut found = 0;
    for _ in 0..12 {
        let settings = Settings { latency: (1, 1500), reorder: true, seed: rng.bits(), ..Settings::default() };
        let mut bench = Bench::new(&p, &net, &built, &settings, Placing::Anywhere(rng.bits()));
        bench.engine.write(WATCHDOG, PATIENCE).expect("registers");
        bench.engine.start().expect("registers");
        // Nothing moves for much longer than the watchdog allows, for the first time: what is held then was held when
        // it ended the run. Afterwards answers that were on their way may still move something.
        let (mut moved, mut quiet, mut stretches, mut held) = (0, 0, 0, None);
        while !bench.engine.ended() {
            bench.engine.clock().expect("the bus");
            let now = bench.engine.transfers();
            quiet = if now == moved { quiet + 1 } else { 0 };
            moved = now;
            stretches += u32::from(quiet == PATIENCE - 40);
            if quiet == PATIENCE + 20 && stretches == 1 {
                held = Some(bench.engine.held());
            }
        }
        let ended = bench.engine.finish(u64::MAX).expect("it has ended");
        assert_eq!(ended.code, 7);
        let stuck = bench.engine.stuck().expect("registers");
        if let Some(held) = held {
            let expected: Vec<&str> = streams.iter().copied().filter(|s| held.contains(s)).collect();
            assert_eq!(stuck, expected);
            found += usize::from(!stuck.is_empty());
        }
        bench.engine.clear().expect("registers");
    }
    assert!(found > 0, "no run was stuck with a beat");
}
