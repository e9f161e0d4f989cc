//! The source of a kernel: a file, standard input, or the command line, with its data and with other
//! choices.

use crate::{Failure, output};
use samhw_compiler::data::{DataSource, ValuePolicy};
use samhw_compiler::diag::{Diagnostic, Diagnostics, Place};
use samhw_compiler::frontend::{KernelFile, MAX_BYTES};
use samhw_compiler::types::Type;
use samhw_driver::kernel::{self, Sources};
use samhw_driver::spoken::{self, Spoken, is_expression, unquoted};
use samhw_driver::{edit, einsum};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A kernel, its data, and choices.
#[derive(Debug, Clone, clap::Args)]
pub struct KernelArgs {
    /// Kernel file, `-` for standard input, or an expression: "y(i) = A(i,j) * x(j)", "ij,j->i"
    #[arg(value_name = "KERNEL")]
    pub kernel: OsString,
    #[command(flatten)]
    pub choices: Choices,
}

/// Choices and data for a kernel, in addition to its file.
#[derive(Debug, Clone, clap::Args)]
pub struct Choices {
    /// Format of a tensor, with an expression: A:csr, A:dense,compressed, A:ds:0,1; the default is
    /// dense; may be repeated
    #[arg(short = 'f', long, value_name = "NAME:FORMAT")]
    storage: Vec<String>,
    /// File with the data of an operand: .mtx, .tns or .npy, also with .gz, or .npz; may be repeated
    #[arg(short, long, value_name = "NAME=FILE")]
    tensor: Vec<String>,
    /// Size of an index that the data do not give: i=100; may be repeated
    #[arg(short, long, value_name = "INDEX=SIZE")]
    dim: Vec<String>,
    /// Loop order, outermost first: i,k,j
    #[arg(long, value_name = "INDICES")]
    order: Option<String>,
    /// Value for a key of the kernel file: schedule.lanes.j=8; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl KernelArgs {
    /// Reads and resolves the kernel with its data.
    pub fn read(&self, policy: ValuePolicy) -> Result<(KernelFile, Sources), Failure> {
        self.choices.read(&self.kernel, policy)
    }

    /// Resolves the kernel with its data, for a caller that reports errors itself.
    pub fn resolved(&self, policy: ValuePolicy) -> Result<(KernelFile, Sources), Diagnostics> {
        self.choices.resolved(&self.kernel, policy)
    }

    /// Returns the same kernel with more choices.
    pub fn with(&self, choices: &[String]) -> Self {
        let mut more = self.clone();
        more.choices.set.extend_from_slice(choices);
        more
    }
}

impl Choices {
    /// Reads and resolves a kernel with its data. What may not be meant in it goes to standard error.
    pub fn read(&self, given: &OsStr, policy: ValuePolicy) -> Result<(KernelFile, Sources), Failure> {
        let (file, sources) = self.resolved(given, policy)?;
        output::warn(&file.warnings);
        Ok((file, sources))
    }

    fn resolved(&self, given: &OsStr, policy: ValuePolicy) -> Result<(KernelFile, Sources), Diagnostics> {
        let given = given.to_str().map_or(given, |words| OsStr::new(unquoted(words)));
        let expr = given.to_str().filter(|words| is_expression(words) && !Path::new(words).exists());
        let mut choices = Vec::new();
        let (mut tensors, mut operands) = (Vec::new(), Vec::new());
        for tensor in self.tensor.iter().map(|t| unquoted(t)) {
            match typed(tensor) {
                // As TACO writes it.
                Some((name, ty)) => {
                    choices.push(format!("tensors.{name}.type={ty}"));
                    operands.push(name.to_owned());
                }
                None => tensors.push(tensor.to_owned()),
            }
        }
        let (path, text) = if let Some(expr) = expr {
            let text = self.spoken(expr, &mut tensors, operands)?;
            (PathBuf::from(spoken::NAME), text)
        } else {
            if let Some(format) = self.storage.first() {
                let problem = Diagnostic::new("K032", "--storage goes with an expression: a kernel file has [tensors]");
                let place = Place::Option(format!("--storage {format}"));
                return Err(problem.at(place).help("write --set tensors.A.format=csr").into());
            }
            if given == "-" {
                (PathBuf::from("stdin"), standard_input()?)
            } else {
                (PathBuf::from(given), kernel::text(Path::new(given))?)
            }
        };
        choices.extend(self.order.iter().map(|order| format!("order={}", unquoted(order))));
        for dim in &self.dim {
            let dim = unquoted(dim);
            let Some((index, size)) = dim.split_once(['=', ':']) else {
                let problem = Diagnostic::new("K033", "--dim needs INDEX=SIZE").help("for example --dim i=100");
                return Err(problem.at(Place::Option(format!("--dim {dim}"))).into());
            };
            choices.push(format!("dims.{index}={size}"));
        }
        choices.extend(self.set.iter().map(|choice| outside_unquoted(choice).to_owned()));
        let sources = sources(&tensors, policy)?;
        let file = kernel::parse(path, edit::edited(&text, &choices)?, &sources)?;
        Ok((file, sources))
    }

