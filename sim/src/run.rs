//! Runs from kernel file and data to a checked result: `samhw run` without printing.

use crate::begin::begun;
use crate::compare::{Verdict, compare};
use crate::expected::Expected;
use crate::load::{dimensions, sizes_of};
use crate::memory;
use crate::native::{Counts, Native, Pressure, Stuck, Watch, Watched};
use crate::parts::{completed, dimensions as dimensions_with_slices, joined};
use crate::problem::{Packed, array_words, config, measured, unpack_result};
use crate::reference::{self, Output, Rounds};
use crate::rounds::{Referenced, prepared, rounds};
use crate::tensor::{Coo, Loaded, codes, pack, unpack};
use crate::tiles::{self, Tiles, split_data};
use crate::verilator;
use crate::wave::Wave;
use samhw_compiler::compiled::Compiled;
use samhw_compiler::diag::{Diagnostic, Diagnostics, Place};
use samhw_compiler::emit::emit;
use samhw_compiler::facts::Density;
use samhw_compiler::frontend::{KernelFile, Memory};
use samhw_compiler::graph::UseId;
use samhw_compiler::levels::Part;
use samhw_compiler::lower::Lowered;
use samhw_compiler::netlist::{Array, DEFAULT_NNZ, Netlist, Sizes, Status, declared, room};
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::passes::order::Choice;
use samhw_compiler::pipeline::{self, compile_file};
use samhw_compiler::stmt::{Tensor, TensorId, VarId};
use samhw_streams::Tells;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// A kernel with the data of its operands and the sizes of this run.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The loop order and the reason for it.
    pub choice: Choice,
    /// The graph from which hardware is generated.
    pub lowered: Lowered,
    /// Expected cost of a run.
    pub expected: Expected,
    /// Size of the dimension of each variable.
    pub dims: Vec<u64>,
    /// Data of the operands.
    pub data: BTreeMap<TensorId, Coo>,
    /// Expected result of every statement, including temporaries.
    pub reference: BTreeMap<TensorId, Output>,
    /// The tiles, if an index is split: the tiles, and the kernel file's own statements.
    pub tiles: Option<Tiles>,
    /// Packed operands as stored in memories.
    pub packed: Packed,
    /// Expected number of rounds, for a program with rounds.
    pub rounds: Option<Rounds>,
    /// Capacity that rounds before the last one need.
    pub most: Sizes,
    /// The memory that the kernel file requests for tensors.
    pub memory: Memory,
}

/// The result of a simulation.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Cycles and counters.
    pub counts: Counts,
    /// Results, with all entries that their formats store.
    pub results: BTreeMap<TensorId, Coo>,
    /// Number of rounds, for a program with rounds.
    pub rounds: Option<Rounds>,
    /// Notes for the user about how the kernel was simulated.
    pub notes: Vec<String>,
    /// An error of writing the waveform, reported after everything else.
    pub late: Result<(), Diagnostic>,
}

impl Problem {
    /// Prepares a kernel: chooses the loop order, lowers, packs, and computes the reference.
    pub fn new(file: &KernelFile, loaded: BTreeMap<TensorId, Loaded>) -> Result<Self, Diagnostics> {
        Self::told(file, loaded, |_| {})
    }

    /// Prepares a kernel as [`Self::new`] does; `tell` receives the expected cost before a long computation starts.
    pub fn told(
        file: &KernelFile,
        loaded: BTreeMap<TensorId, Loaded>,
        tell: impl FnOnce(&Expected),
    ) -> Result<Self, Diagnostics> {
        Self::planned(file, loaded, true, tell)
    }

    /// Prepares a kernel for hardware generated before the data were known: the data do not affect the loop order.
    pub fn made(file: &KernelFile, loaded: BTreeMap<TensorId, Loaded>) -> Result<Self, Diagnostics> {
        Self::planned(file, loaded, false, |_| {})
    }

