//! `samhw explore`: loop orders, formats and schedules of a kernel, measured on its data, by time and by share of a board.

mod measure;
mod plot;
mod search;
mod space;
mod variant;

use crate::progress::Progress;
use crate::staging::Staging;
use crate::{Failure, input, output};
use measure::{Bench, Point};
use samhw_compiler::data::ValuePolicy;
use samhw_compiler::diag::{self, Diagnostic};
use samhw_fpga::board;
use samhw_fpga::estimate::table;
use search::{Found, search};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use variant::Variant;

/// What is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Axis {
    /// Loop orders
    Orders,
    /// Dense and compressed levels
    Formats,
    /// Copies, lanes, skipping, wide joins, bit vectors, tiles, locating, scattering
    Schedules,
}

/// Try orders, formats and schedules on a kernel's data; show those that no other beats in both time and size
#[derive(Debug, clap::Args)]
pub struct ExploreArgs {
    /// Kernel file
    kernel: PathBuf,
    /// Board
    #[arg(long, default_value = samhw_fpga::board::USUAL)]
    board: String,
    /// Data of an operand: NAME=FILE; may be repeated
    #[arg(long, value_name = "NAME=FILE")]
    tensor: Vec<String>,
    /// What may differ from the kernel file
    #[arg(long, value_enum, value_delimiter = ',', default_value = "orders,formats,schedules")]
    vary: Vec<Axis>,
    /// Variants to measure, about
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    most: u32,
    /// Folder for the front's kernel files (NAME_1.toml ..), explore.json and explore.svg
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Report as one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn main(args: &ExploreArgs) -> Result<(), Failure> {
    let board = board::find(&args.board)?;
    let file = input::kernel(&args.kernel)?;
    let table = table(board.family())?;
    let sources = input::tensors(&args.tensor, ValuePolicy::default())?;
    // What cannot be written is known before the search.
    let staging = args.out.as_deref().map(Staging::new).transpose()?;
    let bench = Bench { path: args.kernel.clone(), sources, board: &board, table: &table };
    let found = {
        let progress = Progress::start(|n, _| format!("exploring: {n} variants tried"));
        search(&bench, &file, &args.vary, args.most as usize, &progress)?
    };
    let name = &file.kernel.name;
    let report = as_json(name, &board.name, &found, &file.warnings);
    if let Some(staging) = staging {
        let title = format!("{name} on {}", board.name);
        let mut files = front(&found, name, &file.source.text, &args.kernel)?;
        files.push(("explore.json".into(), format!("{report:#}\n")));
        files.push(("explore.svg".into(), plot::svg(&title, &found, &board.name)));
        staging.write(&files)?;
        staging.publish("explore", files.iter().map(|f| f.0.as_str()))?;
    }
    output::print(&if args.json { report.to_string() } else { text(name, &board.name, &found) })
}

/// Kernel files of the front. Their data files are where they were.
fn front(found: &Found, name: &str, text: &str, path: &Path) -> Result<Vec<(String, String)>, Failure> {
    let folder = std::path::absolute(path).ok().and_then(|p| p.parent().map(Path::to_path_buf));
    let file = |(k, &n): (usize, &usize)| {
        Ok((format!("{name}_{}.toml", k + 1), found.all[n].0.apply(text, folder.as_deref())?))
    };
    found.front.iter().enumerate().map(file).collect()
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
        "points": points.collect::<Vec<_>>(),
        "warnings": diag::json(warnings),
    })
}

fn text(name: &str, board: &str, found: &Found) -> String {
    let refused: usize = found.refused.values().sum();
    let mut out = format!(
        "kernel      {name} on {board}\ntried       {}: {} work, {refused} are refused, {} take too many cycles\n",
        found.tried(),
        found.all.len(),
        found.slow
    );
    if found.cut {
        out += "            there is more to try: --most N\n";
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
