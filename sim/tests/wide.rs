//! Wide joins: with them results are the same and no run takes more cycles; Verilog and native engine agree.
//! SAMHW_SEED and SAMHW_CASES choose the random kernels.

mod engines;
mod products;

use engines::{engines_agree_on, number};
use products::{Product, product};
use samhw_compiler::frontend::Spanned;
use samhw_compiler::netlist::Netlist;
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::schedule::{PerName, Schedule};
use samhw_compiler::stmt::Kernel;
use samhw_sim::native::Pressure;
use samhw_sim::random::Rng;
use samhw_sim::run::Problem;
use samhw_sim::verify::{legal_order, netlist, problem, run_pressed, run_twice};

/// `kernel` with what else a schedule can say chosen at random, and with joins of groups at every index, or none.
fn scheduled(kernel: &Kernel, wide: Option<u64>, seed: u64) -> Kernel {
    let mut rng = Rng::new(seed ^ 0x71d3);
    let name = |n: &str| Spanned::new(0..0, n.to_owned());
    let per = |v: &str, n: u64| (name(v), Spanned::new(0..0, n));
    let names: Vec<&str> = kernel.vars.iter().map(|v| v.name.as_str()).collect();
    let mut schedule = Schedule { locate: Some(vec![]), skip: Some(vec![]), ..kernel.schedule.clone() };
    let split = rng.chance(30).then(|| rng.pick(&names));
    schedule.split = split.iter().map(|v| per(v, rng.pick(&[2, 3, 8, 16]))).collect();
    if rng.chance(30) {
        schedule.parallel = vec![per(rng.pick(&names), 2 + rng.below(2))];
    }
    if rng.chance(20) {
        schedule.skip = Some(vec![name(rng.pick(&names))]);
    }
    schedule.wide = wide.iter().flat_map(|&n| names.iter().map(move |v| per(v, n))).collect::<PerName>();
    Kernel { schedule, ..kernel.clone() }
}

/// The product with this seed, without and with wide joins, if it can be had as scheduled.
fn prepared(seed: u64) -> Option<(String, [Problem; 2])> {
    let Product { text, kernel, order, dims, data } = product(seed, 90)?;
    let wide = [2, 4][seed as usize % 2];
    let made = [None, Some(wide)].map(|wide| {
        let kernel = scheduled(&kernel, wide, seed);
        let text = format!("{text}{:?}", kernel.schedule);
        let split = samhw_compiler::passes::split::split(&kernel);
        (text, split.map(|_| problem(&kernel, &legal_order(&kernel, order.clone()), &dims, &data)))
    });
    let [(_, plain), (text, with)] = made;
    let (plain, with) = (plain.ok()?, with.ok()?);
    // What refuses one refuses the other: a wide join is another of the same meaning.
    assert_eq!(plain.is_ok(), with.is_ok(), "{text}\n{:?}\n{:?}", plain.err(), with.err());
    Some((text, [plain.ok()?, with.ok()?]))
}

fn wide_joins(net: &Netlist) -> usize {
    net.cells.iter().filter(|c| c.primitive.kind() == "joiner_wide").count()
}

#[test]
fn results_stay_and_cycles_are_never_more() {
    let (base, count) = (number("SAMHW_SEED", 1), number("SAMHW_CASES", 150));
    println!("SAMHW_SEED={base} SAMHW_CASES={count}");
    let (mut met, mut faster, mut before, mut after) = (0, 0, 0, 0);
    for seed in base..base + count {
        let Some((text, [plain, with])) = prepared(seed) else { continue };
        let nets = [&plain, &with].map(|p| netlist(p, Depths::Auto).expect("a netlist"));
        let [Ok(plain_net), Ok(net)] = nets else { continue };
        let told = |e: String| panic!("seed {seed}:\n{text}\n{e}");
        let old = run_twice(&plain, &plain_net).unwrap_or_else(told).cycles;
        let new = run_twice(&with, &net).unwrap_or_else(told).cycles;
        run_pressed(&with, &net, Pressure { rng: Rng::new(seed), percent: 5 + seed % 60 }).unwrap_or_else(told);
        assert!(new <= old, "seed {seed}: {new} cycles instead of {old}\n{text}");
        met += u64::from(wide_joins(&net) > 0);
        faster += u64::from(new < old);
        before += old;
        after += new;
    }
    println!("{met} of {count} have wide joins, {faster} are faster; {before} cycles became {after}");
    assert!(met > count / 4 && faster > count / 8, "hardly anything is wide");
}

/// Random kernels with wide joins, each with a data set of its own, on both engines.
#[test]
fn engines_agree_where_joins_are_wide() {
    let wanted = if std::env::var_os("SAMHW_FULL").is_some() { 30 } else { 3 };
    engines_agree_on(wanted, |seed| {
        let (text, [_, p]) = prepared(seed)?;
        let net = netlist(&p, Depths::Auto).expect("a netlist").ok()?;
        (wide_joins(&net) > 0 && net.cells.len() <= 80).then_some((text, p, net))
    });
}
