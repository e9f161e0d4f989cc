//! Random kernels whose operands are hidden in larger tensors and read through slices, index sets,
//! constants, `split` and `collapse`: the result must be what it was, on every engine. SAMHW_CASES
//! and SAMHW_SEED choose them.

use crate::engines::engines_agree_on;
use crate::seeds::{self, prepare};
use samhw_compiler::diag::Source;
use samhw_compiler::frontend::parse;
use samhw_compiler::levels::{self, LevelKind};
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::stmt::{Expr, Tensor, TensorId, Var, VarId};
use samhw_compiler::view::{Mode, Points, Seen, View, Window};
use samhw_sim::native::Pressure;
use samhw_sim::run::Problem;
use samhw_sim::tensor::{Coo, Loaded};
use samhw_testing::kernels::{Case, Functions, Limits, generate};
use samhw_testing::verify::{against_dense, netlist, run_pressed, run_twice};
use samhw_values::Rng;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A window that shows `count` coordinates of a mode, and the mode's size.
fn window(rng: &mut Rng, count: u64) -> (Window, u64) {
    let (to, size, slack) = (Points::all(count), count, rng.below(4));
    if count > 0 && rng.chance(20) {
        let n = count + slack;
        let mut all: Vec<u64> = (0..n).collect();
        rng.shuffle(&mut all);
        all.truncate(count as usize);
        if rng.chance(60) {
            all.sort_unstable();
        }
        return (Window { from: Points::Set(all), to, size }, n);
    }
    let step = rng.pick(&[1, 1, 1, 2, 3, 5, -1, -2]);
    let span = count.saturating_sub(1) * i64::unsigned_abs(step);
    let lo = rng.below(4);
    let first = if step > 0 { lo } else { lo + span };
    (Window { from: Points::Steps { first, step, count }, to, size }, lo + span + 1 + slack)
}

/// The operand `t` as a view of a new tensor, which holds other entries too.
fn hide(case: &mut Case, t: TensorId, rng: &mut Rng) -> TensorId {
    let (old, data) = (case.kernel.tensor(t).clone(), case.data[&t].clone());
    let plain = old.levels.iter().all(|l| [levels::DENSE, levels::COMPRESSED].contains(l));
    let mut modes: Vec<(Seen, u64, Option<usize>)> = Vec::new();
    // Two modes in a row may be one that is split.
    let joins = plain && data.shape().len() > 1 && rng.chance(25);
    let joined = joins.then(|| 1 + rng.below(data.shape().len() as u64 - 1) as usize);
    for (m, &count) in data.shape().iter().enumerate().filter(|(m, _)| joined != Some(*m)) {
        if joined == Some(m + 1) {
            let sizes = data.shape()[m..m + 2].to_vec();
            modes.push((Seen::Reshaped(sizes), count * data.shape()[m + 1], Some(m)));
        } else if plain && joined.is_none() && rng.chance(15) {
            // Or one may be two.
            let divisors: Vec<u64> = (1..=count).filter(|d| count.is_multiple_of(*d)).collect();
            let outer = if divisors.is_empty() { 1 } else { rng.pick(&divisors) };
            modes.push((Seen::Reshaped(vec![count]), outer, Some(m)));
            modes.push((Seen::Within, count / outer, None));
        } else if rng.chance(30) {
            modes.push((Seen::Whole, count, Some(m)));
        } else {
            let (window, size) = window(rng, count);
            modes.push((Seen::Part(window), size, Some(m)));
        }
    }
    if plain && rng.chance(25) && modes.len() < 3 {
        let (size, place) = (1 + rng.below(3), rng.below(modes.len() as u64 + 1) as usize);
        if modes.get(place).is_none_or(|m| m.0 != Seen::Within) {
            modes.insert(place, (Seen::At(rng.below(size)), size, None));
        }
    }
    // The new mode goes anywhere in the storage order.
    let place = |old: usize| modes.iter().position(|m| m.2 == Some(old)).unwrap_or(0);
    let kept = old.levels.iter().zip(&old.mode_order).filter(|(_, m)| joined != Some(**m));
    let (mut levels, mut mode_order): (Vec<LevelKind>, Vec<usize>) = kept.map(|(l, &m)| (*l, place(m))).unzip();
    for (m, _) in modes.iter().enumerate().filter(|(_, mode)| mode.2.is_none()) {
        let at = rng.below(levels.len() as u64 + 1) as usize;
        levels.insert(at, rng.pick(&[levels::DENSE, levels::COMPRESSED]));
        mode_order.insert(at, m);
    }
    let shape: Vec<u64> = modes.iter().map(|m| m.1).collect();
    let mut coords = vec![Vec::new()];
    for &size in &shape {
        coords = coords.iter().flat_map(|c| (0..size).map(move |x| [&c[..], &[x]].concat())).collect();
    }
    let noise = rng.pick(&[0, 20, 60]);
    let (mut stored, mut values) = (Vec::new(), Vec::new());
    for coord in coords {
        let seen = |(m, mode): (usize, &(Seen, u64, Option<usize>))| match &mode.0 {
            Seen::Whole => Some(vec![coord[m]]),
            Seen::At(at) => (*at == coord[m]).then(Vec::new),
            Seen::Part(w) => w.from.places(coord[m]).first().map(|&k| vec![k]),
            Seen::Reshaped(sizes) if sizes.len() == 1 => Some(vec![coord[m] * shape[m + 1] + coord[m + 1]]),
            Seen::Reshaped(sizes) => Some(vec![coord[m] / sizes[1], coord[m] % sizes[1]]),
            Seen::Within => Some(Vec::new()),
            Seen::Steps(steps) => steps.places(&coord).pop(),
        };
        let value = match modes.iter().enumerate().map(seen).collect::<Option<Vec<_>>>() {
            Some(inside) => data.get(&inside.concat()),
            None => rng.chance(noise).then(|| 1 + rng.below(5)),
        };
        if let Some(value) = value {
            stored.extend(coord);
            values.push(value);
        }
    }
    let base = TensorId(case.kernel.tensors.len());
    let tensor =
        Tensor { name: format!("{}_{}", old.name, base.0), shape: shape.clone(), levels, mode_order, nnz: None, ..old };
    let modes = modes.into_iter().enumerate().map(|(m, (seen, size, _))| {
        let dim = (seen != Seen::Whole).then(|| {
            let more = if matches!(seen, Seen::Reshaped(_) | Seen::Within) { 0 } else { rng.below(3) };
            case.kernel.vars.push(Var { name: format!("mode{m}_of_{}", tensor.name), max: size + more });
            case.dims.push(size);
            VarId(case.kernel.vars.len() - 1)
        });
        Mode { exact: matches!(seen, Seen::Reshaped(_) | Seen::Within), seen, dim }
    });
    let view = View { base, modes: modes.collect() };
    let mut tensor = tensor;
    for (m, mode) in view.modes.iter().enumerate() {
        // Sizes beyond the run's, as far as the whole modes have them.
        tensor.shape[m] = match (mode.dim, view.shown(m)) {
            (Some(dim), _) => case.kernel.var(dim).max,
            (None, Some(shown)) => case.kernel.tensor(t).shape[shown],
            (None, None) => tensor.shape[m],
        };
    }
    let shown = view.tensor(&tensor);
    case.kernel.tensors.extend([tensor, shown]);
    case.data.insert(base, Coo::new(shape, stored, values).expect("different coordinates inside"));
    TensorId(base.0 + 1)
}

