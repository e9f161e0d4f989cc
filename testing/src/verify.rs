//! Comparison of a problem's results in all engines with the reference.

use crate::dense::{Point, dense};
use samhw_compiler::compiled::{Compiled, Options};
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::frontend::Memory;
use samhw_compiler::graph;
use samhw_compiler::netlist::{Array, Channel, End, Netlist};
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::passes::split::Split;
use samhw_compiler::pipeline::compile;
use samhw_compiler::stmt::{Kernel, TensorId, VarId};
use samhw_sim::expected::Expected;
use samhw_sim::native::{Counts, Native, Pressure};
use samhw_sim::parts;
use samhw_sim::problem::pack_operands;
use samhw_sim::reference::Near;
use samhw_sim::rounds::{Referenced, referenced};
use samhw_sim::run::Problem;
use samhw_sim::tensor::Coo;
use samhw_sim::tiles::split_data;
use samhw_sim::verilator::{self, Built, Verilator};
use samhw_streams::{Class, Dir, Role, Tells};
use samhw_values::Rng;
use std::collections::BTreeMap;

/// Cycles after which a run counts as hanging.
const LIMIT: u64 = 200_000_000;

/// Compiles a kernel in the given loop order with memories on the chip, without the optional passes in `without`.
///
/// # Errors
///
/// What a pass refuses.
pub fn compiled(kernel: &Kernel, order: &[VarId], without: &[&str]) -> Result<Compiled, Diagnostic> {
    // The kernel file's names may tell where the halves of a split index stand.
    let given = |split: &Split| {
        let named = |names: &Vec<String>| {
            let of = |n: &String| split.kernel.vars.iter().position(|v| v.name == *n).map(VarId);
            names.iter().map(of).collect::<Option<Vec<VarId>>>()
        };
        match split.kernel.order.as_ref().filter(|_| !split.indices.is_empty()).and_then(named) {
            Some(order) => legal_order(&split.kernel, order),
            None => split.order(order),
        }
    };
    compile(kernel, &Options { order: Some(&given), without, ..Options::default() })
}

/// Random schedules ask for more than joins can do: what cannot be is left out, not refused.
const UNHEARD: [&str; 1] = ["asked"];

/// Prepares a kernel in the given loop order on the given data, with memories on the chip.
///
/// # Errors
///
/// What lowering, packing or the reference executor refuse.
pub fn problem(
    kernel: &Kernel,
    order: &[VarId],
    dims: &[u64],
    data: &BTreeMap<TensorId, Coo>,
) -> Result<Problem, Diagnostic> {
    problem_of(kernel, compiled(kernel, order, &UNHEARD)?, dims, data)
}

/// Prepares a compiled kernel on the given data.
///
/// # Errors
///
/// What packing or the reference executor refuse.
pub fn problem_of(
    kernel: &Kernel,
    compiled: Compiled,
    dims: &[u64],
    data: &BTreeMap<TensorId, Coo>,
) -> Result<Problem, Diagnostic> {
    let Compiled { choice, lowered, split } = compiled;
    let (tiles, dims, data) = split_data(kernel, split, dims.to_vec(), data.clone())?;
    let dims = parts::dimensions(&lowered, dims);
    let packed = pack_operands(&lowered, &dims, &data)?;
    let Referenced { results: reference, rounds, most } = referenced(&lowered, &packed, &dims, &data)?;
    let (expected, memory) = (Expected::default(), Memory::Ram);
    Ok(Problem { choice, lowered, expected, dims, data, reference, packed, tiles, rounds, most, memory })
}

/// Returns the checked netlist of a problem.
///
/// # Errors
///
/// Diagnosed limits of the hardware as `Ok(Err(..))`; faults of the compiler as `Err`, with the graph.
pub fn netlist(problem: &Problem, depths: Depths) -> Result<Result<Netlist, Diagnostic>, String> {
    let text = |e: String| format!("{e}\n{}", graph_text(problem));
    graph::check(&problem.lowered.graph).map_err(text)?;
    match problem.netlist(depths) {
        Ok(net) => net.check().map_err(text).map(|()| Ok(net)),
        Err(d) => Ok(Err(d)),
    }
}

