//! Native engine, Verilator engine and reference agree: cycles, every channel's beats with the
//! cycle in which they move, every primitive's counters, status outputs, and results with their
//! structure.
//!
//! A sample of the kernels is run, drawn by `SAMHW_SEED`; all of them with `SAMHW_FULL`.

mod kernels;

use kernels::{KERNELS, NNZ, Spec, most, text};
use samhw_compiler::diag::{Diagnostic, Source};
use samhw_compiler::emit::emit;
use samhw_compiler::facts::Density;
use samhw_compiler::frontend::parse;
use samhw_compiler::graph::UseId;
use samhw_compiler::lower::Lowered;
use samhw_compiler::netlist::Netlist;
use samhw_compiler::pipeline::{compile_file, declared_netlist};
use samhw_compiler::stmt::TensorId;
use samhw_rtlsim::Error as ToolError;
use samhw_sim::load::operands;
use samhw_sim::native::Native;
use samhw_sim::problem::{Packed, array_words, config, pack_operands, unpack_result};
use samhw_sim::reference::{Output, execute};
use samhw_sim::tensor::{Coo, pack, unpack};
use samhw_sim::verilator::{Built, Error, Options, Verilator};
use samhw_testing::verify::difference;
use samhw_values::Rng;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Data sets per kernel.
const DATA_SETS: usize = 12;
/// Kernels in a sample.
const SAMPLE: usize = 6;
const LIMIT: u64 = 1 << 24;

/// A netlist that takes any data up to its maxima.
struct Kernel {
    lowered: Lowered,
    net: Netlist,
}

impl Kernel {
    fn new(spec: &Spec) -> Result<Self, Vec<Diagnostic>> {
        let file = parse(Arc::new(Source { path: PathBuf::from("agree.toml"), text: text(spec) }))?;
        let lowered = compile_file(&file, &Density::default())?.lowered;
        let net = declared_netlist(&lowered).map_err(|d| vec![d])?;
        Ok(Self { lowered, net })
    }
}

/// Random data for one run, and what must come out.
struct Data {
    dims: Vec<u64>,
    packed: Packed,
    reference: BTreeMap<TensorId, Output>,
}

impl Data {
    /// `None` where the data are refused, or hold more than the memories.
    fn new(spec: &Spec, kernel: &Kernel, rng: &mut Rng, number: usize) -> Option<Self> {
        let k = &kernel.lowered.kernel;
        // First everything empty, then 1 x 1, then anything.
        let max = most(spec);
        let mut by_name: BTreeMap<&str, u64> = BTreeMap::new();
        for v in &k.vars {
            let size = match number {
                0 => rng.below(max + 1),
                1 => 1,
                _ if rng.chance(20) => rng.pick(&[0, 1, 2]),
                _ if rng.chance(25) => max,
                _ => rng.below(max + 1),
            };
            by_name.entry(&v.name).or_insert(size);
        }
        let dims: Vec<u64> = k.vars.iter().map(|v| by_name[v.name.as_str()]).collect();
        let percent = if number == 0 { 0 } else { rng.pick(&[2, 10, 40, 90, 100]) };
        let mut data = BTreeMap::new();
        for t in operands(k) {
            let access = k.statements.iter().flat_map(|s| k.accesses(s.value)).find(|(u, _)| *u == t);
            let shape: Vec<u64> = access.map_or_else(Vec::new, |(_, i)| i.iter().map(|v| dims[v.0]).collect());
            data.insert(t, entries(shape, percent, k.tensor(t).ty.mask(), rng));
        }
        let packed = pack_operands(&kernel.lowered, &dims, &data).ok()?;
        let reference = execute(k, &dims, &data, None).expect("the reference takes what packs");
        let fits = |c: &Coo| c.len() as u64 <= NNZ;
        (data.values().all(fits) && reference.values().all(|o| fits(&o.stored))).then_some(Self {
            dims,
            packed,
            reference,
        })
    }
}

