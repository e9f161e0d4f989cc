//! `[hardware]` and `[schedule]`: what is asked of the hardware beyond the expression.

use super::declaration::MAX_SIZE;
use super::reader::{Reader, Value, in_order};
use crate::schedule::{PerVariable, Schedule};
use toml::Spanned;

/// Where tensors live while a kernel runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Memory {
    /// In memories on the chip, loaded through a host port.
    #[default]
    Ram,
}

/// How deep FIFOs are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fifo {
    /// As deep as freedom from deadlock needs.
    #[default]
    Auto,
}

/// The section `[hardware]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hardware {
    /// `memory`
    pub memory: Memory,
    /// `fifo`
    pub fifo: Fifo,
}

/// Reads `[hardware]`.
pub(super) fn read_hardware(reader: &mut Reader, value: &Value<'_>) -> Hardware {
    if let Some(table) = reader.table(value, "`hardware`") {
        for entry in reader.entries(table, "in [hardware]", &["memory", "fifo"]) {
            let (key, only) = if entry.name() == "memory" { ("memory", "ram") } else { ("fifo", "auto") };
            let later = if key == "memory" { ["axi"].as_slice() } else { &[] };
            let Some(name) = reader.string(entry.value, &format!("`{key}`")) else { continue };
            if later.contains(&name) {
                let what = format!("`{key} = \"{name}\"` is");
                reader.unsupported("K020", entry.value.span(), &what, &format!("so far there is `{key} = \"{only}\"`"));
            } else if name != only {
                reader.unknown("K016", entry.value.span(), format!("unknown `{key}`: `{name}`"), name, &[only]);
            }
        }
    }
    Hardware::default()
}

/// Reads `[schedule]`.
pub(super) fn read_schedule(reader: &mut Reader, value: &Value<'_>) -> Schedule {
    let mut schedule = Schedule::default();
    let Some(table) = reader.table(value, "`schedule`") else { return schedule };
    let known = ["locate", "skip", "parallel", "bitvector", "split", "lanes"];
    for entry in reader.entries(table, "in [schedule]", &known) {
        let what = format!("`{}`", entry.name());
        match entry.name() {
            "locate" => schedule.locate = reader.strings(entry.value, &what),
            "skip" => schedule.skip = reader.strings(entry.value, &what),
            name => {
                let numbers = per_variable(reader, entry.value, &what);
                *match name {
                    "parallel" => &mut schedule.parallel,
                    "bitvector" => &mut schedule.bitvector,
                    "split" => &mut schedule.split,
                    _ => &mut schedule.lanes,
                } = numbers;
            }
        }
    }
    schedule
}

fn per_variable(reader: &mut Reader, value: &Value<'_>, what: &str) -> PerVariable {
    let Some(table) = reader.table(value, what) else { return Vec::new() };
    let number = |entry: super::reader::Entry<'_>| {
        let number = reader.unsigned(entry.value, &format!("{what} of `{}`", entry.name()), 1..=MAX_SIZE)?;
        Some((Spanned::new(entry.key.span(), entry.name().to_owned()), Spanned::new(entry.value.span(), number)))
    };
    in_order(table).into_iter().filter_map(number).collect()
}