/// Runs a problem twice without a reset in between; both runs must be correct and take the same cycles.
///
/// # Errors
///
/// What differs, with the graph.
pub fn run_twice(problem: &Problem, net: &Netlist) -> Result<Counts, String> {
    let mut native = loaded(problem, net);
    let mut first = once(problem, net, &mut native)?;
    let mut second = once(problem, net, &mut native).map_err(|e| format!("second run: {e}"))?;
    // Hints number fibers across runs.
    let role = |end: Option<End>, dir| end.and_then(|end| net.port(end, dir)).map(|port| port.role);
    let hints = |c: &Channel| [role(c.from, Dir::Out), role(c.to, Dir::In)].contains(&Some(Role::Hint));
    // What skips may read a word behind a fiber; of an array that a round writes it is what was there before.
    let skips = net.cells.iter().any(|c| c.primitive.class() == Class::SkippingScanner);
    let ahead = |c: &Channel| skips && problem.rounds.is_some() && !net.is_stream(c);
    for (k, _) in net.channels.iter().enumerate().filter(|(_, c)| hints(c) || ahead(c)) {
        (first.channels[k].hash, second.channels[k].hash) = (0, 0);
    }
    if first == second {
        return Ok(first);
    }
    let channel = first.channels.iter().zip(&second.channels).position(|(a, b)| a != b);
    let name = channel.map_or("none", |k| net.channels[k].name.as_str());
    Err(format!(
        "runs differ: {} and {} cycles, first in channel {name}\n{}",
        first.cycles,
        second.cycles,
        graph_text(problem)
    ))
}

/// Runs a problem under random back-pressure.
///
/// # Errors
///
/// What differs, with the graph.
pub fn run_pressed(problem: &Problem, net: &Netlist, pressure: Pressure) -> Result<Counts, String> {
    let mut native = loaded(problem, net);
    let said = format!("{} % back-pressure", pressure.percent);
    native.press(Some(pressure));
    once(problem, net, &mut native).map_err(|e| format!("{said}: {e}"))
}

/// Runs each problem of one netlist twice on one instance of its Verilog without a reset in between; the native engine
/// must agree in every cycle, and both must be correct. Returns the cycles.
///
/// # Errors
///
/// What differs, with the graph.
pub fn run_on_verilog(problems: &[Problem], net: &Netlist, built: &Built) -> Result<u64, String> {
    let mut instance: Option<Verilator> = None;
    // Hints carry numbers of fibers, counted on from run to run: there both engines begin again for each data set.
    let hints = net.cells.iter().any(|c| c.primitive.ports().iter().any(|p| p.role == Role::Hint));
    let mut cycles = 0;
    for (number, problem) in problems.iter().enumerate() {
        let at = |e: String| format!("data set {number}, dims {:?}: {e}\n{}", problem.dims, graph_text(problem));
        let verilog_failed = |e: verilator::Error| at(format!("Verilog: {e}"));
        let config = problem.config(net);
        let mut native = loaded(problem, net);
        if hints {
            instance = None;
        }
        let verilog = instance.get_or_insert_with(|| Verilator::new(built, &config));
        verilog.configure(&config);
        for (k, array) in net.arrays.iter().enumerate() {
            if let Some(words) = problem.words(array) {
                verilog.store(k, &words).map_err(verilog_failed)?;
            }
        }
        // The second run begins in the cycle in which the first ends.
        for turn in 1..=2 {
            let a = once(problem, net, &mut native)?;
            let b = verilog.run(LIMIT).map_err(verilog_failed)?;
            let other = (a.cycles != b.cycles).then(|| format!("cycles: native {}, cells {}", a.cycles, b.cycles));
            if let Some(e) = if built.counts() { difference(net, &a, &b) } else { other } {
                return Err(at(format!("run {turn}:\n{e}")));
            }
            cycles += a.cycles;
        }
        for (k, s) in net.statuses.iter().enumerate() {
            let (a, b) = (native.status(s.from.0, s.from.1), verilog.status(k));
            if a != b {
                return Err(at(format!("status {}: native {a}, Verilog {b}", s.name)));
            }
        }
        let mut words = BTreeMap::new();
        for (k, array) in net.arrays.iter().enumerate().filter(|(_, a)| a.host_reads) {
            words.insert(array.name.as_str(), verilog.fetch(k).map_err(verilog_failed)?);
        }
        right(problem, net, |a| words.get(a.name.as_str()).cloned().unwrap_or_default())
            .map_err(|e| at(format!("Verilog: {e}")))?;
    }
    Ok(cycles)
}

/// Describes where the counts of two engines differ.
pub fn difference(net: &Netlist, native: &Counts, verilog: &Counts) -> Option<String> {
    let mut out = vec![];
    if native.cycles != verilog.cycles {
        out.push(format!("cycles: native {}, Verilog {}", native.cycles, verilog.cycles));
    }
    for (c, (a, b)) in net.channels.iter().zip(native.channels.iter().zip(&verilog.channels)) {
        if a != b {
            out.push(format!("channel {}: native {a:?}, Verilog {b:?}", c.name));
        }
    }
    for (c, (a, b)) in net.cells.iter().zip(native.cells.iter().zip(&verilog.cells)) {
        if a != b {
            out.push(format!("cell {}: native {a:?}, Verilog {b:?}", c.name));
        }
    }
    (!out.is_empty()).then(|| out.join("\n"))
}