/// Entries at `percent` of 100 coordinates; some rows stay empty.
fn entries(shape: Vec<u64>, percent: u64, mask: u64, rng: &mut Rng) -> Coo {
    let (mut coords, mut values) = (vec![], vec![]);
    let total: u64 = shape.iter().product();
    let row: u64 = shape.iter().skip(1).product::<u64>().max(1);
    let mut skipped = false;
    for n in 0..total {
        if n % row == 0 {
            skipped = !shape.is_empty() && shape.len() > 1 && rng.chance(15);
        }
        if !skipped && (rng.chance(percent) || shape.is_empty()) {
            let mut rest = n;
            let mut coord: Vec<u64> = shape.iter().rev().map(|&d| (rest % d, rest /= d).0).collect();
            coord.reverse();
            coords.extend(coord);
            // Small and large values, and stored zeros.
            let wide = rng.chance(50);
            values.push(if wide { rng.bits() & mask } else { rng.below(4) });
        }
    }
    Coo::new(shape, coords, values).expect("coordinates are different and inside")
}

/// What a run leaves, except the counts.
type Results = (Vec<u64>, BTreeMap<TensorId, Coo>);

fn results(
    kernel: &Kernel,
    data: &Data,
    status: Vec<u64>,
    words: &BTreeMap<usize, Vec<u64>>,
) -> Result<Results, String> {
    let (lowered, net) = (&kernel.lowered, &kernel.net);
    let mut out = BTreeMap::new();
    for (u, used) in lowered.graph.uses.iter().enumerate() {
        if net.arrays.iter().any(|a| a.of == UseId(u) && a.host_reads) {
            let of = |a: &samhw_compiler::netlist::Array| {
                net.arrays.iter().position(|b| b == a).map(|k| words[&k].clone()).unwrap_or_default()
            };
            let coo = unpack_result(&lowered.graph, UseId(u), &lowered.kernel, &data.dims, net, of);
            out.insert(used.tensor, coo.map_err(|d| format!("result of wrong form: {d:?}"))?);
        }
    }
    Ok((status, out))
}

/// Results as the reference has them, with all that the format stores.
fn expected(kernel: &Kernel, data: &Data, t: TensorId) -> Coo {
    let (tensor, o) = (kernel.lowered.kernel.tensor(t), &data.reference[&t]);
    let packed = pack(&o.stored, &tensor.levels, &tensor.mode_order, o.fill).expect("results can be packed");
    unpack(&packed, &tensor.mode_order).expect("and unpacked")
}

/// Runs all data sets of a kernel, one after the other, on one instance of the Verilog, in which
/// `change` (file, what, by what) is replaced. Panics at the first difference.
fn run(spec: &Spec, seed: u64, change: Option<(&str, &str, &str)>) -> Result<(), Error> {
    let kernel = Kernel::new(spec).unwrap_or_else(|d| panic!("{spec:?}: {d:?}\n{}", text(spec)));
    let net = &kernel.net;
    net.check().expect("a netlist is complete");
    let mut emitted = emit(&kernel.lowered, net);
    if let Some((file, what, by)) = change {
        let (_, text) = emitted.files.iter_mut().find(|(name, _)| name == file).expect("the kernel has that file");
        assert!(text.contains(what), "{file} has no {what}");
        *text = text.replace(what, by);
    }
    let options = Options { assertions: true, quick: true, ..Options::default() };
    let built = Built::new(net, &emitted, options, &cache())?;
    let mut rng = Rng::new(seed);
    let mut instance: Option<Verilator> = None;
    let (mut done, mut cycles, mut stalled, mut stored) = (0, 0, 0, 0);
    for number in 0..DATA_SETS {
        let Some(data) = Data::new(spec, &kernel, &mut rng, number) else { continue };
        let at = || format!("{spec:?}\nseed {seed}, data set {number}, dims {:?}", data.dims);
        let values = config(&kernel.lowered, net, &data.packed);
        // Models get their run-time inputs when they are made; the Verilog runs on without a reset.
        let mut native = Native::new(net, &values);
        let mut verilog = instance.take().unwrap_or_else(|| Verilator::new(&built, &values));
        verilog.configure(&values);
        for (k, array) in net.arrays.iter().enumerate().filter(|(_, a)| a.host_writes) {
            let Some(words) = array_words(array, &data.packed) else { continue };
            if let Some(memory) = native.memory(array.cell) {
                memory[..words.len()].copy_from_slice(&words);
            }
            verilog.store(k, &words)?;
        }
        // The second run begins in the cycle in which the first ends.
        for turn in 0..2 {
            let a = native.run::<true>(LIMIT).unwrap_or_else(|e| panic!("{}: native: {e}", at()));
            let b = verilog.run(LIMIT).unwrap_or_else(|e| panic!("{}: Verilog: {e}", at()));
            if let Some(text) = difference(net, &a, &b) {
                panic!("{}, turn {turn}:\n{text}", at());
            }
            cycles += a.cycles;
            stalled += a.channels.iter().map(|c| c.stalled).sum::<u64>();
        }
        let read = || net.arrays.iter().enumerate().filter(|(_, a)| a.host_reads);
        let native_words = read().map(|(k, a)| (k, native.memory(a.cell).map(|m| m.clone()).unwrap_or_default()));
        let native_words = native_words.collect();
        let status = net.statuses.iter().map(|s| native.status(s.from.0, s.from.1)).collect();
        let a = results(&kernel, &data, status, &native_words).unwrap_or_else(|e| panic!("{}: native: {e}", at()));
        let status = (0..net.statuses.len()).map(|k| verilog.status(k)).collect();
        let words = read().map(|(k, _)| Ok((k, verilog.fetch(k)?))).collect::<Result<_, Error>>()?;
        let b = results(&kernel, &data, status, &words).unwrap_or_else(|e| panic!("{}: Verilog: {e}", at()));
        assert_eq!(a, b, "{}: native, Verilog", at());
        for (t, got) in &a.1 {
            stored += got.len();
            assert_eq!(got, &expected(&kernel, &data, *t), "{}: hardware, reference", at());
        }
        instance = Some(verilog);
        done += 1;
    }
    println!(
        "{done} data sets, {cycles} cycles, {stalled} waits, {stored} results, {} cells: {spec:?}",
        net.cells.len()
    );
    assert!(done >= DATA_SETS / 3, "{spec:?}: only {done} data sets could be used");
    Ok(())
}

