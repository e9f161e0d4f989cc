//! The report of a flow: resources, speed, the limiting path, and what to change.

use crate::board::Board;
use crate::cells::{HOST, Resources};
use crate::design::Kernel;
use crate::timing::Timing;
use samhw_compiler::diag::Diagnostic;
use samhw_streams::Bulk;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The share of a primitive in the resources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Share {
    /// Name of the primitive.
    pub node: String,
    /// Kind of the primitive.
    pub kind: String,
    /// Resources after synthesis.
    #[serde(flatten)]
    pub resources: Resources,
}

/// A program that the flow used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Used {
    /// Name of the program.
    pub tool: String,
    /// Version as the program prints it.
    pub version: String,
}

/// The duration of a step.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Took {
    /// Title of the step.
    pub step: String,
    /// Duration in seconds.
    pub seconds: f64,
}

/// The report of a flow. `--json` prints it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Name of the kernel.
    pub kernel: String,
    /// Name of the board.
    pub board: String,
    /// Seed of place and route.
    pub seed: u64,
    /// The required clock frequency in MHz.
    pub clock_mhz: f64,
    /// Whether the design reaches this frequency.
    pub meets_clock: bool,
    /// Timing and utilisation.
    #[serde(flatten)]
    pub timing: Timing,
    /// Shares of the primitives after synthesis, the largest first.
    pub nodes: Vec<Share>,
    /// File name of the bitstream; `None` if the clock frequency is not reached.
    pub bitstream: Option<String>,
    /// The programs used.
    pub tools: Vec<Used>,
}

/// Returns the shares of the primitives, the largest first.
pub fn shares(counts: &BTreeMap<String, Resources>, kind: impl Fn(&str) -> String) -> Vec<Share> {
    let mut out: Vec<Share> =
        counts.iter().map(|(node, r)| Share { node: node.clone(), kind: kind(node), resources: *r }).collect();
    out.sort_by_key(|s| std::cmp::Reverse((s.resources.luts + s.resources.ffs, s.resources.brams)));
    out
}

impl Report {
    /// Returns the report as a table.
    pub fn text(&self, board: &Board) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let mut line = |text: String| {
            let _ = writeln!(out, "{text}");
        };
        line(format!("kernel      {} on {} ({})", self.kernel, self.board, board.title));
        let verdict = if self.meets_clock { "reached" } else { "missed" };
        line(format!(
            "clock       {:.2} MHz asked for, {:.2} MHz possible: {verdict}",
            self.clock_mhz, self.timing.fmax_mhz
        ));
        for u in &self.timing.utilisation {
            let percent = 100.0 * u.used as f64 / (u.available.max(1)) as f64;
            line(format!("{:<12}{} of {} ({percent:.0} %)", u.resource, u.used, u.available));
        }
        if let Some(b) = &self.bitstream {
            line(format!("bitstream   {b}"));
        }
        line(format!("\n{:<28}{:<22}{:>7}{:>7}{:>7}{:>7}", "node", "kind", "LUTs", "FFs", "RAMs", "mults"));
        for s in &self.nodes {
            let Resources { luts, ffs, brams, dsps } = s.resources;
            line(format!("{:<28}{:<22}{luts:>7}{ffs:>7}{brams:>7}{dsps:>7}", s.node, s.kind));
        }
        let total: f64 = self.timing.critical_path.iter().map(|s| s.logic_ns + s.wires_ns).sum();
        line(format!("\ncritical path, {total:.2} ns"));
        for s in &self.timing.critical_path {
            line(format!(
                "  {:<28}{:<22}{:>5.2} ns in {} cells, {:.2} ns on wires",
                s.node, s.kind, s.logic_ns, s.cells, s.wires_ns
            ));
        }
        out
    }

    /// Returns the error for a missed clock frequency: by how much, where, and what to change.
    pub fn missed(&self, kernel: &Kernel) -> Diagnostic {
        let (want, got) = (self.clock_mhz, self.timing.fmax_mhz);
        let short = 1e3 / got - 1e3 / want;
        let d = Diagnostic::new(
            "F003",
            format!(
                "{} reaches {got:.2} MHz, not {want:.2}: {short:.2} ns too slow, so there is no bitstream",
                self.kernel
            ),
        );
        let path = &self.timing.critical_path;
        let Some(worst) = path.iter().max_by(|a, b| (a.logic_ns + a.wires_ns).total_cmp(&(b.logic_ns + b.wires_ns)))
        else {
            return d;
        };
        let chain: Vec<&str> = path.iter().map(|s| s.node.as_str()).collect();
        d.help(format!("the critical path goes through {}; most of it is in {}", chain.join(", "), worst.node))
            .help(advice(kernel, &worst.node))
            .help("or try another --seed, or a lower --mhz where that was given")
    }
}

