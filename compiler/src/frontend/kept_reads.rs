//! Reasons to keep a read at computed coordinates as it is, though it could be a read of a view.

use super::reader::Value;
use super::repeat;
use super::schedule::RESHAPES;
use crate::schedule::Reshaping;
use std::collections::{HashMap, HashSet};
use toml::de::DeTable;

/// The reasons to keep computed reads as they are.
#[derive(Debug, Default)]
pub(super) struct KeptReads {
    /// Operands that carry a result from round to round: they lie on the chip as a statement wrote them.
    pub carried: HashSet<String>,
    /// Whether the schedule asks that the chip computes shape operators, and that of single results.
    pub chip: (bool, HashMap<String, bool>),
}

impl KeptReads {
    /// Collects the reasons: what a file's section `[repeat]` carries, and what its schedules say of
    /// shape operators.
    pub fn of(repeat: Option<&repeat::Section>, schedule: Option<&Value<'_>>) -> Self {
        let carried = repeat.into_iter().flat_map(repeat::Section::carried).map(str::to_owned).collect();
        let all = schedule.and_then(|value| value.get_ref().as_table());
        let chip = |t: &DeTable<'_>| {
            let word = t.get("reshape")?.get_ref().as_str()?;
            RESHAPES.iter().find(|(known, _)| *known == word).map(|(_, place)| *place == Reshaping::Chip)
        };
        let single = all
            .into_iter()
            .flat_map(|t| t.iter())
            .filter_map(|(name, value)| Some((name.get_ref().to_string(), chip(value.get_ref().as_table()?)?)));
        let chip = (all.and_then(chip).unwrap_or(false), single.collect());
        Self { carried, chip }
    }

    /// Returns whether the chip computes shape operators on operands of the statement that writes `result`.
    pub fn on_chip(&self, result: &str) -> bool {
        self.chip.1.get(result).copied().unwrap_or(self.chip.0)
    }
}
