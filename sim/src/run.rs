//! A run from kernel file and data to a checked result: what `samhw run` does, without printing.

use crate::native::{Counts, Native};
use crate::problem::{Packed, array_words, config, measured, pack_operands, unpack_result};
use crate::reference::{self, Output};
use crate::tensor::{Coo, Loaded, Target, codes, load, pack, unpack};
use crate::verilator;
use samhw_compiler::data::Source as DataSource;
use samhw_compiler::diag::{Diagnostic, Diagnostics, Place};
use samhw_compiler::emit::emit;
use samhw_compiler::frontend::KernelFile;
use samhw_compiler::graph::UseId;
use samhw_compiler::lower::{Lowered, lower};
use samhw_compiler::netlist::{Array, DEFAULT_NNZ, Netlist, Sizes, declared, realize};
use samhw_compiler::passes::fifo::{self, Depths};
use samhw_compiler::passes::order::{Choice, Density, choose};
use samhw_compiler::stmt::{Kernel, LevelKind, TensorId};
use std::collections::BTreeMap;
use std::path::Path;

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
    /// Operands as their memories hold them.
    pub packed: Packed,
}

/// What a simulation gave.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Cycles and counters.
    pub counts: Counts,
    /// Results, with all that their formats store.
    pub results: BTreeMap<TensorId, Coo>,
}

/// Operands that must come from outside: read before any statement has written them.
pub fn operands(kernel: &Kernel) -> Vec<TensorId> {
    let mut out = Vec::new();
    for (n, s) in kernel.statements.iter().enumerate() {
        for (t, _) in kernel.accesses(s.value) {
            if !kernel.statements[..n].iter().any(|w| w.result == t) && !out.contains(&t) {
                out.push(t);
            }
        }
    }
    out
}

/// Reads or generates every operand's data. `overrides` stands above `[data]`. Paths in the
/// kernel file are taken relative to it.
pub fn load_operands(
    file: &KernelFile,
    overrides: &BTreeMap<String, DataSource>,
) -> Result<BTreeMap<TensorId, Loaded>, Diagnostics> {
    let kernel = &file.kernel;
    let (mut out, mut problems) = (BTreeMap::new(), Vec::new());
    let operands = operands(kernel);
    // Data for a result that nothing reads does no harm: it is about to be written.
    let result = |name: &str| kernel.statements.iter().any(|s| kernel.tensor(s.result).name == name);
    for name in overrides.keys().filter(|n| !result(n)) {
        if !operands.iter().any(|&t| kernel.tensor(t).name == *name) {
            let known: Vec<&str> = operands.iter().map(|&t| kernel.tensor(t).name.as_str()).collect();
            problems.push(
                Diagnostic::new(codes::OPEN, format!("{name} is not an operand of this kernel"))
                    .at(Place::Option(format!("--tensor {name}=...")))
                    .help(format!("operands are: {}", known.join(", "))),
            );
        }
    }
    for t in operands {
        let tensor = kernel.tensor(t);
        let target = Target {
            name: tensor.name.clone(),
            max: tensor.shape.clone(),
            ty: tensor.ty,
            fill: tensor.fill.unwrap_or(0),
            keep_fill: false,
        };
        let source = match (overrides.get(&tensor.name), file.data.get(&tensor.name)) {
            (Some(s), _) => s.clone(),
            (None, Some(DataSource::File { path, policy })) => {
                let base = file.source.path.parent().unwrap_or(std::path::Path::new(""));
                DataSource::File { path: base.join(path), policy: *policy }
            }
            (None, Some(s)) => s.clone(),
            (None, None) => {
                problems.push(
                    Diagnostic::new(codes::OPEN, format!("no data for operand {}", tensor.name))
                        .at(Place::Span(file.source.clone(), tensor.span.clone()))
                        .help(format!("give a file with --tensor {}=FILE", tensor.name))
                        .help(format!(
                            "or an entry under [data], such as {} = {{ random = {{ density = 0.1, seed = 1 }} }}",
                            tensor.name
                        )),
                );
                continue;
            }
        };
        match load(&source, &target) {
            Ok(loaded) => {
                out.insert(t, loaded);
            }
            Err(d) => problems.push(match d.place {
                None => d.at(Place::Span(file.source.clone(), tensor.span.clone())),
                Some(_) => d,
            }),
        }
    }
    if problems.is_empty() { Ok(out) } else { Err(problems) }
}

/// Sizes of all dimensions from the data, maxima where the data do not say.
fn dimensions(kernel: &Kernel, loaded: &BTreeMap<TensorId, Loaded>) -> Result<Vec<u64>, Diagnostic> {
    let mut dims: Vec<Option<(u64, String)>> = vec![None; kernel.vars.len()];
    let by_name = |dims: &mut Vec<Option<(u64, String)>>, name: &str, n: u64, who: String| -> Result<(), Diagnostic> {
        for (v, var) in kernel.vars.iter().enumerate().filter(|(_, var)| var.name == name) {
            match &dims[v] {
                Some((m, other)) if *m != n => {
                    return Err(Diagnostic::new(
                        codes::SHAPE,
                        format!("dimension {} has size {m} in {other} and size {n} in {who}", var.name),
                    )
                    .help("the data of tensors that share an index must agree in its size"));
                }
                _ => dims[v] = Some((n, who.clone())),
            }
        }
        Ok(())
    };
    for s in &kernel.statements {
        for (t, indices) in kernel.accesses(s.value) {
            let Some(l) = loaded.get(&t).filter(|l| l.sized) else { continue };
            for (&v, &n) in indices.iter().zip(l.coo.shape()) {
                by_name(&mut dims, &kernel.var(v).name, n, kernel.tensor(t).name.clone())?;
            }
        }
    }
    Ok(dims.into_iter().zip(&kernel.vars).map(|(d, v)| d.map_or(v.max, |(n, _)| n)).collect())
}

