//! Levels iterated, or stored, as bit vectors: results as without, and both engines agree.
//! SAMHW_SEED and SAMHW_CASES choose the random kernels.

use crate::engines::{engines_agree_on, number};
use crate::products::{Product, product};
use samhw_compiler::frontend::Spanned;
use samhw_compiler::graph::{Op, UseId};
use samhw_compiler::levels;
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::schedule::Schedule;
use samhw_compiler::stmt::Kernel;
use samhw_sim::native::Pressure;
use samhw_sim::run::Problem;
use samhw_testing::verify::{netlist, problem, run_pressed, run_twice};
use samhw_values::Rng;

const WIDTHS: [u64; 6] = [8, 16, 32, 64, 128, 256];

/// `kernel` with bit vectors of random widths at every index.
fn scheduled(kernel: &Kernel, rng: &mut Rng) -> Kernel {
    let width = |rng: &mut Rng| Spanned::new(0..0, rng.pick(&WIDTHS));
    let bitvector = kernel.vars.iter().map(|v| (Spanned::new(0..0, v.name.clone()), width(rng))).collect();
    let schedule = Schedule { bitvector, locate: Some(vec![]), ..kernel.schedule.clone() };
    Kernel { schedule, ..kernel.clone() }
}

/// `kernel` with levels of bit vectors, of one width or of several, some of them looked up, some
/// split in two.
fn stored(kernel: &Kernel, rng: &mut Rng) -> Kernel {
    let (one, mixed, all) = (rng.pick(&WIDTHS), rng.chance(30), rng.chance(40));
    let mut kernel = kernel.clone();
    for level in kernel.tensors.iter_mut().flat_map(|t| &mut t.levels).filter(|l| **l == levels::COMPRESSED) {
        if all || rng.chance(60) {
            *level = levels::in_words(if mixed { rng.pick(&WIDTHS) } else { one } as u32).expect("a level");
        }
    }
    let name = |n: &str| Spanned::new(0..0, n.to_owned());
    let results: Vec<_> = kernel.statements.iter().map(|s| s.result).collect();
    let operands = (0..kernel.tensors.len()).filter(|t| results.iter().all(|r| r.0 != *t));
    let tensors: Vec<String> = operands.map(|t| kernel.tensors[t].name.clone()).collect();
    kernel.schedule.locate = match rng.below(3) {
        0 => None,
        1 => Some(vec![]),
        _ => Some(vec![name(rng.pick(&tensors.iter().map(String::as_str).collect::<Vec<_>>()))]),
    };
    if rng.chance(30) {
        let v = rng.pick(&kernel.vars.iter().map(|v| v.name.as_str()).collect::<Vec<_>>());
        kernel.schedule.split = vec![(name(v), vec![rng.pick(&[3, 16, 64])])];
    }
    kernel
}

/// A product in which something is joined as bit vectors because the schedule says so, or for odd
/// seeds stored so.
fn prepared(seed: u64) -> Option<(String, Problem)> {
    let mut rng = Rng::new(seed);
    let Product { text, kernel, order, dims, data } = product(seed, 92)?;
    if seed % 2 == 1 {
        let kernel = stored(&kernel, &mut rng);
        let p = problem(&kernel, &order, &dims, &data);
        assert!(p.as_ref().err().is_none_or(|d| d.code.starts_with('S')), "{text}\n{:?}", p.err());
        let text = format!("{text}{:?}", kernel.tensors.iter().map(|t| &t.levels).collect::<Vec<_>>());
        let words = |p: &Problem| p.lowered.graph.uses.iter().any(|u| u.levels.iter().any(|l| !l.is_dense()));
        return p.ok().filter(words).map(|p| (text, p));
    }
    let p = problem(&scheduled(&kernel, &mut rng), &order, &dims, &data).ok()?;
    (!p.lowered.graph.joins.words.joins.is_empty()).then_some((text, p))
}

#[test]
fn results_stay() {
    let (base, count) = (number("SAMHW_SEED", 1), number("SAMHW_CASES", 120));
    println!("SAMHW_SEED={base} SAMHW_CASES={count}");
    let (mut ran, mut met) = (0, [0; 4]);
    for seed in base..base + count {
        let Some((text, p)) = prepared(seed) else { continue };
        let net = netlist(&p, Depths::Auto).expect("a netlist").expect("a netlist that fits");
        let pressure = Pressure { rng: Rng::new(seed), percent: 5 + seed % 60 };
        let done = run_twice(&p, &net).and_then(|_| run_pressed(&p, &net, pressure));
        assert!(done.is_ok(), "seed {seed}:\n{text}\n{}", done.unwrap_err());
        ran += 1;
        let (graph, joins) = (&p.lowered.graph, p.lowered.graph.joins.words.joins.len());
        let words = |u: UseId, l: usize| graph.uses[u.0].levels[l].words().is_some();
        let count = |of: &dyn Fn(&Op) -> bool| graph.nodes.iter().filter(|n| of(&n.op)).count();
        met[0] += joins;
        met[1] += count(&|op| matches!(op, Op::Unpack(_)));
        met[2] += count(&|op| matches!(op, Op::Locate(u, l) if words(*u, *l)));
        met[3] += count(&|op| matches!(op, Op::WriteLevel { level: (u, l), .. } if words(*u, *l)));
    }
    println!("{ran} of {count} have bit vectors; {met:?} joins of words, unpackers, locators, writers");
    assert!(ran > count / 3 && met.iter().all(|&n| n > 0));
}

#[test]
fn engines_agree() {
    let wanted = if std::env::var_os("SAMHW_FULL").is_some() { 30 } else { 2 };
    engines_agree_on(wanted, |seed| {
        let (text, p) = prepared(seed)?;
        let net = netlist(&p, Depths::Auto).expect("a netlist").expect("a netlist that fits");
        (net.cells.len() <= 70).then_some((text, p, net))
    });
}