/// Folder of compiled designs: `SAMHW_CACHE`, else `.cache` of the workspace.
fn cache() -> PathBuf {
    let own = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.cache"));
    std::env::var_os("SAMHW_CACHE").map_or_else(own, PathBuf::from)
}

#[test]
fn native_engine_verilator_and_reference_agree() {
    let seed: u64 = std::env::var("SAMHW_SEED").ok().and_then(|v| v.parse().ok()).unwrap_or(1);
    let full = std::env::var_os("SAMHW_FULL").is_some();
    println!("SAMHW_SEED={seed}{}", if full { " SAMHW_FULL=1" } else { "" });
    let mut chosen: Vec<usize> = (0..KERNELS.len()).collect();
    if !full {
        Rng::new(seed).shuffle(&mut chosen);
        chosen.truncate(SAMPLE);
    }
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(&k) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
            match run(&KERNELS[k], seed, None) {
                Ok(()) => {}
                Err(Error::Tools(e @ ToolError::ToolMissing { .. }))
                    if std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none() =>
                {
                    eprintln!("skipped: {e}");
                    return;
                }
                Err(e) => panic!("{:?}: {e}", KERNELS[k]),
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|s| (0..threads).for_each(|_| drop(s.spawn(work))));
}

/// Both changes leave a design that runs to its end: only the comparison can notice them.
#[test]
fn changed_verilog_is_noticed() {
    let product = KERNELS.iter().find(|k| k.formats == "x:s:0 b:s:0 c:s:0").expect("in the list");
    let value = ("samhw_mul.v", "assign p = a * b;", "assign p = a * b ^ 1;");
    let slow = ("agree_core.v", ".QUEUE_LOG2(3)", ".QUEUE_LOG2(1)");
    for (change, word) in [(value, "channel"), (slow, "cycles: native")] {
        let caught = std::panic::catch_unwind(|| run(product, 1, Some(change)));
        let message = match caught {
            Ok(Err(Error::Tools(ToolError::ToolMissing { .. })))
                if std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none() =>
            {
                eprintln!("skipped: a tool is missing");
                return;
            }
            Ok(other) => panic!("{change:?} was not noticed: {other:?}"),
            Err(panic) => *panic.downcast::<String>().expect("a message"),
        };
        assert!(message.contains("turn 0") && message.contains(word), "{change:?}: {message}");
        println!("{change:?} is noticed:\n{message}");
    }
}
