//! The primitives, parameters, levels and schedules that runs have covered.

use crate::run::Ran;
use samhw_compiler::levels;
use samhw_compiler::schedule::Schedule;
use samhw_primitives::library::MODULES;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Keys of `[schedule]`.
const SCHEDULES: [&str; 11] =
    ["locate", "scatter", "skip", "parallel", "bitvector", "wide", "split", "fuse", "lanes", "reduce", "reshape"];

/// The coverage of one or more runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Modules, each with the values that its parameters had together.
    modules: BTreeMap<String, BTreeSet<String>>,
    levels: BTreeSet<String>,
    schedules: BTreeSet<String>,
}

impl Coverage {
    /// Adds a run.
    pub fn add(&mut self, ran: &Ran) {
        for cell in &ran.net.cells {
            let instance = cell.primitive.instance();
            let values: Vec<String> = instance.params.iter().map(|(n, v)| format!("{n}={}", v.literal())).collect();
            self.modules.entry(instance.module.to_owned()).or_default().insert(values.join(" "));
        }
        let tensors = ran.file.kernel.tensors.iter().filter(|tensor| tensor.view.is_none());
        self.levels.extend(tensors.flat_map(|tensor| &tensor.levels).map(|level| level.name().to_owned()));
        let schedules = ran.file.kernel.schedules().into_iter();
        self.schedules.extend(schedules.flat_map(|(_, schedule, _)| said(schedule)).map(str::to_owned));
    }

    /// Adds the coverage of a report that [`Coverage::json`] wrote; returns false if it is no such report.
    pub fn merge(&mut self, report: &Value) -> bool {
        let Some(modules) = report["modules"].as_object() else { return false };
        for (module, settings) in modules {
            self.modules.entry(module.clone()).or_default().extend(texts(settings));
        }
        self.levels.extend(texts(&report["levels"]));
        self.schedules.extend(texts(&report["schedules"]));
        true
    }

    /// Returns the coverage as JSON.
    pub fn json(&self) -> Value {
        let modules: Map<String, Value> = self.modules.iter().map(|(name, all)| (name.clone(), json!(all))).collect();
        json!({ "modules": modules, "levels": self.levels, "schedules": self.schedules })
    }

    /// Returns a summary in one line.
    pub fn line(&self) -> String {
        let settings: usize = self.modules.values().map(BTreeSet::len).sum();
        let list = |all: &BTreeSet<String>| all.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        let count = |all: &BTreeSet<String>, of: usize| format!("{} of {of}", all.len(), of = of);
        format!(
            "coverage {} of {} modules in {settings} settings; {} levels: {}; {} schedule keys: {}",
            self.modules.len(),
            MODULES.len(),
            count(&self.levels, levels::ALL.len()),
            list(&self.levels),
            count(&self.schedules, SCHEDULES.len()),
            if self.schedules.is_empty() { "none".into() } else { list(&self.schedules) },
        )
    }
}

fn texts(list: &Value) -> impl Iterator<Item = String> + '_ {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned)
}

/// The keys that a schedule has something under.
fn said(schedule: &Schedule) -> impl Iterator<Item = &'static str> {
    let some = |list: &Option<Vec<_>>| list.as_ref().is_some_and(|list| !list.is_empty());
    let there = [
        some(&schedule.locate),
        some(&schedule.scatter),
        some(&schedule.skip),
        !schedule.parallel.is_empty(),
        !schedule.bitvector.is_empty(),
        schedule.wide.as_ref().is_some_and(|list| !list.is_empty()),
        !schedule.split.is_empty(),
        schedule.fuse.as_ref().is_some_and(|list| !list.is_empty()),
        !schedule.lanes.is_empty(),
        schedule.reduce.is_some(),
        schedule.reshape.is_some(),
    ];
    SCHEDULES.into_iter().zip(there).filter(|(_, there)| *there).map(|(key, _)| key)
}