/// Describes where the reference executor differs from brute force (for kernels of one statement).
pub fn against_dense(problem: &Problem) -> Option<String> {
    let kernel = &problem.lowered.kernel;
    let [statement] = &kernel.statements[..] else { return None };
    let got = problem.reference.get(&statement.result)?;
    dense(kernel, statement, &problem.dims, &problem.data).into_iter().find_map(|p| {
        let Point { coord, value, stored, .. } = p;
        let entry = got.stored.get(&coord);
        let near = match &got.bounds {
            Some(bounds) => bounds.values[bounds.places.get(&coord).unwrap_or(0) as usize],
            None => Near::exact(entry.unwrap_or(got.fill)),
        };
        let same = entry.is_some() == stored && near.allows(statement.ty, value) != Some(false);
        (!same).then(|| {
            format!("reference at {coord:?}: {entry:?} or fill {}, dense: {value}, stored: {stored}", got.fill)
        })
    })
}

/// Returns `order` with the result's variables in storage order, which is required unless values are scattered.
pub fn legal_order(kernel: &Kernel, mut order: Vec<VarId>) -> Vec<VarId> {
    let scattered = |t: TensorId| {
        let names = kernel.schedule.scatter.iter().flatten();
        names.into_iter().any(|name| *name.get_ref() == kernel.tensor(t).name)
    };
    for s in kernel.statements.iter().filter(|s| !scattered(s.result)) {
        let stored: Vec<VarId> = kernel.tensor(s.result).mode_order.iter().map(|&m| s.indices[m]).collect();
        let places: Vec<usize> = (0..order.len()).filter(|&n| stored.contains(&order[n])).collect();
        places.into_iter().zip(stored).for_each(|(n, v)| order[n] = v);
    }
    order
}

fn graph_text(problem: &Problem) -> String {
    problem.lowered.graph.to_text(&problem.lowered.kernel)
}

fn loaded<'n>(problem: &Problem, net: &'n Netlist) -> Native<'n> {
    let mut native = Native::new(net, &problem.config(net));
    for array in &net.arrays {
        if let (Some(words), Some(memory)) = (problem.words(array), native.memory(array.cell)) {
            memory[..words.len()].copy_from_slice(&words);
        }
    }
    native
}

/// One run, its results compared.
fn once(problem: &Problem, net: &Netlist, native: &mut Native) -> Result<Counts, String> {
    let text = |e: String| format!("{e}\n{}", graph_text(problem));
    let counts = native.run::<true>(LIMIT).map_err(|e| text(e.to_string()))?;
    if let Some(s) = net.statuses.iter().find(|s| s.tells == Tells::Overflow && native.status(s.from.0, s.from.1) != 0)
    {
        return Err(text(format!("status {} says that the result is not to be trusted", s.name)));
    }
    right(problem, net, |a| native.memory(a.cell).map(|m| m.clone()).unwrap_or_default()).map_err(text)?;
    Ok(counts)
}

/// The results that `words` reads from arrays are the reference's.
fn right(problem: &Problem, net: &Netlist, words: impl FnMut(&Array) -> Vec<u64>) -> Result<(), String> {
    let results = problem.results(net, words).map_err(|d| format!("result of wrong form: {d:?}"))?;
    for s in &problem.lowered.kernel.statements {
        let t = problem.original(s.result);
        let name = &problem.lowered.kernel.tensor(s.result).name;
        let Some(got) = results.get(&t) else {
            if problem.lowered.kernel.statements.len() == 1 {
                return Err(format!("{name} is not written"));
            }
            continue;
        };
        let verdict = problem.compare(t, got).map_err(|d| format!("reference of wrong form: {d:?}"))?;
        if let Some(difference) = verdict.difference {
            let want = problem.expected(t).map_err(|d| format!("reference of wrong form: {d:?}"))?;
            return Err(format!("{name}: {difference}\ngot {got:?}\nwant {want:?}"));
        }
    }
    Ok(())
}

/// Shuffles `order` as far as results allow.
pub fn shuffled(kernel: &Kernel, mut order: Vec<VarId>, rng: &mut Rng) -> Vec<VarId> {
    rng.shuffle(&mut order);
    legal_order(kernel, order)
}
