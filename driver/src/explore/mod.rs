//! `samhw explore`: measures loop orders, formats and schedules of a kernel on its data, by time and by share of a
//! board.

mod measure;
mod plot;
mod search;
mod space;
mod variant;

use crate::kernel::Sources;
pub use measure::Goal;
use measure::{Bench, Point};
use samhw_compiler::diag::{self, Diagnostic, Diagnostics};
use samhw_compiler::frontend::KernelFile;
use samhw_fpga::board;
use samhw_fpga::estimate::table;
use samhw_sim::native::Watched;
use search::{Found, search};
use serde_json::{Value, json};
use variant::Variant;

/// A dimension of the search space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Loop orders.
    Orders,
    /// Dense and compressed levels.
    Formats,
    /// Copies, lanes, skipping, wide joins, bit vectors, tiles, locating and scattering.
    Schedules,
}

/// The plan of a search.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The board whose resources are counted, and whose clock is used if the goal has a board.
    pub board: String,
    /// The objectives of the search.
    pub goal: Goal,
    /// The dimensions that the search may change.
    pub axes: Vec<Axis>,
    /// Approximate number of variants to measure.
    pub most: usize,
}

/// Name that selects no board.
pub const NO_BOARD: &str = "none";

impl Plan {
    /// Creates a plan for a board, or, with [`NO_BOARD`], for cycles and `size`.
    pub fn new(board: &str, size: Goal, axes: Vec<Axis>, most: usize) -> Result<Self, Diagnostics> {
        if board == NO_BOARD {
            return Ok(Self { board: board::USUAL.into(), goal: size, axes, most });
        }
        Ok(Self { board: board::find(board)?.name, goal: Goal::Board, axes, most })
    }
}

/// The result of a search.
pub struct Explored {
    file: KernelFile,
    plan: Plan,
    found: Found,
}

/// Searches from a kernel file as it is written and counts variants in `watched`.
pub fn explore(file: KernelFile, sources: Sources, plan: Plan, watched: &Watched) -> Result<Explored, Diagnostics> {
    let board = board::find(&plan.board)?;
    let table = table(board.family())?;
    let bench = Bench { path: file.source.path.clone(), sources, board: &board, table: &table, goal: plan.goal };
    let found = search(&bench, &file, &plan.axes, plan.most, watched)?;
    Ok(Explored { file, plan, found })
}

impl Explored {
    /// Returns the kernel files of the Pareto front, the report and its drawing. Data files are where they were.
    pub fn files(&self) -> Result<Vec<(String, String)>, Diagnostics> {
        let source = &self.file.source;
        let folder = std::path::absolute(&source.path).ok().and_then(|p| p.parent().map(|p| p.to_path_buf()));
        let name = &self.file.kernel.name;
        let file = |(k, &n): (usize, &usize)| {
            Ok((format!("{name}_{}.toml", k + 1), self.found.all[n].0.apply(&source.text, folder.as_deref())?))
        };
        let mut files: Vec<_> = self.found.front.iter().enumerate().map(file).collect::<Result<_, Diagnostics>>()?;
        files.push(("explore.json".into(), format!("{:#}\n", self.json())));
        let title = if self.plan.goal == Goal::Board { format!("{name} on {}", self.plan.board) } else { name.clone() };
        files.push(("explore.svg".into(), plot::svg(&title, &self.found, self.plan.goal, &self.plan.board)));
        Ok(files)
    }

    /// Returns the report as JSON.
    pub fn json(&self) -> Value {
        as_json(&self.file.kernel.name, self.board(), &self.found, &self.file.warnings)
    }

    /// Returns the report as text.
    pub fn text(&self) -> String {
        text(&self.file.kernel.name, self.board(), &self.found)
    }

    /// The board, or [`NO_BOARD`].
    fn board(&self) -> &str {
        if self.plan.goal == Goal::Board { &self.plan.board } else { NO_BOARD }
    }
}

fn as_json(name: &str, board: &str, found: &Found, warnings: &[Diagnostic]) -> Value {
    let points = found.all.iter().enumerate().map(|(n, (variant, p))| {
        json!({
            "what": variant.to_string(),
            "front": found.front.iter().position(|&f| f == n).map(|k| k + 1),
            "cycles": p.cycles,
            "mhz": p.mhz,
            "micros": p.micros(),
            "luts": p.takes.luts,
            "ffs": p.takes.ffs,
            "brams": p.takes.brams,
            "dsps": p.takes.dsps,
            "share": p.share,
            "order": p.order,
            "unknown": p.unknown,
        })
    });
    json!({
        "kernel": name,
        "board": board,
        "tried": found.tried(),
        "refused": found.refused,
        "slow": found.slow,
        "complete": !found.cut,
        "fits": found.fits,
        "points": points.collect::<Vec<_>>(),
        "warnings": diag::json(warnings),
    })
}

fn text(name: &str, board: &str, found: &Found) -> String {
    let refused: usize = found.refused.values().sum();
    let on = if board == NO_BOARD { String::new() } else { format!(" on {board}") };
    let mut out = format!(
        "kernel      {name}{on}\ntried       {}: {} work, {refused} are refused, {} take too many cycles\n",
        found.tried(),
        found.all.len(),
        found.slow
    );
    if found.cut {
        out += "            more variants exist: --most N\n";
    }
    if !found.fits {
        out += &format!("            nothing fits {board}; below is the front of designs that do not fit\n");
    }
    out += &format!(
        "\n{:>3} {:>12} {:>6} {:>12} {:>7} {:>7} {:>5} {:>5} {:>6}  {}\n",
        "", "cycles", "MHz", "us", "LUTs", "FFs", "RAMs", "mults", "share", "what"
    );
    let row = |mark: String, variant: &Variant, p: &Point| {
        let unknown = if p.unknown.is_empty() { "" } else { "  (not all is calibrated)" };
        format!(
            "{mark:>3} {:>12} {:>6.1} {:>12.1} {:>7} {:>7} {:>5} {:>5} {:>4.0} %  {variant}{unknown}\n",
            p.cycles,
            p.mhz,
            p.micros(),
            p.takes.luts,
            p.takes.ffs,
            p.takes.brams,
            p.takes.dsps,
            p.share * 100.0
        )
    };
    for (k, &n) in found.front.iter().enumerate() {
        out += &row((k + 1).to_string(), &found.all[n].0, &found.all[n].1);
    }
    if !found.front.contains(&0) {
        out += &row("-".into(), &found.all[0].0, &found.all[0].1);
    }
    out
}
