//! The calibrated models, as they are committed.

use crate::board::Family;
use crate::cells::Resources;
use samhw_compiler::diag::Diagnostic;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The tables, by `samhw calibrate`.
const fn text(family: Family) -> &'static str {
    match family {
        Family::Ecp5 => include_str!("../../calibration/ecp5.json"),
        Family::Ice40 => include_str!("../../calibration/ice40.json"),
        Family::Gowin => include_str!("../../calibration/gowin.json"),
    }
}

/// Coefficients of a module.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Coefficients {
    /// Of lookup tables.
    pub luts: BTreeMap<String, f64>,
    /// Of flip-flops.
    pub ffs: BTreeMap<String, f64>,
    /// Instances seen.
    pub seen: usize,
    /// Operators seen, of a module that has one.
    pub operators: Vec<String>,
    /// What units take, of a module that is looked up.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub units: BTreeMap<String, Resources>,
    /// What tells the Verilog measured from that of another day.
    #[serde(default)]
    pub verilog: String,
}

/// The calibrated model of a family.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Family.
    pub family: String,
    /// Versions of the tools.
    pub tools: Vec<String>,
    /// By module.
    pub modules: BTreeMap<String, Coefficients>,
    /// Of the clock period, by device.
    pub clocks: BTreeMap<String, Clocks>,
}

/// What the clock period of a device follows from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Clocks {
    /// Coefficients.
    pub period_ns: BTreeMap<String, f64>,
    /// Kernels whose clock was measured.
    pub seen: usize,
}

/// The committed table of a family.
pub fn table(family: Family) -> Result<Table, Diagnostic> {
    serde_json::from_str(text(family))
        .map_err(|e| Diagnostic::new("F020", format!("the calibration table of {} is wrong: {e}", family.name())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board;
    use crate::estimate::silicon::Silicon;

    #[test]
    fn every_board_has_a_table_with_a_clock() {
        for name in board::names() {
            let board = board::find(name).unwrap();
            let table = table(board.family()).unwrap();
            assert_eq!(table.family, board.family().name());
            let clocks = table.clocks.get(Silicon::of(&board).name);
            assert!(clocks.is_some_and(|c| c.seen >= 3), "{name}: {clocks:?}");
            for module in ["samhw_scanner_compressed", "samhw_joiner", "samhw_alu", "samhw_device"] {
                assert!(table.modules.contains_key(module), "{name}: {module}");
            }
        }
    }
}
