//! Random kernels, data, formats and orders: the native engine against the reference.

use samhw_compiler::graph::{self, UseId};
use samhw_compiler::netlist::realize;
use samhw_compiler::passes::fifo;
use samhw_sim::native::Native;
use samhw_sim::problem::{array_words, config, measured, pack_operands, unpack_result};
use samhw_sim::random::{Case, Limits, generate, shrink};
use samhw_sim::reference::execute;
use samhw_sim::tensor::{Coo, pack, unpack};

/// Runs a case; an error says what went wrong.
fn run(case: &Case) -> Result<(), String> {
    let lowered = match samhw_compiler::lower::lower(&case.kernel, &case.order) {
        Ok(l) => l,
        // Refused orders and formats are not this test's matter.
        Err(d) if d.code == "S002" || d.code == "S003" => return Ok(()),
        Err(d) => return Err(format!("{d:?}")),
    };
    let text = |e: String| format!("{e}\n{}", lowered.graph.to_text(&lowered.kernel));
    graph::check(&lowered.graph).map_err(text)?;
    let reference = execute(&lowered.kernel, &case.dims, &case.data, None).map_err(|d| format!("reference: {d:?}"))?;
    let stored = reference.iter().map(|(t, o)| (*t, o.stored.clone())).collect();
    let Ok(packed) = pack_operands(&lowered, &case.dims, &case.data) else { return Ok(()) };
    let sizes = measured(&lowered, &packed, &stored).map_err(|d| format!("sizes: {d:?}"))?;
    let mut net = realize(&lowered, &sizes);
    fifo::insert(&mut net, &lowered.kernel, fifo::Depths::Auto);
    net.check().map_err(text)?;
    let values = config(&lowered, &net, &case.dims);
    let mut native = Native::new(&net, &values);
    for array in net.arrays.iter().filter(|a| a.host_writes) {
        if let (Some(words), Some(memory)) = (array_words(array, &packed), native.memory(array.cell)) {
            memory[..words.len()].copy_from_slice(words);
        }
    }
    native.run::<false>(1_000_000).map_err(|e| text(e.to_string()))?;
    for (u, used) in lowered.graph.uses.iter().enumerate() {
        let Some(expected) = reference.get(&used.tensor) else { continue };
        if !net.arrays.iter().any(|a| a.of == UseId(u) && a.host_reads) {
            continue;
        }
        let got = unpack_result(&lowered.graph, UseId(u), &lowered.kernel, &case.dims, &net, |a| {
            native.memory(a.cell).map(|m| m.clone()).unwrap_or_default()
        })
        .map_err(|d| text(format!("result of wrong form: {d:?}")))?;
        let want: Coo = unpack(
            &pack(&expected.stored, &used.levels, &used.mode_order, expected.fill).map_err(|d| format!("{d:?}"))?,
            &used.mode_order,
        )
        .map_err(|d| format!("{d:?}"))?;
        if got != want {
            return Err(text(format!("{}: got {got:?}\nwant {want:?}", used.name)));
        }
    }
    Ok(())
}

#[test]
fn native_engine_equals_reference() {
    let count: u64 = std::env::var("SAMHW_CASES").ok().and_then(|v| v.parse().ok()).unwrap_or(300);
    let base: u64 = std::env::var("SAMHW_SEED").ok().and_then(|v| v.parse().ok()).unwrap_or(1);
    println!("SAMHW_SEED={base} SAMHW_CASES={count}");
    let limits = Limits { fills: false, ..Limits::default() };
    let mut failed = 0;
    for seed in base..base + count {
        let case = generate(seed, &limits);
        let result = std::panic::catch_unwind(|| run(&case)).unwrap_or_else(|_| Err("panic".into()));
        if let Err(why) = result {
            failed += 1;
            if failed <= 3 {
                let small = shrink(case, |c| std::panic::catch_unwind(|| run(c)).is_ok_and(|r| r.is_err()));
                let why = run(&small).err().unwrap_or(why);
                println!("seed {seed}:\n{small}\n{why}\n");
            }
        }
    }
    assert_eq!(failed, 0, "{failed} of {count} cases failed");
}
