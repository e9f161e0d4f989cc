//! The flow from sources in a folder to a bitstream and its report.

use crate::board::{Board, Family};
use crate::cells::{Owners, Resources, count};
use crate::constraints;
use crate::design::Kernel;
use crate::report::{Report, Used, shares, too_large};
use crate::steps::{NETLIST, SCRIPT, Step, TIMING, bitstream, script, steps};
use crate::timing;
use crate::tools::{self, Ended, Program};
use crate::top;
use samhw_compiler::diag::{Diagnostic, Place};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Options of the flow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The required clock frequency in MHz; by default the board's.
    pub mhz: Option<f64>,
    /// Seed of place and route.
    pub seed: u64,
}

/// The reason why there is no bitstream.
#[derive(Debug)]
pub enum Failure {
    /// An error message, and the report if the flow reached it.
    Told(Box<Diagnostic>, Option<Box<Report>>),
    /// The flow was cancelled.
    Cancelled,
}

impl From<Diagnostic> for Failure {
    fn from(d: Diagnostic) -> Self {
        Self::Told(Box::new(d), None)
    }
}

/// An observer of the flow's progress.
pub trait Watch {
    /// Reports the start of step `number` of `of`.
    fn step(&mut self, number: usize, of: usize, title: &str);
    /// Reports the last line of the program's output.
    fn line(&mut self, text: &str);
}

/// Returns the error for a file of the design that cannot be accessed.
pub fn cannot(what: &str, path: &Path, e: &std::io::Error) -> Diagnostic {
    Diagnostic::new("F005", format!("cannot {what}: {e}"))
        .at(Place::File(path.into(), None))
        .help("see that the folder can be written and the disk has room")
}

/// Returns all source files of the flow, with names without folder.
pub fn sources(kernel: &Kernel, board: &Board, options: Options) -> Vec<(String, String)> {
    let mut files = top::verilog(kernel, board);
    let names: Vec<String> = files.iter().map(|(n, _)| n.clone()).collect();
    let (pins, text) = constraints::file(board);
    files.push((pins.to_string(), text));
    files.push((SCRIPT.into(), script(&format!("{}_board", kernel.name), &names, &BTreeMap::new(), board)));
    files.push((format!("{}.json", kernel.name), kernel.manifest.to_json()));
    let steps = commands(kernel, board, options);
    files.push(("Makefile".into(), crate::make::file(kernel, board, &names, &steps)));
    files.push((format!("{}.core", kernel.name), crate::fusesoc::board_core(kernel, board, &names)));
    files
}

fn commands(kernel: &Kernel, board: &Board, options: Options) -> [Step; 3] {
    let mhz = options.mhz.unwrap_or(board.clock.mhz);
    steps(&kernel.name, board, constraints::file(board).0, mhz, options.seed)
}

/// A flow on its way: what its steps have in common.
struct Flow<'a> {
    kernel: &'a Kernel,
    board: &'a Board,
    dir: &'a Path,
    cancel: &'a AtomicBool,
    watch: &'a mut dyn Watch,
    of: usize,
}

impl Flow<'_> {
    /// Runs step `n`; how its program ended and what it printed if it failed.
    fn step(&mut self, n: usize, step: &Step, program: &Program) -> Result<Option<(String, String)>, Failure> {
        self.watch.step(n, self.of, step.title);
        let watch = &mut self.watch;
        let log = format!("step{n}.log");
        let ended = tools::run(&program.path, &step.args, self.dir, &log, self.cancel, &mut |l| watch.line(l))
            .map_err(|e| cannot(&format!("run {}", program.path.display()), self.dir, &e))?;
        room(self.dir, if let Ended::Failed(_, text) = &ended { text } else { "" })?;
        match ended {
            Ended::Cancelled => Err(Failure::Cancelled),
            Ended::Well if fs::metadata(self.dir.join(&step.writes)).is_ok_and(|m| m.len() > 0) => Ok(None),
            Ended::Well => Ok(Some((format!("it wrote no {}", step.writes), String::new()))),
            Ended::Failed(how, text) => Ok(Some((how, text))),
        }
    }

    /// File `name` that `program` wrote in `step`.
    fn read(&self, name: &str, step: &Step, program: &Program) -> Result<String, Diagnostic> {
        fs::read_to_string(self.dir.join(name))
            .map_err(|e| broken(step, program, &format!("what it wrote to {name} cannot be read: {e}"), ""))
    }

    /// Step 0: resources by primitive.
    fn synthesis(&mut self, step: &Step, program: &Program) -> Result<BTreeMap<String, Resources>, Failure> {
        if let Some((how, text)) = self.step(0, step, program)? {
            return Err(broken(step, program, &how, &text).into());
        }
        let text = self.read(NETLIST, step, program)?;
        let json = serde_json::from_str(&text).map_err(|e| broken(step, program, &e.to_string(), ""))?;
        let top = format!("{}_board", self.kernel.name);
        Ok(count(self.board.family(), &json, &top, &Owners::new(self.kernel, INSIDE)))
    }
}

/// Where `NAME_ram` is in a board design.
const INSIDE: &str = "u_uart.u_ram.";

/// Runs synthesis alone in `dir`, which contains the [`sources`]; returns resources by primitive, and the program's
/// version.
pub fn synthesise(
    kernel: &Kernel,
    board: &Board,
    dir: &Path,
    cancel: &AtomicBool,
    watch: &mut dyn Watch,
) -> Result<(BTreeMap<String, Resources>, String), Failure> {
    let steps = commands(kernel, board, Options { mhz: None, seed: 1 });
    let program = tools::find(steps[0].tool)?;
    let counts = Flow { kernel, board, dir, cancel, watch, of: 1 }.synthesis(&steps[0], &program)?;
    Ok((counts, program.version))
}

