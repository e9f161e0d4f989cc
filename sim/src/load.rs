//! Loading of operands from files and generators, and the sizes of dimensions that the data determine.

use crate::reference;
use crate::tensor::{Keep, Loaded, Target, codes, load, triangle};
use crate::views;
use samhw_compiler::data::{DataSource, Pattern};
use samhw_compiler::diag::{Diagnostic, Diagnostics, Place};
use samhw_compiler::facts;
use samhw_compiler::frontend::KernelFile;
use samhw_compiler::stmt::{Algebra, Kernel, TensorId, VarId};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// Lists the operands that need data: they are read before any statement writes them.
pub fn operands(kernel: &Kernel) -> Vec<TensorId> {
    let mut out = Vec::new();
    for (n, s) in kernel.statements.iter().enumerate() {
        for t in kernel.reads(s.value).into_iter().map(|(t, _)| kernel.base(t)) {
            if kernel.written_before(n, t).is_none() && !out.contains(&t) {
                out.push(t);
            }
        }
    }
    out
}

/// Loads or generates the data of every operand. `overrides` stands above `[data]`. Paths in the kernel file are taken
/// relative to it.
pub fn load_operands(
    file: &KernelFile,
    overrides: &BTreeMap<String, DataSource>,
) -> Result<BTreeMap<TensorId, Loaded>, Diagnostics> {
    let kernel = &file.kernel;
    let (mut out, mut problems) = (BTreeMap::new(), Vec::new());
    let operands = operands(kernel);
    // Data for a result that nothing reads does no harm: it is about to be written. Neither do
    // those for a tensor that no statement uses, of which there is a warning.
    let idle = |name: &str| {
        let mut named = (0..kernel.tensors.len()).map(TensorId).filter(|&t| kernel.tensor(t).name == name);
        named.any(|t| !operands.contains(&t))
    };
    for name in overrides.keys().filter(|n| !idle(n)) {
        if !operands.iter().any(|&t| kernel.tensor(t).name == *name) {
            let known: Vec<&str> = operands.iter().map(|&t| kernel.tensor(t).name.as_str()).collect();
            problems.push(
                Diagnostic::new("R027", format!("{name} is not an operand of this kernel"))
                    .at(Place::Option(format!("--tensor {name}=...")))
                    .help(format!("operands are: {}", known.join(", "))),
            );
        }
    }
    let source_of = |t: TensorId| {
        let name = &kernel.tensor(t).name;
        match (overrides.get(name), file.data.get(name)) {
            (None, Some(DataSource::File { path, policy })) => {
                let base = file.source.path.parent().unwrap_or(Path::new(""));
                Some(DataSource::File { path: base.join(path), policy: *policy })
            }
            (given, written) => given.or(written).cloned(),
        }
    };
    // Data that say their sizes first: what is generated at random takes those sizes.
    let says_sizes = |s: Option<DataSource>| match s {
        Some(DataSource::Generated(g)) => matches!(g.pattern, Pattern::Poisson2d { .. } | Pattern::Poisson3d { .. }),
        Some(DataSource::Everywhere(_)) => false,
        _ => true,
    };
    let (first, then): (Vec<TensorId>, Vec<TensorId>) = operands.into_iter().partition(|&t| says_sizes(source_of(t)));
    for t in first.into_iter().chain(then) {
        let tensor = kernel.tensor(t);
        let Some(source) = source_of(t) else {
            problems.push(
                Diagnostic::new(reference::MISMATCH, format!("no data for operand {}", tensor.name))
                    .at(Place::Span(file.source.clone(), tensor.span.clone()))
                    .help(format!("give a file with --tensor {}=FILE", tensor.name))
                    .help(format!(
                        "or an entry under [data], such as {} = {{ random = {{ density = 0.1, seed = 1 }} }}",
                        tensor.name
                    )),
            );
            continue;
        };
        let max = match (&source, dimensions(kernel, &out)) {
            (DataSource::Generated(_) | DataSource::Everywhere(_), Ok(dims)) => sizes_of(kernel, t, &dims),
            _ => tensor.shape.clone(),
        };
        let fill = tensor.fill.unwrap_or(0);
        // What is dense has room for the sign of a zero; in others a zero that is stored is one to
        // be visited.
        let dense = tensor.levels.iter().all(|l| l.is_dense());
        let keep = if dense || kernel.algebra == Algebra::Ieee { Keep::Signs } else { Keep::Others };
        let target = Target { name: tensor.name.clone(), max, ty: tensor.ty, fill, keep };
        let triangle = |loaded: Loaded| {
            let coo = triangle(&loaded.coo, &tensor.name, fill)?;
            Ok(Loaded { coo, ..loaded })
        };
        let loaded = load(&source, &target);
        match if kernel.symmetric.contains(&t) { loaded.and_then(triangle) } else { loaded } {
            Ok(loaded) => {
                out.insert(t, loaded);
            }
            Err(d) => {
                let missing = matches!(&source, DataSource::File { path, .. } if !path.exists());
                let d = match overrides.contains_key(&tensor.name) {
                    true if missing => d.help("after `--tensor` it is relative to the folder in which samhw runs"),
                    false if missing => d.help("in a kernel file it is relative to the folder of the kernel file"),
                    _ => d,
                };
                problems.push(match d.place {
                    None => d.at(Place::Span(file.source.clone(), tensor.span.clone())),
                    Some(_) => d,
                });
            }
        }
    }
    if problems.is_empty() { Ok(out) } else { Err(problems) }
}