/// A kernel file with its order and graph, before any data.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Loop order and why.
    pub choice: Choice,
    /// What the hardware is made from.
    pub lowered: Lowered,
}

impl Plan {
    /// Chooses the order and lowers.
    pub fn new(file: &KernelFile, density: &Density) -> Result<Self, Diagnostics> {
        let choice = plan(file, density).map_err(|d| vec![d])?;
        let lowered = lower(&file.kernel, &choice.order).map_err(|d| at_statement(file, d))?;
        Ok(Self { choice, lowered })
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

/// Puts a diagnostic without a place at the first statement.
fn at_statement(file: &KernelFile, d: Diagnostic) -> Diagnostics {
    match (&d.place, file.kernel.statements.first()) {
        (None, Some(s)) => vec![d.at(Place::Span(file.source.clone(), s.span.clone()))],
        _ => vec![d],
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
    Ok(net)
}

impl Problem {
    /// Chooses the order, lowers, packs, and computes what is right.
    pub fn new(file: &KernelFile, loaded: BTreeMap<TensorId, Loaded>) -> Result<Self, Diagnostics> {
        let kernel = &file.kernel;
        let at_statement = |d: Diagnostic| at_statement(file, d);
        let dims = dimensions(kernel, &loaded).map_err(at_statement)?;
        let mut data = BTreeMap::new();
        for (t, l) in loaded {
            let shape = kernel.statements.iter().flat_map(|s| kernel.accesses(s.value)).find(|(u, _)| *u == t);
            let shape: Vec<u64> = shape.map_or_else(Vec::new, |(_, i)| i.iter().map(|v| dims[v.0]).collect());
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
        let Plan { choice, lowered } = Plan::new(file, &density)?;
        let packed = pack_operands(&lowered, &dims, &data).map_err(at_statement)?;
        let reference = reference::execute(&lowered.kernel, &dims, &data, None).map_err(at_statement)?;
        Ok(Self { choice, lowered, dims, data, reference, packed })
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

    /// The netlist for this run.
    pub fn netlist(&self, depths: Depths) -> Result<Netlist, Diagnostic> {
        netlist(&self.lowered, &self.sizes()?, depths)
    }

    /// Run-time inputs for `net`.
    pub fn config(&self, net: &Netlist) -> Vec<u64> {
        config(&self.lowered, net, &self.dims)
    }

    /// Contents of an operand's array, `None` for what hardware writes.
    pub fn words(&self, array: &Array) -> Option<&[u64]> {
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
                out.insert(used.tensor, coo);
            }
        }
        Ok(out)
    }

    /// What the hardware's result must be: the reference, with all that the format stores.
    pub fn expected(&self, t: TensorId) -> Result<Coo, Diagnostic> {
        let tensor = self.lowered.kernel.tensor(t);
        match self.reference.get(&t) {
            Some(o) => unpack(&pack(&o.stored, &tensor.levels, &tensor.mode_order, o.fill)?, &tensor.mode_order),
            None => Ok(Coo::empty(tensor.shape.clone())),
        }
    }

    /// Runs the native engine.
    pub fn run_native(&self, net: &Netlist, limit: u64) -> Result<Outcome, Diagnostic> {
        let mut native = Native::new(net, &self.config(net));
        for array in &net.arrays {
            if let (Some(words), Some(memory)) = (self.words(array), native.memory(array.cell)) {
                memory[..words.len()].copy_from_slice(words);
            }
        }
        let counts = native.run::<false>(limit).map_err(|e| {
            Diagnostic::new("R010", format!("the hardware did not finish: {e}")).help(
                "this is a fault of samhw, not of your kernel: please report it with the kernel file and its data",
            )
        })?;
        fits(net, |k| native.status(net.statuses[k].from.0, net.statuses[k].from.1))?;
        let results = self.results(net, |a| native.memory(a.cell).map(|m| m.clone()).unwrap_or_default())?;
        Ok(Outcome { counts, results })
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
                sim.store(k, words)?;
            }
        }
        let counts = sim.run(limit)?;
        fits(net, |k| sim.status(k))?;
        let mut words = BTreeMap::new();
        for (k, array) in net.arrays.iter().enumerate().filter(|(_, a)| a.host_reads) {
            words.insert(array.name.clone(), sim.fetch(k)?);
        }
        let results = self.results(net, |a| words.get(&a.name).cloned().unwrap_or_default())?;
        Ok(Outcome { counts, results })
    }
}

/// Nothing was written beyond its memory, as `status` of the netlist's k-th status output tells.
/// Asked before results are read: they are cut off if not.
fn fits(net: &Netlist, status: impl Fn(usize) -> u64) -> Result<(), Diagnostic> {
    let full: Vec<&str> = (0..net.statuses.len())
        .filter(|&k| net.statuses[k].error && status(k) != 0)
        .map(|k| net.statuses[k].name.as_str())
        .collect();
    if full.is_empty() {
        return Ok(());
    }
    Err(Diagnostic::new("H010", format!("a result does not fit its memory: {}", full.join(", ")))
        .help("declare a larger nnz for the result, or leave nnz out"))
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

/// The loop order of a kernel file, with the place of `order` in errors.
pub fn plan(file: &KernelFile, density: &Density) -> Result<Choice, Diagnostic> {
    choose(&file.kernel, density).map_err(|d| {
        let place = match (&file.order, file.kernel.statements.first()) {
            (Some(names), _) if !names.is_empty() => names[0].span().start..names[names.len() - 1].span().end,
            (_, Some(s)) => s.span.clone(),
            _ => 0..0,
        };
        d.at(Place::Span(file.source.clone(), place))
    })
}
