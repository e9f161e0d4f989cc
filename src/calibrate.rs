//! `samhw calibrate`: measures kernels and primitives by synthesis and fits the table that `samhw estimate` uses.

use crate::fpga::{Shown, emitted};
use crate::interrupt::Heed;
use crate::{Failure, output};
use samhw_compiler::diag::{Diagnostic, Place};
use samhw_compiler::emit::fingerprint;
use samhw_driver::content::content;
use samhw_driver::design::kernel;
use samhw_fpga::alone::{Item, items, synthesise};
use samhw_fpga::board::USUAL;
use samhw_fpga::estimate::{Clocked, Row, alone, calibrate, clocked, exceptions, row, rows, table};
use samhw_fpga::{self as fpga, Board, Options, board};
use samhw_primitives::library::closure;
use samhw_system::{Scratch, replace};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// Payloads' widths, in turn, with which a primitive is measured alone.
const WIDTHS: [&[u32]; 3] = [&[16], &[32], &[8, 20]];

/// Measure kernels by synthesis and fit the model of `samhw estimate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  samhw calibrate examples/*.toml --board icebreaker -o ice40.json")]
pub struct CalibrateArgs {
    /// Kernel files to measure. A kernel in the file of measurements is measured again only if its
    /// primitives have changed
    kernels: Vec<PathBuf>,
    /// Board to measure on; the table is for its family
    #[arg(long, default_value = USUAL)]
    board: String,
    /// Also place and route, for the clock; this takes far longer
    #[arg(long)]
    place: bool,
    /// Also measure single primitives: those of `samhw primitives` whose names contain this
    #[arg(long, value_name = "NAME")]
    alone: Option<String>,
    /// File of measurements
    #[arg(long, default_value = "measurements.jsonl")]
    rows: PathBuf,
    /// File for the table [default: FAMILY.json]
    #[arg(short, long)]
    out: Option<PathBuf>,
}

/// The board's clock does not matter here.
const OPTIONS: Options = Options { mhz: Some(1.0), seed: 1 };

/// A line of the file of measurements.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Row(Row),
    Clock(Clocked),
    Tools {
        tools: String,
        #[serde(default = "usual")]
        board: String,
    },
}

fn usual() -> String {
    USUAL.into()
}

impl Line {
    /// Whether it is of this kernel on this board.
    fn of(&self, name: &str, board: &Board) -> bool {
        match self {
            Self::Row(r) => r.kernel == name && r.board == board.name,
            Self::Clock(c) => c.kernel == name && c.board == board.name,
            Self::Tools { .. } => false,
        }
    }
}

/// The file of measurements.
struct Measurements {
    path: PathBuf,
    lines: Vec<Line>,
}

impl Measurements {
    /// What is in it of `kernel`, if its primitives are still as they were then.
    fn known(&self, kernel: &str, board: &Board, clock: bool) -> bool {
        let of: Vec<&Line> = self.lines.iter().filter(|l| l.of(kernel, board)).collect();
        let made = makeup(of.iter().copied());
        let current = |l: &&Line| !matches!(l, Line::Row(r) if r.verilog != content(&r.module));
        let wanted = |l: &&Line| !clock || matches!(l, Line::Clock(c) if c.verilog == made);
        of.iter().all(current) && of.iter().any(wanted)
    }

    /// Puts what was measured of `kernel` on `board` in the place of what was; of its clock the last that is known stays.
    fn put(&mut self, kernel: &str, board: &Board, fresh: Vec<Line>) -> Result<(), Failure> {
        let timed = fresh.iter().any(|l| matches!(l, Line::Clock(_)));
        self.lines.retain(|l| !l.of(kernel, board) || (!timed && matches!(l, Line::Clock(_))));
        for line in fresh {
            // Of primitives that are alike there are several rows: the sums over a kernel are looked at, too.
            if !matches!(line, Line::Tools { .. }) || !self.lines.contains(&line) {
                self.lines.push(line);
            }
        }
        let text: String = self.lines.iter().map(|l| serde_json::to_string(l).unwrap_or_default() + "\n").collect();
        replace(&self.path, |out| out.write_all(text.as_bytes())).map_err(|e| cannot(&self.path, &e))
    }
}

