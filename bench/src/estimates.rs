//! Estimates of `samhw estimate` for twelve kernels, compared with synthesis, placement and routing.

use crate::Verdict;
use crate::kernel::{one, rendered};
use crate::table::{Table, verdict};
use anyhow::{Context, Result, anyhow};
use samhw_compiler::diag::Source;
use samhw_compiler::emit::{emit, fingerprint};
use samhw_compiler::facts::Density;
use samhw_compiler::frontend::parse;
use samhw_compiler::pipeline::{compile_file, declared_netlist};
use samhw_fpga::cells::Resources;
use samhw_fpga::estimate::{Top, estimate, table};
use samhw_fpga::tools::find;
use samhw_fpga::{Board, Failure, Kernel, Options, Watch, board, build, sources, steps, synthesise};
use samhw_rtlsim::default_cache;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Kernel files in `examples`.
const KERNELS: [&str; 12] = [
    "innerprod",
    "mattransmul",
    "mmadd",
    "plus3",
    "residual",
    "sddmm",
    "spmspm_ikj",
    "spmspm_ijk",
    "spmv",
    "spmv_dense",
    "ttv",
    "two_statements",
];

/// How far lookup tables and the clock may be from the estimate.
const WITHIN: f64 = 0.15;

/// Code of the message that a design does not fit.
const TOO_LARGE: &str = "F002";

/// What a board's flow does where there is none: the board's clock, seed 1.
const OPTIONS: Options = Options { mhz: None, seed: 1 };

struct Quiet;

impl Watch for Quiet {
    fn step(&mut self, _: usize, _: usize, _: &str) {}
    fn line(&mut self, _: &str) {}
}

/// Runs the benchmark on board `board`. What was measured of the same sources is not measured again; of a kernel that
/// does not fit there is no clock.
pub fn run(board: &str) -> Result<Verdict> {
    if let Err(d) = find(steps::YOSYS) {
        return Ok(Verdict::NoTool(d.message));
    }
    let board = board::find(board).map_err(one)?;
    let calibration = table(board.family()).map_err(one)?;
    let heads = ["kernel", "LUTs", "estimated", "", "MHz", "estimated", "", "block RAMs", "multipliers", "", ""];
    let mut shown = Table::new(&heads);
    let mut missed = 0;
    for name in KERNELS {
        let kernel = kernel(name)?;
        let e = estimate(&kernel, Top::Board, &board, &calibration);
        let (real, mhz) = real(&kernel, &board)?;
        let off = |got: f64, want: f64| got / want - 1.0;
        let luts = off(e.total.luts as f64, real.luts as f64);
        let clock = mhz.map(|mhz| off(e.fmax_mhz, mhz));
        let exact = (e.total.brams, e.total.dsps) == (real.brams, real.dsps);
        let good = luts.abs() <= WITHIN && clock.is_none_or(|c| c.abs() <= WITHIN) && exact && e.unknown.is_empty();
        missed += usize::from(!good);
        let pair = |estimated: u64, real: u64| {
            if estimated == real { real.to_string() } else { format!("{real}, estimated {estimated}") }
        };
        let percent = |off: f64| format!("{:+.1} %", 100.0 * off);
        shown.row(vec![
            name.into(),
            real.luts.to_string(),
            e.total.luts.to_string(),
            percent(luts),
            mhz.map_or("does not fit".into(), |mhz| format!("{mhz:.1}")),
            format!("{:.1}", e.fmax_mhz),
            clock.map_or(String::new(), percent),
            pair(e.total.brams, real.brams),
            pair(e.total.dsps, real.dsps),
            verdict(good),
            if e.unknown.is_empty() { String::new() } else { format!("not calibrated: {}", e.unknown.join(", ")) },
        ]);
        eprintln!("{name}: LUTs {}, MHz {}", percent(luts), clock.map_or("-".into(), percent));
    }
    shown.print();
    println!("wanted: LUTs and MHz within {:.0} %, block RAMs and multipliers exact", 100.0 * WITHIN);
    Ok(Verdict::of(missed))
}

fn kernel(name: &str) -> Result<Kernel> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(format!("{name}.toml"));
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let file = parse(Arc::new(Source { path, text })).map_err(|d| rendered(&d))?;
    let compiled = compile_file(&file, &Density::default()).map_err(|d| rendered(&d))?;
    let design = emit(&compiled.lowered, &declared_netlist(&compiled.lowered).map_err(one)?);
    Kernel::new(&design).map_err(one)
}

/// What the kernel takes on the board, and its clock in MHz if it fits.
fn real(kernel: &Kernel, board: &Board) -> Result<(Resources, Option<f64>)> {
    let files = sources(kernel, board, OPTIONS);
    let bytes = files.iter().flat_map(|(name, text)| name.bytes().chain(text.bytes()));
    let hash = fingerprint(bytes);
    let known = default_cache()?.join(format!("placed-{hash:016x}"));
    if let Some(seen) = fs::read_to_string(&known).ok().as_deref().and_then(measured) {
        return Ok(seen);
    }
    let dir = default_cache()?.join(format!("placing-{}", std::process::id()));
    fs::create_dir_all(&dir)?;
    for (name, text) in &files {
        fs::write(dir.join(name), text)?;
    }
    let (r, mhz) = placed(kernel, board, &dir)?;
    fs::remove_dir_all(&dir)?;
    let clock = mhz.map_or("-".into(), |mhz| mhz.to_string());
    fs::write(&known, format!("{} {} {} {} {clock}", r.luts, r.ffs, r.brams, r.dsps))?;
    Ok((r, mhz))
}

fn placed(kernel: &Kernel, board: &Board, dir: &Path) -> Result<(Resources, Option<f64>)> {
    let go_on = AtomicBool::new(false);
    let report = match build(kernel, board, OPTIONS, dir, &go_on, &mut Quiet) {
        Ok(report) => Some(report),
        Err(Failure::Told(_, Some(report))) => Some(*report),
        Err(Failure::Told(d, None)) if d.code == TOO_LARGE => None,
        Err(f) => return Err(told(f)),
    };
    let mut r = Resources::default();
    match &report {
        Some(report) => report.nodes.iter().for_each(|n| r += n.resources),
        None => synthesise(kernel, board, dir, &go_on, &mut Quiet).map_err(told)?.0.values().for_each(|n| r += *n),
    }
    Ok((r, report.map(|report| report.timing.fmax_mhz)))
}

fn told(f: Failure) -> anyhow::Error {
    match f {
        Failure::Told(d, _) => one(*d),
        Failure::Cancelled => anyhow!("cancelled"),
    }
}

/// What was written of an earlier measurement.
fn measured(text: &str) -> Option<(Resources, Option<f64>)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [luts, ffs, brams, dsps, mhz] = words[..] else { return None };
    let n = |w: &str| w.parse().ok();
    let mhz = if mhz == "-" { None } else { Some(mhz.parse().ok()?) };
    Some((Resources { luts: n(luts)?, ffs: n(ffs)?, brams: n(brams)?, dsps: n(dsps)? }, mhz))
}
