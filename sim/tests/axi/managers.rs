//! Several managers: arrays where the file puts them, and what must be survived at any of them - errors of any response, resets at any cycle.

use super::{Bench, build, full, options, problem, seed};
use samhw_compiler::netlist::Netlist;
use samhw_sim::axi::{AxiBuilt, Fault, Faulty, Placing, Settings};
use samhw_sim::run::Problem;
use samhw_testing::drawn::drawn;
use samhw_values::Rng;

/// Rows that are read in order and a result, arrays assigned by the file.
const ADD: &str = "name = \"add\"\nexpr = \"X(i,j) = B(i,j) + C(i,j)\"\n[dims]\ni = 16\nj = 16\n\
    [tensors.B]\nformat = \"csr\"\ntype = \"i32\"\n[tensors.C]\nformat = \"csr\"\ntype = \"i32\"\n\
    [tensors.X]\nformat = \"csr\"\ntype = \"i32\"\n[data]\nB = { random = { density = 0.3, seed = 1 } }\n\
    C = { random = { density = 0.3, seed = 2 } }\n[hardware]\nmemory = \"axi\"\n[hardware.axi]\nmasters = 3\n\
    managers = { B = 2, C_vals = 0, X = 1, X_vals = 2 }\n";

/// Arrays of every kind: windows, on the chip as they come or before, tiles, results.
const MUL: &str = "name = \"mul\"\nexpr = \"X(i,j) = B(i,k) * C(k,j)\"\norder = [\"i0\", \"k0\", \"j0\", \"i1\", \"k1\", \"j1\"]\n\
    [dims]\ni = 12\nj = 12\nk = 12\n[tensors.B]\nformat = \"dcsr\"\ntype = \"i32\"\n[tensors.C]\nformat = \"dcsr\"\ntype = \"i32\"\n\
    [tensors.X]\nformat = \"dcsr\"\ntype = \"i32\"\n[data]\nB = { random = { density = 0.3, seed = 1 } }\n\
    C = { random = { density = 0.3, seed = 2 } }\n[schedule]\nsplit = { i = 4, k = 4, j = 4 }\n\
    [hardware]\nmemory = \"axi\"\n[hardware.axi]\nmasters = 2\ndata_width = 32\non_chip = 40\ntile = 128\n";

#[test]
fn faults_at_any_manager_are_survived() {
    let mut rng = Rng::new(seed());
    for text in drawn([ADD, MUL], 1) {
        let p = problem(text);
        let net = p.declared_netlist().expect("a netlist");
        let Some(built) = build(&p, &net, &options(&p), true) else { return };
        assigned(&net, &built, &options(&p).managers.iter().map(|(n, _)| n.get_ref().as_str()).collect::<Vec<_>>());
        errors(&mut bench(&p, &net, &built, &mut rng), &mut rng);
        resets(&mut bench(&p, &net, &built, &mut rng), &mut rng);
    }
}

/// With a memory that answers late, stalls, and mixes what it answers.
fn bench<'a>(p: &'a Problem, net: &'a Netlist, built: &'a AxiBuilt<'a>, rng: &mut Rng) -> Bench<'a> {
    let settings = Settings { latency: (1, 200), stall: 25, reorder: true, seed: rng.bits(), ..Settings::default() };
    let mut bench = Bench::new(p, net, built, &settings, Placing::Anywhere(rng.bits()));
    bench.engine.at_random(rng.bits());
    bench
}

/// Arrays that the file assigns are where it says.
fn assigned(net: &Netlist, built: &AxiBuilt, named: &[&str]) {
    let at = |name: &str| built.axi.ports.iter().find(|p| net.arrays[p.array].name == name).map(|p| p.master);
    if named.is_empty() {
        return;
    }
    let wanted =
        [("B_seg1", 2), ("B_crd1", 2), ("B_vals", 2), ("C_vals", 0), ("X_crd1", 1), ("X_seg1", 1), ("X_vals", 2)];
    wanted.iter().for_each(|&(name, manager)| assert_eq!(at(name), Some(manager), "{name}"));
    assert_eq!(built.axi.masters(), 3);
}

/// An error of some responses of every manager, or of all: reported at the array that the response was for, then a run that is right.
fn errors(bench: &mut Bench, rng: &mut Rng) {
    bench.succeed("before");
    let axi = bench.engine.axi();
    for manager in 0..axi.masters() {
        let moved = bench.engine.memory.moved_by(manager);
        for (of, most, first) in [(Faulty::Read, moved.lines_read, 1), (Faulty::Write, moved.writes, 3)] {
            let numbers: Vec<u64> =
                if full() { (0..most).collect() } else { (0..most.min(4)).map(|_| rng.below(most)).collect() };
            for number in numbers {
                let decode = rng.chance(50);
                let fault = Fault { of, number, decode, manager: Some(manager) };
                bench.engine.memory.fault(Some(fault));
                let ended = bench.run("a fault");
                // What was fetched ahead or beyond need depends on chance: there may be fewer responses than before.
                if let Some(id) = bench.engine.memory.faulted(manager) {
                    let port = axi.served(manager, of == Faulty::Write).start + id as usize;
                    assert_eq!((ended.code, ended.port), (first + u32::from(decode), port), "{fault:?}");
                } else {
                    assert_eq!(ended.code, 0, "{fault:?}");
                }
                bench.engine.memory.fault(None);
                bench.succeed("after an error");
            }
        }
    }
}

/// Resets at some cycles of a run, or at all of them, each followed by a run that is right.
fn resets(bench: &mut Bench, rng: &mut Rng) {
    let cycles = bench.succeed("before resets");
    for k in 0..if full() { cycles } else { 12 } {
        bench.engine.start().expect("registers");
        for _ in 0..if full() { k } else { rng.below(cycles) } {
            bench.engine.clock().expect("the bus");
        }
        bench.engine.reset(1 << 12).expect("it rests");
        assert!(!bench.engine.ended() && bench.engine.memory.idle(), "no interrupt, and all is still");
        bench.succeed("after a reset");
    }
}
