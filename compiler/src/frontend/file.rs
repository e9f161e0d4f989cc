//! The kernel file as a whole: its sections and the rules between them.

use super::functions::reducing;
use super::header::DataHeader;
use super::kept_reads::KeptReads;
use super::own::{Orders, Schedules};
use super::reader::{Entry, Reader, Value};
use super::resolve::resolve;
use super::schedule::{Hardware, Memory, read_schedules};
use super::sections::read_sections;
use super::syntax::Syntax;
use super::versions::versions;
use super::{expression, fibers, fills, kernel_name, linked, order, own, repeat, shape, symmetric, undeclared, user};
use crate::data;
use crate::diag::{Diagnostic, Diagnostics, Place, Severity, Source, in_words_of};
use crate::stmt::{Fun, Kernel};
use crate::types::Type;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::sync::Arc;
use toml::Spanned;
use toml::de::DeTable;

/// A parsed and checked kernel file.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelFile {
    /// The statements and their tensors, resolved.
    pub kernel: Kernel,
    /// The text of the file, for positions in messages.
    pub source: Arc<Source>,
    /// Section `[hardware]`.
    pub hardware: Hardware,
    /// Section `[data]`: sources of the operands, by name.
    pub data: BTreeMap<String, data::DataSource>,
    /// Section `[dims]`: largest sizes, by variable.
    pub dims: BTreeMap<String, Spanned<u64>>,
    /// The key `order` with positions; its names are those of `kernel.order`.
    pub order: Option<Vec<Spanned<String>>>,
    /// Warnings, in the order of their positions.
    pub warnings: Diagnostics,
}

/// Asked what the data of a tensor say, with their source under `[data]`, and whether it is wrong that they
/// cannot be read.
pub type Ask<'a> = dyn FnMut(&str, Option<&data::DataSource>, bool) -> Option<DataHeader> + 'a;

/// Largest size of a kernel file in bytes, far above what a person or a script writes.
pub const MAX_BYTES: u64 = 1 << 16;

/// Most problems that are reported in full.
const MOST_PROBLEMS: usize = 100;

/// Codes that say something is missing or not used. After a syntax error they prove nothing.
const OF_ABSENCE: [&str; 8] = ["K003", "K013", "K014", "K015", "E002", "E012", "S101", "S103"];

/// Parses a kernel file: see [`super::parse`].
pub(super) fn parse(source: Arc<Source>, ask: &mut Ask<'_>) -> Result<KernelFile, Diagnostics> {
    let mut reader = Reader { source: source.clone(), problems: Vec::new(), warnings: Vec::new() };
    if source.text.len() as u64 > MAX_BYTES {
        return Err(vec![too_large(source.text.len() as u64).at(Place::Span(source, 0..0))]);
    }
    let (document, errors) = DeTable::parse_recoverable(&source.text);
    let mut bad_lines: Vec<Range<usize>> = Vec::new();
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        // Further errors of a line mostly come from skipping the first one.
        if bad_lines.last().is_some_and(|line| line.start <= span.start && span.end <= line.end) {
            continue;
        }
        bad_lines.push(line_around(&source.text, &span));
        let problem = reader.at("K001", span, format!("this is not TOML: {}", error.message().trim()));
        reader.report(problem);
    }
    if bad_lines.len() > MOST_PROBLEMS {
        // Hardly a kernel file: what it seems to say is not worth judging.
        return Err(shortened(reader.problems));
    }
    let file = read(&mut reader, document.get_ref(), ask);
    let mut problems = std::mem::take(&mut reader.problems);
    if !bad_lines.is_empty() {
        problems.retain(|problem| {
            problem.code == "K001"
                || !OF_ABSENCE.contains(&problem.code)
                    && !bad_lines.iter().any(|line| touches(problem.place.as_ref(), line))
        });
    }
    let told = |all: Diagnostics| all.into_iter().map(|d| in_words_of(&source.text, d)).collect();
    if problems.is_empty() {
        return Ok(KernelFile { warnings: shortened(by_place(told(reader.warnings))), ..file });
    }
    Err(shortened(by_place(told(problems))))
}

fn by_place(mut diagnostics: Diagnostics) -> Diagnostics {
    diagnostics.sort_by_key(|diagnostic| match &diagnostic.place {
        Some(Place::Span(_, span)) => span.start,
        _ => 0,
    });
    diagnostics
}

/// Returns the error for a kernel file of `bytes` bytes, more than [`MAX_BYTES`].
pub fn too_large(bytes: u64) -> Diagnostic {
    let message = format!("a kernel file has at most {MAX_BYTES} bytes, this one has {bytes}");
    Diagnostic::new("K017", message).help("put data into files of their own, and name these under [data]")
}

fn shortened(mut problems: Diagnostics) -> Diagnostics {
    if let Some(more) = problems.len().checked_sub(MOST_PROBLEMS).filter(|more| *more > 0) {
        problems.truncate(MOST_PROBLEMS);
        let severity = problems[0].severity;
        let what = if severity == Severity::Warning { "warnings" } else { "problems" };
        problems.push(Diagnostic { severity, ..Diagnostic::new("K018", format!("{more} more {what} in this file")) });
    }
    problems
}

