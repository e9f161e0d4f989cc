//! A run from kernel file and data to a checked result: what `samhw run` does, without printing.

use crate::compare::{Verdict, compare};
use crate::load::{dimensions, sizes_of};
use crate::native::{Counts, Native};
use crate::parts::{completed, dimensions as dimensions_with_slices, joined};
use crate::problem::{Packed, array_words, config, measured, pack_operands, unpack_result, written};
use crate::reference::{self, Output};
use crate::tensor::{Coo, Loaded, codes, pack, unpack};
use crate::tiles::{self, Tiles, split_data};
use crate::verilator;
use samhw_compiler::diag::{Diagnostic, Diagnostics, Place};
use samhw_compiler::emit::emit;
use samhw_compiler::frontend::{KernelFile, Memory};
use samhw_compiler::graph::UseId;
use samhw_compiler::lower::{Lowered, lower};
use samhw_compiler::netlist::{Array, DEFAULT_NNZ, Netlist, Sizes, Status, bits, declared, realize, skipping, wide};
use samhw_compiler::passes::fifo::{self, Depths};
use samhw_compiler::passes::order::{Choice, Density, choose};
use samhw_compiler::passes::split::{Split, split};
use samhw_compiler::passes::tiles as tiled;
use samhw_compiler::stmt::{Kernel, LevelKind, Tensor, TensorId};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// A kernel with its operands' data and the sizes of this run.
#[derive(Debug, Clone)]
pub struct Problem {
    /// Loop order and why.
    pub choice: Choice,
    /// What the hardware is made from.
    pub lowered: Lowered,
    /// Size of each variable's dimension.
    pub dims: Vec<u64>,
    /// Operands.
    pub data: BTreeMap<TensorId, Coo>,
    /// What every statement must give, temporaries included.
    pub reference: BTreeMap<TensorId, Output>,
    /// Where an index is split: how, and the kernel file's own statements.
    pub tiles: Option<Tiles>,
    /// Operands as their memories hold them.
    pub packed: Packed,
    /// Where the kernel file wants tensors to live.
    pub memory: Memory,
}

/// What a simulation gave.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Cycles and counters.
    pub counts: Counts,
    /// Results, with all that their formats store.
    pub results: BTreeMap<TensorId, Coo>,
    /// What a user should know of how it was simulated.
    pub notes: Vec<String>,
}

/// A kernel file with its order and graph, before any data.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Loop order and why.
    pub choice: Choice,
    /// What the hardware is made from.
    pub lowered: Lowered,
    /// What became of split indices.
    pub split: Split,
}

impl Plan {
    /// Chooses the order and lowers.
    pub fn new(file: &KernelFile, density: &Density) -> Result<Self, Diagnostics> {
        let split = split(&file.kernel).map_err(|d| at_statement(file, d))?;
        let mut density = density.clone();
        for (&t, part) in &split.parts {
            density.stored.extend(density.stored.get(&part.of).map(|&n| (t, n)));
        }
        let choice = plan(file, &split.kernel, &density).map_err(|d| vec![d])?;
        let mut lowered = lower(&split.kernel, &choice.order).map_err(|d| at_statement(file, d))?;
        if matches!(&file.hardware.memory, Memory::Axi(options) if options.tile > 0) {
            tiled::apply(&mut lowered, &split.pairs.iter().map(|p| p.0).collect::<Vec<_>>());
        }
        let on_chip = !matches!(file.hardware.memory, Memory::Axi(_));
        wide::choose(&mut lowered, on_chip);
        skipping::check(&lowered)
            .and_then(|()| bits::check(&lowered))
            .and_then(|()| wide::check(&lowered, on_chip))
            .map_err(|d| at_statement(file, d))?;
        Ok(Self { choice, lowered, split })
    }

    /// The netlist with the sizes that the kernel file declares.
    pub fn declared_netlist(&self) -> Result<Netlist, Diagnostic> {
        netlist(&self.lowered, &declared(&self.lowered.kernel, &self.lowered.graph), Depths::Auto)
    }