/// Sizes of a tensor's modes, from those of the variables that its first access has there.
pub(crate) fn sizes_of(kernel: &Kernel, t: TensorId, dims: &[u64]) -> Vec<u64> {
    let mut accesses = kernel.statements.iter().flat_map(|s| kernel.reads(s.value));
    let Some((u, indices)) = accesses.find(|(u, _)| kernel.base(*u) == t) else { return Vec::new() };
    let variable = |mode| kernel.mode_variable(u, indices, mode);
    (0..kernel.tensor(t).shape.len()).filter_map(variable).map(|v| dims[v.0]).collect()
}

/// Who says the size of a variable.
#[derive(Clone, Copy)]
struct Sizer<'a> {
    /// The tensor that has it.
    tensor: &'a str,
    /// A view of a slice says it, as the file declares it; otherwise the data do.
    slice: bool,
}

impl fmt::Display for Sizer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.slice { "a slice of " } else { "" }, self.tensor)
    }
}

/// Sizes of all dimensions from the data, maxima where the data do not say.
pub(crate) fn dimensions<'k>(kernel: &'k Kernel, loaded: &BTreeMap<TensorId, Loaded>) -> Result<Vec<u64>, Diagnostic> {
    let same = same_size(kernel);
    let mut dims: Vec<Option<(u64, Sizer<'k>)>> = vec![None; kernel.vars.len()];
    let mut say = |v: VarId, n: u64, who: Sizer<'k>| -> Result<(), Diagnostic> {
        for w in (0..same.len()).filter(|&w| same[w] == same[v.0]) {
            match &dims[w] {
                Some((m, other)) if *m != n => {
                    let problem = Diagnostic::new(
                        codes::SHAPE,
                        format!("dimension {} has size {m} in {other} and size {n} in {who}", kernel.var(v).name),
                    );
                    let help = if other.slice || who.slice {
                        "a slice, and what is read next to an index as `a(i + 1)`, goes by the declared size: \
                         declare the one that the data have"
                    } else {
                        "the data of tensors that share an index must agree in its size"
                    };
                    return Err(problem.help(help));
                }
                _ => dims[w] = Some((n, who)),
            }
        }
        Ok(())
    };
    for s in &kernel.statements {
        for (t, indices) in kernel.reads(s.value) {
            let name = &kernel.tensor(t).name;
            for (mode, size) in views::fixed(kernel, t) {
                say(indices[mode], size, Sizer { tensor: name, slice: true })?;
            }
            let base = kernel.base(t);
            let Some(l) = loaded.get(&base).filter(|l| l.sized) else { continue };
            for (mode, &n) in l.coo.shape().iter().enumerate() {
                if let Some(v) = kernel.mode_variable(t, indices, mode) {
                    say(v, n, Sizer { tensor: name, slice: false })?;
                }
            }
        }
    }
    let dims: Vec<u64> = dims.into_iter().zip(&kernel.vars).map(|(d, v)| d.map_or(v.max, |(n, _)| n)).collect();
    views::check(kernel, &dims)?;
    Ok(dims)
}

/// Per variable the first of those that have its size in every run: those of its name, unless slices give them other sizes in
/// other statements, and those that are at one mode of a tensor, or of one that rounds carry to it.
fn same_size(kernel: &Kernel) -> Vec<usize> {
    let mut class: Vec<usize> = (0..kernel.vars.len()).collect();
    let mut unite = |v: VarId, w: VarId| {
        let (from, to) = (class[v.0].max(class[w.0]), class[v.0].min(class[w.0]));
        class.iter_mut().filter(|c| **c == from).for_each(|c| *c = to);
    };
    let mut modes: BTreeMap<(TensorId, usize), VarId> = BTreeMap::new();
    let mut names: BTreeMap<(&str, u64), VarId> = BTreeMap::new();
    for s in &kernel.statements {
        for v in facts::variables(kernel, s) {
            unite(v, *names.entry((&kernel.var(v).name, kernel.var(v).max)).or_insert(v));
        }
        let accesses = kernel.reads(s.value).into_iter().chain([(s.result, s.indices.as_slice())]);
        for (t, indices) in accesses {
            let base = kernel.carried(t).unwrap_or(kernel.base(t));
            for mode in 0..kernel.tensor(base).shape.len() {
                if let Some(v) = kernel.mode_variable(t, indices, mode) {
                    unite(v, *modes.entry((base, mode)).or_insert(v));
                }
            }
        }
    }
    class
}
