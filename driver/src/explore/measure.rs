//! One variant measured: cycles by the native engine, size and clock by the estimate.

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

/// What all variants are measured with.
pub struct Bench<'a> {
    /// The kernel file.
    pub path: PathBuf,
    /// Data given besides.
    pub sources: Sources,
    /// Board whose cells are counted.
    pub board: &'a Board,
    /// What of a variant counts.
    pub goal: Goal,
    /// What estimates go by.
    pub table: &'a Table,
}

/// What of a variant counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// Microseconds, and the largest share of anything that a board has.
    Board,
    /// Cycles and LUTs.
    Luts,
    /// Cycles and block RAMs.
    Brams,
}

/// Time and size of a variant, as a [`Goal`] has them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Worth {
    /// Time.
    pub time: f64,
    /// Size.
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

    /// Whether there is room for it. Without a board there is.
    pub fn fits(self, point: &Point) -> bool {
        self != Self::Board || point.share <= 1.0
    }
}

/// A variant measured.
#[derive(Debug, Clone)]
pub struct Point {
    /// Cycles on the data.
    pub cycles: u64,
    /// Largest clock, MHz.
    pub mhz: f64,
    /// What it takes.
    pub takes: Resources,
    /// The largest share of anything that the device has.
    pub share: f64,
    /// What counts: the less the better, in both.
    pub worth: Worth,
    /// Loop order; empty where it cannot be said otherwise.
    pub order: Vec<String>,
    /// Modules that the estimate does not know.
    pub unknown: Vec<String>,
}

impl Point {
    /// Microseconds on the data.
    pub fn micros(&self) -> f64 {
        self.cycles as f64 / self.mhz.max(1.0)
    }
    /// Is it at least as good in both, time and size?
    pub fn covers(&self, other: &Self) -> bool {
        self.worth.time <= other.worth.time && self.worth.size <= other.worth.size
    }
}

/// What came of a variant.
pub enum Outcome {
    /// It works.
    Works(Box<Point>),
    /// It is refused, with the code of the first reason.
    Refused(&'static str),
    /// It takes more cycles than it may.
    Slow,
}

impl Bench<'_> {
    /// The kernel file with another text.
    pub fn file(&self, text: String) -> Result<KernelFile, Diagnostics> {
        kernel::parse(self.path.clone(), text, &self.sources)
    }

    /// Measures a kernel file. What it says wrongly is an outcome; that hardware is at fault is an error.
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

    /// Measures a kernel file, or says why not.
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
    for &v in compiled.choice.order.iter().filter(|_| compiled.split.pairs.is_empty()) {
        let name = &compiled.lowered.kernel.var(v).name;
        if !out.contains(name) {
            out.push(name.clone());
        }
    }
    out
}