    /// Tensors whose memories got a default number of entries, with that number: nothing was
    /// declared and the dimensions allow more.
    pub fn defaulted(&self) -> Vec<(String, u64)> {
        let kernel = &self.lowered.kernel;
        let mut out: Vec<(String, u64)> = Vec::new();
        for used in &self.lowered.graph.uses {
            let tensor = kernel.tensor(used.tensor);
            let all = tensor.shape.iter().copied().fold(1, u64::saturating_mul);
            let sparse = used.levels.iter().any(|l| *l != LevelKind::Dense);
            if sparse && tensor.nnz.is_none() && all > DEFAULT_NNZ && !out.iter().any(|(n, _)| *n == tensor.name) {
                out.push((tensor.name.clone(), DEFAULT_NNZ));
            }
        }
        out
    }
}

/// Puts a diagnostic without a place at the first statement; completes places in the file.
pub fn at_statement(file: &KernelFile, d: Diagnostic) -> Diagnostics {
    match (&d.place, file.kernel.statements.first()) {
        (None, Some(s)) => vec![d.at(Place::Span(file.source.clone(), s.span.clone()))],
        _ => vec![d.within(&file.source)],
    }
}

/// The netlist of a lowered kernel, if it can be had on a chip at all.
fn netlist(lowered: &Lowered, sizes: &Sizes, depths: Depths) -> Result<Netlist, Diagnostic> {
    let large = |n: &u64| *n > MAX_WORDS;
    let over = sizes.positions.iter().enumerate().find_map(|(u, p)| p.iter().copied().find(large).map(|n| (u, n)));
    if let Some((u, n)) = over {
        return Err(Diagnostic::new(
            "H001",
            format!("{} would need {n} positions on the chip", lowered.graph.uses[u].name),
        )
        .help("declare nnz, or choose compressed levels or smaller dimensions"));
    }
    if let Some(d) = workspace_too_large(lowered) {
        return Err(d);
    }
    let mut net = realize(lowered, sizes);
    fifo::insert(&mut net, &lowered.kernel, depths);
    // Deeper FIFOs than computed are for measurements, not for chips.
    if depths == Depths::Auto {
        fifo::within_budget(&net)?;
    }
    Ok(net)
}

impl Problem {
    /// Chooses the order, lowers, packs, and computes what is right.
    pub fn new(file: &KernelFile, loaded: BTreeMap<TensorId, Loaded>) -> Result<Self, Diagnostics> {
        Self::planned(file, loaded, Plan::new)
    }

    /// The same for hardware that was made before the data were known: the data have no say in
    /// the loop order.
    pub fn made(file: &KernelFile, loaded: BTreeMap<TensorId, Loaded>) -> Result<Self, Diagnostics> {
        Self::planned(file, loaded, |file, _| Plan::new(file, &Density::default()))
    }

    fn planned(
        file: &KernelFile,
        loaded: BTreeMap<TensorId, Loaded>,
        plan: impl FnOnce(&KernelFile, &Density) -> Result<Plan, Diagnostics>,
    ) -> Result<Self, Diagnostics> {
        let kernel = &file.kernel;
        let at_statement = |d: Diagnostic| at_statement(file, d);
        let dims = dimensions(kernel, &loaded).map_err(at_statement)?;
        let mut data = BTreeMap::new();
        for (t, l) in loaded {
            let shape = sizes_of(kernel, t, &dims);
            let tensor = kernel.tensor(t);
            let Some(coo) = l.coo.resized(shape.clone()) else {
                return Err(at_statement(
                    Diagnostic::new(
                        codes::SHAPE,
                        format!("an entry of {} lies outside its size {shape:?} in this run", tensor.name),
                    )
                    .help("other operands' files give smaller sizes to the dimensions they share"),
                ));
            };
            if let Some(n) = tensor.nnz.filter(|&n| coo.len() as u64 > n) {
                return Err(vec![
                    Diagnostic::new(
                        codes::TOO_LARGE,
                        format!("{} has {} entries, its memory holds {n}", tensor.name, coo.len()),
                    )
                    .at(Place::Span(file.source.clone(), tensor.span.clone()))
                    .help("declare a larger nnz, or leave nnz out"),
                ]);
            }
            data.insert(t, coo);
        }
        let density = Density { stored: data.iter().map(|(t, c)| (*t, c.len() as u64)).collect() };
        let Plan { choice, lowered, split } = plan(file, &density)?;
        let (tiles, dims, data) = split_data(kernel, split, dims, data).map_err(at_statement)?;
        let dims = dimensions_with_slices(&lowered, dims);
        let packed = pack_operands(&lowered, &dims, &data).map_err(at_statement)?;
        let reference = reference::execute(&lowered.kernel, &dims, &data, None).map_err(at_statement)?;
        Ok(Self { choice, lowered, dims, data, reference, packed, tiles, memory: file.hardware.memory.clone() })
    }