fn line_around(text: &str, span: &Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    let start = bytes.iter().take(span.start).rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let end = bytes.iter().skip(span.end).position(|&b| b == b'\n').map_or(text.len(), |at| span.end + at);
    start..end
}

/// Whether a problem is on the line of a syntax error, or where the TOML reader made something up.
fn touches(place: Option<&Place>, line: &Range<usize>) -> bool {
    matches!(place, Some(Place::Span(_, span)) if span.is_empty() || span.start <= line.end && line.start <= span.end)
}

fn read(reader: &mut Reader, table: &DeTable<'_>, ask: &mut Ask<'_>) -> KernelFile {
    let mut sections = read_sections(reader, table);
    let stem = reader.source.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = match sections.name {
        Some((name, span)) => kernel_name::given(reader, name, span),
        None => kernel_name::of_file(&stem),
    };
    let mut kernel = Kernel { name, algebra: sections.algebra, ..Kernel::default() };
    let (mut updated, mut statements, mut shaped) = (Vec::new(), 0, HashSet::new());
    let (orders, schedules);
    let asks = (sections.order.take(), sections.schedule);
    if let Some(literal) = &sections.expr {
        let names: HashSet<_> = sections.outline.declarations.iter().map(|d| d.name.clone()).collect();
        // Those that were reported are functions all the same.
        let mut functions = table.get("functions").map(user::names).unwrap_or_default();
        functions.extend(sections.outline.functions.keys().cloned());
        let tables = asks.0.iter().map(|entry| entry.value).chain(asks.1);
        let begun = Syntax { algebra: kernel.algebra, asked: tables.flat_map(own::names).collect(), ..sections.bodies };
        let mut syntax = expression::parse(reader, literal, &sections.outline.declarations, &functions, begun);
        let tensor = |name: &str| names.contains(name) || syntax.statements.iter().any(|s| s.target.name == name);
        syntax.sized = sections.outline.dims.keys().filter(|name| !tensor(name)).cloned().collect();
        let mut temporaries = fibers::apply(reader, &mut syntax, &mut sections.outline.declarations);
        temporaries.extend(shape::declare_before(&syntax, &mut sections.outline.declarations));
        sections.outline.data = sections.data.iter().map(|(entry, _)| entry.name().to_owned()).collect();
        let sources = sections.data.iter().map(|(entry, _)| entry.name()).collect();
        versions(&mut syntax, &mut sections.outline.declarations, &sources);
        let data = &sections.data;
        let mut ask = |name: &str, needed: bool| {
            let source = data.iter().find(|(entry, _)| entry.name() == name);
            ask(name, source.and_then(|(_, source)| source.as_ref()), needed)
        };
        sections.outline.kept_reads = KeptReads::of(sections.repeat.as_ref(), sections.schedule);
        resolve(reader, &mut kernel, &syntax, &sections.outline, &mut ask);
        undeclared::note(&mut kernel, &sections.outline.declarations, &temporaries);
        (orders, schedules) = asked(reader, asks, &kernel);
        own::apply(reader, &mut kernel, (&syntax.unnamed, &syntax.seen), (&orders, &schedules));
        if reader.problems.is_empty() {
            symmetric::apply(reader, &mut kernel, &sections.outline.declarations);
        }
        if !reader.expression_is_wrong() && !kernel.statements.is_empty() {
            let all: Vec<usize> = (0..kernel.statements.len()).collect();
            let known = order::KnownNames::of(&kernel, &all, &syntax.unnamed);
            order::check(reader, known, (orders.all.as_ref(), &schedules.all.split), &schedules.all);
        }
        updated = syntax.updated().map(|(name, fun)| (name.to_owned(), reducing(fun))).collect();
        statements = syntax.statements.len();
        shaped = syntax.shaped;
    } else {
        (orders, schedules) = asked(reader, asks, &kernel);
    }
    if sections.expr.is_none() && table.get("expr").is_none() {
        let problem = reader.at("K003", 0..0, "the file has no `expr`");
        reader.report(problem.help("write a statement: `expr = \"y(i) = A(i,j) * x(j)\"`"));
    }
    let order = orders.all.map(Spanned::into_inner);
    kernel.order = order.as_ref().map(|order| order.iter().map(|name| name.get_ref().clone()).collect());
    kernel.schedule = schedules.all;
    kernel.division = sections.hardware.division;
    kernel.banks = sections.hardware.banks;
    if let Memory::Axi(options) = &sections.hardware.memory {
        (kernel.bus, kernel.room) = (true, options.on_chip);
        no_scatter(reader, &kernel);
        no_sharing(reader, &kernel);
        // Groups of coordinates come from memories on the chip only, and values are folded in them
        // only.
        let own = kernel.statements.iter_mut().filter_map(|s| s.own.schedule.as_mut());
        for schedule in own.chain([&mut kernel.schedule]) {
            schedule.wide.get_or_insert_default();
            schedule.scatter.get_or_insert_default();
        }
    }
    if let Some(section) = sections.repeat.filter(|_| reader.problems.is_empty()) {
        kernel.repeat = repeat::resolve(reader, &kernel, section);
        symmetric::carried(reader, &kernel, &sections.outline.declarations);
    }
    if reader.problems.is_empty() {
        linked::apply(reader, &mut kernel);
    }
    if reader.problems.is_empty() {
        fills::warn(reader, &kernel);
    }
    let mut data = keep_operands(reader, (&kernel, statements), &shaped, sections.data);
    for (name, fun) in updated {
        // A pruned result can have another fill, which nobody declared.
        let declared = sections.outline.declarations.iter().find(|d| d.name == name).and_then(|d| d.fill);
        let tensor = kernel.tensors.iter().find(|tensor| tensor.name == name);
        if let Some(begins) = tensor.and_then(|tensor| begins(declared, tensor.ty, fun)) {
            data.entry(name).or_insert(begins);
        }
    }
    KernelFile {
        kernel,
        source: reader.source.clone(),
        hardware: sections.hardware,
        data,
        dims: sections.outline.dims,
        order,
        warnings: Vec::new(),
    }
}

