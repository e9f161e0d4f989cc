//! The report of `samhw run` as text and as JSON ([`crate::schema`]).

use crate::run::Ran;
use crate::tokens;
use samhw_compiler::diag;
use samhw_compiler::netlist::CellPlace as Where;
use samhw_sim::tensor::Coo;
use serde_json::{Value, json};
use std::fmt::Display;
use std::time::Instant;

/// Wall-clock seconds of the phases of a run, in order.
#[derive(Debug, Clone, Copy)]
pub struct Phases {
    begin: Instant,
    last: Instant,
    /// Seconds for reading the kernel file and the data.
    pub reading: f64,
    /// Seconds for compiling, packing and the reference.
    pub preparing: f64,
    /// Seconds in the engine.
    pub simulating: f64,
    /// Seconds for comparing results.
    pub checking: f64,
}

impl Phases {
    /// Starts the measurement at `begin`.
    pub fn from(begin: Instant) -> Self {
        Self { begin, last: begin, reading: 0.0, preparing: 0.0, simulating: 0.0, checking: 0.0 }
    }
    /// Ends the current phase and returns its seconds.
    pub fn lap(&mut self) -> f64 {
        let now = Instant::now();
        now.duration_since(std::mem::replace(&mut self.last, now)).as_secs_f64()
    }
    /// Returns the seconds of all phases together.
    pub fn all(&self) -> f64 {
        self.last.duration_since(self.begin).as_secs_f64()
    }
}

/// The header of the lines that [`Ran::csv`] returns.
pub const CSV_HEADER: &str = "kernel,engine,order,cycles,matches_reference,nodes,stored,seconds,simulation_seconds";

impl Ran {
    /// Returns the report as a line of CSV.
    pub fn csv(&self) -> String {
        let stored: usize = self.found.values().map(Coo::len).sum();
        format!(
            "{},{},{},{},{},{},{stored},{:.6},{:.6}",
            self.net.name,
            self.engine,
            self.order().join(" "),
            self.counts.cycles,
            self.wrong.is_empty(),
            self.net.cells.len(),
            self.phases.all(),
            self.phases.simulating
        )
    }

    /// Returns the loop order, outermost first.
    pub fn order(&self) -> Vec<&str> {
        let kernel = &self.problem.lowered.kernel;
        let mut names: Vec<&str> = Vec::new();
        let used: Vec<_> = self.problem.lowered.orders.iter().flatten().collect();
        for v in self.problem.choice.order.iter().filter(|v| used.contains(v)) {
            let name = kernel.var(*v).name.as_str();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Returns the report as one JSON object.
    pub fn json(&self) -> Value {
        let shape = |c: &Coo| json!({"shape": c.shape(), "nnz": c.len()});
        let results: serde_json::Map<String, Value> =
            self.results.iter().filter_map(|(n, t)| self.found.get(t).map(|c| (n.to_string(), shape(c)))).collect();
        let nodes: Vec<Value> = self
            .net
            .cells
            .iter()
            .zip(&self.counts.cells)
            .map(|(cell, c)| {
                json!({"name": cell.name, "kind": cell.primitive.kind(), "beats": c.beats, "busy": c.busy, "stalled": c.stalled, "starved": c.starved})
            })
            .collect();
        let mut report = json!({
            "kernel": self.net.name,
            "engine": self.engine,
            "cycles": self.counts.cycles,
            "matches_reference": self.wrong.is_empty(),
            "bounded": self.bounded,
            "unknown": self.unknown,
            "results": results,
            "order": self.order(),
            "nodes": nodes,
            "seconds": self.phases.all(),
            "simulation_seconds": self.phases.simulating,
            "phase_seconds": {
                "reading": self.phases.reading,
                "preparing": self.phases.preparing,
                "simulating": self.phases.simulating,
                "checking": self.phases.checking,
            },
            "notes": self.notes,
            "warnings": diag::json(&self.file.warnings),
        });
        if let (false, Some(report)) = (self.counts.channels.is_empty(), report.as_object_mut()) {
            let (statements, groups) = self.statements_json();
            report.insert("statements".into(), statements);
            report.insert("groups".into(), groups);
        }
        if let (Some(rounds), Some(report)) = (self.rounds, report.as_object_mut()) {
            report.insert("rounds".into(), json!(rounds.count));
            report.insert("open".into(), json!(rounds.open));
        }
        if let (Some((net, tokens)), Some(report)) = (&self.tokens, report.as_object_mut()) {
            report.insert("tokens".into(), tokens::json(net, tokens, &self.problem.lowered.kernel));
        }
        report
    }

    /// Returns the report as text.
    pub fn text(&self) -> String {
        let mut out =
            format!("kernel   {} ({} engine), order {}\n", self.net.name, self.engine, self.order().join(", "));
        out += &format!("cycles   {}\n", self.counts.cycles);
        out += &self.statements_text();
        if let Some(rounds) = self.rounds {
            let open = if rounds.open { ", as many as it may have: its condition still asks for one" } else { "" };
            out += &format!("rounds   {}{open}\n", rounds.count);
        }
        for (name, t) in &self.results {
            if let Some(c) = self.found.get(t) {
                let shape: Vec<String> = c.shape().iter().map(u64::to_string).collect();
                let shape = if shape.is_empty() { "scalar".into() } else { shape.join(" x ") };
                out += &format!("result   {name}: {shape}, {} stored\n", c.len());
            }
        }
        out += &format!("matches  {}\n", if self.wrong.is_empty() { "the reference" } else { "NOT the reference" });
        if self.bounded > 0 {
            out += &format!(
                "         {} values depend on the order of sums: within its bounds, {} without any\n",
                self.bounded, self.unknown
            );
        }
        for note in &self.notes {
            out += &format!("note     {note}\n");
        }
        out += &format!("seconds  {:.3} ({:.3} simulating)\n", self.phases.all(), self.phases.simulating);
        // A board counts cycles only.
        if self.counts.cells.is_empty() {
            return out;
        }
        out.push('\n');
        let mut row = |name: &str, kind: &str, rest: [&dyn Display; 4]| {
            let [beats, busy, stalled, starved] = rest;
            out += &format!("{name:<28} {kind:<18} {beats:>10} {busy:>10} {stalled:>10} {starved:>10}\n");
        };
        row("node", "kind", [&"beats", &"busy", &"stalled", &"starved"]);
        for (cell, c) in self.net.cells.iter().zip(&self.counts.cells).filter(|(cell, _)| cell.place == Where::Core) {
            row(&cell.name, cell.primitive.kind(), [&c.beats, &c.busy, &c.stalled, &c.starved]);
        }
        if let Some((net, tokens)) = &self.tokens {
            out += &tokens::text(net, tokens, &self.problem.lowered.kernel);
        }
        out
    }
}