    /// Positions per array: declared capacities where the kernel file gives them, else what this
    /// run needs.
    pub fn sizes(&self) -> Result<Sizes, Diagnostic> {
        let stored = self.reference.iter().map(|(t, o)| (*t, o.stored.clone())).collect();
        let mut sizes = measured(&self.lowered, &self.packed, &stored)?;
        let most = declared(&self.lowered.kernel, &self.lowered.graph);
        for (u, used) in self.lowered.graph.uses.iter().enumerate() {
            if self.lowered.kernel.tensor(used.tensor).nnz.is_some() {
                sizes.positions[u].clone_from(&most.positions[u]);
            }
        }
        Ok(sizes)
    }

    /// The netlist with the sizes that the kernel file declares, as `gen` emits it.
    pub fn declared_netlist(&self) -> Result<Netlist, Diagnostic> {
        netlist(&self.lowered, &declared(&self.lowered.kernel, &self.lowered.graph), Depths::Auto)
    }

    /// The netlist for this run.
    pub fn netlist(&self, depths: Depths) -> Result<Netlist, Diagnostic> {
        netlist(&self.lowered, &self.sizes()?, depths)
    }

    /// Run-time inputs for `net`.
    pub fn config(&self, net: &Netlist) -> Vec<u64> {
        config(&self.lowered, net, &self.dims)
    }