/// Tells the primitives of a kernel, whose lines these are, from those of another day.
fn makeup<'a>(lines: impl Iterator<Item = &'a Line>) -> String {
    let texts = lines.filter_map(|l| if let Line::Row(r) = l { Some(r.verilog.bytes()) } else { None });
    format!("{:016x}", fingerprint(texts.flatten()))
}

/// Runs the command.
pub fn main(args: &CalibrateArgs) -> Result<(), Failure> {
    let heed = Heed::new();
    let board = board::find(&args.board)?;
    let mut known = Measurements { path: args.rows.clone(), lines: read(&args.rows)? };
    for path in &args.kernels {
        of_kernel(args, &board, path, &mut known, &heed)?;
    }
    for item in items()?.iter().filter(|i| args.alone.as_ref().is_some_and(|name| i.name.contains(name.as_str()))) {
        for widths in WIDTHS {
            of_primitive(args, &board, item, widths, &mut known, &heed)?;
        }
    }
    let (mut all, mut clocks, mut tools) = (Vec::new(), Vec::new(), Vec::new());
    let family = |name: &str| board::find(name).is_ok_and(|b| b.family() == board.family());
    for line in known.lines {
        match line {
            Line::Row(r) if family(&r.board) => all.push(r),
            Line::Clock(c) if family(&c.board) => clocks.push(c),
            Line::Tools { tools: t, board } if family(&board) => tools.push(t),
            _ => {}
        }
    }
    tools.retain(|t| !t.is_empty());
    let current: Vec<Row> = all.iter().filter(|r| r.verilog == content(&r.module)).cloned().collect();
    for exception in exceptions(&current) {
        output::complain(&exception);
    }
    let table = calibrate(&all, &clocks, tools, &content, table(board.family())?);
    // Names and finite numbers: nothing in it can fail to be written.
    let text = serde_json::to_string_pretty(&table).unwrap_or_default() + "\n";
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.json", board.family().name())));
    replace(&out, |file| file.write_all(text.as_bytes())).map_err(|e| cannot(&out, &e))?;
    let clocks: usize = table.clocks.values().map(|c| c.seen).sum();
    output::print(&format!("{}: {} modules, {clocks} clocks", out.display(), table.modules.len()))
}

fn of_kernel(
    args: &CalibrateArgs,
    board: &Board,
    path: &Path,
    known: &mut Measurements,
    heed: &Heed,
) -> Result<(), Failure> {
    let kernel = kernel(&emitted(path)?)?;
    if known.known(&kernel.name, board, args.place) {
        return Ok(());
    }
    output::note(&format!("measuring {}", kernel.name));
    let scratch = scratch(&args.rows, &fpga::sources(&kernel, board, OPTIONS))?;
    let (dir, flag, mut shown) = (scratch.path(), heed.flag(), Shown::new());
    let mut fresh: Vec<Line> = Vec::new();
    if args.place {
        let report = fpga::build(&kernel, board, OPTIONS, dir, flag, &mut shown).map_err(told)?;
        let counts = report.nodes.iter().map(|n| (n.node.clone(), n.resources)).collect();
        fresh.extend(rows(&kernel, board, &counts, &content).into_iter().map(Line::Row));
        fresh.push(Line::Clock(clocked(&kernel, board, &report, makeup(fresh.iter()))));
        // What packs the bits has no say in their number.
        fresh.extend(
            report.tools.iter().take(2).map(|t| Line::Tools { tools: brief(&t.version), board: board.name.clone() }),
        );
    } else {
        let (counts, version) = fpga::synthesise(&kernel, board, dir, flag, &mut shown).map_err(told)?;
        fresh.extend(rows(&kernel, board, &counts, &content).into_iter().map(Line::Row));
        fresh.push(Line::Tools { tools: brief(&version), board: board.name.clone() });
    }
    known.put(&kernel.name, board, fresh)
}