    /// `known`: the hardware is made for these data.
    fn planned(
        file: &KernelFile,
        loaded: BTreeMap<TensorId, Loaded>,
        known: bool,
        tell: impl FnOnce(&Expected),
    ) -> Result<Self, Diagnostics> {
        let kernel = &file.kernel;
        let at_statement = |d: Diagnostic| pipeline::at_statement(file, d);
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
        memory::run(kernel, &dims, &data, reference::bounded(kernel)).map_err(at_statement)?;
        let file = if known { begun(file, &data) } else { Cow::Borrowed(file) };
        let density = Density {
            stored: data.iter().map(|(t, c)| (*t, c.len() as u64)).collect(),
            sizes: dims.iter().enumerate().map(|(v, &n)| (VarId(v), n)).collect(),
        };
        let before = Density::default();
        let Compiled { choice, lowered, split } = compile_file(&file, if known { &density } else { &before })?;
        let expected = Expected::of(&lowered, if split.indices.is_empty() { &density } else { &before });
        let (tiles, dims, data) = split_data(&file.kernel, split, dims, data).map_err(at_statement)?;
        let dims = dimensions_with_slices(&lowered, dims);
        room::of_dims(&lowered, &dims).map_err(at_statement)?;
        tell(&expected);
        let (packed, referenced) = prepared(&lowered, &dims, &data).map_err(at_statement)?;
        let Referenced { results: reference, rounds, most } = referenced;
        let memory = file.hardware.memory.clone();
        Ok(Self { choice, lowered, expected, dims, data, reference, packed, tiles, rounds, most, memory })
    }

    /// Returns the number of positions per array: declared capacities if the kernel file gives them, otherwise the
    /// needs of this run.
    pub fn sizes(&self) -> Result<Sizes, Diagnostic> {
        let stored = self.reference.iter().map(|(t, o)| (*t, o.stored.clone())).collect();
        let mut sizes = measured(&self.lowered, &self.packed, &stored)?.most(&self.most);
        let most = declared(&self.lowered.kernel, &self.lowered.graph);
        for (u, used) in self.lowered.graph.uses.iter().enumerate() {
            let tensor = self.lowered.kernel.tensor(used.tensor);
            if tensor.nnz.is_some() || tensor.runs.is_some() {
                sizes.positions[u].clone_from(&most.positions[u]);
                for (l, most) in most.runs[u].iter().enumerate() {
                    // Tables for which no multiplier was found are larger than declared.
                    let found = self.packed.tables.get(&(u, l)).map_or(0, |_| sizes.runs[u][l]);
                    sizes.runs[u][l] = found.max(*most);
                }
            }
        }
        Ok(sizes)
    }

    /// Returns the netlist with the sizes that the kernel file declares, as for `gen`.
    pub fn declared_netlist(&self) -> Result<Netlist, Diagnostic> {
        pipeline::declared_netlist(&self.lowered)
    }

    /// Returns the netlist for this run.
    pub fn netlist(&self, depths: Depths) -> Result<Netlist, Diagnostic> {
        pipeline::netlist(&self.lowered, &self.sizes()?, depths)
    }

    /// Returns the values of the run-time inputs of `net`.
    pub fn config(&self, net: &Netlist) -> Vec<u64> {
        config(&self.lowered, net, &self.packed)
    }