/// What makes a primitive faster.
fn advice(kernel: &Kernel, node: &str) -> String {
    if let Some(a) = kernel.manifest.arrays.iter().find(|a| a.name == node) {
        return format!(
            "{node} is a memory of {} words of {} bits in many block RAMs: declare a smaller nnz for {}",
            a.words, a.width, a.tensor
        );
    }
    if node == HOST {
        return "the serial line's logic limits the clock: choose a lower clock".into();
    }
    format!("{}: that makes it faster", relief(kernel, node))
}

/// What makes a primitive smaller, and its paths shorter.
fn relief(kernel: &Kernel, node: &str) -> String {
    match kernel.bulk.get(node).copied().unwrap_or_default() {
        Bulk::Workspace { words, bits } => format!(
            "{node} is a workspace of {words} words of {bits} bits: choose an `order` with the summed variable innermost, which \
             needs no workspace, smaller [dims], or a narrower type"
        ),
        Bulk::Matrix { bits } => format!(
            "{node} is a workspace for a whole matrix of {bits}-bit values: choose an `order` with the summed variable further \
             in, smaller [dims], or a narrower type"
        ),
        Bulk::Values { bits } => format!("{node} computes on values of {bits} bits: choose a narrower type"),
        Bulk::Hints => format!("{node} skips: leave its operand out of `skip` in [schedule]"),
        Bulk::Feeds | Bulk::Merges => {
            format!("{node} serves copies of the graph: choose a smaller `parallel` in [schedule]")
        }
        Bulk::Words => {
            format!("{node} works on whole words of a bitvector: choose a smaller `width` for it, or `compressed`")
        }
        Bulk::Coordinates | Bulk::Groups => format!(
            "{node} works on coordinates and references as wide as [dims] and nnz make them: declare smaller ones, or choose \
             an `order` with other joins"
        ),
    }
}

/// Returns the error for a design that exceeds the device: by how much, what takes most, and what to change.
pub fn too_large(
    kernel: &Kernel,
    board: &Board,
    over: &[(&str, u64, u64)],
    counts: &BTreeMap<String, Resources>,
) -> Diagnostic {
    let needs: Vec<String> = over
        .iter()
        .map(|(what, used, has)| format!("{used} {what}, {} more than the {has} there are", used - has))
        .collect();
    let mut d = Diagnostic::new(
        "F002",
        format!("{} does not fit {}: it needs {}", kernel.name, board.name, needs.join(", and ")),
    );
    for (what, _, _) in over {
        let of = |r: &Resources| match *what {
            "block RAMs" => r.brams,
            "multipliers" => r.dsps,
            "flip-flops" => r.ffs,
            _ => r.luts,
        };
        let mut most: Vec<(&String, u64)> = counts.iter().map(|(n, r)| (n, of(r))).filter(|(_, n)| *n > 0).collect();
        most.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        let named: Vec<String> = most.iter().take(4).map(|(node, n)| format!("{node} {n}")).collect();
        d = d.help(format!("most {what} are in: {}", named.join(", ")));
        let first = most.first().map(|(n, _)| n.as_str()).unwrap_or_default();
        d = d.help(match (*what, kernel.manifest.arrays.iter().find(|a| a.name == first)) {
            ("block RAMs", Some(a)) => format!(
                "{first} holds {} words of {} bits: declare a smaller nnz for {}, a narrower type, or smaller [dims]",
                a.words, a.width, a.tensor
            ),
            ("multipliers", _) => "choose a narrower type: products of 18 bits take one multiplier".into(),
            _ => {
                let primitive = |n: &&str| *n != HOST && kernel.bulk.contains_key(*n);
                let largest = most.iter().map(|(n, _)| n.as_str()).find(primitive).unwrap_or_default();
                relief(kernel, largest)
            }
        });
    }
    let any = |bulk: Bulk| kernel.bulk.values().any(|b| *b == bulk);
    if any(Bulk::Merges) {
        d = d.help("choose fewer copies of the graph (`parallel` in [schedule]): they take less of everything");
    }
    if any(Bulk::Groups) && over.iter().any(|(what, ..)| *what != "block RAMs" && *what != "multipliers") {
        d = d.help("turn wide joins off (`wide = {}` in [schedule]): joins are then smaller and slower");
    }
    d.help("or choose a board with a larger device")
}
