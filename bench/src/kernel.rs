//! Kernels defined in code, with their compilation and runs.

use anyhow::{Context, Result, anyhow};
use samhw_compiler::compiled::Compiled;
use samhw_compiler::data::{DataSource, Generator, Pattern, Range, ValuePolicy};
use samhw_compiler::diag::{Diagnostic, Source, render};
use samhw_compiler::facts::Density;
use samhw_compiler::frontend::{KernelFile, parse};
use samhw_compiler::pipeline::compile_file;
use samhw_sim::load::load_operands;
use samhw_sim::run::Problem;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

/// The source of an operand's data.
#[derive(Debug, Clone, Copy)]
pub enum Data<'a> {
    /// A file in the folder of bench inputs.
    File(&'a str),
    /// This value at every coordinate.
    Value(i64),
    /// No data, because the tensor is the result.
    Result,
}

/// A tensor of a kernel: name, levels (a letter each: `d`ense, c`s` compressed), storage order
/// (empty: that of the indices), data.
pub type Tensor<'a> = (&'a str, &'a str, &'a [usize], Data<'a>);

/// A kernel.
#[derive(Debug, Clone, Copy)]
pub struct Kernel<'a> {
    /// Expression of the kernel.
    pub expr: &'a str,
    /// Loop order, one letter per variable.
    pub order: &'a str,
    /// Sizes of the dimensions, in the order of `order`.
    pub dims: &'a [u64],
    /// Every tensor of the expression.
    pub tensors: &'a [Tensor<'a>],
}

/// A schedule that disables all optimisations.
pub const PLAIN: &str = "locate = []\nskip = []\nwide = {}\n";

impl Kernel<'_> {
    /// Returns the text of the kernel file without data; `schedule` is the text of that section.
    pub fn text(&self, schedule: &str) -> String {
        let quoted = |items: Vec<&str>| items.iter().map(|s| format!("\"{s}\"")).collect::<Vec<_>>().join(", ");
        let names: Vec<&str> = (0..self.order.len()).map(|k| &self.order[k..=k]).collect();
        let mut s = format!("name = \"k\"\nexpr = \"{}\"\norder = [{}]\n", self.expr, quoted(names.clone()));
        s += &format!("[schedule]\n{schedule}[dims]\n");
        // Writing to a String cannot fail.
        for (name, dim) in names.iter().zip(self.dims) {
            let _ = writeln!(s, "{name} = {dim}");
        }
        for (name, levels, mode_order, _) in self.tensors {
            let kind = |c: char| if c == 'd' { "dense" } else { "compressed" };
            let _ = writeln!(s, "[tensors.{name}]\nlevels = [{}]", quoted(levels.chars().map(kind).collect()));
            // What the expression widens is stored in 16 bits.
            let narrow = self.expr.contains(&format!("i32({name}("));
            let _ = writeln!(s, "type = \"{}\"", if narrow { "i16" } else { "i32" });
            if !mode_order.is_empty() {
                let _ = writeln!(s, "mode_order = {mode_order:?}");
            }
        }
        s
    }
    /// Parses the kernel file.
    pub fn file(&self, schedule: &str) -> Result<KernelFile> {
        let text = self.text(schedule);
        parse(Arc::new(Source { path: "k.toml".into(), text })).map_err(|d| rendered(&d))
    }
    /// Compiles the kernel without data and without optimisations: one lane, coiterating.
    pub fn compiled(&self) -> Result<Compiled> {
        compile_file(&self.file(PLAIN)?, &Density::default()).map_err(|d| rendered(&d))
    }
    /// Prepares the kernel with its data and without optimisations; `inputs` is the folder of the files.
    pub fn problem(&self, inputs: &Path) -> Result<Problem> {
        self.scheduled(inputs, PLAIN)
    }
    /// Prepares the kernel with its data and a schedule.
    pub fn scheduled(&self, inputs: &Path, schedule: &str) -> Result<Problem> {
        let source = |t: &Tensor| {
            let generator = |pattern, seed, v| {
                DataSource::Generated(Generator { pattern, seed, values: Some(Range::Whole([v, v])) })
            };
            Some(match t.3 {
                Data::File(f) => DataSource::File { path: inputs.join(f), policy: ValuePolicy::Exact },
                Data::Value(v) => generator(Pattern::Random { density: 1.0 }, 0, v),
                Data::Result => return None,
            })
        };
        let sources: BTreeMap<String, DataSource> =
            self.tensors.iter().filter_map(|t| Some((t.0.to_string(), source(t)?))).collect();
        let file = self.file(schedule)?;
        let loaded = load_operands(&file, &sources).map_err(|d| rendered(&d))?;
        Problem::new(&file, loaded).map_err(|d| rendered(&d)).with_context(|| self.expr.to_string())
    }
}

/// Converts diagnostics to an error.
pub fn rendered(d: &[Diagnostic]) -> anyhow::Error {
    anyhow!(render(d))
}

/// Converts one diagnostic to an error.
pub fn one(d: Diagnostic) -> anyhow::Error {
    rendered(&[d])
}

/// Largest number of cycles of a benchmark.
pub const LIMIT: u64 = 1 << 32;