    /// Returns the contents of an operand's array, or `None` for an array that the hardware writes.
    pub fn words(&self, array: &Array) -> Option<Cow<'_, [u64]>> {
        if array.host_writes { array_words(array, &self.packed) } else { None }
    }

    /// Returns the results of the kernel file's statements, decoded from the arrays that `words` returns.
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
        let lanes = self.lowered.graph.uses.iter().any(|u| u.tensor == t && !u.slices.is_empty());
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
    pub(crate) fn tensor(&self, t: TensorId) -> Cow<'_, Tensor> {
        let tensor = self.lowered.kernel.tensor(t);
        match self.lowered.declared.get(&t) {
            Some(levels) => Cow::Owned(Tensor { levels: levels.clone(), ..tensor.clone() }),
            None => Cow::Borrowed(tensor),
        }
    }

    /// Returns the kernel file's tensor of which `t` holds the tiles, or `t` itself.
    pub fn original(&self, t: TensorId) -> TensorId {
        self.tiles.as_ref().and_then(|x| x.split.parts.get(&t)).map_or(t, |part| part.of)
    }

    /// Returns the expected result for a tensor of the kernel file, from the reference executor.
    pub fn wanted(&self, t: TensorId) -> Option<&Output> {
        self.tiles.as_ref().map_or(&self.reference, |x| &x.reference).get(&t)
    }

    /// Returns the expected hardware result: the reference with all entries that the format stores.
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

    /// Simulates `net` on the native engine.
    pub fn run_native(&self, net: &Netlist, limit: u64) -> Result<Outcome, Diagnostic> {
        self.run_native_watched(net, limit, None, Watch::default())
    }

    /// Simulates `net` on the native engine, optionally under back-pressure; `watch` observes the run.
    pub fn run_native_watched(
        &self,
        net: &Netlist,
        limit: u64,
        pressure: Option<Pressure>,
        watch: Watch,
    ) -> Result<Outcome, Diagnostic> {
        let mut native = Native::new(memory::held(net, false)?, &self.config(net));
        native.watch(watch);
        native.press(pressure);
        let counts = self.simulate(net, &mut native, limit)?;
        let results = self.results(net, stored_in(net, &mut native))?;
        let rounds = rounds(net, |k| native.status(net.statuses[k].from.0, net.statuses[k].from.1));
        Ok(Outcome { counts, results, rounds, notes: Vec::new(), late: Ok(()) })
    }

    /// Fills the memories of an engine and runs it; its results fit.
    pub(crate) fn simulate(&self, net: &Netlist, native: &mut Native, limit: u64) -> Result<Counts, Diagnostic> {
        for array in &net.arrays {
            if let (Some(words), Some(memory)) = (self.words(array), native.memory(array.cell)) {
                let room = memory.len();
                let there = memory.get_mut(..words.len()).ok_or_else(|| too_many(&array.name, words.len(), room))?;
                there.copy_from_slice(&words);
            }
        }
        let ran = native.run::<false>(limit);
        // A later statement that reads what had no room stops the run.
        fits(net, |k| native.status(net.statuses[k].from.0, net.statuses[k].from.1))?;
        ran.map_err(|e| {
            let code = if matches!(e, Stuck::Limit(_)) { "R012" } else { "R010" };
            Diagnostic::new(code, format!("the hardware did not finish: {e}")).help(
                "this is a fault of samhw, not of your kernel: please report it with the kernel file and its data",
            )
        })
    }

    /// Fills the memories of the Verilog.
    fn stored(&self, net: &Netlist, sim: &mut verilator::Verilator) -> Result<(), verilator::Error> {
        for (k, array) in net.arrays.iter().enumerate() {
            if let Some(words) = self.words(array) {
                sim.store(k, &words)?;
            }
        }
        Ok(())
    }

    /// Simulates the emitted Verilog under Verilator; `wave` is the file for a waveform, `shared` observes
    /// the run.
    pub fn run_verilator(
        &self,
        net: &Netlist,
        limit: u64,
        wave: Option<&Path>,
        shared: Arc<Watched>,
    ) -> Result<Outcome, Diagnostic> {
        let design = emit(&self.lowered, net);
        let options = verilator::Options { trace: wave.is_some(), ..verilator::Options::default() };
        let cache = samhw_rtlsim::default_cache().map_err(verilator::Error::from)?;
        let built = verilator::Built::new(memory::held(net, false)?, &design, options, &cache)?;
        let mut sim = verilator::Verilator::new(&built, &self.config(net));
        sim.watch(shared);
        let wave = wave.map(|path| Wave::begin(sim.model(), path)).transpose()?;
        let ran = self.stored(net, &mut sim).and_then(|()| sim.run(limit));
        let late = wave.map_or(Ok(()), |wave| wave.end(sim.model()));
        fits(net, |k| sim.status(k))?;
        let counts = ran?;
        let mut words = BTreeMap::new();
        for (k, array) in net.arrays.iter().enumerate().filter(|(_, a)| a.host_reads) {
            words.insert(array.name.clone(), sim.fetch(k)?);
        }
        let results = self.results(net, |a| words.get(&a.name).cloned().unwrap_or_default())?;
        Ok(Outcome { counts, results, rounds: rounds(net, |k| sim.status(k)), notes: Vec::new(), late })
    }
}