/// Builds a bitstream in `dir`, which contains the [`sources`]. Everything the programs write stays there, whatever
/// happens; it is the caller's to keep or remove.
pub fn build(
    kernel: &Kernel,
    board: &Board,
    options: Options,
    dir: &Path,
    cancel: &AtomicBool,
    watch: &mut dyn Watch,
) -> Result<Report, Failure> {
    let steps = commands(kernel, board, options);
    // A missing tool is told before any work is done.
    let programs: Vec<Program> = steps.iter().map(|s| tools::find(s.tool)).collect::<Result<_, _>>()?;
    let [synth, place, pack] = &steps;
    let mut flow = Flow { kernel, board, dir, cancel, watch, of: steps.len() };
    let counts = flow.synthesis(synth, &programs[0])?;
    fits(kernel, board, &counts)?;
    if let Some((how, text)) = flow.step(1, place, &programs[1])? {
        let over = overused(board.family(), &text);
        return Err(if over.is_empty() {
            broken(place, &programs[1], &how, &text).into()
        } else {
            too_large(kernel, board, &over, &counts).into()
        });
    }
    let owners = Owners::new(kernel, INSIDE);
    let timing = timing::read(board.family(), &flow.read(TIMING, place, &programs[1])?, &owners)
        .map_err(|e| broken(place, &programs[1], &format!("its report: {e}"), ""))?;
    let clock_mhz = options.mhz.unwrap_or(board.clock.mhz);
    let meets_clock = timing.fmax_mhz >= clock_mhz;
    let used = steps.iter().zip(&programs);
    let report = Report {
        kernel: kernel.name.clone(),
        board: board.name.clone(),
        seed: options.seed,
        clock_mhz,
        meets_clock,
        timing,
        nodes: shares(&counts, |n| owners.kind(n).to_string()),
        bitstream: meets_clock.then(|| bitstream(&kernel.name, board)),
        tools: used.map(|(s, p)| Used { tool: s.tool.name.into(), version: p.version.clone() }).collect(),
    };
    if !meets_clock {
        return Err(Failure::Told(Box::new(report.missed(kernel)), Some(Box::new(report))));
    }
    match flow.step(2, pack, &programs[2])? {
        Some((how, text)) => Err(broken(pack, &programs[2], &how, &text).into()),
        None => Ok(report),
    }
}

/// Memories and multipliers do not share: what is there is known exactly before placing.
fn fits(kernel: &Kernel, board: &Board, counts: &BTreeMap<String, Resources>) -> Result<(), Diagnostic> {
    let mut all = Resources::default();
    for r in counts.values() {
        all += *r;
    }
    let each = [("LUTs", all.luts, board.has.luts), ("block RAMs", all.brams, board.has.brams)];
    let over: Vec<(&str, u64, u64)> = each.into_iter().filter(|(_, used, has)| used > has).collect();
    if over.is_empty() { Ok(()) } else { Err(too_large(kernel, board, &over, counts)) }
}

/// Resources of which nextpnr's log says that more are used than there are.
fn overused(family: Family, log: &str) -> Vec<(&'static str, u64, u64)> {
    let mut out: Vec<(&'static str, u64, u64)> = Vec::new();
    for line in log.lines() {
        let Some((name, counts)) = line.trim_start_matches("Info:").trim().split_once(':') else { continue };
        let mut numbers =
            counts.split(['/', '%']).flat_map(|w| w.split_whitespace()).filter_map(|w| w.parse::<u64>().ok());
        let (Some(used), Some(has), Some(resource)) =
            (numbers.next(), numbers.next(), timing::resource(family, name.trim()))
        else {
            continue;
        };
        if used > has && !out.iter().any(|(r, _, _)| *r == resource) {
            out.push((resource, used, has));
        }
    }
    out
}

/// What is written to see whether there is room for more.
const PROBE: [u8; 1 << 14] = [0; 1 << 14];

/// That the disk of folder `dir` has room, where a program has just ended that printed `text`. Not every
/// program says, or even notices, that its file ends where the disk did.
fn room(dir: &Path, text: &str) -> Result<(), Diagnostic> {
    let path = dir.join("room");
    let probed = fs::write(&path, PROBE);
    // What could not be written whole is there in part.
    let _ = fs::remove_file(&path);
    probed.map_err(|e| cannot("write", dir, &e))?;
    let text = text.to_lowercase();
    match ["no space left on device", "file too large", "disk quota exceeded"].iter().find(|s| text.contains(**s)) {
        Some(said) => Err(cannot("write", dir, &std::io::Error::other(*said))),
        None => Ok(()),
    }
}

/// A program did not do its work: how it ended, and what it printed.
fn broken(step: &Step, program: &Program, how: &str, text: &str) -> Diagnostic {
    let mut said: Vec<&str> = text.lines().filter(|l| l.contains("ERROR") || l.contains("Error")).collect();
    if said.is_empty() {
        said = text.lines().filter(|l| !l.trim().is_empty()).collect();
    }
    let (path, version) = (program.path.display(), &program.version);
    let d = Diagnostic::new("R002", format!("{} failed: {path} ({version}): {how}", step.title));
    said.iter().rev().take(3).rev().fold(d, |d, l| d.help(format!("it said: {}", l.trim())))
}