    /// Contents of an operand's array, `None` for what hardware writes.
    pub fn words(&self, array: &Array) -> Option<Cow<'_, [u64]>> {
        if array.host_writes { array_words(array, &self.packed) } else { None }
    }

    /// The results in user's terms, read from arrays by `words`.
    pub fn results(
        &self,
        net: &Netlist,
        mut words: impl FnMut(&Array) -> Vec<u64>,
    ) -> Result<BTreeMap<TensorId, Coo>, Diagnostic> {
        let mut out = BTreeMap::new();
        for (u, used) in self.lowered.graph.uses.iter().enumerate() {
            if net.arrays.iter().any(|a| a.of == UseId(u) && a.host_reads) {
                let coo =
                    unpack_result(&self.lowered.graph, UseId(u), &self.lowered.kernel, &self.dims, net, &mut words)?;
                let there = out.remove(&used.tensor);
                out.insert(used.tensor, joined(there, coo, &self.lowered.kernel.tensor(used.tensor).name)?);
            }
        }
        out.into_iter().map(|(t, coo)| self.whole(t, coo)).collect()
    }

    /// A result of the hardware as the kernel file has it: of split ones the number and the entries.
    fn whole(&self, t: TensorId, coo: Coo) -> Result<(TensorId, Coo), Diagnostic> {
        let lanes = self.lowered.graph.uses.iter().any(|u| u.tensor == t && u.slice.is_some());
        let coo = match (lanes || self.lowered.declared.contains_key(&t), self.reference.get(&t)) {
            (true, Some(output)) => {
                let tensor = self.tensor(t);
                completed(&coo, &tensor.levels, &tensor.mode_order, output.fill)?
            }
            _ => coo,
        };
        let Some((tiles, part)) = self.tiles.as_ref().and_then(|x| Some((x, x.split.parts.get(&t)?))) else {
            return Ok((t, coo));
        };
        let tensor = tiles.original.tensor(part.of);
        let (shape, fill) =
            tiles.reference.get(&part.of).map_or((&tensor.shape[..], 0), |o| (o.stored.shape(), o.fill));
        Ok((part.of, tiles::joined(part, tensor, shape.to_vec(), &coo, fill)?))
    }

    /// A tensor of the hardware, with the levels that the kernel file declares for it.
    fn tensor(&self, t: TensorId) -> Cow<'_, Tensor> {
        let tensor = self.lowered.kernel.tensor(t);
        match self.lowered.declared.get(&t) {
            Some(levels) => Cow::Owned(Tensor { levels: levels.clone(), ..tensor.clone() }),
            None => Cow::Borrowed(tensor),
        }
    }

    /// Number that the kernel file's tensor has whose tiles tensor `t` may be.
    pub fn original(&self, t: TensorId) -> TensorId {
        self.tiles.as_ref().and_then(|x| x.split.parts.get(&t)).map_or(t, |part| part.of)
    }

    /// What a result of the kernel file must be, by the reference executor.
    pub fn wanted(&self, t: TensorId) -> Option<&Output> {
        self.tiles.as_ref().map_or(&self.reference, |x| &x.reference).get(&t)
    }

    /// What the hardware's result must be: the reference, with all that the format stores.
    pub fn expected(&self, t: TensorId) -> Result<Coo, Diagnostic> {
        let tensor = self.tensor(t);
        match self.wanted(t) {
            Some(o) => unpack(&pack(&o.stored, &tensor.levels, &tensor.mode_order, o.fill)?, &tensor.mode_order),
            None => Ok(Coo::empty(tensor.shape.clone())),
        }
    }

    /// Compares a result with the reference.
    pub fn compare(&self, t: TensorId, found: &Coo) -> Result<Verdict, Diagnostic> {
        match self.wanted(t) {
            Some(output) => compare(output, &self.tensor(t), found),
            None => Ok(Verdict::default()),
        }
    }

    /// Runs the native engine.
    pub fn run_native(&self, net: &Netlist, limit: u64) -> Result<Outcome, Diagnostic> {
        self.run_native_watched(net, limit, Arc::default())
    }

    /// Runs the native engine; `cycles` tells another thread how far it is.
    pub fn run_native_watched(&self, net: &Netlist, limit: u64, cycles: Arc<AtomicU64>) -> Result<Outcome, Diagnostic> {
        let mut native = Native::new(net, &self.config(net));
        native.watch(cycles);
        let counts = self.simulate(net, &mut native, limit)?;
        let results = self.results(net, |a| native.memory(a.cell).map(|m| m.clone()).unwrap_or_default())?;
        Ok(Outcome { counts, results, notes: Vec::new() })
    }

    /// Fills the memories of an engine and runs it; its results fit.
    fn simulate(&self, net: &Netlist, native: &mut Native, limit: u64) -> Result<Counts, Diagnostic> {
        for array in &net.arrays {
            if let (Some(words), Some(memory)) = (self.words(array), native.memory(array.cell)) {
                memory[..words.len()].copy_from_slice(&words);
            }
        }
        let counts = native.run::<false>(limit).map_err(|e| {
            Diagnostic::new("R010", format!("the hardware did not finish: {e}")).help(
                "this is a fault of samhw, not of your kernel: please report it with the kernel file and its data",
            )
        })?;
        fits(net, |k| native.status(net.statuses[k].from.0, net.statuses[k].from.1))?;
        Ok(counts)
    }

    /// The words that a run writes of every array of a result, by the array's number.
    pub fn written(&self, net: &Netlist, limit: u64) -> Result<BTreeMap<usize, Vec<u64>>, Diagnostic> {
        let mut native = Native::new(net, &self.config(net));
        self.simulate(net, &mut native, limit)?;
        written(&self.lowered, &self.dims, net, |a| native.memory(a.cell).map(|m| m.clone()).unwrap_or_default())
    }
}

