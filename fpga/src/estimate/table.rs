//! The calibrated tables in the repository.

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

/// The coefficients of a module.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Coefficients {
    /// Coefficients of lookup tables.
    pub luts: BTreeMap<String, f64>,
    /// Coefficients of flip-flops.
    pub ffs: BTreeMap<String, f64>,
    /// Number of calibrated instances.
    pub seen: usize,
    /// Calibrated operators, for modules with one.
    pub operators: Vec<String>,
    /// Resources of units, for modules with one table entry per unit.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub units: BTreeMap<String, Resources>,
    /// Fingerprint of the measured Verilog.
    #[serde(default)]
    pub verilog: String,
}

/// The calibrated table of a family.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Name of the family.
    pub family: String,
    /// Versions of the tools.
    pub tools: Vec<String>,
    /// Coefficients by module.
    pub modules: BTreeMap<String, Coefficients>,
    /// Clock models by device.
    pub clocks: BTreeMap<String, Clocks>,
}

/// The model of a device's clock period.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Clocks {
    /// Coefficients of the period in ns.
    pub period_ns: BTreeMap<String, f64>,
    /// Number of kernels with measured clocks.
    pub seen: usize,
}

/// Returns the table of a family from the repository.
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
