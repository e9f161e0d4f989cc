//! Wide joins, and such that skip: with them results are the same and no run takes more cycles;
//! Verilog and native engine agree. SAMHW_SEED and SAMHW_CASES choose the random kernels.

use crate::engines::{engines_agree_on, number};
use crate::products::{Product, product};
use samhw_compiler::frontend::Spanned;
use samhw_compiler::netlist::Netlist;
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::schedule::{Balance, Copies, PerName, Schedule};
use samhw_compiler::stmt::Kernel;
use samhw_sim::native::Pressure;
use samhw_sim::run::Problem;
use samhw_testing::verify::{legal_order, netlist, problem, run_pressed, run_twice};
use samhw_values::Rng;

/// Joins of groups of this number of coordinates at every index, if any; all skip.
#[derive(Debug, Clone, Copy)]
struct Joins {
    wide: Option<u64>,
    skip: bool,
}

/// `kernel` with what else a schedule can say chosen at random, and with `joins`.
fn scheduled(kernel: &Kernel, joins: Joins, seed: u64) -> Kernel {
    let mut rng = Rng::new(seed ^ 0x71d3);
    let name = |n: &str| Spanned::new(0..0, n.to_owned());
    let per = |v: &str, n: u64| (name(v), Spanned::new(0..0, n));
    let names: Vec<&str> = kernel.vars.iter().map(|v| v.name.as_str()).collect();
    let mut schedule = Schedule { locate: Some(vec![]), skip: Some(vec![]), ..kernel.schedule.clone() };
    let split = rng.chance(30).then(|| rng.pick(&names));
    schedule.split = split.iter().map(|v| (name(v), vec![rng.pick(&[2, 3, 8, 16])])).collect();
    if rng.chance(30) {
        let (v, number) = per(rng.pick(&names), 2 + rng.below(2));
        let balance = rng.chance(70).then(|| Spanned::new(0..0, Balance::Fibers));
        schedule.parallel = vec![(v, Copies { number, sharing: None, balance })];
    }
    if joins.skip {
        schedule.skip = Some(names.iter().map(|n| name(n)).collect());
    }
    schedule.wide = Some(joins.wide.iter().flat_map(|&n| names.iter().map(move |v| per(v, n))).collect::<PerName>());
    Kernel { schedule, ..kernel.clone() }
}

/// The product with this seed: without and with wide joins, and with wide ones that skip, if it can
/// be had as scheduled.
fn prepared(seed: u64) -> Option<(String, [Problem; 3])> {
    let Product { text, kernel, order, dims, data } = product(seed, 90)?;
    let wide = Some([2, 4][seed as usize % 2]);
    let joins = [(None, false), (wide, false), (wide, true)].map(|(wide, skip)| Joins { wide, skip });
    let made = joins.map(|joins| {
        let kernel = scheduled(&kernel, joins, seed);
        let text = format!("{text}{:?}", kernel.schedule);
        let split = samhw_compiler::passes::split::split(&kernel, false);
        (text, split.map(|_| problem(&kernel, &legal_order(&kernel, order.clone()), &dims, &data)))
    });
    let [(_, plain), (_, with), (text, both)] = made;
    let (plain, with, both) = (plain.ok()?, with.ok()?, both.ok()?);
    // What refuses one refuses the others: a wide join is another of the same meaning.
    let refused = [&plain, &with, &both].map(|p| p.as_ref().err());
    assert!(refused.iter().all(|e| e.is_some() == plain.is_err()), "{text}\n{refused:?}");
    Some((text, [plain.ok()?, with.ok()?, both.ok()?]))
}

fn wide_joins(net: &Netlist) -> usize {
    net.cells.iter().filter(|c| c.primitive.kind() == "joiner_wide").count()
}

