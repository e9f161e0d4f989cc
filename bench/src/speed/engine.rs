//! Cycles per second of the native engine, for kernels with much activity, with little activity, with many nodes, and
//! behind AXI.

use super::Report;
use super::clock::{median, seconds};
use crate::kernel::{LIMIT, one, rendered};
use crate::table::grouped;
use anyhow::{Result, bail};
use samhw_compiler::diag::Source;
use samhw_compiler::frontend::{Memory, parse};
use samhw_compiler::passes::fifo::Depths;
use samhw_sim::axi::Settings;
use samhw_sim::load::load_operands;
use samhw_sim::native::Watch;
use samhw_sim::run::Problem;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Runs per measurement; the median counts.
const RUNS: usize = 5;
/// Most time behind AXI, of that of the same kernel with memories on the chip.
const BEHIND: f64 = 1.5;

/// A kernel: name, expression with order and sizes, tensors with type, schedule, data.
struct Simulated {
    name: &'static str,
    head: &'static str,
    tensors: &'static [(&'static str, &'static str)],
    schedule: &'static str,
    data: &'static str,
    /// Least millions of cycles per second.
    least: f64,
}

/// Joins go from coordinate to coordinate, as comal's do.
const STEPS: &str = "locate = []\nskip = []\nwide = {}\n";

/// All nodes move in most cycles.
const SUM: Simulated = Simulated {
    name: "MMAdd, Poisson of 100,489 rows",
    head: "expr = \"X(i,j) = B(i,j) + C(i,j)\"\n[dims]\ni = 100489\nj = 100489\n",
    tensors: &[("B", "cc"), ("C", "cc"), ("X", "cc")],
    schedule: STEPS,
    data: "B = { poisson2d = { n = 317 } }\nC = { poisson2d = { n = 317, seed = 4 } }\n",
    least: 10.0,
};

/// One operand of a join continues alone in most cycles.
const PRODUCT: Simulated = Simulated {
    name: "SpM*SpM ikj, R-MAT of 10,000 rows",
    head: "expr = \"X(i,j) = B(i,k) * C(k,j)\"\norder = [\"i\", \"k\", \"j\"]\n[dims]\ni = 10000\nj = 10000\nk = 10000\n",
    tensors: &[("B", "cc"), ("C", "cc"), ("X", "cc")],
    schedule: STEPS,
    data: "B = { rmat = { edges = 20000, seed = 1 } }\nC = { rmat = { edges = 20000, seed = 2 } }\n",
    least: 30.0,
};

const RANDOM: &str = "A = { random = { density = 0.005, seed = 2 } }\nx = { random = { density = 1.0, seed = 3 } }\n";
const SPMV: &str = "expr = \"y(i) = A(i,j) * x(j)\"\n[dims]\ni = 10000\nj = 10000\n";

/// Hundreds of nodes.
const LANES: Simulated = Simulated {
    name: "SpMV, 64 lanes, 500,000 entries",
    head: SPMV,
    tensors: &[("A", "dc"), ("x", "d"), ("y", "c")],
    schedule: "lanes = { j = 64 }\n",
    data: RANDOM,
    least: 0.25,
};

/// A vector that rows locate.
const VECTOR: Simulated = Simulated {
    name: "SpMV, 500,000 entries",
    head: SPMV,
    tensors: &[("A", "dc"), ("x", "d"), ("y", "d")],
    schedule: "",
    data: RANDOM,
    least: 10.0,
};

impl Simulated {
    fn problem(&self, more: &str) -> Result<Problem> {
        let level = |c: char| if c == 'd' { "\"dense\"" } else { "\"compressed\"" };
        let mut text = self.head.to_string();
        for (name, levels) in self.tensors {
            let levels: Vec<&str> = levels.chars().map(level).collect();
            text += &format!("[tensors.{name}]\nlevels = [{}]\ntype = \"i32\"\n", levels.join(", "));
        }
        text += &format!("[schedule]\n{}[data]\n{}{more}", self.schedule, self.data);
        let file = parse(Arc::new(Source { path: "k.toml".into(), text })).map_err(|d| rendered(&d))?;
        let loaded = load_operands(&file, &BTreeMap::new()).map_err(|d| rendered(&d))?;
        Problem::new(&file, loaded).map_err(|d| rendered(&d))
    }

    /// Cycles of a run, and median seconds of one: set-up and the reading of results included.
    fn timed(&self, more: &str) -> Result<(u64, f64)> {
        let problem = self.problem(more)?;
        let net = problem.netlist(Depths::Auto).map_err(one)?;
        let mut cycles = 0;
        let mut run = || -> Result<()> {
            let outcome = match &problem.memory {
                Memory::Ram => problem.run_native(&net, LIMIT).map_err(one)?,
                Memory::Axi(options) => {
                    let settings = Settings::default();
                    problem.run_axi_native(&net, options, &settings, LIMIT, Watch::default()).map_err(one)?.0
                }
            };
            cycles = outcome.counts.cycles;
            Ok(())
        };
        let taken: Vec<f64> = (0..RUNS).map(|_| seconds(&mut run)).collect::<Result<_>>()?;
        if cycles == 0 {
            bail!("{} takes no cycle", self.name);
        }
        Ok((cycles, median(taken)))
    }

    fn row(&self, report: &mut Report) -> Result<(u64, f64)> {
        let (cycles, seconds) = self.timed("")?;
        let rate = cycles as f64 / seconds / 1e6;
        let measured = format!("{rate:.2} M cycles/s ({} cycles)", grouped(cycles));
        let wanted = format!(">= {} M cycles/s", self.least);
        report.row(&format!("native engine, {}", self.name), measured, &wanted, rate >= self.least);
        Ok((cycles, seconds))
    }

    /// Time per cycle behind AXI against that with memories on the chip.
    fn behind(&self, report: &mut Report, (cycles, seconds): (u64, f64)) -> Result<()> {
        let (more_cycles, longer) = self.timed("[hardware]\nmemory = \"axi\"\n")?;
        let ratio = longer / more_cycles as f64 * cycles as f64 / seconds;
        let rate = more_cycles as f64 / longer / 1e6;
        let measured = format!("{ratio:.2} times as long a cycle ({rate:.2} M cycles/s)");
        let wanted = format!("<= {BEHIND} times");
        report.row(&format!("the same behind AXI, {}", self.name), measured, &wanted, ratio <= BEHIND);
        Ok(())
    }
}

/// Measures all of them.
pub(super) fn rows(report: &mut Report) -> Result<()> {
    let sum = SUM.row(report)?;
    PRODUCT.row(report)?;
    LANES.row(report)?;
    let vector = VECTOR.row(report)?;
    SUM.behind(report, sum)?;
    VECTOR.behind(report, vector)
}