/// The words of an array of a result, which is asked for once: its memory itself, not a copy that
/// would touch all of the room for results, unless other results lie there, too.
pub(crate) fn stored_in<'n>(net: &'n Netlist, native: &'n mut Native<'_>) -> impl FnMut(&Array) -> Vec<u64> {
    let alone = |a: &Array| net.arrays.iter().filter(|b| b.host_reads && b.cell == a.cell).count() == 1;
    move |a| match native.memory(a.cell) {
        Some(memory) if alone(a) => std::mem::take(memory),
        Some(memory) => memory.clone(),
        None => Vec::new(),
    }
}

/// Checks that nothing was written beyond its memory; `status` returns the value of the netlist's k-th status output.
/// Asked before results are read: they are cut off if not.
pub fn fits(net: &Netlist, status: impl Fn(usize) -> u64) -> Result<(), Diagnostic> {
    let full: Vec<&str> = (0..net.statuses.len())
        .filter(|&k| net.statuses[k].tells == Tells::Overflow && status(k) != 0)
        .map(|k| net.statuses[k].name.as_str())
        .collect();
    if full.is_empty() {
        return Ok(());
    }
    Err(does_not_fit(net, &full.join(", "), status))
}

/// An operand has more `words` than the kernel file's sizes have `room` for.
fn too_many(array: &str, words: usize, room: usize) -> Diagnostic {
    let help = if array.contains("_runs") {
        "declare a larger `runs` for the operand, or leave it out".into()
    } else {
        format!("declare the operand's nnz: without one it has room for {DEFAULT_NNZ} entries")
    };
    Diagnostic::new("H011", format!("an operand does not fit its memory: {array} has {words} words, the memory {room}"))
        .help(help)
}

/// A result has no room for all of its words; how many of each array it has, as far as the writers count: those that
/// tell that there was no room, or all where none does.
pub(crate) fn does_not_fit(net: &Netlist, what: &str, status: impl Fn(usize) -> u64) -> Diagnostic {
    let statuses = || net.statuses.iter().enumerate();
    let full: Vec<_> =
        statuses().filter(|&(k, s)| s.tells == Tells::Overflow && status(k) != 0).map(|(_, s)| s.from.0).collect();
    let counts = statuses().filter(|(_, s)| s.tells == Tells::Words && (full.is_empty() || full.contains(&s.from.0)));
    // A counter stays at the largest number that it has bits for.
    let more = |n: u64, width: u32| if n == u64::MAX >> (64 - width.clamp(1, 64)) { " or more" } else { "" };
    let said = |(k, s): (usize, &Status)| format!("{} = {}{}", s.name, status(k), more(status(k), s.width));
    let counts: Vec<String> = counts.map(said).collect();
    let runs = net.arrays.iter().any(|a| a.host_reads && matches!(a.part, Part::Runs(..)));
    let help = if runs {
        "a larger nnz, or `runs`, for the result, or leave them out"
    } else {
        "a larger nnz for the result, or leave nnz out"
    };
    Diagnostic::new("H010", format!("a result does not fit its memory: {what}"))
        .help(format!("words of results: {}", counts.join(", ")))
        .help(format!("declare {help}"))
}