fn of_primitive(
    args: &CalibrateArgs,
    board: &Board,
    item: &Item,
    widths: &[u32],
    known: &mut Measurements,
    heed: &Heed,
) -> Result<(), Failure> {
    let name = alone(&item.name, widths);
    if known.known(&name, board, false) {
        return Ok(());
    }
    output::note(&format!("measuring {name}"));
    let files: Vec<(String, String)> =
        closure([item.module.as_str()]).iter().map(|s| (format!("{}.v", s.name), s.text.to_string())).collect();
    let scratch = scratch(&args.rows, &[])?;
    let (taken, _, version) = synthesise(item, board, widths, &files, scratch.path(), heed.flag()).map_err(told)?;
    let measured = row(item, board, widths, taken, content(&item.module));
    known.put(
        &name,
        board,
        vec![Line::Row(measured), Line::Tools { tools: brief(&version), board: board.name.clone() }],
    )
}

/// A folder next to the file of measurements with these files.
fn scratch(rows: &Path, files: &[(String, String)]) -> Result<Scratch, Failure> {
    let dir = rows.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let made = Scratch::new(dir, ".samhw-").and_then(|scratch| {
        files.iter().try_for_each(|(name, text)| scratch.write(name, text))?;
        Ok(scratch)
    });
    made.map_err(|e| cannot(rows, &e))
}

/// A version without what its program was compiled with, which stands behind a comma.
fn brief(version: &str) -> String {
    match version.split_once(", ") {
        Some((version, _)) if version.contains('(') => format!("{version})"),
        _ => version.into(),
    }
}

fn told(f: fpga::Failure) -> Failure {
    match f {
        fpga::Failure::Cancelled => Failure::Interrupted,
        fpga::Failure::Told(d, _) => (*d).into(),
    }
}

fn read(path: &Path) -> Result<Vec<Line>, Failure> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(path).map_err(|e| cannot(path, &e))?;
    let line = |(n, l)| {
        serde_json::from_str(l).map_err(|e| {
            Diagnostic::new("F020", format!("this is not a measurement: {e}"))
                .at(Place::File(path.into(), Some(n + 1)))
                .help("remove the line, or the file")
                .into()
        })
    };
    text.lines().enumerate().map(line).collect()
}

fn cannot(path: &Path, e: &std::io::Error) -> Failure {
    fpga::flow::cannot("read or write measurements", path, e).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(verilog: &str) -> Line {
        let module = "samhw_zip".to_string();
        let (kernel, board, parameters) = ("k".into(), USUAL.into(), Default::default());
        let (luts, ffs, blocks, unit, verilog) = (1, 1, None, None, verilog.into());
        Line::Row(Row { kernel, board, module, parameters, luts, ffs, blocks, unit, verilog, alone: false })
    }

    #[test]
    fn a_clock_stays_and_is_measured_again_when_primitives_are_others() {
        let dir = std::env::temp_dir().join(format!("samhw-calibrate-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let mut known = Measurements { path: dir.join("rows.jsonl"), lines: vec![] };
        let board = board::find(USUAL).unwrap();
        let today = content("samhw_zip");
        let placed = |verilog: &str| {
            let row = measured(verilog);
            let clock = Clocked {
                kernel: "k".into(),
                board: USUAL.into(),
                period_ns: 8.0,
                verilog: makeup([&row].into_iter()),
            };
            vec![row, Line::Clock(clock)]
        };
        known.put("k", &board, placed("of another day")).ok().unwrap();
        assert!(!known.known("k", &board, false), "the primitive is another one now");
        known.put("k", &board, vec![measured(&today)]).ok().unwrap();
        assert!(known.known("k", &board, false));
        assert!(known.lines.iter().any(|l| matches!(l, Line::Clock(_))), "the clock that was known is gone");
        assert!(!known.known("k", &board, true), "that clock was of the other primitive");
        known.put("k", &board, placed(&today)).ok().unwrap();
        assert!(known.known("k", &board, true));
        assert!(read(&known.path).ok().unwrap() == known.lines);
        fs::remove_dir_all(dir).unwrap();
    }
}
