//! Measurement of one variant: cycles by the native engine, size and clock by the estimate.

use crate::design;
use crate::kernel::{self, Sources};
use crate::run::simulated;
use samhw_compiler::compiled::Compiled;
use samhw_compiler::diag::{Diagnostic, Diagnostics};
use samhw_compiler::frontend::KernelFile;
use samhw_fpga::board::Board;
use samhw_fpga::cells::Resources;
use samhw_fpga::estimate::{Table, estimate};
use samhw_sim::load::load_operands;
use samhw_sim::run::Problem;
use std::path::PathBuf;

/// The conditions under which all variants are measured.
pub struct Bench<'a> {
    /// Path of the kernel file.
    pub path: PathBuf,
    /// Data sources in addition to those of the kernel file.
    pub sources: Sources,
    /// Board whose resources are counted.
    pub board: &'a Board,
    /// The objectives of the search.
    pub goal: Goal,
    /// Calibration table for the estimates.
    pub table: &'a Table,
}

/// The two objectives of the search, both to be minimised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// Microseconds, and the largest share of any of the board's resources.
    Board,
    /// Cycles and LUTs.
    Luts,
    /// Cycles and block RAMs.
    Brams,
}

/// Time and size of a variant in the units of a [`Goal`].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Worth {
    /// Time in the goal's unit.
    pub time: f64,
    /// Size in the goal's unit.
    pub size: f64,
}

impl Goal {
    fn worth(self, point: &Point) -> Worth {
        let cycles = point.cycles as f64;
        match self {
            Self::Board => Worth { time: point.micros(), size: point.share },
            Self::Luts => Worth { time: cycles, size: point.takes.luts as f64 },
            Self::Brams => Worth { time: cycles, size: point.takes.brams as f64 },
        }
    }

    /// Returns whether the variant fits the board. Without a board every variant fits.
    pub fn fits(self, point: &Point) -> bool {
        self != Self::Board || point.share <= 1.0
    }
}

/// The measurement of a variant.
#[derive(Debug, Clone)]
pub struct Point {
    /// Cycles on the data.
    pub cycles: u64,
    /// Highest clock frequency in MHz.
    pub mhz: f64,
    /// Resources that the variant uses.
    pub takes: Resources,
    /// Largest share of any resource of the device.
    pub share: f64,
    /// Time and size in the goal's units.
    pub worth: Worth,
    /// Loop order; empty if it cannot be changed.
    pub order: Vec<String>,
    /// Modules for which the estimate has no calibration.
    pub unknown: Vec<String>,
}

impl Point {
    /// Returns the run time on the data in microseconds.
    pub fn micros(&self) -> f64 {
        self.cycles as f64 / self.mhz.max(1.0)
    }
    /// Returns whether this point is at least as good as the other in both time and size.
    pub fn covers(&self, other: &Self) -> bool {
        self.worth.time <= other.worth.time && self.worth.size <= other.worth.size
    }
}

/// The outcome of measuring a variant.
pub enum Outcome {
    /// The variant works.
    Works(Box<Point>),
    /// The variant is refused, with the code of the first error.
    Refused(&'static str),
    /// The variant exceeds the limit of cycles.
    Slow,
}

impl Bench<'_> {
    /// Parses the kernel file with another text.
    pub fn file(&self, text: String) -> Result<KernelFile, Diagnostics> {
        kernel::parse(self.path.clone(), text, &self.sources)
    }

    /// Measures a kernel file and returns the outcome. Errors in the kernel file are an outcome; errors of the hardware
    /// are returned as errors.
    pub fn measure(&self, text: String, limit: u64) -> Result<Outcome, Diagnostics> {
        match self.point(text, limit) {
            Ok(point) => Ok(Outcome::Works(Box::new(point))),
            Err(d) => match d.first().map(|d| d.code) {
                Some("R012") => Ok(Outcome::Slow),
                None | Some("R010" | "R011" | "R013" | "T041") => Err(d),
                Some(code) => Ok(Outcome::Refused(code)),
            },
        }
    }

    /// Measures a kernel file, or returns the errors.
    pub fn point(&self, text: String, limit: u64) -> Result<Point, Diagnostics> {
        let file = self.file(text)?;
        let top = design::estimable(&file, None)?;
        let (compiled, net, kernel) = design::declared(&file)?;
        let found = estimate(&kernel, top, self.board, self.table);
        let loaded = load_operands(&file, &self.sources)?;
        let problem = Problem::made(&file, loaded)?;
        let outcome = simulated(&problem, &file, &net, limit)?;
        for (&t, found) in &outcome.results {
            if let Some(difference) = problem.compare(t, found)?.difference {
                let what = format!("{} differs from the reference: {difference}", file.kernel.tensor(t).name);
                return Err(vec![Diagnostic::new("R013", what).help(
                    "this is a fault of samhw, not of your kernel: please report it with the kernel file and its data",
                )]);
            }
        }
        let (t, has) = (found.total, found.available);
        let pairs = [(t.luts, has.luts), (t.ffs, has.ffs), (t.brams, has.brams), (t.dsps, has.dsps)];
        let share = |(used, has): (u64, u64)| if used == 0 { 0.0 } else { used as f64 / has.max(1) as f64 };
        let mut point = Point {
            cycles: outcome.counts.cycles,
            mhz: found.fmax_mhz,
            takes: t,
            share: pairs.into_iter().map(share).fold(0.0, f64::max),
            worth: Worth::default(),
            order: order(&file, &compiled),
            unknown: found.unknown,
        };
        point.worth = self.goal.worth(&point);
        Ok(point)
    }
}

/// The loop order by the kernel file's names. Where an index is split and none is given, there is none in these.
fn order(file: &KernelFile, compiled: &Compiled) -> Vec<String> {
    if let Some(names) = &file.order {
        return names.iter().map(|n| n.get_ref().clone()).collect();
    }
    let mut out: Vec<String> = Vec::new();
    for &v in compiled.choice.order.iter().filter(|_| compiled.split.indices.is_empty()) {
        let name = &compiled.lowered.kernel.var(v).name;
        if !out.contains(name) {
            out.push(name.clone());
        }
    }
    out
}