impl Problem {
    /// Runs the emitted Verilog under Verilator; `wave` is a file for the waveform.
    pub fn run_verilator(&self, net: &Netlist, limit: u64, wave: Option<&Path>) -> Result<Outcome, Diagnostic> {
        let design = emit(&self.lowered, net);
        let options = verilator::Options { trace: wave.is_some(), ..verilator::Options::default() };
        let built = verilator::Built::new(net, &design, options, &samhw_rtlsim::default_cache())?;
        let mut sim = verilator::Verilator::new(&built, &self.config(net));
        if let Some(path) = wave {
            sim.wave(path)?;
        }
        for (k, array) in net.arrays.iter().enumerate() {
            if let Some(words) = self.words(array) {
                sim.store(k, &words)?;
            }
        }
        let counts = sim.run(limit)?;
        fits(net, |k| sim.status(k))?;
        let mut words = BTreeMap::new();
        for (k, array) in net.arrays.iter().enumerate().filter(|(_, a)| a.host_reads) {
            words.insert(array.name.clone(), sim.fetch(k)?);
        }
        let results = self.results(net, |a| words.get(&a.name).cloned().unwrap_or_default())?;
        Ok(Outcome { counts, results, notes: Vec::new() })
    }
}

/// Nothing was written beyond its memory, as `status` of the netlist's k-th status output tells.
/// Asked before results are read: they are cut off if not.
pub fn fits(net: &Netlist, status: impl Fn(usize) -> u64) -> Result<(), Diagnostic> {
    let full: Vec<&str> = (0..net.statuses.len())
        .filter(|&k| net.statuses[k].error && status(k) != 0)
        .map(|k| net.statuses[k].name.as_str())
        .collect();
    if full.is_empty() {
        return Ok(());
    }
    Err(does_not_fit(net, &full.join(", "), status))
}

/// A result has no room for all of its words; how many of each array it has, as far as the writers count.
pub(crate) fn does_not_fit(net: &Netlist, what: &str, status: impl Fn(usize) -> u64) -> Diagnostic {
    let counts = net.statuses.iter().enumerate().filter(|(_, s)| s.name.ends_with("_count"));
    // A counter stays at the largest number that it has bits for.
    let more = |n: u64, width: u32| if n == u64::MAX >> (64 - width.clamp(1, 64)) { " or more" } else { "" };
    let said = |(k, s): (usize, &Status)| format!("{} = {}{}", s.name, status(k), more(status(k), s.width));
    let counts: Vec<String> = counts.map(said).collect();
    Diagnostic::new("H010", format!("a result does not fit its memory: {what}"))
        .help(format!("words of results: {}", counts.join(", ")))
        .help("declare a larger nnz for the result, or leave nnz out")
}

/// Most positions of an array.
const MAX_WORDS: u64 = 1 << 31;

/// Most coordinates that a reducer's workspace holds.
const MAX_WORKSPACE: u64 = 1 << 25;

fn workspace_too_large(lowered: &Lowered) -> Option<Diagnostic> {
    use samhw_compiler::graph::{Op, Payload};
    let size = |p: Payload| match p {
        Payload::Crd(v) => lowered.kernel.var(v).max.next_power_of_two(),
        Payload::Key(bits) => 1u64.checked_shl(bits).unwrap_or(u64::MAX),
        _ => 1,
    };
    lowered.graph.nodes.iter().find_map(|n| {
        let Op::Reduce { kept, .. } = n.op else { return None };
        let words = n.inputs[..kept].iter().map(|&s| size(lowered.graph.stream(s).payload)).fold(1, u64::saturating_mul);
        (kept > 0 && words > MAX_WORKSPACE).then(|| {
            Diagnostic::new("H002", format!("reducer {} would need a workspace of {words} values on the chip", n.name))
                .help(format!("at most {MAX_WORKSPACE} are possible: choose a loop order that reduces further inside, or smaller dimensions"))
        })
    })
}

/// The loop order of a kernel file, whose indices are split in `kernel`, with the place of `order` in errors.
pub fn plan(file: &KernelFile, kernel: &Kernel, density: &Density) -> Result<Choice, Diagnostic> {
    choose(kernel, density).map_err(|d| {
        let place = match (&file.order, file.kernel.statements.first()) {
            (Some(names), _) if !names.is_empty() => names[0].span().start..names[names.len() - 1].span().end,
            (_, Some(s)) => s.span.clone(),
            _ => 0..0,
        };
        d.at(Place::Span(file.source.clone(), place))
    })
}