    /// The kernel file that an expression stands for. Files without a name get those of the operands; `typed`: operands
    /// without a file.
    fn spoken(&self, expr: &str, tensors: &mut [String], typed: Vec<String>) -> Result<String, Diagnostics> {
        let mut formats = Vec::new();
        for format in self.storage.iter().map(|f| unquoted(f)) {
            let Some((name, format)) = format.split_once([':', '=']).filter(|(name, _)| !name.is_empty()) else {
                let problem =
                    Diagnostic::new("K032", "--storage needs NAME:FORMAT").help("for example --storage A:csr");
                return Err(problem.at(Place::Option(format!("--storage {format}"))).into());
            };
            formats.push((name.to_owned(), format.to_owned()));
        }
        let mut operands = Vec::new();
        let lists = expr.contains("->");
        for (n, tensor) in tensors.iter_mut().enumerate() {
            if let Some(name) = einsum::OPERANDS.get(n).filter(|_| lists && !tensor.contains('=')) {
                *tensor = format!("{name}={tensor}");
            }
            operands.extend(tensor.split_once('=').map(|(name, _)| name.to_owned()));
        }
        if !lists {
            operands.extend(typed);
        }
        Spoken { expr: expr.into(), formats, operands }.text()
    }
}

/// Reads standard input, once.
pub fn standard_input() -> Result<String, Diagnostic> {
    static TEXT: OnceLock<io::Result<String>> = OnceLock::new();
    let text = TEXT.get_or_init(|| io::read_to_string(io::stdin().lock().take(MAX_BYTES + 1)));
    text.as_ref().cloned().map_err(|e| {
        let problem = Diagnostic::new("K000", format!("cannot read the kernel file from standard input: {e}"));
        problem.help("give a kernel file, such as examples/spmv.toml")
    })
}

/// Removes quotes around a whole `KEY=VALUE`. Quotes around the value alone belong to TOML.
fn outside_unquoted(choice: &str) -> &str {
    let bare = unquoted(choice);
    if choice.trim().starts_with(bare) { choice.trim() } else { bare }
}

/// `A:float`: the type of a tensor by TACO's words or ours.
fn typed(tensor: &str) -> Option<(&str, String)> {
    let (name, word) = tensor.split_once(':').filter(|(name, _)| !name.contains(['=', '/', '.']))?;
    let ours = match word {
        "bool" | "uint8" | "uint16" | "uint32" | "uint64" | "int8" | "int16" | "int32" | "int64" => {
            word.replace("int", "i").replace("ui", "u")
        }
        "uchar" => "u8".into(),
        "char" => "i8".into(),
        "short" => "i16".into(),
        "int" => "i32".into(),
        "long" | "longlong" => "i64".into(),
        "float" => "f32".into(),
        "double" => "f64".into(),
        _ => Type::from_name(word)?.to_string(),
    };
    Some((name, ours))
}

/// Examples of a command, and the boards that it knows.
pub fn with_boards(examples: &str) -> String {
    format!("Boards: {}\n\n{examples}", samhw_fpga::board::names().join(", "))
}

/// Splits `NAME=VALUE` options.
pub fn pairs(option: &str, given: &[String]) -> Result<BTreeMap<String, PathBuf>, Diagnostic> {
    let mut out = BTreeMap::new();
    for g in given {
        let place = || Place::Option(format!("{option} {g}"));
        let Some((name, path)) = g.split_once('=').filter(|(n, p)| !n.is_empty() && !p.is_empty()) else {
            return Err(Diagnostic::new("R020", format!("{option} needs NAME=FILE"))
                .at(place())
                .help(format!("for example {option} B=data/B.mtx")));
        };
        if out.insert(name.to_string(), PathBuf::from(path)).is_some() {
            return Err(Diagnostic::new("R020", format!("{option} names {name} twice"))
                .at(place())
                .help("give each tensor once"));
        }
    }
    Ok(out)
}

/// `--tensor` options as data sources.
fn sources(given: &[String], policy: ValuePolicy) -> Result<Sources, Diagnostic> {
    Ok(pairs("--tensor", given)?.into_iter().map(|(n, path)| (n, DataSource::File { path, policy })).collect())
}