/// What the file asks of the order of loops and of the hardware, of all statements and of single
/// ones.
fn asked<'t>(
    reader: &mut Reader,
    (order, schedule): (Option<Entry<'t>>, Option<&'t Value<'t>>),
    kernel: &Kernel,
) -> (Orders, Schedules) {
    let results = own::results(reader, kernel);
    let results = results.as_deref();
    let orders = order.map(|entry| own::read_orders(reader, &entry, results));
    let schedules = schedule.map(|value| read_schedules(reader, value, results));
    (orders.unwrap_or_default(), schedules.unwrap_or_default())
}

/// What an update has for old values where there are no data: the declared fill, else what its function
/// begins with in numbers of type `ty`.
fn begins(fill: Option<u64>, ty: Type, fun: Fun) -> Option<data::DataSource> {
    match (fill, fun.identity(ty)) {
        (Some(_), _) | (None, Some(0)) => Some(data::DataSource::NOTHING),
        (None, identity) => identity.map(data::DataSource::Everywhere),
    }
}

/// Words of memory behind a bus are not folded where they are.
fn no_scatter(reader: &mut Reader, kernel: &Kernel) {
    for (name, _) in kernel.asked(|s| s.scatter.as_deref().unwrap_or_default()) {
        let what = format!(
            "nothing can be scattered into {}: scattering adds up in a memory on the chip, and this result is behind AXI",
            name.get_ref().escape_debug()
        );
        let problem = reader.at("S105", name.span(), what);
        reader.report(
            problem.help("leave it out of `scatter`: a reducer then adds up on the chip; or set `memory = \"ram\"`"),
        );
    }
}

/// Behind AXI each reader has a window of its own on a port that all share.
fn no_sharing(reader: &mut Reader, kernel: &Kernel) {
    let copies = kernel.asked(|s| &s.parallel).into_iter().map(|(entry, _)| entry);
    for (name, _) in copies.filter(|(_, copies)| copies.sharing.is_some()) {
        let what = format!(
            "copies of {} cannot share memories: arrays behind AXI are stored once anyway, and each reader has a window on them",
            name.get_ref().escape_debug()
        );
        let problem = reader.at("S106", name.span(), what);
        reader.report(problem.help("leave `memory` out of `parallel`; or set `memory = \"ram\"` under [hardware]"));
    }
}

/// Sources of tensors that are read; all others are reported, unless some of all the file's statements were
/// not understood. Those of tensors in `shaped`, of which shape operators read nothing, are left out.
fn keep_operands(
    reader: &mut Reader,
    (kernel, statements): (&Kernel, usize),
    shaped: &HashSet<String>,
    sources: Vec<(Entry<'_>, Option<data::DataSource>)>,
) -> BTreeMap<String, data::DataSource> {
    let mut kept = BTreeMap::new();
    let read: HashSet<&str> = kernel
        .statements
        .iter()
        .flat_map(|statement| kernel.reads(statement.value))
        .map(|(tensor, _)| kernel.tensor(tensor).name.as_str())
        .collect();
    let unresolved = reader.expression_is_wrong() || reader.function_is_wrong() || kernel.statements.len() < statements;
    for (entry, source) in sources {
        let name = entry.name();
        if read.contains(name) || unresolved {
            kept.extend(source.map(|source| (name.to_owned(), source)));
            continue;
        }
        let written = kernel.statements.iter().any(|statement| kernel.tensor(statement.result).name == name);
        if shaped.contains(name) && !written {
            continue;
        }
        let temporary = |name: &str| kernel.temporaries.iter().any(|t| kernel.tensor(*t).name == name);
        let mut known: Vec<_> = read.iter().copied().filter(|name| !temporary(name)).collect();
        known.sort_unstable();
        let message = if written {
            format!("tensor `{name}` is a result, it takes no data")
        } else {
            format!("data for `{}`, which no statement reads", name.escape_debug())
        };
        reader.unknown("K015", entry.key.span(), message, name, &known);
    }
    kept
}
