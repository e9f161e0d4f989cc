//! The benchmarks: `cargo run --release -p samhw-bench -- NAME`. What each measures and what was
//! measured: docs/benchmarks.md. Exit status: 0 all bounds hold, 1 one is missed, 2 the benchmark
//! could not run, 3 a tool is missing.

mod axi;
mod copies;
mod cycles;
mod estimates;
mod figures;
mod fusion;
mod kernel;
mod large;
mod plot;
mod programs;
mod shapes;
mod shared;
mod sizes;
mod skip;
mod speed;
mod structure;
mod table;
mod table1;
mod tiles;
mod tokens;
mod units;
mod vectors;
mod width;

use samhw_fpga::board::USUAL;
use std::path::PathBuf;
use std::process::ExitCode;

/// How a benchmark ended.
enum Verdict {
    /// All bounds hold (or what it needs is not there, and it said so).
    Good,
    /// This number of bounds are missed.
    Missed(usize),
    /// A tool is missing.
    NoTool(String),
}

impl Verdict {
    fn of(missed: usize) -> Self {
        if missed == 0 { Self::Good } else { Self::Missed(missed) }
    }
}

/// Name, what it measures, how it runs.
type Command = (&'static str, &'static str, fn() -> anyhow::Result<Verdict>);

const COMMANDS: [Command; 19] = [
    ("axi", "kernels behind AXI: what latency costs, what share of the bandwidth they use", axi::run_all),
    ("copies", "what copies of the graph and lanes gain, against what is wanted", copies::run),
    ("cycles", "cycles of kernels against their lower bounds and against the SAM simulator", cycles::run),
    (
        "estimates",
        "what `samhw estimate` says of twelve kernels against place and route; with a BOARD, on that",
        || estimates::run(USUAL),
    ),
    ("figures", "figures 11 to 13 of the SAM paper; with --svg FOLDER as charts too", figures::run),
    ("fusion", "the fused and-xor kernel against two kernels: figure 23", fusion::run),
    ("large", "ten million stored entries through the command line: time and memory", large::run),
    (
        "programs",
        "what programs gain by statements at the same time, lanes and fusion; with --svg FOLDER as charts too",
        programs::run,
    ),
    ("shapes", "shape operators fused with compute against storing what they make: figures 24 to 26", shapes::run),
    ("sizes", "ECP5 cells of every primitive against their limits; with a word, of those that have it", sizes::run),
    ("skip", "cycles with skipping against those without, and against SAM's bounds", skip::run),
    ("speed", "speed of the engines and of generation", speed::run),
    (
        "structure",
        "blocks, runs and masks against the same values without; with --svg FOLDER as a chart too",
        structure::run,
    ),
    (
        "units",
        "size and clock of units of arithmetic on ECP5; with a word, of those that have it; with `cycles`, those of programs",
        || units::run(""),
    ),
    ("vectors", "vector products in every configuration against SAM's figure 13", vectors::run),
    (
        "tiles",
        "SpM*SpM tile by tile, figure 15 of the SAM paper; with --svg FOLDER [ENTRIES] as a chart too, of at most this number",
        tiles::run,
    ),
    (
        "tokens",
        "what streams carry, with SAM's shares: figure 14 of the SAM paper; with --svg FOLDER as a chart too",
        tokens::run,
    ),
    (
        "width",
        "work a cycle of lanes, copies, windows and managers, and what is published; with --svg FOLDER as charts too",
        width::run,
    ),
    ("table1", "primitives per kernel against SAM's Table 1", table1::run),
];

fn main() -> ExitCode {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    let run: Box<dyn FnOnce() -> anyhow::Result<Verdict>> = if let ["figures", "--svg", folder] = words[..] {
        let folder = PathBuf::from(folder);
        Box::new(move || figures::draw(Some(&folder)))
    } else if let ["structure", "--svg", folder] = words[..] {
        let folder = PathBuf::from(folder);
        Box::new(move || structure::draw(Some(&folder)))
    } else if let ["width", "--svg", folder] = words[..] {
        let folder = PathBuf::from(folder);
        Box::new(move || width::draw(Some(&folder)))
    } else if let ["programs", "--svg", folder] = words[..] {
        let folder = PathBuf::from(folder);
        Box::new(move || programs::draw(Some(&folder)))
    } else if let ["tokens", "--svg", folder] = words[..] {
        let folder = PathBuf::from(folder);
        Box::new(move || tokens::draw(Some(&folder)))
    } else if let ["estimates", board] = words[..] {
        let board = board.to_string();
        Box::new(move || estimates::run(&board))
    } else if let ["units", only] = words[..] {
        let only = only.to_string();
        Box::new(move || units::run(&only))
    } else if let ["sizes", only] = words[..] {
        let only = only.to_string();
        Box::new(move || sizes::measure(&only))
    } else if let ["tiles", "--svg", folder, ref most @ ..] = words[..]
        && let Some(most) = tiles::most(most)
    {
        let folder = PathBuf::from(folder);
        Box::new(move || tiles::draw(Some(&folder), most))
    } else if let Some(command) = COMMANDS.iter().find(|c| words == [c.0]) {
        Box::new(command.2)
    } else {
        eprintln!("usage: samhw-bench NAME, with one of");
        for (name, what, _) in COMMANDS {
            eprintln!("  {name:<9} {what}");
        }
        return ExitCode::from(2);
    };
    match run() {
        Ok(Verdict::Good) => ExitCode::SUCCESS,
        Ok(Verdict::Missed(n)) => {
            println!("{n} missed");
            ExitCode::from(1)
        }
        Ok(Verdict::NoTool(why)) => {
            eprintln!("{why}");
            ExitCode::from(3)
        }
        Err(e) => {
            eprintln!("{e:#}");
            ExitCode::from(2)
        }
    }
}