/// The case with most of its accesses through views.
fn hidden(case: &Case, rng: &mut Rng) -> Case {
    let mut out = case.clone();
    for e in 0..out.kernel.exprs.len() {
        if let Expr::Access(t, indices) = out.kernel.exprs[e].clone()
            && out.data.contains_key(&t)
            && rng.chance(80)
        {
            let view = hide(&mut out, t, rng);
            out.kernel.exprs[e] = Expr::Access(view, indices);
        }
    }
    out
}

/// Results as values at every coordinate where one of them stores something.
fn differ(a: &Problem, b: &Problem) -> Option<String> {
    let find = |p: &Problem| {
        p.reference.iter().find(|(t, _)| p.lowered.kernel.tensor(**t).name == "X").map(|(_, o)| o.clone())
    };
    let (x, y) = (find(a)?, find(b)?);
    let coords: Vec<Vec<u64>> = x.stored.iter().chain(y.stored.iter()).map(|(c, _)| c.to_vec()).collect();
    coords.into_iter().find_map(|c| {
        let (v, w) = (x.stored.get(&c).unwrap_or(x.fill), y.stored.get(&c).unwrap_or(y.fill));
        (v != w).then(|| format!("at {c:?}: {v} without slices, {w} with them"))
    })
}

/// Runs a case natively; `Ok(false)`: refused.
fn run(case: &Case, seed: u64) -> Result<bool, String> {
    let Some(plain) = prepare(case)? else { return Ok(false) };
    let case = hidden(case, &mut Rng::new(seed));
    let text = |e: String| format!("{}{e}", case.kernel);
    let Some(sliced) = prepare(&case).map_err(text)? else { return Ok(false) };
    if let Some(e) = against_dense(&sliced).or_else(|| differ(&plain, &sliced)) {
        return Err(text(e));
    }
    let net = netlist(&sliced, Depths::Auto)?.map_err(|d| format!("{d:?}"))?;
    run_twice(&sliced, &net).map_err(text)?;
    let mut rng = Rng::new(seed);
    let percent = 5 + rng.below(70);
    run_pressed(&sliced, &net, Pressure { rng, percent }).map_err(text)?;
    Ok(true)
}

