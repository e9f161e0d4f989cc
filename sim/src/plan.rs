//! From kernel file to graph and netlist, before any data: the loop order, and what a chip can have at all.

use samhw_compiler::diag::{Diagnostic, Diagnostics, Place};
use samhw_compiler::frontend::{KernelFile, Memory};
use samhw_compiler::lower::{Lowered, lower};
use samhw_compiler::netlist::{Array, DEFAULT_NNZ, Netlist, Part, Sizes, bits, declared, realize, skipping, wide};
use samhw_compiler::passes::fifo::{self, Depths};
use samhw_compiler::passes::order::{Choice, Density, choose};
use samhw_compiler::passes::split::{Split, split};
use samhw_compiler::passes::tiles as tiled;
use samhw_compiler::stmt::{Kernel, LevelKind};

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
        if !split.pairs.is_empty() {
            // Variables have other numbers.
            density.sizes.clear();
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
pub(crate) fn netlist(lowered: &Lowered, sizes: &Sizes, depths: Depths) -> Result<Netlist, Diagnostic> {
    let large = |n: &u64| *n > MAX_WORDS;
    let over = sizes.positions.iter().enumerate().find_map(|(u, p)| p.iter().copied().find(large).map(|n| (u, n)));
    if let Some((u, n)) = over {
        return Err(too_large(&lowered.graph.uses[u].name, n));
    }
    if let Some(d) = workspace_too_large(lowered) {
        return Err(d);
    }
    let mut net = realize(lowered, sizes);
    // The host sees words of more than 64 bits as several.
    let several = |a: &&Array| matches!(a.part, Part::Runs(l, _) if a.words > sizes.runs[a.of.0][l].max(1));
    if let Some(a) = net.arrays.iter().find(several) {
        let message = format!("a word of {}, two coordinates and a position, would have more than 64 bits", a.name);
        return Err(Diagnostic::new("H005", message)
            .help("declare smaller [dims], or a smaller nnz, which positions count up to")
            .help("or store this level `compressed`"));
    }
    fifo::insert(&mut net, &lowered.kernel, depths);
    // Deeper FIFOs than computed are for measurements, not for chips.
    if depths == Depths::Auto {
        fifo::within_budget(&net)?;
    }
    Ok(net)
}

/// Refuses what no chip has, before the host packs it: dense levels have all coordinates, whatever is stored.
pub(crate) fn has_room(lowered: &Lowered, dims: &[u64]) -> Result<(), Diagnostic> {
    let kernel = &lowered.kernel;
    for s in &kernel.statements {
        let accesses = kernel.reads(s.value).into_iter().chain([(s.result, s.indices.as_slice())]);
        for (t, indices) in accesses {
            for used in lowered.graph.uses.iter().filter(|u| u.tensor == t && u.slice.is_none() && u.chunk.is_none()) {
                let dense = used.levels.iter().zip(&used.mode_order).take_while(|(l, _)| **l == LevelKind::Dense);
                let size = |&m: &usize| indices.get(m).map_or(1, |v| dims[v.0]);
                let n = dense.map(|(_, m)| size(m)).fold(1u64, u64::saturating_mul);
                if n > MAX_WORDS {
                    return Err(too_large(&used.name, n));
                }
            }
        }
    }
    Ok(())
}

fn too_large(name: &str, positions: u64) -> Diagnostic {
    Diagnostic::new("H001", format!("{name} would need {positions} positions on the chip"))
        .help("declare nnz, or choose compressed levels or smaller dimensions")
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
fn plan(file: &KernelFile, kernel: &Kernel, density: &Density) -> Result<Choice, Diagnostic> {
    choose(kernel, density).map_err(|d| {
        let place = match (&file.order, file.kernel.statements.first()) {
            (Some(names), _) if !names.is_empty() => names[0].span().start..names[names.len() - 1].span().end,
            (_, Some(s)) => s.span.clone(),
            _ => 0..0,
        };
        d.at(Place::Span(file.source.clone(), place))
    })
}
