//! Results of place and route: utilisation, clock frequency, and the critical path by primitive.

use crate::board::Family;
use crate::cells::Owners;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The fields of nextpnr's `--report` that samhw uses.
#[derive(Debug, Deserialize)]
pub struct Raw {
    fmax: BTreeMap<String, Fmax>,
    utilization: BTreeMap<String, Use>,
    critical_paths: Vec<RawPath>,
}

#[derive(Debug, Deserialize)]
struct Fmax {
    achieved: f64,
}

#[derive(Debug, Deserialize)]
struct Use {
    used: u64,
    available: u64,
}

#[derive(Debug, Deserialize)]
struct RawPath {
    from: String,
    to: String,
    path: Vec<RawHop>,
}

#[derive(Debug, Deserialize)]
struct RawHop {
    delay: f64,
    #[serde(rename = "type")]
    kind: String,
    to: RawEnd,
}

#[derive(Debug, Deserialize)]
struct RawEnd {
    cell: String,
}

/// The utilisation of one resource of the device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Utilisation {
    /// `LUTs`, `flip-flops`, `block RAMs`, `multipliers`.
    pub resource: &'static str,
    /// Used amount.
    pub used: u64,
    /// Available amount.
    pub available: u64,
}

/// A section of the critical path within one primitive, including the wires to it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stretch {
    /// Name of the primitive.
    pub node: String,
    /// Kind of the primitive.
    pub kind: String,
    /// Number of cells on the path.
    pub cells: usize,
    /// Delay in cells in ns.
    pub logic_ns: f64,
    /// Delay on the wires to the cells in ns.
    pub wires_ns: f64,
}

/// The timing and utilisation from a report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Timing {
    /// Highest clock frequency in MHz.
    pub fmax_mhz: f64,
    /// Utilisation of each resource.
    pub utilisation: Vec<Utilisation>,
    /// The critical path, starting from its first register.
    pub critical_path: Vec<Stretch>,
}

/// Names of nextpnr's resources in a family, in the order of a report.
fn resources(family: Family) -> [(&'static str, &'static [&'static str]); 4] {
    match family {
        Family::Ecp5 => [
            ("LUTs", &["TRELLIS_COMB"]),
            ("flip-flops", &["TRELLIS_FF"]),
            ("block RAMs", &["DP16KD"]),
            ("multipliers", &["MULT18X18D"]),
        ],
        Family::Ice40 => [
            ("LUTs", &["ICESTORM_LC"]),
            ("flip-flops", &[]),
            ("block RAMs", &["ICESTORM_RAM"]),
            ("multipliers", &["ICESTORM_DSP"]),
        ],
        Family::Gowin => [
            ("LUTs", &["LUT4"]),
            ("flip-flops", &["DFF"]),
            ("block RAMs", &["BSRAM"]),
            ("multipliers", &["MULTALU18X18", "MULT18X18", "MULTADDALU18X18", "MULT36X36", "MULT9X9"]),
        ],
    }
}

/// Returns samhw's name for nextpnr's resource `name`.
pub fn resource(family: Family, name: &str) -> Option<&'static str> {
    resources(family).into_iter().find(|(_, names)| names.contains(&name)).map(|(r, _)| r)
}

/// Parses nextpnr's report `json`.
pub fn read(family: Family, json: &str, owners: &Owners) -> Result<Timing, serde_json::Error> {
    let raw: Raw = serde_json::from_str(json)?;
    let mut utilisation = Vec::new();
    for (resource, names) in resources(family) {
        let found: Vec<&Use> = names.iter().filter_map(|n| raw.utilization.get(*n)).collect();
        if let Some(available) = found.iter().map(|u| u.available).max() {
            utilisation.push(Utilisation { resource, used: found.iter().map(|u| u.used).sum(), available });
        }
    }
    // The slowest clock; there is one in our designs.
    let fmax_mhz = raw.fmax.values().map(|f| f.achieved).fold(f64::INFINITY, f64::min);
    let clocked = |p: &&RawPath| p.from.starts_with("posedge") && p.to.starts_with("posedge");
    let delay = |p: &RawPath| p.path.iter().map(|h| h.delay).sum::<f64>();
    let worst = raw.critical_paths.iter().filter(clocked).max_by(|a, b| delay(a).total_cmp(&delay(b)));
    let mut critical_path: Vec<Stretch> = Vec::new();
    for hop in worst.map(|p| p.path.as_slice()).unwrap_or_default() {
        let node = owners.of(&hop.to.cell);
        if critical_path.last().is_none_or(|s| s.node != node) {
            let kind = owners.kind(node).to_string();
            critical_path.push(Stretch { node: node.into(), kind, cells: 0, logic_ns: 0.0, wires_ns: 0.0 });
        }
        if let Some(s) = critical_path.last_mut() {
            if hop.kind == "routing" {
                s.wires_ns += hop.delay;
            } else {
                s.cells += usize::from(hop.kind != "setup");
                s.logic_ns += hop.delay;
            }
        }
    }
    Ok(Timing { fmax_mhz, utilisation, critical_path })
}