fn limits() -> Limits {
    Limits { functions: Functions::Arithmetic, ..Limits::default() }
}

#[test]
fn a_slice_of_what_holds_it_is_the_operand() {
    seeds::all(400, |seed| run(&generate(seed, &limits()), seed));
}

/// Some of them through Verilog, beat for beat: two, or thirty with SAMHW_FULL.
#[test]
fn verilog_does_the_same() {
    engines_agree_on(if std::env::var_os("SAMHW_FULL").is_some() { 30 } else { 2 }, |seed| {
        let small = Limits { accesses: 3, vars: 3, depth: 3, ..limits() };
        let case = hidden(&generate(seed, &small), &mut Rng::new(seed));
        let kernel = &case.kernel;
        let viewed = |e: &&Expr| matches!(e, Expr::Access(t, _) if kernel.tensor(*t).view.is_some());
        if kernel.exprs.iter().filter(viewed).count() < 2 {
            return None;
        }
        let problem = prepare(&case).ok()??;
        let net = netlist(&problem, Depths::Auto).expect("a graph").expect("small enough");
        Some((kernel.to_string(), problem, net))
    });
}

/// Cycles of a kernel file on one operand `x`, right or a panic.
fn cycles(text: &str, x: Coo) -> u64 {
    let source = Source { path: PathBuf::from("slices.toml"), text: text.to_owned() };
    let file = parse(Arc::new(source)).unwrap_or_else(|e| panic!("{e:?}"));
    let t = file.kernel.tensors.iter().position(|t| t.name == "x").expect("an operand x");
    let loaded = BTreeMap::from([(TensorId(t), Loaded { coo: x, sized: true })]);
    let problem = Problem::new(&file, loaded).unwrap_or_else(|e| panic!("{e:?}"));
    let net = netlist(&problem, Depths::Auto).expect("a graph").expect("small enough");
    run_twice(&problem, &net).unwrap_or_else(|e| panic!("{e}")).cycles
}

/// Compressed levels seek to the first coordinate and stop at the last; dense ones begin and end
/// there.
#[test]
fn a_part_of_a_long_fiber_costs_the_part() {
    let file = |level: &str, slice: &str| {
        format!(
            "expr = \"y(i) = x(i[{slice}])\"\n[tensors.x]\nlevels = [\"{level}\"]\nshape = [8192]\ntype = \"i32\"\n\
             [tensors.y]\nlevels = [\"{level}\"]\ntype = \"i32\"\n"
        )
    };
    let x = Coo::new(vec![8192], (0..8192).filter(|c| c % 2 == 0).collect(), (0..4096).collect()).expect("a vector");
    let mut table = Vec::new();
    for (slice, stored) in [("0:8192", 4096), ("4000:4100", 50), ("8000:8192", 96), ("0:20", 10), ("4000:4100:10", 10)]
    {
        let (sparse, dense) = (cycles(&file("compressed", slice), x.clone()), cycles(&file("dense", slice), x.clone()));
        table.push(format!("{slice}: {sparse} cycles compressed, {dense} dense"));
        let visited = if slice.ends_with(":10") { 50 } else { stored };
        assert!(sparse < visited + 200, "{slice}: {sparse} cycles for {visited} entries visited");
        assert!(sparse > stored, "{slice}: {sparse} cycles for {stored} entries");
    }
    println!("{}", table.join("\n"));
    let backwards = cycles(&file("dense", "8000:7900:-1"), x);
    assert!((100..150).contains(&backwards), "{backwards} cycles backwards");
}

/// Rows of which a slice leaves the beginning cost what is inside and little more, whatever stands behind it: least
/// where the first two entries show that nothing more is needed.
#[test]
fn a_row_ends_with_its_slice() {
    let rows = 256;
    for (inside, most) in [(&[3][..], 2), (&[3, 7], 6)] {
        let row = |r: u64| inside.iter().copied().chain((10..26).map(|c| 10 * c)).flat_map(move |c| [r, c]);
        let stored: Vec<u64> = (0..rows).flat_map(row).collect();
        let values = vec![1; stored.len() / 2];
        let x = Coo::new(vec![rows, rows], stored, values).expect("a matrix");
        for levels in [r#"["dense", "compressed"]"#, r#"["compressed", "compressed"]"#] {
            let text = format!(
                "expr = \"y(i,j) = x(i, j[0:10])\"\n[tensors.x]\nlevels = {levels}\nshape = [256, 256]\ntype = \"i32\"\n\
                 [tensors.y]\nlevels = {levels}\ntype = \"i32\"\n"
            );
            let took = cycles(&text, x.clone());
            println!("{levels}: {took} cycles");
            assert!(took <= rows * most + 100, "{levels}: {took} cycles");
        }
    }
}