#[test]
fn results_stay_and_cycles_are_never_more() {
    let (base, count) = (number("SAMHW_SEED", 1), number("SAMHW_CASES", 90));
    println!("SAMHW_SEED={base} SAMHW_CASES={count}");
    let (mut met, mut held, mut faster, mut sum) = (0, 0, [0; 2], [0; 3]);
    for seed in base..base + count {
        let Some((text, problems)) = prepared(seed) else { continue };
        let nets = problems.each_ref().map(|p| netlist(p, Depths::Auto).expect("a netlist"));
        let [Ok(plain), Ok(wide), Ok(both)] = nets else { continue };
        let told = |e: String| panic!("seed {seed}:\n{text}\n{e}");
        let [p, w, b] = &problems;
        let cycles =
            [(p, &plain), (w, &wide), (b, &both)].map(|(p, net)| run_twice(p, net).unwrap_or_else(told).cycles);
        for (p, net) in [(w, &wide), (b, &both)] {
            run_pressed(p, net, Pressure { rng: Rng::new(seed), percent: 5 + seed % 60 }).unwrap_or_else(told);
        }
        // Where copies are dealt what they have room for, who gets what depends on time: the last
        // one may end later.
        let by_room = wide.cells.iter().any(|c| c.primitive.describe().ends_with("next free copy"));
        let ok = by_room || cycles.is_sorted_by(|a, b| a >= b);
        let dealt = wide.cells.iter().any(|c| c.primitive.kind() == "parallelizer");
        held += u64::from(dealt && !by_room && wide_joins(&wide) > 0);
        assert!(ok, "seed {seed}: {cycles:?} cycles plain, wide, skipping too\n{text}");
        assert_eq!(wide_joins(&wide), wide_joins(&both));
        met += u64::from(wide_joins(&wide) > 0);
        (0..2).for_each(|k| faster[k] += u64::from(cycles[k + 1] < cycles[k]));
        (0..3).for_each(|k| sum[k] += cycles[k]);
    }
    println!(
        "{met} of {count} have wide joins, {held} in copies that are dealt to whatever the time; {faster:?} are faster than without and than wide alone; {sum:?} cycles"
    );
    assert!(held > count / 30, "hardly any copies");
    assert!(met > count / 4 && faster[0] > count / 8 && faster[1] > count / 16, "hardly anything is wide");
}

/// What a kernel file leaves open is wide by two at every index.
#[test]
fn joins_are_wide_by_two_where_nothing_is_said() {
    let mut met = 0;
    for seed in 1..40 {
        let Some(Product { text, kernel, order, dims, data }) = product(seed, 90) else { continue };
        let made = |wide: Option<u64>, said: bool| {
            let mut kernel = scheduled(&kernel, Joins { wide, skip: seed % 3 == 0 }, seed);
            kernel.schedule.wide = kernel.schedule.wide.filter(|_| said);
            let p = problem(&kernel, &legal_order(&kernel, order.clone()), &dims, &data).ok()?;
            let net = netlist(&p, Depths::Auto).expect("a netlist").ok()?;
            let cells = net.cells.iter().map(|c| (c.name.clone(), c.primitive.describe())).collect::<Vec<_>>();
            Some((wide_joins(&net), cells))
        };
        let (unsaid, two, none) = (made(None, false), made(Some(2), true), made(None, true));
        assert_eq!(unsaid, two, "seed {seed}:\n{text}");
        assert_eq!(none.map_or(0, |n| n.0), 0, "seed {seed}:\n{text}");
        met += usize::from(two.is_some_and(|n| n.0 > 0));
    }
    assert!(met > 10, "hardly anything can be wide: {met}");
}

/// Random kernels with wide joins, each with a data set of its own, on both engines.
#[test]
fn engines_agree_where_joins_are_wide() {
    let wanted = if std::env::var_os("SAMHW_FULL").is_some() { 30 } else { 2 };
    engines_agree_on(wanted, |seed| {
        let (text, [_, wide, both]) = prepared(seed)?;
        let p = if seed % 2 == 0 { wide } else { both };
        let net = netlist(&p, Depths::Auto).expect("a netlist").ok()?;
        (wide_joins(&net) > 0 && net.cells.len() <= 80).then_some((text, p, net))
    });
}
